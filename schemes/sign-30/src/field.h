/* The field of q = 4093 = 2^12 - 3 elements, held as integers from 0 to q - 1. */
#ifndef TRINE_FIELD_H
#define TRINE_FIELD_H

#include <stdint.h>

#include "params.h"

/* Inverses of 1 to q - 1, at [0] 0; valid after trine_field_init. */
extern int16_t trine_inverse[TRINE_Q];

/* Fills the table of inverses; every operation begins with it. */
void trine_field_init(void);

/* x mod q for every x below 2^32: 2^12 = 3, so the high part counts three times. */
static inline int16_t trine_reduce(uint32_t x)
{
    x = 3 * (x >> 12) + (x & 4095); /* below 2^22 */
    x = 3 * (x >> 12) + (x & 4095); /* below 2 q */
    return (int16_t)(x - (x >= TRINE_Q ? TRINE_Q : 0));
}

static inline int16_t trine_multiply(int16_t a, int16_t b)
{
    return trine_reduce((uint32_t)a * (uint32_t)b);
}

static inline int16_t trine_subtract(int16_t a, int16_t b)
{
    return (int16_t)(a >= b ? a - b : a - b + TRINE_Q);
}

#endif
