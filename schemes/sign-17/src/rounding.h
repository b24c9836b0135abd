/* Splitting of coefficients into high and low bits; `a` is always in [0, q).  Constant time. */
#ifndef OPS_ROUNDING_H
#define OPS_ROUNDING_H

#include <stdint.h>

#include "params.h"

/* a = high * 2^13 + *low with *low in [-4095, 4096]; returns high, in [0, 8191]. */
static inline int32_t ops_power2round(int32_t a, int32_t *low)
{
    const int32_t high = (a + (1 << (OPS_D - 1)) - 1) >> OPS_D;

    *low = a - (high << OPS_D);
    return high;
}

/*
 * a = high * 2 GAMMA2 + *low modulo q with *low in [-GAMMA2, GAMMA2]; returns high, in [0, CLASSES).  The last half
 * interval below q belongs to class 0.
 */
static inline int32_t ops_decompose(int32_t a, int32_t *low)
{
    int32_t high = (int32_t)((uint32_t)(a + OPS_GAMMA2 - 1) / (2 * OPS_GAMMA2));

    high &= (high - OPS_CLASSES) >> 31; /* CLASSES becomes 0 */
    *low = a - high * (2 * OPS_GAMMA2);
    *low -= OPS_Q & (((OPS_Q - 1) / 2 - *low) >> 31);
    return high;
}

/* 1 when adding what was left out changes the class: `low` is the low part after that, `high` the class before. */
static inline int ops_make_hint(int32_t low, int32_t high)
{
    return low > OPS_GAMMA2 || low < -OPS_GAMMA2 || (low == -OPS_GAMMA2 && high != 0);
}

/* The class of `a` moved by a hint of 1: to the neighbour on the side that *low points to. */
static inline int32_t ops_use_hint(int32_t a)
{
    int32_t low, high = ops_decompose(a, &low);

    return (high + (low > 0 ? 1 : OPS_CLASSES - 1)) % OPS_CLASSES;
}

#endif
