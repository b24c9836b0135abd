/*
 * The combinatorial number system, counted from the last subset: with V = C(T, K) - 1 - number there is one way to write
 *
 *   V = C(c_K, K) + ... + C(c_1, 1),   T > c_K > ... > c_1 >= 0,
 *
 * and the leaves are T - 1 - c_K, T - 1 - c_(K-1), ...  Instead of binomials the falling factorials
 * ff(c, q) = c (c-1) ... (c-q+1) = q! C(c, q) are used, which need no table and no division but by a word.
 */
#include "subset.h"

#include <math.h>

void ft_subset_count(ft_number *count)
{
    ft_number_set(count, 1);
    for (uint32_t i = 1; i <= FT_K; i++) {
        ft_number_multiply(count, FT_T - FT_K + i);
        ft_number_divide(count, i); /* exact: C(T - K + i, i) */
    }
}

static void falling(ft_number *f, uint32_t c, uint32_t q)
{
    ft_number_set(f, 1);
    for (uint32_t i = 0; i < q;) {
        uint32_t factor = c - i++;

        if (FT_T <= 65536 && i < q) /* two at once fit in a word */
            factor *= c - i++;
        ft_number_multiply(f, factor);
    }
}

/*
 * Nearly the c with ff(c, q) = w > 0.  ff(c, q) is the q-th power of the middle factor y, but for terms of which the
 * first is taken into account.
 */
static uint32_t guess(const ft_number *w, uint32_t q)
{
    const double root = exp2(ft_number_log2(w) / q);
    const double y = root * (1 + ((double)q * q - 1) / (24 * root * root));

    return (uint32_t)(y + (q - 1) / 2.0);
}

/*
 * The largest c below `limit` with ff(c, q) <= w.  w becomes (w - ff(c, q)) / q, which is what the other summands make
 * with factors (q-1)!.  The guess is a matter of speed only: whatever it is, c is exact.
 */
static uint32_t next_summand(ft_number *w, uint32_t q, uint32_t limit)
{
    ft_number f, rest;
    uint32_t c;

    if (w->used == 0)
        return q - 1; /* ff(c, q) = 0 */
    c = guess(w, q); /* at least q: w is a multiple of q! above 0 */
    c = c < q ? q : c >= limit ? limit - 1 : c;
    falling(&f, c, q);
    while (ft_number_compare(&f, w) > 0) {
        ft_number_multiply(&f, c - q);
        ft_number_divide(&f, c--);
    }
    for (;;) {
        ft_number bound;

        rest = *w;
        ft_number_subtract(&rest, &f);
        ft_number_divide(&rest, q);
        bound = rest;
        ft_number_multiply(&bound, c - q + 1);
        if (ft_number_compare(&bound, &f) < 0)
            break; /* w < ff(c + 1, q) */
        ft_number_multiply(&f, ++c);
        ft_number_divide(&f, c - q);
    }
    *w = rest;
    return c;
}

void ft_subset_choose(uint32_t leaves[FT_K], const unsigned char choice[FT_CHOICE_BYTES], const ft_number *count)
{
    ft_number value, one, w = *count;
    uint32_t c = FT_T;

    ft_number_load(&value, choice, FT_CHOICE_BYTES);
    ft_number_reduce(&value, count);
    ft_number_set(&one, 1);
    ft_number_subtract(&w, &value);
    ft_number_subtract(&w, &one);
    for (uint32_t q = 2; q <= FT_K; q++)
        if (w.used > 0)
            ft_number_multiply(&w, q);
    for (uint32_t q = FT_K; q > 0; q--) {
        c = next_summand(&w, q, c);
        leaves[FT_K - q] = FT_T - 1 - c;
    }
}
