#include "tree.h"

#include <string.h>

void ft_tree_parent(unsigned char out[FT_N], ft_tweak *tweak, const ft_shape *shape, ft_place place,
                    const unsigned char left[FT_N], const unsigned char right[FT_N])
{
    unsigned char children[2 * FT_N];

    memcpy(children, left, FT_N);
    memcpy(children + FT_N, right, FT_N);
    ft_tweak_point(tweak, shape->type, shape->leaf, place.height, place.index);
    ft_hash(out, tweak, children, sizeof children);
}

void ft_tree_start(ft_tree *tree, ft_tweak *tweak, ft_shape shape, const ft_place *wanted, unsigned wanted_count,
                   unsigned char *kept)
{
    unsigned at = 0;

    tree->tweak = tweak;
    tree->shape = shape;
    tree->wanted = wanted;
    tree->wanted_count = wanted_count;
    tree->kept = kept;
    for (unsigned height = 0; height < shape.height; height++) {
        while (at < wanted_count && wanted[at].height < height)
            at++;
        tree->next[height] = at;
    }
}

static void keep_if_wanted(ft_tree *tree, ft_place place, const unsigned char node[FT_N])
{
    const unsigned at = tree->next[place.height];

    if (at == tree->wanted_count || tree->wanted[at].height != place.height || tree->wanted[at].index != place.index)
        return;
    memcpy(tree->kept + at * FT_N, node, FT_N);
    tree->next[place.height]++;
}

void ft_tree_add(ft_tree *tree, ft_place place, unsigned char node[FT_N])
{
    while (place.height < tree->shape.height) {
        unsigned char *left = tree->left[place.height];

        keep_if_wanted(tree, place, node);
        if (place.index % 2 == 0) {
            memcpy(left, node, FT_N);
            return;
        }
        place.height++;
        place.index /= 2;
        ft_tree_parent(node, tree->tweak, &tree->shape, place, left, node);
    }
}
