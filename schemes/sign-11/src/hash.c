#include "hash.h"

#include <stdlib.h>

#include "auxfunc.h"
#include "drng.h"

extern DRNG_ctx drng_algorithm;

void ft_draw(unsigned char *out, unsigned bytes)
{
    get_random_number(&drng_algorithm, out, 8ull * bytes);
}

/*
 * N bytes from a message that does not overlap them.  The helpers offer both lengths and do not allocate for it, so
 * they cannot fail.
 */
static void hash_n(unsigned char out[FT_N], const unsigned char *message, unsigned long long bytes)
{
#if FT_N <= 32
    unsigned char digest[32];

    sm3hash(256, message, 8 * bytes, digest);
    memcpy(out, digest, FT_N);
#else
    pseudoXOF(8 * FT_N, message, 8 * bytes, out);
#endif
}

void ft_hash(unsigned char out[FT_N], const ft_tweak *tweak, const unsigned char *in, unsigned in_bytes)
{
    unsigned char message[sizeof tweak->bytes + FT_CHAINS_BYTES];

    memcpy(message, tweak->bytes, sizeof tweak->bytes);
    memcpy(message + sizeof tweak->bytes, in, in_bytes);
    hash_n(out, message, sizeof tweak->bytes + in_bytes);
}

/* first || second || m, to be freed; a null pointer when there is no memory for it. */
static unsigned char *joined(const unsigned char first[FT_N], const unsigned char *second, unsigned second_bytes,
                             const unsigned char *m, unsigned long long m_len)
{
    const unsigned head = FT_N + second_bytes;
    unsigned char *all;

    if (m_len > SIZE_MAX / 8 - head || !(all = malloc(head + m_len)))
        return NULL;
    memcpy(all, first, FT_N);
    memcpy(all + FT_N, second, second_bytes);
    memcpy(all + head, m, m_len);
    return all;
}

int ft_hash_randomiser(unsigned char r[FT_N], const unsigned char key[FT_N], const unsigned char drawn[FT_N],
                       const unsigned char *m, unsigned long long m_len)
{
    unsigned char *message = joined(key, drawn, FT_N, m, m_len);

    if (!message)
        return -1;
    hash_n(r, message, 2 * FT_N + m_len);
    free(message);
    return 0;
}

int ft_hash_message(unsigned char digest[FT_DIGEST_BYTES], const unsigned char r[FT_N],
                    const unsigned char pk[FT_PUBLIC_KEY_BYTES], const unsigned char *m, unsigned long long m_len)
{
    unsigned char *message = joined(r, pk, FT_PUBLIC_KEY_BYTES, m, m_len);

    if (!message)
        return -1;
    pseudoXOF(8 * FT_DIGEST_BYTES, message, 8 * (FT_N + FT_PUBLIC_KEY_BYTES + m_len), digest);
    free(message);
    return 0;
}

void ft_hash_choice(unsigned char choice[FT_CHOICE_BYTES], const unsigned char r[FT_N], uint32_t counter,
                    const unsigned char md[FT_N])
{
    unsigned char message[2 * FT_N + FT_COUNTER_BYTES];

    memcpy(message, r, FT_N);
    store_be32(message + FT_N, counter);
    memcpy(message + FT_N + FT_COUNTER_BYTES, md, FT_N);
    pseudoXOF(8 * FT_CHOICE_BYTES, message, 8 * sizeof message, choice);
}
