#include "livepage.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static struct ngcc_page nobody_looks;
volatile struct ngcc_page *ngcc_page = &nobody_looks;

int ngcc_page_map(const char *path, char *why, size_t size)
{
    struct stat file;
    struct ngcc_page *page;
    int fd;

    if (!*path)
        return 0;
    fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0 || fstat(fd, &file)) {
        snprintf(why, size, "%s", strerror(errno));
        if (fd >= 0)
            close(fd);
        return -1;
    }
    page = S_ISREG(file.st_mode) && file.st_size == NGCC_PAGE_BYTES
               ? mmap(NULL, NGCC_PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0)
               : MAP_FAILED;
    close(fd);
    if (page == MAP_FAILED || page->magic != NGCC_PAGE_MAGIC || page->version != NGCC_PAGE_VERSION) {
        snprintf(why, size, "not a live page");
        if (page != MAP_FAILED)
            munmap(page, NGCC_PAGE_BYTES);
        return -1;
    }
    ngcc_page = page;
    ngcc_page->pid = (uint64_t)getpid();
    return 0;
}

void ngcc_page_phase(enum ngcc_phase phase, uint64_t trial, uint64_t iterations)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    ngcc_page->trial = trial;
    ngcc_page->iteration = 0;
    ngcc_page->iterations = iterations;
    ngcc_page->start_ns = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
    ngcc_page->phase = phase;
}
