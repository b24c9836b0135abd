/* What the tests need beside the helpers in a library: the generator that candidates draw from, and its seeding. */
#include "drng.h"

DRNG_ctx drng_algorithm;

int probe_seed(const unsigned char *seed, unsigned long long seed_bytes);

int probe_seed(const unsigned char *seed, unsigned long long seed_bytes)
{
    return init_random_number(&drng_algorithm, seed, seed_bytes);
}
