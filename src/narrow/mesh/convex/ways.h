#pragma once

#include "narrow/normal/convex.h"
#include "narrow/mesh/set.h"

/*
 * The ways of a convex body out of a triangle at one of its edges or corners: the directions along which the body's depth below the edge or
 * the corner is a local minimum. The least depth of a body and a whole triangle is one of them, or that along the triangle's normal. The
 * others matter where the surface does not admit the least one. Set frame.
 */

enum { MESH_WAYS_OUT = 192 };

typedef struct mesh_way_out {
    abut_vec3 normal; /* unit, from the mesh to the body; not behind the triangle, which does not rise above it */
    double depth;     /* translation along the normal that takes the body out [length] */
} mesh_way_out;

/* A point, and the shortest way out of the body over it: its normal, and the body's point that is the lowest along it. */
typedef struct mesh_ways_nearest {
    abut_vec3 point, normal, lowest;
    bool made, found;
} mesh_ways_nearest;

/* The last points for which the shortest way was searched for, by corners of triangles. They change the time and never the result. */
typedef struct mesh_ways_known {
    mesh_ways_nearest at[3];
    int last; /* the last one that was found */
} mesh_ways_known;

/* Triangles beside one: those across its sides, and more about its corners. The surface does not admit a way above whose plane one of them rises. */
enum { MESH_WAYS_BESIDE = 8 };

typedef struct mesh_ways_beside {
    abut_vec3 way[3][MESH_WAYS_BESIDE]; /* from each corner to corners of triangles there */
    int count[3];
    abut_vec3 across[3]; /* the corner beyond each side */
    bool has_across[3];
    double level; /* it must rise by more than this [length] */
} mesh_ways_beside;

/* Searches the sides whose bits are set, and their ends. Writes the ways with depths from `from` on and less than `below` to
 * ways[MESH_WAYS_OUT], by increasing depth; of more the least deep ones. Returns their number. The triangle must have a face. known: of the body;
 * zeroed at first. beside: ways that it closes may be left out. */
int32_t mesh_ways_find(const convex *body, const mesh_triangle *t, int sides, double from, double below, mesh_ways_known *known,
                       const mesh_ways_beside *beside, mesh_way_out *ways);
