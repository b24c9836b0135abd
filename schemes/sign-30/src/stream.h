/*
 * The unending output of pseudoXOF on one input, read from its start.
 *
 * pseudoXOF cannot be continued, so a longer prefix is computed anew, each time of twice the length: the requests are
 * those of the submission, and so is the share of time in the helper.
 */
#ifndef TRINE_STREAM_H
#define TRINE_STREAM_H

#include <stddef.h>

#include "params.h"

#define TRINE_INPUT_BYTES (23 + TRINE_SEED_BYTES + TRINE_ROUND_SEED_BYTES + 4) /* the longest input, that of a round */

typedef struct {
    unsigned char input[TRINE_INPUT_BYTES];
    size_t input_bytes;
    unsigned char *bytes; /* the prefix computed so far */
    size_t computed, position;
} trine_stream;

/* Starts the stream of an input; bytes == NULL until the first read. */
void trine_stream_open(trine_stream *s, const unsigned char *input, size_t input_bytes);

/*
 * The next `bytes` bytes, consumed; they stay valid until the next read.  NULL without memory, or beyond 2^25 bytes,
 * which no search for a commitment reaches (probability below 2^-60 a round).
 */
const unsigned char *trine_stream_read(trine_stream *s, size_t bytes);

/* Computed bytes that are not consumed. */
size_t trine_stream_ready(const trine_stream *s);

void trine_stream_close(trine_stream *s);

#endif
