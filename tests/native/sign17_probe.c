/* Inline functions of sign-17 as real ones, and the rounding formulas against their definition for every coefficient. */
#include "rounding.h"

int32_t probe_power2round(int32_t a, int32_t *low);
int32_t probe_decompose(int32_t a, int32_t *low);
int probe_make_hint(int32_t low, int32_t high);
int32_t probe_use_hint(int32_t a);
int32_t probe_wrong_rounding(void);

int32_t probe_power2round(int32_t a, int32_t *low)
{
    return ops_power2round(a, low);
}

int32_t probe_decompose(int32_t a, int32_t *low)
{
    return ops_decompose(a, low);
}

int probe_make_hint(int32_t low, int32_t high)
{
    return ops_make_hint(low, high);
}

int32_t probe_use_hint(int32_t a)
{
    return ops_use_hint(a);
}

/* The representative of a modulo the even m in (-m/2, m/2]. */
static int32_t centred(int32_t a, int32_t m)
{
    const int32_t r = a % m;

    return r > m / 2 ? r - m : r;
}

/* The first coefficient whose parts are not those of the definition, or -1. */
int32_t probe_wrong_rounding(void)
{
    for (int32_t a = 0; a < OPS_Q; a++) {
        int32_t low, low_expected = centred(a, 2 * OPS_GAMMA2), high_expected = 0;
        int32_t high = ops_decompose(a, &low);

        if (a - low_expected == OPS_Q - 1)
            low_expected--;
        else
            high_expected = (a - low_expected) / (2 * OPS_GAMMA2);
        if (high != high_expected || low != low_expected)
            return a;

        high = ops_power2round(a, &low);
        if (low != centred(a, 8192) || high * 8192 + low != a)
            return a;
    }
    return -1;
}
