#include "canon.h"

#include <string.h>

#include "field.h"

/* The points of the chain by rows. */
typedef struct {
    trine_matrix u, v, w;
} chain;

/* The one vector, up to scale, that is sent to zero once the variable is fixed: 0, or -1 if it is not the only one. */
static int follow(trine_row *next, const trine_slices slices, const trine_row *fixed)
{
    trine_matrix matrix;

    trine_form_fix(matrix, slices, fixed);
    return trine_rank(matrix, next) == TRINE_N - 1 ? 0 : -1;
}

static int is_basis(const trine_matrix points)
{
    trine_matrix copy;
    trine_row kernel;

    memcpy(copy, points, sizeof copy);
    return trine_rank(copy, &kernel) == TRINE_N;
}

static int walk(chain *c, const trine_form *form, const trine_row *u)
{
    memset(c, 0, sizeof *c);
    c->u[0] = *u;
    for (int i = 0; i < TRINE_N; i++)
        if (follow(&c->v[i], form->x, &c->u[i]) || follow(&c->w[i], form->y, &c->v[i])
            || (i < TRINE_N - 1 && follow(&c->u[i + 1], form->z, &c->w[i])))
            return -1;
    return is_basis(c->u) && is_basis(c->v) && is_basis(c->w) ? 0 : -1;
}

static int16_t quotient(int16_t a, int16_t b)
{
    return trine_multiply(a, trine_inverse[b]);
}

#define AT(k, i, j) (flat[((k) * TRINE_N + (i)) * TRINE_N + (j)])

/* Factors of rows, columns and slices that make every anchor 1; -1 when an anchor is 0. */
static int scales(const int16_t *flat, int16_t f[TRINE_N], int16_t g[TRINE_N], int16_t h[TRINE_N])
{
    const int16_t d1 = AT(0, 0, 1), d2 = AT(4, 1, 2), d3 = AT(1, 0, 2), d4 = AT(1, 1, 0);

    if (!d1 || !d2 || !d3 || !d4)
        return -1;
    f[0] = g[1] = 1;
    h[0] = trine_inverse[d1];
    for (int i = 2; i < TRINE_N; i++) {
        if (!AT(0, i, 1) || !AT(0, 0, i) || !AT(i, 0, 1))
            return -1;
        f[i] = quotient(d1, AT(0, i, 1));
        g[i] = quotient(d1, AT(0, 0, i));
        h[i] = trine_inverse[AT(i, 0, 1)];
    }
    f[1] = trine_inverse[trine_multiply(g[2], trine_multiply(h[4], d2))];
    h[1] = trine_inverse[trine_multiply(g[2], d3)];
    g[0] = trine_inverse[trine_multiply(f[1], trine_multiply(h[1], d4))];
    return 0;
}

static int normalise(int16_t *flat)
{
    int16_t f[TRINE_N], g[TRINE_N], h[TRINE_N];

    if (scales(flat, f, g, h))
        return -1;
    for (int k = 0; k < TRINE_N; k++)
        for (int i = 0; i < TRINE_N; i++) {
            const int16_t factor = trine_multiply(h[k], f[i]);

            for (int j = 0; j < TRINE_N; j++, flat++)
                *flat = trine_multiply(*flat, trine_multiply(factor, g[j]));
        }
    return 0;
}

int trine_canonical(int16_t *flat, const trine_form *form, const trine_row *u)
{
    chain c;

    if (walk(&c, form, u))
        return -1;
    trine_form_transform(flat, form, c.u, c.v, c.w);
    return normalise(flat);
}
