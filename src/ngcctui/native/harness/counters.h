/* A hardware counter of this process by perf_event_open, and the judgement whether a reading can be believed. */
#ifndef NGCC_COUNTERS_H
#define NGCC_COUNTERS_H

#include <stdint.h>

#include "isolation/job.h"

enum { NGCC_UNIT_BYTES = 16 };

/* What to open, from `<type>:<config in hex>:<unit>`. */
struct ngcc_counter_spec {
    uint32_t type;
    uint64_t config;
    char unit[NGCC_UNIT_BYTES];    /* "cycles" or "tsc" */
};

/* One read of a counter, the bytes it gave and the value of the read before (0: there was none). */
struct ngcc_counter_reading {
    int64_t got;          /* what read() returned */
    uint64_t value;
    uint64_t enabled;     /* ns the counter was wanted */
    uint64_t running;     /* ns the counter was counting */
    uint64_t previous;
};

struct ngcc_counter {
    int fd;                         /* -1: there is none */
    char unit[NGCC_UNIT_BYTES];
    char why[NGCC_ERROR_BYTES];     /* why there is none, or a remark on what is counted */
};

/* 0, or -1 when the text is no spec. */
int ngcc_counter_parse(const char *text, struct ngcc_counter_spec *spec);

/*
 * What was counted since `previous` into *count.  0, or -1 with one line in `why`: short read, error state (a pinned
 * counter that did not fit reads as nothing), never ran, multiplexed, zero, backwards or standing still.
 */
int ngcc_counter_judge(const struct ngcc_counter_reading *reading, uint64_t *count, char why[NGCC_ERROR_BYTES]);

/* Opens the counter of `spec` ("none": no counter) for the calling thread, user mode only where the PMU can. */
void ngcc_counter_open(struct ngcc_counter *counter, const char *spec);

/* Reads; a missing counter gives a reading that ngcc_counter_judge refuses. */
void ngcc_counter_read(const struct ngcc_counter *counter, uint64_t previous, struct ngcc_counter_reading *reading);

#endif
