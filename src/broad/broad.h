#pragma once

#include <abut/base.h>
#include <abut/collide.h>
#include <abut/filter.h>
#include <abut/math.h>

#include "base/parts.h"
#include "broad/box_tree.h"

/*
 * Candidate pairs of a world's bodies, kept from step to step, with data for each pair (its witnesses).
 *
 * A body is identified by its slot. Its *reach* is a box around everything that it may touch during a step. Its *fat* box contains the
 * reach with slack, so a body that moves little does not change the tree. The list holds every pair whose fat boxes meet, in the order of
 * (a, b). A pair enters the list when a fat box changes and leaves it when the boxes part. Whether the reaches meet is tested in every step
 * (broad_is_candidate), and results of callers may depend on this alone: it is a function of the reaches, not of the history of the fat
 * boxes.
 *
 * Planes are unbounded and stand outside the tree. A plane meets a box that reaches below its surface.
 */

typedef struct broad_pair {
    int32_t a, b;          /* slots, a < b */
    int32_t previous;      /* in a list of broad_find(): index of the pair in the list before; -1 for a new pair */
    int32_t contact_first; /* contacts of the last step, in the world's list */
    int32_t contact_count;
    bool measured; /* depth is known */
    double depth;  /* of the deepest contact of the last step; at least 0 */
    double met;    /* the fraction of the last step at which its contacts were made; 0: at the start */
} broad_pair;

/* What only the narrow phase asks of a pair. It has memory of its own, because many loops go through all pairs. */
typedef struct broad_memory {
    abut_vec3 normal; /* of the deepest patch of the last step, from b into a; zero for none */
    abut_cache cache; /* changes the time of the narrow phase, never its result */
} broad_memory;

typedef enum broad_kind { BROAD_NONE = 0, BROAD_BOX, BROAD_PLANE } broad_kind;

typedef struct broad_proxy {
    broad_kind kind;
    bool movable;    /* pairs of two bodies that are not movable are left out */
    bool changed;    /* fat (or the plane) changed since the last list was committed */
    int32_t leaf;    /* in the tree of boxes; -1 for none */
    abut_aabb reach; /* every step asks for this of every pair */
    abut_aabb fat;
    abut_filter filter; /* pairs that cannot touch are left out */
    abut_vec3 normal;   /* planes: the half-space normal . x <= offset, which includes the reach */
    double offset;
} broad_proxy;

/* Keys of pairs that the queries of some bodies found. */
typedef struct broad_keys {
    uint64_t *keys;
    int32_t count, capacity;
    bool out_of_memory;
} broad_keys;

typedef struct broad_phase {
    box_tree boxes;
    broad_proxy *proxies; /* [capacity], by slot */
    int32_t capacity;
    int32_t used;          /* slots used + 1 at most */
    bool stale;            /* a proxy has changed, or went, since the last list was committed */
    int32_t grown;         /* boxes that came into the tree one by one since it was built */
    box_tree_leaf *leaves; /* scratch */
    int32_t leaf_capacity;
    int32_t *planes; /* [capacity] slots of the planes, ascending */
    int32_t plane_count;

    broad_pair *pairs;      /* the committed list */
    broad_memory *memories; /* beside pairs */
    int32_t pair_count, pair_capacity, memory_capacity;
    broad_pair *found;            /* the list of the current step */
    broad_memory *found_memories; /* beside found */
    int32_t found_count, found_capacity, found_memory_capacity;
    broad_keys parts[PARTS_MOST]; /* by parts of the slots */
    uint64_t *fresh;              /* all of them, sorted */
    int32_t fresh_count, fresh_capacity;
} broad_phase;

broad_phase broad_empty(void);
void broad_release(broad_phase *broad);

/* Makes room for slots 0 to slots - 1. False when there is no memory; then only spare room may have changed. */
bool broad_reserve(broad_phase *broad, int32_t slots);

/* Adds the body of a free slot that has room: a bounded body, or a half-space. */
void broad_add_box(broad_phase *broad, int32_t slot, bool movable, abut_aabb reach);
void broad_add_plane(broad_phase *broad, int32_t slot, abut_vec3 normal, double offset);

/* Sets what a body can touch: a new body can touch all. */
void broad_set_filter(broad_phase *broad, int32_t slot, abut_filter filter);

/* Removes a body. Its pairs stay in the committed list until the caller removes them from broad->pairs and broad->memories. */
void broad_remove(broad_phase *broad, int32_t slot);

/* Sets a body's reach for the coming step. `ahead` is the displacement of the next steps; it only shapes the fat box. */
void broad_move_box(broad_phase *broad, int32_t slot, abut_aabb reach, abut_vec3 ahead);

/* The same if the body stays in its fat box, as nearly all do in most steps; false, and nothing done, if not. Threads may move different bodies. */
bool broad_move_inside(broad_phase *broad, int32_t slot, abut_aabb reach, abut_vec3 ahead);

void broad_move_plane(broad_phase *broad, int32_t slot, abut_vec3 normal, double offset);

/* Sets a body as it was in an earlier step, `changed` included. A restored world then finds the same pairs. */
void broad_restore_box(broad_phase *broad, int32_t slot, abut_aabb reach, abut_aabb fat, bool changed);
void broad_restore_plane(broad_phase *broad, int32_t slot, abut_vec3 normal, double offset, bool changed);

/* Makes the list of the coming step in broad->found and copies the data of pairs that were in the list before. False when there is no
 * memory. The committed list does not change in either case. parallel: NULL for the defaults */
bool broad_find(broad_phase *broad, const abut_parallel *parallel);

/* Makes room for a list of the coming step. False when there is no memory. */
bool broad_reserve_found(broad_phase *broad, int32_t pairs);

/* Makes room for so many pairs in the committed list, which stays. False when there is no memory. */
bool broad_reserve_committed(broad_phase *broad, int32_t pairs);

/* Makes the committed list that of the coming step, for a caller that needs nothing of it and writes it anew. */
void broad_take_back(broad_phase *broad);

/* The pair of two slots in broad->found; NULL for none. */
const broad_pair *broad_pair_of(const broad_phase *broad, int32_t p, int32_t q);

/* Makes broad->found the committed list. */
void broad_commit(broad_phase *broad);

/* True when the reaches of the two bodies meet. */
bool broad_is_candidate(const broad_phase *broad, const broad_pair *pair);
