/*
 * The timing driver: one process for one operation of one candidate.
 *
 *   ngcc_driver JOB
 *
 * It shuts itself in, loads the candidate's library, makes the operation's inputs, times calls and writes frames on
 * descriptor 3 (docs/driver.md).  Exit status: 0 after an end frame, 2 for wrong usage, 3 when it could not isolate
 * itself or the job makes no sense; no code of the candidate has run then.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "hold.h"
#include "isolation/isolation.h"
#include "isolation/procstatus.h"
#include "livepage.h"
#include "run.h"

enum {
    EXIT_USAGE = 2,
    EXIT_ISOLATION = 3,
    JSON_BYTES = 16384,
    LEAST_SAMPLES = 256    /* room for calibration and for the empty loop */
};

static const struct mode {
    const char *name;
    int timed;    /* makes calls of one operation, which is loaded and set up first */
    void (*run)(struct ngcc_run *run);
} modes[] = {
    {"measure", 1, ngcc_measure},
    {"calibrate", 1, ngcc_calibrate},
    {"profile", 1, ngcc_profile},
    {"reference", 1, ngcc_measure},
    {"kat", 0, ngcc_kat},
};

static const struct mode *find_mode(const char *name)
{
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (!strcmp(modes[i].name, name))
            return &modes[i];
    return NULL;
}

/* Everything that can be wrong with the job itself. */
static int understand(struct ngcc_run *run, const struct ngcc_job *job, char error[NGCC_ERROR_BYTES])
{
    const struct ngcc_settings *const settings = &run->settings;
    const struct mode *mode;

    run->job = job;
    if (ngcc_settings_read(&run->settings, job, error))
        return -1;
    mode = find_mode(settings->mode);
    run->operation = ngcc_operation_find(settings->function, settings->operation);
    if (mode && (run->operation || !mode->timed))
        return 0;
    snprintf(error, NGCC_ERROR_BYTES, "job: no mode %.40s of %.40s %.40s", settings->mode, settings->function,
             settings->operation);
    return -1;
}

/* What needs rights that the process gives up: the counter and the live page. */
static void open_outside(struct ngcc_run *run, char page_state[NGCC_ERROR_BYTES])
{
    char why[NGCC_ERROR_BYTES - 16];

    ngcc_counter_open(&run->counter, run->settings.counter);
    if (ngcc_page_map(run->settings.live_page, why, sizeof why))
        snprintf(page_state, NGCC_ERROR_BYTES, "refused: %s", why);
    else
        snprintf(page_state, NGCC_ERROR_BYTES, "%s", *run->settings.live_page ? "on" : "off");
}

static void note_counter(const struct ngcc_run *run)
{
    const struct ngcc_counter *const counter = &run->counter;
    char state[NGCC_ERROR_BYTES + 16];

    if (!strcmp(run->settings.counter, "none"))
        snprintf(state, sizeof state, "off");
    else
        snprintf(state, sizeof state, "%s%s%s", counter->fd < 0 ? "refused" : "on", *counter->why ? ": " : "",
                 counter->why);
    ngcc_isolate_note("counter", state);
}

static int make_samples(struct ngcc_run *run)
{
    const uint64_t calls = (uint64_t)run->settings.iterations, batch = (uint64_t)run->settings.batch;
    const uint64_t wanted = (calls + batch - 1) / batch;

    if (!ngcc_samples_make(&run->samples, wanted > LEAST_SAMPLES ? wanted : LEAST_SAMPLES))
        return 0;
    return ngcc_tally_end(&run->tally, NGCC_LOADFAIL, "no memory for %llu samples", (unsigned long long)wanted);
}

/* Load, set up, run the mode. */
static void work(struct ngcc_run *run, const struct mode *mode)
{
    const struct ngcc_settings *const settings = &run->settings;
    uint64_t baseline_rss_kib, start, setup_ns;

    ngcc_page_phase(NGCC_PHASE_SETUP, (uint64_t)settings->trial, 0);
    if (make_samples(run) || run->operation->load(settings, &run->sizes, &run->tally))
        return;
    baseline_rss_kib = ngcc_status_kib("VmRSS");
    start = ngcc_now_ns();
    if (run->operation->setup(settings, &run->tally))
        return;
    setup_ns = ngcc_now_ns() - start - ngcc_held_ns();
    if (ngcc_check_guards(run))
        return;
    ngcc_send_setup(run, setup_ns, baseline_rss_kib, ngcc_empty_loop_ns((uint64_t)settings->batch, &run->samples));
    mode->run(run);
}

static int refuse(struct ngcc_run *run, const char *why)
{
    fprintf(stderr, "ngcc_driver: %s\n", why);
    ngcc_send_end(run, "isolation", why);
    return EXIT_ISOLATION;
}

int main(int argc, char **argv)
{
    static const char *const words[] = {"ok", "failed", "rejected", "overflow", "loadfail"};
    static struct ngcc_job job;
    static struct ngcc_run run;
    char error[NGCC_ERROR_BYTES], page_state[NGCC_ERROR_BYTES];
    int *const keep[] = {&run.counter.fd};
    const struct mode *mode;
    int nonsense;

    if (argc != 2) {
        fprintf(stderr, "usage: ngcc_driver JOB\n");
        return EXIT_USAGE;
    }
    run.counter.fd = -1;
    ngcc_json_reserve(&run.json, JSON_BYTES);
    if (ngcc_job_read(&job, argv[1], error))
        return refuse(&run, error);
    nonsense = understand(&run, &job, error);
    if (!nonsense)
        open_outside(&run, page_state);
    if (ngcc_isolate_job(&job, keep, 1))
        return refuse(&run, ngcc_isolate_error());
    if (nonsense)
        return refuse(&run, error);
    ngcc_isolate_note("live_page", page_state);
    note_counter(&run);

    mode = find_mode(run.settings.mode);
    if (mode->timed)
        work(&run, mode);
    else
        mode->run(&run);
    ngcc_page_phase(NGCC_PHASE_IDLE, (uint64_t)run.settings.trial, 0);
    fflush(NULL);
    ngcc_send_end(&run, words[run.tally.status], run.tally.detail);
    /* The figures are out.  The candidate's destructors run now as in any program: what goes wrong there is told too. */
    return 0;
}
