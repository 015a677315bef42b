#pragma once

#include "narrow/facet/mesh.h"
#include "shape/facet/mesh.h"

/*
 * Contacts of facets that belong together: the places at which two bodies touch. Two contacts do when their facets are the same or share a corner, on either
 * body, and their normals are not far apart.
 */

/* order   [count] receives the contacts, place by place
 * first   [count + 1] receives where those of each place begin in the order, and at the end the count
 * b       NULL for a whole sphere or plane
 * Number of places. */
int32_t facet_regions_find(const facet_topology *a, const facet_topology *b, const abut_facetmesh_contact *items, int32_t count,
                           int32_t *order, int32_t *first);
