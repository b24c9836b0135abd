/*
 * A signature without security and without hashing, for tests: the keys are 32 drawn bytes, a signature is 16 drawn bytes
 * and the key masked with the message folded to 32 bytes.  A -D chooses one way to misbehave.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "drng.h"

enum { KEY = 32, NONCE = 16, SIGNATURE = NONCE + KEY };

#ifndef DECLARED
#define DECLARED SIGNATURE
#endif
#ifndef KEYGEN_CODE
#define KEYGEN_CODE 0
#endif
#ifndef LONGER
#define LONGER 0
#endif
#ifndef BEFORE
#define BEFORE 0
#endif
#ifndef PAST
#define PAST 0
#endif

extern DRNG_ctx drng_algorithm;

unsigned long long sig_get_pk_len_bytes(void);
unsigned long long sig_get_sk_len_bytes(void);
unsigned long long sig_get_sn_len_bytes(void);
int sig_keygen(unsigned char *pk, unsigned long long *pk_len, unsigned char *sk, unsigned long long *sk_len);
int sig_sign(unsigned char *sk, unsigned long long sk_len, unsigned char *m, unsigned long long m_len,
             unsigned char *sn, unsigned long long *sn_len);
int sig_verify(unsigned char *pk, unsigned long long pk_len, unsigned char *sn, unsigned long long sn_len,
               unsigned char *m, unsigned long long m_len);

#ifdef HANG_AT_LOAD
__attribute__((constructor)) static void load(void)
{
    for (;;)
        pause();
}
#endif

#ifdef CRASH_AT_EXIT
__attribute__((destructor)) static void unload(void)
{
    raise(SIGSEGV);
}
#endif

#ifdef EAT
/* Takes all memory there is and copes with the refusal. */
static int eat(void)
{
    unsigned char *piece;
    size_t i;

    while ((piece = malloc(4 << 20)) != NULL)
        for (i = 0; i < 4 << 20; i += 4096)
            ((volatile unsigned char *)piece)[i] = 1;
    return -2;
}
#endif

unsigned long long sig_get_pk_len_bytes(void) { return KEY; }
unsigned long long sig_get_sk_len_bytes(void) { return KEY; }
unsigned long long sig_get_sn_len_bytes(void) { return DECLARED; }

static void mask(const unsigned char *key, const unsigned char *m, unsigned long long m_len, unsigned char *out)
{
    memcpy(out, key, KEY);
    for (unsigned long long i = 0; i < m_len; i++)
        out[i % KEY] ^= m[i];
}

int sig_keygen(unsigned char *pk, unsigned long long *pk_len, unsigned char *sk, unsigned long long *sk_len)
{
    get_random_number(&drng_algorithm, sk, 8 * KEY);
    memcpy(pk, sk, KEY);
    *pk_len = *sk_len = KEY;
    return KEYGEN_CODE;
}

int sig_sign(unsigned char *sk, unsigned long long sk_len, unsigned char *m, unsigned long long m_len,
             unsigned char *sn, unsigned long long *sn_len)
{
    static int calls;

    (void)sk_len;
    get_random_number(&drng_algorithm, sn, 8 * NONCE);
    mask(sk, m, m_len, sn + NONCE);
    *sn_len = SIGNATURE + LONGER;
    if (BEFORE)
        sn[-BEFORE] ^= 1;
    if (PAST)
        sn[DECLARED + PAST - 1] ^= 1;
#ifdef EAT
    return eat();
#endif
#ifdef EXIT_CODE
    _exit(EXIT_CODE);
#endif
#ifdef CRASH_IN
    if (calls == CRASH_IN)
        raise(SIGILL);
#endif
#ifdef HANG_IN
    while (calls == HANG_IN)
        pause();
#endif
#ifdef DIFFER_IN
    if (calls == DIFFER_IN)
        sn[0] ^= 1;
#endif
    calls++;
    return 0;
}

#ifndef WITHOUT_VERIFY
int sig_verify(unsigned char *pk, unsigned long long pk_len, unsigned char *sn, unsigned long long sn_len,
               unsigned char *m, unsigned long long m_len)
{
    unsigned char expected[KEY];

    (void)pk_len;
    (void)sn_len;
    mask(pk, m, m_len, expected);
#if defined ACCEPT
    return 0;
#elif defined REJECT
    return -5;
#else
    return memcmp(expected, sn + NONCE, KEY) ? -1 : 0;
#endif
}
#endif
