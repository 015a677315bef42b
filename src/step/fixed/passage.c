/* Fast bodies follow their paths once more: see the header. Each body alone, so over threads; the others are where the solution has put them. */
#include "step/fixed/passage.h"

#include "base/array.h"
#include "base/memory.h"
#include "base/real.h"
#include "narrow/query/distance.h"
#include "shape/shape.h"
#include "step/fixed/impact.h"

/* A body is fast when a point of it moves farther in a step than this, relative to the radius of the ball inside it. Slower bodies do not pass: their contacts
 * see them coming, and push them out where they are deep. Those that are deep already are followed at any speed. */
static const double slow_way = 0.5;

/* A body passes when it gets this deep, relative to the radius of the same ball, or deeper than it was at the start of the step. */
static const double passing_depth = 0.25;

/* It stops at the surface; or, if it touched there from the start, where it gets deeper than contacts of the solver are. There it is moved out. A slow body that
 * is deep may get deeper by as much in a step, or else it could not rest there, and be pushed out gently. */
static const double touching_depth = 0.02;

/* ---- which bodies ---- */

static bool is_moving(const island_layout *layout, const abut_world *world, int32_t slot) {
    return world->bodies[slot].used && layout->island_of[slot] >= 0;
}

static int32_t state_of(const island_layout *layout, int32_t slot) {
    return layout->islands[layout->island_of[slot]].body + layout->place_of[slot];
}

static bool travels_far(const abut_world *world, const body *body, double dt) {
    moving_body expected = path_expected(world, body, dt);
    return path_length(body, &expected) > slow_way * body->core;
}

bool passage_begin(passage_guard *guard, const island_layout *layout, const abut_world *world, double dt) {
    if (!array_reserve(&guard->path_of, &guard->path_capacity, layout->contacts.body_count, sizeof *guard->path_of)) {
        return false;
    }
    for (int32_t i = 0; i < layout->contacts.body_count; i++) {
        guard->path_of[i] = -1;
    }
    int32_t used = 0, points = world->def.fixed.substeps + 1;
    for (int32_t slot = 0; slot < world->body_used; slot++) {
        const body *body = &world->bodies[slot];
        if (!is_moving(layout, world, slot) || body->kind != ABUT_BODY_DYNAMIC || !travels_far(world, body, dt)) {
            continue;
        }
        if (used > INT32_MAX - points ||
            !array_extend(&guard->points, &guard->point_capacity, used, used + points, sizeof *guard->points)) {
            return false;
        }
        guard->path_of[state_of(layout, slot)] = used;
        guard->points[used] = path_start(body);
        used += points;
    }
    return true;
}

void passage_note_arrival(const passage_guard *guard, const island_layout *layout, int32_t island, int32_t substep) {
    const layout_island *of = &layout->islands[island];
    for (int32_t i = of->body; i < of->body + of->moving; i++) {
        if (guard->path_of[i] >= 0) {
            guard->points[guard->path_of[i] + substep] = path_point_of(&layout->states[i]);
        }
    }
}

void passage_note_departure(const passage_guard *guard, const island_layout *layout, int32_t island, int32_t substep) {
    const layout_island *of = &layout->islands[island];
    for (int32_t i = of->body; i < of->body + of->moving; i++) {
        if (guard->path_of[i] >= 0) {
            path_point *point = &guard->points[guard->path_of[i] + substep];
            point->velocity = layout->states[i].velocity;
            point->angular_velocity = layout->states[i].angular_velocity;
        }
    }
}

/* ---- one body ---- */

/* A body that may be stopped, and one segment of its path. */
typedef struct follower {
    const passage_guard *guard;
    const island_layout *layout;
    const abut_world *world;
    double dt;
    int32_t slot;
    bool fast;
    int32_t segments, segment; /* the step is divided into so many */
    moving_body motion;        /* in this segment */
    abut_aabb reach;           /* of this segment */
    double fraction;           /* of this segment, at which the body stops; above 1 for none */
    int32_t other;             /* slot of the body that stops it */
    abut_status status;
} follower;

/* The motion of a body in a segment of the step. */
static moving_body motion_in(const passage_guard *guard, const island_layout *layout, const abut_world *world, int32_t slot, double dt,
                             int32_t segment, int32_t segments) {
    const body *body = &world->bodies[slot];
    if (!is_moving(layout, world, slot)) {
        return (moving_body){.shape = body->shape, .pose = body->pose, .pivot = body->local_centre};
    }
    int32_t state = state_of(layout, slot), path = guard->path_of[state];
    if (path >= 0 && segments == world->def.fixed.substeps) {
        const path_point *from = &guard->points[path + segment];
        return path_between(body, from, from + 1, dt / segments);
    }
    const path_point start = path_start(body), end = path_point_of(&layout->states[state]);
    const moving_body whole = path_between(body, &start, &end, dt);
    return segments == 1 ? whole : path_part(&whole, (double)segment / segments, (double)(segment + 1) / segments);
}

static abut_aabb reach_of(const body *body, const moving_body *motion) {
    abut_vec3 from = abut_pose_apply(motion->pose, motion->pivot), to = abut_add(from, motion->motion.linear);
    return aabb_grown(aabb_union((abut_aabb){from, from}, (abut_aabb){to, to}), body->radius);
}

/* Whether the cast has told how far the way is free: a touch, or the end of a cast that takes too long. */
static bool is_answer(abut_status cast) { return cast == ABUT_OK || cast == ABUT_ERROR_ITERATION_LIMIT; }

/* Where the body stops before another one: where they touch, unless they touched already at the start of the segment. *fraction > 1 if it does not stop. */
static abut_status stop_before(const moving_body *moving, const moving_body *other, double core, double sunk, double *fraction) {
    *fraction = 2.0;
    double deep, less;
    abut_hit hit;
    abut_status status = shape_cast_surface_to_depth(moving, other, real_max(passing_depth * core, sunk), sunk, &deep);
    if (status != ABUT_OK || !(deep <= 1.0)) {
        *fraction = status == ABUT_ERROR_ITERATION_LIMIT ? deep : 2.0;
        return status;
    }
    *fraction = deep;
    status = shape_cast_find(moving, other, 0.0, &hit);
    if (is_answer(status) && hit.fraction > 0.0) {
        *fraction = real_min(hit.fraction, deep);
        return ABUT_OK;
    }
    if (status == ABUT_ERROR_OUT_OF_MEMORY) {
        return status;
    }
    status = shape_cast_surface_to_depth(moving, other, touching_depth * core, 0.0, &less);
    *fraction = is_answer(status) && less > 0.0 ? real_min(less, deep) : deep;
    return status == ABUT_ERROR_OUT_OF_MEMORY ? status : ABUT_OK;
}

/* A pair that no cast supports is not guarded; a cast that takes too long has told how far the way is free. */
static abut_status status_of(abut_status cast) { return cast == ABUT_ERROR_OUT_OF_MEMORY ? cast : ABUT_OK; }

static void meet(follower *f, int32_t slot) {
    const body *own = &f->world->bodies[f->slot], *other = &f->world->bodies[slot];
    if (slot == f->slot || f->status != ABUT_OK || !impact_stops_first(own, other)) {
        return;
    }
    moving_body motion = motion_in(f->guard, f->layout, f->world, slot, f->dt, f->segment, f->segments);
    if (other->shape->kind != ABUT_SHAPE_PLANE && !aabb_meets(f->reach, reach_of(other, &motion))) {
        return;
    }
    double fraction, sunk = f->guard->sunk[f->slot] + (f->fast ? 0.0 : touching_depth * own->core);
    f->status = status_of(stop_before(&f->motion, &motion, own->core, sunk, &fraction));
    if (fraction < f->fraction || (fraction == f->fraction && slot < f->other)) {
        f->fraction = fraction;
        f->other = slot;
    }
}

static bool visit(void *context, int32_t slot) {
    meet(context, slot);
    return true;
}

static void meet_all(follower *f) {
    const broad_phase *broad = &f->world->broad;
    box_tree_query(&broad->boxes, f->reach, visit, f);
    for (int32_t i = 0; i < broad->plane_count; i++) {
        meet(f, broad->planes[i]);
    }
}

/* ---- where it stops ---- */

static abut_vec3 acceleration_of(const abut_world *world, const body *body) {
    return abut_add_scaled(body_gravity(world, body), 1.0 / body->mass, body->force);
}

static double kinetic_energy(const body *body, abut_quat rotation, abut_motion motion) {
    abut_vec3 w = abut_quat_rotate_inverse(rotation, motion.angular);
    double spin = body->moments.x * w.x * w.x + body->moments.y * w.y * w.y + body->moments.z * w.z * w.z;
    return 0.5 * body->mass * abut_length_squared(motion.linear) + 0.5 * spin;
}

/* A segment of a path that is cut short at a fraction of its duration h. */
typedef struct cut {
    const body *body;
    abut_vec3 acceleration;
    path_point from;
    double h;
} cut;

static abut_vec3 kicked(const cut *c) { return abut_add_scaled(c->from.arrival.linear, 0.5 * c->h, c->acceleration); }

/* The velocity at the cut. In free flight it is that of the leapfrog, which leaves a point with the velocity of half the time h later. Impulses at the start of the
 * segment have made the velocity one that bodies which touch can have; so it stays. */
static abut_vec3 velocity_at(const cut *c, double fraction) {
    abut_vec3 free = kicked(c);
    bool pushed = free.x != c->from.velocity.x || free.y != c->from.velocity.y || free.z != c->from.velocity.z;
    return pushed ? c->from.velocity : abut_add_scaled(c->from.arrival.linear, c->h * fraction, c->acceleration);
}

/* The kinetic energy that there can be at the cut: what the body brought, and what forces along its way and impulses at its start have added. */
static double most_energy(const cut *c, abut_vec3 moved) {
    double brought = kinetic_energy(c->body, c->from.rotation, c->from.arrival);
    double left = kinetic_energy(c->body, c->from.rotation, (abut_motion){c->from.velocity, c->from.angular_velocity});
    double added = left - kinetic_energy(c->body, c->from.rotation, (abut_motion){kicked(c), c->from.arrival.angular});
    double work = c->body->mass * abut_dot(c->acceleration, abut_sub(moved, c->from.moved));
    return real_max(brought + work + real_max(added, 0.0), 0.0);
}

static void bound_energy(const cut *c, abut_vec3 moved, path_point *end) {
    double most = most_energy(c, moved),
           present = kinetic_energy(c->body, end->rotation, (abut_motion){end->velocity, end->angular_velocity});
    if (present > most) {
        double factor = sqrt(most / present);
        end->velocity = abut_scale(factor, end->velocity);
        end->angular_velocity = abut_scale(factor, end->angular_velocity);
    }
}

/* The angular velocity turns with the body. So its energy stays, and so does the amount of its angular momentum. With a constant direction of the momentum the
 * energy could grow: the way to the end of a segment is not exactly that of the free motion. */
static abut_vec3 turned_velocity(const path_point *from, abut_quat rotation) {
    return abut_quat_rotate(rotation, abut_quat_rotate_inverse(from->rotation, from->angular_velocity));
}

/* In the rest of the step the body goes along with the one that stops it, so that this one does not pass over it either. */
static void go_along(const follower *f, abut_vec3 *centre, abut_quat *rotation) {
    moving_body motion = motion_in(f->guard, f->layout, f->world, f->other, f->dt, f->segment, f->segments);
    moving_body last = motion_in(f->guard, f->layout, f->world, f->other, f->dt, f->segments - 1, f->segments);
    abut_pose there = shape_cast_pose(&motion, f->fraction), end = shape_cast_pose(&last, 1.0);
    *centre = abut_pose_apply(end, abut_pose_apply_inverse(there, *centre));
    *rotation = abut_quat_unit(abut_quat_mul(end.rotation, abut_quat_mul(abut_quat_conjugate(there.rotation), *rotation)));
}

/* A body that was deep already when it stopped is moved to the surface. */
static void move_out(follower *f, abut_vec3 *centre, abut_quat rotation) {
    const body *own = &f->world->bodies[f->slot];
    moving_body last = motion_in(f->guard, f->layout, f->world, f->other, f->dt, f->segments - 1, f->segments);
    struct body placed = *own;
    placed.centre = *centre;
    placed.frame = rotation;
    body_place_shape(&placed);
    abut_separation met;
    abut_status status =
        distance_ask(NULL, &(abut_pair){own->shape, placed.pose, last.shape, shape_cast_pose(&last, 1.0)}, NULL, NULL, &met);
    if (status == ABUT_OK && met.gap < 0.0) {
        *centre = abut_add_scaled(*centre, -met.gap, met.normal);
    }
    f->status = status_of(status);
}

static path_point end_of(follower *f, const path_point *from) {
    const body *body = &f->world->bodies[f->slot];
    const cut c = {body, acceleration_of(f->world, body), *from, f->dt / f->segments};
    abut_vec3 centre;
    path_point end;
    path_place(body, &f->motion, f->fraction, &centre, &end.rotation);
    end.angular_velocity = turned_velocity(from, end.rotation);
    abut_vec3 before = centre;
    if (is_moving(f->layout, f->world, f->other)) {
        go_along(f, &centre, &end.rotation);
    }
    abut_vec3 carried = abut_sub(centre, before);
    move_out(f, &centre, end.rotation);
    end.moved = abut_sub(centre, body->centre);
    end.velocity = velocity_at(&c, f->fraction);
    bound_energy(&c, abut_sub(end.moved, carried), &end);
    return end;
}

/* The start of a body whose path was not followed. It leaves with the velocities of the end of the step, as if all impulses had acted at the start. */
static path_point start_of_way(const body *body, const solver_body *state) {
    path_point start = path_start(body), end = path_point_of(state);
    start.velocity = end.velocity;
    start.angular_velocity = turned_velocity(&end, start.rotation);
    return start;
}

static void follow(const passage_guard *guard, const island_layout *layout, const abut_world *world, double dt, passage_end *end) {
    follower f = {
        .guard = guard, .layout = layout, .world = world, .dt = dt, .slot = layout->slots[end->state], .fraction = 2.0, .other = INT32_MAX};
    const body *body = &world->bodies[f.slot];
    int32_t path = guard->path_of[end->state];
    f.fast = end->fast;
    f.segments = path >= 0 ? world->def.fixed.substeps : 1;
    for (f.segment = 0; f.segment < f.segments && !end->stops && f.status == ABUT_OK; f.segment++) {
        f.motion = motion_in(guard, layout, world, f.slot, dt, f.segment, f.segments);
        f.reach = reach_of(body, &f.motion);
        meet_all(&f);
        if (f.fraction <= 1.0 && f.status == ABUT_OK) {
            const path_point start = start_of_way(body, &layout->states[end->state]);
            end->at = end_of(&f, path >= 0 ? &guard->points[path + f.segment] : &start);
            end->stops = true;
        }
    }
    end->status = f.status;
}

/* ---- all bodies ---- */

static double way_of(const island_layout *layout, const abut_world *world, int32_t slot, double dt) {
    if (!is_moving(layout, world, slot)) {
        return 0.0;
    }
    const body *body = &world->bodies[slot];
    const path_point start = path_start(body), end = path_point_of(&layout->states[state_of(layout, slot)]);
    const moving_body whole = path_between(body, &start, &end, dt);
    return path_length(body, &whole);
}

static double deepest_of(const abut_world *world, const broad_pair *pair) {
    double depth = 0.0;
    for (int32_t i = pair->contact_first; i < pair->contact_first + pair->contact_count && pair->met == 0.0; i++) {
        depth = real_max(depth, -world->next.contacts[i].contact.gap);
    }
    return depth;
}

/* Mark the slow bodies that a fast one may sweep over, and find out how deep bodies are. */
static bool mark(passage_guard *guard, const island_layout *layout, const abut_world *world, double dt) {
    if (!array_reserve(&guard->marked, &guard->mark_capacity, world->body_used, sizeof *guard->marked) ||
        !array_reserve(&guard->sunk, &guard->sunk_capacity, world->body_used, sizeof *guard->sunk)) {
        return false;
    }
    for (int32_t slot = 0; slot < world->body_used; slot++) {
        guard->marked[slot] = false;
        guard->sunk[slot] = 0.0;
    }
    for (int32_t p = 0; p < world->broad.found_count; p++) {
        const broad_pair *pair = &world->broad.found[p];
        for (int side = 0; side < 2; side++) {
            int32_t slot = side == 0 ? pair->a : pair->b, other = pair->a + pair->b - slot;
            const body *own = &world->bodies[slot];
            if (!impact_stops_first(own, &world->bodies[other])) {
                continue;
            }
            guard->sunk[slot] = real_max(guard->sunk[slot], deepest_of(world, pair));
            guard->marked[slot] = guard->marked[slot] || way_of(layout, world, other, dt) > slow_way * own->core;
        }
    }
    return true;
}

static bool list(passage_guard *guard, const island_layout *layout, const abut_world *world, double dt) {
    guard->end_count = 0;
    if (!mark(guard, layout, world, dt) ||
        !array_reserve(&guard->ends, &guard->end_capacity, layout->contacts.body_count, sizeof *guard->ends)) {
        return false;
    }
    for (int32_t slot = 0; slot < world->body_used; slot++) {
        const body *body = &world->bodies[slot];
        if (!is_moving(layout, world, slot) || body->kind != ABUT_BODY_DYNAMIC) {
            continue;
        }
        int32_t state = state_of(layout, slot);
        bool fast = guard->path_of[state] >= 0 || guard->marked[slot] || way_of(layout, world, slot, dt) > slow_way * body->core;
        if (fast || guard->sunk[slot] > passing_depth * body->core) {
            guard->ends[guard->end_count++] = (passage_end){.state = state, .fast = fast};
        }
    }
    return true;
}

typedef struct following {
    passage_guard *guard;
    const island_layout *layout;
    const abut_world *world;
    double dt;
} following;

static void follow_range(void *argument, int32_t begin, int32_t end) {
    const following *of = argument;
    for (int32_t i = begin; i < end; i++) {
        follow(of->guard, of->layout, of->world, of->dt, &of->guard->ends[i]);
    }
}

abut_status passage_stop(passage_guard *guard, island_layout *layout, const abut_world *world, double dt) {
    if (!list(guard, layout, world, dt)) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    following of = {guard, layout, world, dt};
    abut_parallel_for(&world->def.parallel, guard->end_count, 8, follow_range, &of);
    for (int32_t i = 0; i < guard->end_count; i++) {
        const passage_end *end = &guard->ends[i];
        if (end->status != ABUT_OK) {
            return end->status;
        }
        if (end->stops) {
            solver_body *state = &layout->states[end->state];
            state->moved = end->at.moved;
            state->rotation = end->at.rotation;
            state->velocity = end->at.velocity;
            state->angular_velocity = end->at.angular_velocity;
        }
    }
    return ABUT_OK;
}

void passage_release(passage_guard *guard) {
    memory_release(guard->path_of);
    memory_release(guard->points);
    memory_release(guard->marked);
    memory_release(guard->sunk);
    memory_release(guard->ends);
}
