#pragma once

#include "narrow/normal/convex.h"

/*
 * Bodies of revolution about an axis through the origin that contain a core, and hence all that the core sweeps while it turns about the axis.
 */
typedef struct swept_cylinder {
    double reach;     /* its radius */
    double low, high; /* heights of its ends along the axis */
} swept_cylinder;

/* From the core's vertices, or the corners of its bounding box for a smooth core or a frustum. axis: unit, or zero for a core that does not turn. */
swept_cylinder swept_cylinder_of_bounds(const convex *core, abut_vec3 axis);

/* The same, and a ring about the axis, grown by a radius, that contains it, too: the way of a ball about the core. Their intersection is smaller than the
 * cylinder from bounds. It is sharp for ellipsoids and frusta that turn about an axis of symmetry, and for balls about the origin. */
typedef struct swept_hull {
    swept_cylinder cylinder;
    double height, distance; /* of the middle of the core, along the axis and from it */
    double radius;
    bool unchanged; /* the core is one of revolution about the axis: turning changes nothing, up to rounding error */
} swept_hull;

swept_hull swept_hull_of(const convex *core, abut_vec3 axis, const swept_cylinder *bounds);

/* Their support functions; an upper bound of that of the intersection. */
double swept_cylinder_support(const swept_cylinder *cylinder, abut_vec3 axis, abut_vec3 direction);
double swept_hull_support(const swept_hull *hull, abut_vec3 axis, abut_vec3 direction);
