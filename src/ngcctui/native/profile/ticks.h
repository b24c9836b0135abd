/*
 * The processor's own fixed-rate clock, cheap enough to be read around a call of a hash function.
 *
 * These are ticks of a clock, not cycles of the core: the TSC on x86-64, the generic timer on arm64.
 */
#ifndef NGCC_TICKS_H
#define NGCC_TICKS_H

#include <stdint.h>
#include <time.h>

#if defined(__x86_64__)

#define NGCC_TICK_SOURCE "tsc"

static inline uint64_t ngcc_ticks(void)
{
    uint32_t low, high;

    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high) : : "memory");
    return (uint64_t)high << 32 | low;
}

/* Ticks a second; 0: only a comparison with another clock tells. */
static inline uint64_t ngcc_tick_hz(void)
{
    return 0;
}

#elif defined(__aarch64__)

#define NGCC_TICK_SOURCE "cntvct"

static inline uint64_t ngcc_ticks(void)
{
    uint64_t ticks;

    /* Without the barrier the read may happen before the work that it is to follow. */
    __asm__ volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(ticks) : : "memory");
    return ticks;
}

static inline uint64_t ngcc_tick_hz(void)
{
    uint64_t hz;

    __asm__ volatile("mrs %0, cntfrq_el0" : "=r"(hz));
    return hz;
}

#else

#define NGCC_TICK_SOURCE "none"

static inline uint64_t ngcc_ticks(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static inline uint64_t ngcc_tick_hz(void)
{
    return 1000000000u;
}

#endif

#endif
