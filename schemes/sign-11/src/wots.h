/*
 * One-time signatures without checksum: a counter is searched until the digits of the digest have the one sum that
 * counts, so that a signature always leaves STEPS_LEFT steps of its chains to the verifier.
 */
#ifndef FT_WOTS_H
#define FT_WOTS_H

#include "hash.h"

#define FT_WOTS_MOST_COUNTER (1u << 20)

typedef struct {
    unsigned char digit[FT_CHAINS];
} ft_digits;

/* The digits of a message under a counter.  0, or -1 when they are not to be signed. */
int ft_wots_digits(ft_digits *digits, ft_tweak *tweak, uint32_t leaf, uint32_t counter,
                   const unsigned char message[FT_N]);

/* The least counter above 0 whose digits can be signed, and these.  0 when there is none. */
uint32_t ft_wots_search(ft_digits *digits, ft_tweak *tweak, uint32_t leaf, const unsigned char message[FT_N]);

/*
 * The leaf of an XMSS tree: the hash of the one-time public key.  Signs the digits on the way, unless they are a null
 * pointer.
 */
void ft_wots_leaf(unsigned char out[FT_N], ft_tweak *tweak, uint32_t leaf, const unsigned char secret_seed[FT_N],
                  const ft_digits *digits, unsigned char signature[FT_CHAINS_BYTES]);

/* The leaf of an XMSS tree that a signature, any bytes, of the digits leads to. */
void ft_wots_leaf_signed(unsigned char out[FT_N], ft_tweak *tweak, uint32_t leaf, const ft_digits *digits,
                         const unsigned char signature[FT_CHAINS_BYTES]);

#endif
