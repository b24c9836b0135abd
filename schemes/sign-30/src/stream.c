#include "stream.h"

#include <stdlib.h>
#include <string.h>

#include "auxfunc.h"

enum {
    FIRST_BYTES = 64,
    MOST_BYTES = 1 << 25
};

void trine_stream_open(trine_stream *s, const unsigned char *input, size_t input_bytes)
{
    memcpy(s->input, input, input_bytes);
    s->input_bytes = input_bytes;
    s->bytes = NULL;
    s->computed = s->position = 0;
}

static int grow(trine_stream *s, size_t needed)
{
    size_t length = s->computed ? s->computed : FIRST_BYTES;

    while (length < needed)
        length *= 2;
    free(s->bytes);
    s->computed = 0;
    if (length > MOST_BYTES) {
        s->bytes = NULL;
        return -1;
    }
    s->bytes = malloc(length);
    if (!s->bytes || pseudoXOF(8ull * length, s->input, 8ull * s->input_bytes, s->bytes))
        return -1;
    s->computed = length;
    return 0;
}

const unsigned char *trine_stream_read(trine_stream *s, size_t bytes)
{
    const unsigned char *start;

    if (s->position + bytes > s->computed && grow(s, s->position + bytes))
        return NULL;
    start = s->bytes + s->position;
    s->position += bytes;
    return start;
}

size_t trine_stream_ready(const trine_stream *s)
{
    return s->computed - s->position;
}

void trine_stream_close(trine_stream *s)
{
    free(s->bytes);
    s->bytes = NULL;
    s->computed = 0;
}
