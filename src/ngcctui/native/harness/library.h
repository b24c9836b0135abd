/* The candidate's library: loading it and finding its functions. */
#ifndef NGCC_LIBRARY_H
#define NGCC_LIBRARY_H

#include <stddef.h>

#include "operation.h"

struct ngcc_symbol {
    const char *name;
    void *pointer;    /* address of a function pointer of the right type */
};

/* Loads the library (its constructors run) and finds ngcc_seed, ngcc_instance and `symbols`.  0, or -1 with a tally. */
int ngcc_library_load(const struct ngcc_symbol *symbols, size_t count, struct ngcc_tally *tally);

/* Finds further functions of the loaded library.  0, or -1 with a tally. */
int ngcc_library_find(const struct ngcc_symbol *symbols, size_t count, struct ngcc_tally *tally);

/* Instantiates the candidate's random number generator for the process's first trial.  0, or -1 with a tally. */
int ngcc_library_seed(const struct ngcc_settings *settings, struct ngcc_tally *tally);

/* The same from any seed. */
int ngcc_library_seed_with(const unsigned char *seed, size_t bytes, struct ngcc_tally *tally);

/* The name of the instance that the library was built for; "" before it is loaded. */
const char *ngcc_library_instance(void);

#endif
