/* The hash functions of the scheme, over the programme's helpers.  Lengths in bytes. */
#ifndef FT_HASH_H
#define FT_HASH_H

#include "tweak.h"

/* Next `bytes` bytes of drng_algorithm: one request of its own. */
void ft_draw(unsigned char *out, unsigned bytes);

/* The tweaked hash of at most CHAINS * N bytes; out may be in. */
void ft_hash(unsigned char out[FT_N], const ft_tweak *tweak, const unsigned char *in, unsigned in_bytes);

/* R, the randomiser of a signature.  0, or -1 when there is no memory for a copy of the message. */
int ft_hash_randomiser(unsigned char r[FT_N], const unsigned char key[FT_N], const unsigned char drawn[FT_N],
                       const unsigned char *m, unsigned long long m_len);

/* The digest of a message under R and the public key.  0, or -1 likewise. */
int ft_hash_message(unsigned char digest[FT_DIGEST_BYTES], const unsigned char r[FT_N],
                    const unsigned char pk[FT_PUBLIC_KEY_BYTES], const unsigned char *m, unsigned long long m_len);

/* The number that chooses a subset, big-endian, from R, a counter and the last N bytes of a message's digest. */
void ft_hash_choice(unsigned char choice[FT_CHOICE_BYTES], const unsigned char r[FT_N], uint32_t counter,
                    const unsigned char md[FT_N]);

#endif
