#include "xmss.h"

#include "tree.h"
#include "wots.h"

static ft_shape shape_of(const ft_xmss *xmss)
{
    const ft_shape shape = {FT_XMSS_NODE, 0, FT_LAYER_HEIGHT(xmss->layer)};

    return shape;
}

/* What a tree is built for, besides its root: the block of a signature. */
typedef struct {
    uint32_t leaf;
    const ft_digits *digits;
    unsigned char *block;
} signing;

static void build(unsigned char root[FT_N], ft_tweak *tweak, ft_shape shape, const unsigned char secret_seed[FT_N],
                  const signing *s)
{
    ft_place path[FT_MOST_HEIGHT];
    ft_tree tree;

    for (unsigned height = 0; s && height < shape.height; height++) {
        path[height].height = height;
        path[height].index = (s->leaf >> height) ^ 1;
    }
    ft_tree_start(&tree, tweak, shape, path, s ? shape.height : 0, s ? s->block + FT_CHAINS_BYTES : NULL);
    for (uint32_t leaf = 0; leaf >> shape.height == 0; leaf++) {
        const int signs = s && leaf == s->leaf;
        const ft_place place = {0, leaf};

        ft_wots_leaf(root, tweak, leaf, secret_seed, signs ? s->digits : NULL, signs ? s->block : NULL);
        ft_tree_add(&tree, place, root);
    }
}

void ft_xmss_root(unsigned char root[FT_N], const ft_xmss *xmss, const unsigned char secret_seed[FT_N])
{
    ft_tweak tweak;

    ft_tweak_tree(&tweak, xmss->public_seed, xmss->layer, xmss->tree);
    build(root, &tweak, shape_of(xmss), secret_seed, NULL);
}

int ft_xmss_sign(unsigned char *block, unsigned char root[FT_N], const ft_xmss *xmss, uint32_t leaf,
                 const unsigned char secret_seed[FT_N], const unsigned char message[FT_N])
{
    const ft_shape shape = shape_of(xmss);
    ft_tweak tweak;
    ft_digits digits;
    signing s = {leaf, &digits, block};
    uint32_t counter;

    ft_tweak_tree(&tweak, xmss->public_seed, xmss->layer, xmss->tree);
    counter = ft_wots_search(&digits, &tweak, leaf, message);
    if (counter == 0)
        return -1;
    store_be32(block + FT_BLOCK_BYTES(shape.height) - FT_COUNTER_BYTES, counter);
    build(root, &tweak, shape, secret_seed, &s);
    return 0;
}

int ft_xmss_root_signed(unsigned char root[FT_N], const ft_xmss *xmss, uint32_t leaf, const unsigned char *block,
                        const unsigned char message[FT_N])
{
    const ft_shape shape = shape_of(xmss);
    const unsigned char *sibling = block + FT_CHAINS_BYTES;
    const uint32_t counter = (uint32_t)load_be(sibling + shape.height * FT_N, FT_COUNTER_BYTES);
    ft_tweak tweak;
    ft_digits digits;

    ft_tweak_tree(&tweak, xmss->public_seed, xmss->layer, xmss->tree);
    if (counter == 0 || ft_wots_digits(&digits, &tweak, leaf, counter, message) < 0)
        return -1;
    ft_wots_leaf_signed(root, &tweak, leaf, &digits, block);
    for (unsigned height = 0; height < shape.height; height++, sibling += FT_N) {
        const int right = leaf >> height & 1;
        const ft_place parent = {height + 1, leaf >> (height + 1)};

        ft_tree_parent(root, &tweak, &shape, parent, right ? sibling : root, right ? root : sibling);
    }
    return 0;
}
