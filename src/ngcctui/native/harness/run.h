/* One driver process: what it was asked, what it has in hand, and the modes it can run in. */
#ifndef NGCC_RUN_H
#define NGCC_RUN_H

#include "counters.h"
#include "isolation/json.h"
#include "operation.h"
#include "timing.h"

struct ngcc_run {
    const struct ngcc_job *job;
    struct ngcc_settings settings;
    const struct ngcc_operation *operation;
    struct ngcc_sizes sizes;
    struct ngcc_counter counter;
    struct ngcc_samples samples;
    struct ngcc_json json;
    struct ngcc_tally tally;    /* of the call or trial at hand; at the end, of what ended the process */
};

/* Modes.  Status and detail are left in run->tally.  All but the last expect the operation loaded and set up. */
void ngcc_measure(struct ngcc_run *run);
void ngcc_calibrate(struct ngcc_run *run);
void ngcc_profile(struct ngcc_run *run);
void ngcc_kat(struct ngcc_run *run);

/* Makes the warm-up calls.  0, or -1 with the tally of what ended them. */
int ngcc_warm_up(struct ngcc_run *run);

/* Looks at the guards: 0, or -1 with status overflow. */
int ngcc_check_guards(struct ngcc_run *run);

/* Frames (docs/driver.md). */
void ngcc_send_setup(struct ngcc_run *run, uint64_t setup_ns, uint64_t baseline_rss_kib, double empty_loop_ns);
void ngcc_send_trial(struct ngcc_run *run, uint64_t trial, uint64_t iterations, uint64_t batch,
                     const struct ngcc_window *window);
void ngcc_send_end(struct ngcc_run *run, const char *status, const char *detail);

#endif
