/*
 * A toy signature: the public key is the secret key, a signature is nonce || SM3(key || nonce || SM3(message)) || salt.
 * It has every moving part of a candidate (draws, hashes, lengths) and no security.  The salt is zero and not checked.
 * With SLOW_NS every operation takes at least that long.
 */
#include "toy.h"

#include <string.h>
#include <time.h>

#include "auxfunc.h"
#include "drng.h"

#ifndef SLOW_NS
#define SLOW_NS 0
#endif

extern DRNG_ctx drng_algorithm;

unsigned long long sig_get_pk_len_bytes(void) { return KEY_BYTES; }
unsigned long long sig_get_sk_len_bytes(void) { return KEY_BYTES; }
unsigned long long sig_get_sn_len_bytes(void) { return SIGNATURE_BYTES; }

static int make_tag(const unsigned char *key, const unsigned char *nonce, const unsigned char *m,
                    unsigned long long m_len, unsigned char *tag)
{
    unsigned char block[KEY_BYTES + NONCE_BYTES + TAG_BYTES];

    memcpy(block, key, KEY_BYTES);
    memcpy(block + KEY_BYTES, nonce, NONCE_BYTES);
    if (sm3hash(256, m, 8 * m_len, block + KEY_BYTES + NONCE_BYTES) != 0)
        return -1;
    return sm3hash(256, block, 8 * sizeof block, tag);
}

static int end_of(enum operation operation, unsigned char *out, unsigned long long *length)
{
    struct timespec start, now;

    if (SLOW_NS > 0) {
        clock_gettime(CLOCK_MONOTONIC, &start);
        do
            clock_gettime(CLOCK_MONOTONIC, &now);
        while ((now.tv_sec - start.tv_sec) * 1000000000LL + (now.tv_nsec - start.tv_nsec) < SLOW_NS);
    }
    return misbehave(operation, out, length);
}

int sig_keygen(unsigned char *pk, unsigned long long *pk_len, unsigned char *sk, unsigned long long *sk_len)
{
    if (get_random_number(&drng_algorithm, sk, 8 * KEY_BYTES) != 0)
        return -1;
    memcpy(pk, sk, KEY_BYTES);
    *pk_len = KEY_BYTES;
    *sk_len = KEY_BYTES;
    return end_of(KEYGEN, pk, pk_len);
}

int sig_sign(unsigned char *sk, unsigned long long sk_len, unsigned char *m, unsigned long long m_len,
             unsigned char *sn, unsigned long long *sn_len)
{
    if (sk_len != KEY_BYTES || get_random_number(&drng_algorithm, sn, 8 * NONCE_BYTES) != 0)
        return -1;
    if (make_tag(sk, sn, m, m_len, sn + NONCE_BYTES) != 0)
        return -1;
    memset(sn + NONCE_BYTES + TAG_BYTES, 0, SALT_BYTES);
    *sn_len = SIGNATURE_BYTES;
    return end_of(SIGN, sn, sn_len);
}

int sig_verify(unsigned char *pk, unsigned long long pk_len, unsigned char *sn, unsigned long long sn_len,
               unsigned char *m, unsigned long long m_len)
{
    unsigned char tag[TAG_BYTES];

    if (pk_len != KEY_BYTES || sn_len != SIGNATURE_BYTES || make_tag(pk, sn, m, m_len, tag) != 0)
        return -1;
    if (memcmp(tag, sn + NONCE_BYTES, TAG_BYTES) != 0)
        return -1;
    return end_of(VERIFY, 0, 0);
}
