#pragma once

#include <abut/mesh.h>

#include "support/random.h"
#include "support/solid.h"

/*
 * The surface of a convex solid as a closed mesh: flat places are cut into many triangles that share their vertices, in a random order, and the mesh may have a
 * scale, mirror and pose of its own.
 */

typedef struct closed_mesh {
    abut_shape *shape;
    abut_pose inner; /* the solid's frame in the frame of the mesh */
} closed_mesh;

/* cuts: how often every triangle is cut into four. Release the shape with abut_shape_release(). */
closed_mesh closed_mesh_of(random_state *random, const solid *s, int32_t cuts);

/* The distance of a point (mesh frame) from the feature that a contact names, and infinite for a name that the mesh does not have. */
double closed_mesh_off(const abut_shape *mesh, abut_feature feature, abut_vec3 point);
