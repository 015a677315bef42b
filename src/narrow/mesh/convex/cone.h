#pragma once

#include "narrow/mesh/convex/ways.h"
#include "narrow/mesh/index/edges.h"
#include "narrow/mesh/index/hub.h"
#include "narrow/mesh/index/near.h"
#include "narrow/mesh/set.h"

/*
 * Decides whether a normal may act at a point of the surface: the Gauss-cell test. Near the point the surface consists of the triangles
 * that contain it. A direction is a normal of the surface there if none of these triangles rises above the plane with that normal through its
 * own point nearest to the place.
 */

/* The triangles near the body, and how to find those at a point and those across a side. */
typedef struct mesh_cone_set {
    const mesh_set *set;
    mesh_near *near;
    mesh_hub *hub;
    mesh_edges *edges;
    double same;     /* points closer than this are one place [length] */
    double rounding; /* by how much a triangle at a place may rise because of rounding errors [length] */
} mesh_cone_set;

/* p: a point of the triangle `of`. */
bool mesh_cone_admits(const mesh_cone_set *in, const mesh_triangle *of, abut_vec3 p, abut_vec3 normal);

/* Whether a likely triangle contains p and rises above the plane by more than `level`: the one that did so last, or a neighbour of `of`. If
 * not, others may. It saves the search for all triangles at p. */
bool mesh_cone_is_closed(const mesh_cone_set *in, const mesh_triangle *of, abut_vec3 p, abut_vec3 normal, double level);

/* The same for all points of a side of the triangle, for a normal across the side. */
bool mesh_cone_is_closed_along(const mesh_cone_set *in, const mesh_triangle *of, int side, abut_vec3 normal, double level);

/* Looks at the triangles of a set beside a triangle, which need not be in it. edges: of the set. */
void mesh_cone_look_beside(mesh_edges *edges, const mesh_triangle *of, double level, mesh_ways_beside *beside);

/* Whether a normal equals the triangle's, within one degree. */
bool mesh_cone_is_own(const mesh_triangle *t, abut_vec3 normal);

/* The same, or within the angle with that sine, if it is larger. */
bool mesh_cone_is_own_within(const mesh_triangle *t, abut_vec3 normal, double sine);

/* The same, up to rounding errors. */
bool mesh_cone_is_exactly_own(const mesh_triangle *t, abut_vec3 normal);

/* Whether a normal leads behind a one-sided triangle, by more than one degree. */
bool mesh_cone_is_behind(const mesh_triangle *t, abut_vec3 normal);
