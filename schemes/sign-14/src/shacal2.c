/* SHACAL-2: the compression of SHA-256 (FIPS 180-4) without its last addition, as a block cipher. */
#include "cipher.h"

#if LYNX_LEVEL == 512

#include "bytes.h"
#include "shacal2_tables.h"

static uint32_t rotate(uint32_t x, int by)
{
    return x >> by | x << (32 - by);
}

/* The schedule of a key with the round constants already added. */
void lynx_cipher_expand(cipher_key *key, const unsigned char bytes[LYNX_KEY_BYTES])
{
    uint32_t w[64];

    for (int i = 0; i < 16; i++)
        w[i] = lynx_load32_big(bytes + 4 * i);
    for (int i = 16; i < 64; i++) {
        const uint32_t a = w[i - 15], b = w[i - 2];

        w[i] = w[i - 16] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + w[i - 7] +
               (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
    }
    for (int i = 0; i < 64; i++)
        key->w[i] = w[i] + round_constants[i];
}

/* One round; the names of the variables move instead of their values. */
#define ROUND(a, b, c, d, e, f, g, h, i)                                                           \
    do {                                                                                           \
        const uint32_t t = (h) + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) +                  \
                           ((g) ^ ((e) & ((f) ^ (g)))) + key->w[i];                                \
        (d) += t;                                                                                  \
        (h) = t + (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + (((a) & (b)) ^ ((c) & ((a) ^ (b)))); \
    } while (0)

void lynx_cipher_encrypt(const cipher_key *key, const unsigned char in[LYNX_BLOCK_BYTES],
                         unsigned char out[LYNX_BLOCK_BYTES])
{
    uint32_t a = lynx_load32_big(in), b = lynx_load32_big(in + 4), c = lynx_load32_big(in + 8);
    uint32_t d = lynx_load32_big(in + 12), e = lynx_load32_big(in + 16), f = lynx_load32_big(in + 20);
    uint32_t g = lynx_load32_big(in + 24), h = lynx_load32_big(in + 28);

    for (int i = 0; i < 64; i += 8) {
        ROUND(a, b, c, d, e, f, g, h, i);
        ROUND(h, a, b, c, d, e, f, g, i + 1);
        ROUND(g, h, a, b, c, d, e, f, i + 2);
        ROUND(f, g, h, a, b, c, d, e, i + 3);
        ROUND(e, f, g, h, a, b, c, d, i + 4);
        ROUND(d, e, f, g, h, a, b, c, i + 5);
        ROUND(c, d, e, f, g, h, a, b, i + 6);
        ROUND(b, c, d, e, f, g, h, a, i + 7);
    }
    lynx_store32_big(out, a);
    lynx_store32_big(out + 4, b);
    lynx_store32_big(out + 8, c);
    lynx_store32_big(out + 12, d);
    lynx_store32_big(out + 16, e);
    lynx_store32_big(out + 20, f);
    lynx_store32_big(out + 24, g);
    lynx_store32_big(out + 28, h);
}

#else
typedef int lynx_no_shacal2; /* a source file must not be empty */
#endif
