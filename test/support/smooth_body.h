#pragma once

#include <abut/math.h>
#include <abut/shape.h>

#include "support/random.h"

/*
 * Ellipsoids, superquadrics and the convex bodies they meet, by their support functions: an independent referee for extremal pairs, that
 * shares nothing with the library. In long double, so that differences of it are derivatives.
 */

typedef enum smooth_kind {
    SMOOTH_ELLIPSOID,
    SMOOTH_SUPERQUADRIC,
    SMOOTH_BALL,
    SMOOTH_BAR, /* capsule */
    SMOOTH_BOX,
    SMOOTH_CLOUD, /* hull of points on an ellipsoid */
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

/* A body of the kind with sizes from 1 / aspect to 1 and exponents from `least` to 2 - least; turned at random, at the origin. */
smooth_body smooth_body_random(random_state *state, smooth_kind kind, double aspect, double least);
/* The same as a shape; the test ends when it is refused. */
abut_shape *smooth_body_shape(const smooth_body *body);

/* Largest n . x over the body in its own frame, for n of any length. */
long double smooth_body_support(const smooth_body *body, const long double n[3]);
/* The same in the world, for a unit direction. */
double smooth_body_extent(const smooth_body *body, abut_vec3 direction);
/* A number that is below 0 inside, 0 on the surface and above 0 outside, about as large as the distance; world. */
double smooth_body_outside(const smooth_body *body, abut_vec3 point);

/* How far the bodies are in each other along a unit direction from A to B; negative where it separates them. */
double smooth_body_depth(const smooth_body *a, const smooth_body *b, abut_vec3 direction);

/* The least of it over all directions: a dense grid, and from the best of its points on by ever smaller steps of any direction. Never less
 * than what it is; it may be more where the difference of the bodies has edges or flat places. */
double smooth_body_least(const smooth_body *a, const smooth_body *b);

/* Sum of the largest extents: what tolerances are relative to. */
double smooth_body_scale(const smooth_body *a, const smooth_body *b);
