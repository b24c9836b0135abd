/*
 * The SM3 that the helpers use themselves.
 *
 * Profiling counts calls of sm3hash, pseudohash, pseudoXOF, get_random_number and sm3_* that cross object files.  The
 * helpers call these other names, so the hashing inside a helper counts as part of that helper and not once more.
 */
#ifndef SM3_CORE_H
#define SM3_CORE_H

#include "sm3.h"

#define SM3_DIGEST_BYTES 32
#define SM3_BLOCK_BYTES 64

void iccs_sm3_begin(sm3_ctx *ctx);
void iccs_sm3_absorb(sm3_ctx *ctx, const unsigned char *data, unsigned long long bytes);

/*
 * Ends the message with the bit string msg || suffix and writes the digest.  A `msg_bits` that is no multiple of 8
 * takes the high bits of the last byte of msg, and the suffix (at most 4 bytes) follows without a gap.
 */
void iccs_sm3_finish(sm3_ctx *ctx, const unsigned char *msg, unsigned long long msg_bits,
                     const unsigned char *suffix, unsigned suffix_bytes, unsigned char digest[SM3_DIGEST_BYTES]);

#endif
