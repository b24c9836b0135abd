/* The way of a message through the hypertree: one leaf on each layer. */
#ifndef FT_ROUTE_H
#define FT_ROUTE_H

#include "bytes.h"
#include "params.h"

typedef struct {
    uint64_t tree;
    uint32_t leaf;
} ft_route;

/* On layer 0, from the digest of the message. */
static inline ft_route ft_route_start(const unsigned char digest[FT_DIGEST_BYTES])
{
    ft_route route;

    route.tree = load_be(digest, FT_TREE_BYTES) & (UINT64_MAX >> (64 - FT_TREE_BITS));
    route.leaf = (uint32_t)load_be(digest + FT_TREE_BYTES, FT_LEAF_BYTES) & ((1u << FT_LEAF_BITS) - 1);
    return route;
}

/* From the layer below to `layer`: the root of its tree is signed with the leaf of the same number. */
static inline void ft_route_up(ft_route *route, unsigned layer)
{
    route->leaf = (uint32_t)route->tree & ((1u << FT_LAYER_HEIGHT(layer)) - 1);
    route->tree >>= FT_LAYER_HEIGHT(layer);
}

#endif
