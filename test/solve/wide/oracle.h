#pragma once

/*
 * A step of the wide solver for one set, written without lanes: bodies and patches one after the other, mobilities by applying unit wrenches. For patches of
 * solve/contact/heap.h, whose points do not depend on share and radius.
 */

#include <string.h>

#include "solve/contact/heap.h"
#include "solve/wide/solver.h"

enum { ORACLE_POINTS = 4 };

typedef struct oracle_patch {
    const solver_pair *pair;
    const solver_patch *patch;
    const solver_point *place;
    const solver_anchor *anchor;
    double load[ORACLE_POINTS], mean[ORACLE_POINTS], sum[ORACLE_POINTS];
    double held[3], held_mean[3]; /* force 0, force 1, moment n */
    bool fresh;                   /* all its contacts are new */
    abut_vec3 middle;
} oracle_patch;

typedef struct oracle {
    const solver_contacts *set;
    solver_body now[HEAP_BODIES], push[HEAP_BODIES];
    abut_vec3 kicked[HEAP_BODIES], angular_kicked[HEAP_BODIES];
    abut_quat turned[HEAP_BODIES];
    oracle_patch patches[HEAP_PAIRS];
    abut_vec3 gravity;
} oracle;

enum oracle_work { ORACLE_GUESS, ORACLE_SOLVE, ORACLE_PUSH };

typedef struct oracle_stage {
    double share, time, rate, most;
    double beyond; /* factor of the changes of a guess; 0: no guess */
} oracle_stage;

/* Adds a force at the middle and a moment, in the patch's frame: (force 0, 1, n, moment 0, 1, n). */
static inline void oracle_apply(const oracle_patch *p, solver_body *bodies, const double wrench[6]) {
    const abut_mat3 frame = {p->patch->tangent[0], p->patch->tangent[1], p->patch->normal};
    abut_vec3 f = abut_mat3_apply(frame, abut_vec3_make(wrench[0], wrench[1], wrench[2]));
    abut_vec3 m = abut_mat3_apply(frame, abut_vec3_make(wrench[3], wrench[4], wrench[5]));
    solver_body *a = &bodies[p->pair->a], *b = &bodies[p->pair->b];
    abut_vec3 arm_b = abut_add(p->middle, p->pair->offset);
    a->velocity = abut_add_scaled(a->velocity, a->inverse_mass, f);
    b->velocity = abut_add_scaled(b->velocity, -b->inverse_mass, f);
    a->angular_velocity = abut_add(a->angular_velocity, abut_mat3_apply(a->inverse_inertia, abut_add(m, abut_cross(p->middle, f))));
    b->angular_velocity = abut_sub(b->angular_velocity, abut_mat3_apply(b->inverse_inertia, abut_add(m, abut_cross(arm_b, f))));
}

/* The motion of A relative to B at the middle: velocity 0, 1, n, spin 0, 1, n. */
static inline void oracle_motion(const oracle_patch *p, const solver_body *bodies, double motion[6]) {
    abut_vec3 v = abut_sub(solver_velocity_at(&bodies[p->pair->a], p->middle),
                           solver_velocity_at(&bodies[p->pair->b], abut_add(p->middle, p->pair->offset)));
    abut_vec3 w = abut_sub(bodies[p->pair->a].angular_velocity, bodies[p->pair->b].angular_velocity);
    const abut_vec3 axes[3] = {p->patch->tangent[0], p->patch->tangent[1], p->patch->normal};
    for (int k = 0; k < 3; k++) {
        motion[k] = abut_dot(axes[k], v);
        motion[3 + k] = abut_dot(axes[k], w);
    }
}

/* Solves m x = r by Gauss' method with pivots. */
static inline void oracle_solve3(double m[3][3], double r[3], double x[3]) {
    for (int c = 0; c < 3; c++) {
        int pivot = c;
        for (int i = c + 1; i < 3; i++) {
            pivot = fabs(m[i][c]) > fabs(m[pivot][c]) ? i : pivot;
        }
        for (int k = 0; k < 3; k++) {
            double swap = m[c][k];
            m[c][k] = m[pivot][k];
            m[pivot][k] = swap;
        }
        double swap = r[c];
        r[c] = r[pivot];
        r[pivot] = swap;
        for (int i = c + 1; i < 3; i++) {
            double factor = m[i][c] / m[c][c];
            for (int k = c; k < 3; k++) {
                m[i][k] -= factor * m[c][k];
            }
            r[i] -= factor * r[c];
        }
    }
    for (int c = 2; c >= 0; c--) {
        x[c] = r[c];
        for (int k = c + 1; k < 3; k++) {
            x[c] -= m[c][k] * x[k];
        }
        x[c] /= m[c][c];
    }
}

/* The change of each component of the motion by each component of the wrench. */
static inline void oracle_mobility(const oracle_patch *p, const solver_body *bodies, double mobility[6][6]) {
    for (int k = 0; k < 6; k++) {
        solver_body still[HEAP_BODIES];
        double wrench[6] = {0.0}, motion[6];
        for (int side = 0; side < 2; side++) {
            int32_t i = side == 0 ? p->pair->a : p->pair->b;
            still[i] = bodies[i];
            still[i].velocity = still[i].angular_velocity = abut_vec3_make(0.0, 0.0, 0.0);
        }
        wrench[k] = 1.0;
        oracle_apply(p, still, wrench);
        oracle_motion(p, still, motion);
        for (int i = 0; i < 6; i++) {
            mobility[i][k] = motion[i];
        }
    }
}

static inline void oracle_point_wrench(const oracle_patch *p, int i, double load, double wrench[6]) {
    wrench[2] += load;
    wrench[3] += load * p->place[i].y;
    wrench[4] -= load * p->place[i].x;
}

static inline double oracle_target(const oracle *o, const oracle_patch *p, int i, enum oracle_work work, const oracle_stage *s) {
    const abut_mat3 frame = {p->patch->tangent[0], p->patch->tangent[1], p->patch->normal};
    abut_vec3 n = p->patch->normal, place = abut_mat3_apply(frame, abut_vec3_make(p->place[i].x, p->place[i].y, 0.0));
    abut_vec3 arm_a = abut_add(p->middle, place), arm_b = abut_add(arm_a, p->pair->offset);
    abut_vec3 way_a = abut_sub(abut_add(o->now[p->pair->a].moved, abut_quat_rotate(o->turned[p->pair->a], arm_a)), arm_a);
    abut_vec3 way_b = abut_sub(abut_add(o->now[p->pair->b].moved, abut_quat_rotate(o->turned[p->pair->b], arm_b)), arm_b);
    double gap = p->anchor[i].gap + abut_dot(n, abut_sub(way_a, way_b));
    return gap > 0.0 ? -gap / s->time : work == ORACLE_PUSH ? fmin(-gap * s->rate, s->most) : 0.0;
}

static inline double oracle_speed(const oracle_patch *p, int i, const double motion[6]) {
    return motion[2] + motion[3] * p->place[i].y - motion[4] * p->place[i].x;
}

static inline void oracle_friction(oracle *o, oracle_patch *p, const oracle_stage *s) {
    static const int slide[3] = {0, 1, 5};
    double mobility[6][6], motion[6], m[3][3], r[3], x[3], load = 0.0, reach = 0.0;
    oracle_mobility(p, o->now, mobility);
    oracle_motion(p, o->now, motion);
    for (int i = 0; i < 3; i++) {
        r[i] = motion[slide[i]] / s->share;
        for (int k = 0; k < 3; k++) {
            m[i][k] = mobility[slide[i]][slide[k]];
        }
    }
    oracle_solve3(m, r, x);
    for (int i = 0; i < p->patch->count; i++) {
        load += p->load[i];
        reach += hypot(p->place[i].x, p->place[i].y) / p->patch->count;
    }
    double most = p->patch->friction * load, now[3];
    for (int k = 0; k < 3; k++) {
        double damped = s->beyond == 0.0 && p->mean[0] >= 0.0 ? 0.03 * (p->held[k] - p->held_mean[k]) : 0.0;
        now[k] = p->held[k] - x[k] - damped;
    }
    double force = hypot(now[0], now[1]);
    if (force > most) {
        now[0] *= most / force;
        now[1] *= most / force;
    }
    now[2] = fmax(fmin(now[2], most * reach), -most * reach);
    const double wrench[6] = {s->share * (now[0] - p->held[0]), s->share * (now[1] - p->held[1]), 0.0, 0.0, 0.0,
                              s->share * (now[2] - p->held[2])};
    oracle_apply(p, o->now, wrench);
    memcpy(p->held, now, sizeof now);
    if (s->beyond > 0.0) {
        memcpy(p->held_mean, now, sizeof now);
    }
}

/* The linear change of loads that meets the targets in the mean and in both slopes: load = c0 + c1 x + c2 y, speed misses likewise. */
static inline bool oracle_press(const oracle *o, const oracle_patch *p, const solver_body *bodies, enum oracle_work work,
                                const oracle_stage *s, double change[ORACLE_POINTS]) {
    double mobility[6][6], motion[6], m[3][3] = {{0.0}}, r[3] = {0.0, 0.0, 0.0}, c[3];
    oracle_mobility(p, bodies, mobility);
    oracle_motion(p, bodies, motion);
    for (int i = 0; i < p->patch->count; i++) {
        const double at[3] = {1.0, p->place[i].x, p->place[i].y};
        double missing = oracle_target(o, p, i, work, s) - oracle_speed(p, i, motion);
        for (int k = 0; k < 3; k++) {
            r[k] += at[k] * missing / s->share;
        }
        for (int j = 0; j < p->patch->count; j++) { /* the speed at i by a load of c at j */
            const double by[3] = {1.0, p->place[j].x, p->place[j].y};
            double wrench[6] = {0.0}, moved[6] = {0.0};
            oracle_point_wrench(p, j, 1.0, wrench);
            for (int k = 0; k < 6; k++) {
                for (int l = 0; l < 6; l++) {
                    moved[k] += mobility[k][l] * wrench[l];
                }
            }
            for (int k = 0; k < 3; k++) {
                for (int l = 0; l < 3; l++) {
                    m[k][l] += at[k] * oracle_speed(p, i, moved) * by[l];
                }
            }
        }
    }
    oracle_solve3(m, r, c);
    c[0] *= work == ORACLE_GUESS ? s->beyond : 1.0;
    bool pulls = false;
    for (int i = 0; i < p->patch->count; i++) {
        change[i] = c[0] + c[1] * p->place[i].x + c[2] * p->place[i].y;
        pulls = pulls || (work == ORACLE_PUSH ? 0.0 : p->load[i]) + change[i] < 0.0;
    }
    return !pulls;
}

static inline void oracle_sweep(oracle *o, oracle_patch *p, solver_body *bodies, enum oracle_work work, const oracle_stage *s) {
    double mobility[6][6];
    oracle_mobility(p, bodies, mobility);
    for (int i = 0; i < p->patch->count; i++) {
        double motion[6], wrench[6] = {0.0}, unit[6] = {0.0}, moved[6] = {0.0}, has = work == ORACLE_PUSH ? 0.0 : p->load[i];
        oracle_motion(p, bodies, motion);
        oracle_point_wrench(p, i, 1.0, unit);
        for (int k = 0; k < 6; k++) {
            for (int l = 0; l < 6; l++) {
                moved[k] += mobility[k][l] * unit[l];
            }
        }
        double missing = oracle_target(o, p, i, work, s) - oracle_speed(p, i, motion);
        double load = fmax(has + missing / (s->share * oracle_speed(p, i, moved)), 0.0);
        oracle_point_wrench(p, i, s->share * (load - has), wrench);
        oracle_apply(p, bodies, wrench);
        if (work != ORACLE_PUSH) {
            p->load[i] = load;
        }
    }
}

/* Without their loads all points part. */
static inline bool oracle_let_go(oracle *o, oracle_patch *p, const oracle_stage *s) {
    solver_body free[HEAP_BODIES];
    double wrench[6] = {0.0}, motion[6];
    free[p->pair->a] = o->now[p->pair->a];
    free[p->pair->b] = o->now[p->pair->b];
    for (int i = 0; i < p->patch->count; i++) {
        oracle_point_wrench(p, i, -s->share * p->load[i], wrench);
    }
    oracle_apply(p, free, wrench);
    oracle_motion(p, free, motion);
    for (int i = 0; i < p->patch->count; i++) {
        if (oracle_target(o, p, i, ORACLE_SOLVE, s) > oracle_speed(p, i, motion)) {
            return false;
        }
    }
    oracle_apply(p, o->now, wrench);
    memset(p->load, 0, sizeof p->load);
    return true;
}

static inline void oracle_pass(oracle *o, const wide_solver *order, enum oracle_work work, const oracle_stage *s) {
    solver_body *bodies = work == ORACLE_PUSH ? o->push : o->now;
    for (int32_t k = 0; k < o->set->patch_count; k++) {
        oracle_patch *p = &o->patches[order->sources[order->order[k]].patch];
        if (work == ORACLE_GUESS && !p->fresh) {
            continue;
        }
        if (work != ORACLE_PUSH) {
            oracle_friction(o, p, s);
        }
        double change[ORACLE_POINTS], wrench[6] = {0.0};
        if (oracle_press(o, p, bodies, work, s, change)) {
            for (int i = 0; i < p->patch->count; i++) {
                double back = work == ORACLE_SOLVE && p->mean[i] >= 0.0
                                  ? 0.03 * (p->load[i] - fmin(p->mean[i], fmax(2.0 * (p->load[i] + change[i]), 0.0)))
                                  : 0.0;
                double load = work == ORACLE_PUSH ? change[i] : fmax(p->load[i] + change[i] - back, 0.0);
                oracle_point_wrench(p, i, s->share * (load - (work == ORACLE_PUSH ? 0.0 : p->load[i])), wrench);
                p->load[i] = work == ORACLE_PUSH ? p->load[i] : load;
            }
            oracle_apply(p, bodies, wrench);
        } else if (work == ORACLE_PUSH || !oracle_let_go(o, p, s)) {
            oracle_sweep(o, p, bodies, work, s);
        }
        for (int i = 0; i < p->patch->count && work == ORACLE_SOLVE; i++) {
            p->mean[i] += p->mean[i] < 0.0 ? 0.0 : 0.02 * (p->load[i] - p->mean[i]);
            p->sum[i] += s->share * p->load[i];
        }
    }
}

static inline void oracle_kick(oracle *o, double time, double again) {
    for (int32_t i = 0; i < o->set->body_count; i++) {
        solver_body *body = &o->now[i];
        abut_vec3 dv = abut_sub(body->velocity, o->kicked[i]), dw = abut_sub(body->angular_velocity, o->angular_kicked[i]);
        o->kicked[i] = abut_add_scaled(body->velocity, body->inverse_mass > 0.0 ? time : 0.0, o->gravity);
        o->angular_kicked[i] = body->angular_velocity;
        body->velocity = abut_add_scaled(o->kicked[i], again, dv);
        body->angular_velocity = abut_add_scaled(o->angular_kicked[i], again, dw);
    }
}

static inline void oracle_drift(oracle *o, const solver_body *by, double time) {
    for (int32_t i = 0; i < o->set->body_count; i++) {
        o->now[i].moved = abut_add_scaled(o->now[i].moved, time, by[i].velocity);
        double angle = time * abut_length(by[i].angular_velocity);
        if (angle > 0.0) {
            o->turned[i] = abut_quat_mul(abut_quat_about(abut_unit(by[i].angular_velocity), angle), o->turned[i]);
        }
    }
}

/* Whether bodies are faster, relative to their mean velocity, than gravity makes them in a step. */
static inline bool oracle_is_restless(const solver_contacts *set, double step, abut_vec3 gravity) {
    abut_vec3 mean = abut_vec3_make(0.0, 0.0, 0.0);
    double moving = 0.0, squares = 0.0;
    for (int32_t i = 0; i < set->body_count; i++) {
        if (set->bodies[i].inverse_mass > 0.0) {
            mean = abut_lerp(mean, set->bodies[i].velocity, 1.0 / ++moving);
        }
    }
    for (int32_t i = 0; i < set->body_count; i++) {
        abut_vec3 relative = abut_sub(set->bodies[i].velocity, mean);
        squares += set->bodies[i].inverse_mass > 0.0 ? abut_length_squared(relative) : 0.0;
    }
    return sqrt(squares / moving) > step * abut_length(gravity);
}

/* Where more than half of the patches are new, and the bodies rest, over-relaxed guesses come first. */
static inline void oracle_guess(oracle *o, const wide_solver *order, int32_t fresh, bool restless, oracle_stage stage) {
    double n = fmin(o->set->patch_count, 40.0);
    int32_t more = 2 * fresh > o->set->patch_count && !restless ? (int32_t)(2.5 * n) : 0;
    for (int32_t guess = 0; guess < more + 6; guess++) {
        stage.beyond = guess < more ? 4.0 * n / (2.0 * n + 3.14159265358979323846) : 1.0;
        oracle_pass(o, order, ORACLE_GUESS, &stage);
    }
}

/* The step of a set that has not been solved yet, in the order of the solver's plan. */
static inline void oracle_run(oracle *o, const solver_contacts *set, const wide_solver *order, const wide_rule *rule, abut_vec3 gravity) {
    double h = rule->step / rule->substeps;
    int32_t fresh = 0;
    *o = (oracle){.set = set, .gravity = gravity};
    for (int32_t i = 0; i < set->body_count; i++) {
        o->now[i] = o->push[i] = set->bodies[i];
        o->push[i].velocity = o->push[i].angular_velocity = abut_vec3_make(0.0, 0.0, 0.0);
        o->kicked[i] = o->now[i].velocity;
        o->angular_kicked[i] = o->now[i].angular_velocity;
        o->turned[i] = abut_quat_identity();
    }
    for (int32_t p = 0; p < set->pair_count; p++) {
        oracle_patch *patch = &o->patches[p];
        const solver_patch *of = &set->patches[set->pairs[p].first];
        *patch = (oracle_patch){
            .pair = &set->pairs[p], .patch = of, .place = &set->points[of->first], .anchor = &set->anchors[of->first], .fresh = true};
        for (int i = 0; i < of->count; i++) {
            solver_impulse warm = patch->anchor[i].warm;
            patch->load[i] = warm.normal;
            patch->mean[i] = patch->anchor[i].mean;
            patch->fresh = patch->fresh && patch->mean[i] < 0.0;
            patch->held[0] += warm.x;
            patch->held[1] += warm.y;
            patch->held[2] += patch->place[i].x * warm.y - patch->place[i].y * warm.x;
            patch->middle = abut_add_scaled(patch->middle, 1.0 / of->count, patch->anchor[i].arm);
        }
        memcpy(patch->held_mean, patch->held, sizeof patch->held);
        fresh += patch->fresh;
    }
    bool deep = false;
    for (int32_t i = 0; i < set->point_count; i++) {
        deep = deep || set->anchors[i].gap < -20.0 * set->anchors[i].touch;
    }
    const oracle_stage half = {.share = 0.5, .time = h}, whole = {.share = 1.0, .time = h};
    const oracle_stage push = {.share = 1.0, .time = rule->step, .rate = rule->push_rate, .most = rule->max_push};
    oracle_kick(o, 0.5 * h, 0.0);
    for (int32_t p = 0; p < set->pair_count; p++) {
        double wrench[6] = {0.5 * o->patches[p].held[0], 0.5 * o->patches[p].held[1], 0.0, 0.0, 0.0, 0.5 * o->patches[p].held[2]};
        for (int i = 0; i < o->patches[p].patch->count; i++) {
            oracle_point_wrench(&o->patches[p], i, 0.5 * o->patches[p].load[i], wrench);
        }
        oracle_apply(&o->patches[p], o->now, wrench);
    }
    oracle_guess(o, order, fresh, oracle_is_restless(set, rule->step, gravity), half);
    oracle_pass(o, order, ORACLE_SOLVE, &half);
    oracle_drift(o, o->now, h);
    for (int32_t k = 1; k < rule->substeps; k++) {
        oracle_kick(o, h, k == 1 ? 2.0 : 1.0);
        oracle_pass(o, order, ORACLE_SOLVE, &whole);
        oracle_drift(o, o->now, h);
    }
    for (int pass = 0; pass < (deep ? 4 : 1); pass++) {
        oracle_pass(o, order, ORACLE_PUSH, &push);
    }
    oracle_drift(o, o->push, rule->step);
    oracle_kick(o, 0.5 * h, rule->substeps > 1 ? 0.5 : 1.0);
    oracle_pass(o, order, ORACLE_SOLVE, &half);
}
