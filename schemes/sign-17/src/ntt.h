/*
 * The number theoretic transform: slot i holds the value at r^(2 brv(i) + 1), r of order 2N.  Constant time.
 *
 * A product of transforms carries a factor that ops_ntt_inverse takes away, so the inverse always follows exactly one
 * of the two product functions.
 */
#ifndef OPS_NTT_H
#define OPS_NTT_H

#include "poly.h"

/* In place.  Coefficients in [-q, q] become slots in [-6q, 6q]. */
void ops_ntt(poly *p);

/* product = a * b, slot by slot; centred from slots in [-6q, 6q]. */
void ops_ntt_multiply(poly *product, const poly *a, const poly *b);

/* sum = row[0] * v[0] + ... + row[L - 1] * v[L - 1]; slots as in ops_ntt_multiply. */
void ops_ntt_multiply_row(poly *sum, const poly row[OPS_L], const poly v[OPS_L]);

/*
 * In place.  Slots in [-q, q] become centred coefficients: a product over the integers that is smaller than q/2 comes
 * out as it is.
 */
void ops_ntt_inverse(poly *p);

#endif
