/*
 * What the programs share that run a scheme on heap blocks of exact size for the address and undefined behaviour
 * sanitizers.  They read a record of the official KAT from standard input, the seed of the generator and behind it the
 * message, and write the signature to standard output.
 */
#ifndef SANITIZE_H
#define SANITIZE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drng.h"
#include "sig.h"

DRNG_ctx drng_algorithm;

enum {
    SEED_BYTES = 64,
    MESSAGE_MAX = 1024
};

/* A record; lengths in bytes. */
struct record {
    unsigned char *pk, *sk, *sn, *message;
    unsigned long long pk_len, sk_len, sn_len, message_len;
};

static void fail(const char *what)
{
    fprintf(stderr, "%s\n", what);
    exit(1);
}

static unsigned char *block(size_t bytes)
{
    unsigned char *p = malloc(bytes);

    if (!p)
        fail("no memory");
    return p;
}

/* Seeds the scheme's generator and takes the message and a key pair of the record; the signature is still empty. */
static void record_key(struct record *record)
{
    unsigned char seed[SEED_BYTES], message[MESSAGE_MAX];

    if (fread(seed, 1, sizeof seed, stdin) != sizeof seed)
        fail("no seed");
    record->message_len = fread(message, 1, sizeof message, stdin);
    record->message = block(record->message_len);
    memcpy(record->message, message, record->message_len);
    init_random_number(&drng_algorithm, seed, sizeof seed);
    record->pk_len = sig_get_pk_len_bytes();
    record->sk_len = sig_get_sk_len_bytes();
    record->sn_len = sig_get_sn_len_bytes();
    record->pk = block(record->pk_len);
    record->sk = block(record->sk_len);
    record->sn = block(record->sn_len);
    if (sig_keygen(record->pk, &record->pk_len, record->sk, &record->sk_len))
        fail("no key");
}

/* Signs, verifies and writes the signature. */
static void record_signature(struct record *record)
{
    if (sig_sign(record->sk, record->sk_len, record->message, record->message_len, record->sn, &record->sn_len))
        fail("no signature");
    if (sig_verify(record->pk, record->pk_len, record->sn, record->sn_len, record->message, record->message_len))
        fail("own signature rejected");
    fwrite(record->sn, 1, record->sn_len, stdout);
}

/* Verification of anything else than the record's signature has to fail. */
static void reject(const struct record *record, const unsigned char *wrong, unsigned long long wrong_len)
{
    if (sig_verify(record->pk, record->pk_len, wrong, wrong_len, record->message, record->message_len) == 0)
        fail("wrong signature accepted");
}

static void record_free(struct record *record)
{
    free(record->pk);
    free(record->sk);
    free(record->sn);
    free(record->message);
}

#endif
