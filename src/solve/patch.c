/* A patch as one constraint. For points that share a normal, v_n is linear in the place (x, y) on the patch: it is known by its mean and
 * two slopes. An impulse that is linear too, lambda_i = F / count + X x_i / sum x^2 + Y y_i / sum y^2, has the resultant F at the mean
 * point and the moments X and Y; of all impulses with that resultant it is the smallest (least squares). Three unknowns against three:
 * one 3 x 3 system solves the patch, whatever its number of points.
 *
 * With the mean point's arms r, c = r x n, and tangents t0 x t1 = n: a moment X turns A by -X I^-1 t1, a moment Y by +Y I^-1 t0, B
 * against it. */
#include "solve/patch.h"

/* Spreads below this, relative to the arms (squared), bear no torque that rounding leaves meaningful. */
static const double least_spread = 1e-16;

/* The angle from the frame's first axis to the longer principal axis of the points, seen from the mean point. */
static double principal_angle(const solver_patch *patch, const solver_point *points, abut_vec3 mean) {
    abut_vec3 first, second;
    abut_tangent_frame(patch->normal, &first, &second);
    double xx = 0.0, xy = 0.0, yy = 0.0;
    for (int32_t i = 0; i < patch->count; i++) {
        abut_vec3 place = abut_sub(points[i].arm_a, mean);
        double x = abut_dot(place, first), y = abut_dot(place, second);
        xx += x * x;
        xy += x * y;
        yy += y * y;
    }
    return 0.5 * atan2(2.0 * xy, xx - yy);
}

void solver_begin_patch(const solver_contacts *set, solver_patch *patch, abut_vec3 normal) {
    solver_point *points = &set->points[patch->first];
    abut_vec3 mean = {0.0, 0.0, 0.0}, first, second;
    double reach = 0.0;
    for (int32_t i = 0; i < patch->count; i++) {
        mean = abut_add_scaled(mean, 1.0 / patch->count, points[i].arm_a);
        reach = fmax(reach, abut_length_squared(points[i].arm_a));
    }
    patch->normal = normal;
    double angle = principal_angle(patch, points, mean);
    abut_tangent_frame(normal, &first, &second);
    patch->tangent[0] = abut_add(abut_scale(cos(angle), first), abut_scale(sin(angle), second));
    patch->tangent[1] = abut_cross(normal, patch->tangent[0]);
    patch->spread[0] = 0.0;
    patch->spread[1] = 0.0;
    for (int32_t i = 0; i < patch->count; i++) {
        abut_vec3 place = abut_sub(points[i].arm_a, mean);
        points[i].x = abut_dot(place, patch->tangent[0]);
        points[i].y = abut_dot(place, patch->tangent[1]);
        patch->spread[0] += points[i].x * points[i].x;
        patch->spread[1] += points[i].y * points[i].y;
    }
    for (int axis = 0; axis < 2; axis++) {
        if (!(patch->spread[axis] > least_spread * reach)) {
            patch->spread[axis] = 0.0;
        }
    }
}

/* Inverse of the symmetric matrix given as 00 01 02 11 12 22, by cofactors. */
static void invert_symmetric(const double m[6], double inverse[6]) {
    double c00 = m[3] * m[5] - m[4] * m[4], c01 = m[2] * m[4] - m[1] * m[5], c02 = m[1] * m[4] - m[2] * m[3];
    double determinant = m[0] * c00 + m[1] * c01 + m[2] * c02;
    inverse[0] = c00 / determinant;
    inverse[1] = c01 / determinant;
    inverse[2] = c02 / determinant;
    inverse[3] = (m[0] * m[5] - m[2] * m[2]) / determinant;
    inverse[4] = (m[1] * m[2] - m[0] * m[4]) / determinant;
    inverse[5] = (m[0] * m[3] - m[1] * m[1]) / determinant;
}

void solver_patch_refresh(const solver_body *a, const solver_body *b, solver_patch *patch, const solver_point *points) {
    if (patch->count < 2) {
        return;
    }
    abut_vec3 lever_a = {0.0, 0.0, 0.0}, lever_b = {0.0, 0.0, 0.0}, turn = {0.0, 0.0, 0.0};
    double share = 1.0 / patch->count;
    for (int32_t i = 0; i < patch->count; i++) {
        lever_a = abut_add_scaled(lever_a, share, points[i].lever_a);
        lever_b = abut_add_scaled(lever_b, share, points[i].lever_b);
        turn = abut_add_scaled(turn, share, abut_add(points[i].turn_a, points[i].turn_b));
    }
    /* Per unit moment: how both bodies together turn. */
    abut_vec3 by_x = abut_add(abut_mul(a->inverse_inertia, patch->tangent[1]), abut_mul(b->inverse_inertia, patch->tangent[1]));
    abut_vec3 by_y = abut_add(abut_mul(a->inverse_inertia, patch->tangent[0]), abut_mul(b->inverse_inertia, patch->tangent[0]));
    double m[6] = {a->inverse_mass + b->inverse_mass + abut_dot(lever_a, abut_mul(a->inverse_inertia, lever_a)) +
                       abut_dot(lever_b, abut_mul(b->inverse_inertia, lever_b)),
                   0.0,
                   0.0,
                   1.0,
                   0.0,
                   1.0};
    if (patch->spread[0] > 0.0) {
        m[1] = -abut_dot(patch->tangent[1], turn);
        m[3] = abut_dot(patch->tangent[1], by_x);
    }
    if (patch->spread[1] > 0.0) {
        m[2] = abut_dot(patch->tangent[0], turn);
        m[5] = abut_dot(patch->tangent[0], by_y);
    }
    if (patch->spread[0] > 0.0 && patch->spread[1] > 0.0) {
        m[4] = -abut_dot(patch->tangent[0], by_x);
    }
    invert_symmetric(m, patch->inverse);
}

double solver_patch_solve(solver_body *a, solver_body *b, const solver_patch *patch, solver_point *points) {
    double mean = 0.0, slope_x = 0.0, slope_y = 0.0;
    for (int32_t i = 0; i < patch->count; i++) {
        double missing = points[i].target - solver_point_velocity(a, b, patch, &points[i]);
        mean += missing;
        slope_x += missing * points[i].x;
        slope_y += missing * points[i].y;
    }
    mean /= patch->count;
    slope_x = patch->spread[0] > 0.0 ? slope_x / patch->spread[0] : 0.0;
    slope_y = patch->spread[1] > 0.0 ? slope_y / patch->spread[1] : 0.0;
    const double *w = patch->inverse;
    double force = (w[0] * mean + w[1] * slope_x + w[2] * slope_y) / patch->count;
    double by_x = patch->spread[0] > 0.0 ? (w[1] * mean + w[3] * slope_x + w[4] * slope_y) / patch->spread[0] : 0.0;
    double by_y = patch->spread[1] > 0.0 ? (w[2] * mean + w[4] * slope_x + w[5] * slope_y) / patch->spread[1] : 0.0;
    for (int32_t i = 0; i < patch->count; i++) {
        if (!(points[i].impulse.normal + force + by_x * points[i].x + by_y * points[i].y >= 0.0)) {
            return -1.0;
        }
    }
    double largest = 0.0;
    for (int32_t i = 0; i < patch->count; i++) {
        double change = force + by_x * points[i].x + by_y * points[i].y;
        points[i].impulse.normal += change;
        a->angular_velocity = abut_add_scaled(a->angular_velocity, change, points[i].turn_a);
        b->angular_velocity = abut_add_scaled(b->angular_velocity, -change, points[i].turn_b);
        largest = solver_larger(largest, fabs(change) * points[i].mobility);
    }
    a->velocity = abut_add_scaled(a->velocity, force * patch->count * a->inverse_mass, patch->normal);
    b->velocity = abut_add_scaled(b->velocity, -force * patch->count * b->inverse_mass, patch->normal);
    return largest;
}
