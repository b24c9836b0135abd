#include "pors.h"

#include <string.h>

#include "subset.h"

static ft_place place_of(uint32_t leaf)
{
    const ft_place deep = {0, leaf}, other = {1, leaf - FT_DEEP_LEAVES / 2};

    return leaf < FT_DEEP_LEAVES ? deep : other;
}

static ft_shape shape_of(const ft_pors_message *message)
{
    const ft_shape shape = {FT_PORS_NODE, message->leaf, FT_PORS_HEIGHT};

    return shape;
}

unsigned ft_pors_places(ft_place places[FT_PORS_MOST_PLACES], const uint32_t leaves[FT_K])
{
    uint32_t known[FT_K]; /* indices of the nodes at a height that follow from the opened leaves, ascending */
    unsigned count = 0, deep = 0, made = 0;

    while (deep < FT_K && leaves[deep] < FT_DEEP_LEAVES) {
        known[deep] = leaves[deep];
        deep++;
    }
    count = deep;
    for (unsigned height = 0; height < FT_PORS_HEIGHT; height++) {
        unsigned parents = 0;

        for (unsigned i = 0; i < count; i++) {
            const uint32_t index = known[i];

            if (i + 1 < count && known[i + 1] == (index ^ 1)) {
                i++;
            } else {
                places[made].height = height;
                places[made++].index = index ^ 1;
            }
            known[parents++] = index / 2;
        }
        count = parents;
        if (height == 0) /* the other leaves are right of all parents */
            for (unsigned i = deep; i < FT_K; i++)
                known[count++] = place_of(leaves[i]).index;
    }
    return made;
}

/* The leaves of the subset of a counter, and their authentication nodes, whose number is returned. */
static unsigned choose(uint32_t leaves[FT_K], ft_place places[FT_PORS_MOST_PLACES], const ft_pors_message *message,
                       uint32_t counter, const ft_number *subsets)
{
    unsigned char choice[FT_CHOICE_BYTES];

    ft_hash_choice(choice, message->r, counter, message->md);
    ft_subset_choose(leaves, choice, subsets);
    return ft_pors_places(places, leaves);
}

static void leaf_from_secret(unsigned char node[FT_N], ft_tweak *tweak, const ft_pors_message *message, uint32_t leaf,
                             const unsigned char secret[FT_N])
{
    ft_tweak_point(tweak, FT_PORS_NODE, message->leaf, 0, leaf); /* also for leaves at height 1 */
    ft_hash(node, tweak, secret, FT_N);
}

int ft_pors_sign(unsigned char signature[FT_PORS_BYTES], unsigned char root[FT_N], const ft_pors_message *message,
                 const unsigned char public_seed[FT_N], const unsigned char secret_seed[FT_N])
{
    unsigned char *opened = signature + FT_COUNTER_BYTES, *nodes = opened + FT_OPENED_BYTES;
    ft_place places[FT_PORS_MOST_PLACES];
    uint32_t leaves[FT_K], counter = 0;
    unsigned count, done = 0;
    ft_number subsets;
    ft_tweak tweak;
    ft_tree tree;

    ft_subset_count(&subsets);
    while ((count = choose(leaves, places, message, counter, &subsets)) > FT_SLOTS)
        if (++counter == UINT32_MAX)
            return -1;
    store_be32(signature, counter);
    memset(nodes + count * FT_N, 0, (FT_SLOTS - count) * FT_N);

    ft_tweak_tree(&tweak, public_seed, 0, message->tree);
    ft_tree_start(&tree, &tweak, shape_of(message), places, count, nodes);
    for (uint32_t leaf = 0; leaf < FT_T; leaf++) {
        unsigned char secret[FT_N];

        ft_tweak_point(&tweak, FT_PORS_SECRET, message->leaf, 0, leaf);
        ft_hash(secret, &tweak, secret_seed, FT_N);
        if (done < FT_K && leaves[done] == leaf)
            memcpy(opened + done++ * FT_N, secret, FT_N);
        leaf_from_secret(root, &tweak, message, leaf, secret);
        ft_tree_add(&tree, place_of(leaf), root);
    }
    return 0;
}

/* Nodes at one height, ascending. */
typedef struct {
    unsigned count;
    uint32_t index[FT_K];
    unsigned char value[FT_K][FT_N];
} level;

/* Replaces the nodes at a height by their parents, taking the siblings that are missing from *given. */
static void climb(level *nodes, ft_tweak *tweak, const ft_shape *shape, unsigned height, const unsigned char **given)
{
    unsigned parents = 0;

    for (unsigned i = 0; i < nodes->count; i++) {
        const uint32_t index = nodes->index[i];
        const ft_place parent = {height + 1, index / 2};
        const unsigned char *node = nodes->value[i], *sibling;

        if (i + 1 < nodes->count && nodes->index[i + 1] == (index ^ 1)) {
            sibling = nodes->value[++i];
        } else {
            sibling = *given;
            *given += FT_N;
        }
        ft_tree_parent(nodes->value[parents], tweak, shape, parent, index % 2 ? sibling : node,
                       index % 2 ? node : sibling);
        nodes->index[parents++] = parent.index;
    }
    nodes->count = parents;
}

int ft_pors_root(unsigned char root[FT_N], const ft_pors_message *message, const unsigned char signature[FT_PORS_BYTES],
                 const unsigned char public_seed[FT_N])
{
    const unsigned char *opened = signature + FT_COUNTER_BYTES, *given = opened + FT_OPENED_BYTES;
    const uint32_t counter = (uint32_t)load_be(signature, FT_COUNTER_BYTES);
    const ft_shape shape = shape_of(message);
    ft_place places[FT_PORS_MOST_PLACES];
    uint32_t leaves[FT_K];
    unsigned next = 0;
    ft_number subsets;
    ft_tweak tweak;
    level nodes;

    ft_subset_count(&subsets);
    if (counter == UINT32_MAX || choose(leaves, places, message, counter, &subsets) > FT_SLOTS)
        return -1;
    ft_tweak_tree(&tweak, public_seed, 0, message->tree);
    nodes.count = 0;
    for (unsigned height = 0; height < FT_PORS_HEIGHT; height++) {
        for (; next < FT_K && place_of(leaves[next]).height == height; next++, nodes.count++) {
            nodes.index[nodes.count] = place_of(leaves[next]).index;
            leaf_from_secret(nodes.value[nodes.count], &tweak, message, leaves[next], opened + next * FT_N);
        }
        climb(&nodes, &tweak, &shape, height, &given);
    }
    memcpy(root, nodes.value[0], FT_N);
    return 0;
}
