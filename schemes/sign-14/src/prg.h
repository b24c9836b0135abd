/* What expands nodes: TCCR for the tree, PRG for commitments and columns of a leaf. */
#ifndef LYNX_PRG_H
#define LYNX_PRG_H

#include "cipher.h"
#include "params.h"

/*
 * The children of an inner node x in the tree with salt s: left = TCCR(x), right = left ^ x, or with `both_hashed`
 * TCCR of x with its lowest bit flipped.
 */
void lynx_children(unsigned char left[LYNX_BYTES], unsigned char right[LYNX_BYTES], const unsigned char x[LYNX_BYTES],
                   const unsigned char s[LYNX_BYTES], const unsigned char iv[LYNX_IV_BYTES], int both_hashed);

typedef struct {
    cipher_key key;
    unsigned char block[LYNX_BLOCK_BYTES]; /* what is encrypted, the counter's place left open */
} lynx_prg;

/* Prepares the stream of a leaf. */
void lynx_prg_begin(lynx_prg *prg, const unsigned char leaf[LYNX_BYTES], const unsigned char iv[LYNX_IV_BYTES]);

/* Writes `bytes` bytes of the stream whose counter begins at `tweak`. */
void lynx_prg_read(lynx_prg *prg, unsigned tweak, unsigned char *out, unsigned bytes);

#endif
