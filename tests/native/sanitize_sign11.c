/* Record 0 of sign-11 and hostile input under the sanitizers. */
#include "params.h"
#include "sanitize.h"

/* A bit of every part; the parts are where the next one begins. */
static void flip(const struct record *record, unsigned char *wrong)
{
    const unsigned slots = FT_N + FT_COUNTER_BYTES + FT_OPENED_BYTES, first = FT_N + FT_PORS_BYTES;
    const unsigned after[] = {FT_N, FT_N + FT_COUNTER_BYTES, slots, slots + FT_N, first + FT_CHAINS_BYTES,
                              first + FT_BLOCK_BYTES(FT_MOST_HEIGHT), FT_SIGNATURE_BYTES - FT_N, FT_SIGNATURE_BYTES};

    for (unsigned i = 0; i < sizeof after / sizeof *after; i++) {
        memcpy(wrong, record->sn, FT_SIGNATURE_BYTES);
        wrong[after[i] - 1] ^= 4;
        reject(record, wrong, FT_SIGNATURE_BYTES);
    }
}

/* Bytes and lengths that no signing gives. */
static void distort(const struct record *record, unsigned char *wrong)
{
    unsigned char *exact = block(FT_N);
    DRNG_ctx noise;

    init_random_number(&noise, (const unsigned char *)"noise", 5);
    for (int value = 0; value < 256; value += 255) {
        memset(wrong, value, FT_SIGNATURE_BYTES);
        reject(record, wrong, FT_SIGNATURE_BYTES);
        /* The counter 0 is a valid start of the few-time signature in some instances: go on with constant nodes. */
        memcpy(wrong, record->sn, FT_N + FT_COUNTER_BYTES);
        reject(record, wrong, FT_SIGNATURE_BYTES);
    }
    for (int i = 0; i < 20; i++) {
        get_random_number(&noise, wrong, 8ull * FT_SIGNATURE_BYTES);
        reject(record, wrong, FT_SIGNATURE_BYTES);
    }
    memcpy(exact, record->sn, FT_N);
    reject(record, exact, FT_N);
    reject(record, exact, 0);
    reject(record, record->sn, FT_SIGNATURE_BYTES + 1);
    free(exact);
}

int main(void)
{
    unsigned char *wrong = block(FT_SIGNATURE_BYTES);
    struct record record;

    record_key(&record);
    record_signature(&record);
    flip(&record, wrong);
    distort(&record, wrong);
    free(wrong);
    record_free(&record);
    return 0;
}
