#include "number.h"

#include <math.h>
#include <string.h>

#include "bytes.h"

static void trim(ft_number *a)
{
    while (a->used > 0 && a->word[a->used - 1] == 0)
        a->used--;
}

void ft_number_set(ft_number *a, uint32_t value)
{
    a->word[0] = value;
    a->used = value != 0;
}

void ft_number_load(ft_number *a, const unsigned char *bytes, unsigned count)
{
    for (a->used = 0; count > 0; a->used++) {
        const unsigned part = count < 4 ? count : 4;

        count -= part;
        a->word[a->used] = (uint32_t)load_be(bytes + count, part);
    }
    trim(a);
}

static int compare_words(const uint32_t *a, const uint32_t *b, unsigned words)
{
    while (words-- > 0)
        if (a[words] != b[words])
            return a[words] < b[words] ? -1 : 1;
    return 0;
}

int ft_number_compare(const ft_number *a, const ft_number *b)
{
    if (a->used != b->used)
        return a->used < b->used ? -1 : 1;
    return compare_words(a->word, b->word, a->used);
}

void ft_number_multiply(ft_number *a, uint32_t factor)
{
    uint64_t carry = 0;

    for (unsigned i = 0; i < a->used; i++) {
        carry += (uint64_t)a->word[i] * factor;
        a->word[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry > 0)
        a->word[a->used++] = (uint32_t)carry;
}

void ft_number_divide(ft_number *a, uint32_t divisor)
{
    uint64_t rest = 0;

    for (unsigned i = a->used; i-- > 0;) {
        rest = rest << 32 | a->word[i];
        a->word[i] = (uint32_t)(rest / divisor);
        rest %= divisor;
    }
    trim(a);
}

/* a -= factor * b over `words` words; what has to be taken from the word above them. */
static uint32_t subtract_multiple(uint32_t *a, const uint32_t *b, unsigned words, uint32_t factor)
{
    uint64_t borrow = 0;

    for (unsigned i = 0; i < words; i++) {
        borrow += (uint64_t)factor * b[i];
        borrow += a[i] < (uint32_t)borrow ? (uint64_t)1 << 32 : 0;
        a[i] -= (uint32_t)borrow;
        borrow >>= 32;
    }
    return (uint32_t)borrow;
}

void ft_number_subtract(ft_number *a, const ft_number *b)
{
    uint32_t borrow = subtract_multiple(a->word, b->word, b->used, 1);

    for (unsigned i = b->used; borrow > 0; i++) {
        borrow = a->word[i] == 0;
        a->word[i]--;
    }
    trim(a);
}

/*
 * One step of the division by d, whose highest bit is set: rest, one word longer than d and below d * 2^32, becomes
 * rest mod d.  The quotient is estimated from the highest words, never above its value and by little below.
 */
static void reduce_step(uint32_t *rest, const ft_number *d)
{
    const unsigned words = d->used;
    const uint64_t top = (uint64_t)rest[words] << 32 | rest[words - 1];
    const uint64_t quotient = top / ((uint64_t)d->word[words - 1] + 1);

    rest[words] -= subtract_multiple(rest, d->word, words, (uint32_t)quotient);
    while (rest[words] > 0 || compare_words(rest, d->word, words) >= 0)
        rest[words] -= subtract_multiple(rest, d->word, words, 1);
}

void ft_number_reduce(ft_number *a, const ft_number *m)
{
    ft_number d = *m;
    uint32_t scale = 1;

    if (a->used < m->used)
        return;
    while ((m->word[m->used - 1] * scale) >> 31 == 0)
        scale <<= 1;
    ft_number_multiply(&d, scale);
    ft_number_multiply(a, scale);
    a->word[a->used] = 0;
    for (unsigned i = a->used - d.used + 1; i-- > 0;)
        reduce_step(a->word + i, &d);
    a->used = d.used;
    trim(a);
    ft_number_divide(a, scale);
}

double ft_number_log2(const ft_number *a)
{
    const unsigned below = a->used > 3 ? a->used - 3 : 0; /* three words have all the bits of a double */
    double top = 0;

    for (unsigned i = a->used; i-- > below;)
        top = top * 4294967296.0 + a->word[i];
    return log2(top) + 32.0 * below;
}
