/* Calibrating: how long does one call take?  One trial whose first sample holds the cold call. */
#include <string.h>

#include "inputs.h"
#include "livepage.h"
#include "run.h"

#define LONG_CALL_NS UINT64_C(5000000000)    /* such a call is not repeated */
#define ENOUGH_NS UINT64_C(20000000)
#define SHORT_CALL_NS UINT64_C(10000)        /* shorter calls are timed in batches */

enum {
    PROBES = 3,
    MOST_SAMPLES = 64
};

static uint64_t sum(const struct ngcc_samples *samples)
{
    uint64_t total = 0;

    for (uint64_t i = 0; i < samples->count; i++)
        total += samples->values[i];
    return total;
}

static uint64_t least_probe(const struct ngcc_samples *samples)
{
    uint64_t value = UINT64_MAX;

    for (uint64_t i = 1; i < samples->count; i++)
        if (samples->values[i] < value)
            value = samples->values[i];
    return value;
}

static int enough(const struct ngcc_samples *samples)
{
    return samples->count > PROBES && (samples->count >= MOST_SAMPLES || sum(samples) >= ENOUGH_NS);
}

/* Calls in groups of `batch` until there is enough; returns the calls made in all, `done` of them before. */
static uint64_t until_enough(struct ngcc_run *run, uint64_t number, uint64_t done, uint64_t batch,
                             struct ngcc_window *window)
{
    while (run->tally.status == NGCC_OK && !enough(&run->samples))
        done += ngcc_timed_calls(run->operation, number + done, batch, batch, &run->samples, &run->tally, window);
    return done;
}

/* The single calls so far, and as many more as fill a batch, become the first sample: it holds the cold call. */
static uint64_t fill_batch(struct ngcc_run *run, uint64_t number, uint64_t done, uint64_t batch,
                           struct ngcc_window *window)
{
    if (batch > done)
        done += ngcc_timed_calls(run->operation, number + done, batch - done, batch - done, &run->samples, &run->tally,
                                 window);
    run->samples.values[0] = sum(&run->samples);
    run->samples.count = 1;
    return done;
}

/* Makes the calls; returns their number, and in *batch how many of them each sample holds. */
static uint64_t calls(struct ngcc_run *run, uint64_t number, uint64_t *batch, struct ngcc_window *window)
{
    struct ngcc_samples *const samples = &run->samples;
    uint64_t done = ngcc_timed_calls(run->operation, number, 1, 1, samples, &run->tally, window), probe;

    *batch = 1;
    if (done < 1 || run->settings.single || samples->values[0] >= LONG_CALL_NS)
        return done;
    done += ngcc_timed_calls(run->operation, number + 1, PROBES, 1, samples, &run->tally, window);
    if (run->tally.status != NGCC_OK)
        return done;
    probe = least_probe(samples);
    if (probe < SHORT_CALL_NS) {
        *batch = 2 * SHORT_CALL_NS / (probe > 0 ? probe : 1) + 1;
        if (*batch < done)
            *batch = done;
        done = fill_batch(run, number, done, *batch, window);
    }
    return until_enough(run, number, done, *batch, window);
}

void ngcc_calibrate(struct ngcc_run *run)
{
    const uint64_t index = (uint64_t)run->settings.trial;
    struct ngcc_window window;
    uint64_t done, batch;

    run->samples.count = 0;
    memset(&run->tally, 0, sizeof run->tally);
    ngcc_page_phase(NGCC_PHASE_TIMED, index, 0);
    ngcc_window_open(&window, &run->counter);
    done = calls(run, ngcc_call_number(index, 0), &batch, &window);
    ngcc_window_close(&window);
    if (run->tally.status == NGCC_OK)
        ngcc_check_guards(run);
    if (run->tally.status == NGCC_OK)
        ngcc_send_trial(run, index, done, batch, &window);
    if (run->tally.status == NGCC_OK && run->tally.rejected > 0)
        ngcc_tally_end(&run->tally, NGCC_REJECTED, "sig_verify refused %llu of %llu right signatures",
                       run->tally.rejected, (unsigned long long)done);
}
