/*
 * Parameters of the eight instances.  FT_PARAMETERS names the header of the one to build: "instances/160f.h" and so on.
 * Lengths ending in _BYTES are in bytes, those ending in _BITS in bits.
 *
 *   N              bytes of a node
 *   HEIGHT, LAYERS of the hypertree: the sum of the heights of its layers, and their number
 *   T, K           leaves of the few-time tree, and how many of them a signature opens
 *   SLOTS          authentication nodes of the few-time tree that a signature has room for
 *   PORS_HEIGHT    ceil(log2 T)
 *   SUBSET_BITS    length of the binomial coefficient C(T, K)
 *   CHAINS         of a one-time key; the first NARROW_CHAINS sign digits of NARROW_BITS, the others of WIDE_BITS
 *   ZERO_BITS      of the digest that a one-time key signs are 0
 */
#ifndef FT_PARAMS_H
#define FT_PARAMS_H

#include FT_PARAMETERS

#if FT_T <= 1 << (FT_PORS_HEIGHT - 1) || FT_T > 1 << FT_PORS_HEIGHT
#error "PORS_HEIGHT is not that of T leaves"
#endif
#if FT_NARROW_CHAINS * FT_NARROW_BITS + (FT_CHAINS - FT_NARROW_CHAINS) * FT_WIDE_BITS + FT_ZERO_BITS != 8 * FT_N
#error "the digits and ZERO_BITS are not N bytes"
#endif

/* Layer 0 is the bottom; where the division leaves a rest, lower layers are higher by one than the top layer. */
#define FT_LAYER_HEIGHT(layer) ((FT_HEIGHT + FT_LAYERS - 1 - (layer)) / FT_LAYERS)
#define FT_MOST_HEIGHT FT_LAYER_HEIGHT(0)

/* A digest of the message chooses a one-time key of layer 0: a tree and a leaf in it. */
#define FT_LEAF_BITS FT_LAYER_HEIGHT(0)
#define FT_LEAF_BYTES ((FT_LEAF_BITS + 7) / 8)
#define FT_TREE_BITS (FT_HEIGHT - FT_LEAF_BITS)
#define FT_TREE_BYTES ((FT_TREE_BITS + 7) / 8)
#define FT_DIGEST_BYTES (FT_TREE_BYTES + FT_LEAF_BYTES + FT_N)

/* The number that chooses a subset, before it is reduced modulo C(T, K). */
#define FT_CHOICE_BYTES (FT_N + (FT_SUBSET_BITS + 7) / 8)

/* Steps of all chains of a key together, and how many of them its verification takes. */
#define FT_STEPS \
    (FT_NARROW_CHAINS * ((1 << FT_NARROW_BITS) - 1) + (FT_CHAINS - FT_NARROW_CHAINS) * ((1 << FT_WIDE_BITS) - 1))
#define FT_STEPS_LEFT (FT_STEPS / 2)

#define FT_COUNTER_BYTES 4
#define FT_OPENED_BYTES (FT_K * FT_N)
#define FT_PORS_BYTES (FT_COUNTER_BYTES + FT_OPENED_BYTES + FT_SLOTS * FT_N)
#define FT_CHAINS_BYTES (FT_CHAINS * FT_N)
#define FT_BLOCK_BYTES(height) (FT_CHAINS_BYTES + (height) * FT_N + FT_COUNTER_BYTES)

#define FT_PUBLIC_KEY_BYTES (2 * FT_N)
#define FT_SECRET_KEY_BYTES (4 * FT_N)
#define FT_SIGNATURE_BYTES (FT_N + FT_PORS_BYTES + FT_LAYERS * FT_BLOCK_BYTES(0) + FT_HEIGHT * FT_N)

#endif
