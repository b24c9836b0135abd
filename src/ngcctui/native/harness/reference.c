/*
 * The reference loop: no candidate, about a millisecond of integer work and of loads that wait for each other.
 *
 * Measured against itself it tells what differences this machine makes up: the noise floor of a run.
 */
#include <stdlib.h>

#include "operation.h"

enum {
    MIXES = 1200,                /* compressions of the integer half */
    ROUNDS = 64,
    CHAIN_LINKS = 1 << 16,       /* of 64 bytes: 4 MiB, more than most second-level caches */
    LINK_WORDS = 16,
    HOPS = 40000
};

static uint32_t *chain;    /* the first word of each link is the number of the next */
static volatile uint32_t sink;

static uint32_t rotate(uint32_t word, int bits)
{
    return word << bits | word >> (32 - bits);
}

/* One cycle through all links in an order that no prefetcher guesses (Sattolo's shuffle, fixed generator). */
static void link_up(void)
{
    uint64_t state = 1;

    for (uint32_t i = 0; i < CHAIN_LINKS; i++)
        chain[i * LINK_WORDS] = i;
    for (uint32_t i = CHAIN_LINKS - 1; i > 0; i--) {
        uint32_t other, held;

        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        other = (uint32_t)((state >> 33) % i);
        held = chain[i * LINK_WORDS];
        chain[i * LINK_WORDS] = chain[other * LINK_WORDS];
        chain[other * LINK_WORDS] = held;
    }
}

static int load(const struct ngcc_settings *settings, struct ngcc_sizes *sizes, struct ngcc_tally *tally)
{
    (void)settings;
    (void)sizes;
    chain = calloc((size_t)CHAIN_LINKS * LINK_WORDS, sizeof *chain);
    if (!chain)
        return ngcc_tally_end(tally, NGCC_LOADFAIL, "no memory for the reference loop");
    link_up();
    return 0;
}

static int setup(const struct ngcc_settings *settings, struct ngcc_tally *tally)
{
    (void)settings;
    (void)tally;
    return 0;
}

static void prepare(uint64_t number)
{
    (void)number;
}

/* Additions, rotations and exclusive-ors in about the mixture of a hash function's compression. */
static uint32_t integer_work(uint32_t seed)
{
    uint32_t a = seed, b = 0x4914b2b9u, c = 0x172442d7u, d = 0xda8a0600u;

    for (int i = 0; i < MIXES; i++) {
        for (int j = 0; j < ROUNDS; j++) {
            const uint32_t turn = rotate(rotate(a, 12) + d + rotate(0x79cc4519u, j % 31 + 1), 7);
            const uint32_t next = (a ^ b ^ c) + (turn ^ rotate(a, 12)) + (uint32_t)i;

            d = c;
            c = rotate(b, 9);
            b = a;
            a = next;
        }
    }
    return a ^ b ^ c ^ d;
}

static uint32_t dependent_loads(void)
{
    uint32_t link = 0;

    for (int i = 0; i < HOPS; i++)
        link = chain[link * LINK_WORDS];
    return link;
}

static int call(struct ngcc_tally *tally)
{
    (void)tally;
    sink = integer_work(sink) ^ dependent_loads();
    return 0;
}

const struct ngcc_operation ngcc_reference = {"reference", "reference", load, setup, prepare, call};
