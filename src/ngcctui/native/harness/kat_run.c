/*
 * The known answer test: records of what a candidate produces from given seeds and messages, as raw fields.
 *
 * For libraries that only a program of their own architecture can load.  The frames are those of the Python worker
 * (engine/kat_worker.py): J setup, then for each record J field and B for every field, and J record.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buffers.h"
#include "hold.h"
#include "isolation/frames.h"
#include "isolation/isolation.h"
#include "library.h"
#include "livepage.h"
#include "run.h"
#include "scheme.h"

enum {
    MOST_RECORDS = 64,
    MOST_BYTES = 64 << 20,     /* of a key, a signature, a digest or a message */
    SEED_BYTES = 64,
    KEY_TEXT_BYTES = 32,       /* "message_63" */
    FUNCTIONS = 3
};

/* The record at hand, and how long the calls of each function took in it. */
static struct {
    struct ngcc_run *run;
    unsigned long long number;
    struct {
        const char *function;
        uint64_t ns;
    } calls[FUNCTIONS];
    size_t call_count;
} record;

static struct ngcc_buffer messages[MOST_RECORDS];    /* of each record its own: they differ in length */

static struct ngcc_json *begin(const char *type)
{
    struct ngcc_json *const json = &record.run->json;

    ngcc_json_reset(json);
    ngcc_json_open(json, '{');
    ngcc_json_key(json, "type");
    ngcc_json_string(json, type);
    return json;
}

static void send(struct ngcc_json *json)
{
    ngcc_json_close(json, '}');
    ngcc_frame('J', json->text, json->length);
}

static void number(struct ngcc_json *json, const char *key, unsigned long long value)
{
    ngcc_json_key(json, key);
    ngcc_json_unsigned(json, value);
}

/* A buffer that the candidate writes to, with its declared length. */
struct output {
    const char *name;          /* in frames of fields */
    const char *size_name;     /* in the setup frame */
    const char *words;         /* in sentences */
    unsigned long long declared, returned;
    struct ngcc_buffer buffer;
};

/* Tells the declared lengths and makes the buffers.  0, or -1 with a tally. */
static int set_up(struct output *const outputs[], size_t count)
{
    struct ngcc_json *const json = begin("setup");
    struct ngcc_tally *const tally = &record.run->tally;

    ngcc_json_key(json, "sizes");
    ngcc_json_open(json, '{');
    for (size_t i = 0; i < count; i++)
        number(json, outputs[i]->size_name, outputs[i]->declared);
    ngcc_json_close(json, '}');
    ngcc_json_key(json, "isolation");
    ngcc_json_raw(json, ngcc_isolate_report());
    send(json);
    for (size_t i = 0; i < count; i++) {
        struct output *const output = outputs[i];

        if (output->declared < 1 || output->declared > MOST_BYTES)
            return ngcc_tally_end(tally, NGCC_FAILED, "a %s of %llu bytes is declared", output->words,
                                  output->declared);
        if (ngcc_buffer_make(&output->buffer, output->name, (size_t)output->declared))
            return ngcc_tally_end(tally, NGCC_LOADFAIL, "no memory for a %s of %llu bytes", output->words,
                                  output->declared);
    }
    return 0;
}

static int loaded_the_right_one(void)
{
    const char *const wanted = ngcc_job_text(record.run->job, "instance", "");

    if (!strcmp(ngcc_library_instance(), wanted))
        return 0;
    return ngcc_tally_end(&record.run->tally, NGCC_LOADFAIL, "the library is that of %.80s", ngcc_library_instance());
}

static void begin_record(unsigned long long index)
{
    record.number = index;
    record.call_count = 0;
    ngcc_page->iteration = index;
}

static void end_record(void)
{
    struct ngcc_json *const json = begin("record");

    number(json, "record", record.number);
    ngcc_json_key(json, "times_ns");
    ngcc_json_open(json, '{');
    for (size_t i = 0; i < record.call_count; i++)
        number(json, record.calls[i].function, record.calls[i].ns);
    ngcc_json_close(json, '}');
    send(json);
}

/* Before a call: waits if the engine holds this process; when the call begins. */
static uint64_t begin_call(void)
{
    ngcc_hold_if_asked();
    return ngcc_now_ns();
}

/* Behind a call that began at `start`: was everything outside of its buffers left alone?  0, or -1 with a tally. */
static int unharmed(const char *function, uint64_t start)
{
    const uint64_t ns = ngcc_now_ns() - start;
    struct ngcc_tally *const tally = &record.run->tally;
    char detail[NGCC_ERROR_BYTES];

    if (record.call_count < FUNCTIONS) {
        record.calls[record.call_count].function = function;
        record.calls[record.call_count++].ns = ns;
    }
    if (!ngcc_buffers_check(detail, sizeof detail))
        return 0;
    return ngcc_tally_end(tally, NGCC_OVERFLOW, "%s wrote outside of %.*s in record %llu", function,
                          (int)strcspn(detail, ":"), detail, record.number);
}

static int succeeded(const char *function, uint64_t start, int code)
{
    if (unharmed(function, start))
        return -1;
    if (!code)
        return 0;
    return ngcc_tally_end(&record.run->tally, NGCC_FAILED, "%s returned %d in record %llu", function, code,
                          record.number);
}

/* Sends what `function` has left in an output. */
static int send_field(const char *function, const struct output *output)
{
    struct ngcc_json *json;

    if (output->returned > output->declared)
        return ngcc_tally_end(&record.run->tally, NGCC_OVERFLOW, "%s returned %llu bytes of %s, declared are %llu",
                              function, output->returned, output->name, output->declared);
    json = begin("field");
    number(json, "record", record.number);
    ngcc_json_key(json, "field");
    ngcc_json_string(json, output->name);
    number(json, "length", output->returned);
    send(json);
    ngcc_frame('B', output->buffer.data, output->returned);
    return 0;
}

static void clear(struct output *output)
{
    memset(output->buffer.data, 0, output->buffer.bytes);
    output->returned = output->declared;
}

static int digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The hex text of the job's `key`_`record` into `bytes`; their number, -1 for no such text or too long a one. */
static long unhex(const char *key, unsigned char *bytes, size_t room)
{
    char name[KEY_TEXT_BYTES];
    const char *text;
    size_t length;

    snprintf(name, sizeof name, "%s_%llu", key, record.number);
    text = ngcc_job_text(record.run->job, name, "x");
    length = strlen(text) / 2;
    if (strlen(text) % 2 || length > room)
        return -1;
    for (size_t i = 0; i < length; i++) {
        const int high = digit(text[2 * i]), low = digit(text[2 * i + 1]);

        if (high < 0 || low < 0)
            return -1;
        bytes[i] = (unsigned char)(16 * high + low);
    }
    return (long)length;
}

static int bad_job(const char *what)
{
    return ngcc_tally_end(&record.run->tally, NGCC_LOADFAIL, "job: no sound %s for record %llu", what, record.number);
}

/* Seeds the generator and puts the message of this record in place. */
static int give_inputs(struct ngcc_buffer *message)
{
    static unsigned char bytes[NGCC_JOB_BYTES];
    unsigned char seed[SEED_BYTES];
    long length = unhex("message", bytes, sizeof bytes);

    if (length < 0)
        return bad_job("message");
    if (ngcc_buffer_make(message, "message", (size_t)length))
        return ngcc_tally_end(&record.run->tally, NGCC_LOADFAIL, "no memory for a message of %ld bytes", length);
    memcpy(message->data, bytes, (size_t)length);
    length = unhex("seed", seed, sizeof seed);
    return length < 0 ? bad_job("seed") : ngcc_library_seed_with(seed, (size_t)length, &record.run->tally);
}

static struct output pk = {.name = "pk", .size_name = "public_key", .words = "public key"};
static struct output sk = {.name = "sk", .size_name = "secret_key", .words = "secret key"};
static struct output sn = {.name = "sn", .size_name = "signature", .words = "signature"};
static struct ngcc_scheme candidate;

static int verify(const struct ngcc_buffer *message)
{
    return candidate.verify(pk.buffer.data, pk.returned, sn.buffer.data, sn.returned, message->data, message->bytes);
}

/* The right signature must be accepted, and refused for another message. */
static int check_signature(struct ngcc_buffer *message)
{
    struct ngcc_tally *const tally = &record.run->tally;
    uint64_t start = begin_call();
    int code = verify(message);

    if (unharmed("sig_verify", start))
        return -1;
    if (code)
        return ngcc_tally_end(tally, NGCC_REJECTED, "sig_verify rejected the honest signature of record %llu: %d",
                              record.number, code);
    message->data[0] ^= 0x80;
    start = begin_call();
    code = verify(message);
    if (unharmed("sig_verify", start))
        return -1;
    if (!code)
        return ngcc_tally_end(tally, NGCC_REJECTED,
                              "sig_verify accepted another message for the signature of record %llu", record.number);
    return 0;
}

static int signature_record(struct ngcc_buffer *message)
{
    uint64_t start;
    int code;

    if (give_inputs(message))
        return -1;
    clear(&pk);
    clear(&sk);
    clear(&sn);
    start = begin_call();
    code = candidate.keygen(pk.buffer.data, &pk.returned, sk.buffer.data, &sk.returned);
    if (succeeded("sig_keygen", start, code) || send_field("sig_keygen", &pk) || send_field("sig_keygen", &sk))
        return -1;
    start = begin_call();
    code = candidate.sign(sk.buffer.data, sk.returned, message->data, message->bytes, sn.buffer.data, &sn.returned);
    if (succeeded("sig_sign", start, code) || send_field("sig_sign", &sn))
        return -1;
    return check_signature(message);
}

static void signature_records(void)
{
    struct output *const outputs[] = {&pk, &sk, &sn};
    struct ngcc_tally *const tally = &record.run->tally;
    char error[NGCC_ERROR_BYTES];
    long long records = 0;

    if (ngcc_job_number(record.run->job, "records", 1, MOST_RECORDS, &records, error)) {
        ngcc_tally_end(tally, NGCC_LOADFAIL, "%.200s", error);
        return;
    }
    if (ngcc_scheme_load(&candidate, tally) || loaded_the_right_one())
        return;
    pk.declared = candidate.pk_len_bytes();
    sk.declared = candidate.sk_len_bytes();
    sn.declared = candidate.sn_len_bytes();
    if (set_up(outputs, sizeof outputs / sizeof *outputs))
        return;
    ngcc_page_phase(NGCC_PHASE_KAT, 0, (uint64_t)records);
    for (long long i = 0; i < records; i++) {
        begin_record((unsigned long long)i);
        if (signature_record(&messages[i]))
            return;
        end_record();
    }
}

static struct output dst = {.name = "dst", .size_name = "digest", .words = "digest"};
static int (*crypto_hash)(int digest_bits, const unsigned char *msg, unsigned long long msg_bits,
                          unsigned char *digest);

static int hash_record(struct ngcc_buffer *message, unsigned long long bits)
{
    const size_t bytes = (size_t)(bits / 8 + (bits % 8 > 0));
    uint64_t start;
    int code;

    if (ngcc_buffer_make(message, "message", bytes))
        return ngcc_tally_end(&record.run->tally, NGCC_LOADFAIL, "no memory for a message of %zu bytes", bytes);
    for (size_t j = 0; j < bytes; j++)
        message->data[j] = (unsigned char)(131 * j + 7 * record.number + 1);
    clear(&dst);
    start = begin_call();
    code = crypto_hash((int)record.run->settings.digest_bits, message->data, bits, dst.buffer.data);
    return succeeded("crypto_hash", start, code) || send_field("crypto_hash", &dst) ? -1 : 0;
}

static void hash_records(void)
{
    const struct ngcc_symbol symbols[] = {{"crypto_hash", &crypto_hash}};
    struct output *const outputs[] = {&dst};
    const char *text = ngcc_job_text(record.run->job, "lengths", "");

    if (ngcc_library_load(symbols, 1, &record.run->tally) || loaded_the_right_one())
        return;
    dst.declared = ((unsigned long long)record.run->settings.digest_bits + 7) / 8;
    if (set_up(outputs, 1))
        return;
    ngcc_page_phase(NGCC_PHASE_KAT, 0, 0);
    for (unsigned long long i = 0; i < MOST_RECORDS && *text; i++) {
        char *end;
        const unsigned long long bits = strtoull(text, &end, 10);

        begin_record(i);
        if (end == text || bits / 8 > MOST_BYTES) {
            bad_job("length");
            return;
        }
        if (hash_record(&messages[i], bits))
            return;
        end_record();
        text = *end == ',' ? end + 1 : end;
    }
}

void ngcc_kat(struct ngcc_run *run)
{
    record.run = run;
    if (!strcmp(run->settings.function, "hash"))
        hash_records();
    else
        signature_records();
}
