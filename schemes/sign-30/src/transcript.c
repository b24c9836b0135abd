#include "transcript.h"

#include <string.h>

#if TRINE_LEVEL == 128

void trine_transcript_open(trine_transcript *t)
{
    sm3_init(&t->plain);
}

void trine_transcript_add(trine_transcript *t, const unsigned char *bytes, unsigned long long count)
{
    sm3_update(&t->plain, bytes, count);
}

void trine_transcript_digest(trine_transcript *t, unsigned char digest[TRINE_DIGEST_BYTES])
{
    sm3_final(&t->plain, digest);
}

#else

/*
 * pseudohash of 512 or 1024 bits: k1 = HMAC(tag || input) and h1 = SM3(input || tag) read the input, all the rest
 * follows from these two.
 */
enum {
    BLOCK = 64,
    DIGEST = 32
};

static const unsigned char tag[2] = {TRINE_LEVEL / 128, 0};

/* Starts a hash with the key of the programme's HMAC, every byte combined with `pad`. */
static void begin_keyed(sm3_ctx *ctx, unsigned char pad)
{
    unsigned char key[BLOCK];

    sm3_init(ctx);
    sm3_update(ctx, (const unsigned char *)"3.14159265358979", 16);
    sm3_final(ctx, key);
    sm3_init(ctx);
    sm3_update(ctx, (const unsigned char *)"2.71828182845904", 16);
    sm3_final(ctx, key + DIGEST);
    for (int i = 0; i < BLOCK; i++)
        key[i] ^= pad;
    sm3_init(ctx);
    sm3_update(ctx, key, sizeof key);
}

static void end_keyed(sm3_ctx *inner, unsigned char mac[DIGEST])
{
    unsigned char digest[DIGEST];
    sm3_ctx outer;

    sm3_final(inner, digest);
    begin_keyed(&outer, 0x5c);
    sm3_update(&outer, digest, sizeof digest);
    sm3_final(&outer, mac);
}

/* SM3 of `count` digests in a row. */
static void hash_digests(unsigned char out[DIGEST], const unsigned char *digests, int count)
{
    sm3_ctx ctx;

    sm3_init(&ctx);
    sm3_update(&ctx, digests, (unsigned long long)count * DIGEST);
    sm3_final(&ctx, out);
}

void trine_transcript_open(trine_transcript *t)
{
    sm3_init(&t->plain);
    begin_keyed(&t->keyed, 0x36);
    sm3_update(&t->keyed, tag, sizeof tag);
}

void trine_transcript_add(trine_transcript *t, const unsigned char *bytes, unsigned long long count)
{
    sm3_update(&t->plain, bytes, count);
    sm3_update(&t->keyed, bytes, count);
}

#if TRINE_LEVEL == 512
static void mac_of_digest(unsigned char mac[DIGEST], const unsigned char digest[DIGEST])
{
    sm3_ctx inner;

    begin_keyed(&inner, 0x36);
    sm3_update(&inner, digest, DIGEST);
    end_keyed(&inner, mac);
}
#endif

void trine_transcript_digest(trine_transcript *t, unsigned char digest[TRINE_DIGEST_BYTES])
{
    unsigned char *const h1 = digest, *const h2 = digest + DIGEST, joined[3 * DIGEST];

    sm3_update(&t->plain, tag, sizeof tag);
    sm3_final(&t->plain, h1);
    end_keyed(&t->keyed, joined); /* k1 */
    memcpy(joined + DIGEST, h1, DIGEST);
    hash_digests(h2, joined, 2);
#if TRINE_LEVEL == 512
    unsigned char *const h3 = digest + 2 * DIGEST, *const h4 = digest + 3 * DIGEST;

    memcpy(joined, h2, DIGEST);
    mac_of_digest(joined + DIGEST, h1); /* k2 */
    hash_digests(h3, joined, 2);
    mac_of_digest(joined, h2); /* k3 */
    memcpy(joined + DIGEST, h3, DIGEST);
    mac_of_digest(joined + 2 * DIGEST, h3); /* k4 */
    hash_digests(h4, joined, 3);
#endif
}

#endif
