#pragma once

#include <abut/math.h>
#include <abut/shape.h>

#include "support/random.h"

/*
 * Ellipsoids, superquadrics and the convex bodies that they meet, by their support functions. An independent reference for extremal pairs that shares no code
 * with the library. It uses long double, so that differences approximate derivatives.
 */

typedef enum smooth_kind {
    SMOOTH_ELLIPSOID,
    SMOOTH_SUPERQUADRIC,
    SMOOTH_BALL,
    SMOOTH_BAR, /* capsule */
    SMOOTH_BOX,
    SMOOTH_CLOUD, /* the hull of points on an ellipsoid */
    SMOOTH_KINDS
} smooth_kind;

enum { SMOOTH_MOST_POINTS = 24 };

typedef struct smooth_body {
    smooth_kind kind;
    abut_vec3 half; /* semi-axes or half sizes; radius of a ball; radius and half length of a bar */
    double e1, e2;
    abut_vec3 point[SMOOTH_MOST_POINTS];
    int32_t point_count;
    abut_pose pose;
} smooth_body;

/* A body of the given kind with sizes from 1 / aspect to 1 and exponents from `least` to 2 - least; random rotation, at the origin. */
smooth_body smooth_body_random(random_state *state, smooth_kind kind, double aspect, double least);
/* The same body as a shape. The test ends if the library refuses it. */
abut_shape *smooth_body_shape(const smooth_body *body);

/* Largest n . x over the body in its own frame, for n of any length. */
long double smooth_body_support(const smooth_body *body, const long double n[3]);
/* The same in the world frame, for a unit direction. */
double smooth_body_extent(const smooth_body *body, abut_vec3 direction);
/* Below 0 inside, 0 on the surface, above 0 outside, and about as large as the distance. World frame. */
double smooth_body_outside(const smooth_body *body, abut_vec3 point);

/* The overlap of the bodies along a unit direction from A to B; negative if the direction separates them. */
double smooth_body_depth(const smooth_body *a, const smooth_body *b, abut_vec3 direction);

/* The minimum of smooth_body_depth() over all directions: a dense grid, then a search with ever smaller steps from the best grid point. It is never less
 * than the true minimum. It may be larger if the difference of the bodies has edges or flat places. */
double smooth_body_least(const smooth_body *a, const smooth_body *b);

/* Sum of the largest extents; tolerances are relative to it. */
double smooth_body_scale(const smooth_body *a, const smooth_body *b);
