#pragma once

#include "tetra/mesh/joint.h"

/*
 * Zones: sets of elements that are to be parted by one plane each. An element of A and one of B that intersect belong to one zone, on
 * opposite sides; elements that share a vertex and are both in zones belong to one, on the same side. Zones share no vertices, so each can
 * be moved by itself.
 */

typedef struct zone_link {
    int32_t a, b;     /* elements, as numbered in the joint */
    abut_vec3 normal; /* of their rigid depth, from b into a */
    double depth;
} zone_link;

typedef struct zones {
    int32_t *parent; /* [vertex_count] a forest: the root of a tree is its own parent */
    uint8_t *odd;    /* [vertex_count] on the other side than its parent */
    int32_t *size;   /* [vertex_count] of roots: vertices */
    uint8_t *state;  /* [vertex_count] of roots: zone_state, together */
    uint8_t *level;  /* [vertex_count] of roots: how often the gap had to be made larger */
    uint8_t *inside; /* [element_count] in a zone */
    zone_link *link; /* [link_count] all pairs that were ever found, those within a zone left out */
    int64_t link_count, link_room;
} zones;

typedef enum zone_state {
    ZONE_STUCK = 1, /* no plane leaves its fixed vertices on their sides: it stays as it is */
    ZONE_TORN = 2,  /* some vertex belongs on both sides, or two elements of one side intersect: a plane cannot help these */
    ZONE_DIRTY = 4  /* it has changed, and is to be moved */
} zone_state;

bool zones_make(zones *z, const joint *j);
void zones_release(zones *z);

/* The root of a vertex's zone; its side in it, as seen from there. */
int32_t zones_root(zones *z, int32_t vertex, uint8_t *odd);

typedef enum zones_change { ZONES_SAME, ZONES_CHANGED, ZONES_NO_MEMORY } zones_change;

/* Takes a pair that intersects now into the zones. A pair that its zone's plane has parted, and intersects all the same, asks for a larger
 * gap. A pair within a zone that is stuck or torn changes nothing. */
zones_change zones_add(zones *z, const joint *j, abut_element_pair pair);

typedef struct zone_count {
    int32_t all, stuck; /* stuck or torn */
} zone_count;

zone_count zones_count(const zones *z, const joint *j);

/* The zone of every element, by its root, or -1. */
void zones_groups(zones *z, const joint *j, int32_t *group);
