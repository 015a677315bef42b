/*
 * Where bodies sink, by their deepest contacts; and where they go through others, by the way of a point inside them: the centre of mass of a convex body, or of
 * each part of a compound. A point of the body that has crossed the other one proves that the body has.
 */
#include "step/world/watch.h"

#include <abut/query.h>

#include "base/array.h"
#include "base/elementary.h"
#include "base/memory.h"
#include "base/parts.h"
#include "base/real.h"
#include "shape/closed/convex_mesh.h"
#include "shape/shape.h"
#include "shape/trimesh.h"

/* A body is sunk when a contact is deeper than this, relative to its inner radius. */
static const double sunk_depth = 0.5;

/* The point inside a body cannot cross another one in a step in which both move less than this, unless the body is sunk. Relative to the inner radius. */
static const double short_way = 0.25;

/* In a step with many integration steps a body may go around another one. Its straight way proves something when it is shorter than this. */
static const double straight_way = 2.0;

double watch_inner_radius(const body *body) { return body->shape->kind == ABUT_SHAPE_FACETMESH ? 2.5 * body->core : body->core; }

bool watch_reserve(world_watch *watch, int32_t bodies) {
    return array_extend(&watch->before, &watch->before_capacity, bodies - 1, bodies, sizeof *watch->before) &&
           array_reserve(&watch->marks, &watch->mark_capacity, bodies, sizeof *watch->marks);
}

void watch_release(world_watch *watch) {
    memory_release(watch->before);
    memory_release(watch->marks);
}

static void note_poses(void *argument, int32_t begin, int32_t end) {
    abut_world *world = argument;
    for (int32_t slot = begin; slot < end; slot++) {
        world->watch.before[slot] = world->bodies[slot].pose;
    }
}

void watch_begin(abut_world *world) {
    enum { BODIES = 256 }; /* worth a piece of a loop */
    abut_parallel_for(&world->def.parallel, world->body_used, BODIES, note_poses, world);
}

/* ---- marks ---- */

enum { SUNK = 1, ENGULFED = 2, LEFT = 4, MOVES_FAR = 8 };

static void clear(const abut_world *world) {
    for (int32_t slot = 0; slot < world->body_used; slot++) {
        world->watch.marks[slot] = 0;
    }
}

/* Counts the bodies with a mark; *first is the one in the lowest slot. */
static int32_t count_of(const abut_world *world, uint8_t mark, abut_body_id *first) {
    int32_t count = 0;
    for (int32_t slot = 0; slot < world->body_used; slot++) {
        if (world->watch.marks[slot] & mark) {
            *first = count++ == 0 ? body_id_of(world, slot) : *first;
        }
    }
    return count;
}

/* ---- points inside bodies ---- */

static bool is_solid_convex(const abut_shape *shape) {
    return shape->kind != ABUT_SHAPE_PLANE && shape->kind != ABUT_SHAPE_FACETMESH &&
           (shape->kind != ABUT_SHAPE_TRIMESH || shape->mesh->convex != NULL);
}

/* Whether the surface of a closed mesh goes around a point: the solid angle of its triangles is that of the whole sphere (A. van Oosterom, J. Strackee, "The
 * solid angle of a plane triangle", 1983). */
static bool goes_around(const abut_shape *shape, abut_vec3 point) {
    double half = 0.0;
    for (int32_t i = 0; i < shape->mesh->triangle_count; i++) {
        abut_triangle t;
        trimesh_triangle(shape->mesh, i, &t);
        abut_vec3 a = abut_sub(t.corner[0], point), b = abut_sub(t.corner[1], point), c = abut_sub(t.corner[2], point);
        double p = abut_length(a), q = abut_length(b), r = abut_length(c);
        half += elementary_atan2(abut_dot(a, abut_cross(b, c)), p * q * r + abut_dot(a, b) * r + abut_dot(b, c) * p + abut_dot(c, a) * q);
    }
    return half > REAL_PI;
}

static bool is_inside(const abut_shape *shape, abut_pose pose, abut_vec3 point) {
    abut_hit hit;
    if (shape->kind == ABUT_SHAPE_FACETMESH) {
        return goes_around(shape, abut_pose_apply_inverse(pose, point));
    }
    abut_vec3 along = {0.0, 0.0, real_max(shape->size, 1.0)};
    if (shape->kind == ABUT_SHAPE_PLANE) {
        return abut_dot(shape->normal, abut_pose_apply_inverse(pose, point)) < shape->offset;
    }
    return abut_ray_cast(shape, pose, point, along, &hit) == ABUT_OK && hit.hit && hit.started_inside;
}

/* A point inside the body, or inside the part of a compound; shape frame. False when none is known. */
static bool inner_point(const body *body, int32_t part, abut_vec3 *point) {
    abut_part of;
    abut_mass mass;
    if (body->shape->kind != ABUT_SHAPE_COMPOUND) {
        *point = body->local_centre;
        return is_solid_convex(body->shape) || is_inside(body->shape, abut_pose_identity(), *point);
    }
    abut_shape_part(body->shape, part, &of);
    if (!is_solid_convex(of.shape) || abut_shape_mass(of.shape, 1.0, &mass) != ABUT_OK) {
        return false;
    }
    *point = abut_pose_apply(of.pose, mass.centre);
    return true;
}

/* ---- sunk and engulfed ---- */

static bool is_engulfed(const body *body, const struct body *by) {
    for (int32_t part = 0; part < abut_shape_part_count(body->shape); part++) {
        abut_vec3 point;
        if (inner_point(body, part, &point) && is_inside(by->shape, by->pose, abut_pose_apply(body->pose, point))) {
            return true;
        }
    }
    return false;
}

static bool is_sunk(const body *body, double depth) {
    return body->kind == ABUT_BODY_DYNAMIC && depth > sunk_depth * watch_inner_radius(body);
}

/* The dem stepper lists the pairs that touch, and those of which one body may be inside the other, too deep for a contact of facets. */
static bool is_too_deep(const abut_world *world, const broad_pair *pair) {
    return world->def.stepper == ABUT_STEPPER_DEM && pair->contact_count == 0;
}

bool watch_is_sunk(const abut_world *world, const broad_pair *pair, double depth) {
    return is_too_deep(world, pair) ||
           (depth > 0.0 && (is_sunk(&world->bodies[pair->a], depth) || is_sunk(&world->bodies[pair->b], depth)));
}

static void judge_depth(const abut_world *world, int32_t slot, int32_t other, double depth) {
    const body *own = &world->bodies[slot];
    if (is_sunk(own, depth)) {
        uint8_t *mark = &world->watch.marks[slot];
        bool engulfed = (*mark & ENGULFED) || is_engulfed(own, &world->bodies[other]);
        *mark = (uint8_t)(*mark | SUNK | (engulfed ? ENGULFED : 0));
    }
}

static void judge_deep(const abut_world *world, int32_t slot, int32_t other) {
    const body *own = &world->bodies[slot];
    if (own->kind == ABUT_BODY_DYNAMIC && is_engulfed(own, &world->bodies[other])) {
        world->watch.marks[slot] = (uint8_t)(world->watch.marks[slot] | SUNK | ENGULFED);
    }
}

void watch_count(const abut_world *world, const bool *sunk, abut_step_report *report) {
    int32_t pairs = world->broad.pair_count;
    bool any = false;
    clear(world);
    for (int32_t part = 0; part < parts_count(pairs); part++) {
        int32_t first = part * parts_length(pairs);
        for (int32_t p = first; p < parts_end(pairs, first) && sunk[part]; p++) {
            const broad_pair *pair = &world->broad.pairs[p];
            double depth = contact_store_depth(&world->contacts, pair);
            judge_depth(world, pair->a, pair->b, depth);
            judge_depth(world, pair->b, pair->a, depth);
            if (is_too_deep(world, pair)) {
                judge_deep(world, pair->a, pair->b);
                judge_deep(world, pair->b, pair->a);
            }
            any = true;
        }
    }
    if (any) {
        report->sunk = count_of(world, SUNK, &report->sunk_body);
        report->engulfed = count_of(world, ENGULFED, &report->engulfed_body);
    }
}

/* ---- gone through ---- */

/* At least the way of any point of the body. */
static double way_of(const abut_world *world, int32_t slot) {
    const body *body = &world->bodies[slot];
    abut_pose from = world->watch.before[slot];
    abut_vec3 before = abut_pose_apply(from, body->local_centre);
    abut_quat p = from.rotation, q = body->pose.rotation;
    double same = p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w, sine = sqrt(real_max(1.0 - same * same, 0.0));
    return abut_distance_between(before, body->centre) + REAL_PI * sine * body->radius;
}

/* Whether the point of a body crosses the other one: into its surface, and not to a place inside. */
static bool crosses(const abut_world *world, int32_t slot, int32_t other, abut_vec3 point) {
    const body *own = &world->bodies[slot], *by = &world->bodies[other];
    abut_vec3 from = abut_pose_apply_inverse(world->watch.before[other], abut_pose_apply(world->watch.before[slot], point));
    abut_vec3 to = abut_pose_apply_inverse(by->pose, abut_pose_apply(own->pose, point)), way = abut_sub(to, from);
    abut_hit hit;
    bool is_short = !(world->watch.marks[slot] & SUNK) && !(abut_length(way) > short_way * own->core);
    return !is_short && abut_length(way) > 0.0 && abut_ray_cast(by->shape, abut_pose_identity(), from, way, &hit) == ABUT_OK && hit.hit &&
           !hit.started_inside && hit.fraction > 0.0 && hit.fraction < 1.0 &&
           !is_inside(by->shape, by->pose, abut_pose_apply(own->pose, point));
}

static void judge_way(const abut_world *world, int32_t slot, int32_t other) {
    const body *own = &world->bodies[slot];
    const uint8_t *marks = world->watch.marks;
    bool may = own->kind == ABUT_BODY_DYNAMIC && world->bodies[other].kind != ABUT_BODY_DYNAMIC && !(marks[slot] & LEFT) &&
               ((marks[slot] & (SUNK | MOVES_FAR)) || (marks[other] & MOVES_FAR)) && world->bodies[other].shape->kind != ABUT_SHAPE_PLANE;
    if (!may ||
        (world->def.stepper != ABUT_STEPPER_FIXED && way_of(world, slot) + way_of(world, other) > straight_way * watch_inner_radius(own))) {
        return;
    }
    for (int32_t part = 0; part < abut_shape_part_count(own->shape); part++) {
        abut_vec3 point;
        if (inner_point(own, part, &point) && crosses(world, slot, other, point)) {
            world->watch.marks[slot] = (uint8_t)(marks[slot] | LEFT);
        }
    }
}

/* Whether a point of the body may have moved farther than its short way, or a kinematic body at all. Nearly all bodies have not, so there are no roots: with
 * the difference d of two unit quaternions and the angle a, a <= 3 |d|. */
static bool moves_far(const abut_world *world, int32_t slot) {
    const body *body = &world->bodies[slot];
    abut_pose from = world->watch.before[slot];
    abut_quat p = from.rotation, q = body->pose.rotation, d = {p.x - q.x, p.y - q.y, p.z - q.z, p.w - q.w};
    double turned = 9.0 * (d.x * d.x + d.y * d.y + d.z * d.z + d.w * d.w),
           limit = body->kind == ABUT_BODY_DYNAMIC ? 0.5 * short_way * body->core : 0.0;
    double reach = 2.0 * (body->radius * body->radius + abut_length_squared(body->local_centre));
    return !(abut_length_squared(abut_sub(body->pose.position, from.position)) <= limit * limit && turned * reach <= limit * limit);
}

/* Whether one of some bodies moves far. All of them are marked if they do. */
static bool mark_far(const void *argument, int32_t begin, int32_t end) {
    const abut_world *world = argument;
    bool any = false;
    for (int32_t slot = begin; slot < end; slot++) {
        const body *body = &world->bodies[slot];
        bool is_far = body->used && body->kind != ABUT_BODY_STATIC && !body->asleep && moves_far(world, slot);
        world->watch.marks[slot] = (uint8_t)(world->watch.marks[slot] | (is_far ? MOVES_FAR : 0));
        any = any || is_far;
    }
    return any;
}

void watch_count_left(const abut_world *world, abut_step_report *report) {
    bool unused[PARTS_MOST];
    bool any = parts_find(&world->def.parallel, world->body_used, mark_far, world, unused) || report->sunk > 0;
    for (int32_t p = 0; p < world->broad.pair_count && any; p++) {
        judge_way(world, world->broad.pairs[p].a, world->broad.pairs[p].b);
        judge_way(world, world->broad.pairs[p].b, world->broad.pairs[p].a);
    }
    if (any) {
        report->left = count_of(world, LEFT, &report->left_body);
    }
}
