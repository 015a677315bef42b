/* The motions of bodies in the substeps of a step: see the header. */
#include "step/fixed/continuous/ways.h"

#include "base/real.h"

/* The whole motion of a body whose points are not known. */
static moving_body whole_motion(const step_ways *ways, int32_t slot, int32_t state) {
    const body *body = &ways->world->bodies[slot];
    path_point start = path_start(body), end = path_point_of(&ways->layout->states[state]);
    start.angular_velocity = end.angular_velocity;
    return path_between(body, &start, &end, ways->dt);
}

moving_body ways_motion(const step_ways *ways, const path_point *points, int32_t slot, int32_t substep) {
    const body *body = &ways->world->bodies[slot];
    int32_t state = layout_state_of(ways->layout, slot), substeps = ways->world->def.fixed.substeps;
    if (state < 0) {
        return (moving_body){.shape = body->shape, .pose = body->pose, .pivot = body->local_centre};
    }
    if (ways->path_of[state] >= 0) {
        const path_point *from = &points[ways->path_of[state] + substep];
        return path_between(body, from, from + 1, ways->dt / substeps);
    }
    const moving_body whole = whole_motion(ways, slot, state);
    return path_part(&whole, (double)substep / substeps, (double)(substep + 1) / substeps);
}

/* An upper bound that takes no arc tangent: the angle between two rotations is 4 asin(d / 2) <= pi d, where d is the distance of their quaternions. Of a body
 * that may have turned once around it tells nothing. */
static double most_length(const step_ways *ways, const body *body, const solver_body *end) {
    const double once = 1.0, rounding = 1e-9;
    if (!(abut_length(end->angular_velocity) * ways->dt <= once)) {
        return INFINITY;
    }
    abut_quat from = body->frame, to = end->rotation;
    double x = to.x - from.x, y = to.y - from.y, z = to.z - from.z, w = to.w - from.w;
    double angle = REAL_PI * sqrt(x * x + y * y + z * z + w * w);
    return (1.0 + rounding) * (abut_length(end->moved) + real_min(angle, REAL_PI) * body->radius);
}

double ways_length(const step_ways *ways, int32_t slot, double enough) {
    const body *body = &ways->world->bodies[slot];
    int32_t state = layout_state_of(ways->layout, slot);
    if (state < 0) {
        return 0.0;
    }
    if (ways->path_of[state] < 0) {
        double most = most_length(ways, body, &ways->layout->states[state]);
        if (most <= enough) {
            return most;
        }
        const moving_body whole = whole_motion(ways, slot, state);
        return path_length(body, whole.motion);
    }
    double length = 0.0;
    for (int32_t substep = 0; substep < ways->world->def.fixed.substeps; substep++) {
        const moving_body part = ways_motion(ways, ways->planned, slot, substep);
        length += path_length(body, part.motion);
    }
    return length;
}
