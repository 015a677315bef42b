#pragma once

#include "narrow/normal/convex.h"

/*
 * The normals of a feature, and the pairs of points of two features that face each other along a common normal.
 *
 * Directions run from A to B. The outward normals of a face are one direction, those of an edge or of the side of a frustum a circle on the sphere of
 * directions, and those of a vertex, a rim or a smooth surface a region. On it the support function is smooth, so that Newton's method finds where the height
 * h(d) = max d . (a - b) of two features is stationary. Core features of a frustum: face 0 or 1, its discs; edge 0, its side; vertex 0 or 1, a rim or an
 * apex. Pair's frame.
 */

typedef struct stratum {
    const convex *body;
    double side; /* 1 for A, -1 for B: the outward normal is side * direction */
    abut_feature feature;
    int fixed;      /* number of conditions that the feature puts on a direction d: 0, 1 or 2 */
    abut_vec3 axis; /* fixed 1: axis . d = along; fixed 2: d = axis */
    double along;
} stratum;

#define STRATUM_SMALL 1e-7 /* an angle */
#define STRATUM_FLAT 1e-3  /* the radius of a circle of normals; nearer to the axis, cosines and directions lose digits of the angle */

/* The part of a unit vector across a unit axis, as a unit vector. False where the vector is along the axis, up to a small angle. */
static inline bool stratum_across(abut_vec3 vector, abut_vec3 axis, double small, abut_vec3 *across) {
    abut_vec3 rest = abut_add_scaled(vector, -abut_dot(vector, axis), axis), unit = abut_unit(rest);
    *across = abut_unit(abut_add_scaled(unit, -abut_dot(unit, axis), axis));
    return abut_length_squared(rest) > small * small;
}

stratum stratum_of(const convex *body, double side, abut_feature feature);

/* The feature's point along the direction, and the radii of curvature of the region along u and v. */
void stratum_place(const stratum *s, abut_vec3 direction, abut_vec3 u, abut_vec3 v, smooth_place *place);

/* Moves the direction to where the height of both features is stationary near it, so that it obeys all conditions. False where Newton's method does not
 * converge or finds no local minimum; features with three or more conditions have none but by chance. */
bool stratum_settle(const stratum *a, const stratum *b, abut_vec3 *direction);

/* The directions that obey one condition of each of two features: 0 or 2, which may be equal. */
int stratum_cross(const stratum *a, const stratum *b, abut_vec3 direction[2]);

/* The extremal features of a body whose normals come within the angle (a sine) of the direction: at most `room`, those with most conditions first. Returns
 * their number. */
int stratum_list(const convex *body, double side, abut_vec3 direction, double sine, stratum *list, int room);
