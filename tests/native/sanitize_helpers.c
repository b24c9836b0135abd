/* Runs the helpers on heap blocks of exact size, for the address and undefined behaviour sanitizers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "auxfunc.h"
#include "drng.h"
#include "sm3.h"

static unsigned char *exact(unsigned long long bytes, unsigned char fill)
{
    unsigned char *block = malloc(bytes > 0 ? bytes : 1);

    if (!block)
        exit(2);
    memset(block, fill, bytes);
    return block;
}

/* Every function over a message of so many bits in its last byte exactly. */
static int hash_all(unsigned long long bits)
{
    const unsigned long long bytes = (bits + 7) / 8;
    unsigned char *message = exact(bytes, 0xa5), *out = exact(128, 0);
    int bad = sm3hash(256, message, bits, out);

    for (int width = 512; width <= 1024; width += 256)
        bad |= pseudohash(width, message, bits, out);
    for (unsigned long long width = 0; width <= 1024; width += 93) {
        unsigned char *stream = exact((width + 7) / 8, 0);

        bad |= pseudoXOF(width, message, bits, stream);
        free(stream);
    }
    bad |= pseudoXOF(8 * bytes, message, bits, message);
    free(out);
    free(message);
    return bad;
}

static int draw_all(unsigned seed_bytes)
{
    unsigned char *seed = exact(seed_bytes, 0x3c);
    DRNG_ctx drng;
    int bad = init_random_number(&drng, seed, seed_bytes);

    for (unsigned long long bits = 0; bits <= 700; bits += 77) {
        unsigned char *out = exact((bits + 7) / 8, 0);

        bad |= get_random_number(&drng, out, bits);
        free(out);
    }
    free(seed);
    return bad;
}

static void in_pieces(unsigned bytes)
{
    unsigned char *piece = exact(bytes, 0x77), digest[32];
    sm3_ctx ctx;

    sm3_init(&ctx);
    for (int i = 0; i < 5; i++)
        sm3_update(&ctx, piece, bytes);
    sm3_update(&ctx, NULL, 0);
    sm3_final(&ctx, digest);
    free(piece);
}

int main(void)
{
    int bad = pseudohash(512, NULL, 0, (unsigned char[64]){0});

    for (unsigned long long bits = 0; bits <= 1100; bits++)
        bad |= hash_all(bits);
    bad |= hash_all(8 * 5000 + 3);
    for (unsigned bytes = 0; bytes <= 130; bytes++) {
        bad |= draw_all(bytes);
        in_pieces(bytes);
    }
    puts(bad ? "bad" : "good");
    return bad != 0;
}
