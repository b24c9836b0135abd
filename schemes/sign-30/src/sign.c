#include <string.h>

#include "challenge.h"
#include "commit.h"
#include "drng.h"
#include "field.h"
#include "pack.h"
#include "sample.h"
#include "sig.h"

extern DRNG_ctx drng_algorithm;

/* The base form of a secret key. */
static int load_base(trine_form *base, const unsigned char *sk)
{
    static int16_t flat[TRINE_CUBE];
    unsigned char public_seed[TRINE_SEED_BYTES];

    if (trine_sample_public_seed(public_seed, sk) || trine_sample_base_form(flat, public_seed))
        return -1;
    trine_form_load(base, flat);
    return 0;
}

/* The points of the opened rounds as the secret forms see them, in the order of the rounds. */
static int respond(unsigned char *out, const unsigned char *sk, const unsigned char challenge[TRINE_ROUNDS],
                   const trine_row vectors[TRINE_ROUNDS])
{
    static trine_matrix inverses[TRINE_FORMS];
    static int16_t responses[TRINE_RESPONSE_ELEMENTS];
    uint32_t sums[TRINE_N + TRINE_SPARE_ROWS];
    trine_matrix matrix;
    int16_t *next = responses;

    for (unsigned i = 0; i < TRINE_FORMS; i++) {
        if (trine_sample_secret(matrix, sk, 'x', i))
            return -1;
        trine_invert(inverses[i], matrix);
    }
    for (int t = 0; t < TRINE_ROUNDS; t++) {
        if (challenge[t] == TRINE_FORMS)
            continue;
        trine_dots(sums, &vectors[t], inverses[challenge[t]], TRINE_N);
        for (int i = 0; i < TRINE_N; i++)
            *next++ = trine_reduce(sums[i]);
    }
    trine_pack(out, responses, TRINE_RESPONSE_ELEMENTS);
    return 0;
}

int sig_sign(const unsigned char *sk, unsigned long long sk_len, const unsigned char *m, unsigned long long m_len,
             unsigned char *sn, unsigned long long *sn_len)
{
    static trine_form base;
    static trine_row vectors[TRINE_ROUNDS];
    unsigned char salt[TRINE_SEED_BYTES], seeds[TRINE_ROUNDS * TRINE_ROUND_SEED_BYTES];
    unsigned char digest[TRINE_DIGEST_BYTES], challenge[TRINE_ROUNDS], *end;
    trine_transcript transcript;

    if (!sk || (!m && m_len) || !sn || !sn_len)
        return TRINE_NULL;
    if (sk_len != TRINE_SECRET_KEY_BYTES)
        return TRINE_KEY_LENGTH;
    trine_field_init();
    if (load_base(&base, sk))
        return TRINE_NO_MEMORY;
    get_random_number(&drng_algorithm, salt, 8 * sizeof salt);
    get_random_number(&drng_algorithm, seeds, 8 * sizeof seeds);

    trine_transcript_open(&transcript);
    trine_transcript_add(&transcript, m, m_len);
    for (unsigned t = 0; t < TRINE_ROUNDS; t++)
        if (trine_commit(&transcript, &vectors[t], &base, salt, seeds + t * TRINE_ROUND_SEED_BYTES, t))
            return TRINE_NO_MEMORY;
    trine_transcript_digest(&transcript, digest);
    if (trine_challenge(challenge, digest) || respond(sn, sk, challenge, vectors))
        return TRINE_NO_MEMORY;

    end = sn + TRINE_RESPONSES_BYTES;
    for (unsigned t = 0; t < TRINE_ROUNDS; t++)
        if (challenge[t] == TRINE_FORMS) {
            memcpy(end, seeds + t * TRINE_ROUND_SEED_BYTES, TRINE_ROUND_SEED_BYTES);
            end += TRINE_ROUND_SEED_BYTES;
        }
    memcpy(end, digest, sizeof digest);
    memcpy(end + sizeof digest, salt, sizeof salt);
    *sn_len = TRINE_SIGNATURE_BYTES;
    return TRINE_OK;
}
