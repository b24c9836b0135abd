#include "commit.h"

#include "pack.h"
#include "sample.h"
#include "search.h"

void trine_commit_form(trine_transcript *transcript, const int16_t *flat)
{
    static unsigned char packed[TRINE_FORM_BYTES];

    trine_pack(packed, flat, TRINE_CUBE);
    trine_transcript_add(transcript, packed, sizeof packed);
}

int trine_commit(trine_transcript *transcript, trine_row *vector, const trine_form *base,
                 const unsigned char salt[TRINE_SEED_BYTES], const unsigned char seed[TRINE_ROUND_SEED_BYTES],
                 unsigned t)
{
    static int16_t flat[TRINE_CUBE];
    trine_stream s;
    int result;

    trine_open_round(&s, salt, seed, t);
    result = trine_search(vector, flat, base, &s);
    trine_stream_close(&s);
    if (!result)
        trine_commit_form(transcript, flat);
    return result;
}
