#include "descriptors.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "frames.h"

enum { FIRST_OWN_FD = NGCC_RESULT_FD + 1 };

int ngcc_move_away(int *fd)
{
    int moved;

    if (*fd < 0 || *fd >= FIRST_OWN_FD)
        return 0;
    moved = fcntl(*fd, F_DUPFD_CLOEXEC, FIRST_OWN_FD);
    if (moved < 0)
        return -1;
    close(*fd);
    *fd = moved;
    return 0;
}

static int wanted(int fd, int *const keep[], size_t count)
{
    if (fd <= NGCC_RESULT_FD)
        return 1;
    for (size_t i = 0; i < count; i++)
        if (*keep[i] == fd)
            return 1;
    return 0;
}

/* Without /proc: as far as descriptors are usually opened. */
static void close_up_to_limit(int *const keep[], size_t count)
{
    const long limit = sysconf(_SC_OPEN_MAX);

    for (int fd = NGCC_RESULT_FD + 1; fd < 65536 && (limit < 0 || fd < limit); fd++)
        if (!wanted(fd, keep, count))
            close(fd);
}

/* Closing while the directory is read may skip entries, so it is read until nothing is left to close. */
static int close_listed(int *const keep[], size_t count)
{
    int closed = 1;

    while (closed > 0) {
        DIR *list = opendir("/proc/self/fd");
        const struct dirent *entry;

        closed = 0;
        if (!list)
            return -1;
        while ((entry = readdir(list))) {
            const int fd = atoi(entry->d_name);

            if (fd != dirfd(list) && !wanted(fd, keep, count))
                closed += !close(fd);
        }
        closedir(list);
    }
    return 0;
}

int ngcc_place_result(int result_fd)
{
    return result_fd != NGCC_RESULT_FD && dup2(result_fd, NGCC_RESULT_FD) < 0 ? -1 : 0;
}

void ngcc_close_others(int *const keep[], size_t count)
{
    if (close_listed(keep, count))
        close_up_to_limit(keep, count);
}
