/* The pairs of bodies that lie in each other where they are. The search has its own tree of boxes: those of the broad phase belong to the last step. */
#include <stdlib.h>

#include "base/argument.h"
#include "base/array.h"
#include "base/memory.h"
#include "base/real.h"
#include "broad/box_tree.h"
#include "narrow/generators.h"
#include "shape/shape.h"
#include "step/world/meet/excluded.h"
#include "step/world/joints.h"
#include "step/world/watch.h"

/* Bodies that lie on each other may overlap by less, relative to the inner radius. */
static const double lying_depth = 0.01;

typedef struct search {
    const abut_world *world;
    box_tree tree;      /* of the bounded bodies in lower slots */
    abut_contact *room; /* [room_capacity] */
    int32_t *planes;    /* [plane_count] in lower slots */
    int32_t *others;    /* [other_count] that the present body may overlap */
    int32_t room_capacity, plane_count, plane_capacity, other_count, other_capacity;
    abut_status status;
} search;

static bool note(void *context, int32_t slot) {
    search *s = context;
    if (!array_extend(&s->others, &s->other_capacity, s->other_count, s->other_count + 1, sizeof *s->others)) {
        s->status = ABUT_ERROR_OUT_OF_MEMORY;
        return false;
    }
    s->others[s->other_count++] = slot;
    return true;
}

static double inner_radius(const body *a, const body *b) {
    return real_min(a->kind == ABUT_BODY_DYNAMIC ? watch_inner_radius(a) : INFINITY,
                    b->kind == ABUT_BODY_DYNAMIC ? watch_inner_radius(b) : INFINITY);
}

/* Depth of the deepest contact; 0 for none, and for pairs without contacts. */
static double depth_of(search *s, const body *a, const body *b) {
    abut_collide_settings settings = s->world->def.collide;
    settings.margin = 0.0;
    abut_status status = ABUT_ERROR_CAPACITY;
    int32_t count = 16;
    while (status == ABUT_ERROR_CAPACITY) {
        if (!array_reserve(&s->room, &s->room_capacity, count, sizeof *s->room)) {
            s->status = ABUT_ERROR_OUT_OF_MEMORY;
            return 0.0;
        }
        status = collide_make(&(abut_pair){a->shape, a->pose, b->shape, b->pose}, &settings, NULL, s->room, s->room_capacity, &count);
    }
    s->status = status == ABUT_ERROR_OUT_OF_MEMORY ? status : s->status;
    double depth = 0.0;
    for (int32_t i = 0; status == ABUT_OK && i < count; i++) {
        depth = real_max(depth, -s->room[i].gap);
    }
    return depth;
}

static int by_slot(const void *a, const void *b) {
    int32_t first = *(const int32_t *)a, second = *(const int32_t *)b;
    return (first > second) - (first < second);
}

static bool note_all(search *s, const int32_t *slots, int32_t count) {
    bool fine = true;
    for (int32_t i = 0; i < count && fine; i++) {
        fine = note(s, slots == NULL ? i : slots[i]);
    }
    return fine;
}

/* Bodies in lower slots that the body in this one may overlap: ascending. */
static bool find_others(search *s, int32_t slot, abut_aabb box) {
    s->other_count = 0;
    if (s->world->bodies[slot].shape->kind == ABUT_SHAPE_PLANE) {
        return note_all(s, NULL, slot);
    }
    if (!note_all(s, s->planes, s->plane_count) || !box_tree_query(&s->tree, box, note, s)) {
        return false;
    }
    if (s->other_count > 0) {
        qsort(s->others, (size_t)s->other_count, sizeof *s->others, by_slot);
    }
    return true;
}

static bool add(search *s, int32_t slot, abut_aabb box) {
    if (s->world->bodies[slot].shape->kind != ABUT_SHAPE_PLANE) {
        box_tree_insert(&s->tree, slot, box);
        return true;
    }
    if (!array_extend(&s->planes, &s->plane_capacity, s->plane_count, s->plane_count + 1, sizeof *s->planes)) {
        s->status = ABUT_ERROR_OUT_OF_MEMORY;
        return false;
    }
    s->planes[s->plane_count++] = slot;
    return true;
}

static bool can_overlap(const abut_world *world, int32_t slot_a, int32_t slot_b) {
    const body *a = &world->bodies[slot_a], *b = &world->bodies[slot_b];
    return a->used && b->used && (a->kind == ABUT_BODY_DYNAMIC || b->kind == ABUT_BODY_DYNAMIC) && world_can_touch(world, slot_a, slot_b);
}

/* The pairs of one body with those in lower slots. */
static void find_of(search *s, int32_t slot, abut_world_overlap *overlaps, int32_t capacity, int32_t *count) {
    const abut_world *world = s->world;
    const body *own = &world->bodies[slot];
    abut_aabb box = abut_shape_bounds(own->shape, own->pose);
    if (!find_others(s, slot, box)) {
        return;
    }
    for (int32_t i = 0; i < s->other_count && *count < capacity && s->status == ABUT_OK; i++) {
        const body *other = &world->bodies[s->others[i]];
        double depth = can_overlap(world, s->others[i], slot) ? depth_of(s, other, own) : 0.0;
        if (depth > 0.0 && depth > lying_depth * inner_radius(other, own) && !joints_keep_apart(world, s->others[i], slot)) {
            overlaps[(*count)++] = (abut_world_overlap){body_id_of(world, s->others[i]), body_id_of(world, slot), depth};
        }
    }
    (void)add(s, slot, box);
}

abut_status abut_world_overlaps(const abut_world *world, abut_world_overlap *overlaps, int32_t capacity, int32_t *count) {
    if (argument_is_null(CALL_NAME, "world", world) || argument_is_negative(CALL_NAME, "capacity", capacity) ||
        (capacity > 0 && argument_is_null(CALL_NAME, "overlaps", overlaps)) || argument_is_null(CALL_NAME, "count", count)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    search s = {.world = world, .tree = box_tree_empty(), .status = ABUT_OK};
    int32_t found = 0;
    if (!box_tree_reserve(&s.tree, world->body_used)) {
        s.status = ABUT_ERROR_OUT_OF_MEMORY;
    }
    for (int32_t slot = 0; slot < world->body_used && found < capacity && s.status == ABUT_OK; slot++) {
        if (world->bodies[slot].used) {
            find_of(&s, slot, overlaps, capacity, &found);
        }
    }
    box_tree_release(&s.tree);
    memory_release(s.room);
    memory_release(s.planes);
    memory_release(s.others);
    if (s.status == ABUT_OK) {
        *count = found;
    }
    return s.status;
}
