#pragma once

#include <abut/shape.h>

#include "io/file/error.h"

/* How shapes are written on the command line, for the help. */
extern const char shape_argument_help[];

/* Where a shape says that it lies, in the frame that a pose places. */
typedef struct shape_placement {
    bool given;
    abut_pose pose; /* the identity when it does not say */
} shape_placement;

/*
 * A shape from the command line: KIND:NUMBERS, trimesh:[KEY=VALUE:]...FILE, or else a mesh file, whose pieces make a compound when there are
 * several. hull: pieces that are not convex are replaced by their hulls instead of refused. ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT, or whatever
 * the mesh file's reading or the shape's making returns.
 */
abut_status shape_argument_read(const char *text, bool hull, abut_shape **shape, shape_placement *placement, abut_error *error);

/* position and, optionally, quaternion: x,y,z[,qx,qy,qz,qw]. The quaternion is normalised. ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT. */
abut_status shape_argument_pose(const char *text, abut_pose *pose, abut_error *error);
