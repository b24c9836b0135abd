/*
 * Parameters of the eight instances; LYNX_LEVEL (160, 256, 384, 512) and LYNX_SMALL (0: "f", 1: "s") choose one.
 *
 * Names ending in _BYTES are in bytes, in _WORDS in 64-bit words, in _BITS in bits.
 */
#ifndef LYNX_PARAMS_H
#define LYNX_PARAMS_H

#ifndef LYNX_SMALL
#error "LYNX_SMALL must be 0 or 1"
#endif

#if LYNX_LEVEL == 160
#define LYNX_TAU (LYNX_SMALL ? 14 : 21)         /* vectors */
#define LYNX_GRIND_BITS (LYNX_SMALL ? 6 : 8)    /* high bits of the last challenge that must be 0 */
#define LYNX_OPEN_MAX (LYNX_SMALL ? 129 : 139)  /* nodes that an opening has room for */
#define LYNX_DEEP (LYNX_SMALL ? 0 : 5)          /* vectors with twice the leaves, the first ones */
#define LYNX_KEY_BYTES 24                       /* of the block cipher */
#define LYNX_BLOCK_BYTES 16
#elif LYNX_LEVEL == 256
#define LYNX_TAU (LYNX_SMALL ? 22 : 35)
#define LYNX_GRIND_BITS (LYNX_SMALL ? 12 : 8)
#define LYNX_OPEN_MAX (LYNX_SMALL ? 224 : 223)
#define LYNX_DEEP (LYNX_SMALL ? 2 : 3)
#define LYNX_KEY_BYTES 32
#define LYNX_BLOCK_BYTES 16
#elif LYNX_LEVEL == 384
#define LYNX_TAU (LYNX_SMALL ? 34 : 53)
#define LYNX_GRIND_BITS (LYNX_SMALL ? 10 : 9)
#define LYNX_OPEN_MAX (LYNX_SMALL ? 332 : 336)
#define LYNX_DEEP (LYNX_SMALL ? 0 : 4)
#define LYNX_KEY_BYTES 32
#define LYNX_BLOCK_BYTES 32
#elif LYNX_LEVEL == 512
#define LYNX_TAU (LYNX_SMALL ? 46 : 72)
#define LYNX_GRIND_BITS (LYNX_SMALL ? 6 : 8)
#define LYNX_OPEN_MAX (LYNX_SMALL ? 439 : 447)
#define LYNX_DEEP 0
#define LYNX_KEY_BYTES 64
#define LYNX_BLOCK_BYTES 32
#else
#error "LYNX_LEVEL must be 160, 256, 384 or 512"
#endif

#define LYNX_N LYNX_LEVEL
#define LYNX_BYTES (LYNX_N / 8)
#define LYNX_WORDS ((LYNX_N + 63) / 64)

/* A vector has HALF leaves and depth DEPTH, a deep one twice as many and one level more. */
#define LYNX_DEPTH (LYNX_SMALL ? 11 : 7)
#define LYNX_HALF (1 << LYNX_DEPTH)
#define LYNX_LEAVES (LYNX_HALF * (LYNX_TAU + LYNX_DEEP))
#define LYNX_VECTOR_MAX (LYNX_DEEP > 0 ? 2 * LYNX_HALF : LYNX_HALF)
#define LYNX_NODES (2 * LYNX_LEAVES - 1)
#define LYNX_COLUMNS (LYNX_N - LYNX_GRIND_BITS) /* columns of all vectors together; N - COLUMNS more are zero */

#define LYNX_COLUMN_BYTES ((5 * LYNX_N + 16) / 8)
#define LYNX_COLUMN_WORDS ((LYNX_COLUMN_BYTES + 7) / 8)
#define LYNX_COMMITMENT_BYTES (2 * LYNX_BYTES)
#define LYNX_IV_BYTES 15
#define LYNX_COUNTER_BYTES 4
#define LYNX_UHASH_BYTES (LYNX_BYTES + 2) /* of a hashed column */
#define LYNX_WITNESS_BYTES (3 * LYNX_BYTES)

#define LYNX_MU_BYTES (2 * LYNX_BYTES)
#define LYNX_CHALLENGE1_BYTES (5 * LYNX_BYTES + 8)
#define LYNX_CHALLENGE2_BYTES (3 * LYNX_BYTES + 8)

/* Where the parts of a signature begin. */
#define LYNX_AT_CORRECTIONS 0
#define LYNX_CORRECTIONS_BYTES ((LYNX_TAU - 1) * LYNX_COLUMN_BYTES)
#define LYNX_AT_U_TILDE (LYNX_AT_CORRECTIONS + LYNX_CORRECTIONS_BYTES)
#define LYNX_AT_D (LYNX_AT_U_TILDE + LYNX_UHASH_BYTES)
#define LYNX_AT_A1_TILDE (LYNX_AT_D + LYNX_WITNESS_BYTES)
#define LYNX_AT_COMMITMENTS (LYNX_AT_A1_TILDE + LYNX_BYTES)
#define LYNX_AT_NODES (LYNX_AT_COMMITMENTS + LYNX_TAU * LYNX_COMMITMENT_BYTES)
#define LYNX_AT_CHALLENGE3 (LYNX_AT_NODES + LYNX_OPEN_MAX * LYNX_BYTES)
#define LYNX_AT_IV (LYNX_AT_CHALLENGE3 + LYNX_BYTES)
#define LYNX_AT_COUNTER (LYNX_AT_IV + LYNX_IV_BYTES)
#define LYNX_SIGNATURE_BYTES (LYNX_AT_COUNTER + LYNX_COUNTER_BYTES)

#define LYNX_PUBLIC_KEY_BYTES (2 * LYNX_BYTES)
#define LYNX_SECRET_KEY_BYTES (2 * LYNX_BYTES)

#endif
