/*
 * Linear algebra over the field.
 *
 * Everything comes down to dot products of rows with a constant, padded length: 81 products of 24 bits fit 31 bits, so
 * a whole product is summed before its one reduction, and compilers have an instruction for sums of 16-bit products.
 */
#ifndef TRINE_LINEAR_H
#define TRINE_LINEAR_H

#include <stdint.h>

#include "params.h"

#define TRINE_WIDTH ((TRINE_N + 7) / 8 * 8)
/* Dot products are computed four rows at a time and read up to three rows too far. */
#define TRINE_SPARE_ROWS 3

typedef struct {
    int16_t x[TRINE_WIDTH]; /* n elements, then zeros */
} trine_row;
typedef trine_row trine_matrix[TRINE_N + TRINE_SPARE_ROWS]; /* n rows, then any */

/*
 * sums[i] = x * rows[i] over the integers for i below count rounded up to a multiple of 4; so many rows must be
 * readable and so many sums writable.
 */
void trine_dots(uint32_t *sums, const trine_row *x, const trine_row *rows, int count);

/*
 * Rank of the matrix, which is destroyed: n, n - 1, or 0 for everything below.  At rank n - 1, `kernel` gets a non-zero
 * vector x with matrix * x = 0.
 */
int trine_rank(trine_matrix matrix, trine_row *kernel);

/* Inverse of an invertible matrix, which is destroyed. */
void trine_invert(trine_matrix inverse, trine_matrix matrix);

/* out = transpose of in; `in` has zeros behind its columns. */
void trine_transpose(trine_matrix out, const trine_matrix in);

#endif
