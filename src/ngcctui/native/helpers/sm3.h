/* SM3 (GB/T 32905-2016) in pieces.  For a message at hand as a whole, sm3hash of auxfunc.h is the function. */
#ifndef SM3_H
#define SM3_H

#include <stdint.h>

typedef struct {
    uint32_t state[8];
    unsigned long long bytes;  /* absorbed so far */
    unsigned char block[64];   /* the bytes % 64 last ones, not yet compressed */
} sm3_ctx;

/* Starts a new hash. */
void sm3_init(sm3_ctx *ctx);

/* Appends `bytes` bytes to the message; any split gives the same digest. */
void sm3_update(sm3_ctx *ctx, const unsigned char *data, unsigned long long bytes);

/* Writes the 32 bytes of the digest and wipes `ctx`; sm3_init starts the next hash. */
void sm3_final(sm3_ctx *ctx, unsigned char digest[32]);

#endif
