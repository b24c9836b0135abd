/*
 * Products of a challenge with a polynomial of the secret vectors, as sums of shifted copies: the TAU nonzero
 * coefficients of a challenge are 1 or -1.  Quicker than transforms.  What is added does not depend on the secret; where
 * it is read depends on the challenge alone.
 */
#ifndef OPS_PRODUCT_H
#define OPS_PRODUCT_H

#include "poly.h"

/* -s, s and -s, one behind the other: each negacyclic shift of s or of -s is a run of N values.  They are kept as
   value + 8, so that sums in neighbouring 16-bit lanes of a word do not touch each other. */
typedef struct {
    uint16_t c[3 * OPS_N];
} shifts;

/* Where the TAU runs begin that a challenge adds up. */
typedef struct {
    unsigned short start[OPS_TAU];
} places;

/* s has coefficients in [-7, 7], as any 3-bit code of a secret key gives them. */
void ops_shifts_of(shifts *all, const poly *s);

/* The places of a challenge: TAU of its coefficients are 1 or -1, the others 0. */
void ops_places_of(places *p, const poly *challenge);

/* product = challenge * s over the integers. */
void ops_challenge_times(poly *product, const places *challenge, const shifts *s);

#endif
