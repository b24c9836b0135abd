/* The functions of a candidate's signature scheme, as the ICCS interface has them.  Lengths are in bytes. */
#ifndef NGCC_SCHEME_H
#define NGCC_SCHEME_H

#include "operation.h"

struct ngcc_scheme {
    unsigned long long (*pk_len_bytes)(void);
    unsigned long long (*sk_len_bytes)(void);
    unsigned long long (*sn_len_bytes)(void);
    int (*keygen)(unsigned char *pk, unsigned long long *pk_len, unsigned char *sk, unsigned long long *sk_len);
    int (*sign)(unsigned char *sk, unsigned long long sk_len, unsigned char *m, unsigned long long m_len,
                unsigned char *sn, unsigned long long *sn_len);
    int (*verify)(unsigned char *pk, unsigned long long pk_len, unsigned char *sn, unsigned long long sn_len,
                  unsigned char *m, unsigned long long m_len);
};

/* Loads the library and finds all six.  0, or -1 with a tally. */
int ngcc_scheme_load(struct ngcc_scheme *scheme, struct ngcc_tally *tally);

#endif
