#include "field.h"

int16_t trine_inverse[TRINE_Q];

void trine_field_init(void)
{
    trine_inverse[1] = 1;
    /* q = (q / a) a + q % a, so 1 / a = -(q / a) / (q % a). */
    for (int a = 2; a < TRINE_Q; a++)
        trine_inverse[a] = trine_multiply((int16_t)(TRINE_Q - TRINE_Q / a), trine_inverse[TRINE_Q % a]);
}
