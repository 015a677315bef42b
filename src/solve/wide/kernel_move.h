/* The work of a pass's body side: kicks and motions. Included where SIMD_LEVEL is defined. */
#pragma once

#include "solve/wide/block.h"

/* v' = (v + kick) + again (v - kicked), where `kicked` is the velocity after the last kick. Their difference is what impulses have changed since then. */
static void kick_half(double *velocity, double *kicked, const double *by, double keeps, int times, double again) {
    simd_four v = simd_four_load(velocity), change = simd_four_scale(again, simd_four_sub(v, simd_four_load(kicked)));
    for (int k = 0; k < times; k++) {
        v = simd_four_scale(keeps, simd_four_add(v, simd_four_load(by)));
    }
    simd_four_store(kicked, v);
    simd_four_store(velocity, simd_four_add(v, change));
}

static void kick(const wide_task *task, wide_bodies bodies, bool half, double again) {
    const wide_group *group = task->group;
    const wide_rows *rows = &task->solver->rows;
    for (int32_t i = bodies.begin; i < bodies.end; i++) {
        const wide_kick *by = &task->solver->kicks[group->body + i];
        double *velocity = rows->velocity + 8 * (size_t)(group->row + i), *kicked = rows->kicked + 8 * (size_t)(group->row + i);
        kick_half(velocity, kicked, by->linear, by->keeps, half ? 1 : 2, again);
        kick_half(velocity + 4, kicked + 4, by->angular, by->angular_keeps, half ? 1 : 2, again);
    }
}

/* Moves bodies at constant velocities. The rotation by the vector 2 r is the quaternion (r sin |r| / |r|, cos |r|), by series: r is small. */
static void drift(const wide_task *task, wide_bodies bodies, const double *velocity, double time) {
    const wide_group *group = task->group;
    double *motion = task->solver->rows.motion;
    const simd one = simd_set(1.0), h = simd_set(time), half = simd_set(0.5 * time);
    for (int32_t i = bodies.begin; i < bodies.end; i += SIMD_WIDTH) {
        int32_t at[SIMD_WIDTH];
        for (int lane = 0; lane < SIMD_WIDTH; lane++) {
            at[lane] = group->row + (i + lane < bodies.end ? i + lane : group->body_count);
        }
        simd none, still, qw;
        lanes3 v = lanes_gather(velocity, at, 0, &none), w = lanes_gather(velocity, at, 4, &none);
        lanes3 way = lanes_gather(motion, at, 0, &still), q = lanes_gather(motion, at, 4, &qw);
        way = lanes3_add(way, lanes3_scale(h, v));
        lanes3 r = lanes3_scale(half, w);
        simd s = lanes3_dot(r, r);
        simd sine = one - s * (simd_set(1.0 / 6.0) - s * (simd_set(1.0 / 120.0) - s * simd_set(1.0 / 5040.0)));
        simd cosine = one - s * (simd_set(0.5) - s * (simd_set(1.0 / 24.0) - s * simd_set(1.0 / 720.0)));
        r = lanes3_scale(sine, r);
        lanes3 turned = lanes3_add(lanes3_add(lanes3_scale(cosine, q), lanes3_scale(qw, r)), lanes3_cross(r, q));
        lanes_scatter(motion, at, 0, way, still);
        lanes_scatter(motion, at, 4, turned, cosine * qw - lanes3_dot(r, q));
    }
}
