/* The commitments of the rounds, absorbed by the transcript. */
#ifndef TRINE_COMMIT_H
#define TRINE_COMMIT_H

#include "form.h"
#include "transcript.h"

/* Absorbs n^3 elements, packed. */
void trine_commit_form(trine_transcript *transcript, const int16_t *flat);

/* Finds and absorbs the commitment of round t from its seed, and writes its vector.  0, or -1 without memory. */
int trine_commit(trine_transcript *transcript, trine_row *vector, const trine_form *base,
                 const unsigned char salt[TRINE_SEED_BYTES], const unsigned char seed[TRINE_ROUND_SEED_BYTES],
                 unsigned t);

#endif
