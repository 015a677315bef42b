/* Bodies that meet a box or a shape. */
#include <stdlib.h>

#include "base/argument.h"
#include "base/array.h"
#include "base/memory.h"
#include "shape/shape.h"
#include "step/query/index.h"

typedef struct overlap_search {
    const abut_world *world;
    const query_index *index;
    const abut_query_filter *filter;
    abut_aabb box;
    const abut_shape *shape; /* NULL: the box is asked for */
    abut_pose pose;
    int32_t *slots; /* [capacity] that meet the box */
    int32_t count, capacity;
    bool out_of_memory;
} overlap_search;

static bool note(void *context, int32_t slot) {
    overlap_search *s = context;
    const body *body = &s->world->bodies[slot];
    bool is_plane = body->shape->kind == ABUT_SHAPE_PLANE;
    if ((!is_plane && !aabb_meets(s->index->places[slot].box, s->box)) || !query_accepts(s->world, s->filter, slot)) {
        return true;
    }
    if (!array_extend(&s->slots, &s->capacity, s->count, s->count + 1, sizeof *s->slots)) {
        s->out_of_memory = true;
        return false;
    }
    s->slots[s->count++] = slot;
    return true;
}

static int by_slot(const void *a, const void *b) {
    int32_t first = *(const int32_t *)a, second = *(const int32_t *)b;
    return (first > second) - (first < second);
}

static bool plane_meets(const body *body, abut_aabb box) {
    abut_vec3 normal;
    double offset;
    body_plane(body, &normal, &offset);
    return aabb_meets_half_space(box, normal, offset);
}

static abut_status meets(const overlap_search *s, int32_t slot, bool *overlap) {
    const body *body = &s->world->bodies[slot];
    if (s->shape == NULL) {
        *overlap = body->shape->kind == ABUT_SHAPE_PLANE ? plane_meets(body, s->box)
                                                         : aabb_meets(abut_shape_bounds(body->shape, body->pose), s->box);
        return ABUT_OK;
    }
    return abut_overlap(&(abut_pair){s->shape, s->pose, body->shape, body->pose}, NULL, overlap);
}

/* Keeps those that overlap. */
static abut_status select_overlapping(overlap_search *s) {
    int32_t kept = 0;
    for (int32_t i = 0; i < s->count; i++) {
        bool overlap = false;
        abut_status status = meets(s, s->slots[i], &overlap);
        if (status != ABUT_OK) {
            return status;
        }
        s->slots[kept] = s->slots[i];
        kept += overlap;
    }
    s->count = kept;
    return ABUT_OK;
}

static abut_status search(overlap_search *s) {
    bool more = true;
    for (int32_t i = 0; i < s->index->plane_count && more; i++) {
        more = note(s, s->index->planes[i]);
    }
    if (!more || !box_tree_query(&s->index->tree, s->box, note, s)) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    if (s->count > 1) {
        qsort(s->slots, (size_t)s->count, sizeof *s->slots, by_slot);
    }
    return select_overlapping(s);
}

static abut_status run(overlap_search *s, abut_body_id *ids, int32_t capacity, int32_t *count) {
    s->index = query_index_of(s->world);
    abut_status status = s->index != NULL ? search(s) : ABUT_ERROR_OUT_OF_MEMORY;
    for (int32_t i = 0; status == ABUT_OK && i < s->count && i < capacity; i++) {
        ids[i] = body_id_of(s->world, s->slots[i]);
    }
    memory_release(s->slots);
    if (status == ABUT_OK) {
        *count = s->count;
    }
    return status == ABUT_OK && s->count > capacity ? ABUT_ERROR_CAPACITY : status;
}

static bool is_no_output(const char *call, const abut_world *world, const abut_body_id *ids, int32_t capacity, const int32_t *count) {
    return argument_is_null(call, "world", world) || argument_is_no_buffer(call, "ids", ids, capacity) ||
           argument_is_null(call, "count", count);
}

abut_status abut_world_overlap_box(const abut_world *world, abut_aabb box, const abut_query_filter *filter, abut_body_id *ids,
                                   int32_t capacity, int32_t *count) {
    if (is_no_output(CALL_NAME, world, ids, capacity, count)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (!(box.lower.x <= box.upper.x && box.lower.y <= box.upper.y && box.lower.z <= box.upper.z)) {
        return refuse(ABUT_ERROR_INVALID_ARGUMENT, CALL_NAME, "box is empty or NaN");
    }
    overlap_search s = {.world = world, .filter = filter, .box = box};
    return run(&s, ids, capacity, count);
}

abut_status abut_world_overlap_shape(const abut_world *world, const abut_shape *shape, abut_pose pose, const abut_query_filter *filter,
                                     abut_body_id *ids, int32_t capacity, int32_t *count) {
    if (is_no_output(CALL_NAME, world, ids, capacity, count) || argument_is_null(CALL_NAME, "shape", shape) ||
        argument_is_no_pose(CALL_NAME, "pose", pose)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    const double rounding = 1e-12; /* shapes that touch up to rounding errors overlap */
    abut_aabb box = abut_shape_bounds(shape, pose);
    double far = abut_length(pose.position) + shape->size;
    overlap_search s = {.world = world, .filter = filter, .box = aabb_grown(box, rounding * far), .shape = shape, .pose = pose};
    return run(&s, ids, capacity, count);
}
