#pragma once

#include <abut/facetmesh.h>

#include "geom/disc.h"
#include "geom/planar.h"
#include "shape/facet/side.h"

/*
 * Contact of two rounded surfaces, a piece at a time: their spheres, the circle in which these meet, the polygon in which the projected triangles
 * overlap. B. Smeets and others, supplementary information 1; "axis" is from A to B.
 */

/* Whether two facets are surely not in contact, by their spheres and the circles of their corners: what most pairs need that somebody asks about. Sides
 * seen from the same origin; their corners are not looked at. */
bool facet_is_away(const facet_side *a, const facet_side *b);

/* Sides seen from the same origin. reach: 0, or abut_facet_collide_within()'s. */
abut_facet_contact facet_meet(const facet_side *a, const facet_side *b, abut_vec3 origin, double reach);
/* The same, as far as Hertz's pressure reaches, which is to sqrt(R overlap) from the middle: contacts beyond are ABUT_FACET_BESIDE; and without area_in_circle,
 * which is 0. It takes half of the time. */
abut_facet_contact facet_meet_pressing(const facet_side *a, const facet_side *b, abut_vec3 origin);

/* Overlap of two spheres at the distance h from the middle of their contact circle, from that in the middle (equation 36). */
static inline double facet_overlap_at(double sphere_overlap, double radius_a, double radius_b, double h2) {
    return sphere_overlap - facet_sagitta(radius_a, h2) - facet_sagitta(radius_b, h2);
}
