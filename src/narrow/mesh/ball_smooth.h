#pragma once

#include "narrow/mesh/set.h"

/*
 * A ball on the smooth surface of a triangle (shape/edges/mesh_smooth.h). Set frame; the ball's centre is the origin.
 */

/* Where the normal of a triangle's smooth surface goes through the centre. */
typedef enum smooth_answer {
    SMOOTH_NONE,    /* the triangle has no smooth side, and counts itself */
    SMOOTH_NOWHERE, /* the search has no result, as beyond the centre of curvature of a hollow */
    SMOOTH_TOUCHES, /* over the triangle */
    SMOOTH_BEYOND,  /* beyond a smooth edge */
    SMOOTH_BORDER,  /* beyond a border or a sharp edge */
    SMOOTH_BOTH     /* beyond one of each kind */
} smooth_answer;

/* The place on the smooth surface. */
typedef struct smooth_foot {
    abut_vec3 point;
    abut_vec3 normal; /* unit, outwards */
    double height;    /* of the centre over the point, along the normal */
} smooth_foot;

/* Finds the place, or the one of the triangle's border beside it. `foot` is written for the last four answers. mesh: that of the triangle. */
smooth_answer ball_smooth_find(const placed_mesh *mesh, const mesh_triangle *t, smooth_foot *foot);

/* Whether a triangle's side, or both of its sides at a corner, are smooth. */
bool ball_smooth_joins(const placed_mesh *mesh, const mesh_triangle *t, int place, bool is_edge);
