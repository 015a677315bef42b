#pragma once

#include <stdatomic.h>

#include <abut/shape.h>

#include "shape/polytope.h"

/*
 * What a shape is inside the library. One struct for all kinds; a kind uses the fields that its comment names and leaves the rest zero.
 */

struct abut_shape {
    abut_shape_kind kind;
    atomic_int references;

    double radius;       /* sphere, capsule */
    double half_length;  /* capsule */
    abut_vec3 half;      /* box */
    polytope surface;    /* box, polytope */

    abut_vec3 normal;    /* plane: outward unit normal */
    double offset;       /* plane: normal . x <= offset is inside */

    abut_part *parts;    /* compound */
    int32_t part_count;  /* compound */
    abut_aabb *part_bounds; /* compound: of each part, compound frame */

    double size;         /* all but planes: the largest extent of the bounds, the scale of every tolerance; planes 0 */
    abut_mass unit_mass; /* all but planes: for density 1 */
    abut_aabb bounds;    /* all but planes: shape frame */
};
