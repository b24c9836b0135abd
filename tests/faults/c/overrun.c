/* Signing writes PAST bytes behind its buffer, and says that the signature is LONGER bytes longer than declared. */
#include "toy.h"

#ifndef PAST
#define PAST 0
#endif
#ifndef LONGER
#define LONGER 0
#endif

int misbehave(enum operation operation, unsigned char *out, unsigned long long *length)
{
    int i;

    if (operation == SIGN) {
        for (i = 0; i < PAST; i++)
            out[SIGNATURE_BYTES + i] = 0x5a;
        *length += LONGER;
    }
    return 0;
}
