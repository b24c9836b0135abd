/* Counts the calls of each helper across object files; linked with -Wl,--wrap. */
#include "drng.h"

unsigned long long calls_sm3hash, calls_pseudohash, calls_pseudoXOF, calls_get_random_number;

int __real_sm3hash(int digest_bits, const unsigned char *msg, unsigned long long msg_bits, unsigned char *digest);
int __wrap_sm3hash(int digest_bits, const unsigned char *msg, unsigned long long msg_bits, unsigned char *digest);
int __real_pseudohash(int digest_bits, const unsigned char *msg, unsigned long long msg_bits, unsigned char *digest);
int __wrap_pseudohash(int digest_bits, const unsigned char *msg, unsigned long long msg_bits, unsigned char *digest);
int __real_pseudoXOF(unsigned long long out_bits, const unsigned char *msg, unsigned long long msg_bits,
                     unsigned char *out);
int __wrap_pseudoXOF(unsigned long long out_bits, const unsigned char *msg, unsigned long long msg_bits,
                     unsigned char *out);
int __real_get_random_number(DRNG_ctx *drng, unsigned char *out, unsigned long long out_bits);
int __wrap_get_random_number(DRNG_ctx *drng, unsigned char *out, unsigned long long out_bits);

int __wrap_sm3hash(int digest_bits, const unsigned char *msg, unsigned long long msg_bits, unsigned char *digest)
{
    calls_sm3hash++;
    return __real_sm3hash(digest_bits, msg, msg_bits, digest);
}

int __wrap_pseudohash(int digest_bits, const unsigned char *msg, unsigned long long msg_bits, unsigned char *digest)
{
    calls_pseudohash++;
    return __real_pseudohash(digest_bits, msg, msg_bits, digest);
}

int __wrap_pseudoXOF(unsigned long long out_bits, const unsigned char *msg, unsigned long long msg_bits,
                     unsigned char *out)
{
    calls_pseudoXOF++;
    return __real_pseudoXOF(out_bits, msg, msg_bits, out);
}

int __wrap_get_random_number(DRNG_ctx *drng, unsigned char *out, unsigned long long out_bits)
{
    calls_get_random_number++;
    return __real_get_random_number(drng, out, out_bits);
}
