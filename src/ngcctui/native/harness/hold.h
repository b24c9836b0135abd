/* Waiting between two calls as long as the engine asks for it on the live page: an operator's pause. */
#ifndef NGCC_HOLD_H
#define NGCC_HOLD_H

#include <stdint.h>

#include "livepage.h"

/* One load, for between timed calls. */
static inline int ngcc_hold_asked(void)
{
    return ngcc_page->hold != 0;
}

/*
 * Waits until the engine asks no more, and shows that on the page.  A process whose engine dies meanwhile is killed with
 * it (isolation.h).
 */
void ngcc_hold(void);

/* The same where nothing is measured: at once when the engine does not ask. */
void ngcc_hold_if_asked(void);

/* Time that this process has waited so far, ns by ngcc_now_ns: the other clock of the page can run faster than that one. */
uint64_t ngcc_held_ns(void);

#endif
