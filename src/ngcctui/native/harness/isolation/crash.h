/* Reports of the process's own death by a signal, as the last frame that it writes. */
#ifndef NGCC_CRASH_H
#define NGCC_CRASH_H

/*
 * Installs handlers of SEGV, BUS, FPE, ILL, ABRT and SYS on an alternate stack of the calling thread.  A handler writes
 * frame C, {"signal", "code", "address", "near_stack", "vm_peak_kib", "vm_limit_kib"}, and lets the signal kill the
 * process.  0, or -1 with errno.
 */
int ngcc_crash_install(void);

#endif
