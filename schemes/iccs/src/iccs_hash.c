/*
 * One auxiliary function of the programme as a hash function.
 *
 * ICCS_FUNCTION is sm3hash, pseudohash or pseudoXOF and ICCS_DIGEST_BITS the output length of the instance.
 */
#include "auxfunc.h"

int crypto_hash(int digest_bits, const unsigned char *msg, unsigned long long msg_bits, unsigned char *digest);

/* 0, or ICCS_NO_SUCH_LENGTH when digest_bits is not this instance's; lengths in bits. */
int crypto_hash(int digest_bits, const unsigned char *msg, unsigned long long msg_bits, unsigned char *digest)
{
    if (digest_bits != ICCS_DIGEST_BITS)
        return ICCS_NO_SUCH_LENGTH;
    return ICCS_FUNCTION(ICCS_DIGEST_BITS, msg, msg_bits, digest);
}
