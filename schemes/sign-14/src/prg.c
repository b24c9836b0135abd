#include "prg.h"

#include <string.h>

#include "bytes.h"

#define LEFT_BYTES (LYNX_BLOCK_BYTES - 1)          /* of a node, the part that is encrypted */
#define RIGHT_BYTES (LYNX_BYTES - LEFT_BYTES)      /* the part that is in the key */

/* The key that nodes with this right part have in common. */
static void node_key(cipher_key *key, const unsigned char y[LYNX_BYTES], const unsigned char iv[LYNX_IV_BYTES])
{
    unsigned char bytes[LYNX_KEY_BYTES] = {0};

    memcpy(bytes, y + LEFT_BYTES, RIGHT_BYTES);
    memcpy(bytes + RIGHT_BYTES, iv, LYNX_IV_BYTES);
    lynx_cipher_expand(key, bytes);
}

/* The first `bytes` (at most LYNX_BYTES) bytes of Enc(P_0) ^ P_0 || Enc(P_1) ^ P_1 with P_i = i || left part. */
static void node_hash(unsigned char *out, unsigned bytes, const cipher_key *key, const unsigned char left[LEFT_BYTES])
{
    unsigned char p[LYNX_BLOCK_BYTES], z[2][LYNX_BLOCK_BYTES];

    memcpy(p + 1, left, LEFT_BYTES);
    for (unsigned i = 0; i * LYNX_BLOCK_BYTES < bytes; i++) {
        p[0] = (unsigned char)i;
        lynx_cipher_encrypt(key, p, z[i]);
        lynx_xor(z[i], p, sizeof p);
    }
    memcpy(out, z, bytes);
}

void lynx_children(unsigned char left[LYNX_BYTES], unsigned char right[LYNX_BYTES], const unsigned char x[LYNX_BYTES],
                   const unsigned char s[LYNX_BYTES], const unsigned char iv[LYNX_IV_BYTES], int both_hashed)
{
    unsigned char y[LYNX_BYTES];
    cipher_key key;

    memcpy(y, x, sizeof y);
    lynx_xor(y, s, sizeof y);
    node_key(&key, y, iv);
    node_hash(left, LYNX_BYTES, &key, y);
    if (both_hashed) {
        y[0] ^= 1;
        node_hash(right, LYNX_BYTES, &key, y);
    } else {
        memcpy(right, left, LYNX_BYTES);
        lynx_xor(right, x, LYNX_BYTES);
    }
}

#if LYNX_LEVEL == 384

/* A block of the stream is the hash of the leaf with the counter in its first byte. */
void lynx_prg_begin(lynx_prg *prg, const unsigned char leaf[LYNX_BYTES], const unsigned char iv[LYNX_IV_BYTES])
{
    memcpy(prg->block, leaf, LEFT_BYTES);
    node_key(&prg->key, leaf, iv);
}

void lynx_prg_read(lynx_prg *prg, unsigned tweak, unsigned char *out, unsigned bytes)
{
    while (bytes > 0) {
        const unsigned part = bytes < LYNX_BYTES ? bytes : LYNX_BYTES;

        prg->block[0] ^= (unsigned char)tweak;
        node_hash(out, part, &prg->key, prg->block);
        prg->block[0] ^= (unsigned char)tweak;
        tweak++;
        out += part;
        bytes -= part;
    }
}

#else

/* The cipher in counter mode under the leaf as key. */
void lynx_prg_begin(lynx_prg *prg, const unsigned char leaf[LYNX_BYTES], const unsigned char iv[LYNX_IV_BYTES])
{
    unsigned char bytes[LYNX_KEY_BYTES] = {0};

    memcpy(bytes, leaf, LYNX_BYTES);
    lynx_cipher_expand(&prg->key, bytes);
    memset(prg->block, 0, sizeof prg->block);
    memcpy(prg->block, iv, LYNX_IV_BYTES);
}

void lynx_prg_read(lynx_prg *prg, unsigned tweak, unsigned char *out, unsigned bytes)
{
    unsigned char last[LYNX_BLOCK_BYTES];

    for (; bytes >= LYNX_BLOCK_BYTES; bytes -= LYNX_BLOCK_BYTES, out += LYNX_BLOCK_BYTES) {
        prg->block[LYNX_IV_BYTES] = (unsigned char)tweak++;
        lynx_cipher_encrypt(&prg->key, prg->block, out);
    }
    if (bytes > 0) {
        prg->block[LYNX_IV_BYTES] = (unsigned char)tweak;
        lynx_cipher_encrypt(&prg->key, prg->block, last);
        memcpy(out, last, bytes);
    }
}

#endif
