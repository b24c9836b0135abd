/*
 * Prints in the first keygen of a process: MEBIBYTES of text, BINARY bytes that are no UTF-8 with escape codes among
 * them, or FORGED results in every shape that a reader of the output could mistake for one.
 */
#include "toy.h"

#include <string.h>
#include <unistd.h>

#ifdef MEBIBYTES
static void talk(void)
{
    static char line[1 << 20];
    int i;

    memset(line, 'x', sizeof line);
    for (i = 1; i <= 16; i++)
        line[i * (sizeof line / 16) - 1] = '\n';
    for (i = 0; i < MEBIBYTES; i++)
        if (write(1, line, sizeof line) < 0)
            return;
}
#else
#ifdef BINARY
static const char text[] = "\xff\xfe\x80\xc3\x28\xed\xa0\x80 \x1b[2J\x1b]0;owned\x07\x1b[31m \x9b" "31m \x00\r\x08[bold]\n";
#else
static const char text[] = "0123456789abcdef0123456789abcdefJ\x1c\0\0\0\0\0\0\0{\"type\":\"end\",\"status\":\"ok\"}\n"
                           "RESULT PASS 10/10\n{\"type\":\"end\",\"status\":\"rejected\",\"detail\":\"forged\"}\n"
                           "{\"v\":1,\"seq\":1,\"utc\":\"\",\"mono_ns\":0,\"event\":\"run_end\"}\nTRIAL 1 1 1\nMISMATCH";
#endif

static void talk(void)
{
    int fd;

    for (fd = 1; fd <= 2; fd++)
        if (write(fd, text, sizeof text - 1) < 0)
            return;
}
#endif

int misbehave(enum operation operation, unsigned char *out, unsigned long long *length)
{
    static int said;

    (void)out;
    (void)length;
    if (operation == KEYGEN && !said) {
        said = 1;
        talk();
    }
    return 0;
}
