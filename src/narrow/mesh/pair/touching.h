#pragma once

#include "narrow/mesh/pair/closed.h"
#include "narrow/mesh/pair/features.h"
#include "narrow/mesh/pair/settings.h"

/*
 * The work on contacts of two surfaces by features of both (pair.h): touch_vertices.h and touch_edges.h add contacts, settle.h drops some. Set frame.
 */

typedef struct mesh_touching {
    mesh_surface side[2]; /* A, B */
    mesh_features near[2];
    const mesh_pair_settings *settings;
    closed_pair *closed; /* two closed meshes: what is exact; NULL for others */
    double deepest;      /* upper bound of the length of a way out [length] */
    contact_list *found;
    contact_list *contained; /* two closed meshes: contacts of pieces inside the other one (contained.h) */
    bool inside;             /* some vertex of one surface is inside the other */
    bool out_of_memory;
} mesh_touching;

/* Whether two normals are so near each other that no third one between them is another way than either. */
static inline bool mesh_is_one_way(abut_vec3 p, abut_vec3 q) {
    const double near = 0.25 * FLAT_SINE;
    return abut_length_squared(abut_sub(p, q)) <= near * near;
}

/* Whether a normal may act at a point of a side's surface: see mesh_surface_admits(). */
static inline bool mesh_touching_admits(mesh_touching *work, int side, abut_vec3 point, abut_vec3 normal, double sine) {
    return mesh_surface_admits(&work->side[side], point, normal, sine, &work->out_of_memory);
}
