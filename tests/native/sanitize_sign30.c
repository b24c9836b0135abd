/* Runs the keys of record 0 of sign-30 and hostile input on heap blocks of exact size, for the sanitizers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drng.h"
#include "sig.h"

DRNG_ctx drng_algorithm;

enum {
    MESSAGE_BYTES = 56,
    HOSTILE_ROUNDS = 4
};

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

/* Seed and message of the first official record. */
static void first_record(unsigned char message[MESSAGE_BYTES])
{
    unsigned char seed[64], nonce[64];
    DRNG_ctx drng;

    for (int i = 0; i < 64; i++)
        nonce[i] = (unsigned char)"seed"[i % 4];
    init_random_number(&drng, nonce, sizeof nonce);
    get_random_number(&drng, seed, 8 * sizeof seed);
    init_random_number(&drng_algorithm, seed, sizeof seed);
    for (int i = 0; i < 63; i++)
        nonce[i] = (unsigned char)"msg"[i % 3];
    nonce[63] = 'm';
    init_random_number(&drng, nonce, sizeof nonce);
    get_random_number(&drng, message, 8 * MESSAGE_BYTES);
}

/* Signatures and keys that lead as far into verification as bytes without a secret can. */
static void hostile(unsigned char *pk, unsigned long long pk_len, unsigned char *sn, unsigned long long sn_len)
{
    const unsigned char message[1] = {0};
    DRNG_ctx noise;

    init_random_number(&noise, (const unsigned char *)"noise", 5);
    for (unsigned long long length = 0; length < 40; length++)
        if (sig_verify(pk, pk_len, sn, length, message, 1) == 0)
            fail("cut signature accepted");
    memset(sn, 0, sn_len); /* zero responses: no canonical form */
    if (sig_verify(pk, pk_len, sn, sn_len, message, 1) == 0)
        fail("zeros accepted");
    for (int i = 0; i < HOSTILE_ROUNDS; i++) {
        get_random_number(&noise, sn, 8 * sn_len);
        if (i > 0) /* all elements below q */
            for (unsigned long long j = 0; j < sn_len; j++)
                sn[j] &= 0x77;
        if (sig_verify(pk, pk_len, sn, sn_len, message, 1) == 0)
            fail("noise accepted");
    }
    memset(pk + 64, 0, 20000 < pk_len - 64 ? 20000 : pk_len - 64); /* a form of zeros */
    if (sig_verify(pk, pk_len, sn, sn_len, message, 1) == 0)
        fail("zero form accepted");
    memset(sn, 0xff, sn_len);
    memset(pk, 0xff, pk_len);
    if (sig_verify(pk, pk_len, sn, sn_len, message, 1) == 0)
        fail("ones accepted");
}

static void sign_and_verify(const unsigned char *pk, unsigned long long pk_len, const unsigned char *sk,
                            unsigned long long sk_len, unsigned char *sn, const unsigned char *message)
{
    unsigned long long sn_len;

    if (sig_sign(sk, sk_len, message, MESSAGE_BYTES, sn, &sn_len))
        fail("no signature");
    if (sig_verify(pk, pk_len, sn, sn_len, message, MESSAGE_BYTES))
        fail("own signature rejected");
}

/* With any argument the record's signature is made and verified too, which takes a minute. */
int main(int argc, char **argv)
{
    unsigned long long pk_len = sig_get_pk_len_bytes(), sk_len = sig_get_sk_len_bytes();
    unsigned long long sn_len = sig_get_sn_len_bytes();
    unsigned char *pk = block(pk_len), *sk = block(sk_len), *sn = block(sn_len), *message = block(MESSAGE_BYTES);

    (void)argv;
    first_record(message);
    if (sig_keygen(pk, &pk_len, sk, &sk_len))
        fail("no key");
    if (argc > 1)
        sign_and_verify(pk, pk_len, sk, sk_len, sn, message);
    hostile(pk, pk_len, sn, sn_len);
    free(pk);
    free(sk);
    free(sn);
    free(message);
    puts("good");
    return 0;
}
