#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "prove.h"
#include "sig.h"
#include "transcript.h"
#include "uhash.h"
#include "xof.h"

/* The commitment and the verifier's columns, out of the opened leaves, the commitments of the others and the corrections. */
static void reconstruct(unsigned char com[LYNX_MU_BYTES], const unsigned char *sn, const lynx_digest *digest,
                        const int leaf[LYNX_TAU], lynx_memory *memory)
{
    unsigned char vectors[LYNX_TAU][LYNX_COMMITMENT_BYTES];
    const unsigned char *const iv = sn + LYNX_AT_IV;
    lynx_column own;

    lynx_tree_expand(memory->nodes, memory->hidden, digest->s, iv);
    memset(memory->columns, 0, sizeof memory->columns);
    for (int i = 0; i < LYNX_TAU; i++) {
        lynx_column *const columns = memory->columns + lynx_first_column(i);

        lynx_vole_vector(columns, &own, memory->u.commitments, i, memory->nodes, iv, leaf[i],
                         sn + LYNX_AT_COMMITMENTS + i * LYNX_COMMITMENT_BYTES);
        lynx_xof(vectors[i], LYNX_COMMITMENT_BYTES, memory->u.commitments,
                 (unsigned long long)LYNX_COMMITMENT_BYTES << lynx_depth(i));
        for (int b = 0; i > 0 && b < lynx_depth(i); b++)
            if (leaf[i] >> b & 1)
                lynx_xor(columns[b].byte, sn + LYNX_AT_CORRECTIONS + (i - 1) * LYNX_COLUMN_BYTES, LYNX_COLUMN_BYTES);
    }
    lynx_hash_vectors(com, digest, vectors, iv);
}

/* a0_tilde as the verifier computes it. */
static void masked_check(unsigned char a0_tilde[LYNX_BYTES], const unsigned char *pk, const unsigned char *sn,
                         const unsigned char challenge2[LYNX_CHALLENGE2_BYTES], lynx_memory *memory)
{
    const unsigned char *const d = sn + LYNX_AT_D;
    fe b[3], t, delta, a1, mask, sum;

    lynx_fe_load(&delta, sn + LYNX_AT_CHALLENGE3);
    lynx_fe_load(&a1, sn + LYNX_AT_A1_TILDE);
    lynx_fe_load(&t, pk + LYNX_BYTES);
    lynx_rows(memory->rows, memory->columns);
    for (int q = 0; q < 3 * LYNX_N; q++)
        if (d[q / 8] >> q % 8 & 1)
            lynx_fe_add(&memory->rows[q], &memory->rows[q], &delta);
    lynx_check(b, &memory->map, &t, memory->rows, &delta);
    lynx_element_tag(&mask, memory->rows + 3 * LYNX_N);
    lynx_hash_triple(&sum, challenge2, b, &mask);
    lynx_fe_mul_add(&sum, &delta, &a1);
    lynx_fe_store(a0_tilde, &sum);
}

static int verify(const unsigned char *pk, const unsigned char *sn, const unsigned char *m, unsigned long long m_len,
                  const int leaf[LYNX_TAU], lynx_memory *memory)
{
    unsigned char com[LYNX_MU_BYTES], a0_tilde[LYNX_BYTES], challenge3[LYNX_BYTES];
    unsigned char challenge1[LYNX_CHALLENGE1_BYTES], challenge2[LYNX_CHALLENGE2_BYTES];
    lynx_digest digest;

    if (lynx_hash_message(&digest, pk, pk + LYNX_BYTES, m, m_len) != LYNX_OK)
        return LYNX_NO_MEMORY;
    if (!lynx_tree_place(memory->nodes, memory->hidden, lynx_tree_hide(memory->hidden, leaf), sn + LYNX_AT_NODES))
        return LYNX_INVALID;
    lynx_map_select(&memory->map, pk);
    reconstruct(com, sn, &digest, leaf, memory);
    lynx_challenge1(challenge1, com, sn + LYNX_AT_CORRECTIONS, memory);
    lynx_challenge2(challenge2, challenge1, sn + LYNX_AT_U_TILDE, sn + LYNX_AT_D, sn + LYNX_AT_CHALLENGE3, memory);
    masked_check(a0_tilde, pk, sn, challenge2, memory);
    lynx_challenge3(challenge3, challenge2, sn + LYNX_AT_A1_TILDE, a0_tilde, sn + LYNX_AT_COUNTER);
    return memcmp(challenge3, sn + LYNX_AT_CHALLENGE3, LYNX_BYTES) == 0 ? LYNX_OK : LYNX_INVALID;
}

int sig_verify(const unsigned char *pk, unsigned long long pk_len, const unsigned char *sn, unsigned long long sn_len,
               const unsigned char *m, unsigned long long m_len)
{
    lynx_memory *memory;
    int leaf[LYNX_TAU], code;

    if (!pk || pk_len != LYNX_PUBLIC_KEY_BYTES || !sn || sn_len != LYNX_SIGNATURE_BYTES || (!m && m_len > 0))
        return LYNX_INVALID;
    if (!lynx_hidden_leaves(leaf, sn + LYNX_AT_CHALLENGE3))
        return LYNX_INVALID;
    memory = malloc(sizeof *memory);
    if (!memory)
        return LYNX_NO_MEMORY;
    code = verify(pk, sn, m, m_len, leaf, memory);
    free(memory);
    return code;
}
