/* Record 0 of sign-17 and hostile input under the sanitizers. */
#include "sanitize.h"

enum {
    HOSTILE_ROUNDS = 60
};

/* A bit anywhere, a byte of the hint, then nothing but noise. */
static void distort(const struct record *record, unsigned char *wrong, DRNG_ctx *noise)
{
    unsigned char where[4], bits;

    memcpy(wrong, record->sn, record->sn_len);
    get_random_number(noise, where, 32);
    get_random_number(noise, &bits, 8);
    wrong[(where[0] | (unsigned)where[1] << 8) % record->sn_len] ^= (unsigned char)(1u << bits % 8);
    reject(record, wrong, record->sn_len);
    memcpy(wrong, record->sn, record->sn_len);
    wrong[record->sn_len - 1 - where[2] % 100] = bits;
    sig_verify(record->pk, record->pk_len, wrong, record->sn_len, record->message, record->message_len);
    get_random_number(noise, wrong, 8 * record->sn_len);
    reject(record, wrong, record->sn_len);
}

/* Keys of ones and of noise: whatever comes of them, within bounds. */
static void hostile_keys(struct record *record, unsigned char *wrong, DRNG_ctx *noise)
{
    unsigned long long length = record->sn_len;

    memset(record->pk, 0xff, record->pk_len);
    sig_verify(record->pk, record->pk_len, record->sn, record->sn_len, record->message, record->message_len);
    get_random_number(noise, record->sk, 8 * record->sk_len);
    sig_sign(record->sk, record->sk_len, record->message, record->message_len, wrong, &length);
    memset(record->sk, 0xff, record->sk_len);
    sig_sign(record->sk, record->sk_len, record->message, record->message_len, wrong, &length);
}

int main(void)
{
    struct record record;
    unsigned char *wrong;
    DRNG_ctx noise;

    record_key(&record);
    record_signature(&record);
    wrong = block(record.sn_len);
    init_random_number(&noise, (const unsigned char *)"noise", 5);
    for (int i = 0; i < HOSTILE_ROUNDS; i++)
        distort(&record, wrong, &noise);
    memset(wrong, 0xff, record.sn_len);
    sig_verify(record.pk, record.pk_len, wrong, record.sn_len, record.message, record.message_len);
    hostile_keys(&record, wrong, &noise);
    free(wrong);
    record_free(&record);
    return 0;
}
