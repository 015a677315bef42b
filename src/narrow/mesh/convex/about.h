#pragma once

#include "narrow/mesh/convex/ways.h"
#include "narrow/mesh/surface.h"

/*
 * The triangles at a corner, with the ways out of the body over their edges and corners. At the tip of a fan many triangles ask for the ways over its thousands
 * of neighbours. These are gathered and searched once. It changes the time and never the answer.
 */

/* A way over a triangle at the corner. */
typedef struct about_way {
    mesh_way_out out;
    int32_t item;
    bool refused; /* the surface does not admit it */
} about_way;

/* The ways over one triangle: a range of the list. */
typedef struct about_range {
    int32_t first, count;
    bool made;
} about_range;

typedef struct mesh_about {
    abut_vec3 point;
    bool made;
    mesh_set set;
    double from, below; /* limits of the ways of `range` */
    about_range *range; /* [set.count] */
    about_way *way;
    int32_t way_count, way_room;
    about_way *spoke; /* ways along normals of the planes through two sides that end at the corner */
    int32_t spoke_count, spoke_room;
    bool spoked; /* they were searched */
} mesh_about;

/* One for a corner with many triangles, which mostly stays, and one for others. */
typedef struct mesh_abouts {
    mesh_about many, few;
} mesh_abouts;

void mesh_abouts_init(mesh_abouts *abouts);
void mesh_abouts_free(mesh_abouts *abouts);

/* The triangles of the surface at a point. NULL without memory. */
mesh_about *mesh_abouts_go_to(mesh_abouts *abouts, const mesh_surface *surface, abut_vec3 point);

/* Forgets the ways if their limits do not hold the given ones. spare: by how much they become wider [length] */
void mesh_about_widen(mesh_about *about, double from, double below, double spare);

/* Stores the ways over a triangle. False without memory. */
bool mesh_about_keep(mesh_about *about, int32_t item, const mesh_way_out *ways, int32_t count);

/* Stores a way over two sides. False without memory. */
bool mesh_about_keep_spoke(mesh_about *about, int32_t item, const mesh_way_out *way);
