#include "hash.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "auxfunc.h"
#include "drng.h"

extern DRNG_ctx drng_algorithm;

void ops_draw(unsigned char *out, unsigned bytes)
{
    get_random_number(&drng_algorithm, out, 8ull * bytes);
}

void ops_xof(unsigned char *out, unsigned out_bytes, const unsigned char *in, unsigned in_bytes)
{
    pseudoXOF(8ull * out_bytes, in, 8ull * in_bytes, out);
}

void ops_key_hash(unsigned char tr[OPS_CRH_BYTES], const unsigned char pk[OPS_PUBLIC_KEY_BYTES])
{
    pseudohash(8 * OPS_CRH_BYTES, pk, 8ull * OPS_PUBLIC_KEY_BYTES, tr);
}

int ops_message_hash(unsigned char mu[OPS_CRH_BYTES], const unsigned char tr[OPS_CRH_BYTES], const unsigned char *m,
                     unsigned long long m_len)
{
    const unsigned long long head = OPS_CRH_BYTES + 2; /* two zero bytes: pure mode, context of length 0 */
    unsigned char *input;

    if (m_len > SIZE_MAX / 8 - head || !(input = malloc(head + m_len)))
        return -1;
    memcpy(input, tr, OPS_CRH_BYTES);
    memset(input + OPS_CRH_BYTES, 0, 2);
    memcpy(input + head, m, m_len);
    pseudohash(8 * OPS_CRH_BYTES, input, 8 * (head + m_len), mu);
    free(input);
    return 0;
}

void ops_challenge_hash(unsigned char c_tilde[OPS_CHALLENGE_BYTES],
                        const unsigned char commitment[OPS_COMMITMENT_BYTES])
{
#if OPS_LEVEL == 128
    sm3hash(8 * OPS_CHALLENGE_BYTES, commitment, 8ull * OPS_COMMITMENT_BYTES, c_tilde);
#else
    pseudohash(8 * OPS_CHALLENGE_BYTES, commitment, 8ull * OPS_COMMITMENT_BYTES, c_tilde);
#endif
}
