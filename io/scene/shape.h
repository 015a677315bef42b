#pragma once

#include "io/mesh/pieces.h"
#include "io/scene/read.h"

/*
 * The shapes of a scene: named ones and those inside of bodies and compounds.
 */

/* What a shape of the scene file has become: one shape, or the pieces of a mesh that are to be bodies of their own. */
typedef struct scene_shape {
    const abut_shape *shape;        /* a reference is held; NULL for pieces */
    const abut_mesh_pieces *pieces; /* each centred on its centroid; NULL for a shape */
    abut_mesh_pieces *owned;        /* pieces, where they belong to this one; NULL where they belong to a named shape */
} scene_shape;

/* Build all shapes of "shapes", used or not, so that each is checked. */
abut_status scene_build_shapes(scene_reader *reader);
void scene_release_shapes(scene_reader *reader);

/* A shape by name or in place. `what` names it in messages: "the shape of body 'x'". */
abut_status scene_read_shape(scene_reader *reader, const scene_place *place, const char *what, scene_shape *out);
void scene_release_shape(scene_shape *shape);

/* Take over the shape of a successful abut_create_...(), or say at `place` why there is none. */
abut_status scene_take_shape(const scene_reader *reader, const scene_place *place, const char *what, abut_status status,
                             const abut_shape *shape, scene_shape *out);
