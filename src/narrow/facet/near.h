#pragma once

#include "narrow/facet/facet.h"
#include "narrow/facet/mesh.h"

/*
 * Facet pairs that may be in contact as long as no point of either body moves by more than a margin relative to the other body. A caller
 * that keeps such a list need not search again until then. Contacts are always computed by facet_meet(), so no result depends on a list.
 */

typedef struct facet_candidate {
    int32_t a, b; /* facets; b is -1 for a whole sphere or plane */
} facet_candidate;

/* Must be zero-initialised before its first use. */
typedef struct facet_candidates {
    facet_candidate *pair;
    int32_t count, capacity;
    int32_t most; /* the search ends when there are more; 0 for no limit */
    bool out_of_memory;
} facet_candidates;

static inline bool facet_candidates_are_too_many(const facet_candidates *near) { return near->most > 0 && near->count > near->most; }

void facet_candidates_add(facet_candidates *near, int32_t facet_a, int32_t facet_b);
/* Sorts by b, then by a, ascending. */
void facet_candidates_sort(facet_candidates *near);
void facet_candidates_release(facet_candidates *near);

/* Whether a facet's cap may reach into a ball of radius `reach`. */
bool facet_reaches(const facet_side *side, abut_vec3 centre, double reach);

/* Upper bound of the overlap of two surfaces where they touch. There the surface of A is in_b deep in B's sphere of radius radius_b, and
 * the surface of B is in_a deep in A's. The centres are at least `distance` apart. */
double facet_overlap_limit(double radius_a, double in_a, double radius_b, double in_b, double distance);

/* Two facets of spheres touch where their triangles lie over each other, seen along the line of the centres. True if this line surely turns little when the
 * centres, at this distance, move by `moved`: *lean, an upper bound of the change of its direction as a unit vector, is then at most 0.5. */
bool facet_axis_leans(double distance, double moved, double *lean);

/* For two facets, or a facet and a whole sphere or plane as `b`, relative to the same origin. Corners are not used. */
bool facet_may_meet(const facet_side *a, const facet_side *b, double margin);

static inline facet_side facet_whole_sphere(abut_vec3 centre, double radius) { return (facet_side){.centre = centre, .radius = radius}; }

/* The half-space normal . x <= offset; normal unit. */
static inline facet_side facet_whole_plane(abut_vec3 normal, double offset) {
    return (facet_side){.radius = INFINITY, .normal = normal, .foot = abut_scale(offset, normal)};
}

/* Adds the pairs of two bodies, in no particular order. The margin bounds how far points of B within twice its reach about its origin may
 * move in A's frame. This suffices, because touching facets overlap by at most half of B's thickness, which is at most its reach. */
void facetmesh_near(const abut_shape *a, const abut_shape *b, const facet_placement *b_in_a, double margin, facet_candidates *near);
/* The same for a whole sphere, in A's frame. margin: bounds how far its centre may move. */
void facetmesh_near_sphere(const abut_shape *a, abut_vec3 centre, double radius, double margin, facet_candidates *near);
/* The same for the half-space normal . x <= offset, normal unit. margin: bounds how far its surface may move, over all points of A. */
void facetmesh_near_plane(const abut_shape *a, abut_vec3 normal, double offset, double margin, facet_candidates *near);
