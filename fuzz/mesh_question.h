#pragma once

#include <abut/collide.h>

#include "bytes.h"

/*
 * What is asked of meshes: a small one of any kind, a shape, where they are, and how contacts are to be made.
 */

typedef struct mesh_question {
    abut_shape *mesh, *shape;              /* NULL where the library refused to make it */
    abut_pose mesh_pose, pose, other_pose; /* the last one of a second mesh, the same as the first */
    abut_collide_settings settings;
    bool two_sided;
} mesh_question;

mesh_question mesh_question_read(bytes *in, double *scale);

/* Bounds, numbers and mass of a mesh. */
void mesh_question_check_mesh(const abut_shape *mesh);

/* Triangles with hardly a height, of which a rounding makes others. Those without any are well defined: they are their longest sides. */
bool mesh_question_has_needles(const mesh_question *q, double sizes);
