#include "crash.h"

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <ucontext.h>
#include <unistd.h>

#include "frames.h"
#include "procstatus.h"

enum {
    ALTERNATE_STACK_BYTES = 128 << 10,
    STACK_GAP_BYTES = 1 << 20,        /* the kernel keeps this much unmapped below a stack (256 pages of 4 KiB) */
    FRAME_SPAN_BYTES = 64 << 20,      /* a frame this large may be touched first at its far end */
    PUSH_SPAN_BYTES = 64 << 10        /* distance of a push, call or probe from the stack pointer */
};

static const struct {
    int number;
    const char *name;
} reported[] = {{SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"},   {SIGFPE, "SIGFPE"},
                {SIGILL, "SIGILL"},   {SIGABRT, "SIGABRT"}, {SIGSYS, "SIGSYS"}};

/* What the handler needs and may not ask for itself: bounds of the main thread's stack, 0 when not known. */
static uintptr_t stack_top, stack_low;
static unsigned long long limit_kib;

/* One line of text put together without stdio, which a signal handler may not use. */
struct text {
    char bytes[320];
    size_t length;
};

static void put(struct text *text, const char *string)
{
    while (*string && text->length < sizeof text->bytes)
        text->bytes[text->length++] = *string++;
}

static void put_number(struct text *text, unsigned long long value, unsigned base)
{
    char digits[24];
    int at = sizeof digits - 1;

    digits[at] = '\0';
    do
        digits[--at] = "0123456789abcdef"[value % base];
    while ((value /= base) > 0);
    put(text, digits + at);
}

static uintptr_t stack_pointer(const void *context)
{
    const ucontext_t *state = context;

#if defined(__x86_64__)
    return (uintptr_t)state->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
    return (uintptr_t)state->uc_mcontext.sp;
#else
    (void)state;
    return 0;
#endif
}

/*
 * Whether a fault at `address` looks like a stack that has run out: just around the stack pointer, or not far below
 * the lowest address that the stack may reach.  Above its top is a buffer written past its end, which is another bug.
 */
static int near_stack(uintptr_t address, uintptr_t pointer)
{
    if (stack_top && address >= stack_top && pointer < stack_top && pointer >= stack_low)
        return 0;
    if (pointer && address + PUSH_SPAN_BYTES >= pointer && address < pointer + PUSH_SPAN_BYTES)
        return 1;
    return stack_low && address + FRAME_SPAN_BYTES >= stack_low && address < stack_low + STACK_GAP_BYTES;
}

static void put_cause(struct text *text, int number, const siginfo_t *info, const void *context)
{
    /* Sent by kill, raise or abort: there is no address, its place in siginfo holds the sender. */
    const uintptr_t address = info->si_code > 0 ? (uintptr_t)info->si_addr : 0;
    const int memory = info->si_code > 0 && (number == SIGSEGV || number == SIGBUS);

    put(text, "\",\"code\":");
    if (info->si_code < 0)
        put(text, "-");
    put_number(text, (unsigned long long)(info->si_code < 0 ? -(long long)info->si_code : info->si_code), 10);
    put(text, ",\"address\":\"0x");
    put_number(text, address, 16);
    put(text, "\",\"near_stack\":");
    put(text, memory && near_stack(address, stack_pointer(context)) ? "true" : "false");
}

static void report(int number, siginfo_t *info, void *context)
{
    struct text text;

    text.length = 0;
    put(&text, "{\"signal\":\"");
    for (size_t i = 0; i < sizeof reported / sizeof *reported; i++)
        if (reported[i].number == number)
            put(&text, reported[i].name);
    put_cause(&text, number, info, context);
    put(&text, ",\"vm_peak_kib\":");
    put_number(&text, ngcc_status_kib("VmPeak"), 10);
    put(&text, ",\"vm_limit_kib\":");
    put_number(&text, limit_kib, 10);
    put(&text, "}");
    ngcc_frame('C', text.bytes, text.length);
    /* SA_RESETHAND has put the default action back, and SA_NODEFER lets the signal through at once. */
    raise(number);
}

/* The highest address of the main thread's stack, 0 when /proc does not tell. */
static uintptr_t find_stack_top(void)
{
    FILE *maps = fopen("/proc/self/maps", "re");
    char line[512];
    unsigned long long low, high;
    uintptr_t top = 0;

    if (!maps)
        return 0;
    while (!top && fgets(line, sizeof line, maps))
        if (strstr(line, "[stack]") && sscanf(line, "%llx-%llx", &low, &high) == 2)
            top = (uintptr_t)high;
    fclose(maps);
    return top;
}

static void learn_limits(void)
{
    struct rlimit limit;

    stack_top = find_stack_top();
    stack_low = 0;
    if (stack_top && !getrlimit(RLIMIT_STACK, &limit) && limit.rlim_cur < stack_top)
        stack_low = stack_top - (uintptr_t)limit.rlim_cur;
    limit_kib = 0;
    if (!getrlimit(RLIMIT_AS, &limit) && limit.rlim_cur != RLIM_INFINITY)
        limit_kib = limit.rlim_cur / 1024;
}

int ngcc_crash_install(void)
{
    static unsigned char alternate[ALTERNATE_STACK_BYTES] __attribute__((aligned(64)));
    stack_t stack;
    struct sigaction action;

    learn_limits();
    memset(&stack, 0, sizeof stack);
    stack.ss_sp = alternate;
    stack.ss_size = sizeof alternate;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = report;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | (int)SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    if (sigaltstack(&stack, NULL))
        return -1;
    for (size_t i = 0; i < sizeof reported / sizeof *reported; i++)
        if (sigaction(reported[i].number, &action, NULL))
            return -1;
    return 0;
}
