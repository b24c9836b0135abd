/* Big-endian integers. */
#ifndef FT_BYTES_H
#define FT_BYTES_H

#include <stdint.h>

static inline void store_be32(unsigned char *bytes, uint32_t word)
{
    bytes[0] = (unsigned char)(word >> 24);
    bytes[1] = (unsigned char)(word >> 16);
    bytes[2] = (unsigned char)(word >> 8);
    bytes[3] = (unsigned char)word;
}

/* Of at most 8 bytes. */
static inline uint64_t load_be(const unsigned char *bytes, unsigned count)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < count; i++)
        value = value << 8 | bytes[i];
    return value;
}

#endif
