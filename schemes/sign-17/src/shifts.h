/* Products with a challenge, which has few coefficients: sums of shifted copies, over the integers. */
#ifndef OPS_SHIFTS_H
#define OPS_SHIFTS_H

#include "poly.h"

/* A polynomial p with its negative in front: the window of N coefficients from N - i on is X^i * p. */
typedef struct {
    int32_t c[2 * OPS_N];
} shifts;

/* The powers of X in a challenge: first those with coefficient 1, then those with -1. */
typedef struct {
    unsigned short powers[OPS_TAU];
    unsigned positive;
} sparse;

void ops_shifts_of(shifts *s, const poly *p);

/* Exactly TAU coefficients of `c` are 1 or -1, the others 0. */
void ops_sparse_of(sparse *s, const poly *c);

/* product = c * p; |product| <= TAU * max |p|.  Addresses depend on c, nothing on p. */
void ops_shifts_multiply(poly *product, const sparse *c, const shifts *p);

#endif
