/* The two universal hashes. */
#ifndef LYNX_UHASH_H
#define LYNX_UHASH_H

#include "field.h"

/* VOLEHash of a column of LYNX_COLUMN_BYTES bytes. */
void lynx_hash_column(unsigned char out[LYNX_UHASH_BYTES], const unsigned char challenge[LYNX_CHALLENGE1_BYTES],
                      const unsigned char *column);

/* ZKHash of three elements, `mask` added. */
void lynx_hash_triple(fe *out, const unsigned char challenge[LYNX_CHALLENGE2_BYTES], const fe z[3], const fe *mask);

#endif
