/*
 * Results of a child: frames on descriptor 3.
 *
 * A frame is the job's tag (32 bytes), a type (1 byte), the payload's length (8 bytes, little-endian) and the payload.
 * Types: J a JSON object, S samples (u64, little-endian), B raw bytes, C the JSON object of a crash handler.
 */
#ifndef NGCC_FRAMES_H
#define NGCC_FRAMES_H

enum {
    NGCC_RESULT_FD = 3,
    NGCC_TAG_BYTES = 32
};

/* Takes the tag of this process's frames: 32 lower-case hex digits.  0, or -1 when it is none. */
int ngcc_frames_tag(const char *tag);

/* Writes one frame; 0, or -1 when there is no tag or the descriptor takes no more.  Async-signal-safe. */
int ngcc_frame(char type, const void *data, unsigned long long bytes);

#endif
