/* The signature interface of the ICCS programme; all lengths in bytes. */
#ifndef TRINE_SIG_H
#define TRINE_SIG_H

enum {
    TRINE_OK = 0,
    TRINE_INVALID = -1,    /* signature or public key malformed, or the signature not of this message and key */
    TRINE_NULL = -2,       /* a null pointer; that of an empty message may be null */
    TRINE_KEY_LENGTH = -3, /* length of the key wrong */
    TRINE_NO_MEMORY = -5
};

unsigned long long sig_get_pk_len_bytes(void);
unsigned long long sig_get_sk_len_bytes(void);
unsigned long long sig_get_sn_len_bytes(void);

/*
 * Draws a key pair from drng_algorithm.  pk and sk have room for the lengths above, which are written to *pk_len and
 * *sk_len.  TRINE_OK, TRINE_NULL or TRINE_NO_MEMORY.  Like the other two not to be called by two threads at once.
 */
int sig_keygen(unsigned char *pk, unsigned long long *pk_len, unsigned char *sk, unsigned long long *sk_len);

/*
 * Signs m, drawing from drng_algorithm twice.  sn has room for the length above, which is written to *sn_len.
 * TRINE_OK, TRINE_NULL, TRINE_KEY_LENGTH or TRINE_NO_MEMORY.
 */
int sig_sign(const unsigned char *sk, unsigned long long sk_len, const unsigned char *m, unsigned long long m_len,
             unsigned char *sn, unsigned long long *sn_len);

/* TRINE_OK when sn is a signature of m under pk, else one of the codes above. */
int sig_verify(const unsigned char *pk, unsigned long long pk_len, const unsigned char *sn, unsigned long long sn_len,
               const unsigned char *m, unsigned long long m_len);

#endif
