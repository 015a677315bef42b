#pragma once

#include <abut/collide.h>

#include "narrow/convex.h"
#include "narrow/gauge.h"

/*
 * The contact normal of two convex bodies. Inside, the direction from A to B is used (the outward normal of A - B); the contact normal n of the
 * public interface, from B into A, is its opposite.
 */

typedef struct contact_normal {
    abut_vec3 direction; /* unit, from A to B, pair frame */
    double gap;          /* separation of the bodies along it, radii included: -(h_A(direction) + h_B(-direction)) */
    abut_vec3 on_a;      /* witness: points of the cores that are extreme along the direction, closest to each other as far as the method found them */
    abut_vec3 on_b;
    bool chosen;         /* not unique; chosen by rule */
} contact_normal;

/* Settings in the pair's frame. */
typedef struct normal_settings {
    double margin;
    bool cores;               /* contraction about core points, else about centroids */
    bool refine;
    abut_vec3 previous;       /* direction (A to B) of the step before, or zero */
} normal_settings;

/*
 * The growth distance of two bodies and its direction, sharpened: the exact face normal, or cross product of edges, of the facet of A - B that the simplex method ended on. Where the
 * facet is not unique: the previous direction if it is among the possible ones, else the middle of the cell of possible ones.
 */
typedef struct growth_result {
    gauge gauge;
    abut_vec3 contraction_a, contraction_b;
    contact_normal normal;
    double alpha;  /* gauge.upper, or 0 when the contraction points coincide */
} growth_result;

growth_result growth_solve(const convex *a, const convex *b, const normal_settings *settings);

/* The normal for a contact of two bodies, false when they are farther apart than the margin. */
bool contact_normal_find(const convex *a, const convex *b, const normal_settings *settings, contact_normal *normal);
