/* SM3 (GB/T 32905-2016): compression, padding to the bit, and the incremental interface of sm3.h. */
#include "sm3_core.h"

#include <string.h>

#include "profile_hook.h"

#define ROTL(x, n) (((x) << (n)) | ((x) >> (-(n) & 31)))
#define P0(x) ((x) ^ ROTL(x, 9) ^ ROTL(x, 17))
#define P1(x) ((x) ^ ROTL(x, 15) ^ ROTL(x, 23))
#define PARITY(x, y, z) ((x) ^ (y) ^ (z))
#define MAJORITY(x, y, z) (((x) & (y)) | (((x) | (y)) & (z)))
#define CHOICE(x, y, z) ((((y) ^ (z)) & (x)) ^ (z))

/* Word j of the expanded message; a window of 16 words is enough. */
#define W(j) w[(j) & 15]
#define EXPAND(j) \
    (W(j) = P1(W((j) - 16) ^ W((j) - 9) ^ ROTL(W((j) - 3), 15)) ^ ROTL(W((j) - 13), 7) ^ W((j) - 6))

/*
 * Round j.  Instead of moving eight words along, each round leaves its two new words in d and h, and the next round
 * is written with the names shifted by one.  `next` is word j + 4.
 */
#define ROUND(a, b, c, d, e, f, g, h, FF, GG, constant, j, next)        \
    do {                                                                \
        const uint32_t ahead = (next);                                  \
        const uint32_t a12 = ROTL(a, 12);                               \
        const uint32_t turn = a12 + e + ROTL(constant, (j) & 31);       \
        const uint32_t ss1 = ROTL(turn, 7);                             \
        const uint32_t tt2 = GG(e, f, g) + h + ss1 + W(j);              \
        d += FF(a, b, c) + (ss1 ^ a12) + (W(j) ^ ahead);                \
        b = ROTL(b, 9);                                                 \
        f = ROTL(f, 19);                                                \
        h = P0(tt2);                                                    \
    } while (0)

#define FOUR_ROUNDS(FF, GG, constant, j, next)                          \
    do {                                                                \
        ROUND(a, b, c, d, e, f, g, h, FF, GG, constant, (j), next((j) + 4));         \
        ROUND(d, a, b, c, h, e, f, g, FF, GG, constant, (j) + 1, next((j) + 5));     \
        ROUND(c, d, a, b, g, h, e, f, FF, GG, constant, (j) + 2, next((j) + 6));     \
        ROUND(b, c, d, a, f, g, h, e, FF, GG, constant, (j) + 3, next((j) + 7));     \
    } while (0)

#define EARLY(j, next) FOUR_ROUNDS(PARITY, PARITY, 0x79cc4519u, j, next)
#define LATE(j) FOUR_ROUNDS(MAJORITY, CHOICE, 0x7a879d8au, j, EXPAND)

static uint32_t load_be32(const unsigned char *bytes)
{
    uint32_t word;

    memcpy(&word, bytes, sizeof word);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    word = __builtin_bswap32(word);
#endif
    return word;
}

static void store_be32(unsigned char *bytes, uint32_t word)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    word = __builtin_bswap32(word);
#endif
    memcpy(bytes, &word, sizeof word);
}

static void compress(uint32_t state[8], const unsigned char *data, unsigned long long blocks)
{
    for (; blocks > 0; blocks--, data += SM3_BLOCK_BYTES) {
        uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
        uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
        uint32_t w[16];

        for (int i = 0; i < 16; i++)
            w[i] = load_be32(data + 4 * i);

        EARLY(0, W);
        EARLY(4, W);
        EARLY(8, W);
        EARLY(12, EXPAND);
        LATE(16);
        LATE(20);
        LATE(24);
        LATE(28);
        LATE(32);
        LATE(36);
        LATE(40);
        LATE(44);
        LATE(48);
        LATE(52);
        LATE(56);
        LATE(60);

        state[0] ^= a;
        state[1] ^= b;
        state[2] ^= c;
        state[3] ^= d;
        state[4] ^= e;
        state[5] ^= f;
        state[6] ^= g;
        state[7] ^= h;
    }
}

void iccs_sm3_begin(sm3_ctx *ctx)
{
    static const uint32_t start[8] = {0x7380166fu, 0x4914b2b9u, 0x172442d7u, 0xda8a0600u,
                                      0xa96f30bcu, 0x163138aau, 0xe38dee4du, 0xb0fb0e4eu};

    memcpy(ctx->state, start, sizeof start);
    ctx->bytes = 0;
}

void iccs_sm3_absorb(sm3_ctx *ctx, const unsigned char *data, unsigned long long bytes)
{
    const unsigned held = (unsigned)(ctx->bytes % SM3_BLOCK_BYTES);

    if (bytes == 0)
        return;  /* data may be a null pointer */
    ctx->bytes += bytes;
    if (held > 0) {
        const unsigned missing = SM3_BLOCK_BYTES - held;

        if (bytes < missing) {
            memcpy(ctx->block + held, data, bytes);
            return;
        }
        memcpy(ctx->block + held, data, missing);
        compress(ctx->state, ctx->block, 1);
        data += missing;
        bytes -= missing;
    }
    compress(ctx->state, data, bytes / SM3_BLOCK_BYTES);
    memcpy(ctx->block, data + (bytes - bytes % SM3_BLOCK_BYTES), bytes % SM3_BLOCK_BYTES);
}

/* Pads behind `last_bits` (0 to 7) high bits of `last`, whose other bits are 0, and writes the digest. */
static void pad_and_output(sm3_ctx *ctx, unsigned char last, unsigned last_bits, unsigned char digest[SM3_DIGEST_BYTES])
{
    const uint64_t bits = (uint64_t)ctx->bytes * 8 + last_bits;
    unsigned held = (unsigned)(ctx->bytes % SM3_BLOCK_BYTES);

    ctx->block[held++] = (unsigned char)(last | 0x80u >> last_bits);
    memset(ctx->block + held, 0, SM3_BLOCK_BYTES - held);
    if (held > SM3_BLOCK_BYTES - 8) {
        compress(ctx->state, ctx->block, 1);
        memset(ctx->block, 0, SM3_BLOCK_BYTES);
    }
    store_be32(ctx->block + 56, (uint32_t)(bits >> 32));
    store_be32(ctx->block + 60, (uint32_t)bits);
    compress(ctx->state, ctx->block, 1);
    for (int i = 0; i < 8; i++)
        store_be32(digest + 4 * i, ctx->state[i]);
}

void iccs_sm3_finish(sm3_ctx *ctx, const unsigned char *msg, unsigned long long msg_bits,
                     const unsigned char *suffix, unsigned suffix_bytes, unsigned char digest[SM3_DIGEST_BYTES])
{
    const unsigned long long whole = msg_bits / 8;
    const unsigned odd = (unsigned)(msg_bits % 8);
    unsigned char last = 0, joined[4];

    iccs_sm3_absorb(ctx, msg, whole);
    if (odd > 0)
        last = (unsigned char)(msg[whole] & (0xff00u >> odd));
    for (unsigned i = 0; i < suffix_bytes; i++) {
        joined[i] = (unsigned char)(last | suffix[i] >> odd);
        last = (unsigned char)((unsigned)suffix[i] << (8 - odd));
    }
    iccs_sm3_absorb(ctx, joined, suffix_bytes);
    pad_and_output(ctx, last, odd, digest);
}

void sm3_init(sm3_ctx *ctx)
{
    NGCC_HELPER_ENTERED(NGCC_HELPER_SM3_INIT);
    iccs_sm3_begin(ctx);
}

void sm3_update(sm3_ctx *ctx, const unsigned char *data, unsigned long long bytes)
{
    NGCC_HELPER_ENTERED(NGCC_HELPER_SM3_UPDATE);
    iccs_sm3_absorb(ctx, data, bytes);
}

void sm3_final(sm3_ctx *ctx, unsigned char digest[32])
{
    NGCC_HELPER_ENTERED(NGCC_HELPER_SM3_FINAL);
    pad_and_output(ctx, 0, 0, digest);
    memset(ctx, 0, sizeof *ctx);
}
