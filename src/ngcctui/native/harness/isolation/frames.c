#include "frames.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "export.h"

static char frame_tag[NGCC_TAG_BYTES];
static int tagged;

int ngcc_frames_tag(const char *tag)
{
    if (strlen(tag) != NGCC_TAG_BYTES || strspn(tag, "0123456789abcdef") != NGCC_TAG_BYTES)
        return -1;
    memcpy(frame_tag, tag, NGCC_TAG_BYTES);
    tagged = 1;
    return 0;
}

static int write_all(const void *data, unsigned long long bytes)
{
    const char *rest = data;

    while (bytes > 0) {
        const size_t piece = bytes < 1u << 30 ? (size_t)bytes : 1u << 30;
        const ssize_t written = write(NGCC_RESULT_FD, rest, piece);

        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return -1;
        rest += written;
        bytes -= (unsigned long long)written;
    }
    return 0;
}

NGCC_EXPORT int ngcc_frame(char type, const void *data, unsigned long long bytes)
{
    unsigned char header[NGCC_TAG_BYTES + 1 + 8];

    if (!tagged)
        return -1;
    memcpy(header, frame_tag, NGCC_TAG_BYTES);
    header[NGCC_TAG_BYTES] = (unsigned char)type;
    for (int i = 0; i < 8; i++)
        header[NGCC_TAG_BYTES + 1 + i] = (unsigned char)(bytes >> 8 * i);
    return write_all(header, sizeof header) || write_all(data, bytes) ? -1 : 0;
}
