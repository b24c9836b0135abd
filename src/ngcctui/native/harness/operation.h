/* Operations as data: what the driver can time, and how one call of each is made. */
#ifndef NGCC_OPERATION_H
#define NGCC_OPERATION_H

#include <stdint.h>

#include "isolation/job.h"
#include "settings.h"

enum ngcc_status {
    NGCC_OK,
    NGCC_FAILED,      /* the candidate says that a call failed */
    NGCC_REJECTED,    /* verify refused a right signature */
    NGCC_OVERFLOW,    /* more written or returned than declared */
    NGCC_LOADFAIL     /* the library cannot be used */
};

/* What calls have left behind; the caller clears it. */
struct ngcc_tally {
    unsigned long long retries;     /* repeated attempts of sign */
    unsigned long long rejected;    /* signatures that verify refused */
    unsigned long long failures;
    int failure_code;               /* of the last failure or rejection */
    enum ngcc_status status;
    char detail[NGCC_ERROR_BYTES];
};

/* Declared lengths in bytes; 0 for a hash. */
struct ngcc_sizes {
    unsigned long long public_key, secret_key, signature;
};

/* Every function that returns int: 0, or -1 with status and detail in the tally; then no further call is made. */
struct ngcc_operation {
    const char *function;
    const char *name;

    /* Loads the library, allocates and touches all memory that the calls need. */
    int (*load)(const struct ngcc_settings *settings, struct ngcc_sizes *sizes, struct ngcc_tally *tally);

    /* Seeds the generator and makes what the timed calls take as input. */
    int (*setup)(const struct ngcc_settings *settings, struct ngcc_tally *tally);

    /* Puts the inputs of call `number` (inputs.h) in place. */
    void (*prepare)(uint64_t number);

    /* One call with its own bookkeeping.  A signature that verify refuses is counted, and the calls go on. */
    int (*call)(struct ngcc_tally *tally);
};

extern const struct ngcc_operation ngcc_keygen, ngcc_sign, ngcc_verify, ngcc_hash, ngcc_reference;

/* The operation of `function` called `name`, or null. */
const struct ngcc_operation *ngcc_operation_find(const char *function, const char *name);

/* Sets status and detail of the tally and returns -1. */
int ngcc_tally_end(struct ngcc_tally *tally, enum ngcc_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A call of the candidate's `function` that returned `code`: sets the tally and returns -1. */
int ngcc_tally_failed(struct ngcc_tally *tally, const char *function, int code);

#endif
