#pragma once

#include "narrow/mesh/convex/triangle_body.h"
#include "narrow/normal/contact_normal.h"

/*
 * The search for the closest points of a body and a triangle among the features that can hold them. Pair's frame.
 */

typedef struct closing {
    const convex *body;
    const triangle_body *triangle;
    abut_vec3 on_body, on_triangle; /* of the cores: the closest points found so far */
    double least;                   /* their distance */
    bool directed;                  /* directions are searched, and the least distance is known */
    abut_vec3 direction;            /* unit, from the body: along which the gap is widest so far */
    double gap;                     /* of the cores along it: a lower bound of their distance */
} closing;

/* The rounding error of a distance of two points. */
static inline double closing_rounding(const closing *c) { return 1e-15 * (c->body->size + c->triangle->body.size); }

/* Takes two points if they are the closest so far. Returns whether a direction between their features is worth a try. */
bool closing_offer(closing *c, abut_vec3 on_body, abut_vec3 on_triangle);

/* Takes a direction of any length if the gap along it is clearly wider. */
void closing_try(closing *c, abut_vec3 direction);

/* The same for the direction between two points, without its part along an edge. */
void closing_try_across(closing *c, abut_vec3 between, abut_vec3 edge);

/* The polytope or the segment: offers the points of all pairs of features of which one may be the closest. At first c->least is an upper bound of the distance,
 * and c->gap is the gap along c->direction. */
void closing_of_flat(closing *c);

/* The same for a frustum. */
void closing_of_frustum(closing *c);
