/*
 * A vector a has a canonical form only if the form with x = a fixed is singular, one vector in 4093.  Many vectors are
 * looked at together, one a lane: their matrices are decomposed without exchanging rows, and only a lane that meets a
 * zero pivot, as every singular one does, is examined exactly.  Vectors behind the accepted one do no harm, as nothing
 * else is read from the stream.
 */
#include "search.h"

#include <string.h>

#include "canon.h"
#include "field.h"
#include "sample.h"

enum {
    LANES = 16
};

/* A multiple of q above n (q - 1)^2, to subtract sums of products from. */
#define ABOVE_SUMS ((uint32_t)TRINE_Q * 4093u * TRINE_N)

typedef struct {
    int16_t x[LANES];
} lanes;

/*
 * The next vectors of the stream: as many as the bytes computed hold, but at least one.  -1 when the stream ends.
 * Taking no more keeps the requests to the helper those of a search one by one.
 */
static int next_vectors(trine_row vectors[LANES], trine_stream *s)
{
    int count = 0;

    while (count < LANES) {
        const size_t start = s->position;

        for (int i = 0; i < TRINE_N; i++) {
            int element;

            if (count > 0 && trine_stream_ready(s) < 2) {
                s->position = start;
                return count;
            }
            element = trine_sample_element(s);
            if (element < 0)
                return -1;
            vectors[count].x[i] = (int16_t)element;
        }
        count++;
    }
    return count;
}

/* sums[l] -= the product of lane l for `count` pairs left[k], top[k n]; inlined with a constant `count`. */
static inline void subtract_some(uint32_t sums[LANES], const lanes *restrict left, const lanes *restrict top, int count)
{
    for (int l = 0; l < LANES; l++) {
        int32_t sum = 0;

        for (int k = 0; k < count; k++)
            sum += (int32_t)left[k].x[l] * top[k * TRINE_N].x[l];
        sums[l] -= (uint32_t)sum;
    }
}

/* entry -= sum of left[k] * top[k n] for k < count, lane by lane. */
static void subtract_products(int16_t *restrict entry, const lanes *restrict left, const lanes *restrict top, int count)
{
    uint32_t sums[LANES];
    int k = 0;

    for (int l = 0; l < LANES; l++)
        sums[l] = ABOVE_SUMS + (uint32_t)entry[l];
    /* Several at a time, as compilers keep the sums in memory between the steps. */
    for (; k + 4 <= count; k += 4)
        subtract_some(sums, left + k, top + k * TRINE_N, 4);
    for (; k < count; k++)
        subtract_some(sums, left + k, top + k * TRINE_N, 1);
    for (int l = 0; l < LANES; l++)
        entry[l] = trine_reduce(sums[l]);
}

/* Marks the lanes whose matrix has a leading minor that is 0, among them all singular ones. */
static void find_zero_pivots(unsigned char suspect[LANES], lanes *m)
{
    memset(suspect, 0, LANES);
    for (int t = 0; t < TRINE_N; t++) {
        lanes scale;

        for (int i = t; i < TRINE_N; i++)
            subtract_products(m[i * TRINE_N + t].x, m + i * TRINE_N, m + t, t);
        for (int l = 0; l < LANES; l++) {
            const int16_t pivot = m[t * TRINE_N + t].x[l];

            suspect[l] |= pivot == 0;
            scale.x[l] = trine_inverse[pivot];
        }
        for (int j = t + 1; j < TRINE_N; j++) {
            int16_t *entry = m[t * TRINE_N + j].x;

            subtract_products(entry, m + t * TRINE_N, m + j, t);
            for (int l = 0; l < LANES; l++)
                entry[l] = trine_multiply(entry[l], scale.x[l]);
        }
    }
}

int trine_search(trine_row *vector, int16_t *flat, const trine_form *base, trine_stream *s)
{
    static lanes matrices[TRINE_N * TRINE_N];
    trine_row vectors[LANES];
    unsigned char suspect[LANES];
    uint32_t sums[LANES];
    int count;

    memset(vectors, 0, sizeof vectors);
    while ((count = next_vectors(vectors, s)) > 0) {
        for (int r = 0; r < TRINE_N * TRINE_N; r++) {
            trine_dots(sums, &base->x[r], vectors, LANES);
            for (int l = 0; l < LANES; l++)
                matrices[r].x[l] = trine_reduce(sums[l]);
        }
        find_zero_pivots(suspect, matrices);
        for (int l = 0; l < count; l++)
            if (suspect[l] && trine_canonical(flat, base, &vectors[l]) == 0) {
                *vector = vectors[l];
                return 0;
            }
    }
    return -1;
}
