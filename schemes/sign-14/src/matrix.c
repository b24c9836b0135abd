#include "matrix.h"

#include <string.h>

void lynx_matrix_apply(fe *r, const fe m[LYNX_N], const fe *x)
{
    fe product = {{0}};

    for (int i = 0; i < LYNX_N; i++) {
        uint64_t sum = 0;

        for (int j = 0; j < LYNX_WORDS; j++)
            sum ^= m[i].w[j] & x->w[j];
        for (int by = 32; by > 0; by /= 2)
            sum ^= sum >> by;
        product.w[i / 64] |= (sum & 1) << i % 64;
    }
    *r = product;
}

/* Four columns at a time: all sums of four g's are few. */
void lynx_matrix_sums(fe *sums, const fe *m, unsigned rows, const fe g[LYNX_N])
{
    fe some[16];

    memset(sums, 0, rows * sizeof *sums);
    memset(&some[0], 0, sizeof some[0]);
    for (unsigned column = 0; column < LYNX_N; column += 4) {
        for (unsigned i = 0; i < 4; i++)
            for (unsigned j = 0; j < 1u << i; j++)
                lynx_fe_add(&some[(1u << i) + j], &some[j], &g[column + i]);
        for (unsigned r = 0; r < rows; r++)
            lynx_fe_add(&sums[r], &sums[r], &some[m[r].w[column / 64] >> column % 64 & 15]);
    }
}

void lynx_transpose64(uint64_t words[64])
{
    uint64_t mask = UINT64_C(0x00000000ffffffff);

    for (unsigned by = 32; by > 0; by /= 2, mask ^= mask << by) {
        for (unsigned i = 0; i < 64; i = ((i | by) + 1) & ~by) {
            const uint64_t swapped = (words[i] >> by ^ words[i | by]) & mask;

            words[i] ^= swapped << by;
            words[i | by] ^= swapped;
        }
    }
}
