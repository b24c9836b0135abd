/* What the job file asks of the driver, checked. */
#ifndef NGCC_SETTINGS_H
#define NGCC_SETTINGS_H

#include "isolation/job.h"

struct ngcc_settings {
    const char *mode;            /* measure, calibrate, profile, reference */
    const char *function;        /* signature, hash, reference */
    const char *operation;       /* keygen, sign, verify, hash, reference */
    const char *counter;         /* none, or <type>:<config in hex>:<unit> */
    const char *live_page;       /* path, or empty */
    int varied;                  /* inputs differ from trial to trial and call to call */
    int single;                  /* calibrate with exactly one call */
    long long message_bytes;     /* of a hash operation */
    long long digest_bits;       /* of a hash operation */
    long long trial;             /* index of the first trial of this process, from 0 */
    long long trials;            /* trials of this process */
    long long iterations;        /* timed calls a trial */
    long long warmups;           /* untimed calls before the first trial */
    long long batch;             /* calls between two clock reads */
    long long signatures;        /* most distinct inputs of verify */
};

enum {
    NGCC_MOST_ITERATIONS = 1 << 23,  /* their samples are 64 MiB */
    NGCC_MOST_BYTES = 1 << 30        /* longest key, signature or message */
};

/* 0, or -1 with one line in `error`. */
int ngcc_settings_read(struct ngcc_settings *settings, const struct ngcc_job *job, char error[NGCC_ERROR_BYTES]);

#endif
