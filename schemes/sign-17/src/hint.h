/* The hint of a signature: which coefficients of w change their class.  Public, so nothing here is constant time. */
#ifndef OPS_HINT_H
#define OPS_HINT_H

#include "poly.h"

typedef struct {
    unsigned short positions[OPS_OMEGA]; /* polynomial by polynomial, increasing; unused ones 0 */
    unsigned char ends[OPS_K];           /* number of positions in polynomials 0 to i */
} hint;

void ops_hint_pack(unsigned char out[OPS_HINT_BYTES], const hint *h);

/* 0 when `in` is the one encoding of a hint, else -1.  Then positions are below N and ends do not exceed OMEGA. */
int ops_hint_unpack(hint *h, const unsigned char in[OPS_HINT_BYTES]);

#endif
