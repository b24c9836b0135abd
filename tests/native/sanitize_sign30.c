/* Record 0 of sign-30 and hostile input under the sanitizers; with an argument the keys of the record only. */
#include "sanitize.h"

enum {
    HOSTILE_ROUNDS = 4
};

/* Signatures and keys that lead as far into verification as bytes without a secret can. */
static void hostile(struct record *record, unsigned char *wrong)
{
    const unsigned long long room = record->pk_len - 64;
    DRNG_ctx noise;

    init_random_number(&noise, (const unsigned char *)"noise", 5);
    for (unsigned long long length = 0; length < 40; length++)
        reject(record, wrong, length);
    memset(wrong, 0, record->sn_len); /* zero responses: no canonical form */
    reject(record, wrong, record->sn_len);
    for (int i = 0; i < HOSTILE_ROUNDS; i++) {
        get_random_number(&noise, wrong, 8 * record->sn_len);
        if (i > 0) /* all elements below q */
            for (unsigned long long j = 0; j < record->sn_len; j++)
                wrong[j] &= 0x77;
        reject(record, wrong, record->sn_len);
    }
    memset(record->pk + 64, 0, 20000 < room ? 20000 : room); /* a form of zeros */
    reject(record, wrong, record->sn_len);
    memset(wrong, 0xff, record->sn_len);
    memset(record->pk, 0xff, record->pk_len);
    reject(record, wrong, record->sn_len);
}

int main(int argc, char **argv)
{
    struct record record;
    unsigned char *wrong;

    (void)argv;
    record_key(&record);
    if (argc == 1)
        record_signature(&record);
    wrong = block(record.sn_len);
    memset(wrong, 0x5a, record.sn_len);
    hostile(&record, wrong);
    free(wrong);
    record_free(&record);
    return 0;
}
