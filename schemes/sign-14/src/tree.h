/* The tree whose leaves are the seeds of all vectors, and opening all leaves of it but one of each vector. */
#ifndef LYNX_TREE_H
#define LYNX_TREE_H

#include "params.h"

/* Node p has the children 2 p + 1 and 2 p + 2; the leaves are the last LYNX_LEAVES nodes. */
typedef unsigned char lynx_node[LYNX_BYTES];

/* How many leaves vector i has, as a power of 2. */
static inline int lynx_depth(int i)
{
    return i < LYNX_DEEP ? LYNX_DEPTH + 1 : LYNX_DEPTH;
}

/* The node that is leaf j of vector i. */
static inline int lynx_position(int i, int j)
{
    return j < LYNX_HALF ? LYNX_LEAVES - 1 + LYNX_TAU * j + i
                         : LYNX_LEAVES - 1 + LYNX_TAU * LYNX_HALF + LYNX_DEEP * (j - LYNX_HALF) + i;
}

/*
 * Computes the children of all inner nodes that `hidden` does not mark; with NULL, of all.  What it reads is there: the
 * root, or what lynx_tree_place put there.
 */
void lynx_tree_expand(lynx_node *nodes, const unsigned char *hidden, const unsigned char s[LYNX_BYTES],
                      const unsigned char iv[LYNX_IV_BYTES]);

/* The hidden leaf of each vector, out of the bits of the last challenge; 0 when the bits that must be 0 are not. */
int lynx_hidden_leaves(int leaf[LYNX_TAU], const unsigned char challenge[LYNX_BYTES]);

/* Marks the hidden leaves and all nodes above them; returns how many nodes an opening of the others has. */
int lynx_tree_hide(unsigned char *hidden, const int leaf[LYNX_TAU]);

/* Writes the opening: the highest nodes not marked, zeros behind them. */
void lynx_tree_open(unsigned char out[LYNX_OPEN_MAX * LYNX_BYTES], lynx_node *nodes,
                    const unsigned char *hidden);

/* Puts the nodes of an opening, `count` of them, in their places; 0 when it does not fit or bytes left over are not 0. */
int lynx_tree_place(lynx_node *nodes, const unsigned char *hidden, int count,
                    const unsigned char opening[LYNX_OPEN_MAX * LYNX_BYTES]);

#endif
