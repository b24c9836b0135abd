#include "drng.h"
#include "map.h"
#include "sig.h"

#include <string.h>

extern DRNG_ctx drng_algorithm;

unsigned long long sig_get_pk_len_bytes(void)
{
    return LYNX_PUBLIC_KEY_BYTES;
}

unsigned long long sig_get_sk_len_bytes(void)
{
    return LYNX_SECRET_KEY_BYTES;
}

unsigned long long sig_get_sn_len_bytes(void)
{
    return LYNX_SIGNATURE_BYTES;
}

int sig_keygen(unsigned char *pk, unsigned long long *pk_len, unsigned char *sk, unsigned long long *sk_len)
{
    lynx_values values;
    lynx_map map;
    fe k;

    if (!pk || !pk_len || !sk || !sk_len)
        return LYNX_INVALID;
    get_random_number(&drng_algorithm, sk + LYNX_BYTES, 8 * LYNX_BYTES);
    get_random_number(&drng_algorithm, sk, 8 * LYNX_BYTES);
    lynx_fe_load(&k, sk + LYNX_BYTES);
    lynx_map_select(&map, sk);
    lynx_map_evaluate(&values, &map, &k);
    memcpy(pk, sk, LYNX_BYTES);
    lynx_fe_store(pk + LYNX_BYTES, &values.t);
    *pk_len = LYNX_PUBLIC_KEY_BYTES;
    *sk_len = LYNX_SECRET_KEY_BYTES;
    return LYNX_OK;
}
