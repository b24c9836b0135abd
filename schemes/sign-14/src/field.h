/*
 * GF(2^n) for the n of the level, and GF(2^64).  Bit i of an element is the coefficient of X^i.  Every function runs in
 * time that does not depend on elements; exponents are public.  Results may be the operands.
 */
#ifndef LYNX_FIELD_H
#define LYNX_FIELD_H

#include <stdint.h>

#include "params.h"

typedef struct {
    uint64_t w[LYNX_WORDS];  /* the lowest bits first; bits n and up are 0 */
} fe;

void lynx_fe_load(fe *r, const unsigned char bytes[LYNX_BYTES]);
void lynx_fe_store(unsigned char bytes[LYNX_BYTES], const fe *a);

static inline void lynx_fe_add(fe *r, const fe *a, const fe *b)
{
    for (int i = 0; i < LYNX_WORDS; i++)
        r->w[i] = a->w[i] ^ b->w[i];
}

void lynx_fe_mul(fe *r, const fe *a, const fe *b);

/* r += a * b */
void lynx_fe_mul_add(fe *r, const fe *a, const fe *b);

/* a times the polynomial of degree below 64 whose coefficients are the bits of b. */
void lynx_fe_mul64(fe *r, const fe *a, uint64_t b);

/* a times X */
void lynx_fe_mul_x(fe *r, const fe *a);

/* a^(2^e) */
void lynx_fe_frobenius(fe *r, const fe *a, unsigned e);

/* a to the power of a number of LYNX_WORDS words, the lowest first; 0 stays 0. */
void lynx_fe_power(fe *r, const fe *a, const uint64_t exponent[LYNX_WORDS]);

/* a^(2^n - 2), the inverse of a; 0 of 0. */
void lynx_fe_invert(fe *r, const fe *a);

/* The product in GF(2^64) = GF(2)[X] / (X^64 + X^4 + X^3 + X + 1). */
uint64_t lynx_gf64_mul(uint64_t a, uint64_t b);

#endif
