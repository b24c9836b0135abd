/* One call of each helper from another object file, then what was counted. */
#include <stdio.h>

#include "auxfunc.h"
#include "drng.h"

extern unsigned long long calls_sm3hash, calls_pseudohash, calls_pseudoXOF, calls_get_random_number;

int main(void)
{
    unsigned char out[200];
    DRNG_ctx drng;

    init_random_number(&drng, out, 0);
    get_random_number(&drng, out, 1024);
    sm3hash(256, out, 1024, out);
    pseudohash(1024, out, 256, out);
    pseudoXOF(1024, out, 1024, out);
    printf("%llu %llu %llu %llu\n", calls_sm3hash, calls_pseudohash, calls_pseudoXOF, calls_get_random_number);
    return 0;
}
