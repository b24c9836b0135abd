/* For LD_PRELOAD: CLOCK_MONOTONIC runs twice as fast as all other clocks. */
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *now)
{
    const int failed = (int)syscall(SYS_clock_gettime, clock, now);

    if (!failed && clock == CLOCK_MONOTONIC) {
        now->tv_nsec *= 2;
        now->tv_sec = 2 * now->tv_sec + now->tv_nsec / 1000000000;
        now->tv_nsec %= 1000000000;
    }
    return failed;
}
