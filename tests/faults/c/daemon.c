/*
 * Forks twice with a session of its own in between and stays: the grandchild keeps every descriptor, the pipes of the
 * output among them, and never ends.  Where forking is denied it goes on as if nothing had been tried.
 */
#include "toy.h"

#include <sys/wait.h>
#include <unistd.h>

static void stay(void)
{
    pid_t child = fork();

    if (child > 0)
        waitpid(child, 0, 0);
    if (child != 0)
        return;
    setsid();
    if (fork() != 0)
        _exit(0);
    for (;;)
        pause();
}

int misbehave(enum operation operation, unsigned char *out, unsigned long long *length)
{
    static int forked;

    (void)out;
    (void)length;
    if (operation == SIGN && !forked) {
        forked = 1;
        stay();
    }
    return 0;
}
