/* Packed polynomials: N codes of `bits` bits each, the least significant bit of the first code first.  Constant time. */
#ifndef OPS_PACK_H
#define OPS_PACK_H

#include "poly.h"

/* N * bits / 8 bytes of the coefficients themselves, all in [0, 2^bits). */
void ops_pack(unsigned char *out, unsigned bits, const poly *p);
void ops_unpack(poly *p, unsigned bits, const unsigned char *in);

/* The same with code = top - coefficient, for signed coefficients. */
void ops_pack_from(unsigned char *out, unsigned bits, int32_t top, const poly *p);
void ops_unpack_from(poly *p, unsigned bits, int32_t top, const unsigned char *in);

#endif
