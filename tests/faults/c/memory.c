/*
 * Call AFTER (0: the first) of signing takes memory in pieces of 8 MiB, uses them, and never looks whether it got them.
 * It stops at 2 GiB, so that a limit which does not hold fails the test and not the machine.
 */
#include "toy.h"

#include <stdlib.h>
#include <string.h>

#ifndef AFTER
#define AFTER 0
#endif

int misbehave(enum operation operation, unsigned char *out, unsigned long long *length)
{
    static int calls;
    int pieces;

    (void)out;
    (void)length;
    if (operation != SIGN || calls++ < AFTER)
        return 0;
    for (pieces = 0; pieces < 256; pieces++) {
        unsigned char *volatile piece = malloc(8 << 20);

        memset(piece, 1, 8 << 20);
    }
    return 0;
}
