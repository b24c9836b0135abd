#include "xof.h"

#ifdef LYNX_STREAM

#include <string.h>

#include "bytes.h"
#include "sm3.h"

/* pseudoXOF with the state after the message kept: every block of output costs only what comes behind it. */
void lynx_xof(unsigned char *out, unsigned long long out_bytes, const unsigned char *in, unsigned long long in_bytes)
{
    sm3_ctx message, block;
    unsigned char counter[4], digest[32];

    sm3_init(&message);
    sm3_update(&message, in, in_bytes);
    for (uint32_t i = 1; out_bytes > 0; i++) {
        const unsigned bytes = out_bytes < sizeof digest ? (unsigned)out_bytes : (unsigned)sizeof digest;

        block = message;
        lynx_store32_big(counter, i);
        sm3_update(&block, counter, sizeof counter);
        sm3_final(&block, digest);
        memcpy(out, digest, bytes);
        out += bytes;
        out_bytes -= bytes;
    }
}

void lynx_xof_pieces(unsigned char *out, unsigned pieces, unsigned piece_bytes, unsigned tails, unsigned tail_bytes,
                     const unsigned char *in, unsigned long long in_bytes)
{
    lynx_xof(out, pieces * piece_bytes + tails * tail_bytes, in, in_bytes);
}

#else

#include "auxfunc.h"

void lynx_xof(unsigned char *out, unsigned long long out_bytes, const unsigned char *in, unsigned long long in_bytes)
{
    pseudoXOF(8 * out_bytes, in, 8 * in_bytes, out);
}

void lynx_xof_pieces(unsigned char *out, unsigned pieces, unsigned piece_bytes, unsigned tails, unsigned tail_bytes,
                     const unsigned char *in, unsigned long long in_bytes)
{
    unsigned end = 0;

    for (unsigned i = 0; i < pieces + tails; i++) {
        end += i < pieces ? piece_bytes : tail_bytes;
        lynx_xof(out, end, in, in_bytes);
    }
}

#endif
