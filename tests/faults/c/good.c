/* Behaves. */
#include "toy.h"

int misbehave(enum operation operation, unsigned char *out, unsigned long long *length)
{
    (void)operation;
    (void)out;
    (void)length;
    return 0;
}
