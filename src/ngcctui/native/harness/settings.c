#include "settings.h"

#include <stdio.h>
#include <string.h>

static int one_of(const char *key, const char *value, const char *first, const char *second, int *is_second,
                  char error[NGCC_ERROR_BYTES])
{
    *is_second = !strcmp(value, second);
    if (*is_second || !strcmp(value, first))
        return 0;
    snprintf(error, NGCC_ERROR_BYTES, "job: %s=%.60s: must be %s or %s", key, value, first, second);
    return -1;
}

int ngcc_settings_read(struct ngcc_settings *settings, const struct ngcc_job *job, char error[NGCC_ERROR_BYTES])
{
    struct ngcc_settings *const s = settings;
    const struct {
        const char *key;
        long long least, most;
        long long *number;
        long long otherwise;
    } numbers[] = {
        {"message_bytes", 0, NGCC_MOST_BYTES, &s->message_bytes, 0},
        {"digest_bits", 1, 1 << 20, &s->digest_bits, 256},
        {"trial", 0, 65535, &s->trial, 0},
        {"trials", 1, 65536, &s->trials, 1},
        {"iterations", 1, NGCC_MOST_ITERATIONS, &s->iterations, 1},
        {"warmups", 0, NGCC_MOST_ITERATIONS, &s->warmups, 0},
        {"batch", 1, NGCC_MOST_ITERATIONS, &s->batch, 1},
        {"signatures", 1, 1024, &s->signatures, 16},
    };

    s->mode = ngcc_job_text(job, "mode", "");
    s->function = ngcc_job_text(job, "function", "");
    s->operation = ngcc_job_text(job, "operation", "");
    s->counter = ngcc_job_text(job, "counter", "none");
    s->live_page = ngcc_job_text(job, "live_page", "");
    if (!strcmp(s->mode, "reference"))
        s->function = s->operation = "reference";
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        *numbers[i].number = numbers[i].otherwise;
        if (ngcc_job_number(job, numbers[i].key, numbers[i].least, numbers[i].most, numbers[i].number, error))
            return -1;
    }
    if (one_of("inputs", ngcc_job_text(job, "inputs", "varied"), "fixed", "varied", &s->varied, error))
        return -1;
    return one_of("calibrate", ngcc_job_text(job, "calibrate", "mean"), "mean", "single", &s->single, error);
}
