#include "transcript.h"

#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "sig.h"
#include "uhash.h"
#include "xof.h"

/* Appends to what is hashed; returns the end of it. */
static unsigned char *put(unsigned char *at, const unsigned char *bytes, size_t count)
{
    memcpy(at, bytes, count);
    return at + count;
}

int lynx_hash_message(lynx_digest *digest, const unsigned char iv[LYNX_BYTES], const unsigned char t[LYNX_BYTES],
                      const unsigned char *m, unsigned long long m_len)
{
    const unsigned long long in_bytes = 1 + 2 * LYNX_BYTES + m_len;
    unsigned char *in, *at, out[LYNX_MU_BYTES + LYNX_BYTES];

    if (in_bytes < m_len || in_bytes > SIZE_MAX || !(in = malloc((size_t)in_bytes)))
        return LYNX_NO_MEMORY;
    in[0] = LYNX_HASH_MESSAGE;
    at = put(in + 1, iv, LYNX_BYTES);
    at = put(at, t, LYNX_BYTES);
    if (m_len > 0)
        put(at, m, (size_t)m_len);
    lynx_xof(out, sizeof out, in, in_bytes);
    free(in);
    memcpy(digest->mu, out, LYNX_MU_BYTES);
    memcpy(digest->s, out + LYNX_MU_BYTES, LYNX_BYTES);
    return LYNX_OK;
}

void lynx_hash_vectors(unsigned char com[LYNX_MU_BYTES], const lynx_digest *digest,
                       unsigned char vectors[LYNX_TAU][LYNX_COMMITMENT_BYTES], const unsigned char iv[LYNX_IV_BYTES])
{
    unsigned char in[1 + LYNX_MU_BYTES + LYNX_BYTES + LYNX_TAU * LYNX_COMMITMENT_BYTES + LYNX_IV_BYTES], *at = in;

    *at++ = LYNX_HASH_COMMITMENTS;
    at = put(at, digest->mu, LYNX_MU_BYTES);
    at = put(at, digest->s, LYNX_BYTES);
    for (int i = 0; i < LYNX_TAU; i++)
        at = put(at, vectors[i], LYNX_COMMITMENT_BYTES);
    put(at, iv, LYNX_IV_BYTES);
    lynx_xof(com, LYNX_MU_BYTES, in, sizeof in);
}

void lynx_challenge1(unsigned char out[LYNX_CHALLENGE1_BYTES], const unsigned char com[LYNX_MU_BYTES],
                     const unsigned char corrections[LYNX_CORRECTIONS_BYTES], lynx_memory *memory)
{
    unsigned char *const in = memory->u.message, *at = in;

    *at++ = LYNX_HASH_CHALLENGE1;
    at = put(at, com, LYNX_MU_BYTES);
    put(at, corrections, LYNX_CORRECTIONS_BYTES);
    lynx_xof(out, LYNX_CHALLENGE1_BYTES, in, sizeof memory->u.message);
}

void lynx_challenge2(unsigned char out[LYNX_CHALLENGE2_BYTES], const unsigned char challenge1[LYNX_CHALLENGE1_BYTES],
                     const unsigned char u_tilde[LYNX_UHASH_BYTES], const unsigned char d[LYNX_WITNESS_BYTES],
                     const unsigned char *delta, lynx_memory *memory)
{
    unsigned char *const in = memory->u.hashed, *at = in;

    *at++ = LYNX_HASH_CHALLENGE2;
    at = put(at, challenge1, LYNX_CHALLENGE1_BYTES);
    at = put(at, u_tilde, LYNX_UHASH_BYTES);
    for (int c = 0; c < LYNX_N; c++, at += LYNX_UHASH_BYTES) {
        lynx_hash_column(at, challenge1, memory->columns[c].byte);
        if (delta && delta[c / 8] >> c % 8 & 1)
            lynx_xor(at, u_tilde, LYNX_UHASH_BYTES);
    }
    put(at, d, LYNX_WITNESS_BYTES);
    lynx_xof(out, LYNX_CHALLENGE2_BYTES, in, sizeof memory->u.hashed);
}

void lynx_challenge3(unsigned char out[LYNX_BYTES], const unsigned char challenge2[LYNX_CHALLENGE2_BYTES],
                     const unsigned char a1_tilde[LYNX_BYTES], const unsigned char a0_tilde[LYNX_BYTES],
                     const unsigned char counter[LYNX_COUNTER_BYTES])
{
    unsigned char in[1 + LYNX_CHALLENGE2_BYTES + 2 * LYNX_BYTES + LYNX_COUNTER_BYTES], *at = in;

    *at++ = LYNX_HASH_CHALLENGE3;
    at = put(at, challenge2, LYNX_CHALLENGE2_BYTES);
    at = put(at, a1_tilde, LYNX_BYTES);
    at = put(at, a0_tilde, LYNX_BYTES);
    put(at, counter, LYNX_COUNTER_BYTES);
    lynx_xof(out, LYNX_BYTES, in, sizeof in);
}
