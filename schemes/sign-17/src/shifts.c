#include "shifts.h"

#include <string.h>

void ops_shifts_of(shifts *s, const poly *p)
{
    for (unsigned i = 0; i < OPS_N; i++) {
        s->c[i] = -p->c[i];
        s->c[OPS_N + i] = p->c[i];
    }
}

void ops_sparse_of(sparse *s, const poly *c)
{
    unsigned next = 0;

    for (int32_t wanted = 1; wanted >= -1; wanted -= 2) {
        for (unsigned i = 0; i < OPS_N && next < OPS_TAU; i++)
            if (c->c[i] == wanted)
                s->powers[next++] = (unsigned short)i;
        if (wanted == 1)
            s->positive = next;
    }
}

static void add(int32_t *restrict sum, const int32_t *restrict window)
{
    for (unsigned i = 0; i < OPS_N; i++)
        sum[i] += window[i];
}

static void subtract(int32_t *restrict sum, const int32_t *restrict window)
{
    for (unsigned i = 0; i < OPS_N; i++)
        sum[i] -= window[i];
}

void ops_shifts_multiply(poly *product, const sparse *c, const shifts *p)
{
    memset(product, 0, sizeof *product);
    for (unsigned i = 0; i < c->positive; i++)
        add(product->c, p->c + OPS_N - c->powers[i]);
    for (unsigned i = c->positive; i < OPS_TAU; i++)
        subtract(product->c, p->c + OPS_N - c->powers[i]);
}
