#pragma once

#include "narrow/normal/convex.h"
#include "narrow/normal/feature_overlap.h"

/*
 * A line that runs along the side of a cylinder or a cone. Two lines that are nearly parallel cross in one point at most, so at the ends of their overlap they
 * lie beside each other. The side is curved: each end of the line has a point of the side that faces it.
 */

/* A straight line in the contact plane. */
typedef struct side_track {
    double x, y;   /* one of its points */
    double dx, dy; /* unit, along it */
} side_track;

/* Finds the point of the side that lies over a point of the track, seen along `outward` from the body. Where this is beyond an end of the side, the track's
 * point moves along the track to the rim. False where the side has no such point. */
bool side_lift(const contact_plane *plane, const convex *body, abut_vec3 outward, side_track *track, abut_vec3 *point);
