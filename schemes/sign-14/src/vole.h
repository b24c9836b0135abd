/* From the leaves of the tree to committed columns. */
#ifndef LYNX_VOLE_H
#define LYNX_VOLE_H

#include <stdint.h>

#include "field.h"
#include "tree.h"

/* The bits of a column as bytes in memory, whole words for speed; bytes from LYNX_COLUMN_BYTES on are 0. */
typedef union {
    uint64_t word[LYNX_COLUMN_WORDS];
    unsigned char byte[8 * LYNX_COLUMN_WORDS];
} lynx_column;

/*
 * The columns of vector i, lynx_depth(i) of them from columns[0] on, and their offset u; `commitments` gets those of all
 * its leaves.
 *
 * With `hidden` < 0 all leaves are known.  Else leaf `hidden` is not, its commitment is `known`, and leaf j takes the
 * place of leaf j ^ hidden, so that the unknown one is the first, which no column needs.
 */
void lynx_vole_vector(lynx_column *columns, lynx_column *u,
                      unsigned char commitments[LYNX_VECTOR_MAX * LYNX_COMMITMENT_BYTES], int i,
                      lynx_node *nodes, const unsigned char iv[LYNX_IV_BYTES], int hidden,
                      const unsigned char *known);

/* The commitment of a leaf. */
void lynx_leaf_commitment(unsigned char out[LYNX_COMMITMENT_BYTES], const lynx_node leaf,
                          const unsigned char iv[LYNX_IV_BYTES]);

/* The first 4 n bits of the n columns, the other way round: bit c of rows[q] is bit q of column c. */
void lynx_rows(fe rows[4 * LYNX_N], const lynx_column columns[LYNX_N]);

#endif
