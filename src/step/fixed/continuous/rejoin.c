/* Joints after the guard: see the header. */
#include "step/fixed/continuous/rejoin.h"

#include "base/array.h"
#include "base/elementary.h"
#include "base/memory.h"
#include "base/real.h"
#include "solve/contact/direct.h"
#include "solve/joint/joint.h"
#include "step/world/motion.h"

/* Joints that are off by less than this, relative to their lever, are where they were. */
static const double settled = 1e-9;

/* The solution has torn a joint that it has left farther apart than this, relative to its lever. */
static const double torn = 1e-4;

/* Bodies that others come after count as so much heavier. */
static const double heavier = 1e3;

/* A body that has moved less than this, relative to the radius of the ball inside it, is not followed. */
static const double unseen = 1e-3;

/* Solutions of the joints, which bend on the way; passes of one without a factorisation; and how often bodies may stop. */
enum { SOLUTIONS = 16, PASSES = 40, ROUNDS = 8 };

/* An island whose joints are mended. Its bodies are copies. */
typedef struct rejoining {
    rejoin_room *room;
    solver_plan *plan;
    island_layout *layout;
    const step_ways *ways;
    int32_t index;
    const layout_island *island;
    solver_contacts set;
} rejoining;

static const body *body_at(const rejoining *of, int32_t place) {
    return &of->ways->world->bodies[of->layout->slots[of->island->body + place]];
}

static solver_body *state_at(const rejoining *of, int32_t place) { return &of->layout->states[of->island->body + place]; }

/* ---- where bodies are ---- */

static void place(const rejoining *of, int32_t i, abut_vec3 moved, abut_quat rotation) {
    solver_body *copy = &of->set.bodies[i];
    copy->velocity = copy->angular_velocity = (abut_vec3){0.0, 0.0, 0.0};
    copy->moved = moved;
    copy->rotation = rotation;
    motion_renew(body_at(of, i), copy);
}

/* Puts the copies where the bodies are after the guard. Those that stay are heavy. */
static void begin_round(const rejoining *of) {
    for (int32_t i = 0; i < of->set.body_count; i++) {
        place(of, i, state_at(of, i)->moved, state_at(of, i)->rotation);
        bool moves = i < of->island->moving && body_at(of, i)->kind == ABUT_BODY_DYNAMIC;
        of->set.bodies[i].inverse_mass = !moves ? 0.0 : 1.0 / (body_at(of, i)->mass * (of->room->stays[i] ? heavier : 1.0));
    }
}

static void weigh(const rejoining *of, int32_t i) {
    abut_mat3 *inertia = &of->set.bodies[i].inverse_inertia;
    if (of->room->stays[i]) {
        inertia->x = abut_scale(1.0 / heavier, inertia->x);
        inertia->y = abut_scale(1.0 / heavier, inertia->y);
        inertia->z = abut_scale(1.0 / heavier, inertia->z);
    }
}

static int32_t rows_at(const solver_joint *joint, const solver_body *a, const solver_body *b, joint_row rows[JOINT_ROWS]) {
    double turned[2] = {joint->turned[0], joint->turned[1]};
    return joint_rows(joint, a, b, turned, rows);
}

static int32_t rows_at_begin(const rejoining *of, const solver_joint *joint, joint_row rows[JOINT_ROWS]) {
    solver_body a, b;
    motion_begin(body_at(of, joint->a), &a);
    motion_begin(body_at(of, joint->b), &b);
    return rows_at(joint, &a, &b, rows);
}

/* Whether the solution itself has left a joint clearly farther apart than it was. This happens where bodies turn too fast for it. */
static bool is_torn(const rejoining *of) {
    for (int32_t j = 0; j < of->set.joint_count; j++) {
        const solver_joint *joint = &of->set.joints[j];
        joint_row rows[JOINT_ROWS], begun[JOINT_ROWS];
        int32_t count = rows_at(joint, state_at(of, joint->a), state_at(of, joint->b), rows);
        double large = torn * joint->lever;
        for (int32_t i = 0; i < count; i++) {
            if (rows[i].role == JOINT_HOLDS && fabs(rows[i].at) * rows[i].lever > large) {
                (void)rows_at_begin(of, joint, begun);
                if (fabs(rows[i].at) > 2.0 * fabs(begun[i].at)) {
                    return true;
                }
            }
        }
    }
    return false;
}

/* Notes where the joints are by the solution; no farther apart than at the begin of the step. */
static void note_planned(const rejoining *of, const follow_task *tasks, int32_t task_count) {
    for (int32_t i = 0; i < of->set.body_count; i++) {
        of->set.bodies[i] = *state_at(of, i);
        of->room->stays[i] = false;
    }
    for (int32_t t = 0; t < task_count; t++) {
        if (tasks[t].turns_aside && of->layout->island_of[tasks[t].slot] == of->index) {
            int32_t i = of->layout->place_of[tasks[t].slot];
            of->room->stays[i] = true;
            place(of, i, tasks[t].planned_moved, tasks[t].planned_rotation);
        }
    }
    for (int32_t j = 0; j < of->set.joint_count; j++) {
        const solver_joint *joint = &of->set.joints[j];
        joint_row rows[JOINT_ROWS], begun[JOINT_ROWS];
        int32_t count = rows_at(joint, &of->set.bodies[joint->a], &of->set.bodies[joint->b], rows);
        (void)rows_at_begin(of, joint, begun);
        for (int32_t i = 0; i < count; i++) {
            double most = rows[i].role == JOINT_HOLDS ? fabs(begun[i].at) : INFINITY;
            of->room->planned[j][i] = rows[i].at > most ? most : rows[i].at < -most ? -most : rows[i].at;
        }
    }
}

/* ---- the way back to the joints ---- */

/* Asks the joints of the present placement for the ways that are missing. Returns the largest, relative to the joint's lever. */
static double ask_joints(const rejoining *of) {
    double largest = 0.0;
    for (int32_t i = 0; i < of->island->moving; i++) {
        weigh(of, i);
    }
    for (int32_t j = 0; j < of->set.joint_count; j++) {
        solver_joint *joint = &of->set.joints[j];
        joint_refresh(joint, of->set.bodies);
        largest = real_max_number(largest, joint_begin_return(joint, of->room->planned[j]) / joint->lever);
    }
    return largest;
}

static void solve_joints(const rejoining *of) {
    direct_forget(of->plan, of->index);
    if (direct_solve_joints(of->plan, of->index, &of->set, 0.0)) {
        return;
    }
    for (int32_t pass = 0; pass < PASSES; pass++) {
        for (int32_t j = 0; j < of->set.joint_count; j++) {
            (void)joint_pass(&of->set.joints[j], of->set.bodies);
        }
    }
}

/* The share of a solution that is a short way: no body turns by more than half a radian. Negative if there is no solution. */
static double share_of(const rejoining *of) {
    const double most = 0.5;
    double share = 1.0;
    for (int32_t i = 0; i < of->island->moving; i++) {
        double turn = abut_length(of->set.bodies[i].angular_velocity);
        if (!(turn < INFINITY) || !abut_vec3_is_finite(of->set.bodies[i].velocity)) {
            return -1.0;
        }
        share = turn * share > most ? most / turn : share;
    }
    return share;
}

static void displace(const rejoining *of, double share) {
    for (int32_t i = 0; i < of->island->moving; i++) {
        solver_body *copy = &of->set.bodies[i];
        abut_vec3 way = abut_scale(share, copy->velocity), turn = abut_scale(share, copy->angular_velocity);
        copy->velocity = copy->angular_velocity = (abut_vec3){0.0, 0.0, 0.0};
        motion_displace(body_at(of, i), copy, way, turn);
        place(of, i, copy->moved, copy->rotation);
    }
}

/* Brings the copies to where the joints are as planned. False if they do not get nearer to it. */
static bool bring_together(const rejoining *of) {
    double first = ask_joints(of), now = first;
    for (int32_t i = 0; i < SOLUTIONS && now > settled; i++) {
        solve_joints(of);
        double share = share_of(of);
        if (share < 0.0) {
            return false;
        }
        displace(of, share);
        now = ask_joints(of);
    }
    return now <= settled || now < 0.5 * first;
}

/* ---- what is in the way ---- */

/* The rotation vector from one rotation to another. */
static abut_vec3 turn_of(abut_quat from, abut_quat to) {
    abut_quat q = abut_quat_mul(to, abut_quat_conjugate(from));
    double sine = sqrt(q.x * q.x + q.y * q.y + q.z * q.z);
    double scale = sine > 0.0 ? 2.0 * elementary_atan2(sine, fabs(q.w)) / sine : 0.0;
    return abut_scale(q.w < 0.0 ? -scale : scale, abut_vec3_make(q.x, q.y, q.z));
}

/* Takes a body to its copy, or beside what is in its way. own_stop: bodies of its own mechanism stop it, too. */
static abut_status take(const rejoining *of, int32_t i, bool own_stop, bool *stopped) {
    const body *own = body_at(of, i);
    const solver_body *copy = &of->set.bodies[i];
    solver_body *state = state_at(of, i);
    abut_motion way = {abut_sub(copy->moved, state->moved), turn_of(state->rotation, copy->rotation)};
    const abut_quat before = state->rotation;
    path_point end = path_point_of(copy);
    bool met = false;
    if (abut_length(way.linear) + abut_length(way.angular) * own->radius > unseen * own->core) {
        const int32_t *mechanism = own_stop ? NULL : of->room->tree;
        abut_status status = follow_aside(of->ways, of->layout->slots[of->island->body + i], way, mechanism, &end, &met);
        if (status != ABUT_OK) {
            return status;
        }
    }
    *stopped = *stopped || met;
    of->room->stays[i] = of->room->stays[i] || met;
    const abut_vec3 force = abut_add_scaled(own->force, own->mass, body_gravity(of->ways->world, own));
    of->room->work[of->room->tree[i]] += abut_dot(force, abut_sub(end.moved, state->moved));
    state->moved = end.moved;
    state->rotation = end.rotation;
    state->angular_velocity = abut_quat_rotate(state->rotation, abut_quat_rotate_inverse(before, state->angular_velocity));
    follow_note_end(of->ways, of->island->body + i);
    return ABUT_OK;
}

/* ---- energy ---- */

static void find_trees(const rejoining *of) {
    int32_t *tree = of->room->tree;
    for (int32_t i = 0; i < of->set.body_count; i++) {
        tree[i] = i;
        of->room->work[i] = of->room->energy[i] = 0.0;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t j = 0; j < of->set.joint_count; j++) {
            int32_t a = of->set.joints[j].a, b = of->set.joints[j].b;
            if (a < of->island->moving && b < of->island->moving && tree[a] != tree[b]) {
                tree[a] = tree[b] = tree[a] < tree[b] ? tree[a] : tree[b];
                changed = true;
            }
        }
    }
}

/* Bodies that were lifted pay with the kinetic energy of all that joints connect with them. */
static void pay(const rejoining *of) {
    for (int32_t i = 0; i < of->island->moving; i++) {
        const solver_body *state = state_at(of, i);
        const abut_motion motion = {state->velocity, state->angular_velocity};
        of->room->energy[of->room->tree[i]] +=
            body_at(of, i)->kind == ABUT_BODY_DYNAMIC ? body_kinetic_energy(body_at(of, i), state->rotation, motion) : 0.0;
    }
    for (int32_t i = 0; i < of->island->moving; i++) {
        double work = of->room->work[of->room->tree[i]], energy = of->room->energy[of->room->tree[i]];
        if (work < 0.0 && energy > 0.0 && body_at(of, i)->kind == ABUT_BODY_DYNAMIC) {
            double factor = sqrt(real_max(energy + work, 0.0) / energy);
            state_at(of, i)->velocity = abut_scale(factor, state_at(of, i)->velocity);
            state_at(of, i)->angular_velocity = abut_scale(factor, state_at(of, i)->angular_velocity);
        }
    }
}

/* ---- islands ---- */

/* Brings the bodies of an island together, round by round, until none is stopped. */
static abut_status take_all(const rejoining *of, bool own_stop) {
    bool stopped = true;
    for (int round = 0; round < ROUNDS && stopped; round++) {
        begin_round(of);
        stopped = false;
        if (!bring_together(of)) {
            break;
        }
        for (int32_t i = 0; i < of->island->moving; i++) {
            if (body_at(of, i)->kind == ABUT_BODY_DYNAMIC) {
                abut_status status = take(of, i, own_stop, &stopped);
                if (status != ABUT_OK) {
                    return status;
                }
            }
        }
    }
    return ABUT_OK;
}

/* Whether joints are still farther apart than planned. */
static bool is_apart(const rejoining *of) {
    begin_round(of);
    return ask_joints(of) > torn;
}

/* Bodies that jam between others of their own mechanism do not stop each other the second time: their contacts push them apart later, and joints hold. */
static abut_status rejoin_island(const rejoining *of, const follow_task *tasks, int32_t task_count) {
    note_planned(of, tasks, task_count);
    find_trees(of);
    abut_status status = take_all(of, true);
    if (status == ABUT_OK && is_apart(of)) {
        for (int32_t i = 0; i < of->set.body_count; i++) {
            of->room->stays[i] = false;
        }
        status = take_all(of, false);
    }
    pay(of);
    return status;
}

static bool make_room(rejoin_room *room, const solver_contacts *set) {
    return array_reserve(&room->bodies, &room->body_capacity, set->body_count, sizeof *room->bodies) &&
           array_reserve(&room->planned, &room->planned_capacity, set->joint_count, sizeof *room->planned) &&
           array_reserve(&room->tree, &room->tree_capacity, set->body_count, sizeof *room->tree) &&
           array_reserve(&room->work, &room->work_capacity, set->body_count, sizeof *room->work) &&
           array_reserve(&room->energy, &room->energy_capacity, set->body_count, sizeof *room->energy) &&
           array_reserve(&room->stays, &room->stay_capacity, set->body_count, sizeof *room->stays);
}

abut_status rejoin_bodies(rejoin_room *room, solver_plan *plan, island_layout *layout, const step_ways *ways, const follow_task *tasks,
                          int32_t task_count) {
    if (layout->contacts.joint_count == 0) {
        return ABUT_OK;
    }
    if (!array_reserve(&room->torn, &room->torn_capacity, layout->island_count, sizeof *room->torn)) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    for (int32_t i = 0; i < layout->island_count; i++) {
        room->torn[i] = false;
    }
    for (int32_t t = 0; t < task_count; t++) {
        int32_t island = layout->island_of[tasks[t].slot];
        room->torn[island] = room->torn[island] || (tasks[t].turns_aside && layout->sets[island].joint_count > 0);
    }
    abut_status status = ABUT_OK;
    for (int32_t i = 0; i < layout->island_count && status == ABUT_OK; i++) {
        rejoining of = {room, plan, layout, ways, i, &layout->islands[i], layout->sets[i]};
        if (!room->torn[i] && !is_torn(&of)) {
            continue;
        }
        if (!make_room(room, &of.set)) {
            return ABUT_ERROR_OUT_OF_MEMORY;
        }
        of.set.bodies = room->bodies;
        status = rejoin_island(&of, tasks, task_count);
    }
    return status;
}

void rejoin_release(rejoin_room *room) {
    memory_release(room->bodies);
    memory_release(room->planned);
    memory_release(room->tree);
    memory_release(room->work);
    memory_release(room->energy);
    memory_release(room->stays);
    memory_release(room->torn);
}
