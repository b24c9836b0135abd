#include "timing.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "../profile/ticks.h"
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

/* In window_open the fields hold the values read there; window_close turns them into differences. */
void ngcc_window_open(struct ngcc_window *window, const struct ngcc_counter *counter)
{
    struct ngcc_counter_reading reading;
    struct rusage usage;

    memset(window, 0, sizeof *window);
    window->cpu_before = sched_getcpu();
    getrusage(RUSAGE_THREAD, &usage);
    window->voluntary_switches = usage.ru_nvcsw;
    window->involuntary_switches = usage.ru_nivcsw;
    window->minor_faults = usage.ru_minflt;
    window->major_faults = usage.ru_majflt;
    ngcc_counter_read(counter, 0, &reading);
    window->cycles = reading.value;
    window->cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
    window->ticks = ngcc_ticks();
    window->wall_ns = ngcc_now_ns();
}

void ngcc_window_close(struct ngcc_window *window, const struct ngcc_counter *counter)
{
    struct ngcc_counter_reading reading;
    struct rusage usage;

    window->wall_ns = ngcc_now_ns() - window->wall_ns;
    window->ticks = ngcc_ticks() - window->ticks;
    window->cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID) - window->cpu_ns;
    ngcc_counter_read(counter, window->cycles, &reading);
    getrusage(RUSAGE_THREAD, &usage);
    window->voluntary_switches = usage.ru_nvcsw - window->voluntary_switches;
    window->involuntary_switches = usage.ru_nivcsw - window->involuntary_switches;
    window->minor_faults = usage.ru_minflt - window->minor_faults;
    window->major_faults = usage.ru_majflt - window->major_faults;
    window->cpu_after = sched_getcpu();
    if (counter->fd < 0) {
        snprintf(window->counter, sizeof window->counter, "%s", counter->why);
    } else if (!ngcc_counter_judge(&reading, &window->cycles, window->counter)) {
        window->has_cycles = 1;
        strcpy(window->counter, counter->unit);
    }
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
                             struct ngcc_samples *samples, struct ngcc_tally *tally)
{
    for (uint64_t done = 0; done < calls; done++) {
        uint64_t start, end;
        int ended;

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
                              struct ngcc_samples *samples, struct ngcc_tally *tally)
{
    uint64_t done = 0;

    while (done < calls) {
        const uint64_t now = calls - done < batch ? calls - done : batch;
        uint64_t start, end;
        int ended = 0;

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
                          struct ngcc_samples *samples, struct ngcc_tally *tally)
{
    const uint64_t room = (samples->capacity - samples->count) * batch;

    if (calls > room)
        calls = room;
    return batch == 1 ? single_calls(operation, number, calls, samples, tally)
                      : batched_calls(operation, number, calls, batch, samples, tally);
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
        ngcc_timed_calls(&empty, 0, calls, batch, samples, &ignored);
        for (uint64_t i = 0; i < samples->count; i++)
            sum += (double)samples->values[i];
        if (repeat == 0 || sum / (double)calls < least)
            least = sum / (double)calls;
    }
    samples->count = 0;
    return least;
}
