/* The job file: what one child process is asked to do, as `key=value` lines of UTF-8. */
#ifndef NGCC_JOB_H
#define NGCC_JOB_H

#include <stddef.h>

enum {
    NGCC_JOB_BYTES = 65536,   /* longest job file */
    NGCC_JOB_KEYS = 128,      /* most keys */
    NGCC_ERROR_BYTES = 256    /* room for one line of explanation */
};

struct ngcc_job {
    size_t count;
    const char *keys[NGCC_JOB_KEYS];    /* point into text */
    const char *values[NGCC_JOB_KEYS];
    char text[NGCC_JOB_BYTES + 1];
};

/* Reads the file at `path`.  0, or -1 with one line in `error`.  Unknown keys are kept and never looked at. */
int ngcc_job_read(struct ngcc_job *job, const char *path, char error[NGCC_ERROR_BYTES]);

/* The value of `key` (the last one, if it is there twice), or `otherwise`. */
const char *ngcc_job_text(const struct ngcc_job *job, const char *key, const char *otherwise);

/*
 * Puts the decimal value of `key` into *number; an absent key leaves it as it is.  0, or -1 with one line in `error`
 * when the text is no whole number between `least` and `most`.
 */
int ngcc_job_number(const struct ngcc_job *job, const char *key, long long least, long long most, long long *number,
                    char error[NGCC_ERROR_BYTES]);

#endif
