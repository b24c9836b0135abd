/*
 * Which K of the T few-time leaves a signature opens.  The subsets are numbered in the lexicographic order of their
 * ascending sequences.
 */
#ifndef FT_SUBSET_H
#define FT_SUBSET_H

#include "number.h"

/* C(T, K), how many there are. */
void ft_subset_count(ft_number *count);

/* The leaves, ascending, of the subset whose number is `choice` modulo `count`. */
void ft_subset_choose(uint32_t leaves[FT_K], const unsigned char choice[FT_CHOICE_BYTES], const ft_number *count);

#endif
