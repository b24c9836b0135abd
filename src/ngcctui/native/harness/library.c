#include "library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "inputs.h"
#include "isolation/isolation.h"

static void *handle;
static int (*seed_generator)(const unsigned char *seed, unsigned long long seed_bytes);
static const char *(*instance)(void);

/* The loader's words without the path that it was given, which is only a descriptor's. */
static const char *loader_error(void)
{
    const char *const text = dlerror(), *const path = ngcc_isolate_library();
    const size_t length = strlen(path);

    if (!text)
        return "unknown error";
    return !strncmp(text, path, length) && !strncmp(text + length, ": ", 2) ? text + length + 2 : text;
}

int ngcc_library_find(const struct ngcc_symbol *symbols, size_t count, struct ngcc_tally *tally)
{
    for (size_t i = 0; i < count; i++) {
        void *const address = dlsym(handle, symbols[i].name);

        if (!address)
            return ngcc_tally_end(tally, NGCC_LOADFAIL, "the library has no function %s", symbols[i].name);
        memcpy(symbols[i].pointer, &address, sizeof address);
    }
    return 0;
}

int ngcc_library_load(const struct ngcc_symbol *symbols, size_t count, struct ngcc_tally *tally)
{
    const struct ngcc_symbol common[] = {{"ngcc_seed", &seed_generator}, {"ngcc_instance", &instance}};

    handle = dlopen(ngcc_isolate_library(), RTLD_NOW | RTLD_LOCAL);
    ngcc_isolate_library_loaded();
    if (!handle)
        return ngcc_tally_end(tally, NGCC_LOADFAIL, "the library cannot be loaded: %s", loader_error());
    if (ngcc_library_find(common, sizeof common / sizeof *common, tally))
        return -1;
    return ngcc_library_find(symbols, count, tally);
}

int ngcc_library_seed_with(const unsigned char *seed, size_t bytes, struct ngcc_tally *tally)
{
    const int code = seed_generator(seed, bytes);

    return code ? ngcc_tally_failed(tally, "ngcc_seed", code) : 0;
}

int ngcc_library_seed(const struct ngcc_settings *settings, struct ngcc_tally *tally)
{
    unsigned char seed[NGCC_SEED_BYTES];

    ngcc_seed_of(settings->varied, (uint64_t)settings->trial, seed);
    return ngcc_library_seed_with(seed, sizeof seed, tally);
}

const char *ngcc_library_instance(void)
{
    const char *name = instance ? instance() : NULL;

    return name ? name : "";
}
