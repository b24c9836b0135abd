#include "inputs.h"

void ngcc_seed_of(int varied, uint64_t trial, unsigned char seed[NGCC_SEED_BYTES])
{
    for (int i = 0; i < NGCC_SEED_BYTES; i++)
        seed[i] = (unsigned char)i;
    if (varied) {
        seed[NGCC_SEED_BYTES - 1] = (unsigned char)(seed[NGCC_SEED_BYTES - 1] + trial);
        seed[NGCC_SEED_BYTES - 2] = (unsigned char)(seed[NGCC_SEED_BYTES - 2] + (trial >> 8));
    }
}

static unsigned char base_byte(size_t i, size_t bytes)
{
    return (unsigned char)(131 * i + bytes);
}

void ngcc_message_base(unsigned char *message, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        message[i] = base_byte(i, bytes);
}

void ngcc_message_vary(unsigned char *message, size_t bytes, uint64_t number)
{
    for (size_t i = 0; i < 8 && i < bytes; i++)
        message[i] = number ? (unsigned char)(number >> 8 * i) : base_byte(i, bytes);
}
