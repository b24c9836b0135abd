/* The system call filter of a child that runs a candidate's code. */
#ifndef NGCC_SECCOMP_H
#define NGCC_SECCOMP_H

/*
 * Denies the calls of seccomp.c's table to this process, for good.  no_new_privs must be set.  0, or -1 with errno.
 *
 * *slows: the kernel may now run this process without speculative store bypass, which costs a candidate some percent.
 */
int ngcc_seccomp_install(int *slows);

#endif
