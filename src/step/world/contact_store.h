#pragma once

#include <stdbool.h>

#include <abut/world.h>

#include "broad/broad.h"
#include "solve/wide/record.h"

/*
 * The contacts of a step, and what the next step remembers of them. The world has two stores: one for the last step, and one that a step fills.
 */

/* What warm starting takes over from a contact of the last step: its forces, and its id and its place to find them by. */
typedef wide_contact contact_memory;

enum { TRACKING_POINTS = 4 };

/* A witness point that the tracking method remembers. */
typedef struct tracking_point {
    abut_contact contact;
    abut_vec3 local_a, local_b; /* on_a and on_b in the shape frames */
} tracking_point;

typedef struct tracking_cache {
    tracking_point points[TRACKING_POINTS];
    int32_t count;
    uint64_t made; /* number of points made so far; a new point takes the next number as its id */
} tracking_cache;

typedef struct contact_store {
    abut_world_contact *contacts; /* [capacity], pair by pair in the order of the broad phase's list */
    contact_memory *memory;       /* [capacity], beside contacts; NULL for the dem stepper, which remembers contacts itself */
    int32_t count, capacity;
    tracking_cache
        *tracking; /* [tracking_capacity], one for each pair of the broad phase's list; NULL until the tracking method needs it */
    int32_t tracking_capacity;
} contact_store;

/* Make room for `needed` contacts and keep the first `count`. False when there is no memory; the contacts are then unchanged. */
bool contact_store_reserve(contact_store *store, int32_t needed);
/* The same without memory. */
bool contact_store_reserve_plain(contact_store *store, int32_t needed);

/* How deep two bodies are in each other by the contacts of their pair; at least 0. Contacts that were made in the course of a step are no depths. */
double contact_store_depth(const contact_store *store, const broad_pair *pair);

void contact_store_release(contact_store *store);
