#include "drng.h"
#include "field.h"
#include "form.h"
#include "pack.h"
#include "sample.h"
#include "sig.h"

extern DRNG_ctx drng_algorithm;

unsigned long long sig_get_pk_len_bytes(void)
{
    return TRINE_PUBLIC_KEY_BYTES;
}

unsigned long long sig_get_sk_len_bytes(void)
{
    return TRINE_SECRET_KEY_BYTES;
}

unsigned long long sig_get_sn_len_bytes(void)
{
    return TRINE_SIGNATURE_BYTES;
}

/* The points that the change of variable sends the unit vectors to, by rows. */
static int secret_points(trine_matrix points, const unsigned char *secret_seed, char which, unsigned index)
{
    trine_matrix matrix;

    if (trine_sample_secret(matrix, secret_seed, which, index))
        return -1;
    trine_transpose(points, matrix);
    return 0;
}

int sig_keygen(unsigned char *pk, unsigned long long *pk_len, unsigned char *sk, unsigned long long *sk_len)
{
    static trine_form base;
    static int16_t flat[TRINE_CUBE];
    trine_matrix u, v, w;

    if (!pk || !pk_len || !sk || !sk_len)
        return TRINE_NULL;
    trine_field_init();
    get_random_number(&drng_algorithm, sk, 8 * TRINE_SEED_BYTES);
    if (trine_sample_public_seed(pk, sk) || trine_sample_base_form(flat, pk))
        return TRINE_NO_MEMORY;
    trine_form_load(&base, flat);
    for (unsigned i = 0; i < TRINE_FORMS; i++) {
        if (secret_points(u, sk, 'x', i) || secret_points(v, sk, 'y', i) || secret_points(w, sk, 'z', i))
            return TRINE_NO_MEMORY;
        trine_form_transform(flat, &base, u, v, w);
        trine_pack(pk + TRINE_SEED_BYTES + i * TRINE_FORM_BYTES, flat, TRINE_CUBE);
    }
    *pk_len = TRINE_PUBLIC_KEY_BYTES;
    *sk_len = TRINE_SECRET_KEY_BYTES;
    return TRINE_OK;
}
