/* Runs sign-17 on heap blocks of exact size and on hostile input, for the address and undefined behaviour sanitizers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drng.h"
#include "sig.h"

DRNG_ctx drng_algorithm;

enum {
    MESSAGE_BYTES = 61,
    HOSTILE_ROUNDS = 60
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

int main(void)
{
    unsigned long long pk_len = sig_get_pk_len_bytes(), sk_len = sig_get_sk_len_bytes();
    unsigned long long sn_len = sig_get_sn_len_bytes();
    unsigned char *pk = block(pk_len), *sk = block(sk_len), *sn = block(sn_len), *wrong = block(sn_len);
    unsigned char *message = block(MESSAGE_BYTES), *hostile_sk = block(sk_len);
    DRNG_ctx noise;

    init_random_number(&drng_algorithm, (const unsigned char *)"sanitizer", 9);
    init_random_number(&noise, (const unsigned char *)"noise", 5);
    get_random_number(&noise, message, 8 * MESSAGE_BYTES);
    for (int i = 0; i < 3; i++) {
        if (sig_keygen(pk, &pk_len, sk, &sk_len) || sig_sign(sk, sk_len, message, MESSAGE_BYTES, sn, &sn_len))
            fail("no signature");
        if (sig_verify(pk, pk_len, sn, sn_len, message, MESSAGE_BYTES))
            fail("own signature rejected");
    }
    for (int i = 0; i < HOSTILE_ROUNDS; i++) {
        unsigned char where[4], bits;

        /* A bit anywhere, a bit of the hint, then nothing but noise. */
        memcpy(wrong, sn, sn_len);
        get_random_number(&noise, where, 32);
        get_random_number(&noise, &bits, 8);
        wrong[(where[0] | (unsigned)where[1] << 8) % sn_len] ^= (unsigned char)(1u << bits % 8);
        if (sig_verify(pk, pk_len, wrong, sn_len, message, MESSAGE_BYTES) == 0)
            fail("altered signature accepted");
        memcpy(wrong, sn, sn_len);
        wrong[sn_len - 1 - where[2] % 100] = bits;
        sig_verify(pk, pk_len, wrong, sn_len, message, MESSAGE_BYTES);
        get_random_number(&noise, wrong, 8 * sn_len);
        if (sig_verify(pk, pk_len, wrong, sn_len, message, MESSAGE_BYTES) == 0)
            fail("noise accepted");
    }
    memset(wrong, 0xff, sn_len);
    sig_verify(pk, pk_len, wrong, sn_len, message, MESSAGE_BYTES);
    memset(pk, 0xff, pk_len);
    sig_verify(pk, pk_len, sn, sn_len, message, MESSAGE_BYTES);
    get_random_number(&noise, hostile_sk, 8 * sk_len);
    sig_sign(hostile_sk, sk_len, message, MESSAGE_BYTES, wrong, &sn_len);
    memset(hostile_sk, 0xff, sk_len);
    sig_sign(hostile_sk, sk_len, message, MESSAGE_BYTES, wrong, &sn_len);
    free(pk);
    free(sk);
    free(sn);
    free(wrong);
    free(message);
    free(hostile_sk);
    puts("good");
    return 0;
}
