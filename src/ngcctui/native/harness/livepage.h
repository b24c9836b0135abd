/*
 * The live page: a file of 4096 bytes through which viewers see what this process is doing.
 *
 * Fields are aligned little-endian 64-bit numbers; plain stores between timed calls cost less than a nanosecond and no
 * system call.  The engine owns the page from offset 512 on; of its half the driver reads one field.
 */
#ifndef NGCC_LIVEPAGE_H
#define NGCC_LIVEPAGE_H

#include <stddef.h>
#include <stdint.h>

#define NGCC_PAGE_MAGIC UINT64_C(0x4e47434331504147)  /* "NGCC1PAG" */

enum {
    NGCC_PAGE_BYTES = 4096,
    NGCC_PAGE_VERSION = 1
};

enum ngcc_phase {
    NGCC_PHASE_IDLE = 0,
    NGCC_PHASE_SETUP = 1,
    NGCC_PHASE_WARM_UP = 2,
    NGCC_PHASE_TIMED = 3,
    NGCC_PHASE_PROFILE = 4,
    NGCC_PHASE_KAT = 5,
    NGCC_PHASE_HELD = 6    /* waits between two calls, because the engine asks for it */
};

struct ngcc_page {
    uint64_t magic;
    uint64_t version;
    uint64_t unused[6];
    uint64_t pid;
    uint64_t trial;
    uint64_t iteration;
    uint64_t iterations;
    uint64_t start_ns;    /* CLOCK_MONOTONIC, start of the phase; moves on with the clock while the process waits */
    uint64_t phase;
    uint64_t engine[66];
    uint64_t hold;        /* at offset 640, a cache line that the engine writes only here: not 0 asks to wait */
};

/* The page, or private memory of the same shape when there is none; never null. */
extern volatile struct ngcc_page *ngcc_page;

/* Maps the file at `path`.  0, or -1 with one line in `why`; an empty path is no failure. */
int ngcc_page_map(const char *path, char *why, size_t size);

/* Announces a phase of `iterations` calls. */
void ngcc_page_phase(enum ngcc_phase phase, uint64_t trial, uint64_t iterations);

#endif
