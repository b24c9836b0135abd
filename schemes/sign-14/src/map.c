#include "map.h"

#include <string.h>

#include "bytes.h"
#include "matrix.h"
#include "xof.h"

#if LYNX_LEVEL == 160
#define FIXED_MATRIX "fixed_160.h"
#define CONSTANTS 2
/* 2^160 - 2 */
static const uint64_t e1[LYNX_WORDS] = {UINT64_C(0xfffffffffffffffe), UINT64_C(0xffffffffffffffff), 0xffffffff};
/* 2^67 - 1 */
static const uint64_t e2[LYNX_WORDS] = {UINT64_C(0xffffffffffffffff), 7};
#elif LYNX_LEVEL == 256
#define FIXED_MATRIX "fixed_256.h"
#define CONSTANTS 3
/* 1 / (2^5 - 1) modulo 2^256 - 1 */
static const uint64_t e1[LYNX_WORDS] = {UINT64_C(0xdef7bdef7bdef7bd), UINT64_C(0xbdef7bdef7bdef7b),
                                        UINT64_C(0x7bdef7bdef7bdef7), UINT64_C(0xf7bdef7bdef7bdef)};
/* 2^53 - 1 */
static const uint64_t e2[LYNX_WORDS] = {UINT64_C(0x1fffffffffffff)};
#elif LYNX_LEVEL == 384
#define FIXED_MATRIX "fixed_384.h"
#define CONSTANTS 3
/* 1 / (2^13 - 1) modulo 2^384 - 1 */
static const uint64_t e1[LYNX_WORDS] = {UINT64_C(0xf7dfbefdf7efbf7d), UINT64_C(0xefbf7dfbefdf7efb),
                                        UINT64_C(0xdf7efbf7dfbefdf7), UINT64_C(0xbefdf7efbf7dfbef),
                                        UINT64_C(0x7dfbefdf7efbf7df), UINT64_C(0xfbf7dfbefdf7efbf)};
/* 2^60 - 2^30 + 1 */
static const uint64_t e2[LYNX_WORDS] = {UINT64_C(0x0fffffffc0000001)};
#else
#define FIXED_MATRIX "fixed_512.h"
#define CONSTANTS 3
/* 1 / (2^12 - 2^6 + 1) modulo 2^512 - 1 */
static const uint64_t e1[LYNX_WORDS] = {UINT64_C(0xc9898d9d9c9898d9), UINT64_C(0x898d9d9c9898d9d9),
                                        UINT64_C(0x8d9d9c9898d9d9c9), UINT64_C(0x9d9c9898d9d9c989),
                                        UINT64_C(0x9c9898d9d9c9898d), UINT64_C(0x9898d9d9c9898d9d),
                                        UINT64_C(0x98d9d9c9898d9d9c), UINT64_C(0xd9d9c9898d9d9c98)};
/* 2^180 - 2^90 + 1 */
static const uint64_t e2[LYNX_WORDS] = {1, UINT64_C(0xfffffffffc000000), UINT64_C(0x000fffffffffffff)};
#endif

const fe lynx_l3[LYNX_N] = {
#include FIXED_MATRIX
};

#define MATRIX_BYTES (8 * LYNX_N * (LYNX_WORDS + 1)) /* of the stream, for one matrix */
#define PIECE_BYTES 256
#define SLOTS 8 /* words of a row in the product that is cut anew */

/* The words that are read for a row of a triangle, `first` <= i < `end`, with bit `row` set and bits under `keep` read. */
static void triangle_row(fe *r, const unsigned char *words, int first, int end, int row, int above)
{
    memset(r, 0, sizeof *r);
    for (int i = first; i < end; i++, words += 8)
        r->w[i] = lynx_load64(words);
    {
        const uint64_t below = (UINT64_C(1) << row % 64) - 1, diagonal = UINT64_C(1) << row % 64;

        r->w[row / 64] = (r->w[row / 64] & (above ? ~(below | diagonal) : below)) | diagonal;
    }
#if LYNX_N % 64
    r->w[LYNX_WORDS - 1] &= (UINT64_C(1) << LYNX_N % 64) - 1;
#endif
}

/*
 * A matrix out of its part of the stream: the product of an upper and a lower triangle, whose rows of SLOTS words, the
 * unused ones zero, are then cut into rows of LYNX_WORDS.  The cut comes from the submitted code; for n = 512 it
 * changes nothing, for the others it leaves the first rows only and no bijection.
 */
static void select_matrix(fe m[LYNX_N], const unsigned char *stream)
{
    enum { ROWS = LYNX_N * LYNX_WORDS / SLOTS };
    fe upper[LYNX_N], lower[LYNX_N], product[ROWS];

    for (int r = 0; r < LYNX_N; stream += 8 * (r / 64 + 1), r++)
        triangle_row(&lower[r], stream, 0, r / 64 + 1, r, 0);
    for (int r = 0; r < LYNX_N; stream += 8 * (LYNX_WORDS - r / 64), r++)
        triangle_row(&upper[r], stream, r / 64, LYNX_WORDS, r, 1);
    lynx_matrix_sums(product, upper, ROWS, lower);
    for (int i = 0; i < LYNX_N * LYNX_WORDS; i++)
        m[i / LYNX_WORDS].w[i % LYNX_WORDS] = i % SLOTS < LYNX_WORDS ? product[i / SLOTS].w[i % SLOTS] : 0;
#if LYNX_N % 64
    for (int r = 0; r < LYNX_N; r++)
        m[r].w[LYNX_WORDS - 1] &= (UINT64_C(1) << LYNX_N % 64) - 1;
#endif
}

void lynx_map_select(lynx_map *map, const unsigned char iv[LYNX_BYTES])
{
    static const char label[] = "LYNX-SAMPLEMATVEC-v1";
    enum { LABEL = sizeof label - 1 };
    unsigned char seed[LABEL + 4 + LYNX_BYTES], stream[3 * MATRIX_BYTES + CONSTANTS * LYNX_BYTES];
    const unsigned char *constants = stream + 3 * MATRIX_BYTES;

    memcpy(seed, label, LABEL);
    seed[LABEL] = LYNX_N & 0xff;
    seed[LABEL + 1] = LYNX_N >> 8;
    seed[LABEL + 2] = LYNX_BYTES;
    seed[LABEL + 3] = 0;
    memcpy(seed + LABEL + 4, iv, LYNX_BYTES);
    lynx_xof_pieces(stream, 3 * MATRIX_BYTES / PIECE_BYTES, PIECE_BYTES, CONSTANTS, LYNX_BYTES, seed, sizeof seed);

    select_matrix(map->l0, stream);
    select_matrix(map->l1, stream + MATRIX_BYTES);
    select_matrix(map->l2, stream + 2 * MATRIX_BYTES);
    lynx_fe_load(&map->c1, constants);
#if LYNX_LEVEL == 160
    map->c2 = map->c1; /* as in the submitted code; what is drawn for c2 is not used */
#else
    lynx_fe_load(&map->c2, constants + LYNX_BYTES);
    lynx_fe_load(&map->c3, constants + 2 * LYNX_BYTES);
#endif
}

void lynx_map_evaluate(lynx_values *v, const lynx_map *map, const fe *k)
{
    fe sum;

    lynx_fe_add(&v->z, k, &map->c1);
    lynx_fe_power(&v->v1, &v->z, e1);
    lynx_matrix_apply(&v->x, map->l0, k);
    lynx_fe_add(&v->x, &v->x, &map->c2);
    lynx_fe_power(&v->v2, &v->x, e2);

    lynx_fe_add(&sum, k, &v->v1);
    lynx_fe_add(&sum, &sum, &v->v2);
    lynx_matrix_apply(&v->l1, map->l1, &v->v1);
    lynx_matrix_apply(&v->l2, map->l2, &v->v2);
    lynx_matrix_apply(&v->l3, lynx_l3, &sum);
    lynx_fe_mul(&v->t, &v->l1, &v->l2);
#if LYNX_LEVEL > 160
    lynx_fe_add(&sum, k, &map->c3);
    lynx_fe_invert(&sum, &sum);
    lynx_fe_mul(&v->t, &v->t, &sum);
#endif
    lynx_fe_add(&v->t, &v->t, &v->l3);
}
