#include "pack.h"

#include "bytes.h"

/* N is a multiple of 32, so the codes of a polynomial fill whole words at every width. */
void ops_pack(unsigned char *out, unsigned bits, const poly *p)
{
    uint64_t held = 0;
    unsigned held_bits = 0;

    for (int i = 0; i < OPS_N; i++) {
        held |= (uint64_t)p->c[i] << held_bits;
        held_bits += bits;
        if (held_bits >= 32) {
            store_le32(out, (uint32_t)held);
            out += 4;
            held >>= 32;
            held_bits -= 32;
        }
    }
}

void ops_unpack(poly *p, unsigned bits, const unsigned char *in)
{
    const uint64_t mask = ((uint64_t)1 << bits) - 1;
    uint64_t held = 0;
    unsigned held_bits = 0;

    for (int i = 0; i < OPS_N; i++) {
        if (held_bits < bits) {
            held |= (uint64_t)load_le32(in) << held_bits;
            in += 4;
            held_bits += 32;
        }
        p->c[i] = (int32_t)(held & mask);
        held >>= bits;
        held_bits -= bits;
    }
}

/* b = top - a; a and b may be one. */
static void mirror(poly *b, int32_t top, const poly *a)
{
    for (int i = 0; i < OPS_N; i++)
        b->c[i] = top - a->c[i];
}

void ops_pack_from(unsigned char *out, unsigned bits, int32_t top, const poly *p)
{
    poly codes;

    mirror(&codes, top, p);
    ops_pack(out, bits, &codes);
}

void ops_unpack_from(poly *p, unsigned bits, int32_t top, const unsigned char *in)
{
    ops_unpack(p, bits, in);
    mirror(p, top, p);
}
