/*
 * Runs sign-14 on heap blocks of exact size and on hostile input, for the address and undefined behaviour sanitizers.
 * Reads the seed of the generator (64 bytes) and a message from standard input and writes the signature.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drng.h"
#include "params.h"
#include "sig.h"

DRNG_ctx drng_algorithm;

enum {
    SEED_BYTES = 64,
    MESSAGE_MAX = 1024
};

static unsigned char *block(size_t bytes)
{
    unsigned char *p = malloc(bytes);

    if (!p)
        exit(2);
    return p;
}

static void fail(const char *what)
{
    fputs(what, stderr);
    exit(1);
}

int main(void)
{
    /* Beginnings of all parts: what is changed there is hashed, decoded or expanded. */
    static const int parts[] = {LYNX_AT_U_TILDE, LYNX_AT_NODES, LYNX_AT_CHALLENGE3};
    unsigned long long pk_len = LYNX_PUBLIC_KEY_BYTES, sk_len = LYNX_SECRET_KEY_BYTES, sn_len = LYNX_SIGNATURE_BYTES;
    unsigned char *pk = block(LYNX_PUBLIC_KEY_BYTES), *sk = block(LYNX_SECRET_KEY_BYTES);
    unsigned char *sn = block(LYNX_SIGNATURE_BYTES), *wrong = block(LYNX_SIGNATURE_BYTES);
    unsigned char seed[SEED_BYTES], read[MESSAGE_MAX], *message;
    size_t length;
    DRNG_ctx noise;

    if (fread(seed, 1, sizeof seed, stdin) != sizeof seed)
        fail("no seed");
    length = fread(read, 1, sizeof read, stdin);
    message = block(length);
    memcpy(message, read, length);
    init_random_number(&drng_algorithm, seed, sizeof seed);
    init_random_number(&noise, (const unsigned char *)"noise", 5);

    if (sig_keygen(pk, &pk_len, sk, &sk_len) || sig_sign(sk, sk_len, message, length, sn, &sn_len))
        fail("no signature");
    if (sig_verify(pk, pk_len, sn, sn_len, message, length))
        fail("own signature rejected");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        memcpy(wrong, sn, LYNX_SIGNATURE_BYTES);
        wrong[parts[i]] ^= 1;
        if (sig_verify(pk, pk_len, wrong, sn_len, message, length) == 0)
            fail("altered signature accepted");
    }
    for (int i = 0; i < 4; i++) {
        /* Noise whose challenge has the zeros that it must have: every second time the opening is empty. */
        get_random_number(&noise, wrong, 8 * LYNX_SIGNATURE_BYTES);
        wrong[LYNX_AT_CHALLENGE3 + LYNX_BYTES - 1] = 0;
        wrong[LYNX_AT_CHALLENGE3 + LYNX_BYTES - 2] = 0;
        if (i % 2)
            memset(wrong + LYNX_AT_NODES, 0, LYNX_OPEN_MAX * LYNX_BYTES);
        if (i > 1)
            memset(wrong + LYNX_AT_CHALLENGE3, i == 2 ? 0 : 0xff, LYNX_BYTES - 2);
        if (sig_verify(pk, pk_len, wrong, sn_len, message, length) == 0)
            fail("noise accepted");
    }
    memset(wrong, 0xff, LYNX_SIGNATURE_BYTES);
    if (sig_verify(pk, pk_len, wrong, sn_len, message, length) == 0)
        fail("ones accepted");
    fwrite(sn, 1, LYNX_SIGNATURE_BYTES, stdout);
    free(pk);
    free(sk);
    free(sn);
    free(wrong);
    free(message);
    return 0;
}
