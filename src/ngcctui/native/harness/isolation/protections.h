/* The single protections of a child process, in the order in which they are put in force. */
#ifndef NGCC_PROTECTIONS_H
#define NGCC_PROTECTIONS_H

#include <stddef.h>

#include "job.h"

/* The keys of the job file that every child has. */
struct ngcc_protection_settings {
    long long result_fd;      /* open, and descriptor 3 already */
    long long parent;         /* process id, 0: not checked */
    long long cpu;            /* -1: any */
    long long memory_limit;   /* bytes of address space, 0: none */
    long long files_limit;    /* open files, 0: as it is */
    long long seccomp;
    long long namespaces;
    int *const *keep;         /* descriptors that stay open */
    size_t keep_count;
};

enum ngcc_protection_state {
    NGCC_OFF,
    NGCC_ON,
    NGCC_REFUSED
};

struct ngcc_protection {
    const char *name;
    int essential;    /* refused: the child must not go on */
    /* `why`: the reason of a refusal; a remark when the state is on. */
    enum ngcc_protection_state (*apply)(const struct ngcc_protection_settings *settings, char why[NGCC_ERROR_BYTES]);
};

extern const struct ngcc_protection ngcc_protections[];
extern const size_t ngcc_protection_count;

#endif
