/*
 * A child process shuts itself in before it loads a candidate's code.
 *
 * Built into the timing driver, and as isolation.so for a Python worker (which sees the functions marked NGCC_EXPORT,
 * and ngcc_frame of frames.h).  Call once, while the process has one thread.
 */
#ifndef NGCC_ISOLATION_H
#define NGCC_ISOLATION_H

#include <stddef.h>

#include "export.h"
#include "job.h"

/* Reads the job file and isolates the process.  0, or -1: ngcc_isolate_error() says why, and no code may be loaded. */
NGCC_EXPORT int ngcc_isolate(const char *job_path);

/* The same with a job already read; the `count` descriptors in `keep` stay open, moved out of the way of 3. */
int ngcc_isolate_job(const struct ngcc_job *job, int *const keep[], size_t count);

/* One line: what could not be done. */
NGCC_EXPORT const char *ngcc_isolate_error(void);

/* A JSON object: each protection is "on", "off" (not asked for), or "refused: " and why. */
NGCC_EXPORT const char *ngcc_isolate_report(void);

/*
 * The path under which the job's `library` can be loaded now.  It was opened before the process gave up its rights, and
 * the path names that descriptor: in a user namespace even root cannot enter another user's closed directory.
 */
NGCC_EXPORT const char *ngcc_isolate_library(void);

/* Closes the descriptor behind ngcc_isolate_library(), once the library is loaded. */
NGCC_EXPORT void ngcc_isolate_library_loaded(void);

/* Adds an entry to the report: state and reason of something the program has set up itself. */
void ngcc_isolate_note(const char *name, const char *state);

#endif
