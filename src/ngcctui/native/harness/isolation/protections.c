#include "protections.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "crash.h"
#include "descriptors.h"
#include "seccomp.h"

typedef const struct ngcc_protection_settings *settings_ref;

static enum ngcc_protection_state refused(char why[NGCC_ERROR_BYTES], const char *what)
{
    snprintf(why, NGCC_ERROR_BYTES, "%s: %s", what, strerror(errno));
    return NGCC_REFUSED;
}

static enum ngcc_protection_state own_session(settings_ref settings, char why[NGCC_ERROR_BYTES])
{
    (void)settings;
    if (setsid() < 0 && getsid(0) != getpid())
        return refused(why, "setsid");
    return NGCC_ON;
}

static enum ngcc_protection_state set_limit(int resource, long long value, char why[NGCC_ERROR_BYTES])
{
    struct rlimit limit;

    if (getrlimit(resource, &limit))
        return refused(why, "getrlimit");
    if (limit.rlim_max == RLIM_INFINITY || limit.rlim_max > (rlim_t)value)
        limit.rlim_max = (rlim_t)value;
    limit.rlim_cur = limit.rlim_max;
    return setrlimit(resource, &limit) ? refused(why, "setrlimit") : NGCC_ON;
}

static enum ngcc_protection_state limit_memory(settings_ref settings, char why[NGCC_ERROR_BYTES])
{
    return settings->memory_limit ? set_limit(RLIMIT_AS, settings->memory_limit, why) : NGCC_OFF;
}

static enum ngcc_protection_state no_core_file(settings_ref settings, char why[NGCC_ERROR_BYTES])
{
    (void)settings;
    return set_limit(RLIMIT_CORE, 0, why);
}

static enum ngcc_protection_state limit_files(settings_ref settings, char why[NGCC_ERROR_BYTES])
{
    return settings->files_limit ? set_limit(RLIMIT_NOFILE, settings->files_limit, why) : NGCC_OFF;
}

/* On one core, and really there: a refused or widened mask would measure something else. */
static enum ngcc_protection_state pin(settings_ref settings, char why[NGCC_ERROR_BYTES])
{
    enum { MOST_CPUS = 8192 };
    const size_t bytes = CPU_ALLOC_SIZE(MOST_CPUS);
    enum ngcc_protection_state state = NGCC_ON;
    cpu_set_t *mask;
    int now;

    if (settings->cpu < 0)
        return NGCC_OFF;
    mask = CPU_ALLOC(MOST_CPUS);
    if (!mask)
        return refused(why, "no memory for a CPU mask");
    CPU_ZERO_S(bytes, mask);
    CPU_SET_S((size_t)settings->cpu, bytes, mask);
    if (sched_setaffinity(0, bytes, mask) || sched_getaffinity(0, bytes, mask)) {
        state = refused(why, "sched_setaffinity");
    } else if (CPU_COUNT_S(bytes, mask) != 1 || !CPU_ISSET_S((size_t)settings->cpu, bytes, mask)) {
        snprintf(why, NGCC_ERROR_BYTES, "the kernel keeps another CPU mask");
        state = NGCC_REFUSED;
    }
    CPU_FREE(mask);
    now = sched_getcpu();
    if (state == NGCC_ON && now >= 0 && now != settings->cpu) {
        snprintf(why, NGCC_ERROR_BYTES, "running on CPU %d, not %lld", now, settings->cpu);
        state = NGCC_REFUSED;
    }
    return state;
}

/*
 * A user namespace takes away every right over the host, root's too, and allows an empty network namespace.  There is
 * no process namespace: it would hold only later children, which the call filter denies, and forbid threads.
 */
static enum ngcc_protection_state leave_namespaces(settings_ref settings, char why[NGCC_ERROR_BYTES])
{
    if (!settings->namespaces)
        return NGCC_OFF;
    return unshare(CLONE_NEWUSER | CLONE_NEWNET) ? refused(why, "unshare") : NGCC_ON;
}

/* Root's rights, or those over the new namespaces: limits could be raised with them. */
static enum ngcc_protection_state drop_capabilities(settings_ref settings, char why[NGCC_ERROR_BYTES])
{
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3];

    (void)settings;
    memset(none, 0, sizeof none);
    return syscall(SYS_capset, &header, none) ? refused(why, "capset") : NGCC_ON;
}

/* After the changes of rights above, some of which make the kernel forget the signal. */
static enum ngcc_protection_state die_with_parent(settings_ref settings, char why[NGCC_ERROR_BYTES])
{
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0L, 0L, 0L))
        return refused(why, "prctl");
    if (settings->parent && getppid() != settings->parent) {
        snprintf(why, NGCC_ERROR_BYTES, "the parent, process %lld, is gone", settings->parent);
        return NGCC_REFUSED;
    }
    return NGCC_ON;
}

static enum ngcc_protection_state no_new_privileges(settings_ref settings, char why[NGCC_ERROR_BYTES])
{
    (void)settings;
    return prctl(PR_SET_NO_NEW_PRIVS, 1L, 0L, 0L, 0L) ? refused(why, "prctl") : NGCC_ON;
}

/* No core file by another way, and no tracing by processes of the same user. */
static enum ngcc_protection_state no_dump(settings_ref settings, char why[NGCC_ERROR_BYTES])
{
    (void)settings;
    return prctl(PR_SET_DUMPABLE, 0L, 0L, 0L, 0L) ? refused(why, "prctl") : NGCC_ON;
}

static enum ngcc_protection_state close_descriptors(settings_ref settings, char why[NGCC_ERROR_BYTES])
{
    (void)why;
    ngcc_close_others(settings->keep, settings->keep_count);
    return NGCC_ON;
}

static enum ngcc_protection_state report_crashes(settings_ref settings, char why[NGCC_ERROR_BYTES])
{
    (void)settings;
    return ngcc_crash_install() ? refused(why, "sigaction") : NGCC_ON;
}

static enum ngcc_protection_state filter_calls(settings_ref settings, char why[NGCC_ERROR_BYTES])
{
    int slows = 0;

    if (!settings->seccomp)
        return NGCC_OFF;
    if (ngcc_seccomp_install(&slows))
        return refused(why, "seccomp");
    if (slows)
        snprintf(why, NGCC_ERROR_BYTES, "this kernel may switch off speculative store bypass under a filter");
    return NGCC_ON;
}

const struct ngcc_protection ngcc_protections[] = {
    {"session", 0, own_session},
    {"memory_limit", 1, limit_memory},
    {"core_limit", 1, no_core_file},
    {"files_limit", 1, limit_files},
    {"affinity", 1, pin},
    {"namespaces", 0, leave_namespaces},
    {"capabilities", 0, drop_capabilities},
    {"parent_death", 1, die_with_parent},
    {"no_new_privs", 0, no_new_privileges},
    {"no_dump", 0, no_dump},
    {"descriptors", 0, close_descriptors},
    {"crash_report", 0, report_crashes},
    {"seccomp", 0, filter_calls},
};
const size_t ngcc_protection_count = sizeof ngcc_protections / sizeof *ngcc_protections;
