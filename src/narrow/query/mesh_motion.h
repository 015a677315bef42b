#pragma once

#include <abut/shape.h>

#include "narrow/normal/contact_normal.h"

/*
 * A moving body and a moving mesh. All vectors have the axes of the world; both bodies are seen from their pivots, about which they turn.
 */

/* The body may be of any kind, a plane or another mesh, too. */
typedef struct mesh_cast {
    const abut_shape *body, *mesh;
    abut_mat3 body_rotation, mesh_rotation; /* at first */
    abut_vec3 body_pivot, mesh_pivot;       /* shape frames */
    abut_vec3 body_turn, mesh_turn;         /* rotation vectors of the whole motion */
    abut_vec3 apart;                        /* from the body's pivot to the mesh's at first */
    abut_vec3 travel;                       /* how that changes over the whole motion */
    double tolerance;
    double rounding;  /* a body that is no deeper in a triangle at the start touches it */
    double depth;     /* 0: up to the touch; else until the body is this deep in a triangle, and settings.minimum is true */
    bool narrow_body; /* with a depth: at most a share of the radius of a ball inside the body's part is asked for */
    bool narrow_mesh; /* with a depth: at most a share of the radius of the circle inside the triangle is asked for */
    double
        least_depth; /* with narrow_body or narrow_mesh: triangles that need no more depth than this, and are met at the start, are left out */
    normal_settings settings; /* directions with the axes of the world */
} mesh_cast;
