/* The commitment of one round: the first vector of the round's stream that has a canonical form. */
#ifndef TRINE_SEARCH_H
#define TRINE_SEARCH_H

#include "form.h"
#include "stream.h"

/*
 * Reads vectors until one has a canonical form of `base`, and writes the vector and the n^3 elements of the form.
 * 0, or -1 when the stream ends.
 */
int trine_search(trine_row *vector, int16_t *flat, const trine_form *base, trine_stream *s);

#endif
