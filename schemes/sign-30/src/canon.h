/* The canonical form: what two equivalent forms have in common when seen from corresponding points. */
#ifndef TRINE_CANON_H
#define TRINE_CANON_H

#include "form.h"

/*
 * Writes the n^3 elements of the canonical form of `form` seen from the point u.  0, or -1 when there is none; `flat`
 * then holds anything.  Any multiple of u gives the same.
 */
int trine_canonical(int16_t *flat, const trine_form *form, const trine_row *u);

#endif
