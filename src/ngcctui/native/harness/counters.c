#include "counters.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { WHOLE_READ = 3 * sizeof(uint64_t) };

int ngcc_counter_parse(const char *text, struct ngcc_counter_spec *spec)
{
    static const char *const units[] = {"cycles", "tsc"};
    unsigned long long type, config;
    char *end;

    if (*text < '0' || *text > '9')
        return -1;
    errno = 0;
    type = strtoull(text, &end, 10);
    if (errno || *end != ':' || type > UINT32_MAX || !strchr("0123456789abcdef", end[1]) || !end[1])
        return -1;
    config = strtoull(end + 1, &end, 16);
    if (errno || *end != ':')
        return -1;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (!strcmp(end + 1, units[i])) {
            spec->type = (uint32_t)type;
            spec->config = config;
            strcpy(spec->unit, units[i]);
            return 0;
        }
    }
    return -1;
}

int ngcc_counter_judge(const struct ngcc_counter_reading *reading, uint64_t *count, char why[NGCC_ERROR_BYTES])
{
    const struct ngcc_counter_reading *const r = reading;

    *why = '\0';
    if (r->got == 0)
        snprintf(why, NGCC_ERROR_BYTES, "counter in error state: it did not fit on the PMU");
    else if (r->got != WHOLE_READ)
        snprintf(why, NGCC_ERROR_BYTES, "short read: %" PRId64 " of %d bytes", r->got, (int)WHOLE_READ);
    else if (r->enabled == 0 || r->running == 0)
        snprintf(why, NGCC_ERROR_BYTES, "counter never ran");
    else if (r->running != r->enabled)
        snprintf(why, NGCC_ERROR_BYTES, "multiplexed: counted %" PRIu64 " of %" PRIu64 " ns", r->running, r->enabled);
    else if (r->value == 0)
        snprintf(why, NGCC_ERROR_BYTES, "counter reads zero");
    else if (r->value < r->previous)
        snprintf(why, NGCC_ERROR_BYTES, "counter went backwards");
    else if (r->value == r->previous)
        snprintf(why, NGCC_ERROR_BYTES, "counter stood still");
    if (*why)
        return -1;
    *count = r->value - r->previous;
    return 0;
}

static int open_event(const struct ngcc_counter_spec *spec, int without_kernel, int without_hypervisor)
{
    struct perf_event_attr attr;

    memset(&attr, 0, sizeof attr);
    attr.size = sizeof attr;
    attr.type = spec->type;
    attr.config = spec->config;
    attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    attr.pinned = 1;
    attr.exclude_kernel = without_kernel != 0;
    attr.exclude_hv = without_hypervisor != 0;
    return (int)syscall(__NR_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

void ngcc_counter_open(struct ngcc_counter *counter, const char *text)
{
    struct ngcc_counter_spec spec;

    counter->fd = -1;
    *counter->unit = '\0';
    *counter->why = '\0';
    if (!strcmp(text, "none")) {
        snprintf(counter->why, sizeof counter->why, "none asked for");
        return;
    }
    if (ngcc_counter_parse(text, &spec)) {
        snprintf(counter->why, sizeof counter->why, "no counter spec: %.80s", text);
        return;
    }
    counter->fd = open_event(&spec, 1, 1);
    if (counter->fd < 0 && errno == EINVAL)
        counter->fd = open_event(&spec, 1, 0);
    /* A clock runs in both modes and its PMU may refuse to be asked; cycles of the kernel would be wrong cycles. */
    if (counter->fd < 0 && errno == EINVAL && strcmp(spec.unit, "cycles")) {
        counter->fd = open_event(&spec, 0, 0);
        snprintf(counter->why, sizeof counter->why, "kernel mode counted too: this PMU cannot leave it out");
    }
    if (counter->fd < 0)
        snprintf(counter->why, sizeof counter->why, "perf_event_open: %s", strerror(errno));
    else
        strcpy(counter->unit, spec.unit);
}

void ngcc_counter_read(const struct ngcc_counter *counter, uint64_t previous, struct ngcc_counter_reading *reading)
{
    uint64_t words[3] = {0, 0, 0};

    reading->got = counter->fd < 0 ? -1 : (int64_t)read(counter->fd, words, sizeof words);
    reading->value = words[0];
    reading->enabled = words[1];
    reading->running = words[2];
    reading->previous = previous;
}
