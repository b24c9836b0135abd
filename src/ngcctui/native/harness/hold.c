#include "hold.h"

#include <time.h>

#include "timing.h"

#define NAP_NS 50000000L

static uint64_t held_ns;

static uint64_t monotonic_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void ngcc_hold(void)
{
    const struct timespec nap = {0, NAP_NS};
    const uint64_t phase = ngcc_page->phase;
    const uint64_t began = ngcc_now_ns();
    uint64_t then = monotonic_ns();

    ngcc_page->phase = NGCC_PHASE_HELD;
    while (ngcc_hold_asked()) {
        uint64_t now;

        nanosleep(&nap, NULL);
        now = monotonic_ns();
        ngcc_page->start_ns += now - then;
        then = now;
    }
    ngcc_page->phase = phase;
    held_ns += ngcc_now_ns() - began;
}

void ngcc_hold_if_asked(void)
{
    if (ngcc_hold_asked())
        ngcc_hold();
}

uint64_t ngcc_held_ns(void)
{
    return held_ns;
}
