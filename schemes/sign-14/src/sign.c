#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "drng.h"
#include "prove.h"
#include "sig.h"
#include "transcript.h"
#include "uhash.h"
#include "xof.h"

extern DRNG_ctx drng_algorithm;

/* How often the submitted code expands iv for a signature: for t, for the witness, for the proof. */
#ifdef LYNX_STREAM
#define EXPANSIONS 1
#else
#define EXPANSIONS 3
#endif

/* r, the root of the tree, and the iv of the signature, which goes straight to its place. */
static void draw_root(unsigned char r[LYNX_BYTES], unsigned char iv[LYNX_IV_BYTES], const unsigned char k[LYNX_BYTES],
                      const unsigned char mu[LYNX_MU_BYTES])
{
    unsigned char in[1 + LYNX_BYTES + LYNX_MU_BYTES + LYNX_BYTES], out[LYNX_BYTES + LYNX_IV_BYTES];
    unsigned char *const rho = in + 1 + LYNX_BYTES + LYNX_MU_BYTES;

    in[0] = LYNX_HASH_ROOT;
    memcpy(in + 1, k, LYNX_BYTES);
    memcpy(in + 1 + LYNX_BYTES, mu, LYNX_MU_BYTES);
    get_random_number(&drng_algorithm, rho, 8 * LYNX_BYTES);
    lynx_xof_pieces(out, 1, LYNX_BYTES, 1, LYNX_IV_BYTES, in, sizeof in);
    memcpy(r, out, LYNX_BYTES);
    memcpy(iv, out + LYNX_BYTES, LYNX_IV_BYTES);
}

/* Commits to all leaves: com, u, the columns and, in the signature, the corrections. */
static void commit(unsigned char com[LYNX_MU_BYTES], lynx_column *u, unsigned char *sn, const lynx_digest *digest,
                   lynx_memory *memory)
{
    unsigned char vectors[LYNX_TAU][LYNX_COMMITMENT_BYTES], *correction = sn + LYNX_AT_CORRECTIONS;
    const unsigned char *const iv = sn + LYNX_AT_IV;
    lynx_column own;

    lynx_tree_expand(memory->nodes, NULL, digest->s, iv);
    memset(memory->columns, 0, sizeof memory->columns);
    for (int i = 0; i < LYNX_TAU; i++) {
        lynx_vole_vector(memory->columns + lynx_first_column(i), i == 0 ? u : &own, memory->u.commitments, i,
                         memory->nodes, iv, -1, NULL);
        lynx_xof(vectors[i], LYNX_COMMITMENT_BYTES, memory->u.commitments,
                 (unsigned long long)LYNX_COMMITMENT_BYTES << lynx_depth(i));
        if (i > 0) {
            memcpy(correction, own.byte, LYNX_COLUMN_BYTES);
            lynx_xor(correction, u->byte, LYNX_COLUMN_BYTES);
            correction += LYNX_COLUMN_BYTES;
        }
    }
    lynx_hash_vectors(com, digest, vectors, iv);
}

/* Tries counters until the challenge can be opened, then opens all leaves that it does not hide. */
static void grind_and_open(unsigned char *sn, const unsigned char challenge2[LYNX_CHALLENGE2_BYTES],
                           const unsigned char a0_tilde[LYNX_BYTES], lynx_memory *memory)
{
    unsigned char *const challenge3 = sn + LYNX_AT_CHALLENGE3;
    int leaf[LYNX_TAU];

    for (uint32_t counter = 0;; counter++) {
        lynx_store32(sn + LYNX_AT_COUNTER, counter);
        lynx_challenge3(challenge3, challenge2, sn + LYNX_AT_A1_TILDE, a0_tilde, sn + LYNX_AT_COUNTER);
        if (lynx_hidden_leaves(leaf, challenge3) && lynx_tree_hide(memory->hidden, leaf) <= LYNX_OPEN_MAX)
            break;
    }
    for (int i = 0; i < LYNX_TAU; i++)
        lynx_leaf_commitment(sn + LYNX_AT_COMMITMENTS + i * LYNX_COMMITMENT_BYTES,
                             memory->nodes[lynx_position(i, leaf[i])], sn + LYNX_AT_IV);
    lynx_tree_open(sn + LYNX_AT_NODES, memory->nodes, memory->hidden);
}

static int sign(const unsigned char *sk, const unsigned char *m, unsigned long long m_len, unsigned char *sn,
                lynx_memory *memory)
{
    unsigned char t[LYNX_BYTES], com[LYNX_MU_BYTES], a0_tilde[LYNX_BYTES];
    unsigned char challenge1[LYNX_CHALLENGE1_BYTES], challenge2[LYNX_CHALLENGE2_BYTES];
    unsigned char *const d = sn + LYNX_AT_D;
    fe k, a0[3], a1[3], mask, mask_tag;
    lynx_values values;
    lynx_digest digest;
    lynx_column u;

    lynx_fe_load(&k, sk + LYNX_BYTES);
    for (int i = 0; i < EXPANSIONS; i++)
        lynx_map_select(&memory->map, sk);
    lynx_map_evaluate(&values, &memory->map, &k);
    lynx_fe_store(t, &values.t);
    if (lynx_hash_message(&digest, sk, t, m, m_len) != LYNX_OK)
        return LYNX_NO_MEMORY;
    draw_root(memory->nodes[0], sn + LYNX_AT_IV, sk + LYNX_BYTES, digest.mu);
    commit(com, &u, sn, &digest, memory);

    lynx_challenge1(challenge1, com, sn + LYNX_AT_CORRECTIONS, memory);
    lynx_hash_column(sn + LYNX_AT_U_TILDE, challenge1, u.byte);
    memcpy(d, sk + LYNX_BYTES, LYNX_BYTES);
    lynx_fe_store(d + LYNX_BYTES, &values.v1);
    lynx_fe_store(d + 2 * LYNX_BYTES, &values.v2);
    lynx_xor(d, u.byte, LYNX_WITNESS_BYTES);
    lynx_challenge2(challenge2, challenge1, sn + LYNX_AT_U_TILDE, d, NULL, memory);

    lynx_rows(memory->rows, memory->columns);
    lynx_prove(a0, a1, &memory->map, &values, &k, memory->rows);
    lynx_fe_load(&mask, u.byte + LYNX_WITNESS_BYTES);
    lynx_element_tag(&mask_tag, memory->rows + 3 * LYNX_N);
    lynx_hash_triple(&a0[0], challenge2, a0, &mask_tag);
    lynx_hash_triple(&a1[0], challenge2, a1, &mask);
    lynx_fe_store(a0_tilde, &a0[0]);
    lynx_fe_store(sn + LYNX_AT_A1_TILDE, &a1[0]);
    grind_and_open(sn, challenge2, a0_tilde, memory);
    return LYNX_OK;
}

int sig_sign(const unsigned char *sk, unsigned long long sk_len, const unsigned char *m, unsigned long long m_len,
             unsigned char *sn, unsigned long long *sn_len)
{
    lynx_memory *memory;
    int code;

    if (!sk || sk_len != LYNX_SECRET_KEY_BYTES || (!m && m_len > 0) || !sn || !sn_len)
        return LYNX_INVALID;
    memory = malloc(sizeof *memory);
    if (!memory)
        return LYNX_NO_MEMORY;
    code = sign(sk, m, m_len, sn, memory);
    free(memory);
    if (code == LYNX_OK)
        *sn_len = LYNX_SIGNATURE_BYTES;
    return code;
}
