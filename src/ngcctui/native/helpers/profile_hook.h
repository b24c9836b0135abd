/*
 * Counts every entry of a helper function in a library built for profiling (-DNGCC_PROFILE), nothing otherwise.
 *
 * Profiling sees calls that the linker could redirect to a wrapper.  These counts are made inside the functions, so a
 * call that reached one without its wrapper shows as a difference.
 */
#ifndef NGCC_PROFILE_HOOK_H
#define NGCC_PROFILE_HOOK_H

enum ngcc_helper {
    NGCC_HELPER_PSEUDOHASH,
    NGCC_HELPER_PSEUDOXOF,
    NGCC_HELPER_SM3HASH,
    NGCC_HELPER_GET_RANDOM_NUMBER,
    NGCC_HELPER_SM3_INIT,
    NGCC_HELPER_SM3_UPDATE,
    NGCC_HELPER_SM3_FINAL,
    NGCC_HELPERS
};

#ifdef NGCC_PROFILE
extern unsigned long long ngcc_helper_entries[NGCC_HELPERS] __attribute__((visibility("hidden")));
#define NGCC_HELPER_ENTERED(helper) ((void)ngcc_helper_entries[helper]++)
#else
#define NGCC_HELPER_ENTERED(helper) ((void)0)
#endif

#endif
