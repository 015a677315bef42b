/*
 * One pass over blocks: friction of the patch as a block of three unknowns, then its load as a block of three. Points are swept only in lanes where the linear
 * load would pull. Lanes do not depend on each other: branches change only the numbers of lanes under their mask. Included where SIMD_LEVEL is defined.
 */
#pragma once

#include "solve/wide/block.h"

/* In each pass a load goes back to its slow mean by this share of their difference, and the mean to the load. */
static const double lag_damping = 0.03, mean_rate = 0.02;

/* Whether a pass works on the velocities of the push. */
LANES_INLINE bool is_push(const wide_work work) { return work == WIDE_PUSH || work == WIDE_DEEP; }

/* Velocities of the bodies of a block. */
typedef struct block_bodies {
    lanes3 velocity_a, spin_a, velocity_b, spin_b;
    simd rest[4]; /* fourth numbers of the rows */
} block_bodies;

LANES_INLINE block_bodies load_bodies(const wide_block *block, const double *rows) {
    block_bodies of;
    of.velocity_a = lanes_gather(rows, block->a, 0, &of.rest[0]);
    of.spin_a = lanes_gather(rows, block->a, 4, &of.rest[1]);
    of.velocity_b = lanes_gather(rows, block->b, 0, &of.rest[2]);
    of.spin_b = lanes_gather(rows, block->b, 4, &of.rest[3]);
    return of;
}

/* The frame of a block's patches and their arms. */
typedef struct block_frame {
    lanes3 t, u, n, arm_a, arm_b;
} block_frame;

LANES_INLINE block_frame load_frame(wide_block *block) {
    block_frame f = {.t = lanes3_load(block->tangent),
                     .n = lanes3_load(block->normal),
                     .arm_a = lanes3_load(block->arm_a),
                     .arm_b = lanes3_load(block->arm_b)};
    f.u = lanes3_cross(f.n, f.t);
    return f;
}

LANES_INLINE lanes3 to_world(const block_frame *f, lanes3 v) {
    return lanes3_add(lanes3_add(lanes3_scale(v.x, f->t), lanes3_scale(v.y, f->u)), lanes3_scale(v.z, f->n));
}

/* Applies a force at the middle and a moment to A, their opposites to B, and stores the velocities. */
LANES_INLINE void push_bodies(wide_block *block, double *rows, const block_frame *f, block_bodies *of, lanes3 force, lanes3 moment) {
    lanes3 push = to_world(f, force), turn = to_world(f, moment);
    lanes3 spin_a = lanes_symmetric(block->inertia_a, lanes3_add(turn, lanes3_cross(f->arm_a, push)));
    lanes3 spin_b = lanes_symmetric(block->inertia_b, lanes3_add(turn, lanes3_cross(f->arm_b, push)));
    of->velocity_a = lanes3_add(of->velocity_a, lanes3_scale(simd_load(block->mass_a), push));
    of->velocity_b = lanes3_sub(of->velocity_b, lanes3_scale(simd_load(block->mass_b), push));
    of->spin_a = lanes3_add(of->spin_a, spin_a);
    of->spin_b = lanes3_sub(of->spin_b, spin_b);
    lanes_scatter(rows, block->to_a, 0, of->velocity_a, of->rest[0]);
    lanes_scatter(rows, block->to_a, 4, of->spin_a, of->rest[1]);
    lanes_scatter(rows, block->to_b, 0, of->velocity_b, of->rest[2]);
    lanes_scatter(rows, block->to_b, 4, of->spin_b, of->rest[3]);
}

/* A linear function over the patch: at + x along_x + y along_y. */
typedef struct linear {
    simd at, along_x, along_y;
} linear;

LANES_INLINE simd linear_at(linear f, simd x, simd y) { return f.at + x * f.along_x + y * f.along_y; }

/* R^T n - n for the rotation of a body since the begin of the step, by its quaternion (q, w): 2 (w n x q + (n x q) x q). */
LANES_INLINE lanes3 turned_back(lanes3 n, lanes3 q, simd w) {
    lanes3 c = lanes3_cross(n, q);
    c = lanes3_add(c, c);
    return lanes3_add(lanes3_scale(w, c), lanes3_cross(c, q));
}

/* How the gaps have changed since the begin of the step. Anchors follow the rigid motions of both bodies. */
LANES_INLINE linear gap_change(wide_block *block, const double *motion, const block_frame *f) {
    simd none, w_a, w_b;
    lanes3 way_a = lanes_gather(motion, block->a, 0, &none), q_a = lanes_gather(motion, block->a, 4, &w_a);
    lanes3 way_b = lanes_gather(motion, block->b, 0, &none), q_b = lanes_gather(motion, block->b, 4, &w_b);
    lanes3 turn_a = turned_back(f->n, q_a, w_a), turn_b = turned_back(f->n, q_b, w_b), turn = lanes3_sub(turn_a, turn_b);
    simd rounding = simd_load(block->round_a) * lanes3_dot(f->n, turn_a) + simd_load(block->round_b) * lanes3_dot(f->n, turn_b);
    return (linear){lanes3_dot(f->n, lanes3_sub(way_a, way_b)) + lanes3_dot(turn_a, f->arm_a) - lanes3_dot(turn_b, f->arm_b) + rounding,
                    lanes3_dot(turn, f->t), lanes3_dot(turn, f->u)};
}

/* The speed of separation that a point must reach: a gap may close within the time of the stage, and penetration is pushed out. */
LANES_INLINE simd target_of(wide_point *point, linear change, const wide_stage *stage, const wide_work work) {
    simd zero = lanes_zero(), gap = simd_load(point->gap) + linear_at(change, simd_load(point->x), simd_load(point->y));
    simd closed = zero;
    if (is_push(work)) {
        closed = simd_min((zero - gap) * simd_set(stage->push_rate), simd_set(stage->max_push));
    }
    return simd_select(simd_greater(gap, zero), (zero - gap) * simd_set(stage->inverse_time), closed);
}

/* v_n over the patch: (velocity n, spin 0, spin 1) as a linear function. */
LANES_INLINE linear speed_of(lanes3 pressing) { return (linear){pressing.x, lanes_zero() - pressing.z, pressing.y}; }

/* The motion of A relative to B in the patch's frame. */
typedef struct patch_speeds {
    lanes3 sliding;  /* velocity 0, velocity 1, spin n */
    lanes3 pressing; /* velocity n, spin 0, spin 1 */
} patch_speeds;

LANES_INLINE patch_speeds speeds_of(const block_frame *f, const block_bodies *of) {
    lanes3 at_a = lanes3_add(of->velocity_a, lanes3_cross(of->spin_a, f->arm_a));
    lanes3 at_b = lanes3_add(of->velocity_b, lanes3_cross(of->spin_b, f->arm_b));
    lanes3 v = lanes3_sub(at_a, at_b), w = lanes3_sub(of->spin_a, of->spin_b);
    return (patch_speeds){{lanes3_dot(f->t, v), lanes3_dot(f->u, v), lanes3_dot(f->n, w)},
                          {lanes3_dot(f->n, v), lanes3_dot(f->t, w), lanes3_dot(f->u, w)}};
}

/* The lanes of a pass for some patches only. */
LANES_INLINE simd_mask is_meant(wide_block *block, const wide_stage *stage, const wide_work work) {
    return work == WIDE_GUESS ? simd_greater(simd_load(block->fresh), simd_set(stage->left))
                              : simd_greater(simd_load(block->deep), lanes_zero());
}

/* The factor of the changes of a guess. The last guesses end what the others begin. */
LANES_INLINE simd beyond_of(wide_block *block, const wide_stage *stage) {
    return stage->left < WIDE_GUESSES ? simd_set(1.0) : simd_load(block->beyond);
}

/* Friction lags as loads do (take_loads()): it goes back a little to that of the begin of the step. */
LANES_INLINE lanes3 damp_friction(wide_block *block, lanes3 held, lanes3 now) {
    simd damped = simd_select(simd_greater(lanes_zero(), simd_load(block->point[0].mean)), lanes_zero(), simd_set(lag_damping));
    return lanes3_sub(now, lanes3_scale(damped, lanes3_sub(held, lanes3_load(block->held_mean))));
}

LANES_INLINE void store3(lanes_column to[3], lanes3 v) {
    simd_store(to[0], v.x);
    simd_store(to[1], v.y);
    simd_store(to[2], v.z);
}

/* Friction that stops the patch, as far as the load allows: a disc for the force, and the moment of a ring. Returns its change in this pass. */
LANES_INLINE lanes3 solve_friction(wide_block *block, const int32_t points, lanes3 sliding, const wide_stage *stage, const wide_work work) {
    simd load = lanes_zero(), share = simd_set(stage->share);
    for (int32_t i = 0; i < points; i++) {
        load = load + simd_load(block->point[i].load);
    }
    simd most = simd_load(block->friction) * load, most_moment = most * simd_load(block->reach);
    lanes3 held = lanes3_load(block->held);
    lanes3 stick = lanes3_scale(simd_set(1.0 / stage->share), lanes_symmetric(block->inverse_sliding, sliding));
    lanes3 now = lanes3_sub(held, stick);
    if (work == WIDE_SOLVE) {
        now = damp_friction(block, held, now);
    }
    simd square = now.x * now.x + now.y * now.y;
    simd_mask slips = simd_greater(square, most * most);
    if (simd_bits(slips) != 0u) {
        simd scale = most / simd_sqrt(simd_max(square, simd_set(1e-300)));
        now.x = simd_select(slips, now.x * scale, now.x);
        now.y = simd_select(slips, now.y * scale, now.y);
    }
    now.z = simd_max(simd_min(now.z, most_moment), lanes_zero() - most_moment);
    if (work == WIDE_GUESS) {
        simd_mask meant = is_meant(block, stage, work);
        now = lanes3_select(meant, now, held);
        store3(block->held_mean, lanes3_select(meant, now, lanes3_load(block->held_mean)));
    }
    store3(block->held, now);
    if (work == WIDE_SOLVE) {
        store3(block->held_sum, lanes3_add(lanes3_load(block->held_sum), lanes3_scale(share, now)));
    }
    return lanes3_scale(share, lanes3_sub(now, held));
}

/* The linear change of the loads, in impulses of a whole substep, that makes all points meet their targets in the mean and in both slopes. */
LANES_INLINE linear press(wide_block *block, const int32_t points, linear speed, linear change, const wide_stage *stage,
                          const wide_work work) {
    simd zero = lanes_zero(), mean = zero, slope_x = zero, slope_y = zero, count = simd_load(block->count);
    for (int32_t i = 0; i < points; i++) {
        wide_point *point = &block->point[i];
        simd x = simd_load(point->x), y = simd_load(point->y);
        simd missing = target_of(point, change, stage, work) - linear_at(speed, x, y);
        missing = simd_select(simd_greater(count, simd_set(i)), missing, zero);
        mean = mean + missing;
        slope_x = slope_x + missing * x;
        slope_y = slope_y + missing * y;
    }
    simd whole = simd_set(1.0 / stage->share), per_count = simd_load(block->inverse_count);
    simd per_x = simd_load(block->inverse_spread[0]), per_y = simd_load(block->inverse_spread[1]);
    lanes3 load =
        lanes_symmetric(block->inverse_pressing, (lanes3){mean * per_count * whole, slope_x * per_x * whole, slope_y * per_y * whole});
    return (linear){load.x * per_count, load.y * per_x, load.z * per_y};
}

/* Loads of a block in a pass: their resultant force n, moment 0, moment 1. */
LANES_INLINE lanes3 load_at(simd load, simd x, simd y) { return (lanes3){load, load * y, lanes_zero() - load * x}; }

/* Solves the points of the lanes under the mask one by one. `pressing` contains everything so far. Returns the loads that it adds. */
LANES_INLINE lanes3 sweep(wide_block *block, const int32_t points, simd_mask lanes, lanes3 pressing, linear change, const wide_stage *stage,
                          const wide_work work) {
    simd zero = lanes_zero(), two = simd_set(2.0), count = simd_load(block->count), share = simd_set(stage->share);
    lanes_column *m = block->pressing;
    lanes3 all = lanes3_zero();
    for (int32_t i = 0; i < points; i++) {
        wide_point *point = &block->point[i];
        simd x = simd_load(point->x), y = simd_load(point->y), has = is_push(work) ? zero : simd_load(point->load);
        simd mobility = simd_load(m[0]) + y * y * simd_load(m[3]) + x * x * simd_load(m[5]) +
                        two * (y * simd_load(m[1]) - x * simd_load(m[2]) - x * y * simd_load(m[4]));
        simd missing = target_of(point, change, stage, work) - linear_at(speed_of(pressing), x, y);
        simd load = simd_max(has + missing / (mobility * share), zero);
        simd_mask solved = simd_both(lanes, simd_greater(count, simd_set(i)));
        lanes3 added = load_at(share * (load - has), x, y);
        lanes3 next = lanes3_add(pressing, lanes_symmetric(m, added));
        pressing = lanes3_select(solved, next, pressing);
        all = lanes3_select(solved, lanes3_add(all, added), all);
        if (!is_push(work)) {
            simd_store(point->load, simd_select(solved, load, has));
        }
    }
    return all;
}

/*
 * Lets go those of the lanes in which all points part without their loads, as after an impact. The points, one by one, would not find this solution, because
 * each of them still feels the loads of the others. Returns the loads that this adds; `held` receives the other lanes.
 */
LANES_INLINE lanes3 let_go(wide_block *block, const int32_t points, simd_mask lanes, lanes3 pressing, linear change,
                           const wide_stage *stage, const wide_work work, simd_mask *held) {
    simd zero = lanes_zero(), count = simd_load(block->count), share = simd_set(stage->share);
    lanes3 all = lanes3_zero();
    for (int32_t i = 0; i < points; i++) {
        wide_point *point = &block->point[i];
        all = lanes3_add(all, load_at(share * simd_load(point->load), simd_load(point->x), simd_load(point->y)));
    }
    linear speed = speed_of(lanes3_sub(pressing, lanes_symmetric(block->pressing, all)));
    simd_mask holds = simd_greater(zero, zero);
    for (int32_t i = 0; i < points; i++) {
        wide_point *point = &block->point[i];
        simd missing = target_of(point, change, stage, work) - linear_at(speed, simd_load(point->x), simd_load(point->y));
        holds = simd_either(holds, simd_both(simd_greater(missing, zero), simd_greater(count, simd_set(i))));
    }
    for (int32_t i = 0; i < points; i++) {
        simd load = simd_load(block->point[i].load);
        simd_store(block->point[i].load, simd_select(lanes, simd_select(holds, load, zero), load));
    }
    *held = simd_both(lanes, holds);
    lanes3 none = lanes3_zero();
    return lanes3_select(lanes, lanes3_select(holds, none, lanes3_sub(none, all)), none);
}

/* Damps and stores the loads of the lanes whose loads stay linear. Returns the loads that this adds. */
LANES_INLINE lanes3 take_loads(wide_block *block, const int32_t points, simd_mask pulls, linear by, const wide_stage *stage,
                               const wide_work work) {
    simd zero = lanes_zero(), count = simd_load(block->count), share = simd_set(stage->share);
    lanes3 all = lanes3_zero();
    for (int32_t i = 0; i < points; i++) {
        wide_point *point = &block->point[i];
        simd x = simd_load(point->x), y = simd_load(point->y);
        simd_mask taken = simd_greater(count, simd_set(i));
        simd added = simd_select(pulls, zero, simd_select(taken, linear_at(by, x, y), zero));
        if (!is_push(work)) {
            simd load = simd_load(point->load), mean = simd_load(point->mean), next = load + added;
            if (work == WIDE_SOLVE) {
                simd_mask undamped = simd_either(pulls, simd_greater(zero, mean));
                simd slow = simd_min(mean, simd_max(next + next, zero)); /* where an impact ends, its mean does not bring the load back */
                next = next - simd_select(undamped, zero, simd_set(lag_damping) * (load - slow));
            }
            next = simd_max(next, zero);
            added = share * (next - load);
            simd_store(point->load, next);
        }
        all = lanes3_add(all, load_at(added, x, y));
    }
    return all;
}

/* The lanes in which a point would pull. */
LANES_INLINE simd_mask would_pull(wide_block *block, const int32_t points, linear by, const wide_work work) {
    simd zero = lanes_zero(), count = simd_load(block->count);
    simd_mask pulls = simd_greater(zero, zero);
    for (int32_t i = 0; i < points; i++) {
        wide_point *point = &block->point[i];
        simd load = linear_at(by, simd_load(point->x), simd_load(point->y));
        if (!is_push(work)) {
            load = load + simd_load(point->load);
        }
        pulls = simd_either(pulls, simd_both(simd_greater(zero, load), simd_greater(count, simd_set(i))));
    }
    return pulls;
}

/* Ends the pass for the points: their means and sums. */
LANES_INLINE void sum_up(wide_block *block, const int32_t points, const wide_stage *stage) {
    simd share = simd_set(stage->share), rate = simd_set(mean_rate), zero = lanes_zero();
    for (int32_t i = 0; i < points; i++) {
        wide_point *point = &block->point[i];
        simd load = simd_load(point->load), mean = simd_load(point->mean);
        simd_store(point->mean, simd_select(simd_greater(zero, mean), mean, mean + rate * (load - mean)));
        simd_store(point->sum, simd_load(point->sum) + share * load);
    }
}

LANES_INLINE lanes3 couple(wide_block *block, lanes3 v) {
    lanes_column *c = block->coupling;
    return (lanes3){simd_load(c[0]) * v.x + simd_load(c[1]) * v.y + simd_load(c[2]) * v.z,
                    simd_load(c[3]) * v.x + simd_load(c[4]) * v.y + simd_load(c[5]) * v.z,
                    simd_load(c[6]) * v.x + simd_load(c[7]) * v.y + simd_load(c[8]) * v.z};
}

LANES_INLINE simd size_of(simd s) { return simd_max(s, lanes_zero() - s); }

/* The speed by which loads (force n, moment 0, moment 1) change v_n, at the middle and by turning. */
LANES_INLINE simd residual_of(wide_block *block, lanes3 load) {
    simd turn = size_of(load.y * simd_load(block->pressing[3])) + size_of(load.z * simd_load(block->pressing[5]));
    return size_of(load.x * simd_load(block->pressing[0])) + simd_load(block->reach) * turn;
}

LANES_INLINE void solve_block(const wide_solver *solver, wide_block *block, const int32_t points, const wide_stage *stage,
                              const wide_work work) {
    double *rows = is_push(work) ? solver->rows.push : solver->rows.velocity;
    block_bodies of = load_bodies(block, rows);
    const block_frame f = load_frame(block);
    patch_speeds speeds = speeds_of(&f, &of);
    lanes3 friction = lanes3_zero();
    if (!is_push(work)) {
        friction = solve_friction(block, points, speeds.sliding, stage, work);
        speeds.pressing = lanes3_add(speeds.pressing, couple(block, friction));
    }
    linear change = gap_change(block, solver->rows.motion, &f);
    linear by = press(block, points, speed_of(speeds.pressing), change, stage, work);
    if (work == WIDE_GUESS) {
        simd beyond = beyond_of(block, stage);
        by.at = beyond * by.at;
    }
    simd_mask pulls = would_pull(block, points, by, work);
    if (work == WIDE_GUESS || work == WIDE_DEEP) {
        simd zero = lanes_zero();
        simd_mask meant = is_meant(block, stage, work);
        by = (linear){simd_select(meant, by.at, zero), simd_select(meant, by.along_x, zero), simd_select(meant, by.along_y, zero)};
        pulls = simd_both(pulls, meant);
    }
    lanes3 load = take_loads(block, points, pulls, by, stage, work);
    if (simd_bits(pulls) != 0u) {
        simd_mask swept = pulls;
        if (!is_push(work)) {
            load = lanes3_select(pulls, let_go(block, points, pulls, speeds.pressing, change, stage, work, &swept), load);
        }
        lanes3 more = sweep(block, points, swept, speeds.pressing, change, stage, work);
        load = lanes3_select(swept, more, load);
    }
    if (work == WIDE_SOLVE) {
        sum_up(block, points, stage);
        if (stage->closes) {
            simd_store(block->residual, residual_of(block, load));
        }
    }
    push_bodies(block, rows, &f, &of, (lanes3){friction.x, friction.y, load.x}, (lanes3){load.y, load.z, friction.z});
}

/* Applies the impulses that are expected. */
LANES_INLINE void warm_block(const wide_solver *solver, wide_block *block, const int32_t points, const wide_stage *stage) {
    block_bodies of = load_bodies(block, solver->rows.velocity);
    const block_frame f = load_frame(block);
    lanes3 load = lanes3_zero();
    for (int32_t i = 0; i < points; i++) {
        wide_point *point = &block->point[i];
        load = lanes3_add(load, load_at(simd_load(point->load), simd_load(point->x), simd_load(point->y)));
    }
    lanes3 held = lanes3_load(block->held);
    simd share = simd_set(stage->share);
    push_bodies(block, solver->rows.velocity, &f, &of, lanes3_scale(share, (lanes3){held.x, held.y, load.x}),
                lanes3_scale(share, (lanes3){load.y, load.z, held.z}));
}

LANES_INLINE void pass_blocks(const wide_task *task, wide_part part, const int32_t points, const wide_stage *stage, const wide_work work) {
    const wide_solver *solver = task->solver;
    for (int32_t i = part.begin; i < part.end; i++) {
        wide_block *block = wide_block_of(task, &solver->runs[part.run], i);
        if (work == WIDE_WARM) {
            warm_block(solver, block, points, stage);
        } else if ((work != WIDE_GUESS && work != WIDE_DEEP) || simd_bits(is_meant(block, stage, work)) != 0u) {
            solve_block(solver, block, points, stage, work);
        }
    }
}

/* Most passes are these. Kernels for few points have no loops. */
static void solve_blocks(const wide_task *task, wide_part part, int32_t points, const wide_stage *stage) {
    switch (points) {
    case 1:
        pass_blocks(task, part, 1, stage, WIDE_SOLVE);
        break;
    case 2:
        pass_blocks(task, part, 2, stage, WIDE_SOLVE);
        break;
    case 3:
        pass_blocks(task, part, 3, stage, WIDE_SOLVE);
        break;
    case 4:
        pass_blocks(task, part, 4, stage, WIDE_SOLVE);
        break;
    default:
        pass_blocks(task, part, points, stage, WIDE_SOLVE);
        break;
    }
}

static void pass(const wide_task *task, wide_part part, wide_work work, const wide_stage *stage) {
    const wide_run *run = &task->solver->runs[part.run];
    int32_t points = run->points;
    if (work == WIDE_SOLVE) {
        solve_blocks(task, part, points, stage);
    } else if (work == WIDE_PUSH) {
        pass_blocks(task, part, points, stage, WIDE_PUSH);
    } else if (work == WIDE_DEEP) {
        pass_blocks(task, part, points, stage, WIDE_DEEP);
    } else if (work == WIDE_GUESS) {
        part.end = part.end < run->guessing ? part.end : run->guessing;
        pass_blocks(task, part, points, stage, WIDE_GUESS);
    } else {
        pass_blocks(task, part, points, stage, WIDE_WARM);
    }
}
