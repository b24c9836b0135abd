/*
 * The hint of a signature: which coefficients of w change their class.  It is made for accepted attempts only and then
 * public, so nothing here is constant time.
 */
#ifndef OPS_HINT_H
#define OPS_HINT_H

#include "poly.h"

typedef struct {
    unsigned short positions[OPS_OMEGA]; /* polynomial by polynomial, increasing; unused ones 0 */
    unsigned char ends[OPS_K];           /* number of positions in polynomials 0 to i */
} hint;

/*
 * The hint that leads a verifier to the classes w1, where w0 is what is left of w over w1 without the part that the
 * public key lacks.  0, or -1 when it has more than OMEGA ones.
 */
int ops_hint_make(hint *h, const poly w1[OPS_K], const poly w0[OPS_K]);

void ops_hint_pack(unsigned char out[OPS_HINT_BYTES], const hint *h);

/* 0 when `in` is the one encoding of a hint, else -1.  Then positions are below N and ends do not exceed OMEGA. */
int ops_hint_unpack(hint *h, const unsigned char in[OPS_HINT_BYTES]);

#endif
