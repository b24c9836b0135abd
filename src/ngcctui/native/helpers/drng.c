/* Hash_DRBG of NIST SP 800-90A, section 10.1.1, with SM3. */
#include "drng.h"

#include <string.h>

#include "profile_hook.h"
#include "sm3_core.h"

/* sum += addend modulo 2^440; big-endian, the addend of at most DRNG_SEED_BYTES bytes. */
static void add(unsigned char sum[DRNG_SEED_BYTES], const unsigned char *addend, int bytes)
{
    unsigned carry = 0;

    for (int i = DRNG_SEED_BYTES - 1; i >= 0; i--) {
        if (bytes > 0)
            carry += addend[--bytes];
        carry += sum[i];
        sum[i] = (unsigned char)carry;
        carry >>= 8;
    }
}

/* Hash_df (section 10.3.1) for 440 bits: two digests over block number, length and input, cut. */
static void hash_df(unsigned char out[DRNG_SEED_BYTES], const unsigned char *in, unsigned long long bytes)
{
    unsigned char header[5] = {0, 0x00, 0x00, 0x01, 0xb8}, digests[2 * SM3_DIGEST_BYTES];

    for (int i = 0; i < 2; i++) {
        sm3_ctx ctx;

        header[0] = (unsigned char)(i + 1);
        iccs_sm3_begin(&ctx);
        iccs_sm3_absorb(&ctx, header, sizeof header);
        iccs_sm3_finish(&ctx, in, 8 * bytes, NULL, 0, digests + i * SM3_DIGEST_BYTES);
    }
    memcpy(out, digests, DRNG_SEED_BYTES);
}

int init_random_number(DRNG_ctx *drng, const unsigned char *seed, unsigned long long seed_bytes)
{
    unsigned char zero_and_v[1 + DRNG_SEED_BYTES] = {0};

    hash_df(drng->v, seed, seed_bytes);
    memcpy(zero_and_v + 1, drng->v, DRNG_SEED_BYTES);
    hash_df(drng->c, zero_and_v, sizeof zero_and_v);
    drng->counter = 1;
    return 0;
}

/* Hashgen (section 10.1.1.4): digests of V, V + 1, ..., cut to out_bits. */
static void generate(const unsigned char v[DRNG_SEED_BYTES], unsigned char *out, unsigned long long out_bits)
{
    static const unsigned char one = 1;
    unsigned char data[DRNG_SEED_BYTES], digest[SM3_DIGEST_BYTES];

    memcpy(data, v, sizeof data);
    while (out_bits > 0) {
        const unsigned bits = out_bits < 8 * sizeof digest ? (unsigned)out_bits : 8 * (unsigned)sizeof digest;
        const unsigned bytes = (bits + 7) / 8;
        sm3_ctx ctx;

        iccs_sm3_begin(&ctx);
        iccs_sm3_finish(&ctx, data, 8 * sizeof data, NULL, 0, digest);
        digest[bytes - 1] &= (unsigned char)(0xffu << (8 * bytes - bits));
        memcpy(out, digest, bytes);
        add(data, &one, 1);
        out += bytes;
        out_bits -= bits;
    }
}

int get_random_number(DRNG_ctx *drng, unsigned char *out, unsigned long long out_bits)
{
    static const unsigned char three = 3;
    unsigned char digest[SM3_DIGEST_BYTES], counter[8];
    sm3_ctx ctx;

    NGCC_HELPER_ENTERED(NGCC_HELPER_GET_RANDOM_NUMBER);
    generate(drng->v, out, out_bits);

    iccs_sm3_begin(&ctx);
    iccs_sm3_absorb(&ctx, &three, 1);
    iccs_sm3_finish(&ctx, drng->v, 8 * DRNG_SEED_BYTES, NULL, 0, digest);
    for (int i = 0; i < 8; i++)
        counter[i] = (unsigned char)(drng->counter >> (56 - 8 * i));
    add(drng->v, digest, sizeof digest);
    add(drng->v, drng->c, DRNG_SEED_BYTES);
    add(drng->v, counter, sizeof counter);
    drng->counter++;
    return 0;
}
