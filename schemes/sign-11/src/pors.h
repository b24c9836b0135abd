/*
 * The few-time signature: K opened leaves of one tree, and the nodes that lead from them to its root.
 *
 * The tree has T leaves at the two lowest heights: leaf x < DEEP is the node (0, x), a later one the node (1, x - DEEP/2).
 */
#ifndef FT_PORS_H
#define FT_PORS_H

#include "tree.h"

#define FT_DEEP_LEAVES (2 * (FT_T - (1u << (FT_PORS_HEIGHT - 1))))
#define FT_PORS_MOST_PLACES (FT_K * FT_PORS_HEIGHT)

/* What is signed, and the one-time key of layer 0 that the tree belongs to. */
typedef struct {
    const unsigned char *r;     /* N bytes */
    const unsigned char *md;    /* N bytes */
    uint64_t tree;
    uint32_t leaf;
} ft_pors_message;

/* The authentication nodes of ascending leaves, in the order of the signature; returns their number. */
unsigned ft_pors_places(ft_place places[FT_PORS_MOST_PLACES], const uint32_t leaves[FT_K]);

/*
 * Signs under the public and the secret seed, with the first counter that gives few enough authentication nodes, and
 * computes the root.  0, or -1 when there is no such counter.
 */
int ft_pors_sign(unsigned char signature[FT_PORS_BYTES], unsigned char root[FT_N], const ft_pors_message *message,
                 const unsigned char public_seed[FT_N], const unsigned char secret_seed[FT_N]);

/* The root that a signature, any bytes, leads to.  0, or -1 when its counter is not one that signing can give. */
int ft_pors_root(unsigned char root[FT_N], const ft_pors_message *message, const unsigned char signature[FT_PORS_BYTES],
                 const unsigned char public_seed[FT_N]);

#endif
