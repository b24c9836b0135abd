#include "hint.h"

#include <string.h>

#include "rounding.h"

#define UNUSED_BITS (8 * OPS_POSITIONS_BYTES - OPS_OMEGA * OPS_POSITION_BITS)

int ops_hint_make(hint *h, const poly w1[OPS_K], const poly w0[OPS_K])
{
    unsigned count = 0;

    memset(h, 0, sizeof *h);
    for (unsigned i = 0; i < OPS_K; i++) {
        for (unsigned j = 0; j < OPS_N; j++) {
            if (!ops_make_hint(w0[i].c[j], w1[i].c[j]))
                continue;
            if (count == OPS_OMEGA)
                return -1;
            h->positions[count++] = (unsigned short)j;
        }
        h->ends[i] = (unsigned char)count;
    }
    return 0;
}

/* A position of 9 bits may start at any bit of a byte, one of 10 bits only at an even one: two bytes hold each. */
void ops_hint_pack(unsigned char out[OPS_HINT_BYTES], const hint *h)
{
    memset(out, 0, OPS_POSITIONS_BYTES);
    for (unsigned i = 0; i < OPS_OMEGA; i++) {
        const unsigned bit = i * OPS_POSITION_BITS, code = (unsigned)h->positions[i] << bit % 8;

        out[bit / 8] |= (unsigned char)code;
        out[bit / 8 + 1] |= (unsigned char)(code >> 8);
    }
    memcpy(out + OPS_POSITIONS_BYTES, h->ends, OPS_K);
}

int ops_hint_unpack(hint *h, const unsigned char in[OPS_HINT_BYTES])
{
    unsigned i = 0;

    if (in[OPS_POSITIONS_BYTES - 1] >> (8 - UNUSED_BITS) != 0)
        return -1;
    for (unsigned j = 0; j < OPS_OMEGA; j++) {
        const unsigned bit = j * OPS_POSITION_BITS, two = in[bit / 8] | (unsigned)in[bit / 8 + 1] << 8;

        h->positions[j] = (unsigned short)((two >> bit % 8) & (OPS_N - 1));
    }
    memcpy(h->ends, in + OPS_POSITIONS_BYTES, OPS_K);
    for (unsigned row = 0; row < OPS_K; row++) {
        const unsigned start = i;

        if (h->ends[row] < start || h->ends[row] > OPS_OMEGA)
            return -1;
        for (; i < h->ends[row]; i++)
            if (i > start && h->positions[i] <= h->positions[i - 1])
                return -1;
    }
    for (; i < OPS_OMEGA; i++)
        if (h->positions[i] != 0)
            return -1;
    return 0;
}
