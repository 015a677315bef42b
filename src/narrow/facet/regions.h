#pragma once

#include "narrow/facet/mesh.h"
#include "shape/facet/mesh.h"

/*
 * Groups facet contacts by the places where two bodies touch. Two contacts belong to one place if, on both bodies, their facets are equal
 * or share a corner, and if the cosine between their normals exceeds 0.7.
 */

/* order   [count] receives the indices of the contacts, place by place
 * first   [count + 1] receives the position in `order` where each place begins, then the count
 * b       NULL for a whole sphere or plane
 * Returns the number of places. */
int32_t facet_regions_find(const facet_topology *a, const facet_topology *b, const abut_facetmesh_contact *items, int32_t count,
                           int32_t *order, int32_t *first);
