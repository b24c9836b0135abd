#include "poly.h"

void ops_poly_add(poly *sum, const poly *addend)
{
    for (int i = 0; i < OPS_N; i++)
        sum->c[i] += addend->c[i];
}

void ops_poly_sub(poly *difference, const poly *subtrahend)
{
    for (int i = 0; i < OPS_N; i++)
        difference->c[i] -= subtrahend->c[i];
}

void ops_poly_canonical(poly *p)
{
    for (int i = 0; i < OPS_N; i++)
        p->c[i] += OPS_Q & (p->c[i] >> 31);
}

int ops_poly_exceeds(const poly *p, int32_t bound)
{
    int32_t below_zero = 0;

    for (int i = 0; i < OPS_N; i++)
        below_zero |= (bound - 1 - p->c[i]) | (bound - 1 + p->c[i]);
    return below_zero < 0;
}
