/* Non-negative integers of several words; only public values, so nothing is constant time. */
#ifndef FT_NUMBER_H
#define FT_NUMBER_H

#include <stdint.h>

#include "params.h"

/* Room for T^K and for a choice, and two words more for products. */
#define FT_NUMBER_BITS \
    (FT_K * FT_PORS_HEIGHT > 8 * FT_CHOICE_BYTES ? FT_K * FT_PORS_HEIGHT : 8 * FT_CHOICE_BYTES)
#define FT_NUMBER_WORDS (FT_NUMBER_BITS / 32 + 3)

typedef struct {
    unsigned used;                    /* words that count; the last of them is not 0 */
    uint32_t word[FT_NUMBER_WORDS];   /* least significant first */
} ft_number;

void ft_number_set(ft_number *a, uint32_t value);

/* From big-endian bytes, at most 4 * NUMBER_WORDS. */
void ft_number_load(ft_number *a, const unsigned char *bytes, unsigned count);

/* Below, equal to or above 0 as a is to b. */
int ft_number_compare(const ft_number *a, const ft_number *b);

/* a *= factor, which is not 0; the product must have room. */
void ft_number_multiply(ft_number *a, uint32_t factor);

/* a /= divisor, rounded down. */
void ft_number_divide(ft_number *a, uint32_t divisor);

/* a -= b; b must not be above a. */
void ft_number_subtract(ft_number *a, const ft_number *b);

/* a mod m; a has at most NUMBER_WORDS - 2 words and m is not 0. */
void ft_number_reduce(ft_number *a, const ft_number *m);

/* log2 a, nearly; a is not 0. */
double ft_number_log2(const ft_number *a);

#endif
