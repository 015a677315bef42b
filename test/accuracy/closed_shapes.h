#pragma once

#include <abut/shape.h>

#include "support/random.h"

/*
 * Closed surfaces that are not convex, of about unit size. Every side has two triangles, also where a surface is cut finely.
 */

typedef struct closed_shape {
    abut_vec3 *vertex;
    int32_t (*triangle)[3];
    int32_t vertices, triangles;
} closed_shape;

/* One of: boxes, plates and hulls of cells (L, U, combs, plates with holes), boxes and balls with dents, stars, gears, rings, bowls, pipes, spools. tidy:
 * places are eighths, if the kind allows. */
closed_shape closed_shape_pick(random_state *random, bool tidy);

/* A box, the corner of a cube, or a ball. */
closed_shape closed_shape_pick_convex(random_state *random, bool tidy);

/* Two of them, of which the second one fits into the first one's hole, and is outside it at the place given; the pose of both is the same frame. */
void closed_shape_pick_fitting(random_state *random, bool tidy, closed_shape of[2], abut_vec3 *place);

/* Cuts `count` sides or faces at random places, some of them near a corner: the triangles become slivers. */
void closed_shape_cut(closed_shape *shape, random_state *random, int32_t count);

void closed_shape_scale(closed_shape *shape, abut_vec3 by);

/* The mesh. The shape is freed. */
abut_shape *closed_shape_mesh(closed_shape *shape);
