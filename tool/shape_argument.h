#pragma once

#include <abut/shape.h>

#include "io/file/error.h"

/* The syntax of shapes, for the help. */
extern const char shape_argument_help[];

/* The pose that a shape's text gives (at=...), in the frame that --pose or --pose-a places. */
typedef struct shape_placement {
    bool given;
    abut_pose pose; /* the identity if none is given */
} shape_placement;

/*
 * Make a shape from KIND:[contraction=X,Y,Z:]NUMBERS, implicit:[KEY=VALUE:]...FORMULA, parametric:[KEY=VALUE:]...X;Y;Z, trimesh:[KEY=VALUE:]...FILE,
 * facetmesh:[KEY=VALUE:]...FILE, or a mesh file. Several pieces of a mesh file make a compound. hull: replace pieces that are not convex by their hulls,
 * instead of refusing them. ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT; a status of the function that reads the file or makes the shape.
 */
abut_status shape_argument_read(const char *text, bool hull, abut_shape **shape, shape_placement *placement, abut_error *error);

/* Read a pose: x,y,z[,qx,qy,qz,qw]. The quaternion is normalised. ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT. */
abut_status shape_argument_pose(const char *text, abut_pose *pose, abut_error *error);
