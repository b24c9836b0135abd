/* Little-endian words; compilers turn both into one move. */
#ifndef OPS_BYTES_H
#define OPS_BYTES_H

#include <stdint.h>

static inline uint32_t load_le32(const unsigned char *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static inline void store_le32(unsigned char *bytes, uint32_t word)
{
    bytes[0] = (unsigned char)word;
    bytes[1] = (unsigned char)(word >> 8);
    bytes[2] = (unsigned char)(word >> 16);
    bytes[3] = (unsigned char)(word >> 24);
}

#endif
