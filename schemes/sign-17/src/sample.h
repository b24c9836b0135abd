/* Polynomials out of seeds: public uniform ones, secret small ones, masks, challenges. */
#ifndef OPS_SAMPLE_H
#define OPS_SAMPLE_H

#include "poly.h"

/* One polynomial of A as slots of the transform in [0, q); nonce = 256 * row + column.  rho is public. */
void ops_sample_uniform(poly *slots, const unsigned char rho[OPS_RHO_BYTES], unsigned nonce);

/* All of A. */
void ops_sample_matrix(poly a[OPS_K][OPS_L], const unsigned char rho[OPS_RHO_BYTES]);

/* Coefficients in [-ETA, ETA].  Time depends on how many candidates are skipped, not on the coefficients kept. */
void ops_sample_secret(poly *s, const unsigned char seed[OPS_SEED_BYTES], unsigned nonce);

/* Coefficients in (-GAMMA1, GAMMA1].  Constant time. */
void ops_sample_mask(poly *y, const unsigned char seed[OPS_SEED_BYTES], unsigned nonce);

/* TAU coefficients +1 or -1, the rest 0.  Time and addresses depend on c~, as far as a signature shows it anyway; c~ of
 * a rejected attempt is a hash that tells nothing about the key. */
void ops_sample_challenge(poly *c, const unsigned char c_tilde[OPS_CHALLENGE_BYTES]);

#endif
