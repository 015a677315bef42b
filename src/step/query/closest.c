/* The body with the least gap to a shape or a point. */
#include "base/argument.h"
#include "base/real.h"
#include "shape/shape.h"
#include "step/query/index.h"

typedef struct closest_search {
    const abut_world *world;
    const query_index *index;
    const abut_query_filter *filter;
    const abut_shape *shape;
    abut_pose pose;
    abut_aabb box; /* bounds of the shape */
    double farthest, pad;
    abut_world_near best;
    int32_t best_slot;
    double failed_at; /* the least gap that a body may have that cannot be asked; INFINITY for none */
    int32_t failed_slot;
    abut_status failure;
} closest_search;

/* How far two intervals are apart; negative where they meet. */
static double between(double lower_a, double upper_a, double lower_b, double upper_b) {
    return real_max(lower_a - upper_b, lower_b - upper_a);
}

/* No body in the box has a smaller gap. Where the boxes meet, depth has no bound. */
static double bound_of(void *context, const abut_aabb *box) {
    const double rounding = 1e-12;
    const closest_search *s = context;
    abut_vec3 apart = abut_vec3_make(between(s->box.lower.x, s->box.upper.x, box->lower.x, box->upper.x),
                                     between(s->box.lower.y, s->box.upper.y, box->lower.y, box->upper.y),
                                     between(s->box.lower.z, s->box.upper.z, box->lower.z, box->upper.z));
    double largest = real_max(real_max(apart.x, apart.y), apart.z);
    double far = real_max(abut_length(box->lower), abut_length(box->upper)), room = s->pad + rounding * far;
    if (!(largest > room)) {
        return -INFINITY;
    }
    double distance = abut_length(abut_vec3_make(real_max(apart.x, 0.0), real_max(apart.y, 0.0), real_max(apart.z, 0.0)));
    return real_max(isfinite(distance) ? distance : largest, largest) - room; /* squares may overflow or underflow */
}

/* The greatest gap of a body that would be better than the best. */
static double limit_of(const closest_search *s) { return s->best_slot < 0 ? s->farthest : s->best.separation.gap; }

static void note_failure(closest_search *s, abut_status status, double bound, int32_t slot) {
    if (s->failed_slot < 0 || bound < s->failed_at || (bound == s->failed_at && slot < s->failed_slot)) {
        s->failed_at = bound;
        s->failed_slot = slot;
        s->failure = status;
    }
}

static void ask(closest_search *s, int32_t slot, double bound) {
    const body *body = &s->world->bodies[slot];
    abut_separation found;
    if (!(bound <= limit_of(s)) || !query_accepts(s->world, s->filter, slot)) {
        return;
    }
    abut_status status = abut_distance(&(abut_pair){s->shape, s->pose, body->shape, body->pose}, NULL, NULL, &found);
    double limit = limit_of(s);
    if (status != ABUT_OK) {
        note_failure(s, status, bound, slot);
    } else if (found.gap < limit || (found.gap == limit && (s->best_slot < 0 || slot < s->best_slot))) {
        s->best = (abut_world_near){.body = body_id_of(s->world, slot), .user = body->user, .separation = found};
        s->best_slot = slot;
    }
}

static double offer(void *context, int32_t slot) {
    closest_search *s = context;
    ask(s, slot, bound_of(s, &s->index->places[slot].box));
    return limit_of(s);
}

static abut_status search(closest_search *s, abut_world_near *near) {
    for (int32_t i = 0; i < s->index->plane_count; i++) {
        ask(s, s->index->planes[i], -INFINITY);
    }
    box_tree_search(&s->index->tree, limit_of(s), bound_of, offer, s);
    if (s->failed_slot >= 0 && s->failed_at <= limit_of(s)) {
        return s->failure;
    }
    *near = s->best;
    return ABUT_OK;
}

static abut_status find(const char *call, const abut_world *world, const abut_shape *shape, abut_pose pose, double farthest,
                        const abut_query_filter *filter, abut_world_near *near) {
    if (isnan(farthest)) {
        return refuse(ABUT_ERROR_INVALID_ARGUMENT, call, "farthest is NaN");
    }
    const query_index *index = query_index_of(world);
    if (index == NULL) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    const double rounding = 1e-12;
    closest_search s = {.world = world,
                        .index = index,
                        .filter = filter,
                        .shape = shape,
                        .pose = pose,
                        .farthest = farthest,
                        .best_slot = -1,
                        .failed_slot = -1};
    s.box = abut_shape_bounds(shape, pose);
    s.pad = rounding * (abut_length(pose.position) + shape->size) + query_overhang(index, shape);
    return search(&s, near);
}

abut_status abut_world_closest(const abut_world *world, const abut_shape *shape, abut_pose pose, double farthest,
                               const abut_query_filter *filter, abut_world_near *near) {
    if (argument_is_null(CALL_NAME, "world", world) || argument_is_null(CALL_NAME, "shape", shape) ||
        argument_is_null(CALL_NAME, "near", near) || argument_is_no_pose(CALL_NAME, "pose", pose)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    return find(CALL_NAME, world, shape, pose, farthest, filter, near);
}

abut_status abut_world_closest_to_point(const abut_world *world, abut_vec3 point, double farthest, const abut_query_filter *filter,
                                        abut_world_near *near) {
    const double nothing = 1e-50; /* a radius that adds nothing to a distance; smaller balls are refused */
    if (argument_is_null(CALL_NAME, "world", world) || argument_is_null(CALL_NAME, "near", near)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (argument_is_no_vector(CALL_NAME, "point", point)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    abut_shape *ball;
    abut_status status = abut_shape_create_sphere(nothing, &ball);
    if (status != ABUT_OK) {
        return status;
    }
    abut_pose pose = {point, {0.0, 0.0, 0.0, 1.0}};
    status = find(CALL_NAME, world, ball, pose, farthest, filter, near);
    abut_shape_release(ball);
    return status;
}
