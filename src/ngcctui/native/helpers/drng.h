/*
 * The deterministic random number generator of the ICCS programme: Hash_DRBG of NIST SP 800-90A with SM3, seed length
 * 440 bits, never reseeded.  A candidate declares `extern DRNG_ctx drng_algorithm;` and draws from that.
 */
#ifndef DRNG_H
#define DRNG_H

#define DRNG_SEED_BYTES 55

typedef struct {
    unsigned char v[DRNG_SEED_BYTES];
    unsigned char c[DRNG_SEED_BYTES];
    unsigned long long counter;  /* requests answered, plus one */
} DRNG_ctx;

/* Instantiates the generator from `seed_bytes` bytes (any number, 0 too); returns 0. */
int init_random_number(DRNG_ctx *drng, const unsigned char *seed, unsigned long long seed_bytes);

/*
 * Writes the next ceil(out_bits / 8) bytes, the unused low bits of the last one 0; returns 0.  Every call is a request of
 * its own that advances the state, one of 0 bits too: two short requests are not one long one.
 */
int get_random_number(DRNG_ctx *drng, unsigned char *out, unsigned long long out_bits);

#endif
