#include "challenge.h"

#include <string.h>

#include "stream.h"

/* Bits of x without its leading zeros. */
static unsigned bit_length(unsigned x)
{
    unsigned bits = 0;

    for (; x; x >>= 1)
        bits++;
    return bits;
}

/* The low bits of the next little-endian integer, or -1 when the stream ends. */
static int read_bits(trine_stream *s, unsigned bits)
{
    const unsigned char *bytes = trine_stream_read(s, (bits + 7) / 8);

    if (!bytes)
        return -1;
    return (bytes[0] | (bits > 8 ? bytes[1] << 8 : 0)) & ((1 << bits) - 1);
}

/* Marks one more round; what is drawn counts from the base form downwards. */
static int open_round(unsigned char challenge[TRINE_ROUNDS], trine_stream *s)
{
    int round, value;

    do {
        round = read_bits(s, bit_length(TRINE_ROUNDS - 1));
        if (round < 0)
            return -1;
    } while (round >= TRINE_ROUNDS || challenge[round] != TRINE_FORMS);
    do {
        value = read_bits(s, bit_length(TRINE_FORMS));
        if (value < 0)
            return -1;
    } while (value < 1 || value > TRINE_FORMS);
    challenge[round] = (unsigned char)(TRINE_FORMS - value);
    return 0;
}

int trine_challenge(unsigned char challenge[TRINE_ROUNDS], const unsigned char digest[TRINE_DIGEST_BYTES])
{
    trine_stream s;
    int result = 0;

    memset(challenge, TRINE_FORMS, TRINE_ROUNDS);
    trine_stream_open(&s, digest, TRINE_DIGEST_BYTES);
    for (int i = 0; i < TRINE_OPENED && !result; i++)
        result = open_round(challenge, &s);
    trine_stream_close(&s);
    return result;
}
