#pragma once

#include "narrow/facet/facet.h"
#include "narrow/facet/mesh.h"

/*
 * Which facets may touch soon: pairs that may be in contact as long as no point of either body has moved by more than a margin, as the other body sees it.
 * Whoever keeps such a list need not search until then; what is in contact is always found by facet_meet() itself, so that no result depends on a list.
 */

typedef struct facet_candidate {
    int32_t a, b; /* facets; b -1 of a whole sphere or plane */
} facet_candidate;

/* Zero-initialise before its first use. */
typedef struct facet_candidates {
    facet_candidate *pair;
    int32_t count, capacity;
    bool out_of_memory;
} facet_candidates;

void facet_candidates_add(facet_candidates *near, int32_t facet_a, int32_t facet_b);
/* By rising b, then a. */
void facet_candidates_sort(facet_candidates *near);
void facet_candidates_release(facet_candidates *near);

/* Whether a facet's cap may come into a ball. */
bool facet_reaches(const facet_side *side, abut_vec3 centre, double reach);

/* How far two surfaces can overlap where they touch. There the surface of A is in_b deep in B's sphere, whose radius is radius_b, and that of B in_a in
 * A's; the centres are apart by the distance, or more. */
double facet_overlap_limit(double radius_a, double in_a, double radius_b, double in_b, double distance);

/* Of two facets, or a facet and a whole surface as `b`; seen from one origin. Their corners are not looked at. */
bool facet_may_meet(const facet_side *a, const facet_side *b, double margin);

static inline facet_side facet_whole_sphere(abut_vec3 centre, double radius) { return (facet_side){.centre = centre, .radius = radius}; }

/* The half-space normal . x <= offset, normal unit. */
static inline facet_side facet_whole_plane(abut_vec3 normal, double offset) {
    return (facet_side){.radius = INFINITY, .normal = normal, .foot = abut_scale(offset, normal)};
}

/* Adds the pairs of two bodies, in no order. The margin bounds how far, since, points of B within twice its reach about its origin may have
 * moved in A's frame: where facets touch they overlap by no more than half of B's thickness, which is no more than its reach. */
void facetmesh_near(const abut_shape *a, const abut_shape *b, const facet_placement *b_in_a, double margin, facet_candidates *near);
/* The same of whole partners, in A's frame: how far the centre may have moved, */
void facetmesh_near_sphere(const abut_shape *a, abut_vec3 centre, double radius, double margin, facet_candidates *near);
/* and how far the surface of normal . x <= offset, normal unit, may have, over all points of A. */
void facetmesh_near_plane(const abut_shape *a, abut_vec3 normal, double offset, double margin, facet_candidates *near);
