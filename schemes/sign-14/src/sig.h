/* The signature interface of Lynxer.  A program that links it defines `DRNG_ctx drng_algorithm`. */
#ifndef LYNX_SIG_H
#define LYNX_SIG_H

enum {
    LYNX_OK = 0,
    LYNX_INVALID = -1,   /* a null pointer, a wrong length, not a signature of this message and key */
    LYNX_NO_MEMORY = -5
};

/* Lengths in bytes. */
unsigned long long sig_get_pk_len_bytes(void);
unsigned long long sig_get_sk_len_bytes(void);
unsigned long long sig_get_sn_len_bytes(void);

/* Draws a key pair from drng_algorithm; the buffers have room for the lengths above, which are written to the _len. */
int sig_keygen(unsigned char *pk, unsigned long long *pk_len, unsigned char *sk, unsigned long long *sk_len);

/*
 * Signs m, drawing from drng_algorithm once.  sn has room for the length above, which is written to *sn_len; m may be
 * null when it is empty.
 */
int sig_sign(const unsigned char *sk, unsigned long long sk_len, const unsigned char *m, unsigned long long m_len,
             unsigned char *sn, unsigned long long *sn_len);

/* LYNX_OK when sn is a signature of m under pk. */
int sig_verify(const unsigned char *pk, unsigned long long pk_len, const unsigned char *sn, unsigned long long sn_len,
               const unsigned char *m, unsigned long long m_len);

#endif
