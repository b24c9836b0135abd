/* Verification; everything in it is public. */
#include "pors.h"
#include "route.h"
#include "sig.h"
#include "xmss.h"

/* The public root that a signature leads to.  0, or -1 when it leads nowhere. */
static int root_of(unsigned char root[FT_N], const unsigned char *public_seed, const unsigned char *sn,
                   const unsigned char digest[FT_DIGEST_BYTES])
{
    const unsigned char *block = sn + FT_N + FT_PORS_BYTES;
    ft_route route = ft_route_start(digest);
    const ft_pors_message message = {sn, digest + FT_DIGEST_BYTES - FT_N, route.tree, route.leaf};

    if (ft_pors_root(root, &message, sn + FT_N, public_seed) < 0)
        return -1;
    for (unsigned layer = 0; layer < FT_LAYERS; layer++) {
        if (layer > 0)
            ft_route_up(&route, layer);

        const ft_xmss xmss = {public_seed, layer, route.tree};

        if (ft_xmss_root_signed(root, &xmss, route.leaf, block, root) < 0)
            return -1;
        block += FT_BLOCK_BYTES(FT_LAYER_HEIGHT(layer));
    }
    return 0;
}

int sig_verify(const unsigned char *pk, unsigned long long pk_len, const unsigned char *sn, unsigned long long sn_len,
               const unsigned char *m, unsigned long long m_len)
{
    unsigned char digest[FT_DIGEST_BYTES], root[FT_N];

    if (!pk || !sn || !m)
        return FT_NULL;
    if (pk_len != FT_PUBLIC_KEY_BYTES)
        return FT_KEY_LENGTH;
    if (sn_len != FT_SIGNATURE_BYTES)
        return FT_INVALID;
    if (ft_hash_message(digest, sn, pk, m, m_len) < 0)
        return FT_NO_MEMORY;
    if (root_of(root, pk, sn, digest) < 0 || memcmp(root, pk + FT_N, FT_N) != 0)
        return FT_INVALID;
    return FT_OK;
}
