/*
 * Linked into every candidate's library: the random number generator that candidates draw from, and the two functions
 * by which a harness seeds it and asks for which instance the library was built (-DNGCC_INSTANCE="\"name\"").
 */
#include "drng.h"

#ifndef NGCC_INSTANCE
#error "NGCC_INSTANCE must be the instance's name as a string"
#endif

extern DRNG_ctx drng_algorithm;
int ngcc_seed(const unsigned char *seed, unsigned long long seed_bytes);
const char *ngcc_instance(void);

__attribute__((visibility("hidden"))) DRNG_ctx drng_algorithm;

/* Instantiates the generator; returns what init_random_number returns, 0 for success. */
int ngcc_seed(const unsigned char *seed, unsigned long long seed_bytes)
{
    return init_random_number(&drng_algorithm, seed, seed_bytes);
}

const char *ngcc_instance(void)
{
    return NGCC_INSTANCE;
}
