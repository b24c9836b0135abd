/* Profiling: the operation with wrapped helper functions, ticks and calls of each. */
#include <string.h>

#include "../profile/profile.h"
#include "../profile/ticks.h"
#include "hold.h"
#include "inputs.h"
#include "isolation/frames.h"
#include "library.h"
#include "livepage.h"
#include "run.h"

static ngcc_profile_start_function *start;
static ngcc_profile_stop_function *stop;
static ngcc_profile_read_function *read_profile;

static void entries(struct ngcc_json *json, const struct ngcc_profile *profile)
{
    static const char *const names[] = {"pseudohash", "pseudoXOF", "sm3hash", "drng", "sm3stream"};

    ngcc_json_open(json, '[');
    for (int i = 0; i < NGCC_PROFILE_SLOTS; i++) {
        const struct ngcc_profile_entry *const entry = &profile->entries[i];

        if ((!entry->calls && !entry->ticks) || entry->function >= NGCC_PROFILED_FUNCTIONS)
            continue;
        ngcc_json_open(json, '[');
        ngcc_json_string(json, names[entry->function]);
        ngcc_json_unsigned(json, entry->in_bits);
        ngcc_json_unsigned(json, entry->out_bits);
        ngcc_json_unsigned(json, entry->calls);
        ngcc_json_unsigned(json, entry->ticks);
        ngcc_json_close(json, ']');
    }
    ngcc_json_close(json, ']');
}

static void send(struct ngcc_run *run, const struct ngcc_profile *profile, uint64_t operations, double tick_hz)
{
    struct ngcc_json *const json = &run->json;
    const struct {
        const char *key;
        uint64_t value;
    } numbers[] = {
        {"operations", operations},
        {"warmups", (uint64_t)run->settings.warmups},
        {"total_ticks", profile->total_ticks},
        {"overflow_calls", profile->overflow_calls},
    };

    ngcc_json_reset(json);
    ngcc_json_open(json, '{');
    ngcc_json_key(json, "type");
    ngcc_json_string(json, "profile");
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        ngcc_json_key(json, numbers[i].key);
        ngcc_json_unsigned(json, numbers[i].value);
    }
    ngcc_json_key(json, "tick_source");
    ngcc_json_string(json, NGCC_TICK_SOURCE);
    ngcc_json_key(json, "tick_hz");
    ngcc_json_fixed(json, tick_hz);
    ngcc_json_key(json, "intercepted");
    ngcc_json_bool(json, !profile->not_intercepted);
    ngcc_json_key(json, "why");
    ngcc_json_string(json, profile->not_intercepted ? profile->not_intercepted : "");
    ngcc_json_key(json, "calls");
    entries(json, profile);
    ngcc_json_close(json, '}');
    ngcc_frame('J', json->text, json->length);
}

static int find_wrappers(struct ngcc_run *run)
{
    const struct ngcc_symbol symbols[] = {
        {"ngcc_profile_start", &start},
        {"ngcc_profile_stop", &stop},
        {"ngcc_profile_read", &read_profile},
    };

    return ngcc_library_find(symbols, sizeof symbols / sizeof *symbols, &run->tally);
}

static int operations(struct ngcc_run *run)
{
    const uint64_t calls = (uint64_t)run->settings.iterations, trial = (uint64_t)run->settings.trial;

    ngcc_page_phase(NGCC_PHASE_PROFILE, trial, calls);
    for (uint64_t i = 0; i < calls; i++) {
        int ended;

        ngcc_hold_if_asked();
        run->operation->prepare(ngcc_call_number(trial, i));
        start();
        ended = run->operation->call(&run->tally);
        stop();
        if (ended)
            return -1;
        ngcc_page->iteration = i + 1;
    }
    return ngcc_check_guards(run);
}

void ngcc_profile(struct ngcc_run *run)
{
    const struct ngcc_profile *profile;
    uint64_t wall_ns, ticks;
    double tick_hz = (double)ngcc_tick_hz();

    if (find_wrappers(run) || ngcc_warm_up(run))
        return;
    wall_ns = ngcc_now_ns();
    ticks = ngcc_ticks();
    if (operations(run))
        return;
    ticks = ngcc_ticks() - ticks;
    wall_ns = ngcc_now_ns() - wall_ns;
    if (tick_hz <= 0 && wall_ns > 0)
        tick_hz = (double)ticks / (double)wall_ns * 1e9;
    profile = read_profile();
    if (profile->version != NGCC_PROFILE_VERSION) {
        ngcc_tally_end(&run->tally, NGCC_LOADFAIL, "the library's profile has version %llu, not %d",
                       (unsigned long long)profile->version, NGCC_PROFILE_VERSION);
        return;
    }
    send(run, profile, (uint64_t)run->settings.iterations, tick_hz);
    if (run->tally.rejected > 0)
        ngcc_tally_end(&run->tally, NGCC_REJECTED, "sig_verify refused %llu of %lld right signatures",
                       run->tally.rejected, run->settings.iterations);
}
