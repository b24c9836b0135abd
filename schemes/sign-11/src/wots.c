#include "wots.h"

#include <string.h>

static unsigned digit_bits(int chain)
{
    return chain < FT_NARROW_CHAINS ? FT_NARROW_BITS : FT_WIDE_BITS;
}

/* Steps of a whole chain. */
static unsigned chain_length(int chain)
{
    return (1u << digit_bits(chain)) - 1;
}

int ft_wots_digits(ft_digits *digits, ft_tweak *tweak, uint32_t leaf, uint32_t counter,
                   const unsigned char message[FT_N])
{
    unsigned char digest[FT_N];
    const unsigned char *next = digest;
    uint32_t bits = 0;
    unsigned have = 0, left = 0;

    ft_tweak_point(tweak, FT_SIGNED_DIGEST, leaf, counter, 0);
    ft_hash(digest, tweak, message, FT_N);
    /* The high bits of the last byte, although the digits leave its low bits out. */
    if (digest[FT_N - 1] >> (8 - FT_ZERO_BITS) != 0)
        return -1;
    for (int chain = 0; chain < FT_CHAINS; chain++) {
        const unsigned wanted = digit_bits(chain);

        if (have < wanted) {
            bits = bits << 8 | *next++;
            have += 8;
        }
        have -= wanted;
        digits->digit[chain] = (unsigned char)(bits >> have & chain_length(chain));
        left += chain_length(chain) - digits->digit[chain];
    }
    return left == FT_STEPS_LEFT ? 0 : -1;
}

uint32_t ft_wots_search(ft_digits *digits, ft_tweak *tweak, uint32_t leaf, const unsigned char message[FT_N])
{
    for (uint32_t counter = 1; counter <= FT_WOTS_MOST_COUNTER; counter++)
        if (ft_wots_digits(digits, tweak, leaf, counter, message) == 0)
            return counter;
    return 0;
}

/* Takes the steps `from` to `to` - 1 of a chain. */
static void walk(unsigned char value[FT_N], ft_tweak *tweak, uint32_t leaf, int chain, unsigned from, unsigned to)
{
    for (unsigned step = from; step < to; step++) {
        ft_tweak_point(tweak, FT_CHAIN_STEP, leaf, (uint32_t)chain, step);
        ft_hash(value, tweak, value, FT_N);
    }
}

static void leaf_of_ends(unsigned char out[FT_N], ft_tweak *tweak, uint32_t leaf,
                         const unsigned char ends[FT_CHAINS_BYTES])
{
    ft_tweak_point(tweak, FT_CHAIN_ENDS, leaf, 0, 0);
    ft_hash(out, tweak, ends, FT_CHAINS_BYTES);
}

void ft_wots_leaf(unsigned char out[FT_N], ft_tweak *tweak, uint32_t leaf, const unsigned char secret_seed[FT_N],
                  const ft_digits *digits, unsigned char signature[FT_CHAINS_BYTES])
{
    unsigned char ends[FT_CHAINS_BYTES];

    for (int chain = 0; chain < FT_CHAINS; chain++) {
        unsigned char *value = ends + chain * FT_N;
        const unsigned stop = digits ? digits->digit[chain] : 0;

        ft_tweak_point(tweak, FT_CHAIN_SECRET, leaf, (uint32_t)chain, 0);
        ft_hash(value, tweak, secret_seed, FT_N);
        walk(value, tweak, leaf, chain, 0, stop);
        if (digits)
            memcpy(signature + chain * FT_N, value, FT_N);
        walk(value, tweak, leaf, chain, stop, chain_length(chain));
    }
    leaf_of_ends(out, tweak, leaf, ends);
}

void ft_wots_leaf_signed(unsigned char out[FT_N], ft_tweak *tweak, uint32_t leaf, const ft_digits *digits,
                         const unsigned char signature[FT_CHAINS_BYTES])
{
    unsigned char ends[FT_CHAINS_BYTES];

    memcpy(ends, signature, sizeof ends);
    for (int chain = 0; chain < FT_CHAINS; chain++)
        walk(ends + chain * FT_N, tweak, leaf, chain, digits->digit[chain], chain_length(chain));
    leaf_of_ends(out, tweak, leaf, ends);
}
