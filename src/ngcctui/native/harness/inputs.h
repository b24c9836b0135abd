/*
 * Seeds and messages: the published method's, and the same varied by trial and call.
 *
 * The number of a call is 2^32 * trial + its index; warm-up call w has index 2^31 + w.
 */
#ifndef NGCC_INPUTS_H
#define NGCC_INPUTS_H

#include <stddef.h>
#include <stdint.h>

enum {
    NGCC_SEED_BYTES = 48,
    NGCC_MESSAGE_BYTES = 64    /* of a message to sign */
};

static inline uint64_t ngcc_call_number(uint64_t trial, uint64_t index)
{
    return (trial << 32) + index;
}

static inline uint64_t ngcc_warm_up_index(uint64_t warm_up)
{
    return (UINT64_C(1) << 31) + warm_up;
}

/* DRNG seed: bytes 00, 01, ... 2f; varied: the last byte plus trial, above 255 the one before plus the carry. */
void ngcc_seed_of(int varied, uint64_t trial, unsigned char seed[NGCC_SEED_BYTES]);

/* The published message: byte i is (131 * i + bytes) mod 256. */
void ngcc_message_base(unsigned char *message, size_t bytes);

/* Makes `message` that of call `number`: the number, little-endian, in the first (at most 8) bytes; call 0 is the base. */
void ngcc_message_vary(unsigned char *message, size_t bytes, uint64_t number);

#endif
