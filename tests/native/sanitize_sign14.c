/* Record 0 of sign-14 and hostile input under the sanitizers. */
#include "params.h"
#include "sanitize.h"

/* Noise whose challenge has the zeros that it must have: every second time the opening is empty. */
static void noise_for(int i, unsigned char *wrong, DRNG_ctx *noise)
{
    get_random_number(noise, wrong, 8 * LYNX_SIGNATURE_BYTES);
    wrong[LYNX_AT_CHALLENGE3 + LYNX_BYTES - 1] = 0;
    wrong[LYNX_AT_CHALLENGE3 + LYNX_BYTES - 2] = 0;
    if (i % 2)
        memset(wrong + LYNX_AT_NODES, 0, LYNX_OPEN_MAX * LYNX_BYTES);
    if (i > 1)
        memset(wrong + LYNX_AT_CHALLENGE3, i == 2 ? 0 : 0xff, LYNX_BYTES - 2);
}

int main(void)
{
    /* Beginnings of all parts: what is changed there is hashed, decoded or expanded. */
    static const int parts[] = {LYNX_AT_U_TILDE, LYNX_AT_NODES, LYNX_AT_CHALLENGE3};
    unsigned char *wrong = block(LYNX_SIGNATURE_BYTES);
    struct record record;
    DRNG_ctx noise;

    record_key(&record);
    record_signature(&record);
    init_random_number(&noise, (const unsigned char *)"noise", 5);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        memcpy(wrong, record.sn, LYNX_SIGNATURE_BYTES);
        wrong[parts[i]] ^= 1;
        reject(&record, wrong, LYNX_SIGNATURE_BYTES);
    }
    for (int i = 0; i < 4; i++) {
        noise_for(i, wrong, &noise);
        reject(&record, wrong, LYNX_SIGNATURE_BYTES);
    }
    memset(wrong, 0xff, LYNX_SIGNATURE_BYTES);
    reject(&record, wrong, LYNX_SIGNATURE_BYTES);
    free(wrong);
    record_free(&record);
    return 0;
}
