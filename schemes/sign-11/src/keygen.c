#include <string.h>

#include "sig.h"
#include "xmss.h"

unsigned long long sig_get_pk_len_bytes(void)
{
    return FT_PUBLIC_KEY_BYTES;
}

unsigned long long sig_get_sk_len_bytes(void)
{
    return FT_SECRET_KEY_BYTES;
}

unsigned long long sig_get_sn_len_bytes(void)
{
    return FT_SIGNATURE_BYTES;
}

int sig_keygen(unsigned char *pk, unsigned long long *pk_len, unsigned char *sk, unsigned long long *sk_len)
{
    if (!pk || !pk_len || !sk || !sk_len)
        return FT_NULL;

    /* Secret key: secret seed, key of the randomiser, public seed (these are drawn), root. */
    unsigned char *public_key = sk + 2 * FT_N;
    const ft_xmss top = {public_key, FT_LAYERS - 1, 0};

    ft_draw(sk, 3 * FT_N);
    ft_xmss_root(public_key + FT_N, &top, sk);
    memcpy(pk, public_key, FT_PUBLIC_KEY_BYTES);
    *pk_len = FT_PUBLIC_KEY_BYTES;
    *sk_len = FT_SECRET_KEY_BYTES;
    return FT_OK;
}
