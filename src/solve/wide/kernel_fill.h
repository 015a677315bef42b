/* Fills blocks from pairs, patches and anchors. The effect of wrenches on motions is that of solve/contact/patch.c. Included where SIMD_LEVEL is defined. */
#pragma once

#include "base/real.h"
#include "solve/contact/patch.h"
#include "solve/wide/block.h"

/* An idle lane has no points and moves nothing. Its matrices are those of a unit mass, so that nothing is divided by zero. */
static void fill_idle_lane(wide_block *block, int32_t points, int lane, int32_t row) {
    block->a[lane] = block->b[lane] = row;
    block->to_a[lane] = block->to_b[lane] = -1;
    block->source[lane] = -1;
    for (double *at = &block->count[lane], *end = (double *)(void *)&block->point[points]; at < end; at += SIMD_WIDTH) {
        *at = 0.0;
    }
    block->normal[2][lane] = block->tangent[0][lane] = block->mass_a[lane] = 1.0;
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

/* The points of a patch, and the friction that is expected: the resultant of that of the points. Returns whether all its contacts are new. */
static bool fill_points(wide_block *block, int32_t points, int lane, bool damped, const solver_patch *patch, const solver_point *point,
                        const solver_anchor *anchor) {
    double held[3] = {0.0, 0.0, 0.0}, reach = 0.0;
    bool fresh = true;
    for (int32_t i = 0; i < points; i++) {
        wide_point *to = &block->point[i];
        bool is = i < patch->count;
        double x = is ? point[i].x : 0.0, y = is ? point[i].y : 0.0;
        to->x[lane] = x;
        to->y[lane] = y;
        to->gap[lane] = is ? anchor[i].gap : 0.0;
        to->load[lane] = is ? anchor[i].warm.normal : 0.0;
        to->mean[lane] = !damped ? -1.0 : is ? anchor[i].mean : 0.0;
        to->sum[lane] = 0.0;
        held[0] += is ? anchor[i].warm.x : 0.0;
        held[1] += is ? anchor[i].warm.y : 0.0;
        held[2] += is ? x * anchor[i].warm.y - y * anchor[i].warm.x : 0.0;
        reach += sqrt(x * x + y * y);
        fresh = fresh && (!is || anchor[i].mean < 0.0);
    }
    block->reach[lane] = reach / patch->count;
    for (int k = 0; k < 3; k++) {
        block->held[k][lane] = held[k];
        block->held_mean[k][lane] = held[k];
        block->held_sum[k][lane] = 0.0;
    }
    return fresh;
}

/* Penetration that one pass of the push does not remove, relative to the gap that counts as closed. */
static const double deep = 20.0;

static bool is_deep(const solver_patch *patch, const solver_anchor *anchor) {
    bool found = false;
    for (int32_t i = 0; i < patch->count; i++) {
        found = found || anchor[i].gap < -deep * anchor[i].touch;
    }
    return found;
}

static void fill_lane(wide_block *block, int32_t points, int lane, const wide_solver *solver, int32_t index) {
    const wide_source *source = &solver->sources[index];
    const solver_contacts *set = &solver->sets[source->set];
    const solver_pair *pair = &set->pairs[source->pair];
    const solver_patch *patch = &set->patches[source->patch];
    const solver_anchor *anchor = &set->anchors[patch->first];
    const solver_body *a = &set->bodies[pair->a], *b = &set->bodies[pair->b];
    abut_vec3 middle = {0.0, 0.0, 0.0};
    for (int32_t i = 0; i < patch->count; i++) {
        middle = abut_add_scaled(middle, 1.0 / patch->count, anchor[i].arm);
    }
    block->a[lane] = source->a;
    block->b[lane] = source->b;
    block->to_a[lane] = a->inverse_mass > 0.0 ? source->a : -1;
    block->to_b[lane] = b->inverse_mass > 0.0 ? source->b : -1;
    block->source[lane] = index;
    block->count[lane] = patch->count;
    block->inverse_count[lane] = patch->inverse_count;
    block->inverse_spread[0][lane] = patch->inverse_spread[0];
    block->inverse_spread[1][lane] = patch->inverse_spread[1];
    set_vec3(block->normal, lane, patch->normal);
    set_vec3(block->tangent, lane, patch->tangent[0]);
    set_vec3(block->arm_a, lane, middle);
    set_vec3(block->arm_b, lane, abut_add(middle, pair->offset));
    block->round_a[lane] = anchor->radius_a;
    block->round_b[lane] = anchor->radius_b;
    block->mass_a[lane] = a->inverse_mass;
    block->mass_b[lane] = b->inverse_mass;
    set_inertia(block->inertia_a, lane, a->inverse_inertia);
    set_inertia(block->inertia_b, lane, b->inverse_inertia);
    block->friction[lane] = patch->friction;
    bool fresh = fill_points(block, points, lane, solver->marks[source->set].damped, patch, &set->points[patch->first], anchor);
    block->fresh[lane] = fresh;
    if (fresh) {
        atomic_fetch_add_explicit(&solver->marks[source->set].fresh, 1, memory_order_relaxed);
    }
    if (is_deep(patch, anchor)) {
        atomic_fetch_add_explicit(&solver->marks[source->set].deep, 1, memory_order_relaxed);
    }
}

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
    for (int32_t i = part.begin; i < part.end; i++) {
        wide_block *block = wide_block_of(solver, run, i);
        for (int lane = 0; lane < SIMD_WIDTH; lane++) {
            if (lane < lanes && next < end) {
                fill_lane(block, run->points, lane, solver, solver->order[next++]);
            } else {
                fill_idle_lane(block, run->points, lane, task->group->row + task->group->body_count);
            }
        }
        fill_matrices(block);
    }
}

/* Marks the patches of sets in which a contact is deep, and those that need guesses. */
static void mark(const wide_task *task, wide_part part) {
    const wide_solver *solver = task->solver;
    const wide_run *run = &solver->runs[part.run];
    for (int32_t i = part.begin; i < part.end; i++) {
        wide_block *block = wide_block_of(solver, run, i);
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
