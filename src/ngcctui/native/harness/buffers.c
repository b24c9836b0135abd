#include "buffers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct ngcc_buffer *all;

int ngcc_buffer_make(struct ngcc_buffer *buffer, const char *name, size_t bytes)
{
    void *memory;

    if (posix_memalign(&memory, NGCC_GUARD_BYTES, bytes + 2 * NGCC_GUARD_BYTES))
        return -1;
    buffer->name = name;
    buffer->bytes = bytes;
    buffer->data = (unsigned char *)memory + NGCC_GUARD_BYTES;
    memset(memory, NGCC_GUARD_VALUE, bytes + 2 * NGCC_GUARD_BYTES);
    memset(buffer->data, 0, bytes);
    buffer->next = all;
    all = buffer;
    return 0;
}

/* How many bytes of the guard behind the buffer were reached, 0 when none has changed. */
static int behind(const struct ngcc_buffer *buffer)
{
    for (int i = NGCC_GUARD_BYTES; i > 0; i--)
        if (buffer->data[buffer->bytes + (size_t)i - 1] != NGCC_GUARD_VALUE)
            return i;
    return 0;
}

static int before(const struct ngcc_buffer *buffer)
{
    for (int i = NGCC_GUARD_BYTES; i > 0; i--)
        if (buffer->data[-i] != NGCC_GUARD_VALUE)
            return i;
    return 0;
}

int ngcc_buffers_check(char *detail, size_t size)
{
    for (const struct ngcc_buffer *buffer = all; buffer; buffer = buffer->next) {
        const int after = behind(buffer), ahead = before(buffer);

        if (after || ahead) {
            snprintf(detail, size, "%s: written at least %d byte%s %s its %zu bytes", buffer->name,
                     after ? after : ahead, (after ? after : ahead) > 1 ? "s" : "", after ? "behind" : "before",
                     buffer->bytes);
            return -1;
        }
    }
    return 0;
}
