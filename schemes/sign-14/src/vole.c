#include "vole.h"

#include <string.h>

#include "bytes.h"
#include "matrix.h"
#include "prg.h"

#define COLUMN_TWEAK ((2 * LYNX_N + 127) / 128) /* where the counter of a leaf's column begins */

static void add(lynx_column *to, const lynx_column *from)
{
    for (int i = 0; i < LYNX_COLUMN_WORDS; i++)
        to->word[i] ^= from->word[i];
}

/*
 * Column b is the sum of the leaves' outputs whose number has bit b set.  Outputs are added up as a binary counter
 * counts: `waiting[b]` is the sum over a finished left subtree of height b.
 */
void lynx_vole_vector(lynx_column *columns, lynx_column *u,
                      unsigned char commitments[LYNX_VECTOR_MAX * LYNX_COMMITMENT_BYTES], int i,
                      lynx_node *nodes, const unsigned char iv[LYNX_IV_BYTES], int hidden,
                      const unsigned char *known)
{
    const int depth = lynx_depth(i);
    lynx_column waiting[LYNX_DEPTH + 1], sum;
    lynx_prg prg;

    memset(columns, 0, (size_t)depth * sizeof *columns);
    for (int x = 0; x < 1 << depth; x++) {
        const int j = hidden < 0 ? x : x ^ hidden;
        unsigned char *const commitment = commitments + j * LYNX_COMMITMENT_BYTES;
        int height = 0;

        memset(&sum, 0, sizeof sum);
        if (j == hidden) {
            memcpy(commitment, known, LYNX_COMMITMENT_BYTES);
        } else {
            lynx_prg_begin(&prg, nodes[lynx_position(i, j)], iv);
            lynx_prg_read(&prg, 0, commitment, LYNX_COMMITMENT_BYTES);
            lynx_prg_read(&prg, COLUMN_TWEAK, sum.byte, LYNX_COLUMN_BYTES);
        }
        for (; x >> height & 1; height++) {
            add(&columns[height], &sum);
            add(&sum, &waiting[height]);
        }
        if (height < depth)
            waiting[height] = sum;
    }
    *u = sum;
}

void lynx_leaf_commitment(unsigned char out[LYNX_COMMITMENT_BYTES], const lynx_node leaf,
                          const unsigned char iv[LYNX_IV_BYTES])
{
    lynx_prg prg;

    lynx_prg_begin(&prg, leaf, iv);
    lynx_prg_read(&prg, 0, out, LYNX_COMMITMENT_BYTES);
}

void lynx_rows(fe rows[4 * LYNX_N], const lynx_column columns[LYNX_N])
{
    uint64_t block[64];

    for (int c = 0; c < LYNX_WORDS; c++) {
        for (int r = 0; r < 4 * LYNX_N / 64; r++) {
            for (int i = 0; i < 64; i++)
                block[i] = 64 * c + i < LYNX_N ? lynx_load64(columns[64 * c + i].byte + 8 * r) : 0;
            lynx_transpose64(block);
            for (int i = 0; i < 64; i++)
                rows[64 * r + i].w[c] = block[i];
        }
    }
}
