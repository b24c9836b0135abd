/* The signature interface of the ICCS programme; all lengths in bytes. */
#ifndef FT_SIG_H
#define FT_SIG_H

enum {
    FT_OK = 0,
    FT_INVALID = -1,      /* signature malformed, of wrong length or not of this message and key */
    FT_NO_SIGNATURE = -1, /* signing: a search ended without result, which is not expected to happen */
    FT_NULL = -2,         /* a null pointer, also for an empty message */
    FT_KEY_LENGTH = -3,   /* length of the key wrong */
    FT_NO_MEMORY = -5     /* no memory for a copy of the message */
};

unsigned long long sig_get_pk_len_bytes(void);
unsigned long long sig_get_sk_len_bytes(void);
unsigned long long sig_get_sn_len_bytes(void);

/*
 * Draws a key pair from drng_algorithm.  pk and sk have room for the lengths above, which are written to *pk_len and
 * *sk_len.  FT_OK or FT_NULL.
 */
int sig_keygen(unsigned char *pk, unsigned long long *pk_len, unsigned char *sk, unsigned long long *sk_len);

/*
 * Signs m, drawing from drng_algorithm once.  sn has room for the length above, which is written to *sn_len.
 * FT_OK, FT_NULL, FT_KEY_LENGTH, FT_NO_MEMORY or FT_NO_SIGNATURE.
 */
int sig_sign(const unsigned char *sk, unsigned long long sk_len, const unsigned char *m, unsigned long long m_len,
             unsigned char *sn, unsigned long long *sn_len);

/* FT_OK when sn is a signature of m under pk, else the first of the codes above that applies. */
int sig_verify(const unsigned char *pk, unsigned long long pk_len, const unsigned char *sn, unsigned long long sn_len,
               const unsigned char *m, unsigned long long m_len);

#endif
