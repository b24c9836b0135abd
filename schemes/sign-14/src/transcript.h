/* What signer and verifier hash, and the memory both work in. */
#ifndef LYNX_TRANSCRIPT_H
#define LYNX_TRANSCRIPT_H

#include "map.h"
#include "vole.h"

/* Too large for the stack. */
typedef struct {
    lynx_node nodes[LYNX_NODES];
    unsigned char hidden[LYNX_NODES];
    lynx_column columns[LYNX_N]; /* the last ones, which belong to no vector, are 0 */
    fe rows[4 * LYNX_N];
    lynx_map map;
    union {
        unsigned char commitments[LYNX_VECTOR_MAX * LYNX_COMMITMENT_BYTES];
        unsigned char message[1 + LYNX_MU_BYTES + LYNX_CORRECTIONS_BYTES];
        unsigned char hashed[1 + LYNX_CHALLENGE1_BYTES + (LYNX_N + 1) * LYNX_UHASH_BYTES + LYNX_WITNESS_BYTES];
    } u; /* input of one hash at a time */
} lynx_memory;

/* What the message hash gives: mu and the salt of the tree. */
typedef struct {
    unsigned char mu[LYNX_MU_BYTES];
    unsigned char s[LYNX_BYTES];
} lynx_digest;

/* The first columns of vector i among those of all. */
static inline int lynx_first_column(int i)
{
    return i * LYNX_DEPTH + (i < LYNX_DEEP ? i : LYNX_DEEP);
}

/* Hashes the public key, in two parts, and the message; LYNX_OK or LYNX_NO_MEMORY. */
int lynx_hash_message(lynx_digest *digest, const unsigned char iv[LYNX_BYTES], const unsigned char t[LYNX_BYTES],
                      const unsigned char *m, unsigned long long m_len);

/* com, out of the hash of the leaf commitments of every vector. */
void lynx_hash_vectors(unsigned char com[LYNX_MU_BYTES], const lynx_digest *digest,
                       unsigned char vectors[LYNX_TAU][LYNX_COMMITMENT_BYTES], const unsigned char iv[LYNX_IV_BYTES]);

void lynx_challenge1(unsigned char out[LYNX_CHALLENGE1_BYTES], const unsigned char com[LYNX_MU_BYTES],
                     const unsigned char corrections[LYNX_CORRECTIONS_BYTES], lynx_memory *memory);

/*
 * Hashes u_tilde, the hashes of all columns and d, as they are in the signature.  To the hash of every column whose bit
 * is set in `delta`, which may be null, u_tilde is added.
 */
void lynx_challenge2(unsigned char out[LYNX_CHALLENGE2_BYTES], const unsigned char challenge1[LYNX_CHALLENGE1_BYTES],
                     const unsigned char u_tilde[LYNX_UHASH_BYTES], const unsigned char d[LYNX_WITNESS_BYTES],
                     const unsigned char *delta, lynx_memory *memory);

void lynx_challenge3(unsigned char out[LYNX_BYTES], const unsigned char challenge2[LYNX_CHALLENGE2_BYTES],
                     const unsigned char a1_tilde[LYNX_BYTES], const unsigned char a0_tilde[LYNX_BYTES],
                     const unsigned char counter[LYNX_COUNTER_BYTES]);

#endif
