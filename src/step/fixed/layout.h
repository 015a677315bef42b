#pragma once

#include "solve/contact/contact.h"
#include "solve/contact/spring.h"
#include "step/fixed/island.h"
#include "step/fixed/reach.h"

/*
 * The memory layout of the solver's data. The solver gets every island separately: bodies, pairs, patches, points, springs and joints of an island are
 * contiguous, and their indices count from the start of the island's part. Several islands may touch the same body that does not move; each of them
 * gets its own copies of it, its guests.
 */

/* An island: bodies that are solved together, and its parts in the arrays of the layout. Within a step islands do not influence each other. */
typedef struct layout_island {
    int32_t body, moving, body_count; /* in states; the first `moving` bodies move, the others are guests */
    int32_t pair, pair_count;         /* in contacts.pairs, and likewise below */
    int32_t patch, patch_count;
    int32_t point, point_count;
    int32_t spring, spring_count;
    int32_t joint, joint_count;
    int32_t last_guest; /* slot of the guest that was taken in last; -1 for none */
} layout_island;

/* A pair that is solved. */
typedef struct layout_pair {
    int32_t found; /* index in broad.found */
    int32_t island;
    int32_t a, b;               /* places of its bodies in the island */
    int32_t pair, patch, point; /* places in the island: of the pair, of its first patch and of its first point */
    int32_t patch_count;
    int32_t colour; /* in a large island (step/fixed/colours.h) */
} layout_pair;

/* A joint that is solved. */
typedef struct layout_joint {
    int32_t source; /* slot of the world's joint */
    int32_t island;
    int32_t a, b;  /* places of its bodies in the island */
    int32_t place; /* in the island */
} layout_joint;

/* Zero-initialise. */
typedef struct island_layout {
    layout_island *islands; /* [island_count] */
    bool *quick;            /* [island_count] islands that the quick solver takes (step/fixed/quick.h) */
    int32_t island_count, island_capacity, quick_capacity;
    int32_t *island_of; /* by slot: the island of a body that moves; -1 for other bodies */
    int32_t *place_of;  /* by slot: the body's place in its island */
    int32_t island_of_capacity, place_capacity;
    solver_body *states; /* [contacts.body_count], island by island: the moving bodies, then the guests; a guest may occur more than once */
    int32_t *slots;      /* beside states */
    int32_t state_capacity, slot_capacity;
    layout_pair *pairs; /* [pair_count], in the order of broad.found */
    int32_t pair_count, list_capacity;
    contact_reaches reaches;
    int32_t *idle; /* [idle_count] pairs in broad.found that are left out, because their gaps do not close in the step */
    int32_t idle_count, idle_capacity;
    solver_contacts contacts; /* all islands, one after the other; the layout owns its arrays */
    solver_contacts *sets;    /* [island_count], the part of each island */
    int32_t roll_capacity, pair_capacity, patch_capacity, point_capacity, anchor_capacity, set_capacity;
    int32_t wide_patch_capacity;
    solver_spring *springs;  /* [spring_count], island by island */
    int32_t *spring_sources; /* beside springs: the slot of the world's spring */
    int32_t spring_count, spring_capacity, spring_source_capacity;
    layout_joint *joints; /* [contacts.joint_count], in the order of the slots */
    int32_t joint_capacity, joint_list_capacity;
    int32_t *batches; /* [batch_count + 1], first islands of the batches; one task solves the islands of a batch, but not the large ones */
    int32_t batch_count, batch_capacity;
} island_layout;

/* The index of a body's state; -1 for a body that does not move. */
static inline int32_t layout_state_of(const island_layout *layout, int32_t slot) {
    int32_t island = layout->island_of[slot];
    return island < 0 ? -1 : layout->islands[island].body + layout->place_of[slot];
}

/* Set all indices and views from the bodies, the springs and the world's `next`, with room for the data that they index, for a step of length dt. Pairs of
 * sleeping bodies are left out, and idle ones. extents: of the narrow phase. False when there is no memory. */
bool layout_make(island_layout *layout, const abut_world *world, island_forest *islands, const pair_extent *extents, double dt);

/* After the large islands have got their schedules: group the islands into batches. */
void layout_make_batches(island_layout *layout);

void layout_release(island_layout *layout);
