/*
 * The auxiliary functions of the ICCS programme, called by every candidate.
 *
 * All lengths are in bits.  Of a message whose length is no multiple of 8 the high bits of the last byte count; its low
 * bits are ignored.  Input and output may overlap: the input is then the old content.
 */
#ifndef AUXFUNC_H
#define AUXFUNC_H

enum {
    ICCS_OK = 0,
    ICCS_NO_MEMORY = -2,
    ICCS_HASH_FAILED = -3,
    ICCS_NO_SUCH_LENGTH = -4
};

/* SM3 of the message.  digest_bits: 256, else ICCS_NO_SUCH_LENGTH. */
int sm3hash(int digest_bits, const unsigned char *msg, unsigned long long msg_bits, unsigned char *digest);

/* Wide hash out of SM3 and HMAC-SM3.  digest_bits: 512, 768 or 1024, else ICCS_NO_SUCH_LENGTH. */
int pseudohash(int digest_bits, const unsigned char *msg, unsigned long long msg_bits, unsigned char *digest);

/*
 * Extendable output out of SM3: ceil(out_bits / 8) bytes, the unused low bits of the last one 0.
 * ICCS_NO_SUCH_LENGTH above 256 * (2^32 - 1) bits, where the block counter ends; ICCS_NO_MEMORY when a message of more
 * than 256 bytes overlaps the output and there is no memory for a copy.
 */
int pseudoXOF(unsigned long long out_bits, const unsigned char *msg, unsigned long long msg_bits, unsigned char *out);

#endif
