/*
 * Transform by butterflies, two layers in one pass over memory.
 *
 * Multiplication modulo q is Plantard's (signed form of Huang et al., 2022).  Let p be a * q^-1 modulo 2^64 as a signed
 * number and p1 its upper word.  For |a| <= 31 * 2^32 * q, about 1984 q^2, (p1 + 32) * q / 2^32 rounded down is exactly
 * (p * q - a) / 2^64: congruent to -a / 2^64, and in [-(q - 1) / 2, (q - 1) / 2].  The constant factors (zetas.h) hold
 * -2^64, so that a product with one of them is the plain product.
 *
 * Right shifts of negative numbers keep the sign and conversions to signed types wrap, as gcc and clang define them.
 */
#include "ntt.h"

#include "zetas.h"

#define Q_INVERSE 0x1004ff8ffd001001u /* q^-1 modulo 2^64 */

/* (-2^64)^2 / N modulo q: undoes the N of the transforms and the factor of one product. */
#if OPS_N == 512
#define INVERSE_SCALE 18851332
#else
#define INVERSE_SCALE 9425666
#endif

/* -a / 2^64 modulo q, centred, from a * q^-1 modulo 2^64. */
static inline int32_t reduce(uint64_t a_over_q)
{
    return (int32_t)((((int64_t)a_over_q >> 32) + 32) * OPS_Q >> 32);
}

/* A constant factor, prepared for multiply(). */
static inline uint64_t prepare(int32_t factor)
{
    return (uint64_t)(int64_t)factor * Q_INVERSE;
}

static inline int32_t multiply(uint64_t prepared, int32_t a)
{
    return reduce(prepared * (uint64_t)(int64_t)a);
}

/* a modulo q in [-q/2 - 2^17, q/2 + 2^17], because 2^26 is 2^12 - 1 there; |a| < 2^30. */
static inline int32_t shorten(int32_t a)
{
    return a - ((a + (1 << 25)) >> 26) * OPS_Q;
}

static inline void butterfly(int32_t *u, int32_t *v, uint64_t zeta)
{
    const int32_t t = multiply(zeta, *v);

    *v = *u - t;
    *u += t;
}

/* The layers that join `blocks` and 2 * `blocks` blocks; each layer adds less than q / 2 to the range. */
static void two_layers(int32_t *a, unsigned blocks)
{
    const unsigned quarter = OPS_N / blocks / 4;

    for (unsigned b = 0; b < blocks; b++, a += 4 * quarter) {
        const uint64_t whole = prepare(zetas[blocks + b]);
        const uint64_t left = prepare(zetas[2 * (blocks + b)]), right = prepare(zetas[2 * (blocks + b) + 1]);

        for (unsigned j = 0; j < quarter; j++) {
            int32_t x0 = a[j], x1 = a[j + quarter], x2 = a[j + 2 * quarter], x3 = a[j + 3 * quarter];

            butterfly(&x0, &x2, whole);
            butterfly(&x1, &x3, whole);
            butterfly(&x0, &x1, left);
            butterfly(&x2, &x3, right);
            a[j] = x0;
            a[j + quarter] = x1;
            a[j + 2 * quarter] = x2;
            a[j + 3 * quarter] = x3;
        }
    }
}

void ops_ntt(poly *p)
{
    unsigned blocks = 1;

#if OPS_N == 512 /* an odd number of layers */
    const uint64_t zeta = prepare(zetas[1]);

    for (unsigned j = 0; j < OPS_N / 2; j++)
        butterfly(&p->c[j], &p->c[j + OPS_N / 2], zeta);
    blocks = 2;
#endif
    for (; blocks < OPS_N; blocks *= 4)
        two_layers(p->c, blocks);
}

/* The inverse of two_layers() but for a factor 4; keeps the range [-q, q]: only x0 is a sum of four. */
static void two_layers_back(int32_t *a, unsigned blocks)
{
    const unsigned quarter = OPS_N / blocks / 4;

    for (unsigned b = 0; b < blocks; b++, a += 4 * quarter) {
        /* r^brv(k) of the mirrored block is minus the inverse of this block's. */
        const unsigned k = 2 * blocks - 1 - b;
        const uint64_t whole = prepare(zetas[k]), left = prepare(zetas[2 * k + 1]), right = prepare(zetas[2 * k]);

        for (unsigned j = 0; j < quarter; j++) {
            const int32_t x0 = a[j], x1 = a[j + quarter], x2 = a[j + 2 * quarter], x3 = a[j + 3 * quarter];
            const int32_t sum01 = x0 + x1, sum23 = x2 + x3;
            const int32_t difference01 = multiply(left, x1 - x0), difference23 = multiply(right, x3 - x2);

            a[j] = shorten(sum01 + sum23);
            a[j + quarter] = difference01 + difference23;
            a[j + 2 * quarter] = multiply(whole, sum23 - sum01);
            a[j + 3 * quarter] = multiply(whole, difference23 - difference01);
        }
    }
}

void ops_ntt_inverse(poly *p)
{
    const uint64_t scale = prepare(INVERSE_SCALE);
    unsigned blocks = OPS_N / 4;

    for (; blocks >= 1; blocks /= 4)
        two_layers_back(p->c, blocks);
#if OPS_N == 512
    const uint64_t zeta = prepare(zetas[1]);

    for (unsigned j = 0; j < OPS_N / 2; j++) {
        const int32_t u = p->c[j], v = p->c[j + OPS_N / 2];

        p->c[j] = u + v;
        p->c[j + OPS_N / 2] = multiply(zeta, v - u);
    }
#endif
    for (unsigned j = 0; j < OPS_N; j++)
        p->c[j] = multiply(scale, p->c[j]);
}

void ops_ntt_multiply(poly *product, const poly *a, const poly *b)
{
    for (unsigned j = 0; j < OPS_N; j++)
        product->c[j] = reduce((uint64_t)((int64_t)a->c[j] * b->c[j]) * Q_INVERSE);
}

void ops_ntt_multiply_row(poly *sum, const poly row[OPS_L], const poly v[OPS_L])
{
    for (unsigned j = 0; j < OPS_N; j++) {
        int64_t total = 0;

        for (unsigned i = 0; i < OPS_L; i++)
            total += (int64_t)row[i].c[j] * v[i].c[j];
        sum->c[j] = reduce((uint64_t)total * Q_INVERSE);
    }
}
