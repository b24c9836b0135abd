/* Trilinear forms phi(x, y, z) = sum of M[k][i][j] x_i y_j z_k over n by n by n elements. */
#ifndef TRINE_FORM_H
#define TRINE_FORM_H

#include "linear.h"

typedef trine_row trine_slices[TRINE_N * TRINE_N + TRINE_SPARE_ROWS];

/* One form in three orders: whichever variable is fixed, its coefficients are next to each other. */
typedef struct {
    trine_slices x; /* [k][j], over i: with x fixed, rows k and columns j */
    trine_slices y; /* [i][k], over j: with y fixed, rows i and columns k */
    trine_slices z; /* [j][i], over k: with z fixed, rows j and columns i */
} trine_form;

/* The form of n^3 elements in flat order k, i, j. */
void trine_form_load(trine_form *form, const int16_t *flat);

/* The matrix that is left when `vector` takes the place of the variable whose order `slices` is. */
void trine_form_fix(trine_matrix out, const trine_slices slices, const trine_row *vector);

/* flat[c][a][b] = phi(u_a, v_b, w_c), the vectors being the rows of u, v and w. */
void trine_form_transform(int16_t *flat, const trine_form *form, const trine_matrix u, const trine_matrix v,
                          const trine_matrix w);

#endif
