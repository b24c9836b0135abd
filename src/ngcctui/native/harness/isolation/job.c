#include "job.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int read_file(struct ngcc_job *job, const char *path, char error[NGCC_ERROR_BYTES])
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    size_t length = 0;
    ssize_t got = 0;

    if (fd >= 0) {
        while (length < sizeof job->text && (got = read(fd, job->text + length, sizeof job->text - length)) > 0)
            length += (size_t)got;
        close(fd);
    }
    if (fd < 0 || got < 0) {
        snprintf(error, NGCC_ERROR_BYTES, "job file %.150s: %s", path, strerror(errno));
        return -1;
    }
    if (length > NGCC_JOB_BYTES || memchr(job->text, '\0', length)) {
        snprintf(error, NGCC_ERROR_BYTES, "job file %.150s: longer than %d bytes, or no text", path, NGCC_JOB_BYTES);
        return -1;
    }
    job->text[length] = '\0';
    return 0;
}

int ngcc_job_read(struct ngcc_job *job, const char *path, char error[NGCC_ERROR_BYTES])
{
    job->count = 0;
    if (read_file(job, path, error))
        return -1;
    for (char *line = job->text, *next; *line; line = next) {
        char *end = strchr(line, '\n'), *equals;

        next = end ? end + 1 : line + strlen(line);
        if (end)
            *end = '\0';
        if (!*line)
            continue;
        equals = strchr(line, '=');
        if (!equals || job->count == NGCC_JOB_KEYS) {
            snprintf(error, NGCC_ERROR_BYTES, "job file: %s", equals ? "too many keys" : "a line without `=`");
            return -1;
        }
        *equals = '\0';
        job->keys[job->count] = line;
        job->values[job->count++] = equals + 1;
    }
    return 0;
}

const char *ngcc_job_text(const struct ngcc_job *job, const char *key, const char *otherwise)
{
    for (size_t i = job->count; i-- > 0;)
        if (!strcmp(job->keys[i], key))
            return job->values[i];
    return otherwise;
}

int ngcc_job_number(const struct ngcc_job *job, const char *key, long long least, long long most, long long *number,
                    char error[NGCC_ERROR_BYTES])
{
    const char *text = ngcc_job_text(job, key, NULL);
    char *end;
    long long value;

    if (!text)
        return 0;
    errno = 0;
    value = strtoll(text, &end, 10);
    if (end == text || *end || errno || value < least || value > most) {
        snprintf(error, NGCC_ERROR_BYTES, "job: %s=%.60s: must be a whole number, %lld to %lld", key, text, least, most);
        return -1;
    }
    *number = value;
    return 0;
}
