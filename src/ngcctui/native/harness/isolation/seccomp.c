/*
 * A candidate computes; it needs memory, threads and its own files.  The filter denies what would let it leave the
 * process or its core: new processes and programs, sockets, other processes' state, the clock of the measurement.
 * Everything else is allowed, since a running CPython lives under the same filter.
 */
#include "seccomp.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "the system call filter knows x86-64 and aarch64"
#endif

/* Newer than the headers of the oldest supported compilers; one number on every architecture. */
#ifndef __NR_pidfd_send_signal
#define __NR_pidfd_send_signal 424
#endif
#ifndef __NR_io_uring_setup
#define __NR_io_uring_setup 425
#endif
#ifndef __NR_clone3
#define __NR_clone3 435
#endif
#ifndef __NR_pidfd_getfd
#define __NR_pidfd_getfd 438
#endif
#ifndef SECCOMP_FILTER_FLAG_SPEC_ALLOW
#define SECCOMP_FILTER_FLAG_SPEC_ALLOW (1UL << 2)
#endif

#define X32_BIT 0x40000000u

enum rule {
    ALWAYS,           /* denied */
    WITHOUT_BITS,     /* denied unless the first argument has the bits of `value` */
    EQUAL,            /* denied when the first argument is `value` */
    OTHER_PROCESS     /* denied unless the first argument is this process */
};

static const struct denied {
    unsigned call;
    enum rule rule;
    uint32_t value;
    uint16_t error;
} denied[] = {
    /* No program but this one. */
    {__NR_execve, ALWAYS, 0, EPERM},
    {__NR_execveat, ALWAYS, 0, EPERM},
    /* No new process; threads are fine.  clone3 hides its flags in memory, and on ENOSYS the C library uses clone. */
    {__NR_clone, WITHOUT_BITS, CLONE_THREAD, EPERM},
    {__NR_clone3, ALWAYS, 0, ENOSYS},
#ifdef __NR_fork
    {__NR_fork, ALWAYS, 0, EPERM},
    {__NR_vfork, ALWAYS, 0, EPERM},
#endif
    /* No network.  An io_uring would open sockets unseen. */
    {__NR_socket, ALWAYS, 0, EPERM},
    {__NR_socketpair, ALWAYS, 0, EPERM},
    {__NR_io_uring_setup, ALWAYS, 0, EPERM},
    /* Hands off other processes: the engine may run under the same user. */
    {__NR_kill, OTHER_PROCESS, 0, EPERM},
    {__NR_tgkill, OTHER_PROCESS, 0, EPERM},
    {__NR_rt_sigqueueinfo, OTHER_PROCESS, 0, EPERM},
    {__NR_rt_tgsigqueueinfo, OTHER_PROCESS, 0, EPERM},
    {__NR_tkill, ALWAYS, 0, EPERM},
    {__NR_pidfd_send_signal, ALWAYS, 0, EPERM},
    {__NR_pidfd_getfd, ALWAYS, 0, EPERM},
    {__NR_ptrace, ALWAYS, 0, EPERM},
    {__NR_process_vm_readv, ALWAYS, 0, EPERM},
    {__NR_process_vm_writev, ALWAYS, 0, EPERM},
    /* The process stays in its session, its namespaces and on its core, and dies with its parent. */
    {__NR_setsid, ALWAYS, 0, EPERM},
    {__NR_setpgid, ALWAYS, 0, EPERM},
    {__NR_unshare, ALWAYS, 0, EPERM},
    {__NR_setns, ALWAYS, 0, EPERM},
    {__NR_sched_setaffinity, ALWAYS, 0, EPERM},
    {__NR_prctl, EQUAL, PR_SET_PDEATHSIG, EPERM},
    /* No other layout, no other ABI, no counter beside ours. */
    {__NR_personality, ALWAYS, 0, EPERM},
    {__NR_perf_event_open, ALWAYS, 0, EPERM},
};

enum {
    PROLOGUE = 7,
    LONGEST_RULE = 5,
    LONGEST = PROLOGUE + LONGEST_RULE * (int)(sizeof denied / sizeof *denied) + 1
};

struct program {
    unsigned short length;
    struct sock_filter code[LONGEST];
};

static void emit(struct program *program, uint16_t code, uint32_t k, uint8_t if_true, uint8_t if_false)
{
    const struct sock_filter instruction = {code, if_true, if_false, k};

    program->code[program->length++] = instruction;
}

static void load(struct program *program, size_t offset)
{
    emit(program, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static void end_with(struct program *program, uint32_t action)
{
    emit(program, BPF_RET | BPF_K, action, 0, 0);
}

static uint32_t refusal(uint16_t error)
{
    return SECCOMP_RET_ERRNO | error;
}

/* The accumulator holds the call's number; a rule whose number it is not is jumped over. */
static void emit_rule(struct program *program, const struct denied *rule)
{
    const uint32_t value = rule->rule == OTHER_PROCESS ? (uint32_t)getpid() : rule->value;

    if (rule->rule == ALWAYS) {
        emit(program, BPF_JMP | BPF_JEQ | BPF_K, rule->call, 0, 1);
        end_with(program, refusal(rule->error));
        return;
    }
    emit(program, BPF_JMP | BPF_JEQ | BPF_K, rule->call, 0, 4);
    /* Both architectures are little-endian here: the low half of the argument comes first. */
    load(program, offsetof(struct seccomp_data, args));
    if (rule->rule == EQUAL)
        emit(program, BPF_JMP | BPF_JEQ | BPF_K, value, 1, 0);
    else
        emit(program, rule->rule == WITHOUT_BITS ? BPF_JMP | BPF_JSET | BPF_K : BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
    end_with(program, SECCOMP_RET_ALLOW);
    end_with(program, refusal(rule->error));
}

static void build(struct program *program)
{
    program->length = 0;
    load(program, offsetof(struct seccomp_data, arch));
    emit(program, BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
    end_with(program, refusal(EPERM));
    load(program, offsetof(struct seccomp_data, nr));
#ifdef __x86_64__
    /* The x32 ABI has other numbers for the same calls. */
    emit(program, BPF_JMP | BPF_JGE | BPF_K, X32_BIT, 0, 1);
    end_with(program, refusal(EPERM));
#endif
    for (size_t i = 0; i < sizeof denied / sizeof *denied; i++)
        emit_rule(program, &denied[i]);
    end_with(program, SECCOMP_RET_ALLOW);
}

int ngcc_seccomp_install(int *slows)
{
    struct program program;
    struct sock_fprog loaded;

    build(&program);
    loaded.len = program.length;
    loaded.filter = program.code;
    *slows = 0;
    /* Before Linux 5.16 a filter without this flag also switches off speculative store bypass. */
    if (!syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &loaded))
        return 0;
    if (syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, 0UL, &loaded))
        return -1;
    *slows = 1;
    return 0;
}
