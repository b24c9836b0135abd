/* Figures of this process from /proc/self/status. */
#ifndef NGCC_PROCSTATUS_H
#define NGCC_PROCSTATUS_H

/* The value of `field` ("VmRSS", "VmHWM", "VmPeak") in KiB; 0 when the kernel does not tell.  Async-signal-safe. */
unsigned long long ngcc_status_kib(const char *field);

#endif
