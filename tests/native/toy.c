/*
 * A signature scheme that signs nothing, for tests of the harness: quick, over the helper functions, and with places
 * where a test puts a misbehaviour (-DIN_SIGN=... and so on; a statement or several).
 *
 * sk = 32 random bytes || pk, pk = SM3 of these, sn = 32 random bytes || SM3(pk || random || m).
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "auxfunc.h"
#include "drng.h"
#include "sm3.h"

#ifndef PK_BYTES
#define PK_BYTES 32
#endif
#ifndef SK_BYTES
#define SK_BYTES 64
#endif
#ifndef SN_BYTES
#define SN_BYTES 64
#endif
#ifndef ON_LOAD
#define ON_LOAD
#endif
#ifndef IN_KEYGEN
#define IN_KEYGEN
#endif
#ifndef IN_SIGN
#define IN_SIGN
#endif
#ifndef IN_VERIFY
#define IN_VERIFY
#endif
#ifndef IN_HASH
#define IN_HASH
#endif

typedef unsigned long long length_t;

extern DRNG_ctx drng_algorithm;

/* One line on stderr: a word and bytes in hex. */
void trace(const char *word, const unsigned char *bytes, length_t count);
void trace(const char *word, const unsigned char *bytes, length_t count)
{
    fprintf(stderr, "%s ", word);
    for (length_t i = 0; i < count; i++)
        fprintf(stderr, "%02x", bytes[i]);
    fprintf(stderr, "\n");
}

static int calls;    /* of any operation, so far */

__attribute__((constructor)) static void on_load(void)
{
    calls = 0;
    ON_LOAD
}

length_t sig_get_pk_len_bytes(void)
{
    return PK_BYTES;
}

length_t sig_get_sk_len_bytes(void)
{
    return SK_BYTES;
}

length_t sig_get_sn_len_bytes(void)
{
    return SN_BYTES;
}

int sig_keygen(unsigned char *pk, length_t *pk_len, unsigned char *sk, length_t *sk_len)
{
    calls++;
    if (*pk_len != PK_BYTES || *sk_len != SK_BYTES)
        return -100;
    get_random_number(&drng_algorithm, sk, 256);
    sm3hash(256, sk, 256, pk);
    memcpy(sk + 32, pk, 32);
    *pk_len = 32;
    *sk_len = 64;
    IN_KEYGEN
    return 0;
}

static void tag(const unsigned char *pk, const unsigned char *random, const unsigned char *m, length_t m_len,
                unsigned char out[32])
{
    unsigned char all[128];

    memcpy(all, pk, 32);
    memcpy(all + 32, random, 32);
    memcpy(all + 64, m, m_len);
    sm3hash(256, all, 8 * (64 + m_len), out);
}

int sig_sign(unsigned char *sk, length_t sk_len, unsigned char *m, length_t m_len, unsigned char *sn, length_t *sn_len)
{
    calls++;
    if (*sn_len != SN_BYTES || sk_len != 64 || m_len != 64)
        return -100;
    get_random_number(&drng_algorithm, sn, 256);
    tag(sk + 32, sn, m, m_len, sn + 32);
    *sn_len = 64;
    IN_SIGN
    return 0;
}

int sig_verify(unsigned char *pk, length_t pk_len, unsigned char *sn, length_t sn_len, unsigned char *m, length_t m_len)
{
    unsigned char expected[32];

    calls++;
    if (pk_len != 32 || sn_len != 64 || m_len != 64)
        return -100;
    tag(pk, sn, m, m_len, expected);
    IN_VERIFY
    return memcmp(expected, sn + 32, 32) ? -1 : 0;
}

int crypto_hash(int digest_bits, const unsigned char *msg, length_t msg_bits, unsigned char *digest)
{
    calls++;
    IN_HASH
    return sm3hash(digest_bits, msg, msg_bits, digest);
}
