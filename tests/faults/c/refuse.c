/*
 * Operation AT fails in every call whose number EVERY divides (1: always).  1 is a status like any other that is not 0.
 */
#include "toy.h"

int misbehave(enum operation operation, unsigned char *out, unsigned long long *length)
{
    static int calls;

    (void)out;
    (void)length;
    return operation == AT && ++calls % EVERY == 0;
}
