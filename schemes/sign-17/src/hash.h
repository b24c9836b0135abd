/*
 * The hash functions of the scheme, over the programme's helpers.  Their lengths are ones the helpers offer and none of
 * the calls allocates, so they cannot fail, except ops_message_hash.  Lengths in bytes.
 */
#ifndef OPS_HASH_H
#define OPS_HASH_H

#include "params.h"

/* Next `bytes` bytes of drng_algorithm: one request of its own. */
void ops_draw(unsigned char *out, unsigned bytes);

/* out may be in. */
void ops_xof(unsigned char *out, unsigned out_bytes, const unsigned char *in, unsigned in_bytes);

/* Collision-resistant hash of the public key: tr. */
void ops_key_hash(unsigned char tr[OPS_CRH_BYTES], const unsigned char pk[OPS_PUBLIC_KEY_BYTES]);

/* mu, the hash of tr, the empty context and the message.  0, or -1 when there is no memory for a copy of the message. */
int ops_message_hash(unsigned char mu[OPS_CRH_BYTES], const unsigned char tr[OPS_CRH_BYTES], const unsigned char *m,
                     unsigned long long m_len);

#define OPS_COMMITMENT_BYTES (OPS_CRH_BYTES + OPS_K * OPS_W1_BYTES)

/* c~, the hash of mu || packed w1. */
void ops_challenge_hash(unsigned char c_tilde[OPS_CHALLENGE_BYTES],
                        const unsigned char commitment[OPS_COMMITMENT_BYTES]);

#endif
