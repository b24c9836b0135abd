#include "timing.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "../profile/ticks.h"
#include "hold.h"
#include "livepage.h"

static uint64_t clock_ns(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t ngcc_now_ns(void)
{
    return clock_ns(CLOCK_MONOTONIC_RAW);
}

static void read_usage(struct ngcc_readings *readings)
{
    struct rusage usage;

    getrusage(RUSAGE_THREAD, &usage);
    readings->voluntary_switches = usage.ru_nvcsw;
    readings->involuntary_switches = usage.ru_nivcsw;
    readings->minor_faults = usage.ru_minflt;
    readings->major_faults = usage.ru_majflt;
}

/* Before calls: what costs most is read first, so that its cost lies outside of the rest. */
static void read_inwards(struct ngcc_readings *readings, const struct ngcc_counter *counter, uint64_t previous,
                         struct ngcc_counter_reading *reading)
{
    read_usage(readings);
    ngcc_counter_read(counter, previous, reading);
    readings->cycles = reading->value;
    readings->cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
    readings->ticks = ngcc_ticks();
    readings->wall_ns = ngcc_now_ns();
}

/* Behind calls: the other way round. */
static void read_outwards(struct ngcc_readings *readings, const struct ngcc_counter *counter, uint64_t previous,
                          struct ngcc_counter_reading *reading)
{
    readings->wall_ns = ngcc_now_ns();
    readings->ticks = ngcc_ticks();
    readings->cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
    ngcc_counter_read(counter, previous, reading);
    readings->cycles = reading->value;
    read_usage(readings);
}

/* Adds to `total` what was counted from `from` to `to`. */
static void add(struct ngcc_readings *total, const struct ngcc_readings *from, const struct ngcc_readings *to)
{
    total->voluntary_switches += to->voluntary_switches - from->voluntary_switches;
    total->involuntary_switches += to->involuntary_switches - from->involuntary_switches;
    total->minor_faults += to->minor_faults - from->minor_faults;
    total->major_faults += to->major_faults - from->major_faults;
    total->cycles += to->cycles - from->cycles;
    total->wall_ns += to->wall_ns - from->wall_ns;
    total->cpu_ns += to->cpu_ns - from->cpu_ns;
    total->ticks += to->ticks - from->ticks;
}

/* In an open window `count` holds what was read at its beginning; closing it turns that into differences. */
void ngcc_window_open(struct ngcc_window *window, const struct ngcc_counter *counter)
{
    struct ngcc_counter_reading reading;

    memset(window, 0, sizeof *window);
    window->source = counter;
    window->cpu_before = sched_getcpu();
    read_inwards(&window->count, counter, 0, &reading);
}

/* Notes why a reading of the counter cannot be believed: there are no cycles then. */
static void judge(struct ngcc_window *window, const struct ngcc_counter_reading *reading)
{
    uint64_t ignored;

    if (!*window->counter && window->source->fd >= 0)
        ngcc_counter_judge(reading, &ignored, window->counter);
}

/* Waits.  The beginning of the window moves on by all that was counted meanwhile. */
static void hold(struct ngcc_window *window)
{
    struct ngcc_counter_reading reading;
    struct ngcc_readings before, after;

    if (!window) {
        ngcc_hold();
        return;
    }
    read_outwards(&before, window->source, window->count.cycles, &reading);
    judge(window, &reading);
    ngcc_hold();
    read_inwards(&after, window->source, before.cycles, &reading);
    judge(window, &reading);
    add(&window->count, &before, &after);
    window->held_ns += after.wall_ns - before.wall_ns;
}

void ngcc_window_close(struct ngcc_window *window)
{
    const struct ngcc_counter *const counter = window->source;
    const struct ngcc_readings opened = window->count;
    struct ngcc_counter_reading reading;
    struct ngcc_readings closed;

    read_outwards(&closed, counter, opened.cycles, &reading);
    window->cpu_after = sched_getcpu();
    judge(window, &reading);
    memset(&window->count, 0, sizeof window->count);
    add(&window->count, &opened, &closed);
    window->has_cycles = counter->fd >= 0 && !*window->counter;
    if (!*window->counter)
        strcpy(window->counter, counter->fd < 0 ? counter->why : counter->unit);
}

int ngcc_samples_make(struct ngcc_samples *samples, uint64_t capacity)
{
    samples->count = 0;
    samples->capacity = capacity;
    samples->values = malloc(capacity * sizeof *samples->values);
    if (!samples->values)
        return -1;
    memset(samples->values, 0xff, capacity * sizeof *samples->values);
    return 0;
}

static uint64_t single_calls(const struct ngcc_operation *operation, uint64_t number, uint64_t calls,
                             struct ngcc_samples *samples, struct ngcc_tally *tally, struct ngcc_window *window)
{
    for (uint64_t done = 0; done < calls; done++) {
        uint64_t start, end;
        int ended;

        if (ngcc_hold_asked())
            hold(window);
        operation->prepare(number + done);
        start = ngcc_now_ns();
        ended = operation->call(tally);
        end = ngcc_now_ns();
        if (ended)
            return done;
        samples->values[samples->count++] = end - start;
        ngcc_page->iteration = done + 1;
    }
    return calls;
}

static uint64_t batched_calls(const struct ngcc_operation *operation, uint64_t number, uint64_t calls, uint64_t batch,
                              struct ngcc_samples *samples, struct ngcc_tally *tally, struct ngcc_window *window)
{
    uint64_t done = 0;

    while (done < calls) {
        const uint64_t now = calls - done < batch ? calls - done : batch;
        uint64_t start, end;
        int ended = 0;

        if (ngcc_hold_asked())
            hold(window);
        start = ngcc_now_ns();
        for (uint64_t i = 0; i < now && !ended; i++) {
            operation->prepare(number + done + i);
            ended = operation->call(tally);
        }
        end = ngcc_now_ns();
        if (ended)
            break;
        done += now;
        samples->values[samples->count++] = end - start;
        ngcc_page->iteration = done;
    }
    return done;
}

uint64_t ngcc_timed_calls(const struct ngcc_operation *operation, uint64_t number, uint64_t calls, uint64_t batch,
                          struct ngcc_samples *samples, struct ngcc_tally *tally, struct ngcc_window *window)
{
    const uint64_t room = (samples->capacity - samples->count) * batch;

    if (calls > room)
        calls = room;
    return batch == 1 ? single_calls(operation, number, calls, samples, tally, window)
                      : batched_calls(operation, number, calls, batch, samples, tally, window);
}

static void prepare_nothing(uint64_t number)
{
    (void)number;
}

static int do_nothing(struct ngcc_tally *tally)
{
    (void)tally;
    return 0;
}

double ngcc_empty_loop_ns(uint64_t batch, struct ngcc_samples *samples)
{
    enum { REPEATS = 5, MOST_SAMPLES = 200 };
    const struct ngcc_operation empty = {"", "", NULL, NULL, prepare_nothing, do_nothing};
    const uint64_t calls = batch * (samples->capacity < MOST_SAMPLES ? samples->capacity : MOST_SAMPLES);
    double least = 0;

    /* The least of a few means: an interruption is no cost of the loop. */
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        struct ngcc_tally ignored;
        double sum = 0;

        samples->count = 0;
        ngcc_timed_calls(&empty, 0, calls, batch, samples, &ignored, NULL);
        for (uint64_t i = 0; i < samples->count; i++)
            sum += (double)samples->values[i];
        if (repeat == 0 || sum / (double)calls < least)
            least = sum / (double)calls;
    }
    samples->count = 0;
    return least;
}
