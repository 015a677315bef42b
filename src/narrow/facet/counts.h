#pragma once

#include "narrow/facet/mesh.h"

/*
 * Which of the contacts that facet_meet() finds count. Spheres are limited by their caps, but a flat facet is not: where a box stands over the edge of
 * another one, the sides of both overlap as well, by far more than the two boxes do. A surface with two sides touches with one of them.
 */

/* Two bodies in A's frame. Their shapes are bodies of rounded triangles or skins; b is NULL for a whole sphere or plane. */
typedef struct facet_bodies {
    const abut_shape *a, *b;
    const facet_placement *b_in_a;
    bool on_plane;      /* B is a plane */
    abut_vec3 centre_b; /* of mass; not used for a plane */
} facet_bodies;

facet_bodies facet_bodies_of(const abut_shape *a, const abut_shape *b, const facet_placement *b_in_a);

/* Whether a contact of two facets counts. Both sides in A's frame. */
bool facet_contact_counts(const facet_bodies *bodies, const facet_side *a, const facet_side *b, const abut_facet_contact *c);
