/* Polynomials of the ring: N coefficients, signed, in whatever range the using function names. */
#ifndef OPS_POLY_H
#define OPS_POLY_H

#include <stdint.h>

#include "params.h"

typedef struct {
    int32_t c[OPS_N];
} poly;

/* sum += addend and difference -= subtrahend, over the integers. */
void ops_poly_add(poly *sum, const poly *addend);
void ops_poly_sub(poly *difference, const poly *subtrahend);

/* From (-q, q) to [0, q). */
void ops_poly_canonical(poly *p);

/* 1 when some |coefficient| >= bound, else 0; looks at every coefficient.  Bound and coefficients below 2^30. */
int ops_poly_exceeds(const poly *p, int32_t bound);

#endif
