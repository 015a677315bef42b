#pragma once

#include "tetra/mesh/joint.h"

/*
 * Zones: sets of elements that one plane each separates. An element of A and an element of B that intersect belong to one zone, on opposite
 * sides. Elements that share a vertex and are both in zones belong to one zone, on the same side. Zones share no vertices, so each is moved
 * independently.
 */

typedef struct zone_link {
    int32_t a, b;     /* elements, in the numbering of the joint */
    abut_vec3 normal; /* normal of their rigid depth, from b into a */
    double depth;
} zone_link;

typedef struct zones {
    int32_t *parent; /* [vertex_count] a forest: the root of a tree is its own parent */
    uint8_t *odd;    /* [vertex_count] on the other side from its parent */
    int32_t *size;   /* [vertex_count] for roots: number of vertices */
    uint8_t *state;  /* [vertex_count] for roots: zone_state flags */
    uint8_t *level;  /* [vertex_count] for roots: number of times the gap was widened */
    uint8_t *inside; /* [element_count] belongs to a zone */
    zone_link *link; /* [link_count] all pairs found so far, except pairs within a zone */
    int64_t link_count, link_room;
} zones;

typedef enum zone_state {
    ZONE_STUCK = 1, /* no plane leaves its fixed vertices on their sides; the zone stays in place */
    ZONE_TORN = 2,  /* a vertex belongs on both sides, or two elements of one side intersect: a plane cannot separate these */
    ZONE_DIRTY = 4  /* changed, and to be moved */
} zone_state;

bool zones_make(zones *z, const joint *j);
void zones_release(zones *z);

/* The root of a vertex's zone, and the vertex's side relative to the root. */
int32_t zones_root(zones *z, int32_t vertex, uint8_t *odd);

/* Unites two vertices in one zone, on opposite sides or on the same side. */
void zones_unite(zones *z, int32_t p, int32_t q, uint8_t opposite);

typedef enum zones_change { ZONES_SAME, ZONES_CHANGED, ZONES_NO_MEMORY } zones_change;

/* Adds an intersecting pair to the zones. A pair that intersects although its zone's plane separated it requests a larger gap. A pair
 * within a stuck or torn zone changes nothing. */
zones_change zones_add(zones *z, const joint *j, abut_element_pair pair);

typedef struct zone_count {
    int32_t all, stuck; /* stuck: stuck or torn */
} zone_count;

zone_count zones_count(const zones *z, const joint *j);

/* The zone of every element, by its root, or -1. */
void zones_groups(zones *z, const joint *j, int32_t *group);
