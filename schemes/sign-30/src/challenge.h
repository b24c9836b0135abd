/* The challenge of a digest. */
#ifndef TRINE_CHALLENGE_H
#define TRINE_CHALLENGE_H

#include "params.h"

/*
 * Fills in for every round which form is opened: 0 to TRINE_FORMS - 1 a secret one, which TRINE_OPENED rounds have, or
 * TRINE_FORMS the base form.  0, or -1 without memory.
 */
int trine_challenge(unsigned char challenge[TRINE_ROUNDS], const unsigned char digest[TRINE_DIGEST_BYTES]);

#endif
