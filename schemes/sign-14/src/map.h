/* The one-way function: t = Lynx_iv(k). */
#ifndef LYNX_MAP_H
#define LYNX_MAP_H

#include "field.h"

/* The function that an iv selects. */
typedef struct {
    fe l0[LYNX_N], l1[LYNX_N], l2[LYNX_N];
    fe c1, c2; /* added before the two power maps; for n = 160 both are the first constant drawn */
#if LYNX_LEVEL > 160
    fe c3;
#endif
} lynx_map;

/* The same for all iv. */
extern const fe lynx_l3[LYNX_N];

/* The values of an evaluation. */
typedef struct {
    fe z, v1;         /* k + c1, z^e1 */
    fe x, v2;         /* L0 k + c2, x^e2 */
    fe l1, l2, l3;    /* L1 v1, L2 v2, L3 (k + v1 + v2) */
    fe t;
} lynx_values;

void lynx_map_select(lynx_map *map, const unsigned char iv[LYNX_BYTES]);
void lynx_map_evaluate(lynx_values *values, const lynx_map *map, const fe *k);

#endif
