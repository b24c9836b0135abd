/* The frames of the driver. */
#include <string.h>
#include <sys/resource.h>

#include "../profile/ticks.h"
#include "isolation/frames.h"
#include "isolation/isolation.h"
#include "isolation/procstatus.h"
#include "library.h"
#include "run.h"

static struct ngcc_json *begin(struct ngcc_run *run, const char *type)
{
    ngcc_json_reset(&run->json);
    ngcc_json_open(&run->json, '{');
    ngcc_json_key(&run->json, "type");
    ngcc_json_string(&run->json, type);
    return &run->json;
}

static void number(struct ngcc_json *json, const char *key, unsigned long long value)
{
    ngcc_json_key(json, key);
    ngcc_json_unsigned(json, value);
}

static void whole(struct ngcc_json *json, const char *key, long long value)
{
    ngcc_json_key(json, key);
    ngcc_json_signed(json, value);
}

static void text(struct ngcc_json *json, const char *key, const char *value)
{
    ngcc_json_key(json, key);
    ngcc_json_string(json, value);
}

static void number_or_null(struct ngcc_json *json, const char *key, int known, unsigned long long value)
{
    ngcc_json_key(json, key);
    if (known)
        ngcc_json_unsigned(json, value);
    else
        ngcc_json_null(json);
}

static void send(struct ngcc_json *json)
{
    ngcc_json_close(json, '}');
    ngcc_frame('J', json->text, json->length);
}

void ngcc_send_setup(struct ngcc_run *run, uint64_t setup_ns, uint64_t baseline_rss_kib, double empty_loop_ns)
{
    struct ngcc_json *const json = begin(run, "setup");

    number(json, "setup_ns", setup_ns);
    number(json, "public_key", run->sizes.public_key);
    number(json, "secret_key", run->sizes.secret_key);
    number(json, "signature", run->sizes.signature);
    number(json, "baseline_rss_kib", baseline_rss_kib);
    ngcc_json_key(json, "empty_loop_ns");
    ngcc_json_fixed(json, empty_loop_ns);
    ngcc_json_key(json, "isolation");
    ngcc_json_raw(json, ngcc_isolate_report());
    text(json, "instance", ngcc_library_instance());
    send(json);
}

void ngcc_send_trial(struct ngcc_run *run, uint64_t trial, uint64_t iterations, uint64_t batch,
                     const struct ngcc_window *window)
{
    const struct ngcc_readings *const count = &window->count;
    struct ngcc_json *const json = begin(run, "trial");

    number(json, "trial", trial);
    number(json, "iterations", iterations);
    number(json, "batch", batch);
    number(json, "wall_ns", count->wall_ns);
    number(json, "cpu_ns", count->cpu_ns);
    number_or_null(json, "cycles", window->has_cycles, count->cycles);
    text(json, "counter", window->counter);
    number_or_null(json, "ticks", strcmp(NGCC_TICK_SOURCE, "none") != 0, count->ticks);
    text(json, "tick_source", NGCC_TICK_SOURCE);
    whole(json, "cpu_before", window->cpu_before);
    whole(json, "cpu_after", window->cpu_after);
    whole(json, "voluntary_switches", count->voluntary_switches);
    whole(json, "involuntary_switches", count->involuntary_switches);
    whole(json, "minor_faults", count->minor_faults);
    whole(json, "major_faults", count->major_faults);
    number(json, "held_ns", window->held_ns);
    number(json, "retries", run->tally.retries);
    number(json, "rejected", run->tally.rejected);
    number(json, "failures", run->tally.failures);
    whole(json, "failure_code", run->tally.failure_code);
    number(json, "samples", run->samples.count);
    send(json);
    ngcc_frame('S', run->samples.values, run->samples.count * sizeof *run->samples.values);
}

/* The limit of this process's memory, 0 for none. */
static unsigned long long address_space_kib(void)
{
    struct rlimit limit;

    return getrlimit(RLIMIT_AS, &limit) || limit.rlim_cur == RLIM_INFINITY ? 0 : limit.rlim_cur / 1024;
}

void ngcc_send_end(struct ngcc_run *run, const char *status, const char *detail)
{
    struct ngcc_json *const json = begin(run, "end");

    text(json, "status", status);
    text(json, "detail", detail);
    number(json, "peak_rss_kib", ngcc_status_kib("VmHWM"));
    number(json, "vm_peak_kib", ngcc_status_kib("VmPeak"));
    number(json, "vm_limit_kib", address_space_kib());
    send(json);
}
