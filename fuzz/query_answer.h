#pragma once

#include <abut/query.h>

#include "question.h"

/*
 * What every answer to the questions about two shapes other than contacts must hold to: documented, as the header says, and one with the others.
 */

/* Whatever a cache holds; the same touch and depth as contacts, and the least separation of convex shapes. */
void query_check_distance(const question *q);
void query_check_overlap(const question *q);

/* Near at the hit, and not in each other before. */
void query_check_cast(const question *q, const abut_motion motion[2], double tolerance);

/* Any motion of a body of that size. */
abut_motion query_read_motion(bytes *in, double size);
