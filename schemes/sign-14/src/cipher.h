/*
 * The block cipher of the level: AES-192 (160), AES-256 (256), Rijndael with blocks and keys of 256 bits (384), SHACAL-2
 * with a key of 512 bits (512).
 */
#ifndef LYNX_CIPHER_H
#define LYNX_CIPHER_H

#include <stdint.h>

#include "params.h"

#if LYNX_LEVEL == 512
#define LYNX_ROUND_KEY_WORDS 64
#else
#define LYNX_ROUNDS (LYNX_KEY_BYTES == 24 ? 12 : 14)
#define LYNX_ROUND_KEY_WORDS (LYNX_BLOCK_BYTES / 4 * (LYNX_ROUNDS + 1))
#endif

typedef struct {
    uint32_t w[LYNX_ROUND_KEY_WORDS];
} cipher_key;

void lynx_cipher_expand(cipher_key *key, const unsigned char bytes[LYNX_KEY_BYTES]);

/* Encrypts one block; `in` and `out` may be the same. */
void lynx_cipher_encrypt(const cipher_key *key, const unsigned char in[LYNX_BLOCK_BYTES],
                         unsigned char out[LYNX_BLOCK_BYTES]);

#endif
