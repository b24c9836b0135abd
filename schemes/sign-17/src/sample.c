#include "sample.h"

#include <string.h>

#include "bytes.h"
#include "hash.h"
#include "pack.h"

void ops_sample_uniform(poly *slots, const unsigned char rho[OPS_RHO_BYTES], unsigned nonce)
{
    unsigned char input[OPS_RHO_BYTES + 6], buffer[OPS_UNIFORM_BYTES];
    unsigned filled = 0;

    memcpy(input, rho, OPS_RHO_BYTES);
    input[OPS_RHO_BYTES] = (unsigned char)nonce;
    input[OPS_RHO_BYTES + 1] = (unsigned char)(nonce >> 8);
    for (uint32_t block = 0; filled < OPS_N; block++) {
        store_le32(input + OPS_RHO_BYTES + 2, block);
        ops_xof(buffer, sizeof buffer, input, sizeof input);
        for (unsigned i = 0; i < sizeof buffer && filled < OPS_N; i += 4) {
            const int32_t candidate = (int32_t)(load_le32(buffer + i) & ((1u << 26) - 1));

            slots->c[filled] = candidate;
            filled += candidate < OPS_Q;
        }
    }
}

void ops_sample_matrix(poly a[OPS_K][OPS_L], const unsigned char rho[OPS_RHO_BYTES])
{
    for (unsigned i = 0; i < OPS_K; i++)
        for (unsigned j = 0; j < OPS_L; j++)
            ops_sample_uniform(&a[i][j], rho, 256 * i + j);
}

void ops_sample_secret(poly *s, const unsigned char seed[OPS_SEED_BYTES], unsigned nonce)
{
    const unsigned values = 2 * OPS_ETA + 1, limit = 16 - 16 % values; /* nibbles from limit on are skipped */
    unsigned char input[OPS_SEED_BYTES + 6], buffer[OPS_ETA_BYTES];
    unsigned filled = 0;

    memcpy(input, seed, OPS_SEED_BYTES);
    input[OPS_SEED_BYTES] = (unsigned char)nonce;
    input[OPS_SEED_BYTES + 1] = (unsigned char)(nonce >> 8);
    for (uint32_t block = 0; filled < OPS_N; block++) {
        store_le32(input + OPS_SEED_BYTES + 2, block);
        ops_xof(buffer, sizeof buffer, input, sizeof input);
        for (unsigned i = 0; i < 2 * sizeof buffer && filled < OPS_N; i++) {
            const unsigned nibble = buffer[i / 2] >> 4 * (i % 2) & 15; /* the low one first */

            s->c[filled] = OPS_ETA - (int32_t)(nibble % values);
            filled += nibble < limit;
        }
    }
}

void ops_sample_mask(poly *y, const unsigned char seed[OPS_SEED_BYTES], unsigned nonce)
{
    unsigned char input[OPS_SEED_BYTES + 2], buffer[OPS_Z_BYTES];

    memcpy(input, seed, OPS_SEED_BYTES);
    input[OPS_SEED_BYTES] = (unsigned char)nonce;
    input[OPS_SEED_BYTES + 1] = (unsigned char)(nonce >> 8);
    ops_xof(buffer, sizeof buffer, input, sizeof input);
    ops_unpack_from(y, OPS_Z_BITS, OPS_GAMMA1, buffer);
}

void ops_sample_challenge(poly *c, const unsigned char c_tilde[OPS_CHALLENGE_BYTES])
{
    unsigned char buffer[OPS_CHALLENGE_BYTES], signs[OPS_SIGN_BYTES];
    unsigned next = OPS_SIGN_BYTES;

    ops_xof(buffer, sizeof buffer, c_tilde, OPS_CHALLENGE_BYTES);
    memcpy(signs, buffer, sizeof signs);
    memset(c, 0, sizeof *c);
    for (unsigned step = 0; step < OPS_TAU; step++) {
        const unsigned i = OPS_N - OPS_TAU + step;
        unsigned position;

        do {
            if (next == sizeof buffer) { /* a refill has positions only */
                ops_xof(buffer, sizeof buffer, buffer, sizeof buffer);
                next = 0;
            }
            position = (buffer[next] | (unsigned)buffer[next + 1] << 8) % OPS_N;
            next += 2;
        } while (position > i);
        c->c[i] = c->c[position];
        c->c[position] = 1 - 2 * (signs[step / 8] >> step % 8 & 1);
    }
}
