#include "hash.h"
#include "ntt.h"
#include "pack.h"
#include "rounding.h"
#include "sample.h"
#include "sig.h"

#include <string.h>

unsigned long long sig_get_pk_len_bytes(void)
{
    return OPS_PUBLIC_KEY_BYTES;
}

unsigned long long sig_get_sk_len_bytes(void)
{
    return OPS_SECRET_KEY_BYTES;
}

unsigned long long sig_get_sn_len_bytes(void)
{
    return OPS_SIGNATURE_BYTES;
}

/* Row `row` of t = A * s1 + s2, split into high and low bits. */
static void key_row(poly *t1, poly *t0, unsigned row, const unsigned char *rho, const poly s1_slots[OPS_L],
                    const poly *s2)
{
    poly a[OPS_L], t;

    for (unsigned j = 0; j < OPS_L; j++)
        ops_sample_uniform(&a[j], rho, 256 * row + j);
    ops_ntt_multiply_row(&t, a, s1_slots);
    ops_ntt_inverse(&t);
    ops_poly_add(&t, s2);
    ops_poly_canonical(&t);
    for (int i = 0; i < OPS_N; i++)
        t1->c[i] = ops_power2round(t.c[i], &t0->c[i]);
}

int sig_keygen(unsigned char *pk, unsigned long long *pk_len, unsigned char *sk, unsigned long long *sk_len)
{
    unsigned char seed[OPS_SEED_BYTES], *packed;
    poly s1[OPS_L], s2[OPS_K], t1, t0;

    if (!pk || !pk_len || !sk || !sk_len)
        return OPS_NULL;
    ops_draw(pk, OPS_RHO_BYTES);
    ops_draw(seed, OPS_SEED_BYTES);
    memcpy(sk, pk, OPS_RHO_BYTES);

    packed = sk + OPS_RHO_BYTES + OPS_CRH_BYTES;
    for (unsigned i = 0; i < OPS_L; i++, packed += OPS_S_BYTES) {
        ops_sample_secret(&s1[i], seed, i);
        ops_pack_from(packed, OPS_S_BITS, OPS_ETA, &s1[i]);
        ops_ntt(&s1[i]);
    }
    for (unsigned i = 0; i < OPS_K; i++, packed += OPS_S_BYTES) {
        ops_sample_secret(&s2[i], seed, OPS_L + i);
        ops_pack_from(packed, OPS_S_BITS, OPS_ETA, &s2[i]);
    }
    for (unsigned i = 0; i < OPS_K; i++, packed += OPS_T_BYTES) {
        key_row(&t1, &t0, i, pk, s1, &s2[i]);
        ops_pack(pk + OPS_RHO_BYTES + i * OPS_T_BYTES, OPS_T_BITS, &t1);
        ops_pack_from(packed, OPS_T_BITS, 1 << (OPS_D - 1), &t0);
    }
    ops_key_hash(sk + OPS_RHO_BYTES, pk);
    *pk_len = OPS_PUBLIC_KEY_BYTES;
    *sk_len = OPS_SECRET_KEY_BYTES;
    return OPS_OK;
}
