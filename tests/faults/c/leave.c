/* Ends the process with status CODE in call AFTER (0: the first) of signing, without a word. */
#include "toy.h"

#include <stdlib.h>

#ifndef AFTER
#define AFTER 0
#endif

int misbehave(enum operation operation, unsigned char *out, unsigned long long *length)
{
    static int calls;

    (void)out;
    (void)length;
    if (operation == SIGN && calls++ >= AFTER)
        exit(CODE);
    return 0;
}
