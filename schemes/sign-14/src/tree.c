#include "tree.h"

#include <string.h>

#include "prg.h"

void lynx_tree_expand(lynx_node *nodes, const unsigned char *hidden, const unsigned char s[LYNX_BYTES],
                      const unsigned char iv[LYNX_IV_BYTES])
{
    for (int p = 0; p < LYNX_LEAVES - 1; p++)
        if (!hidden || !hidden[p])
            lynx_children(nodes[2 * p + 1], nodes[2 * p + 2], nodes[p], s, iv, p + 1 >= LYNX_LEAVES / 2);
}

int lynx_hidden_leaves(int leaf[LYNX_TAU], const unsigned char challenge[LYNX_BYTES])
{
    int at = 0;

    for (int bit = LYNX_COLUMNS; bit < LYNX_N; bit++)
        if (challenge[bit / 8] >> bit % 8 & 1)
            return 0;
    for (int i = 0; i < LYNX_TAU; i++) {
        leaf[i] = 0;
        for (int b = 0; b < lynx_depth(i); b++, at++)
            leaf[i] |= (challenge[at / 8] >> at % 8 & 1) << b;
    }
    return 1;
}

int lynx_tree_hide(unsigned char *hidden, const int leaf[LYNX_TAU])
{
    int marked = 0;

    memset(hidden, 0, LYNX_NODES);
    for (int i = 0; i < LYNX_TAU; i++) {
        int p = lynx_position(i, leaf[i]);

        while (!hidden[p]) {
            hidden[p] = 1;
            marked++;
            if (p > 0)
                p = (p - 1) / 2;
        }
    }
    return marked - 2 * LYNX_TAU + 1;
}

/* The child of p that is not marked when the other is, else -1. */
static int opened_child(const unsigned char *hidden, int p)
{
    if (hidden[2 * p + 1] == hidden[2 * p + 2])
        return -1;
    return hidden[2 * p + 1] ? 2 * p + 2 : 2 * p + 1;
}

void lynx_tree_open(unsigned char out[LYNX_OPEN_MAX * LYNX_BYTES], lynx_node *nodes,
                    const unsigned char *hidden)
{
    memset(out, 0, LYNX_OPEN_MAX * LYNX_BYTES);
    for (int p = LYNX_LEAVES - 2; p >= 0; p--) {
        const int child = opened_child(hidden, p);

        if (child >= 0) {
            memcpy(out, nodes[child], LYNX_BYTES);
            out += LYNX_BYTES;
        }
    }
}

int lynx_tree_place(lynx_node *nodes, const unsigned char *hidden, int count,
                    const unsigned char opening[LYNX_OPEN_MAX * LYNX_BYTES])
{
    if (count > LYNX_OPEN_MAX)
        return 0;
    for (int i = count * LYNX_BYTES; i < LYNX_OPEN_MAX * LYNX_BYTES; i++)
        if (opening[i])
            return 0;
    for (int p = LYNX_LEAVES - 2; p >= 0; p--) {
        const int child = opened_child(hidden, p);

        if (child >= 0) {
            memcpy(nodes[child], opening, LYNX_BYTES);
            opening += LYNX_BYTES;
        }
    }
    return 1;
}
