/* sm3hash, pseudohash and pseudoXOF over the inner SM3; messages are read where they lie. */
#include "auxfunc.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "profile_hook.h"
#include "sm3_core.h"

enum {
    XOF_LONGEST_COPY_ON_STACK = 256  /* bytes */
};

/* SM3("3.14159265358979") || SM3("2.71828182845904"), the programme's fixed HMAC key: exactly one block. */
static const unsigned char hmac_key[SM3_BLOCK_BYTES] = {
    0x53, 0x07, 0xf6, 0xd5, 0xeb, 0x6a, 0x3c, 0xed, 0x3d, 0x24, 0xc5, 0x3c, 0xc9, 0xc8, 0x2c, 0xce,
    0x2f, 0x89, 0x36, 0x39, 0x70, 0x23, 0xf0, 0x69, 0x5c, 0x26, 0xc8, 0x0c, 0x1a, 0xb1, 0x82, 0xa7,
    0x1d, 0xb0, 0x2b, 0xa9, 0x2f, 0x54, 0x40, 0x18, 0x11, 0x5a, 0x96, 0xe7, 0x19, 0x66, 0x2c, 0xa3,
    0x2b, 0x7c, 0x7e, 0xfc, 0x0a, 0x6d, 0x24, 0x82, 0x15, 0x07, 0x66, 0xba, 0x6f, 0x65, 0x5b, 0x8e};

int sm3hash(int digest_bits, const unsigned char *msg, unsigned long long msg_bits, unsigned char *digest)
{
    sm3_ctx ctx;

    NGCC_HELPER_ENTERED(NGCC_HELPER_SM3HASH);
    if (digest_bits != 256)
        return ICCS_NO_SUCH_LENGTH;
    iccs_sm3_begin(&ctx);
    iccs_sm3_finish(&ctx, msg, msg_bits, NULL, 0, digest);
    return ICCS_OK;
}

/* Absorbs the HMAC key, every byte combined with `pad`. */
static void absorb_key(sm3_ctx *ctx, unsigned char pad)
{
    unsigned char block[SM3_BLOCK_BYTES];

    for (int i = 0; i < SM3_BLOCK_BYTES; i++)
        block[i] = hmac_key[i] ^ pad;
    iccs_sm3_absorb(ctx, block, sizeof block);
}

/* HMAC-SM3(prefix || msg) under the fixed key. */
static void hmac(unsigned char mac[SM3_DIGEST_BYTES], const unsigned char *prefix, unsigned prefix_bytes,
                 const unsigned char *msg, unsigned long long msg_bits)
{
    unsigned char inner[SM3_DIGEST_BYTES];
    sm3_ctx ctx;

    iccs_sm3_begin(&ctx);
    absorb_key(&ctx, 0x36);
    iccs_sm3_absorb(&ctx, prefix, prefix_bytes);
    iccs_sm3_finish(&ctx, msg, msg_bits, NULL, 0, inner);

    iccs_sm3_begin(&ctx);
    absorb_key(&ctx, 0x5c);
    iccs_sm3_finish(&ctx, inner, 8 * sizeof inner, NULL, 0, mac);
}

static void hmac_of_digest(unsigned char mac[SM3_DIGEST_BYTES], const unsigned char digest[SM3_DIGEST_BYTES])
{
    hmac(mac, NULL, 0, digest, 8 * SM3_DIGEST_BYTES);
}

/* SM3(msg || suffix), the suffix at most 4 bytes. */
static void sm3_with_suffix(unsigned char digest[SM3_DIGEST_BYTES], const unsigned char *msg,
                            unsigned long long msg_bits, const unsigned char *suffix, unsigned suffix_bytes)
{
    sm3_ctx ctx;

    iccs_sm3_begin(&ctx);
    iccs_sm3_finish(&ctx, msg, msg_bits, suffix, suffix_bytes, digest);
}

/* SM3(first || second [|| third]), all of them digests. */
static void sm3_of_digests(unsigned char digest[SM3_DIGEST_BYTES], const unsigned char *first,
                           const unsigned char *second, const unsigned char *third)
{
    sm3_ctx ctx;

    iccs_sm3_begin(&ctx);
    iccs_sm3_absorb(&ctx, first, SM3_DIGEST_BYTES);
    iccs_sm3_absorb(&ctx, second, SM3_DIGEST_BYTES);
    iccs_sm3_finish(&ctx, third, third ? 8 * SM3_DIGEST_BYTES : 0, NULL, 0, digest);
}

int pseudohash(int digest_bits, const unsigned char *msg, unsigned long long msg_bits, unsigned char *digest)
{
    unsigned char h[4][SM3_DIGEST_BYTES], k[4][SM3_DIGEST_BYTES];
    unsigned char tag[2] = {0, 0};

    NGCC_HELPER_ENTERED(NGCC_HELPER_PSEUDOHASH);
    if (digest_bits != 512 && digest_bits != 768 && digest_bits != 1024)
        return ICCS_NO_SUCH_LENGTH;
    tag[0] = (unsigned char)(digest_bits / 256);

    hmac(k[0], tag, sizeof tag, msg, msg_bits);
    sm3_with_suffix(h[0], msg, msg_bits, tag, sizeof tag);
    sm3_of_digests(h[1], k[0], h[0], NULL);
    if (digest_bits >= 768) {
        hmac_of_digest(k[1], h[0]);
        sm3_of_digests(h[2], h[1], k[1], NULL);
    }
    if (digest_bits == 1024) {
        hmac_of_digest(k[2], h[1]);
        hmac_of_digest(k[3], h[2]);
        sm3_of_digests(h[3], k[2], h[2], k[3]);
    }
    memcpy(digest, h, (size_t)digest_bits / 8);
    return ICCS_OK;
}

static int overlap(const unsigned char *a, unsigned long long a_bytes, const unsigned char *b,
                   unsigned long long b_bytes)
{
    const uintptr_t a_start = (uintptr_t)a, b_start = (uintptr_t)b;

    return a_start < b_start ? b_start - a_start < a_bytes : a_start - b_start < b_bytes;
}

/*
 * Every block hashes the message anew, as the programme's own code does, although the part before the counter is always
 * the same: a share of time spent in this function compares only with one that does the same work.
 */
static void xof_blocks(unsigned long long out_bits, const unsigned char *msg, unsigned long long msg_bits,
                       unsigned char *out)
{
    unsigned char counter[4], block[SM3_DIGEST_BYTES];

    for (uint32_t i = 1; out_bits > 0; i++) {
        counter[0] = (unsigned char)(i >> 24);
        counter[1] = (unsigned char)(i >> 16);
        counter[2] = (unsigned char)(i >> 8);
        counter[3] = (unsigned char)i;
        if (out_bits >= 8 * sizeof block) {
            sm3_with_suffix(out, msg, msg_bits, counter, sizeof counter);
            out += sizeof block;
            out_bits -= 8 * sizeof block;
        } else {
            const unsigned bytes = (unsigned)(out_bits + 7) / 8, unused = 8 * bytes - (unsigned)out_bits;

            sm3_with_suffix(block, msg, msg_bits, counter, sizeof counter);
            block[bytes - 1] &= (unsigned char)(0xffu << unused);
            memcpy(out, block, bytes);
            out_bits = 0;
        }
    }
}

int pseudoXOF(unsigned long long out_bits, const unsigned char *msg, unsigned long long msg_bits, unsigned char *out)
{
    const unsigned long long msg_bytes = msg_bits / 8 + (msg_bits % 8 > 0);
    unsigned char small[XOF_LONGEST_COPY_ON_STACK], *copy = small;

    NGCC_HELPER_ENTERED(NGCC_HELPER_PSEUDOXOF);
    if (out_bits / 256 + (out_bits % 256 > 0) > UINT32_MAX)
        return ICCS_NO_SUCH_LENGTH;
    /* The first block must not overwrite what the second one hashes. */
    if (out_bits <= 256 || !overlap(msg, msg_bytes, out, out_bits / 8 + 1)) {
        xof_blocks(out_bits, msg, msg_bits, out);
        return ICCS_OK;
    }
    if (msg_bytes > sizeof small && !(copy = malloc(msg_bytes)))
        return ICCS_NO_MEMORY;
    memcpy(copy, msg, msg_bytes);
    xof_blocks(out_bits, copy, msg_bits, out);
    if (copy != small)
        free(copy);
    return ICCS_OK;
}
