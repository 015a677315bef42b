#pragma once

#include <abut/facetmesh.h>

#include "geom/disc.h"
#include "geom/planar.h"
#include "shape/facet/side.h"

/*
 * Contact of two rounded triangles (B. Smeets and others, supplementary information 1 [S14]): the overlap of their spheres, the contact
 * circle, and the polygon common to both triangles projected on the contact plane. "Axis" is the direction from the centre of A's sphere to
 * that of B's.
 */

/* Cosines between normal and axis up to this count as a right angle: such triangles have almost no area in the contact plane. */
#define FACET_LEAST_FACING 1e-3
/* Spheres whose centres are nearer than this have no axis, relative to the sum of their radii. */
#define FACET_LEAST_APART 1e-10

static inline bool facet_is_flat(const facet_side *side) { return !(side->radius < INFINITY); }

static inline bool facet_is_round(const facet_side *side) {
    return side->saddle.x == 0.0 && side->saddle.y == 0.0 && side->saddle.z == 0.0;
}

/* Whether the surfaces overlap by more than half of a body's thickness behind a facet. Then the other surface may belong to the body's far
 * side. */
static inline bool facet_is_too_deep(const facet_side *side, double overlap) { return side->depth > 0.0 && overlap > side->depth; }

/* Whether two facets are certainly not in contact, by their spheres and circumcircles. This decides most pairs. Both sides relative to the
 * same origin; their corners are not used. */
bool facet_is_away(const facet_side *a, const facet_side *b);

/* Both sides relative to the same origin. reach: 0, or the reach of abut_facet_collide_within(). */
abut_facet_contact facet_meet(const facet_side *a, const facet_side *b, abut_vec3 origin, double reach);
/* The same within the radius of Hertz's pressure, sqrt(R * overlap) from the middle: contacts of round facets beyond it are ABUT_FACET_BESIDE.
 * area_in_circle is not computed and is 0. Takes half of the time. */
abut_facet_contact facet_meet_pressing(const facet_side *a, const facet_side *b, abut_vec3 origin);

/* Overlap of two spheres at the distance h from the middle of their contact circle (equation 36). sphere_overlap: in the middle;
 * h2: h^2. */
static inline double facet_overlap_at(double sphere_overlap, double radius_a, double radius_b, double h2) {
    return sphere_overlap - facet_sagitta(radius_a, h2) - facet_sagitta(radius_b, h2);
}

/* Two flat facets, or a flat facet and a whole plane: see abut/facet.h. */
abut_facet_contact facet_meet_flat(const facet_side *a, const facet_side *b, abut_vec3 origin);
