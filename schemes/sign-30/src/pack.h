/* Elements as 12-bit fields, least significant bit first; an odd number of them leaves a zero high nibble. */
#ifndef TRINE_PACK_H
#define TRINE_PACK_H

#include <stdint.h>

/* Writes TRINE_PACKED_BYTES(count) bytes. */
void trine_pack(unsigned char *out, const int16_t *elements, int count);

/* 0, or -1 when an element is q or above or the spare nibble is not zero. */
int trine_unpack(int16_t *elements, const unsigned char *in, int count);

#endif
