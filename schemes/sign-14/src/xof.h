/* The hash of the scheme: the first bytes of pseudoXOF. */
#ifndef LYNX_XOF_H
#define LYNX_XOF_H

/* Domains: the first byte of what is hashed, where there is one. */
enum {
    LYNX_HASH_MESSAGE = 0x00,
    LYNX_HASH_ROOT = 0x01,
    LYNX_HASH_COMMITMENTS = 0x02,
    LYNX_HASH_CHALLENGE1 = 0x09,
    LYNX_HASH_CHALLENGE2 = 0x0a,
    LYNX_HASH_CHALLENGE3 = 0x0b
};

/* `out` does not overlap `in`. */
void lynx_xof(unsigned char *out, unsigned long long out_bytes, const unsigned char *in, unsigned long long in_bytes);

/*
 * Reads the one stream of `in` in `pieces` pieces of `piece_bytes` bytes, then `tails` of `tail_bytes`.
 *
 * The submitted code computes the stream from its beginning for every piece, and so does this function, because calls and
 * shares of time are to compare with its own.  With LYNX_STREAM defined every stream is computed once.
 */
void lynx_xof_pieces(unsigned char *out, unsigned pieces, unsigned piece_bytes, unsigned tails, unsigned tail_bytes,
                     const unsigned char *in, unsigned long long in_bytes);

#endif
