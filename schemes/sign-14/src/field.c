/* Carry-less multiplication out of integer multiplication, Karatsuba on top, reduction by the level's pentanomial. */
#include "field.h"

#include <string.h>

#include "bytes.h"

__extension__ typedef unsigned __int128 wide;

void lynx_fe_load(fe *r, const unsigned char bytes[LYNX_BYTES])
{
    unsigned char padded[8 * LYNX_WORDS] = {0};

    memcpy(padded, bytes, LYNX_BYTES);
    for (int i = 0; i < LYNX_WORDS; i++)
        r->w[i] = lynx_load64(padded + 8 * i);
}

void lynx_fe_store(unsigned char bytes[LYNX_BYTES], const fe *a)
{
    unsigned char padded[8 * LYNX_WORDS];

    for (int i = 0; i < LYNX_WORDS; i++)
        lynx_store64(padded + 8 * i, a->w[i]);
    memcpy(bytes, padded, LYNX_BYTES);
}

/*
 * Bits are split by their position modulo 5.  A product of two parts sums at most 13 ones in every fifth place, which
 * four zeros above it keep from its neighbour; the lowest bit of each sum is the carry-less product's.
 */
static void mul1(uint64_t r[2], const uint64_t *a, const uint64_t *b)
{
    const uint64_t every5th = UINT64_C(0x1084210842108421);
    uint64_t x[5], y[5], lo = 0, hi = 0;

    for (int i = 0; i < 5; i++) {
        x[i] = a[0] & every5th << i;
        y[i] = b[0] & every5th << i;
    }
    for (int i = 0; i < 5; i++) {
        wide sum = 0;

        for (int j = 0; j < 5; j++)
            sum ^= (wide)x[j] * y[(i + 5 - j) % 5];
        lo |= (uint64_t)sum & every5th << i;
        hi |= (uint64_t)(sum >> 64) & every5th << (i + 1) % 5; /* 64 + k = i modulo 5 means k = i + 1 */
    }
    r[0] = lo;
    r[1] = hi;
}

/* The product of `2 * half` words by Karatsuba out of three of `half` words. */
#define KARATSUBA(name, half_name, half)                                           \
    static void name(uint64_t *r, const uint64_t *a, const uint64_t *b)            \
    {                                                                              \
        uint64_t sa[half], sb[half], middle[2 * (half)];                           \
                                                                                   \
        for (int i = 0; i < (half); i++) {                                         \
            sa[i] = a[i] ^ a[(half) + i];                                          \
            sb[i] = b[i] ^ b[(half) + i];                                          \
        }                                                                          \
        half_name(r, a, b);                                                        \
        half_name(r + 2 * (half), a + (half), b + (half));                         \
        half_name(middle, sa, sb);                                                 \
        for (int i = 0; i < 2 * (half); i++)                                       \
            middle[i] ^= r[i] ^ r[2 * (half) + i];                                 \
        for (int i = 0; i < 2 * (half); i++)                                       \
            r[(half) + i] ^= middle[i];                                            \
    }

#if LYNX_WORDS == 3 || LYNX_WORDS == 6
static void mul3(uint64_t *r, const uint64_t *a, const uint64_t *b)
{
    uint64_t square[3][2], cross[2];

    memset(r, 0, 6 * sizeof *r);
    for (int i = 0; i < 3; i++) {
        mul1(square[i], a + i, b + i);
        r[2 * i] ^= square[i][0];
        r[2 * i + 1] ^= square[i][1];
    }
    for (int i = 0; i < 3; i++) {
        for (int j = i + 1; j < 3; j++) {
            const uint64_t sa = a[i] ^ a[j], sb = b[i] ^ b[j];

            mul1(cross, &sa, &sb);
            r[i + j] ^= cross[0] ^ square[i][0] ^ square[j][0];
            r[i + j + 1] ^= cross[1] ^ square[i][1] ^ square[j][1];
        }
    }
}
#else
KARATSUBA(mul2, mul1, 1)
KARATSUBA(mul4, mul2, 2)
#endif

#if LYNX_WORDS == 3
#define multiply mul3
#elif LYNX_WORDS == 4
#define multiply mul4
#elif LYNX_WORDS == 6
KARATSUBA(mul6, mul3, 3)
#define multiply mul6
#else
KARATSUBA(mul8, mul4, 4)
#define multiply mul8
#endif

/* The exponents of the modulus X^n + X^P3 + X^P2 + X^P1 + 1. */
#if LYNX_LEVEL == 160
#define P1 2
#define P2 3
#define P3 5
#elif LYNX_LEVEL == 256
#define P1 2
#define P2 5
#define P3 10
#elif LYNX_LEVEL == 384
#define P1 6
#define P2 15
#define P3 16
#else
#define P1 2
#define P2 5
#define P3 8
#endif

/* Adds t * (X^P3 + X^P2 + X^P1 + 1) * X^shift to two words; shift + P3 < 64. */
static void fold(uint64_t *lo, uint64_t *hi, uint64_t t, int shift)
{
    const uint64_t above = t >> (64 - P1) ^ t >> (64 - P2) ^ t >> (64 - P3);
    const uint64_t here = t ^ t << P1 ^ t << P2 ^ t << P3;

    *lo ^= here << shift;
    *hi ^= above << shift;
    if (shift)
        *hi ^= here >> (64 - shift);
}

static void reduce(fe *r, uint64_t p[2 * LYNX_WORDS])
{
    for (int i = 2 * LYNX_WORDS - 1; i >= LYNX_WORDS; i--)
        fold(&p[i - LYNX_WORDS], &p[i - LYNX_WORDS + 1], p[i], 64 * LYNX_WORDS - LYNX_N);
#if LYNX_N % 64
    /* The top word is used in part. */
    {
        const uint64_t t = p[LYNX_WORDS - 1] >> LYNX_N % 64;

        p[LYNX_WORDS - 1] &= (UINT64_C(1) << LYNX_N % 64) - 1;
        fold(&p[0], &p[1], t, 0);
    }
#endif
    memcpy(r->w, p, sizeof r->w);
}

void lynx_fe_mul(fe *r, const fe *a, const fe *b)
{
    uint64_t p[2 * LYNX_WORDS];

    multiply(p, a->w, b->w);
    reduce(r, p);
}

void lynx_fe_mul_add(fe *r, const fe *a, const fe *b)
{
    fe product;

    lynx_fe_mul(&product, a, b);
    lynx_fe_add(r, r, &product);
}

void lynx_fe_mul64(fe *r, const fe *a, uint64_t b)
{
    uint64_t p[2 * LYNX_WORDS] = {0}, part[2];

    for (int i = 0; i < LYNX_WORDS; i++) {
        mul1(part, &a->w[i], &b);
        p[i] ^= part[0];
        p[i + 1] ^= part[1];
    }
    reduce(r, p);
}

void lynx_fe_mul_x(fe *r, const fe *a)
{
    const uint64_t carry = 0 - (a->w[LYNX_WORDS - 1] >> (LYNX_N - 1) % 64 & 1);
    uint64_t low = 0;

    for (int i = 0; i < LYNX_WORDS; i++) {
        const uint64_t word = a->w[i];

        r->w[i] = word << 1 | low;
        low = word >> 63;
    }
#if LYNX_N % 64
    r->w[LYNX_WORDS - 1] &= (UINT64_C(1) << LYNX_N % 64) - 1;
#endif
    r->w[0] ^= carry & (UINT64_C(1) ^ UINT64_C(1) << P1 ^ UINT64_C(1) << P2 ^ UINT64_C(1) << P3);
}

/* The bits of x with a zero above each. */
static uint64_t spread(uint64_t x)
{
    x = (x | x << 16) & UINT64_C(0x0000ffff0000ffff);
    x = (x | x << 8) & UINT64_C(0x00ff00ff00ff00ff);
    x = (x | x << 4) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    x = (x | x << 2) & UINT64_C(0x3333333333333333);
    return (x | x << 1) & UINT64_C(0x5555555555555555);
}

void lynx_fe_frobenius(fe *r, const fe *a, unsigned e)
{
    uint64_t p[2 * LYNX_WORDS];

    *r = *a;
    while (e-- > 0) {
        for (int i = 0; i < LYNX_WORDS; i++) {
            p[2 * i] = spread(r->w[i] & UINT32_MAX);
            p[2 * i + 1] = spread(r->w[i] >> 32);
        }
        reduce(r, p);
    }
}

void lynx_fe_power(fe *r, const fe *a, const uint64_t exponent[LYNX_WORDS])
{
    fe base = *a, power = {{1}};

    for (int i = LYNX_N - 1; i >= 0; i--) {
        lynx_fe_frobenius(&power, &power, 1);
        if (exponent[i / 64] >> i % 64 & 1)
            lynx_fe_mul(&power, &power, &base);
    }
    *r = power;
}

void lynx_fe_invert(fe *r, const fe *a)
{
    uint64_t exponent[LYNX_WORDS];

    memset(exponent, 0xff, sizeof exponent);
    exponent[0] -= 1;
    lynx_fe_power(r, a, exponent);
}

uint64_t lynx_gf64_mul(uint64_t a, uint64_t b)
{
    uint64_t p[2], t;

    mul1(p, &a, &b);
    t = p[1] ^ p[1] >> 63 ^ p[1] >> 61 ^ p[1] >> 60; /* what overflows again is below X^4: folded with the rest */
    return p[0] ^ t ^ t << 1 ^ t << 3 ^ t << 4;
}
