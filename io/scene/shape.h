#pragma once

#include "io/mesh/pieces.h"
#include "io/scene/read.h"

/*
 * The shapes of a scene: named shapes, and shapes inside bodies and compounds.
 */

/* The result of a shape in the scene file: one shape, or the pieces of a mesh that become separate bodies. */
typedef struct scene_shape {
    const abut_shape *shape;        /* a reference is held; NULL for pieces */
    const abut_mesh_pieces *pieces; /* the origin of each is its centroid; NULL for a shape */
    abut_mesh_pieces *owned;        /* pieces that belong to this scene_shape; NULL when they belong to a named shape */
} scene_shape;

/* Builds all shapes of "shapes", whether they are used or not, so that each is checked. */
abut_status scene_build_shapes(scene_reader *reader);
void scene_release_shapes(scene_reader *reader);

/* Reads a shape, which is a name or an object. `what` names it in messages: "the shape of body 'x'". */
abut_status scene_read_shape(scene_reader *reader, const scene_place *place, const char *what, scene_shape *out);
void scene_release_shape(scene_shape *shape);

/* Takes ownership of the shape that abut_shape_create_...() made, or reports at `place` why there is none. */
abut_status scene_take_shape(const scene_reader *reader, const scene_place *place, const char *what, abut_status status,
                             const abut_shape *shape, scene_shape *out);
