/* Counts the calls of the helpers by function and lengths (bits); linked with -Wl,--wrap. */
#include "drng.h"

enum {
    SM3HASH,
    PSEUDOXOF,
    DRNG,
    ROWS = 16
};

typedef struct {
    unsigned long long function, in_bits, out_bits, calls;
} row;

row probe_calls[ROWS];

int __real_sm3hash(int digest_bits, const unsigned char *msg, unsigned long long msg_bits, unsigned char *digest);
int __wrap_sm3hash(int digest_bits, const unsigned char *msg, unsigned long long msg_bits, unsigned char *digest);
int __real_pseudoXOF(unsigned long long out_bits, const unsigned char *msg, unsigned long long msg_bits,
                     unsigned char *out);
int __wrap_pseudoXOF(unsigned long long out_bits, const unsigned char *msg, unsigned long long msg_bits,
                     unsigned char *out);
int __real_get_random_number(DRNG_ctx *drng, unsigned char *out, unsigned long long out_bits);
int __wrap_get_random_number(DRNG_ctx *drng, unsigned char *out, unsigned long long out_bits);

/* A table that is too small shows as the missing of calls: the last row is overwritten. */
static void count(unsigned function, unsigned long long in_bits, unsigned long long out_bits)
{
    int i = 0;

    while (i < ROWS - 1 && probe_calls[i].calls > 0 &&
           (probe_calls[i].function != function || probe_calls[i].in_bits != in_bits ||
            probe_calls[i].out_bits != out_bits))
        i++;
    probe_calls[i].function = function;
    probe_calls[i].in_bits = in_bits;
    probe_calls[i].out_bits = out_bits;
    probe_calls[i].calls++;
}

int __wrap_sm3hash(int digest_bits, const unsigned char *msg, unsigned long long msg_bits, unsigned char *digest)
{
    count(SM3HASH, msg_bits, (unsigned long long)digest_bits);
    return __real_sm3hash(digest_bits, msg, msg_bits, digest);
}

int __wrap_pseudoXOF(unsigned long long out_bits, const unsigned char *msg, unsigned long long msg_bits,
                     unsigned char *out)
{
    count(PSEUDOXOF, msg_bits, out_bits);
    return __real_pseudoXOF(out_bits, msg, msg_bits, out);
}

int __wrap_get_random_number(DRNG_ctx *drng, unsigned char *out, unsigned long long out_bits)
{
    count(DRNG, 0, out_bits);
    return __real_get_random_number(drng, out, out_bits);
}
