/*
 * The simplest way to time a library: load it, call it in a loop, print every time.
 *
 *   bare_loop LIBRARY CPU verify CALLS
 *   bare_loop LIBRARY CPU hash CALLS BATCH
 *
 * The inputs are those of the driver with fixed inputs; nothing of the driver's code is used.  One time a call, or a batch
 * of calls, is printed on a line, in ns.
 */
#include <dlfcn.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef unsigned long long length;

enum { MESSAGE = 64, HASHED = 1024, WARM_UPS = 3 };

static unsigned char message[HASHED], digest[32];
static unsigned char *pk, *sk, *sn;
static length pk_len, sk_len, sn_len;
static int (*verify)(unsigned char *, length, unsigned char *, length, unsigned char *, length);
static int (*crypto_hash)(int, const unsigned char *, length, unsigned char *);

static void *library;

static void *find(const char *name)
{
    void *const address = dlsym(library, name);

    if (!address) {
        fprintf(stderr, "bare_loop: %s is missing\n", name);
        exit(1);
    }
    return address;
}

static void find_into(void *pointer, const char *name)
{
    void *const address = find(name);

    memcpy(pointer, &address, sizeof address);
}

static unsigned char *make(const char *getter, length *bytes)
{
    length (*get)(void);

    find_into(&get, getter);
    *bytes = get();
    return calloc(1, *bytes);
}

static void make_signature(void)
{
    int (*keygen)(unsigned char *, length *, unsigned char *, length *);
    int (*sign)(unsigned char *, length, unsigned char *, length, unsigned char *, length *);

    find_into(&keygen, "sig_keygen");
    find_into(&sign, "sig_sign");
    find_into(&verify, "sig_verify");
    pk = make("sig_get_pk_len_bytes", &pk_len);
    sk = make("sig_get_sk_len_bytes", &sk_len);
    sn = make("sig_get_sn_len_bytes", &sn_len);
    if (keygen(pk, &pk_len, sk, &sk_len) || sign(sk, sk_len, message, MESSAGE, sn, &sn_len)) {
        fprintf(stderr, "bare_loop: no signature\n");
        exit(1);
    }
}

static int call(int hashes)
{
    return hashes ? crypto_hash(256, message, 8 * HASHED, digest) : verify(pk, pk_len, sn, sn_len, message, MESSAGE);
}

static long long now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC_RAW, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void time_calls(int hashes, long samples, long batch)
{
    long long *const times = calloc((size_t)samples, sizeof *times);
    int failed = 0;

    memset(times, 1, (size_t)samples * sizeof *times);
    for (int i = 0; i < WARM_UPS; i++)
        failed |= call(hashes);
    for (long i = 0; i < samples; i++) {
        const long long start = now();

        for (long j = 0; j < batch; j++)
            failed |= call(hashes);
        times[i] = now() - start;
    }
    if (failed) {
        fprintf(stderr, "bare_loop: a call failed\n");
        exit(1);
    }
    for (long i = 0; i < samples; i++)
        printf("%lld\n", times[i]);
    free(times);
}

int main(int argc, char **argv)
{
    const int hashes = argc == 6 && !strcmp(argv[3], "hash");
    int (*seed)(const unsigned char *, length);
    unsigned char nonce[48];
    cpu_set_t cpus;

    if (!hashes && (argc != 5 || strcmp(argv[3], "verify"))) {
        fprintf(stderr, "usage: bare_loop LIBRARY CPU verify CALLS | hash CALLS BATCH\n");
        return 2;
    }
    CPU_ZERO(&cpus);
    CPU_SET(atoi(argv[2]), &cpus);
    if (sched_setaffinity(0, sizeof cpus, &cpus) || !(library = dlopen(argv[1], RTLD_NOW))) {
        fprintf(stderr, "bare_loop: no such CPU or library\n");
        return 1;
    }
    for (int i = 0; i < (int)sizeof nonce; i++)
        nonce[i] = (unsigned char)i;
    for (int i = 0; i < HASHED; i++)
        message[i] = (unsigned char)(131 * i + (hashes ? HASHED : MESSAGE));
    find_into(&seed, "ngcc_seed");
    if (seed(nonce, sizeof nonce))
        return 1;
    if (hashes)
        find_into(&crypto_hash, "crypto_hash");
    else
        make_signature();
    time_calls(hashes, atol(argv[4]) / (hashes ? atol(argv[5]) : 1), hashes ? atol(argv[5]) : 1);
    return 0;
}
