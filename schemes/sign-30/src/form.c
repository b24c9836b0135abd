#include "form.h"

#include <string.h>

#include "field.h"

void trine_form_load(trine_form *form, const int16_t *flat)
{
    memset(form, 0, sizeof *form);
    for (int k = 0; k < TRINE_N; k++)
        for (int i = 0; i < TRINE_N; i++)
            for (int j = 0; j < TRINE_N; j++) {
                const int16_t element = *flat++;

                form->x[k * TRINE_N + j].x[i] = element;
                form->y[i * TRINE_N + k].x[j] = element;
                form->z[j * TRINE_N + i].x[k] = element;
            }
}

void trine_form_fix(trine_matrix out, const trine_slices slices, const trine_row *vector)
{
    uint32_t sums[TRINE_N + TRINE_SPARE_ROWS];

    memset(out, 0, sizeof(trine_matrix));
    for (int r = 0; r < TRINE_N; r++) {
        trine_dots(sums, vector, slices + r * TRINE_N, TRINE_N);
        for (int c = 0; c < TRINE_N; c++)
            out[r].x[c] = trine_reduce(sums[c]);
    }
}

void trine_form_transform(int16_t *flat, const trine_form *form, const trine_matrix u, const trine_matrix v,
                          const trine_matrix w)
{
    trine_matrix fixed;
    trine_row half;
    uint32_t sums[TRINE_N + TRINE_SPARE_ROWS];

    memset(&half, 0, sizeof half);
    for (int c = 0; c < TRINE_N; c++) {
        trine_form_fix(fixed, form->z, &w[c]);
        for (int a = 0; a < TRINE_N; a++) {
            trine_dots(sums, &u[a], fixed, TRINE_N);
            for (int j = 0; j < TRINE_N; j++)
                half.x[j] = trine_reduce(sums[j]);
            trine_dots(sums, &half, v, TRINE_N);
            for (int b = 0; b < TRINE_N; b++)
                *flat++ = trine_reduce(sums[b]);
        }
    }
}
