/* Fills blocks from pairs, patches and contacts. The effect of wrenches on motions is that of solve/contact/patch.c. Included where SIMD_LEVEL is defined. */
#pragma once

#include "base/real.h"
#include "solve/wide/block.h"
#include "solve/wide/record.h"

/* ---- lanes ---- */

/* The contacts of a block's patches, and what to make of them. */
typedef struct block_source {
    const wide_contact *contact[SIMD_WIDTH];
    int32_t count[SIMD_WIDTH]; /* 0 in idle lanes */
    bool damped[SIMD_WIDTH];
    int32_t points; /* of a block */
    double time;    /* of a substep */
} block_source;

/* An idle lane has no points and moves nothing. Its matrices are those of a unit mass, so that nothing is divided by zero. */
static void fill_idle_lane(wide_block *block, int lane, int32_t row, block_source *from) {
    block->a[lane] = block->b[lane] = row;
    block->to_a[lane] = block->to_b[lane] = -1;
    block->source[lane] = -1;
    for (double *at = &block->count[lane], *end = (double *)(void *)&block->point[0]; at < end; at += SIMD_WIDTH) {
        *at = 0.0;
    }
    block->normal[2][lane] = block->tangent[0][lane] = block->mass_a[lane] = 1.0;
    from->contact[lane] = NULL;
    from->count[lane] = 0;
    from->damped[lane] = true;
}

static void set_vec3(lanes_column to[3], int lane, abut_vec3 v) {
    to[0][lane] = v.x;
    to[1][lane] = v.y;
    to[2][lane] = v.z;
}

static void set_inertia(lanes_column to[6], int lane, abut_mat3 m) {
    const double upper[6] = {m.x.x, m.y.x, m.z.x, m.y.y, m.z.y, m.z.z};
    for (int k = 0; k < 6; k++) {
        to[k][lane] = upper[k];
    }
}

/* What the patch and its bodies tell. The first tangent is not yet along the patch, and arm_b is the way from the centre of B to that of A. */
static void fill_lane(wide_block *block, int lane, const wide_solver *solver, int32_t index, block_source *from) {
    const wide_source *source = &solver->sources[index];
    const solver_contacts *set = &solver->sets[source->set];
    const solver_pair *pair = &set->pairs[source->pair];
    const wide_patch *patch = &set->wide_patches[source->patch];
    const solver_body *a = &set->bodies[pair->a], *b = &set->bodies[pair->b];
    abut_vec3 first, second;
    abut_tangent_frame(patch->normal, &first, &second);
    block->a[lane] = source->a;
    block->b[lane] = source->b;
    block->to_a[lane] = a->inverse_mass > 0.0 ? source->a : -1;
    block->to_b[lane] = b->inverse_mass > 0.0 ? source->b : -1;
    block->source[lane] = index;
    block->count[lane] = patch->count;
    block->inverse_count[lane] = 1.0 / patch->count;
    set_vec3(block->normal, lane, patch->normal);
    set_vec3(block->tangent, lane, first);
    set_vec3(block->arm_b, lane, pair->offset);
    block->round_a[lane] = patch->radius_a;
    block->round_b[lane] = patch->radius_b;
    block->mass_a[lane] = a->inverse_mass;
    block->mass_b[lane] = b->inverse_mass;
    set_inertia(block->inertia_a, lane, a->inverse_inertia);
    set_inertia(block->inertia_b, lane, b->inverse_inertia);
    block->friction[lane] = patch->friction;
    from->contact[lane] = &set->wide_contacts[patch->first];
    from->count[lane] = patch->count;
    from->damped[lane] = solver->marks[source->set].damped;
}

/* Penetration that one pass of the push does not remove, relative to the gap that counts as closed. */
static const double deep = 20.0;

/* Counts patches whose contacts are all new, and patches with a deep contact. */
static void count_marks(wide_block *block, const wide_solver *solver, const block_source *from) {
    for (int lane = 0; lane < SIMD_WIDTH; lane++) {
        const wide_source *source = from->count[lane] > 0 ? &solver->sources[block->source[lane]] : NULL;
        bool fresh = source != NULL && source->fresh, found = false;
        double touch = source != NULL ? solver->sets[source->set].pairs[source->pair].touch : 0.0;
        for (int32_t i = 0; i < from->count[lane]; i++) {
            found = found || from->contact[lane][i].gap < -deep * touch;
        }
        block->fresh[lane] = fresh;
        if (fresh) {
            atomic_fetch_add_explicit(&solver->marks[source->set].fresh, 1, memory_order_relaxed);
        }
        if (found) {
            atomic_fetch_add_explicit(&solver->marks[source->set].deep, 1, memory_order_relaxed);
        }
    }
}

/* ---- points ---- */

static const wide_contact no_contact;

LANES_INLINE const wide_contact *contact_at(const block_source *from, int lane, int32_t i) {
    return i < from->count[lane] ? &from->contact[lane][i] : &no_contact;
}

/* Numbers of the points. Until their places are known, x, y and sum hold their arms. */
static void load_points(wide_block *block, const block_source *from) {
    for (int32_t i = 0; i < from->points; i++) {
        wide_point *to = &block->point[i];
        for (int lane = 0; lane < SIMD_WIDTH; lane++) {
            const wide_contact *contact = contact_at(from, lane, i);
            to->x[lane] = contact->arm.x;
            to->y[lane] = contact->arm.y;
            to->sum[lane] = contact->arm.z;
            to->gap[lane] = contact->gap;
            to->load[lane] = from->time * contact->force;
            to->mean[lane] = from->damped[lane] ? from->time * contact->mean : -1.0;
        }
    }
}

LANES_INLINE lanes3 arm_of(wide_point *point) { return (lanes3){simd_load(point->x), simd_load(point->y), simd_load(point->sum)}; }

/* Sums over the points about their middle, along the tangents. */
typedef struct spread {
    simd xx, xy, yy;
} spread;

typedef struct place {
    simd x, y;
} place;

/* Along two tangents. Points that a lane does not have are at 0. */
LANES_INLINE place place_of(wide_block *block, int32_t i, lanes3 middle, lanes3 t, lanes3 u) {
    lanes3 arm = lanes3_sub(arm_of(&block->point[i]), middle);
    simd_mask is = simd_greater(simd_load(block->count), simd_set(i));
    return (place){simd_select(is, lanes3_dot(arm, t), lanes_zero()), simd_select(is, lanes3_dot(arm, u), lanes_zero())};
}

LANES_INLINE void add_place(spread *to, place p) {
    to->xx = to->xx + p.x * p.x;
    to->xy = to->xy + p.x * p.y;
    to->yy = to->yy + p.y * p.y;
}

/*
 * The tangent turned onto the principal axis of the points, the longer one. The doubled angle has the cosine c and the sine s, up to a factor; the angle itself
 * follows by square roots.
 */
static lanes3 turned_tangent(simd_mask several, spread of, lanes3 t, lanes3 u) {
    const simd zero = lanes_zero(), one = simd_set(1.0), two = simd_set(2.0);
    simd c = of.xx - of.yy, s = two * of.xy;
    simd_mask back = simd_greater(zero, c), left = simd_greater(zero, s);
    simd_mask turns = simd_both(several, simd_either(simd_either(left, simd_greater(s, zero)), back));
    simd length = simd_select(turns, simd_sqrt(c * c + s * s), one), size_c = simd_max(c, zero - c), size_s = simd_max(s, zero - s);
    simd large = simd_sqrt(simd_set(0.5) * (one + size_c / length)), small = size_s / (two * length * large);
    simd cosine = simd_select(back, small, large), sine = simd_select(back, large, small);
    sine = simd_select(left, zero - sine, sine);
    return lanes3_select(turns, lanes3_add(lanes3_scale(cosine, t), lanes3_scale(sine, u)), t);
}

/* Squared spreads below this, relative to the squared arms, bear no torque (solve/contact/patch.c). */
static const double least_spread = 1e-16;

/* Puts the middle between the points, and the tangents along them. */
static void fill_frame(wide_block *block, int32_t points) {
    const simd zero = lanes_zero(), one = simd_set(1.0);
    simd inverse_count = simd_load(block->inverse_count), farthest = zero, reach = zero;
    lanes3 middle = lanes3_zero(), n = lanes3_load(block->normal), t = lanes3_load(block->tangent), u = lanes3_cross(n, t);
    for (int32_t i = 0; i < points; i++) {
        lanes3 arm = arm_of(&block->point[i]);
        middle = lanes3_add(middle, lanes3_scale(inverse_count, arm));
        farthest = simd_max(lanes3_dot(arm, arm), farthest);
    }
    spread first = {zero, zero, zero}, of = {zero, zero, zero};
    for (int32_t i = 0; i < points; i++) {
        add_place(&first, place_of(block, i, middle, t, u));
    }
    t = turned_tangent(simd_greater(simd_load(block->count), one), first, t, u);
    u = lanes3_cross(n, t);
    for (int32_t i = 0; i < points; i++) {
        place p = place_of(block, i, middle, t, u);
        add_place(&of, p);
        reach = reach + simd_sqrt(p.x * p.x + p.y * p.y);
        simd_store(block->point[i].x, p.x);
        simd_store(block->point[i].y, p.y);
        simd_store(block->point[i].sum, zero);
    }
    farthest = simd_set(least_spread) * farthest;
    simd_store(block->inverse_spread[0], simd_select(simd_greater(of.xx, farthest), one / of.xx, zero));
    simd_store(block->inverse_spread[1], simd_select(simd_greater(of.yy, farthest), one / of.yy, zero));
    simd_store(block->reach, reach / simd_max(simd_load(block->count), one));
    lanes3_store(block->tangent, t);
    lanes3_store(block->arm_a, middle);
    lanes3_store(block->arm_b, lanes3_add(middle, lanes3_load(block->arm_b)));
}

/* The friction that is expected: the resultant of that of the points. */
static void fill_friction(wide_block *block, const block_source *from) {
    const simd zero = lanes_zero(), time = simd_set(from->time);
    simd held[3] = {zero, zero, zero};
    lanes3 t = lanes3_load(block->tangent), u = lanes3_cross(lanes3_load(block->normal), t);
    for (int32_t i = 0; i < from->points; i++) {
        lanes_column friction[3];
        for (int lane = 0; lane < SIMD_WIDTH; lane++) {
            set_vec3(friction, lane, contact_at(from, lane, i)->friction);
        }
        lanes3 f = lanes3_load(friction);
        simd x = time * lanes3_dot(f, t), y = time * lanes3_dot(f, u);
        held[0] = held[0] + x;
        held[1] = held[1] + y;
        held[2] = held[2] + (simd_load(block->point[i].x) * y - simd_load(block->point[i].y) * x);
    }
    for (int k = 0; k < 3; k++) {
        simd_store(block->held[k], held[k]);
        simd_store(block->held_mean[k], held[k]);
        simd_store(block->held_sum[k], zero);
    }
}

/* ---- matrices ---- */

/* Inverse of the symmetric matrix 00 01 02 11 12 22, by cofactors. */
static void store_inverse(const simd m[6], lanes_column inverse[6]) {
    simd c00 = m[3] * m[5] - m[4] * m[4], c01 = m[2] * m[4] - m[1] * m[5], c02 = m[1] * m[4] - m[2] * m[3];
    simd scale = simd_set(1.0) / (m[0] * c00 + m[1] * c01 + m[2] * c02);
    simd_store(inverse[0], c00 * scale);
    simd_store(inverse[1], c01 * scale);
    simd_store(inverse[2], c02 * scale);
    simd_store(inverse[3], (m[0] * m[5] - m[2] * m[2]) * scale);
    simd_store(inverse[4], (m[1] * m[2] - m[0] * m[4]) * scale);
    simd_store(inverse[5], (m[0] * m[3] - m[1] * m[1]) * scale);
}

/* Adds one body's part of the mobilities. lever[k]: of a unit of the wrench's component k, forces first. */
static void add_mobility(lanes_column inertia[6], lanes3 arm, const lanes3 axes[3], simd pressing[6], simd coupling[9], simd sliding[6]) {
    static const int press[3] = {2, 3, 4}, slide[3] = {0, 1, 5};
    lanes3 lever[6], turn[6];
    for (int k = 0; k < 3; k++) {
        lever[k] = lanes3_cross(arm, axes[k]);
        lever[3 + k] = axes[k];
    }
    for (int k = 0; k < 6; k++) {
        turn[k] = lanes_symmetric(inertia, lever[k]);
    }
    for (int row = 0, at = 0; row < 3; row++) {
        for (int column = row; column < 3; column++, at++) {
            pressing[at] = pressing[at] + lanes3_dot(lever[press[row]], turn[press[column]]);
            sliding[at] = sliding[at] + lanes3_dot(lever[slide[row]], turn[slide[column]]);
        }
        for (int column = 0; column < 3; column++) {
            coupling[3 * row + column] = coupling[3 * row + column] + lanes3_dot(lever[press[row]], turn[slide[column]]);
        }
    }
}

/* The matrices of a block whose geometry is set. Moments that the points cannot bear stay out. */
static void fill_matrices(wide_block *block) {
    const simd zero = lanes_zero(), one = simd_set(1.0);
    lanes3 axes[3] = {lanes3_load(block->tangent), lanes3_zero(), lanes3_load(block->normal)};
    axes[1] = lanes3_cross(axes[2], axes[0]);
    simd p[6], c[9], s[6];
    for (int k = 0; k < 9; k++) {
        c[k] = zero;
        p[k % 6] = s[k % 6] = zero;
    }
    add_mobility(block->inertia_a, lanes3_load(block->arm_a), axes, p, c, s);
    add_mobility(block->inertia_b, lanes3_load(block->arm_b), axes, p, c, s);
    simd mass = simd_load(block->mass_a) + simd_load(block->mass_b);
    p[0] = p[0] + mass;
    s[0] = s[0] + mass;
    s[3] = s[3] + mass;
    for (int k = 0; k < 9; k++) {
        simd_store(block->coupling[k], c[k]);
    }
    for (int k = 0; k < 6; k++) {
        simd_store(block->pressing[k], p[k]);
    }
    simd_mask bears_x = simd_greater(simd_load(block->inverse_spread[0]), zero),
              bears_y = simd_greater(simd_load(block->inverse_spread[1]), zero);
    simd_mask both = simd_both(bears_x, bears_y), several = simd_either(bears_x, bears_y);
    const simd m[6] = {p[0],
                       simd_select(bears_x, zero - p[2], zero),
                       simd_select(bears_y, p[1], zero),
                       simd_select(bears_x, p[5], one),
                       simd_select(both, zero - p[4], zero),
                       simd_select(bears_y, p[3], one)};
    store_inverse(m, block->inverse_pressing);
    const simd f[6] = {
        s[0], s[1], simd_select(several, s[2], zero), s[3], simd_select(several, s[4], zero), simd_select(several, s[5], one)};
    store_inverse(f, block->inverse_sliding);
    simd_store(block->inverse_sliding[5], simd_select(several, simd_load(block->inverse_sliding[5]), zero));
}

static void fill(const wide_task *task, wide_part part) {
    const wide_solver *solver = task->solver;
    const wide_run *run = &solver->runs[part.run];
    int32_t lanes = run->single ? 1 : SIMD_WIDTH, next = run->source + lanes * part.begin, end = run->source + run->count;
    block_source from;
    from.points = run->points;
    from.time = task->rule->step / task->rule->substeps;
    for (int32_t i = part.begin; i < part.end; i++) {
        wide_block *block = wide_block_of(task, run, i);
        for (int lane = 0; lane < SIMD_WIDTH; lane++) {
            if (lane < lanes && next < end) {
                fill_lane(block, lane, solver, solver->order[next++], &from);
            } else {
                fill_idle_lane(block, lane, task->group->row + task->group->body_count, &from);
            }
        }
        load_points(block, &from);
        count_marks(block, solver, &from);
        fill_frame(block, run->points);
        fill_friction(block, &from);
        fill_matrices(block);
    }
}

/* Marks the patches of sets in which a contact is deep, and those that need guesses. */
static void mark(const wide_task *task, wide_part part) {
    const wide_solver *solver = task->solver;
    const wide_run *run = &solver->runs[part.run];
    for (int32_t i = part.begin; i < part.end; i++) {
        wide_block *block = wide_block_of(task, run, i);
        for (int lane = 0; lane < SIMD_WIDTH; lane++) {
            if (block->source[lane] < 0) {
                continue;
            }
            const wide_mark *of = &solver->marks[solver->sources[block->source[lane]].set];
            bool fresh = block->fresh[lane] > 0.0;
            block->deep[lane] = atomic_load_explicit(&of->deep, memory_order_relaxed) > 0;
            block->fresh[lane] = fresh ? of->guesses : of->damped ? 0 : WIDE_GUESSES;
            block->beyond[lane] = fresh ? of->beyond : 1.0;
        }
    }
}
