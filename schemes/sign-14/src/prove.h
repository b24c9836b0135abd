/* The proof of degree 2 that t = Lynx_iv(k), in the prover's and the verifier's view. */
#ifndef LYNX_PROVE_H
#define LYNX_PROVE_H

#include "map.h"

/*
 * Row q of the committed columns is the tag of bit q of the witness k || v1 || v2 (rows 0 .. 3n-1) or of the mask (the
 * rest).  The prover has tags; the verifier's rows are tag + delta * bit.
 */

/* The tag of the element whose bits have the n tags from `rows` on: the sum of rows[i] * X^i. */
void lynx_element_tag(fe *r, const fe *rows);

/* The three pairs of the prover: constant and linear coefficient, in delta, of what the verifier computes. */
void lynx_prove(fe a0[3], fe a1[3], const lynx_map *map, const lynx_values *values, const fe *k,
                const fe rows[3 * LYNX_N]);

/* What the verifier computes from its rows. */
void lynx_check(fe b[3], const lynx_map *map, const fe *t, const fe rows[3 * LYNX_N], const fe *delta);

#endif
