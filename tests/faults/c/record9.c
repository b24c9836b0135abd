/* The tenth signature of a process is valid, but not the one that the known answers expect: another salt. */
#include "toy.h"

int misbehave(enum operation operation, unsigned char *out, unsigned long long *length)
{
    static int calls;

    if (operation == SIGN && ++calls == 10)
        out[*length - 1] ^= 1;
    return 0;
}
