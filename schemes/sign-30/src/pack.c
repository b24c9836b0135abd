#include "pack.h"

#include "params.h"

void trine_pack(unsigned char *out, const int16_t *elements, int count)
{
    int i = 0;

    for (; i + 1 < count; i += 2) {
        const unsigned pair = (unsigned)elements[i] | (unsigned)elements[i + 1] << 12;

        *out++ = (unsigned char)pair;
        *out++ = (unsigned char)(pair >> 8);
        *out++ = (unsigned char)(pair >> 16);
    }
    if (i < count) {
        *out++ = (unsigned char)elements[i];
        *out = (unsigned char)(elements[i] >> 8);
    }
}

int trine_unpack(int16_t *elements, const unsigned char *in, int count)
{
    int i = 0, good = 1;

    for (; i + 1 < count; i += 2, in += 3) {
        elements[i] = (int16_t)(in[0] | (in[1] & 15) << 8);
        elements[i + 1] = (int16_t)(in[1] >> 4 | in[2] << 4);
        good &= elements[i] < TRINE_Q && elements[i + 1] < TRINE_Q;
    }
    if (i < count) {
        elements[i] = (int16_t)(in[0] | (in[1] & 15) << 8);
        good &= elements[i] < TRINE_Q && in[1] < 16;
    }
    return good ? 0 : -1;
}
