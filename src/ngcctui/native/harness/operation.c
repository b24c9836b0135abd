#include "operation.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct ngcc_operation *const operations[] = {
    &ngcc_keygen, &ngcc_sign, &ngcc_verify, &ngcc_hash, &ngcc_reference,
};

const struct ngcc_operation *ngcc_operation_find(const char *function, const char *name)
{
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        if (!strcmp(operations[i]->function, function) && !strcmp(operations[i]->name, name))
            return operations[i];
    return NULL;
}

int ngcc_tally_end(struct ngcc_tally *tally, enum ngcc_status status, const char *format, ...)
{
    va_list arguments;

    tally->status = status;
    va_start(arguments, format);
    vsnprintf(tally->detail, sizeof tally->detail, format, arguments);
    va_end(arguments);
    return -1;
}

int ngcc_tally_failed(struct ngcc_tally *tally, const char *function, int code)
{
    tally->failures++;
    tally->failure_code = code;
    return ngcc_tally_end(tally, NGCC_FAILED, "%s returned %d", function, code);
}
