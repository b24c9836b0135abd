/* Writing one JSON value.  Commas are set by themselves; a failed allocation is remembered and gives an empty text. */
#ifndef NGCC_JSON_H
#define NGCC_JSON_H

#include <stddef.h>

struct ngcc_json {
    char *text;       /* not terminated; `length` bytes */
    size_t length;
    size_t capacity;
    int failed;
};

/* Makes room for `bytes` and touches them, so that writing so much takes no new memory. */
void ngcc_json_reserve(struct ngcc_json *json, size_t bytes);

/* Forgets the text and keeps the memory. */
void ngcc_json_reset(struct ngcc_json *json);

void ngcc_json_open(struct ngcc_json *json, char bracket);   /* '{' or '[' */
void ngcc_json_close(struct ngcc_json *json, char bracket);  /* '}' or ']' */
void ngcc_json_key(struct ngcc_json *json, const char *key);

/* Control characters are escaped and bytes above 127 become '?': the text may come from a candidate. */
void ngcc_json_string(struct ngcc_json *json, const char *text);

void ngcc_json_unsigned(struct ngcc_json *json, unsigned long long value);
void ngcc_json_signed(struct ngcc_json *json, long long value);
void ngcc_json_fixed(struct ngcc_json *json, double value);  /* 0 to 1e15, three decimals; else 0 */
void ngcc_json_null(struct ngcc_json *json);
void ngcc_json_bool(struct ngcc_json *json, int value);
void ngcc_json_raw(struct ngcc_json *json, const char *text); /* a JSON value as it is */

#endif
