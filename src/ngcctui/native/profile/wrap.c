/*
 * Wrappers of the ICCS helper functions for a library linked with -Wl,--wrap=<function> for each of them.
 *
 * They count calls and ticks by function and lengths while an operation runs.  A helper that calls another one keeps
 * the time of both.  What the wrappers themselves cost is not subtracted.
 *
 * -DNGCC_FOREIGN_HELPERS: the package brings helpers of its own, which count no entries.
 * -DNGCC_MERGED_HELPERS: one of these is in an object file with the operations, where the linker redirects nothing.
 */
#include "profile.h"

#include <stddef.h>

#include "profile_hook.h"
#include "ticks.h"

void ngcc_profile_start(void);
void ngcc_profile_stop(void);
const struct ngcc_profile *ngcc_profile_read(void);

__attribute__((visibility("hidden"))) unsigned long long ngcc_helper_entries[NGCC_HELPERS];    /* by the helpers */
static unsigned long long wrapped[NGCC_HELPERS];    /* counted here: must agree */

static struct ngcc_profile_entry entries[NGCC_PROFILE_SLOTS];
static struct ngcc_profile profile;
static unsigned long long calls_seen;     /* while accounting */
static unsigned long long calls_elsewhere;

/* The thread that runs the operation; other threads' calls are not accounted. */
#define OF_THREAD static __thread __attribute__((tls_model("initial-exec")))
OF_THREAD int accounting;
OF_THREAD int depth;
static int operation_runs;
static uint64_t operation_start;

/* The hash being computed in pieces, if it is the only one: several at a time are told apart by nothing but luck. */
static struct {
    const void *context;
    uint64_t bits;
    uint64_t ticks;    /* of all pieces since the last sm3_final */
} stream;

static uint64_t slot_of(uint64_t function, uint64_t in_bits, uint64_t out_bits)
{
    uint64_t key = in_bits * UINT64_C(0x9e3779b97f4a7c15) ^ (out_bits + function) * UINT64_C(0xc2b2ae3d27d4eb4f);

    return (key ^ key >> 29) * UINT64_C(0xbf58476d1ce4e5b9) >> 51;
}

static void add(uint64_t function, uint64_t in_bits, uint64_t out_bits, uint64_t calls, uint64_t ticks)
{
    uint64_t slot = slot_of(function, in_bits, out_bits);

    for (int tries = 0; tries < NGCC_PROFILE_SLOTS; tries++, slot = (slot + 1) % NGCC_PROFILE_SLOTS) {
        struct ngcc_profile_entry *const entry = &entries[slot];

        if (!entry->calls && !entry->ticks) {
            entry->function = function;
            entry->in_bits = in_bits;
            entry->out_bits = out_bits;
        }
        if (entry->function == function && entry->in_bits == in_bits && entry->out_bits == out_bits) {
            entry->calls += calls;
            entry->ticks += ticks;
            return;
        }
    }
    profile.overflow_calls += calls;
}

/* Entering any wrapper; returns the time if this call is to be accounted, else 0. */
static uint64_t enter(enum ngcc_helper helper)
{
    wrapped[helper]++;
    if (!accounting) {
        if (__atomic_load_n(&operation_runs, __ATOMIC_RELAXED))
            __atomic_fetch_add(&calls_elsewhere, 1, __ATOMIC_RELAXED);
        return 0;
    }
    calls_seen++;
    return depth++ ? 0 : ngcc_ticks();
}

/* Leaving it; 1 and the ticks if it was the outermost one. */
static int leave(uint64_t begin, uint64_t *ticks)
{
    if (!accounting || --depth)
        return 0;
    *ticks = ngcc_ticks() - begin;
    return 1;
}

static void account(enum ngcc_profiled function, uint64_t in_bits, uint64_t out_bits, uint64_t begin)
{
    uint64_t ticks;

    if (leave(begin, &ticks))
        add(function, in_bits, out_bits, 1, ticks);
}

/* Weak: a package need not have all of them. */
#define REAL __attribute__((weak))

int __real_pseudohash(int digest_bits, const unsigned char *msg, unsigned long long msg_bits,
                      unsigned char *digest) REAL;
int __wrap_pseudohash(int digest_bits, const unsigned char *msg, unsigned long long msg_bits, unsigned char *digest);

int __wrap_pseudohash(int digest_bits, const unsigned char *msg, unsigned long long msg_bits, unsigned char *digest)
{
    const uint64_t begin = enter(NGCC_HELPER_PSEUDOHASH);
    const int code = __real_pseudohash(digest_bits, msg, msg_bits, digest);

    account(NGCC_PSEUDOHASH, msg_bits, (uint64_t)digest_bits, begin);
    return code;
}

int __real_pseudoXOF(unsigned long long out_bits, const unsigned char *msg, unsigned long long msg_bits,
                     unsigned char *out) REAL;
int __wrap_pseudoXOF(unsigned long long out_bits, const unsigned char *msg, unsigned long long msg_bits,
                     unsigned char *out);

int __wrap_pseudoXOF(unsigned long long out_bits, const unsigned char *msg, unsigned long long msg_bits,
                     unsigned char *out)
{
    const uint64_t begin = enter(NGCC_HELPER_PSEUDOXOF);
    const int code = __real_pseudoXOF(out_bits, msg, msg_bits, out);

    account(NGCC_PSEUDOXOF, msg_bits, out_bits, begin);
    return code;
}

int __real_sm3hash(int digest_bits, const unsigned char *msg, unsigned long long msg_bits, unsigned char *digest) REAL;
int __wrap_sm3hash(int digest_bits, const unsigned char *msg, unsigned long long msg_bits, unsigned char *digest);

int __wrap_sm3hash(int digest_bits, const unsigned char *msg, unsigned long long msg_bits, unsigned char *digest)
{
    const uint64_t begin = enter(NGCC_HELPER_SM3HASH);
    const int code = __real_sm3hash(digest_bits, msg, msg_bits, digest);

    account(NGCC_SM3HASH, msg_bits, (uint64_t)digest_bits, begin);
    return code;
}

int __real_get_random_number(void *drng, unsigned char *out, unsigned long long out_bits) REAL;
int __wrap_get_random_number(void *drng, unsigned char *out, unsigned long long out_bits);

int __wrap_get_random_number(void *drng, unsigned char *out, unsigned long long out_bits)
{
    const uint64_t begin = enter(NGCC_HELPER_GET_RANDOM_NUMBER);
    const int code = __real_get_random_number(drng, out, out_bits);

    account(NGCC_DRNG, 0, out_bits, begin);
    return code;
}

void __real_sm3_init(void *context) REAL;
void __wrap_sm3_init(void *context);

void __wrap_sm3_init(void *context)
{
    const uint64_t begin = enter(NGCC_HELPER_SM3_INIT);
    uint64_t ticks;

    __real_sm3_init(context);
    if (leave(begin, &ticks)) {
        stream.context = context;
        stream.bits = 0;
        stream.ticks += ticks;
    }
}

void __real_sm3_update(void *context, const unsigned char *data, unsigned long long bytes) REAL;
void __wrap_sm3_update(void *context, const unsigned char *data, unsigned long long bytes);

void __wrap_sm3_update(void *context, const unsigned char *data, unsigned long long bytes)
{
    const uint64_t begin = enter(NGCC_HELPER_SM3_UPDATE);
    uint64_t ticks;

    __real_sm3_update(context, data, bytes);
    if (leave(begin, &ticks)) {
        stream.ticks += ticks;
        if (context == stream.context)
            stream.bits += 8 * bytes;
    }
}

void __real_sm3_final(void *context, unsigned char *digest) REAL;
void __wrap_sm3_final(void *context, unsigned char *digest);

void __wrap_sm3_final(void *context, unsigned char *digest)
{
    const uint64_t begin = enter(NGCC_HELPER_SM3_FINAL);
    uint64_t ticks;

    __real_sm3_final(context, digest);
    if (leave(begin, &ticks)) {
        add(NGCC_SM3STREAM, context == stream.context ? stream.bits : 0, 256, 1, stream.ticks + ticks);
        stream.context = NULL;
        stream.ticks = 0;
    }
}

void ngcc_profile_start(void)
{
    depth = 0;
    accounting = 1;
    __atomic_store_n(&operation_runs, 1, __ATOMIC_RELAXED);
    operation_start = ngcc_ticks();
}

void ngcc_profile_stop(void)
{
    profile.total_ticks += ngcc_ticks() - operation_start;
    __atomic_store_n(&operation_runs, 0, __ATOMIC_RELAXED);
    accounting = 0;
}

static const char *self_check(void)
{
#ifdef NGCC_MERGED_HELPERS
    const int merged = 1;
#else
    const int merged = 0;
#endif

#ifndef NGCC_FOREIGN_HELPERS
    for (int i = 0; i < NGCC_HELPERS; i++)
        if (wrapped[i] != ngcc_helper_entries[i])
            return "a helper function was called past its wrapper";
#endif
    if (merged)
        return "a helper function is in one object file with the operations";
    if (calls_elsewhere)
        return "helper functions were called in other threads";
    return calls_seen ? NULL : "no helper call was seen";
}

const struct ngcc_profile *ngcc_profile_read(void)
{
    /* Pieces of a hash that was never finished, such as a prefix kept for later. */
    if (stream.ticks)
        add(NGCC_SM3STREAM, 0, 0, 0, stream.ticks);
    stream.ticks = 0;
    profile.version = NGCC_PROFILE_VERSION;
    profile.entries = entries;
    profile.not_intercepted = self_check();
    return &profile;
}
