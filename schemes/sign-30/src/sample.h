/* Field elements, matrices and the base form out of seeds. */
#ifndef TRINE_SAMPLE_H
#define TRINE_SAMPLE_H

#include "linear.h"
#include "stream.h"

/* The next element of a stream, 0 to q - 1, or -1 when the stream ends. */
int trine_sample_element(trine_stream *s);

/* The public seed of a secret seed.  0, or -1 without memory, as all below. */
int trine_sample_public_seed(unsigned char public_seed[TRINE_SEED_BYTES],
                             const unsigned char secret_seed[TRINE_SEED_BYTES]);

/* n^3 elements in flat order. */
int trine_sample_base_form(int16_t *flat, const unsigned char public_seed[TRINE_SEED_BYTES]);

/* The invertible matrix of a matrix seed. */
int trine_sample_matrix(trine_matrix matrix, const unsigned char seed[TRINE_SEED_BYTES]);

/* The change of variable `which` ('x', 'y' or 'z': A, B or C) of secret form `index`. */
int trine_sample_secret(trine_matrix matrix, const unsigned char secret_seed[TRINE_SEED_BYTES], char which,
                        unsigned index);

/* The stream of round `t`. */
void trine_open_round(trine_stream *s, const unsigned char salt[TRINE_SEED_BYTES],
                      const unsigned char seed[TRINE_ROUND_SEED_BYTES], unsigned t);

#endif
