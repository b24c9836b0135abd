/* Signing.  No branch and no address depends on a secret; secrets on the stack are not wiped. */
#include "pors.h"
#include "route.h"
#include "sig.h"
#include "xmss.h"

/* Signs the digest of a message, whose randomiser is the start of sn already.  FT_OK or FT_NO_SIGNATURE. */
static int sign_digest(unsigned char *sn, const unsigned char *sk, const unsigned char digest[FT_DIGEST_BYTES])
{
    const unsigned char *public_seed = sk + 2 * FT_N;
    unsigned char *block = sn + FT_N + FT_PORS_BYTES;
    unsigned char node[FT_N]; /* what the next layer signs */
    ft_route route = ft_route_start(digest);
    const ft_pors_message message = {sn, digest + FT_DIGEST_BYTES - FT_N, route.tree, route.leaf};

    if (ft_pors_sign(sn + FT_N, node, &message, public_seed, sk) < 0)
        return FT_NO_SIGNATURE;
    for (unsigned layer = 0; layer < FT_LAYERS; layer++) {
        if (layer > 0)
            ft_route_up(&route, layer);

        const ft_xmss xmss = {public_seed, layer, route.tree};

        if (ft_xmss_sign(block, node, &xmss, route.leaf, sk, node) < 0)
            return FT_NO_SIGNATURE;
        block += FT_BLOCK_BYTES(FT_LAYER_HEIGHT(layer));
    }
    return FT_OK;
}

int sig_sign(const unsigned char *sk, unsigned long long sk_len, const unsigned char *m, unsigned long long m_len,
             unsigned char *sn, unsigned long long *sn_len)
{
    unsigned char drawn[FT_N], digest[FT_DIGEST_BYTES];
    int code;

    if (!sk || !m || !sn || !sn_len)
        return FT_NULL;
    if (sk_len != FT_SECRET_KEY_BYTES)
        return FT_KEY_LENGTH;
    ft_draw(drawn, FT_N);
    if (ft_hash_randomiser(sn, sk + FT_N, drawn, m, m_len) < 0 ||
        ft_hash_message(digest, sn, sk + 2 * FT_N, m, m_len) < 0)
        return FT_NO_MEMORY;
    code = sign_digest(sn, sk, digest);
    if (code == FT_OK)
        *sn_len = FT_SIGNATURE_BYTES;
    return code;
}
