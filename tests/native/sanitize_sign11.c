/*
 * Record 0 of the official KAT on heap blocks of exact size, then hostile input, for the address and undefined behaviour
 * sanitizers.  Arguments: seed and message in hex.  Prints the signature in hex.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drng.h"
#include "params.h"
#include "sig.h"

DRNG_ctx drng_algorithm;

static unsigned char *block(unsigned long long bytes)
{
    unsigned char *p = malloc(bytes);

    if (!p)
        exit(2);
    return p;
}

static void fail(const char *what)
{
    puts(what);
    exit(1);
}

static unsigned char *from_hex(const char *text, unsigned long long *bytes)
{
    unsigned char *p;
    unsigned value;

    *bytes = strlen(text) / 2;
    p = block(*bytes);
    for (unsigned long long i = 0; i < *bytes; i++) {
        if (sscanf(text + 2 * i, "%2x", &value) != 1)
            exit(2);
        p[i] = (unsigned char)value;
    }
    return p;
}

/* What is verified, with the message behind it. */
typedef struct {
    unsigned char *pk, *sn, *message;
    unsigned long long message_bytes;
} signed_message;

static void reject(const signed_message *s, const unsigned char *wrong, unsigned long long bytes)
{
    if (sig_verify(s->pk, FT_PUBLIC_KEY_BYTES, wrong, bytes, s->message, s->message_bytes) == 0)
        fail("wrong signature accepted");
}

/* A bit of every part; the parts are where the next one begins. */
static void flip(const signed_message *s, unsigned char *wrong)
{
    const unsigned slots = FT_N + FT_COUNTER_BYTES + FT_OPENED_BYTES, first = FT_N + FT_PORS_BYTES;
    const unsigned after[] = {FT_N, FT_N + FT_COUNTER_BYTES, slots, slots + FT_N, first + FT_CHAINS_BYTES,
                              first + FT_BLOCK_BYTES(FT_MOST_HEIGHT), FT_SIGNATURE_BYTES - FT_N, FT_SIGNATURE_BYTES};

    for (unsigned i = 0; i < sizeof after / sizeof *after; i++) {
        memcpy(wrong, s->sn, FT_SIGNATURE_BYTES);
        wrong[after[i] - 1] ^= 4;
        reject(s, wrong, FT_SIGNATURE_BYTES);
    }
}

/* Bytes and lengths that no signing gives. */
static void distort(const signed_message *s, unsigned char *wrong)
{
    unsigned char *exact = block(FT_N);
    DRNG_ctx noise;

    init_random_number(&noise, (const unsigned char *)"noise", 5);
    for (int value = 0; value < 256; value += 255) {
        memset(wrong, value, FT_SIGNATURE_BYTES);
        reject(s, wrong, FT_SIGNATURE_BYTES);
        /* The counter 0 is a valid start of the few-time signature in some instances: go on with constant nodes. */
        memcpy(wrong, s->sn, FT_N + FT_COUNTER_BYTES);
        reject(s, wrong, FT_SIGNATURE_BYTES);
    }
    for (int i = 0; i < 20; i++) {
        get_random_number(&noise, wrong, 8ull * FT_SIGNATURE_BYTES);
        reject(s, wrong, FT_SIGNATURE_BYTES);
    }
    memcpy(exact, s->sn, FT_N);
    reject(s, exact, FT_N);
    reject(s, exact, 0);
    reject(s, s->sn, FT_SIGNATURE_BYTES + 1);
    free(exact);
}

int main(int argc, char **argv)
{
    unsigned char *pk = block(FT_PUBLIC_KEY_BYTES), *sk = block(FT_SECRET_KEY_BYTES), *sn = block(FT_SIGNATURE_BYTES);
    unsigned char *wrong = block(FT_SIGNATURE_BYTES), *seed;
    unsigned long long seed_bytes, pk_len, sk_len, sn_len;
    signed_message s = {pk, sn, NULL, 0};

    if (argc != 3)
        return 2;
    seed = from_hex(argv[1], &seed_bytes);
    s.message = from_hex(argv[2], &s.message_bytes);
    init_random_number(&drng_algorithm, seed, seed_bytes);
    if (sig_keygen(pk, &pk_len, sk, &sk_len) || sig_sign(sk, sk_len, s.message, s.message_bytes, sn, &sn_len))
        fail("no signature");
    if (sig_verify(pk, pk_len, sn, sn_len, s.message, s.message_bytes))
        fail("own signature rejected");
    for (unsigned long long i = 0; i < sn_len; i++)
        printf("%02x", sn[i]);
    puts("");
    flip(&s, wrong);
    distort(&s, wrong);
    free(pk);
    free(sk);
    free(sn);
    free(wrong);
    free(seed);
    free(s.message);
    return 0;
}
