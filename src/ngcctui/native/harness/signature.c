/* keygen, sign and verify of a signature scheme. */
#include <stdlib.h>
#include <string.h>

#include "buffers.h"
#include "hold.h"
#include "inputs.h"
#include "library.h"
#include "operation.h"
#include "scheme.h"

enum { MOST_RETRIES = 64 };

typedef unsigned long long length_t;

static struct ngcc_scheme candidate;

/* A message and its signature; sign works on the first one, verify cycles through all. */
struct signed_message {
    struct ngcc_buffer message, signature;
    length_t signature_bytes;
};

static struct ngcc_buffer public_key, secret_key;
static length_t public_key_bytes, secret_key_bytes;    /* as returned */
static struct signed_message *inputs;
static uint64_t input_count, input_now;
static int varied;

static int declared(length_t *bytes, length_t (*getter)(void), const char *name, struct ngcc_tally *tally)
{
    *bytes = getter();
    if (*bytes >= 1 && *bytes <= NGCC_MOST_BYTES)
        return 0;
    return ngcc_tally_end(tally, NGCC_LOADFAIL, "%s() is %llu; 1 to %d bytes can be measured", name, *bytes,
                          NGCC_MOST_BYTES);
}

static int make(struct ngcc_buffer *buffer, const char *name, length_t bytes, struct ngcc_tally *tally)
{
    if (!ngcc_buffer_make(buffer, name, (size_t)bytes))
        return 0;
    return ngcc_tally_end(tally, NGCC_LOADFAIL, "no memory for a %s of %llu bytes", name, bytes);
}

static int load(const struct ngcc_settings *settings, uint64_t count, struct ngcc_sizes *sizes,
                struct ngcc_tally *tally)
{
    varied = settings->varied;
    input_count = count;
    if (ngcc_scheme_load(&candidate, tally) ||
        declared(&sizes->public_key, candidate.pk_len_bytes, "sig_get_pk_len_bytes", tally) ||
        declared(&sizes->secret_key, candidate.sk_len_bytes, "sig_get_sk_len_bytes", tally) ||
        declared(&sizes->signature, candidate.sn_len_bytes, "sig_get_sn_len_bytes", tally) ||
        make(&public_key, "public key", sizes->public_key, tally) ||
        make(&secret_key, "secret key", sizes->secret_key, tally))
        return -1;
    inputs = calloc(count, sizeof *inputs);
    if (!inputs)
        return ngcc_tally_end(tally, NGCC_LOADFAIL, "no memory for %llu messages", (unsigned long long)count);
    for (uint64_t i = 0; i < count; i++) {
        if (make(&inputs[i].message, "message", NGCC_MESSAGE_BYTES, tally) ||
            make(&inputs[i].signature, "signature", sizes->signature, tally))
            return -1;
        ngcc_message_base(inputs[i].message.data, NGCC_MESSAGE_BYTES);
    }
    return 0;
}

static int load_one(const struct ngcc_settings *settings, struct ngcc_sizes *sizes, struct ngcc_tally *tally)
{
    return load(settings, 1, sizes, tally);
}

static int load_many(const struct ngcc_settings *settings, struct ngcc_sizes *sizes, struct ngcc_tally *tally)
{
    const long long most = settings->iterations < settings->signatures ? settings->iterations : settings->signatures;

    return load(settings, settings->varied ? (uint64_t)most : 1, sizes, tally);
}

/* A returned length that fits its buffer. */
static int fits(length_t returned, const struct ngcc_buffer *buffer, struct ngcc_tally *tally)
{
    if (returned <= buffer->bytes)
        return 0;
    return ngcc_tally_end(tally, NGCC_OVERFLOW, "%s: length %llu returned, %zu declared", buffer->name, returned,
                          buffer->bytes);
}

static int call_keygen(struct ngcc_tally *tally)
{
    int code;

    public_key_bytes = public_key.bytes;
    secret_key_bytes = secret_key.bytes;
    code = candidate.keygen(public_key.data, &public_key_bytes, secret_key.data, &secret_key_bytes);
    if (code)
        return ngcc_tally_failed(tally, "sig_keygen", code);
    return fits(public_key_bytes, &public_key, tally) || fits(secret_key_bytes, &secret_key, tally) ? -1 : 0;
}

/* Some schemes fail now and then and are to be asked again: the retries belong to the cost of a signature. */
static int sign(struct signed_message *input, struct ngcc_tally *tally)
{
    for (int retry = 0;; retry++) {
        int code;

        input->signature_bytes = input->signature.bytes;
        code = candidate.sign(secret_key.data, secret_key_bytes, input->message.data, NGCC_MESSAGE_BYTES,
                              input->signature.data, &input->signature_bytes);
        if (!code)
            return fits(input->signature_bytes, &input->signature, tally);
        if (retry == MOST_RETRIES)
            return ngcc_tally_failed(tally, "sig_sign (after 64 retries)", code);
        tally->retries++;
    }
}

static int call_sign(struct ngcc_tally *tally)
{
    return sign(inputs, tally);
}

static int verify(struct signed_message *input)
{
    return candidate.verify(public_key.data, public_key_bytes, input->signature.data, input->signature_bytes,
                            input->message.data, NGCC_MESSAGE_BYTES);
}

static int call_verify(struct ngcc_tally *tally)
{
    const int code = verify(&inputs[input_now]);

    if (code) {
        tally->rejected++;
        tally->failure_code = code;
    }
    return 0;
}

static void prepare_message(uint64_t number)
{
    if (varied)
        ngcc_message_vary(inputs->message.data, NGCC_MESSAGE_BYTES, number);
}

static void prepare_signed(uint64_t number)
{
    input_now = (uint32_t)number % input_count;
}

static void prepare_nothing(uint64_t number)
{
    (void)number;
}

static int setup_seed(const struct ngcc_settings *settings, struct ngcc_tally *tally)
{
    return ngcc_library_seed(settings, tally);
}

static int setup_key(const struct ngcc_settings *settings, struct ngcc_tally *tally)
{
    return ngcc_library_seed(settings, tally) || call_keygen(tally) ? -1 : 0;
}

static int setup_signatures(const struct ngcc_settings *settings, struct ngcc_tally *tally)
{
    if (setup_key(settings, tally))
        return -1;
    for (uint64_t i = 0; i < input_count; i++) {
        int code;

        ngcc_hold_if_asked();
        if (varied)
            ngcc_message_vary(inputs[i].message.data, NGCC_MESSAGE_BYTES,
                              ngcc_call_number((uint64_t)settings->trial, i));
        if (sign(&inputs[i], tally))
            return -1;
        ngcc_hold_if_asked();
        code = verify(&inputs[i]);
        if (code) {
            tally->failure_code = code;
            return ngcc_tally_end(tally, NGCC_REJECTED, "sig_verify returned %d for signature %llu made in setup", code,
                                  (unsigned long long)i);
        }
    }
    return 0;
}

const struct ngcc_operation ngcc_keygen = {"signature", "keygen", load_one, setup_seed, prepare_nothing, call_keygen};
const struct ngcc_operation ngcc_sign = {"signature", "sign", load_one, setup_key, prepare_message, call_sign};
const struct ngcc_operation ngcc_verify = {"signature",      "verify",       load_many,
                                           setup_signatures, prepare_signed, call_verify};
