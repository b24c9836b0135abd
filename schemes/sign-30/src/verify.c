/* Verification; everything in it is public. */
#include <string.h>

#include "canon.h"
#include "challenge.h"
#include "commit.h"
#include "field.h"
#include "pack.h"
#include "sample.h"
#include "sig.h"

/* What a signature consists of. */
typedef struct {
    int16_t responses[TRINE_RESPONSE_ELEMENTS];
    const unsigned char *seeds, *digest, *salt;
} signature;

static int parse(signature *s, const unsigned char *sn)
{
    s->seeds = sn + TRINE_RESPONSES_BYTES;
    s->digest = s->seeds + TRINE_BASE_SEEDS_BYTES;
    s->salt = s->digest + TRINE_DIGEST_BYTES;
    return trine_unpack(s->responses, sn, TRINE_RESPONSE_ELEMENTS);
}

/* All forms of a public key must be well-formed, also one that no round asks for. */
static int forms_are_strict(int16_t *flat, const unsigned char *pk)
{
    for (int i = 0; i < TRINE_FORMS; i++)
        if (trine_unpack(flat, pk + TRINE_SEED_BYTES + i * TRINE_FORM_BYTES, TRINE_CUBE))
            return 0;
    return 1;
}

/* Absorbs the commitment of an opened round. */
static int recommit(trine_transcript *transcript, const unsigned char *packed_form, const int16_t response[TRINE_N])
{
    static trine_form form;
    static int16_t flat[TRINE_CUBE];
    trine_row vector;

    memset(&vector, 0, sizeof vector);
    memcpy(vector.x, response, TRINE_N * sizeof *response);
    if (trine_unpack(flat, packed_form, TRINE_CUBE))
        return -1;
    trine_form_load(&form, flat);
    if (trine_canonical(flat, &form, &vector))
        return -1;
    trine_commit_form(transcript, flat);
    return 0;
}

/* Absorbs the commitments of all rounds. */
static int recommit_all(trine_transcript *transcript, const trine_form *base, const unsigned char *pk,
                        const signature *s, const unsigned char challenge[TRINE_ROUNDS])
{
    const unsigned char *seed = s->seeds;
    const int16_t *response = s->responses;
    trine_row vector;

    for (unsigned t = 0; t < TRINE_ROUNDS; t++)
        if (challenge[t] == TRINE_FORMS) {
            if (trine_commit(transcript, &vector, base, s->salt, seed, t))
                return TRINE_NO_MEMORY;
            seed += TRINE_ROUND_SEED_BYTES;
        } else {
            if (recommit(transcript, pk + TRINE_SEED_BYTES + challenge[t] * TRINE_FORM_BYTES, response))
                return TRINE_INVALID;
            response += TRINE_N;
        }
    return TRINE_OK;
}

int sig_verify(const unsigned char *pk, unsigned long long pk_len, const unsigned char *sn, unsigned long long sn_len,
               const unsigned char *m, unsigned long long m_len)
{
    static trine_form base;
    static int16_t flat[TRINE_CUBE];
    static signature s;
    unsigned char challenge[TRINE_ROUNDS], again[TRINE_ROUNDS], digest[TRINE_DIGEST_BYTES];
    trine_transcript transcript;
    int result;

    if (!pk || !sn || (!m && m_len))
        return TRINE_NULL;
    if (pk_len != TRINE_PUBLIC_KEY_BYTES)
        return TRINE_KEY_LENGTH;
    if (sn_len != TRINE_SIGNATURE_BYTES || parse(&s, sn) || !forms_are_strict(flat, pk))
        return TRINE_INVALID;
    trine_field_init();
    if (trine_challenge(challenge, s.digest) || trine_sample_base_form(flat, pk))
        return TRINE_NO_MEMORY;
    trine_form_load(&base, flat);

    trine_transcript_open(&transcript);
    trine_transcript_add(&transcript, m, m_len);
    result = recommit_all(&transcript, &base, pk, &s, challenge);
    if (result)
        return result;
    trine_transcript_digest(&transcript, digest);
    if (trine_challenge(again, digest))
        return TRINE_NO_MEMORY;
    /* The challenges count, not the digests. */
    return memcmp(challenge, again, sizeof again) == 0 ? TRINE_OK : TRINE_INVALID;
}
