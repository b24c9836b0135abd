#include "uhash.h"

#include <string.h>

#include "bytes.h"

void lynx_hash_column(unsigned char out[LYNX_UHASH_BYTES], const unsigned char challenge[LYNX_CHALLENGE1_BYTES],
                      const unsigned char *column)
{
    const uint64_t point = lynx_load64(challenge + 5 * LYNX_BYTES);
    unsigned char check[LYNX_BYTES];
    fe r[4], s, x, h0 = {{0}}, high, low;
    uint64_t h1 = 0;

    for (int i = 0; i < 4; i++)
        lynx_fe_load(&r[i], challenge + i * LYNX_BYTES);
    lynx_fe_load(&s, challenge + 4 * LYNX_BYTES);

    for (int i = 0; i < 4; i++) {
        lynx_fe_mul(&h0, &h0, &s);
        lynx_fe_load(&x, column + i * LYNX_BYTES);
        lynx_fe_add(&h0, &h0, &x);
    }
    for (int i = 0; i < LYNX_N / 16; i++)
        h1 = lynx_gf64_mul(h1, point) ^ lynx_load64(column + 8 * i);

    lynx_fe_mul64(&high, &r[1], h1);
    lynx_fe_mul_add(&high, &r[0], &h0);
    lynx_fe_mul64(&low, &r[3], h1);
    lynx_fe_mul_add(&low, &r[2], &h0);
    lynx_fe_store(out, &high);
    lynx_fe_store(check, &low);
    memcpy(out + LYNX_BYTES, check, 2);
    lynx_xor(out, column + LYNX_COLUMN_BYTES - LYNX_UHASH_BYTES, LYNX_UHASH_BYTES);
}

void lynx_hash_triple(fe *out, const unsigned char challenge[LYNX_CHALLENGE2_BYTES], const fe z[3], const fe *mask)
{
    const uint64_t point = lynx_load64(challenge + 3 * LYNX_BYTES);
    fe r0, r1, s, g0 = z[0], g1 = z[0], sum = *mask;

    lynx_fe_load(&r0, challenge);
    lynx_fe_load(&r1, challenge + LYNX_BYTES);
    lynx_fe_load(&s, challenge + 2 * LYNX_BYTES);
    for (int i = 1; i < 3; i++) {
        lynx_fe_mul(&g0, &g0, &s);
        lynx_fe_add(&g0, &g0, &z[i]);
        lynx_fe_mul64(&g1, &g1, point);
        lynx_fe_add(&g1, &g1, &z[i]);
    }
    lynx_fe_mul_add(&sum, &r0, &g0);
    lynx_fe_mul_add(&sum, &r1, &g1);
    *out = sum;
}
