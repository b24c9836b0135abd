#include "json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void append(struct ngcc_json *json, const char *text, size_t length)
{
    if (json->failed)
        return;
    if (length > json->capacity - json->length) {
        const size_t wanted = 2 * (json->length + length);
        char *more = realloc(json->text, wanted);

        if (!more) {
            json->failed = 1;
            json->length = 0;
            return;
        }
        json->text = more;
        json->capacity = wanted;
    }
    memcpy(json->text + json->length, text, length);
    json->length += length;
}

/* A value or key follows another one unless something was just opened or named. */
static void separate(struct ngcc_json *json)
{
    if (json->length > 0 && !strchr("{[:", json->text[json->length - 1]))
        append(json, ",", 1);
}

void ngcc_json_reserve(struct ngcc_json *json, size_t bytes)
{
    char *more = realloc(json->text, bytes);

    json->failed = !more;
    json->length = 0;
    if (!more)
        return;
    json->text = more;
    json->capacity = bytes;
    memset(more, ' ', bytes);
}

void ngcc_json_reset(struct ngcc_json *json)
{
    json->length = 0;
    json->failed = 0;
}

void ngcc_json_open(struct ngcc_json *json, char bracket)
{
    separate(json);
    append(json, &bracket, 1);
}

void ngcc_json_close(struct ngcc_json *json, char bracket)
{
    append(json, &bracket, 1);
}

void ngcc_json_key(struct ngcc_json *json, const char *key)
{
    ngcc_json_string(json, key);
    append(json, ":", 1);
}

void ngcc_json_string(struct ngcc_json *json, const char *text)
{
    separate(json);
    append(json, "\"", 1);
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        char escape[8];

        if (c == '"' || c == '\\')
            append(json, "\\", 1);
        if (c < 0x20 || c == 0x7f)
            append(json, escape, (size_t)snprintf(escape, sizeof escape, "\\u%04x", c));
        else
            append(json, c < 0x80 ? text : "?", 1);
    }
    append(json, "\"", 1);
}

void ngcc_json_unsigned(struct ngcc_json *json, unsigned long long value)
{
    char digits[24];

    separate(json);
    append(json, digits, (size_t)snprintf(digits, sizeof digits, "%llu", value));
}

void ngcc_json_signed(struct ngcc_json *json, long long value)
{
    char digits[24];

    separate(json);
    append(json, digits, (size_t)snprintf(digits, sizeof digits, "%lld", value));
}

void ngcc_json_fixed(struct ngcc_json *json, double value)
{
    /* Not by %f: a candidate may have set a locale whose decimal point is a comma. */
    const unsigned long long thousandths = value > 0 && value < 1e15 ? (unsigned long long)(value * 1000 + 0.5) : 0;
    char digits[32];

    separate(json);
    append(json, digits,
           (size_t)snprintf(digits, sizeof digits, "%llu.%03llu", thousandths / 1000, thousandths % 1000));
}

void ngcc_json_null(struct ngcc_json *json)
{
    ngcc_json_raw(json, "null");
}

void ngcc_json_bool(struct ngcc_json *json, int value)
{
    ngcc_json_raw(json, value ? "true" : "false");
}

void ngcc_json_raw(struct ngcc_json *json, const char *text)
{
    separate(json);
    append(json, text, strlen(text));
}
