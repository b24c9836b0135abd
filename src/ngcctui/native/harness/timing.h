/* Timed calls: samples of single calls or batches, and what a whole loop cost. */
#ifndef NGCC_TIMING_H
#define NGCC_TIMING_H

#include <stdint.h>

#include "counters.h"
#include "operation.h"

struct ngcc_samples {
    uint64_t *values;    /* ns */
    uint64_t capacity;
    uint64_t count;
};

/* What clocks and counters read at one moment, or count between two. */
struct ngcc_readings {
    long voluntary_switches, involuntary_switches, minor_faults, major_faults;
    uint64_t cycles;                        /* of the counter's unit */
    uint64_t wall_ns, cpu_ns, ticks;
};

/* Figures of one loop from window_open to window_close, without the time that it was held. */
struct ngcc_window {
    const struct ngcc_counter *source;
    int cpu_before, cpu_after;              /* -1: unknown */
    struct ngcc_readings count;
    int has_cycles;
    char counter[NGCC_ERROR_BYTES];         /* the unit, or why there are no cycles */
    uint64_t held_ns;
};

/* CLOCK_MONOTONIC_RAW, ns. */
uint64_t ngcc_now_ns(void);

/* Reads all clocks and counters; the ones that cost most lie outermost. */
void ngcc_window_open(struct ngcc_window *window, const struct ngcc_counter *counter);
void ngcc_window_close(struct ngcc_window *window);

/* Allocates and touches room for `capacity` samples.  0, or -1. */
int ngcc_samples_make(struct ngcc_samples *samples, uint64_t capacity);

/*
 * Makes `calls` calls, the first with number `number`, and appends a sample for every `batch` of them (the last may be
 * shorter).  With batch 1 inputs are prepared between the timed calls; in a batch the preparation, a store of 8 bytes
 * at most, is timed with the call.  Before each of them the process waits if the engine holds it; the open window `window`
 * (null: there is none) counts nothing of that.  Returns the number of calls whose samples were taken; fewer than `calls`
 * when one ended the measurement.
 */
uint64_t ngcc_timed_calls(const struct ngcc_operation *operation, uint64_t number, uint64_t calls, uint64_t batch,
                          struct ngcc_samples *samples, struct ngcc_tally *tally, struct ngcc_window *window);

/* What the loop itself costs a call, ns: the same loop around an operation that does nothing. */
double ngcc_empty_loop_ns(uint64_t batch, struct ngcc_samples *samples);

#endif
