#include "isolation.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "descriptors.h"
#include "frames.h"
#include "json.h"
#include "protections.h"

static char error_text[NGCC_ERROR_BYTES];
static struct ngcc_json report;
static char report_text[8192];
static char library_path[4096];
static int library_fd = -1;

static int read_settings(const struct ngcc_job *job, struct ngcc_protection_settings *settings)
{
    const struct {
        const char *key;
        long long least, most;
        long long *number;
    } wanted[] = {
        {"result_fd", 3, 1 << 20, &settings->result_fd},
        {"parent", 0, 1 << 30, &settings->parent},
        {"cpu", -1, 8191, &settings->cpu},
        {"memory_limit", 0, 1LL << 60, &settings->memory_limit},
        {"files_limit", 0, 1 << 20, &settings->files_limit},
        {"seccomp", 0, 1, &settings->seccomp},
        {"namespaces", 0, 1, &settings->namespaces},
    };

    settings->result_fd = -1;
    settings->cpu = -1;
    settings->parent = settings->memory_limit = settings->files_limit = 0;
    settings->seccomp = settings->namespaces = 1;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (ngcc_job_number(job, wanted[i].key, wanted[i].least, wanted[i].most, wanted[i].number, error_text))
            return -1;
    if (settings->result_fd < 0 || fcntl((int)settings->result_fd, F_GETFD) < 0) {
        snprintf(error_text, sizeof error_text, "job: result_fd is no open descriptor");
        return -1;
    }
    return 0;
}

/* A library that cannot be opened is told when it is loaded, with the loader's own words. */
static void open_library(const struct ngcc_job *job)
{
    const char *path = ngcc_job_text(job, "library", "");

    library_fd = *path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    snprintf(library_path, sizeof library_path, "/proc/self/fd/%d", library_fd);
    if (library_fd < 0 || access(library_path, R_OK))
        snprintf(library_path, sizeof library_path, "%s", path);
}

void ngcc_isolate_note(const char *name, const char *state)
{
    ngcc_json_key(&report, name);
    ngcc_json_string(&report, state);
}

static int apply(const struct ngcc_protection *protection, const struct ngcc_protection_settings *settings)
{
    static const char *const words[] = {"off", "on", "refused"};
    char why[NGCC_ERROR_BYTES] = "", state[NGCC_ERROR_BYTES + 16];
    const enum ngcc_protection_state outcome = protection->apply(settings, why);

    snprintf(state, sizeof state, *why ? "%s: %s" : "%s", words[outcome], why);
    ngcc_isolate_note(protection->name, state);
    if (outcome != NGCC_REFUSED || !protection->essential)
        return 0;
    snprintf(error_text, sizeof error_text, "%s: %.200s", protection->name, why);
    return -1;
}

/* From here on a failure can be told in a frame. */
static int open_results(const struct ngcc_job *job, const struct ngcc_protection_settings *settings)
{
    for (size_t i = 0; i < settings->keep_count; i++) {
        if (ngcc_move_away(settings->keep[i])) {
            snprintf(error_text, sizeof error_text, "descriptors: %s", strerror(errno));
            return -1;
        }
    }
    if (ngcc_place_result((int)settings->result_fd)) {
        snprintf(error_text, sizeof error_text, "result_fd: %s", strerror(errno));
        return -1;
    }
    if (ngcc_frames_tag(ngcc_job_text(job, "tag", ""))) {
        snprintf(error_text, sizeof error_text, "job: tag must be %d lower-case hex digits", NGCC_TAG_BYTES);
        return -1;
    }
    return 0;
}

int ngcc_isolate_job(const struct ngcc_job *job, int *const keep[], size_t count)
{
    enum { MOST_KEPT = 8 };
    struct ngcc_protection_settings settings;
    int *kept[MOST_KEPT];

    if (read_settings(job, &settings))
        return -1;
    if (count > MOST_KEPT - 1)
        count = MOST_KEPT - 1;
    kept[0] = &library_fd;
    for (size_t i = 0; i < count; i++)
        kept[i + 1] = keep[i];
    settings.keep = kept;
    settings.keep_count = count + 1;
    if (open_results(job, &settings))
        return -1;
    open_library(job);

    ngcc_json_reserve(&report, sizeof report_text);
    ngcc_json_open(&report, '{');
    for (size_t i = 0; i < ngcc_protection_count; i++)
        if (apply(&ngcc_protections[i], &settings))
            return -1;
    return 0;
}

int ngcc_isolate(const char *job_path)
{
    static struct ngcc_job job;

    return ngcc_job_read(&job, job_path, error_text) ? -1 : ngcc_isolate_job(&job, NULL, 0);
}

const char *ngcc_isolate_error(void)
{
    return error_text;
}

const char *ngcc_isolate_report(void)
{
    const size_t length = report.length < sizeof report_text - 2 ? report.length : 0;

    memcpy(report_text, length ? report.text : "{", length ? length : 1);
    strcpy(report_text + (length ? length : 1), "}");
    return report_text;
}

const char *ngcc_isolate_library(void)
{
    return library_path;
}

void ngcc_isolate_library_loaded(void)
{
    if (library_fd >= 0)
        close(library_fd);
    library_fd = -1;
}
