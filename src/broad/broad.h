#pragma once

#include <abut/collide.h>
#include <abut/math.h>

#include "broad/box_tree.h"

/*
 * Candidate pairs of a world's bodies, kept from step to step, and what is remembered of each pair (its witnesses).
 *
 * A body is known by its slot. Its *reach* is a box around all it may touch during a step; its *fat* box contains the reach with room to
 * spare, so that a body that moves little leaves the tree alone. The list holds every pair whose fat boxes meet, in the order of (a, b):
 * a pair comes into the list when a fat box changes and leaves it when the boxes part. Whether the reaches meet is asked anew at every
 * step (broad_is_candidate) and is all that a caller's results may depend on: it is a function of the reaches alone, not of the history
 * of the fat boxes.
 *
 * Planes are unbounded and stand outside the tree; a plane meets a box that reaches below its surface.
 */

typedef struct broad_pair {
    int32_t a, b;          /* slots, a < b */
    int32_t previous;      /* in a list made by broad_find(): where the pair was in the list before; -1 for a new pair */
    int32_t contact_first; /* contacts of the last step, in the world's list */
    int32_t contact_count;
    abut_vec3 normal; /* of the last step's deepest patch, from b into a; zero for none */
    abut_cache cache; /* changes the time of a narrow phase, never its result */
} broad_pair;

typedef enum broad_kind { BROAD_NONE = 0, BROAD_BOX, BROAD_PLANE } broad_kind;

typedef struct broad_proxy {
    broad_kind kind;
    bool movable; /* pairs of two bodies that are not movable are left out */
    bool changed; /* fat (or the plane) is new since the last list was committed */
    int32_t leaf; /* in the tree of boxes; -1 for none */
    abut_aabb reach;
    abut_aabb fat;
    abut_vec3 normal; /* planes: the half-space normal . x <= offset, the reach included */
    double offset;
} broad_proxy;

typedef struct broad_phase {
    box_tree boxes;
    broad_proxy *proxies; /* [capacity], by slot */
    int32_t capacity;
    int32_t used;    /* slots used + 1 at most */
    int32_t *planes; /* [capacity] slots of the planes, ascending */
    int32_t plane_count;

    broad_pair *pairs; /* the committed list */
    int32_t pair_count, pair_capacity;
    broad_pair *found; /* the list of a step that is under way */
    int32_t found_count, found_capacity;
    uint64_t *fresh; /* keys of pairs that a query brought up */
    int32_t fresh_count, fresh_capacity;
} broad_phase;

broad_phase broad_empty(void);
void broad_release(broad_phase *broad);

/* Room for slots 0 to slots - 1. False when there is no memory; then nothing has changed but spare room. */
bool broad_reserve(broad_phase *broad, int32_t slots);

/* Add the body of a free slot for which there is room: a bounded one, or the half-space. */
void broad_add_box(broad_phase *broad, int32_t slot, bool movable, abut_aabb reach);
void broad_add_plane(broad_phase *broad, int32_t slot, abut_vec3 normal, double offset);

/* Take a body out. Its pairs stay in the committed list until its caller takes them out of broad->pairs. */
void broad_remove(broad_phase *broad, int32_t slot);

/* A body's reach for the coming step; `ahead` is where its motion carries it in the next steps, for the shape of the fat box only. */
void broad_move_box(broad_phase *broad, int32_t slot, abut_aabb reach, abut_vec3 ahead);
void broad_move_plane(broad_phase *broad, int32_t slot, abut_vec3 normal, double offset);

/* A body's place as it was in an earlier step, `changed` included: a restored world finds the pairs that it would have found. */
void broad_restore_box(broad_phase *broad, int32_t slot, abut_aabb reach, abut_aabb fat, bool changed);
void broad_restore_plane(broad_phase *broad, int32_t slot, abut_vec3 normal, double offset, bool changed);

/* Make the list of the coming step in broad->found, with what is remembered of the pairs that were in the list before. False when there
 * is no memory; the committed list is untouched in both cases. */
bool broad_find(broad_phase *broad);

/* Let broad->found be the committed list. */
void broad_commit(broad_phase *broad);

/* Do the reaches of the two meet? */
bool broad_is_candidate(const broad_phase *broad, const broad_pair *pair);
