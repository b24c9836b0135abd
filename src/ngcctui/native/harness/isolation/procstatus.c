#include "procstatus.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

unsigned long long ngcc_status_kib(const char *field)
{
    char text[4096], *at = text;
    const size_t length = strlen(field);
    const int fd = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
    ssize_t got = 0, used = 0;
    unsigned long long value = 0;

    if (fd < 0)
        return 0;
    while (used < (ssize_t)sizeof text - 1 && (got = read(fd, text + used, sizeof text - 1 - (size_t)used)) > 0)
        used += got;
    close(fd);
    text[used] = '\0';
    while (at && (strncmp(at, field, length) || at[length] != ':')) {
        at = strchr(at, '\n');
        if (at)
            at++;
    }
    if (!at)
        return 0;
    at += length + 1;
    at += strspn(at, " \t");
    for (; *at >= '0' && *at <= '9'; at++)
        value = 10 * value + (unsigned long long)(*at - '0');
    return value;
}
