#pragma once

#include <abut/query.h>

#include "question.h"

/*
 * What every answer to a question about two shapes, other than contacts, must satisfy: it is documented, agrees with the header, and agrees with the other
 * answers.
 */

/* The distance must not depend on the cache. Touch and depth must agree with the contacts, and for convex shapes with the least separation. */
void query_check_distance(const question *q);
void query_check_overlap(const question *q);

/* The bodies must be near at the hit, and must not overlap before it. */
void query_check_cast(const question *q, const abut_motion motion[2], double tolerance);

/* A random motion of a body of the given size. */
abut_motion query_read_motion(bytes *in, double size);
