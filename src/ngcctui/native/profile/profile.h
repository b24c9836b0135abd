/*
 * What a library with wrapped helper functions tells the driver.
 *
 * Both sides are built from this header and check its version; the library lies in the candidate's address space.
 */
#ifndef NGCC_PROFILE_H
#define NGCC_PROFILE_H

#include <stdint.h>

enum {
    NGCC_PROFILE_VERSION = 1,
    NGCC_PROFILE_SLOTS = 8192    /* distinct (function, in, out) that can be told apart; a power of two */
};

enum ngcc_profiled {
    NGCC_PSEUDOHASH,
    NGCC_PSEUDOXOF,
    NGCC_SM3HASH,
    NGCC_DRNG,
    NGCC_SM3STREAM,    /* sm3_init, sm3_update and sm3_final: one call a message, counted by sm3_final */
    NGCC_PROFILED_FUNCTIONS
};

/* Calls of one function with one pair of lengths (bits).  A slot with neither calls nor ticks is free. */
struct ngcc_profile_entry {
    uint64_t function;
    uint64_t in_bits;
    uint64_t out_bits;
    uint64_t calls;
    uint64_t ticks;
};

struct ngcc_profile {
    uint64_t version;
    uint64_t total_ticks;       /* of the operations, from start to stop */
    uint64_t overflow_calls;    /* not in the table: it was full */
    const struct ngcc_profile_entry *entries;    /* NGCC_PROFILE_SLOTS, in no order */
    const char *not_intercepted;                 /* why calls may have gone unseen; null: the self-check passed */
};

/* Exported by the library.  The driver calls start and stop around each operation, in one thread, and read at the end. */
typedef void ngcc_profile_start_function(void);
typedef void ngcc_profile_stop_function(void);
typedef const struct ngcc_profile *ngcc_profile_read_function(void);

#endif
