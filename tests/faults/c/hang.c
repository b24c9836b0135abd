/*
 * Never returns from call AFTER (0: the first) of operation AT, or with AT_LOAD not even from its constructor.  It spins, or
 * with DEAF blocks and ignores every signal that can be and sleeps.
 */
#include "toy.h"

#include <signal.h>
#include <unistd.h>

#ifndef AT
#define AT SIGN
#endif
#ifndef AFTER
#define AFTER 0
#endif

static void hang(void)
{
    volatile int forever = 1;

#ifdef DEAF
    sigset_t all;

    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, 0);
    signal(SIGTERM, SIG_IGN);
    signal(SIGINT, SIG_IGN);
#endif
    while (forever) {
#ifdef DEAF
        pause();
#endif
    }
}

#ifdef AT_LOAD
__attribute__((constructor)) static void load(void)
{
    hang();
}
#endif

int misbehave(enum operation operation, unsigned char *out, unsigned long long *length)
{
    static int calls;

    (void)out;
    (void)length;
    if (operation == AT && calls++ >= AFTER)
        hang();
    return 0;
}
