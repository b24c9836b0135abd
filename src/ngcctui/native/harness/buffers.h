/* Memory that a candidate reads and writes, between guard bytes that tell whether it wrote too far. */
#ifndef NGCC_BUFFERS_H
#define NGCC_BUFFERS_H

#include <stddef.h>

enum {
    NGCC_GUARD_BYTES = 64,
    NGCC_GUARD_VALUE = 0xa5
};

struct ngcc_buffer {
    const char *name;         /* for messages: "public key" */
    unsigned char *data;      /* aligned to 64 bytes */
    size_t bytes;
    struct ngcc_buffer *next;
};

/* Allocates and touches `bytes` (0 too) of zeros and their guards, for the life of the process.  0, or -1. */
int ngcc_buffer_make(struct ngcc_buffer *buffer, const char *name, size_t bytes);

/* Looks at the guards of all buffers.  0, or -1 with one line in `detail`: which buffer, which side, how far. */
int ngcc_buffers_check(char *detail, size_t size);

#endif
