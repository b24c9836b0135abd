#include "product.h"

#include <string.h>

enum {
    BIAS = 8,
    LANES = 4,    /* values in a 64-bit word */
    WORDS = 4,
    BLOCK = LANES * WORDS
};

void ops_shifts_of(shifts *all, const poly *s)
{
    for (int i = 0; i < OPS_N; i++) {
        const uint16_t minus = (uint16_t)(BIAS - s->c[i]);

        all->c[i] = minus;
        all->c[OPS_N + i] = (uint16_t)(BIAS + s->c[i]);
        all->c[2 * OPS_N + i] = minus;
    }
}

void ops_places_of(places *p, const poly *challenge)
{
    unsigned found = 0;

    for (unsigned i = 0; i < OPS_N && found < OPS_TAU; i++)
        if (challenge->c[i])
            p->start[found++] = (unsigned short)((challenge->c[i] > 0 ? OPS_N : 2 * OPS_N) - i);
}

static uint64_t word(const uint16_t *run)
{
    uint64_t lanes;

    memcpy(&lanes, run, sizeof lanes);
    return lanes;
}

void ops_challenge_times(poly *product, const places *challenge, const shifts *s)
{
    for (unsigned from = 0; from < OPS_N; from += BLOCK) {
        uint64_t a = 0, b = 0, c = 0, d = 0;
        uint16_t sum[BLOCK];

        for (unsigned k = 0; k < OPS_TAU; k++) {
            const uint16_t *run = s->c + challenge->start[k] + from;

            a += word(run);
            b += word(run + LANES);
            c += word(run + 2 * LANES);
            d += word(run + 3 * LANES);
        }
        memcpy(sum, &a, sizeof a);
        memcpy(sum + LANES, &b, sizeof b);
        memcpy(sum + 2 * LANES, &c, sizeof c);
        memcpy(sum + 3 * LANES, &d, sizeof d);
        for (int i = 0; i < BLOCK; i++)
            product->c[from + i] = sum[i] - OPS_TAU * BIAS;
    }
}
