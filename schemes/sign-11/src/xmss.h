/*
 * The trees of the hypertree.  `leaf` is below 2^height.  A block of a signature: the one-time signature, the
 * authentication path from the leaf up, and the counter of the one-time signature.
 */
#ifndef FT_XMSS_H
#define FT_XMSS_H

#include "hash.h"

/* Which tree, under which public seed. */
typedef struct {
    const unsigned char *public_seed;
    unsigned layer;
    uint64_t tree;
} ft_xmss;

/* The root. */
void ft_xmss_root(unsigned char root[FT_N], const ft_xmss *xmss, const unsigned char secret_seed[FT_N]);

/*
 * Signs a message with a leaf and computes the root.  0, or -1 when no counter up to WOTS_MOST_COUNTER works.
 * `root` may be `message`.
 */
int ft_xmss_sign(unsigned char *block, unsigned char root[FT_N], const ft_xmss *xmss, uint32_t leaf,
                 const unsigned char secret_seed[FT_N], const unsigned char message[FT_N]);

/* The root that a block, any bytes, leads to.  0, or -1 when it signs no message.  `root` may be `message`. */
int ft_xmss_root_signed(unsigned char root[FT_N], const ft_xmss *xmss, uint32_t leaf, const unsigned char *block,
                        const unsigned char message[FT_N]);

#endif
