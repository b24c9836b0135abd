#include "prove.h"

#include "matrix.h"

/* The powers of 2 in the relations of degree 2 that the power maps become. */
#if LYNX_LEVEL == 160
#define X_FROBENIUS 67 /* x^(2^67) = v2 x */
#elif LYNX_LEVEL == 256
#define Z_FROBENIUS 5  /* v1^(2^5) = z v1 */
#define X_FROBENIUS 53 /* x^(2^53) x = x^(2^1) v2 */
#define X_FROBENIUS_BY 1
#elif LYNX_LEVEL == 384
#define Z_FROBENIUS 13
#define X_FROBENIUS 60
#define X_FROBENIUS_BY 30
#else
#define Z_FROBENIUS_BY 6 /* v1^(2^6) z = v1^(2^12) v1 */
#define Z_FROBENIUS 12
#define X_FROBENIUS 180
#define X_FROBENIUS_BY 90
#endif

/* Tags of elements that the witness determines; of L0 k without the constant. */
typedef struct {
    fe k, v1, v2, x;
    fe l1, l2, l3;
    fe xp; /* of x^(2^X_FROBENIUS) */
#if LYNX_LEVEL > 160
    fe xq; /* of x^(2^X_FROBENIUS_BY) */
    fe vp; /* of v1^(2^Z_FROBENIUS) */
#endif
#if LYNX_LEVEL == 512
    fe vq; /* of v1^(2^Z_FROBENIUS_BY) */
#endif
} tags;

void lynx_element_tag(fe *r, const fe *rows)
{
    fe sum = {{0}};

    for (int i = LYNX_N - 1; i >= 0; i--) {
        lynx_fe_mul_x(&sum, &sum);
        lynx_fe_add(&sum, &sum, &rows[i]);
    }
    *r = sum;
}

/* The tag of the element to the power 2^e: the sum of rows[i] * (X^i)^(2^e). */
static void frobenius_tag(fe *r, const fe *rows, unsigned e)
{
    fe sum = {{0}}, point = {{2}};

    lynx_fe_frobenius(&point, &point, e);
    for (int i = LYNX_N - 1; i >= 0; i--) {
        lynx_fe_mul(&sum, &sum, &point);
        lynx_fe_add(&sum, &sum, &rows[i]);
    }
    *r = sum;
}

static void find_tags(tags *g, const lynx_map *map, const fe rows[3 * LYNX_N])
{
    const fe *const k = rows, *const v1 = rows + LYNX_N, *const v2 = rows + 2 * LYNX_N;
    fe image[LYNX_N], sum[LYNX_N];

    lynx_element_tag(&g->k, k);
    lynx_element_tag(&g->v1, v1);
    lynx_element_tag(&g->v2, v2);
    lynx_matrix_sums(image, map->l0, LYNX_N, k);
    lynx_element_tag(&g->x, image);
    frobenius_tag(&g->xp, image, X_FROBENIUS);
#if LYNX_LEVEL > 160
    frobenius_tag(&g->xq, image, X_FROBENIUS_BY);
    frobenius_tag(&g->vp, v1, Z_FROBENIUS);
#endif
#if LYNX_LEVEL == 512
    frobenius_tag(&g->vq, v1, Z_FROBENIUS_BY);
#endif
    lynx_matrix_sums(image, map->l1, LYNX_N, v1);
    lynx_element_tag(&g->l1, image);
    lynx_matrix_sums(image, map->l2, LYNX_N, v2);
    lynx_element_tag(&g->l2, image);
    for (int i = 0; i < LYNX_N; i++) {
        lynx_fe_add(&sum[i], &k[i], &v1[i]);
        lynx_fe_add(&sum[i], &sum[i], &v2[i]);
    }
    lynx_matrix_sums(image, lynx_l3, LYNX_N, sum);
    lynx_element_tag(&g->l3, image);
}

/* (a + tag delta) (b + tag delta): adds the product of both tags to a0 and the mixed products to a1. */
static void add_product(fe *a0, fe *a1, const fe *a, const fe *a_tag, const fe *b, const fe *b_tag)
{
    lynx_fe_mul_add(a0, a_tag, b_tag);
    lynx_fe_mul_add(a1, a, b_tag);
    lynx_fe_mul_add(a1, b, a_tag);
}

void lynx_prove(fe a0[3], fe a1[3], const lynx_map *map, const lynx_values *v, const fe *k,
                const fe rows[3 * LYNX_N])
{
    tags g;

    find_tags(&g, map, rows);
    for (int i = 0; i < 3; i++)
        a0[i] = a1[i] = (fe){{0}};

#if LYNX_LEVEL == 512
    {
        fe vq, vp;

        lynx_fe_frobenius(&vq, &v->v1, Z_FROBENIUS_BY);
        lynx_fe_frobenius(&vp, &v->v1, Z_FROBENIUS);
        add_product(&a0[0], &a1[0], &vq, &g.vq, &v->z, &g.k);
        add_product(&a0[0], &a1[0], &vp, &g.vp, &v->v1, &g.v1);
    }
#else
    add_product(&a0[0], &a1[0], &v->z, &g.k, &v->v1, &g.v1);
#if LYNX_LEVEL > 160
    lynx_fe_add(&a1[0], &a1[0], &g.vp);
#endif
#endif

#if LYNX_LEVEL == 160
    add_product(&a0[1], &a1[1], &v->x, &g.x, &v->v2, &g.v2);
    lynx_fe_add(&a1[1], &a1[1], &g.xp);
#else
    {
        fe xp, xq;

        lynx_fe_frobenius(&xp, &v->x, X_FROBENIUS);
        lynx_fe_frobenius(&xq, &v->x, X_FROBENIUS_BY);
        add_product(&a0[1], &a1[1], &xp, &g.xp, &v->x, &g.x);
        add_product(&a0[1], &a1[1], &xq, &g.xq, &v->v2, &g.v2);
    }
#endif

    add_product(&a0[2], &a1[2], &v->l1, &g.l1, &v->l2, &g.l2);
#if LYNX_LEVEL == 160
    (void)k;
    lynx_fe_add(&a1[2], &a1[2], &g.l3);
#else
    {
        fe rest, factor;

        lynx_fe_add(&rest, &v->l3, &v->t);
        lynx_fe_add(&factor, k, &map->c3);
        add_product(&a0[2], &a1[2], &rest, &g.l3, &factor, &g.k);
    }
#endif
}

void lynx_check(fe b[3], const lynx_map *map, const fe *t, const fe rows[3 * LYNX_N], const fe *delta)
{
    fe kz, kx, constant;
    tags g;

    find_tags(&g, map, rows);
    kz = g.k;
    kx = g.x;
    lynx_fe_mul_add(&kz, delta, &map->c1);
    lynx_fe_mul_add(&kx, delta, &map->c2);
    lynx_fe_frobenius(&constant, &map->c2, X_FROBENIUS);
    lynx_fe_mul_add(&g.xp, delta, &constant);

#if LYNX_LEVEL == 160
    {
        fe square;

        lynx_fe_frobenius(&square, delta, 1);
        lynx_fe_mul(&b[0], &kz, &g.v1);
        lynx_fe_add(&b[0], &b[0], &square);
        lynx_fe_mul(&b[1], &g.v2, &kx);
        lynx_fe_mul_add(&b[1], delta, &g.xp);
        lynx_fe_mul(&b[2], &g.l1, &g.l2);
        lynx_fe_mul_add(&b[2], delta, &g.l3);
        lynx_fe_mul_add(&b[2], &square, t);
    }
#else
#if LYNX_LEVEL == 512
    lynx_fe_mul(&b[0], &g.vq, &kz);
    lynx_fe_mul_add(&b[0], &g.vp, &g.v1);
#else
    lynx_fe_mul(&b[0], &kz, &g.v1);
    lynx_fe_mul_add(&b[0], delta, &g.vp);
#endif
    lynx_fe_frobenius(&constant, &map->c2, X_FROBENIUS_BY);
    lynx_fe_mul_add(&g.xq, delta, &constant);
    lynx_fe_mul(&b[1], &g.xp, &kx);
    lynx_fe_mul_add(&b[1], &g.xq, &g.v2);
    lynx_fe_mul_add(&g.k, delta, &map->c3);
    lynx_fe_mul_add(&g.l3, delta, t);
    lynx_fe_mul(&b[2], &g.l1, &g.l2);
    lynx_fe_mul_add(&b[2], &g.l3, &g.k);
#endif
}
