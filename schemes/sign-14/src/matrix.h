/* Matrices over GF(2) with rows of n bits, a row as an element of the field. */
#ifndef LYNX_MATRIX_H
#define LYNX_MATRIX_H

#include "field.h"

/* The product of a matrix and the column x. */
void lynx_matrix_apply(fe *r, const fe m[LYNX_N], const fe *x);

/*
 * sums[r] = the sum of the g[j] over all columns j set in row r, for the first `rows` rows; with the rows of a matrix
 * for g, the product of both matrices.  `sums` overlaps neither.
 */
void lynx_matrix_sums(fe *sums, const fe *m, unsigned rows, const fe g[LYNX_N]);

/* Transposes 64 words of 64 bits: bit j of word i goes to bit i of word j. */
void lynx_transpose64(uint64_t words[64]);

#endif
