/* Which descriptors a child keeps. */
#ifndef NGCC_DESCRIPTORS_H
#define NGCC_DESCRIPTORS_H

#include <stddef.h>

/* Moves an open descriptor (-1: nothing) above those that have a meaning.  0, or -1 with errno. */
int ngcc_move_away(int *fd);

/* Makes `result_fd` descriptor 3; what was open there is lost.  0, or -1 with errno. */
int ngcc_place_result(int result_fd);

/* Closes all above 3 but the `count` descriptors of `keep`. */
void ngcc_close_others(int *const keep[], size_t count);

#endif
