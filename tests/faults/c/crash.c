/*
 * Dies of a signal: BY_SEGV, BY_ABRT, BY_ILL or BY_STACK, in call AFTER (0: the first) of operation AT; with AT_EXIT from
 * its destructor, when all the work has been done.
 */
#include "toy.h"

#include <stdlib.h>

#ifndef AT
#define AT SIGN
#endif
#ifndef AFTER
#define AFTER 0
#endif

#ifdef BY_STACK
static volatile int bottom = 1 << 30;

static int deeper(int depth)
{
    volatile char frame[1 << 16];

    frame[depth & 0xffff] = 1;
    return depth == bottom ? 0 : deeper(depth + 1) + frame[depth & 0xffff];
}
#endif

static void die(void)
{
#if defined BY_ABRT
    abort();
#elif defined BY_ILL && defined __x86_64__
    __asm__ volatile("ud2");
#elif defined BY_ILL
    __asm__ volatile(".inst 0");
#elif defined BY_STACK
    exit(deeper(0));
#else
    volatile int *volatile nowhere = 0;

    *nowhere = 1;
#endif
}

#ifdef AT_EXIT
__attribute__((destructor)) static void unload(void)
{
    die();
}
#endif

int misbehave(enum operation operation, unsigned char *out, unsigned long long *length)
{
#ifdef AT_EXIT
    (void)operation;
#else
    static int calls;

    if (operation == AT && calls++ >= AFTER)
        die();
#endif
    (void)out;
    (void)length;
    return 0;
}
