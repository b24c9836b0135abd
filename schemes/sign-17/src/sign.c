/*
 * Signing.  Constant time with regard to s1, s2, t0, y and z but for what a scheme with aborts shows anyway: the number
 * of attempts, and in which polynomial of a rejected attempt the first coefficient out of bounds lay.  The challenges
 * of rejected attempts, which are never published, show in the addresses that are read (product.h).  Secrets on the
 * stack are not wiped.
 */
#include "hash.h"
#include "hint.h"
#include "ntt.h"
#include "pack.h"
#include "product.h"
#include "rounding.h"
#include "sample.h"
#include "sig.h"

#include <string.h>

typedef struct {
    poly a[OPS_K][OPS_L];
    shifts s1[OPS_L], s2[OPS_K];
    const unsigned char *t0;               /* packed */
    unsigned char mu[OPS_CRH_BYTES];
    unsigned char mask_seed[OPS_SEED_BYTES];
} signer;

typedef struct {
    poly y[OPS_L];
    poly w1[OPS_K], w0[OPS_K];  /* high and low bits of A * y */
} commitment;

static void unpack_shifts(shifts *v, unsigned count, const unsigned char **packed)
{
    poly s;

    for (unsigned i = 0; i < count; i++, *packed += OPS_S_BYTES) {
        ops_unpack_from(&s, OPS_S_BITS, OPS_ETA, *packed);
        ops_shifts_of(&v[i], &s);
    }
}

/* Reads the key, which may be any bytes, and expands A. */
static void load_key(signer *s, const unsigned char *sk)
{
    const unsigned char *packed = sk + OPS_RHO_BYTES + OPS_CRH_BYTES;

    unpack_shifts(s->s1, OPS_L, &packed);
    unpack_shifts(s->s2, OPS_K, &packed);
    s->t0 = packed;
    ops_sample_matrix(s->a, sk);
}

static void commit(commitment *c, const signer *s, unsigned attempt)
{
    poly slots[OPS_L], w;

    for (unsigned i = 0; i < OPS_L; i++) {
        ops_sample_mask(&c->y[i], s->mask_seed, (OPS_L * attempt + i) % 65536);
        slots[i] = c->y[i];
        ops_ntt(&slots[i]);
    }
    for (unsigned i = 0; i < OPS_K; i++) {
        ops_ntt_multiply_row(&w, s->a[i], slots);
        ops_ntt_inverse(&w);
        ops_poly_canonical(&w);
        for (int j = 0; j < OPS_N; j++)
            c->w1[i].c[j] = ops_decompose(w.c[j], &c->w0[i].c[j]);
    }
}

/* c~ from mu and w1. */
static void make_challenge(unsigned char *c_tilde, const signer *s, const poly w1[OPS_K])
{
    unsigned char input[OPS_COMMITMENT_BYTES];

    memcpy(input, s->mu, OPS_CRH_BYTES);
    for (unsigned i = 0; i < OPS_K; i++)
        ops_pack(input + OPS_CRH_BYTES + i * OPS_W1_BYTES, OPS_W1_BITS, &w1[i]);
    ops_challenge_hash(c_tilde, input);
}

/*
 * w0 += c * t0 for an accepted attempt.  The coefficients are too large for sums of shifts in narrow lanes, and this is
 * done once a signature: by transforms, whose product is that over the integers because it is small.
 */
static void add_challenge_times_t0(poly w0[OPS_K], poly *challenge, const unsigned char *packed)
{
    poly t0;

    ops_ntt(challenge);
    for (unsigned i = 0; i < OPS_K; i++) {
        ops_unpack_from(&t0, OPS_T_BITS, 1 << (OPS_D - 1), packed + i * OPS_T_BYTES);
        ops_ntt(&t0);
        ops_ntt_multiply(&t0, &t0, challenge);
        ops_ntt_inverse(&t0);
        ops_poly_add(&w0[i], &t0);
    }
}

/*
 * The response to a commitment: 0 with the whole signature written, or -1 when it would tell about the key.  The
 * specification also rejects |c * t0| >= GAMMA2, which TAU * 4096 < GAMMA2 rules out.
 */
static int respond(unsigned char *sn, commitment *w, const signer *s)
{
    unsigned char *z = sn + OPS_CHALLENGE_BYTES;
    poly challenge, product;
    places c;
    hint h;

    make_challenge(sn, s, w->w1);
    ops_sample_challenge(&challenge, sn);
    ops_places_of(&c, &challenge);
    for (unsigned i = 0; i < OPS_L; i++) {
        ops_challenge_times(&product, &c, &s->s1[i]);
        ops_poly_add(&w->y[i], &product);
        if (ops_poly_exceeds(&w->y[i], OPS_GAMMA1 - OPS_BETA))
            return -1;
    }
    for (unsigned i = 0; i < OPS_K; i++) {
        ops_challenge_times(&product, &c, &s->s2[i]);
        ops_poly_sub(&w->w0[i], &product);
        if (ops_poly_exceeds(&w->w0[i], OPS_GAMMA2 - OPS_BETA))
            return -1;
    }
    add_challenge_times_t0(w->w0, &challenge, s->t0);
    if (ops_hint_make(&h, w->w1, w->w0) < 0)
        return -1;
    for (unsigned i = 0; i < OPS_L; i++)
        ops_pack_from(z + i * OPS_Z_BYTES, OPS_Z_BITS, OPS_GAMMA1, &w->y[i]);
    ops_hint_pack(z + OPS_L * OPS_Z_BYTES, &h);
    return 0;
}

int sig_sign(const unsigned char *sk, unsigned long long sk_len, const unsigned char *m, unsigned long long m_len,
             unsigned char *sn, unsigned long long *sn_len)
{
    signer s;
    commitment w;

    if (!sk || !m || !sn || !sn_len)
        return OPS_NULL;
    if (sk_len != OPS_SECRET_KEY_BYTES)
        return OPS_KEY_LENGTH;
    if (ops_message_hash(s.mu, sk + OPS_RHO_BYTES, m, m_len) < 0)
        return OPS_NO_MEMORY;
    ops_draw(s.mask_seed, OPS_SEED_BYTES);
    load_key(&s, sk);
    /* The masks have 16-bit numbers: 65536 attempts try them all. */
    for (unsigned attempt = 0; attempt < 65536; attempt++) {
        commit(&w, &s, attempt);
        if (respond(sn, &w, &s) == 0) {
            *sn_len = OPS_SIGNATURE_BYTES;
            return OPS_OK;
        }
    }
    return OPS_NO_SIGNATURE;
}
