/* Verification; everything in it is public, so nothing is constant time on purpose. */
#include "hash.h"
#include "hint.h"
#include "ntt.h"
#include "pack.h"
#include "rounding.h"
#include "sample.h"
#include "sig.h"

#include <string.h>

typedef struct {
    poly z[OPS_L];
    hint h;
} response;

/* Everything that can be rejected without the key: 0, or -1. */
static int parse(response *r, const unsigned char *sn)
{
    const unsigned char *packed = sn + OPS_CHALLENGE_BYTES;

    if (ops_hint_unpack(&r->h, packed + OPS_L * OPS_Z_BYTES) < 0)
        return -1;
    for (unsigned i = 0; i < OPS_L; i++) {
        ops_unpack_from(&r->z[i], OPS_Z_BITS, OPS_GAMMA1, packed + i * OPS_Z_BYTES);
        if (ops_poly_exceeds(&r->z[i], OPS_GAMMA1 - OPS_BETA))
            return -1;
    }
    return 0;
}

/* Row `row` of A * z - c * 2^13 * t1, coefficients in [0, q); z and c as slots of the transform. */
static void approximate_row(poly *w, unsigned row, const unsigned char *pk, const poly z[OPS_L], const poly *c)
{
    poly a[OPS_L], t1;

    for (unsigned j = 0; j < OPS_L; j++)
        ops_sample_uniform(&a[j], pk, 256 * row + j);
    ops_ntt_multiply_row(w, a, z);

    ops_unpack(&t1, OPS_T_BITS, pk + OPS_RHO_BYTES + row * OPS_T_BYTES);
    for (int i = 0; i < OPS_N; i++)
        t1.c[i] <<= OPS_D;
    ops_ntt(&t1);
    ops_ntt_multiply(&t1, &t1, c);

    ops_poly_sub(w, &t1);
    ops_ntt_inverse(w);
    ops_poly_canonical(w);
}

/* w1 from its approximation, by the hint of row `row`. */
static void apply_hint(poly *w1, const poly *w, const hint *h, unsigned row)
{
    int32_t low;

    for (int i = 0; i < OPS_N; i++)
        w1->c[i] = ops_decompose(w->c[i], &low);
    for (unsigned i = row > 0 ? h->ends[row - 1] : 0; i < h->ends[row]; i++)
        w1->c[h->positions[i]] = ops_use_hint(w->c[h->positions[i]]);
}

int sig_verify(const unsigned char *pk, unsigned long long pk_len, const unsigned char *sn, unsigned long long sn_len,
               const unsigned char *m, unsigned long long m_len)
{
    unsigned char tr[OPS_CRH_BYTES], commitment[OPS_COMMITMENT_BYTES], c_tilde[OPS_CHALLENGE_BYTES];
    response r;
    poly c, w, w1;

    if (!pk || !sn || !m)
        return OPS_NULL;
    if (pk_len != OPS_PUBLIC_KEY_BYTES)
        return OPS_KEY_LENGTH;
    if (sn_len != OPS_SIGNATURE_BYTES || parse(&r, sn) < 0)
        return OPS_INVALID;

    ops_key_hash(tr, pk);
    if (ops_message_hash(commitment, tr, m, m_len) < 0) /* mu, the head of the commitment */
        return OPS_NO_MEMORY;
    ops_sample_challenge(&c, sn);
    ops_ntt(&c);
    for (unsigned i = 0; i < OPS_L; i++)
        ops_ntt(&r.z[i]);
    for (unsigned i = 0; i < OPS_K; i++) {
        approximate_row(&w, i, pk, r.z, &c);
        apply_hint(&w1, &w, &r.h, i);
        ops_pack(commitment + OPS_CRH_BYTES + i * OPS_W1_BYTES, OPS_W1_BITS, &w1);
    }
    ops_challenge_hash(c_tilde, commitment);
    return memcmp(c_tilde, sn, sizeof c_tilde) == 0 ? OPS_OK : OPS_OTHER_CHALLENGE;
}
