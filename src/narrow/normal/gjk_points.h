#pragma once

#include "narrow/normal/convex.h"
#include "narrow/normal/gjk_simplex.h"

/*
 * A GJK simplex of two bodies that have supports but perhaps no vertices: it keeps the support points themselves, so that closest points can be read from it.
 * Pair's frame.
 */

enum { GJK_SLOTS = 5 };

typedef struct gjk_points {
    const convex *a, *b;
    abut_vec3 shift; /* of body B, added to its points */
    gjk_simplex s;   /* its vertices are slots */
    abut_vec3 on_a[GJK_SLOTS], on_b[GJK_SLOTS];
} gjk_points;

/* Adds the support of A - B along a direction, and returns it. */
abut_vec3 gjk_points_add(gjk_points *at, abut_vec3 direction);

/* The points of A and of the shifted B that make up the simplex's closest point. The simplex is reduced. */
void gjk_points_read(const gjk_points *at, abut_vec3 *on_a, abut_vec3 *on_b);
