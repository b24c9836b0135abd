/* Merkle trees, built from left to right in the memory of one path. */
#ifndef FT_TREE_H
#define FT_TREE_H

#include "hash.h"

#define FT_TREE_MOST_HEIGHT FT_PORS_HEIGHT /* of both kinds of trees */

typedef struct {
    unsigned height;
    uint32_t index;
} ft_place;

typedef struct {
    ft_type type;    /* XMSS_NODE or PORS_NODE */
    uint32_t leaf;   /* word 5 of the addresses of all nodes */
    unsigned height; /* of the root */
} ft_shape;

/* A tree under construction, and those of its nodes that are to be kept. */
typedef struct {
    ft_tweak *tweak;
    ft_shape shape;
    unsigned char left[FT_TREE_MOST_HEIGHT][FT_N];  /* at each height the left child that waits for its sibling */
    const ft_place *wanted;                         /* by height, then by index */
    unsigned wanted_count;
    unsigned next[FT_TREE_MOST_HEIGHT];             /* the next wanted place at each height */
    unsigned char *kept;                            /* values of the wanted places */
} ft_tree;

/* out becomes the node at a place with height 1 or more; its tree is the tweak's. */
void ft_tree_parent(unsigned char out[FT_N], ft_tweak *tweak, const ft_shape *shape, ft_place place,
                    const unsigned char left[FT_N], const unsigned char right[FT_N]);

/* Starts a tree whose wanted nodes go to `kept`; `tweak`, `wanted` and `kept` are used until the root is there. */
void ft_tree_start(ft_tree *tree, ft_tweak *tweak, ft_shape shape, const ft_place *wanted, unsigned wanted_count,
                   unsigned char *kept);

/*
 * Adds the next leaf: its place and value.  At each height places follow each other from index 0.  `node` is used up; the
 * last leaf makes it the root.
 */
void ft_tree_add(ft_tree *tree, ft_place place, unsigned char node[FT_N]);

#endif
