#pragma once

#include <abut/collide.h>

#include "bytes.h"

/*
 * A question about meshes: a small mesh of any kind, a shape, their poses, and the contact settings.
 */

typedef struct mesh_question {
    abut_shape *mesh, *shape;              /* NULL if the library refused to create it */
    abut_pose mesh_pose, pose, other_pose; /* other_pose is that of a second, equal mesh */
    abut_collide_settings settings;
    bool two_sided;
} mesh_question;

mesh_question mesh_question_read(bytes *in, double *scale);

/* The mesh alone: a field of heights, a sheet, triangles anywhere, or a block. NULL if the library refused to create it. */
abut_shape *mesh_question_read_mesh(bytes *in, double scale, bool *two_sided);

/* Checks bounds, numbers and mass of a mesh. */
void mesh_question_check_mesh(const abut_shape *mesh);

/* Whether there are triangles with so small a height that rounding changes them. Triangles with zero height are well defined: they are their longest sides. */
bool mesh_question_has_needles(const mesh_question *q, double sizes);
