/*
 * What the hash function is keyed with: the public seed, and the address of the hashed value, eight 32-bit words:
 * layer, 0, tree (two words), then a type and three words whose meaning depends on it.
 */
#ifndef FT_TWEAK_H
#define FT_TWEAK_H

#include <string.h>

#include "bytes.h"
#include "params.h"

typedef enum {                 /* words 5, 6, 7 */
    FT_CHAIN_STEP = 0,         /* leaf, chain, step */
    FT_CHAIN_ENDS = 1,         /* leaf, 0, 0 */
    FT_XMSS_NODE = 2,          /* 0, height, index */
    FT_PORS_NODE = 3,          /* leaf of layer 0, height, index; height 0: number of the few-time leaf */
    FT_CHAIN_SECRET = 4,       /* leaf, chain, 0 */
    FT_PORS_SECRET = 5,        /* leaf of layer 0, 0, number of the few-time leaf */
    FT_SIGNED_DIGEST = 6       /* leaf, counter, 0 */
} ft_type;

typedef struct {
    unsigned char bytes[FT_N + 32]; /* seed, address */
} ft_tweak;

/* The tweak of a tree; ft_tweak_point must follow. */
static inline void ft_tweak_tree(ft_tweak *t, const unsigned char seed[FT_N], unsigned layer, uint64_t tree)
{
    memcpy(t->bytes, seed, FT_N);
    store_be32(t->bytes + FT_N, layer);
    store_be32(t->bytes + FT_N + 4, 0);
    store_be32(t->bytes + FT_N + 8, (uint32_t)(tree >> 32));
    store_be32(t->bytes + FT_N + 12, (uint32_t)tree);
}

/* Points to a value in the tree. */
static inline void ft_tweak_point(ft_tweak *t, ft_type type, uint32_t leaf, uint32_t word6, uint32_t word7)
{
    store_be32(t->bytes + FT_N + 16, type);
    store_be32(t->bytes + FT_N + 20, leaf);
    store_be32(t->bytes + FT_N + 24, word6);
    store_be32(t->bytes + FT_N + 28, word7);
}

#endif
