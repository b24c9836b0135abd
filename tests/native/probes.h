/* What a candidate can still do: for snippets of toy.c, one line on stderr for each attempt. */
#ifndef PROBES_H
#define PROBES_H

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The name of an attempt and 0 or the error it met. */
#define PROBE(name, attempt)                                            \
    do {                                                                \
        errno = 0;                                                      \
        fprintf(stderr, "%s %d\n", name, (long)(attempt) < 0 ? errno : 0); \
    } while (0)

static void *in_thread(void *argument)
{
    return argument;
}

static int make_thread(void)
{
    pthread_t thread;
    void *result = NULL;

    errno = pthread_create(&thread, NULL, in_thread, &thread);
    return errno || pthread_join(thread, &result) || result != &thread ? -1 : 0;
}

/* A process that forked must not run on as a second driver. */
static long make_process(long process)
{
    if (process == 0)
        _exit(0);
    return process;
}

static void probe_calls(void)
{
    char *const arguments[] = {(char *)"true", NULL}, *const nothing[] = {NULL};
    struct perf_event_attr attr;
    cpu_set_t everywhere;
    pid_t child;

    memset(&attr, 0, sizeof attr);
    attr.size = sizeof attr;
    attr.type = PERF_TYPE_SOFTWARE;
    memset(&everywhere, 0xff, sizeof everywhere);
    PROBE("fork", make_process(fork()));
    PROBE("raw_clone", make_process(syscall(SYS_clone, SIGCHLD, 0L, 0L, 0L, 0L)));
    PROBE("clone3", syscall(435, NULL, 0L));
    PROBE("execve", execve("/bin/true", arguments, nothing));
    PROBE("spawn", (errno = posix_spawn(&child, "/bin/true", NULL, NULL, arguments, nothing)) ? -1 : 0);
    PROBE("socket", socket(AF_INET, SOCK_STREAM, 0));
    PROBE("unix_socket", socket(AF_UNIX, SOCK_STREAM, 0));
    PROBE("io_uring", syscall(425, 1L, NULL));
    PROBE("kill_parent", kill(getppid(), 0));
    PROBE("kill_all", kill(-1, 0));
    PROBE("kill_self", kill(getpid(), 0));
    PROBE("ptrace", ptrace(PTRACE_ATTACH, getppid(), 0, 0));
    PROBE("setsid", setsid());
    PROBE("unshare", unshare(CLONE_NEWNS));
    PROBE("affinity", sched_setaffinity(0, sizeof everywhere, &everywhere));
    PROBE("forget_parent", prctl(PR_SET_PDEATHSIG, 0L, 0L, 0L, 0L));
    PROBE("name", prctl(PR_SET_NAME, "toy", 0L, 0L, 0L));
    PROBE("personality", personality(ADDR_NO_RANDOMIZE));
    PROBE("perf", syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0L));
    PROBE("thread", make_thread());
}

/* The open descriptors, but for the one that reads them. */
static void probe_descriptors(const char *where)
{
    DIR *list = opendir("/proc/self/fd");
    const struct dirent *entry;

    fprintf(stderr, "%s", where);
    while ((entry = readdir(list)))
        if (*entry->d_name != '.' && atoi(entry->d_name) != dirfd(list))
            fprintf(stderr, " %s", entry->d_name);
    fprintf(stderr, "\n");
    closedir(list);
}

static void probe_state(void)
{
    char line[256];
    struct rlimit limit;
    FILE *status = fopen("/proc/self/status", "r");

    while (fgets(line, sizeof line, status)) {
        char *const colon = strchr(line, ':');

        if (colon) {
            *colon = ' ';
            fprintf(stderr, "%s%s", line, strchr(line, '\n') ? "" : "\n");
        }
    }
    fclose(status);
    fprintf(stderr, "dumpable %d\n", prctl(PR_GET_DUMPABLE, 0L, 0L, 0L, 0L));
    fprintf(stderr, "session %d\n", getsid(0) == getpid());
    getrlimit(RLIMIT_CORE, &limit);
    fprintf(stderr, "core %llu\n", (unsigned long long)limit.rlim_max);
    getrlimit(RLIMIT_NOFILE, &limit);
    fprintf(stderr, "files %llu\n", (unsigned long long)limit.rlim_max);
    limit.rlim_cur = limit.rlim_max = RLIM_INFINITY;
    PROBE("raise_limit", setrlimit(RLIMIT_AS, &limit));
}

#endif
