/*
 * From call AFTER (0: the first) of key generation on it writes on the live page of its own process: that the process
 * waits because it was asked to, and spins forever; or with ASK that it is to wait, and goes on.
 */
#include "toy.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#ifndef AFTER
#define AFTER 0
#endif

enum { PHASE_AT = 104, HOLD_AT = 640, HELD = 6 };

static unsigned char *live_page(void)
{
    FILE *const maps = fopen("/proc/self/maps", "r");
    unsigned char *page = 0;
    char line[512];
    void *start;

    while (maps && !page && fgets(line, sizeof line, maps))
        if (strstr(line, "/ngcctui-") && strstr(line, ".page") && sscanf(line, "%p-", &start) == 1)
            page = start;
    if (maps)
        fclose(maps);
    return page;
}

static void put(unsigned char *page, int offset, uint64_t value)
{
    memcpy(page + offset, &value, sizeof value);
}

int misbehave(enum operation operation, unsigned char *out, unsigned long long *length)
{
    static int calls;
    unsigned char *page;

    (void)out;
    (void)length;
    if (operation != KEYGEN || calls++ < AFTER)
        return 0;
    page = live_page();
    if (!page)
        return 1;
#ifdef ASK
    put(page, HOLD_AT, 1);
#else
    for (;;)
        put(page, PHASE_AT, HELD);
#endif
    return 0;
}
