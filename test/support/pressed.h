#pragma once

#include <abut/collide.h>
#include <abut/facetmesh.h>
#include <abut/pressure.h>

/* Contacts of two bodies made of facets, with names. */
typedef struct pressed {
    abut_facet_contact *contacts;
    abut_pressure_id *ids;
    int32_t count;
} pressed;

/* All contacts between the facets of two bodies. Each body is one surface. Release with pressed_free(). */
pressed pressed_make(const abut_facet *a, int32_t count_a, const abut_facet *b, int32_t count_b, double reach);

/* Contacts of a body's facets with the half-space below `height`, which is B. */
pressed pressed_on_plane(const abut_facet *a, int32_t count, double height, double reach);

void pressed_free(pressed *p);

/* The same with A and B exchanged. */
void pressed_swap(pressed *p);

/* The same contacts after a rigid motion. */
void pressed_move(pressed *p, abut_pose motion);

/* What two shapes of which one is made of facets press on each other, at rest. At most 60,000 contacts. */
abut_pressure_result pressed_pair(const abut_pair *pair, const abut_pressure_law *law);
