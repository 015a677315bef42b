/* One body and its way: see the header. */
#include "step/fixed/continuous/follow.h"

#include "base/real.h"
#include "narrow/query/distance.h"
#include "narrow/solids.h"
#include "shape/shape.h"
#include "step/fixed/continuous/impact.h"
#include "step/world/meet/excluded.h"

/* A body passes when it gets this deep, relative to the radius of the ball inside it, or clearly deeper than it was at the start of the step. */
static const double passing_depth = 0.25;
static const double clearly_deeper = 1.1;

/* In what it has met already in the step it gets this deep only: as deep as contacts of the solver are. */
static const double touching_depth = 0.02;

/* Casts find depths within a twentieth. */
static const double tolerance = 0.05;

/* A slow body that is deep may get deeper by this. Otherwise it could not rest there, and be pushed out gently. */
static const double sinking_depth = 0.02;

/* Planes that have stopped the body before may turn a way out until this part of it is left, relative to the normal. */
static const double least_outwards = 0.1;

/* A body that meets others more often than this within a step stops. */
enum { MOST_SLIDES = 12 };

/* A body that has stopped it, and the normal there, into the follower; zero if it is not known. */
typedef struct obstacle {
    int32_t slot;
    abut_vec3 normal;
} obstacle;

typedef struct follower {
    const step_ways *ways;
    follow_task *task;
    const body *own;
    int32_t substep;
    double begin, end;         /* the part of the substep that is asked */
    moving_body motion;        /* in this part */
    abut_vec3 pushed;          /* what bodies that move have added to this motion; the executed share becomes part of task->carried */
    abut_aabb reach;           /* of this part */
    int32_t spared;            /* slot of a body that is not asked; -1 for none */
    obstacle met[MOST_SLIDES]; /* as often as bodies have stopped it */
    int32_t met_count;
    bool stopped;    /* its own motion is over */
    int32_t carrier; /* slot of a body that carries it along then; -1 for none */
    double fraction; /* of this part, at which the body stops; above 1 for none */
    int32_t other;   /* slot of the body that stops it */
} follower;

/* ---- motions ---- */

static moving_body other_motion(const follower *f, int32_t slot) {
    const moving_body whole = ways_motion(f->ways, f->ways->points, slot, f->substep);
    return path_part(&whole, f->begin, f->end);
}

static abut_aabb reach_of(const body *body, const moving_body *motion) {
    abut_vec3 from = abut_pose_apply(motion->pose, motion->pivot), to = abut_add(from, motion->motion.linear);
    return aabb_grown(aabb_union((abut_aabb){from, from}, (abut_aabb){to, to}), body->radius);
}

/* ---- what stops it ---- */

/* A pair that no cast supports is not guarded. A cast that takes too long has told how far the way is free. */
static abut_status status_of(abut_status cast) {
    return cast == ABUT_ERROR_OUT_OF_MEMORY || cast == ABUT_ERROR_NOT_FINITE ? cast : ABUT_OK;
}

/* How deep the bodies were in each other at the start of the step; at least 0. The contacts tell it, unless they are those of a later moment. */
static abut_status depth_at_start(const follower *f, int32_t slot, double *depth) {
    const abut_world *world = f->ways->world;
    const body *other = &world->bodies[slot];
    const broad_pair *pair = broad_pair_of(&world->broad, f->task->slot, slot);
    bool bounded = other->shape->kind != ABUT_SHAPE_PLANE;
    if (!pair || (bounded && abut_distance_between(f->own->centre, other->centre) > f->own->radius + other->radius)) {
        *depth = 0.0;
        return ABUT_OK;
    }
    if (pair->met == 0.0 && pair->contact_count > 0) {
        *depth = contact_store_depth(&world->next, pair);
        return ABUT_OK;
    }
    abut_separation met;
    abut_status status = distance_ask(NULL, &(abut_pair){f->own->shape, f->own->pose, other->shape, other->pose}, NULL, NULL, &met);
    *depth = status == ABUT_OK ? real_max(-met.gap, 0.0) : 0.0;
    return status_of(status);
}

static bool has_met(const follower *f, int32_t slot) {
    for (int32_t i = 0; i < f->met_count; i++) {
        if (f->met[i].slot == slot) {
            return true;
        }
    }
    return false;
}

/* Depths in another body: the one that the body must not reach, and the deepest that it has had there. */
typedef struct limit_depth {
    double most, sunk;
} limit_depth;

static abut_status least_depth(const follower *f, int32_t slot, limit_depth *depth) {
    double core = f->own->core;
    *depth = (limit_depth){touching_depth * core, 0.0};
    if (has_met(f, slot)) {
        return ABUT_OK;
    }
    abut_status status = depth_at_start(f, slot, &depth->sunk);
    depth->most = real_max(passing_depth * core, f->task->fast ? clearly_deeper * depth->sunk : depth->sunk + sinking_depth * core);
    return status;
}

/* The motion of the point that is fixed to a body. */
static abut_vec3 motion_at(const moving_body *body, abut_vec3 point) {
    abut_vec3 arm = abut_sub(point, abut_pose_apply(body->pose, body->pivot));
    return abut_add(body->motion.linear, abut_cross(body->motion.angular, arm));
}

/* By how much the motions close the gap between the bodies. */
static double closing_of(const moving_body *own, const moving_body *other, const abut_separation *met) {
    return -abut_dot(met->normal, abut_sub(motion_at(own, met->on_a), motion_at(other, met->on_b)));
}

static abut_status separation_of(const moving_body *own, const moving_body *other, abut_separation *met) {
    return distance_ask(NULL, &(abut_pair){own->shape, own->pose, other->shape, other->pose}, NULL, NULL, met);
}

/* A body that turns aside may be too deep in a second one already, and casts pass over that. *now: it is, and gets deeper. Otherwise the depth becomes one that
 * it has not reached. */
static abut_status present_depth(const follower *f, const moving_body *other, limit_depth *depth, bool *now) {
    *now = false;
    abut_separation met;
    abut_status status = f->task->turns_aside ? separation_of(&f->motion, other, &met) : ABUT_ERROR_UNSUPPORTED_PAIR;
    depth->sunk = status == ABUT_OK ? real_max(depth->sunk, -met.gap) : depth->sunk;
    if (status == ABUT_OK && -met.gap >= (1.0 - tolerance) * depth->most) {
        *now = closing_of(&f->motion, other, &met) > 0.0;
        depth->most = clearly_deeper * -met.gap;
    }
    return status_of(status);
}

/* Whether the cast has told how far the way is free: a touch, or the end of a cast that takes too long. */
static bool is_answer(abut_status cast) { return cast == ABUT_OK || cast == ABUT_ERROR_ITERATION_LIMIT; }

/* Where the body stops before another one: where they touch; or, if they touch at the start of the part, where it gets deeper than contacts are. Bodies that
 * stay close to each other, as one that rolls on an edge, may be followed too long to find their touch. They stop no earlier than where they get that deep:
 * without it, each stop would lead to the next one at once. */
static abut_status stop_before(const follower *f, const moving_body *other, limit_depth depth, double *fraction) {
    bool now;
    double deep, less;
    abut_hit hit;
    abut_status status = present_depth(f, other, &depth, &now);
    *fraction = now ? 0.0 : 2.0;
    if (status != ABUT_OK || now) {
        return status;
    }
    status = shape_cast_to_depth(&f->motion, other, depth.most, clearly_deeper * depth.sunk, &deep);
    if (status != ABUT_OK || !(deep <= 1.0)) {
        *fraction = status == ABUT_ERROR_ITERATION_LIMIT ? deep : 2.0;
        return status_of(status);
    }
    *fraction = deep;
    status = shape_cast_find(&f->motion, other, 0.0, &hit);
    if (status == ABUT_OK && hit.fraction > 0.0) {
        *fraction = real_min(hit.fraction, deep);
        return ABUT_OK;
    }
    if (status == ABUT_ERROR_OUT_OF_MEMORY) {
        return status;
    }
    double free = status == ABUT_ERROR_ITERATION_LIMIT ? hit.fraction : 0.0;
    status = shape_cast_to_depth(&f->motion, other, touching_depth * f->own->core, 0.0, &less);
    less = is_answer(status) ? real_max(less, free) : free;
    *fraction = less > 0.0 ? real_min(less, deep) : deep;
    return status == ABUT_ERROR_OUT_OF_MEMORY ? status : ABUT_OK;
}

/* Whether the bodies are of one mechanism whose bodies do not stop each other. */
static bool is_of_mechanism(const follower *f, int32_t slot) {
    const island_layout *layout = f->ways->layout;
    const int32_t *mechanism = f->task->mechanism, *island = layout->island_of, *place = layout->place_of, own = f->task->slot;
    return mechanism != NULL && island[slot] >= 0 && island[slot] == island[own] && mechanism[place[slot]] == mechanism[place[own]];
}

static void meet(follower *f, int32_t slot) {
    follow_task *task = f->task;
    const body *other = &f->ways->world->bodies[slot];
    bool skipped = slot == task->slot || slot == f->spared || (task->alone && other->kind == ABUT_BODY_DYNAMIC) ||
                   is_of_mechanism(f, slot) || !world_can_touch(f->ways->world, task->slot, slot);
    if (skipped || task->status != ABUT_OK || !impact_stops_first(f->own, other)) {
        return;
    }
    moving_body motion = other_motion(f, slot);
    if (other->shape->kind != ABUT_SHAPE_PLANE && !aabb_meets(f->reach, reach_of(other, &motion))) {
        return;
    }
    double fraction = 2.0;
    limit_depth depth;
    task->status = least_depth(f, slot, &depth);
    task->status = task->status == ABUT_OK ? stop_before(f, &motion, depth, &fraction) : task->status;
    if (fraction < f->fraction || (fraction == f->fraction && slot < f->other)) {
        f->fraction = fraction;
        f->other = slot;
    }
}

static bool visit(void *context, int32_t slot) {
    meet(context, slot);
    return true;
}

/* Whether the body is stopped in the present part of its motion. */
static bool is_stopped(follower *f) {
    const broad_phase *broad = &f->ways->world->broad;
    f->fraction = 2.0;
    f->other = INT32_MAX;
    f->reach = reach_of(f->own, &f->motion);
    box_tree_query(&broad->boxes, f->reach, visit, f);
    for (int32_t i = 0; i < broad->plane_count; i++) {
        meet(f, broad->planes[i]);
    }
    return f->fraction <= 1.0 && f->task->status == ABUT_OK;
}

/* ---- where it goes on ---- */

/* Whether one plane bounds a body wherever it is touched. */
static bool is_convex(const abut_shape *shape) { return shape_is_convex(shape) || solids_is_one(shape); }

/* The shortest way that leads out of the plane of the body that stops it now by this depth, and into no plane of those that have stopped it before in this
 * step; along the normal if there is none. at: the present one among them, or NULL. A convex body has no plane but the present one: it may have been
 * slid around. */
static abut_vec3 way_out(const follower *f, const obstacle *at, abut_vec3 normal, double depth) {
    bool convex = is_convex(f->ways->world->bodies[f->other].shape);
    abut_vec3 way = normal;
    for (int32_t i = 0; i < f->met_count; i++) {
        const obstacle *m = &f->met[i];
        bool passed = m == at || (m->slot == f->other && convex);
        double into = passed ? 0.0 : -abut_dot(way, m->normal);
        way = into > 0.0 ? abut_add_scaled(way, into, m->normal) : way;
    }
    double along = abut_dot(way, normal);
    return along > least_outwards ? abut_scale(depth / along, way) : abut_scale(depth, normal);
}

/* Moves the body out of the one that has stopped it, as far as others let it. Returns the way that it has moved. */
static abut_vec3 move_out(follower *f, abut_vec3 out) {
    abut_motion rest = f->motion.motion;
    double end = f->end;
    f->motion.motion = (abut_motion){.linear = out};
    f->end = f->begin;
    f->spared = f->other;
    int32_t other = f->other;
    double way = is_stopped(f) ? f->fraction : 1.0;
    f->motion.pose = shape_cast_pose(&f->motion, way);
    f->other = other;
    f->spared = -1;
    f->end = end;
    f->motion.motion = rest;
    return abut_scale(way, out);
}

/* Whether the body's energy suffices to get to the end of its present motion. It has that of the start of the step, or more if others have pushed it. */
static bool affords(const follower *f) {
    const step_ways *ways = f->ways;
    const body *own = f->own;
    const solver_body *end = &ways->layout->states[layout_state_of(ways->layout, f->task->slot)];
    const abut_motion before = {own->velocity, own->angular_velocity}, after = {end->velocity, end->angular_velocity};
    abut_vec3 centre = abut_pose_apply(shape_cast_pose(&f->motion, 1.0), f->motion.pivot);
    abut_vec3 moved = abut_sub(abut_sub(centre, own->centre), abut_add(f->task->carried, f->pushed));
    abut_vec3 force = abut_add_scaled(own->force, own->mass, body_gravity(ways->world, own));
    return body_kinetic_energy(own, own->frame, before) + abut_dot(force, moved) >= 0.0 ||
           body_kinetic_energy(own, end->rotation, after) + abut_dot(force, abut_sub(moved, end->moved)) >= 0.0;
}

/* Takes away the part of the motion that leads into the other body. False if the body has not the energy for what is left. pushing: by how much the other body
 * itself closes the gap; it makes this share of the way aside, and the body pays for the rest */
static bool turn_aside(follower *f, double closing, double pushing, abut_vec3 aside) {
    double share = real_min(pushing / closing, 1.0);
    f->motion.motion.linear = abut_add(f->motion.motion.linear, aside);
    if (!(share > 0.0)) {
        return affords(f);
    }
    f->pushed = abut_add_scaled(f->pushed, share, aside);
    return true;
}

/* The rest of the way goes on beside the other body. at: the obstacle that it is, or NULL. False if the body does not go on. */
static bool slide(follower *f, obstacle *at) {
    moving_body other = other_motion(f, f->other);
    abut_separation met;
    abut_status status = separation_of(&f->motion, &other, &met);
    if (status != ABUT_OK) {
        f->task->status = status_of(status);
        return false;
    }
    if (at != NULL) {
        at->normal = met.normal;
    }
    double closing = closing_of(&f->motion, &other, &met), pushing = abut_dot(met.normal, motion_at(&other, met.on_b));
    if (met.gap < 0.0) {
        abut_vec3 out = move_out(f, way_out(f, at, met.normal, -met.gap));
        f->task->carried = pushing > 0.0 ? abut_add(f->task->carried, out) : f->task->carried;
    }
    return !(closing > 0.0) || turn_aside(f, closing, pushing, way_out(f, at, met.normal, closing));
}

/* Notes that a share of the present motion has been made. */
static void note_pushed(follower *f, double share) {
    f->task->carried = abut_add_scaled(f->task->carried, share, f->pushed);
    f->pushed = abut_scale(1.0 - share, f->pushed);
}

/* Goes on to where the body is stopped. Its motion is that of the rest afterwards. Returns the obstacle; NULL if there have been too many. */
static obstacle *go_to_stop(follower *f) {
    note_pushed(f, f->fraction);
    f->motion = path_part(&f->motion, f->fraction, 1.0);
    f->begin += f->fraction * (f->end - f->begin);
    f->task->turns_aside = true;
    if (f->met_count == MOST_SLIDES) {
        return NULL;
    }
    obstacle *at = &f->met[f->met_count++];
    *at = (obstacle){f->other, {0.0, 0.0, 0.0}};
    return at;
}

/* Follows the body through a substep. Returns whether it goes on afterwards. */
static bool follow_substep(follower *f) {
    while (is_stopped(f)) {
        obstacle *at = go_to_stop(f);
        if (!slide(f, at) || f->met_count == MOST_SLIDES || !f->task->fast || f->task->status != ABUT_OK) {
            return false;
        }
    }
    note_pushed(f, 1.0);
    f->motion.pose = shape_cast_pose(&f->motion, 1.0);
    f->begin = f->end;
    return f->task->status == ABUT_OK;
}

static abut_motion rest(void) { return (abut_motion){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}; }

/* The body's own motion ends. It lies on the body that has stopped it, if that one moves; or it waits for others that may push it. */
static void stop(follower *f) {
    bool moves = f->other < f->ways->world->body_used && layout_state_of(f->ways->layout, f->other) >= 0;
    f->carrier = moves ? f->other : -1;
    f->motion.motion = rest();
    f->pushed = (abut_vec3){0.0, 0.0, 0.0};
    bool waits = !f->stopped && !moves;
    f->stopped = true;
    if (waits && !follow_substep(f)) {
        stop(f);
    }
}

/* A body that lies on another one moves along with it in the rest of the substep, so that this one does not pass over it. Where a third body is in the way it
 * stays. */
static void go_along(follower *f) {
    const moving_body carrier = other_motion(f, f->carrier);
    const abut_pose end = shape_cast_pose(&carrier, 1.0);
    abut_vec3 centre = abut_pose_apply(f->motion.pose, f->motion.pivot);
    abut_vec3 way = abut_sub(abut_pose_apply(end, abut_pose_apply_inverse(carrier.pose, centre)), centre);
    f->motion.motion = (abut_motion){way, carrier.motion.angular};
    f->spared = f->carrier;
    bool held = is_stopped(f);
    double fraction = held ? f->fraction : 1.0;
    f->motion.pose = shape_cast_pose(&f->motion, fraction);
    f->task->carried = abut_add_scaled(f->task->carried, fraction, way);
    f->carrier = held ? -1 : f->carrier;
    f->spared = -1;
    f->begin = f->end;
}

/* ---- the whole path ---- */

static path_point placed(const follower *f) {
    abut_vec3 centre = abut_pose_apply(f->motion.pose, f->motion.pivot);
    abut_quat rotation = abut_quat_unit(abut_quat_mul(f->motion.pose.rotation, f->own->principal));
    return (path_point){.moved = abut_sub(centre, f->own->centre), .rotation = rotation};
}

void follow_path(const step_ways *ways, follow_task *task) {
    int32_t path = ways->path_of[layout_state_of(ways->layout, task->slot)];
    follower f = {.ways = ways, .task = task, .own = &ways->world->bodies[task->slot], .spared = -1};
    f.carrier = -1;
    task->status = ABUT_OK;
    for (f.substep = 0; f.substep < ways->world->def.fixed.substeps && task->status == ABUT_OK; f.substep++) {
        moving_body planned = ways_motion(ways, ways->planned, task->slot, f.substep);
        planned.pose = task->turns_aside ? f.motion.pose : planned.pose;
        f.motion = planned;
        f.begin = 0.0;
        f.end = 1.0;
        f.motion.motion = f.stopped ? rest() : planned.motion;
        if (f.carrier < 0 && !follow_substep(&f)) {
            stop(&f);
        }
        if (f.carrier >= 0 && task->status == ABUT_OK) {
            go_along(&f);
        }
        if (task->turns_aside && path >= 0) {
            path_point *point = &ways->points[path + f.substep + 1], at = placed(&f);
            at.angular_velocity = f.stopped ? rest().angular : point->angular_velocity;
            *point = at;
        }
    }
    if (task->turns_aside) {
        path_point end = placed(&f);
        task->moved = end.moved;
        task->rotation = end.rotation;
    }
}

abut_status follow_aside(const step_ways *ways, int32_t slot, abut_motion way, const int32_t *mechanism, path_point *end, bool *stopped) {
    follow_task task = {.slot = slot, .fast = true, .turns_aside = true, .mechanism = mechanism, .status = ABUT_OK};
    follower f = {.ways = ways, .task = &task, .own = &ways->world->bodies[slot], .substep = ways->world->def.fixed.substeps - 1};
    f.begin = f.end = 1.0; /* the others stand still */
    f.spared = f.carrier = -1;
    f.motion = other_motion(&f, slot);
    f.motion.motion = way;
    *stopped = !follow_substep(&f) || f.met_count > 0;
    *end = placed(&f);
    return task.status;
}

void follow_note_end(const step_ways *ways, int32_t state) {
    int32_t path = ways->path_of[state];
    if (path >= 0) {
        path_point *end = &ways->points[path + ways->world->def.fixed.substeps];
        end->moved = ways->layout->states[state].moved;
        end->rotation = ways->layout->states[state].rotation;
    }
}
