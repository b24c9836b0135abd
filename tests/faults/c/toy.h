/* A toy signature and the hook through which a mock makes it misbehave. */
#ifndef TOY_H
#define TOY_H

enum { KEY_BYTES = 32, NONCE_BYTES = 16, TAG_BYTES = 32, SALT_BYTES = 16 };
enum { SIGNATURE_BYTES = NONCE_BYTES + TAG_BYTES + SALT_BYTES };

enum operation { KEYGEN, SIGN, VERIFY };

/*
 * Called at the end of every operation; `out` holds its output and `length` the place of the output's length (both null
 * for verify).  What it returns other than 0 is returned by the operation.
 */
int misbehave(enum operation operation, unsigned char *out, unsigned long long *length);

unsigned long long sig_get_pk_len_bytes(void);
unsigned long long sig_get_sk_len_bytes(void);
unsigned long long sig_get_sn_len_bytes(void);
int sig_keygen(unsigned char *pk, unsigned long long *pk_len, unsigned char *sk, unsigned long long *sk_len);
int sig_sign(unsigned char *sk, unsigned long long sk_len, unsigned char *m, unsigned long long m_len,
             unsigned char *sn, unsigned long long *sn_len);
int sig_verify(unsigned char *pk, unsigned long long pk_len, unsigned char *sn, unsigned long long sn_len,
               unsigned char *m, unsigned long long m_len);

#endif
