/* Measuring: warm-ups once, then trials of a fixed number of calls. */
#include <string.h>

#include "buffers.h"
#include "hold.h"
#include "inputs.h"
#include "livepage.h"
#include "run.h"

int ngcc_check_guards(struct ngcc_run *run)
{
    char detail[NGCC_ERROR_BYTES];

    return ngcc_buffers_check(detail, sizeof detail) ? ngcc_tally_end(&run->tally, NGCC_OVERFLOW, "%s", detail) : 0;
}

int ngcc_warm_up(struct ngcc_run *run)
{
    const uint64_t calls = (uint64_t)run->settings.warmups, trial = (uint64_t)run->settings.trial;

    ngcc_page_phase(NGCC_PHASE_WARM_UP, trial, calls);
    memset(&run->tally, 0, sizeof run->tally);
    for (uint64_t i = 0; i < calls; i++) {
        ngcc_hold_if_asked();
        run->operation->prepare(ngcc_call_number(trial, ngcc_warm_up_index(i)));
        if (run->operation->call(&run->tally))
            return -1;
        ngcc_page->iteration = i + 1;
    }
    return ngcc_check_guards(run);
}

/* One trial and its frame; 0, or -1 when its calls have ended the measurement. */
static int trial(struct ngcc_run *run, uint64_t index)
{
    const uint64_t calls = (uint64_t)run->settings.iterations, batch = (uint64_t)run->settings.batch;
    struct ngcc_window window;
    uint64_t done;

    run->samples.count = 0;
    memset(&run->tally, 0, sizeof run->tally);
    ngcc_page_phase(NGCC_PHASE_TIMED, index, calls);
    ngcc_window_open(&window, &run->counter);
    done = ngcc_timed_calls(run->operation, ngcc_call_number(index, 0), calls, batch, &run->samples, &run->tally,
                            &window);
    ngcc_window_close(&window);
    if (run->tally.status == NGCC_OK)
        ngcc_check_guards(run);
    if (done > 0)
        ngcc_send_trial(run, index, done, batch, &window);
    return run->tally.status == NGCC_OK ? 0 : -1;
}

void ngcc_measure(struct ngcc_run *run)
{
    const struct ngcc_settings *const settings = &run->settings;
    unsigned long long rejected;

    if (ngcc_warm_up(run))
        return;
    rejected = run->tally.rejected;
    for (long long i = 0; i < settings->trials; i++) {
        if (trial(run, (uint64_t)(settings->trial + i)))
            return;
        rejected += run->tally.rejected;
    }
    if (rejected > 0)
        ngcc_tally_end(&run->tally, NGCC_REJECTED, "sig_verify refused %llu right signature%s", rejected,
                       rejected > 1 ? "s" : "");
}
