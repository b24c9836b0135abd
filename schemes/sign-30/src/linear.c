#include "linear.h"

#include <string.h>

#include "field.h"

/* Four at a time: x is loaded once for all of them. */
static void four_dots(uint32_t sums[4], const int16_t *restrict x, const int16_t *restrict a, const int16_t *restrict b,
                      const int16_t *restrict c, const int16_t *restrict d)
{
    int32_t s0 = 0, s1 = 0, s2 = 0, s3 = 0;

    for (int i = 0; i < TRINE_WIDTH; i++) {
        s0 += (int32_t)x[i] * a[i];
        s1 += (int32_t)x[i] * b[i];
        s2 += (int32_t)x[i] * c[i];
        s3 += (int32_t)x[i] * d[i];
    }
    sums[0] = (uint32_t)s0;
    sums[1] = (uint32_t)s1;
    sums[2] = (uint32_t)s2;
    sums[3] = (uint32_t)s3;
}

void trine_dots(uint32_t *sums, const trine_row *x, const trine_row *rows, int count)
{
    for (int i = 0; i < count; i += 4)
        four_dots(sums + i, x->x, rows[i].x, rows[i + 1].x, rows[i + 2].x, rows[i + 3].x);
}

static void swap_rows(trine_row *a, trine_row *b)
{
    const trine_row t = *a;

    *a = *b;
    *b = t;
}

/* The kernel's vector out of the columns of a unit upper triangle, of which column `free` has no pivot. */
static void back_substitute(trine_row *kernel, const trine_row *columns, int free)
{
    memset(kernel, 0, sizeof *kernel);
    kernel->x[free] = 1;
    for (int t = free - 1; t >= 0; t--) {
        uint32_t sum = 0;

        for (int j = t + 1; j <= free; j++)
            sum += (uint32_t)columns[j].x[t] * (uint32_t)kernel->x[j];
        kernel->x[t] = trine_subtract(0, trine_reduce(sum));
    }
}

/*
 * LU decomposition after Crout with row exchanges: lower[i] is row i of L, upper[j] is column j of U, which has a
 * diagonal of ones.  What is not computed yet is zero in both, so that products of constant length are right.
 */
int trine_rank(trine_matrix matrix, trine_row *kernel)
{
    trine_matrix lower, upper;
    uint32_t sums[TRINE_N + TRINE_SPARE_ROWS];
    int rank = 0, free = -1;

    memset(lower, 0, sizeof lower);
    memset(upper, 0, sizeof upper);
    for (int c = 0; c < TRINE_N; c++) {
        int16_t column[TRINE_N], scale;
        int pivot = -1;

        trine_dots(sums, &upper[c], lower + rank, TRINE_N - rank);
        for (int i = TRINE_N - 1; i >= rank; i--) {
            column[i] = trine_subtract(matrix[i].x[c], trine_reduce(sums[i - rank]));
            if (column[i])
                pivot = i;
        }
        if (pivot < 0) {
            if (free >= 0)
                return 0;
            free = c;
            continue;
        }
        if (pivot != rank) {
            const int16_t t = column[pivot];

            column[pivot] = column[rank];
            column[rank] = t;
            swap_rows(&matrix[pivot], &matrix[rank]);
            swap_rows(&lower[pivot], &lower[rank]);
        }
        scale = trine_inverse[column[rank]];
        trine_dots(sums, &lower[rank], upper + c + 1, TRINE_N - c - 1);
        for (int j = c + 1; j < TRINE_N; j++)
            upper[j].x[rank] = trine_multiply(
                scale, trine_subtract(matrix[rank].x[j], trine_reduce(sums[j - c - 1])));
        for (int i = rank; i < TRINE_N; i++)
            lower[i].x[rank] = column[i];
        rank++;
    }
    if (rank == TRINE_N - 1)
        back_substitute(kernel, upper, free);
    return rank;
}

/* row -= factor * other. */
static void subtract_row(trine_row *row, const trine_row *other, int16_t factor)
{
    const uint32_t minus = TRINE_Q - (uint32_t)factor;

    for (int i = 0; i < TRINE_WIDTH; i++)
        row->x[i] = trine_reduce((uint32_t)row->x[i] + minus * (uint32_t)other->x[i]);
}

static void scale_row(trine_row *row, int16_t factor)
{
    for (int i = 0; i < TRINE_WIDTH; i++)
        row->x[i] = trine_multiply(row->x[i], factor);
}

void trine_invert(trine_matrix inverse, trine_matrix matrix)
{
    memset(inverse, 0, sizeof(trine_matrix));
    for (int i = 0; i < TRINE_N; i++)
        inverse[i].x[i] = 1;
    for (int c = 0; c < TRINE_N; c++) {
        int16_t scale;
        int pivot = c;

        while (pivot < TRINE_N - 1 && !matrix[pivot].x[c])
            pivot++;
        swap_rows(&matrix[pivot], &matrix[c]);
        swap_rows(&inverse[pivot], &inverse[c]);
        scale = trine_inverse[matrix[c].x[c]];
        scale_row(&matrix[c], scale);
        scale_row(&inverse[c], scale);
        for (int i = 0; i < TRINE_N; i++) {
            const int16_t factor = matrix[i].x[c];

            if (i == c || !factor)
                continue;
            subtract_row(&matrix[i], &matrix[c], factor);
            subtract_row(&inverse[i], &inverse[c], factor);
        }
    }
}

void trine_transpose(trine_matrix out, const trine_matrix in)
{
    memset(out, 0, sizeof(trine_matrix));
    for (int i = 0; i < TRINE_N; i++)
        for (int j = 0; j < TRINE_N; j++)
            out[i].x[j] = in[j].x[i];
}
