/*
 * The interface of a signature scheme, to be filled in.  Lengths are in bytes; 0 means success.  A length that comes in
 * through a pointer is the size of the buffer, what goes out is the length used.  The functions below compile and fail.
 */
#include "auxfunc.h" /* sm3hash, pseudohash, pseudoXOF */
#include "drng.h"    /* get_random_number */
#include "sm3.h"     /* sm3_init, sm3_update, sm3_final */

/* The only source of randomness: the benchmark defines and seeds it.  get_random_number(&drng_algorithm, out, bits) */
extern DRNG_ctx drng_algorithm;

typedef unsigned long long bytes_t;

enum { PUBLIC_KEY = 32, SECRET_KEY = 64, SIGNATURE = 64, NOT_WRITTEN_YET = -1 };

bytes_t sig_get_pk_len_bytes(void)
{
    return PUBLIC_KEY;
}

bytes_t sig_get_sk_len_bytes(void)
{
    return SECRET_KEY;
}

bytes_t sig_get_sn_len_bytes(void)
{
    return SIGNATURE;
}

/* A key pair drawn from drng_algorithm. */
int sig_keygen(unsigned char *pk, bytes_t *pk_len, unsigned char *sk, bytes_t *sk_len)
{
    (void)pk;
    (void)pk_len;
    (void)sk;
    (void)sk_len;
    return NOT_WRITTEN_YET;
}

/* A signature of the message. */
int sig_sign(const unsigned char *sk, bytes_t sk_len, const unsigned char *m, bytes_t m_len, unsigned char *sn,
             bytes_t *sn_len)
{
    (void)sk;
    (void)sk_len;
    (void)m;
    (void)m_len;
    (void)sn;
    (void)sn_len;
    return NOT_WRITTEN_YET;
}

/* 0 for a good signature; it must be safe with any bytes and any lengths. */
int sig_verify(const unsigned char *pk, bytes_t pk_len, const unsigned char *sn, bytes_t sn_len,
               const unsigned char *m, bytes_t m_len)
{
    (void)pk;
    (void)pk_len;
    (void)sn;
    (void)sn_len;
    (void)m;
    (void)m_len;
    return NOT_WRITTEN_YET;
}
