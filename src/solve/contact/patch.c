/* A patch as one constraint. For points that share a normal, v_n is linear in the position (x, y) on the patch. Its mean is the velocity of
 * the middle; its two slopes are the spins about the tangents. An impulse that is linear as well, lambda_i = F / count + X x_i / sum
 * x^2 + Y y_i / sum y^2, has the resultant F at the middle and the moments X and Y. Of all impulses with this resultant it is the smallest
 * (least squares). There are three unknowns and three equations: one 3 x 3 system solves the patch, for any number of points.
 *
 * With tangents t0 x t1 = n, the moment X is -X about t1, and the moment Y is +Y about t0. The slope of v_n along x is -spin 1, along y
 * spin 0.
 *
 * The effect of a wrench at the patch: let the lever of each of its six components be arm x axis for a force and the axis itself for a
 * moment. The component l changes the component k of the motion by lever_k . I^-1 lever_l, plus 1 / m when both are the same force. The
 * contributions of both bodies add up. */
#include "solve/contact/patch.h"

#include "base/elementary.h"
#include "base/real.h"

/* Squared spreads below this, relative to the squared arms, bear no torque: rounding error would make it meaningless. */
static const double least_spread = 1e-16;

/* The angle from the frame's first axis to the longer principal axis of the points, about their mean. */
static double principal_angle(const solver_patch *patch, const solver_anchor *anchors, abut_vec3 mean) {
    abut_vec3 first, second;
    abut_tangent_frame(patch->normal, &first, &second);
    double xx = 0.0, xy = 0.0, yy = 0.0;
    for (int32_t i = 0; i < patch->count; i++) {
        abut_vec3 place = abut_sub(anchors[i].arm, mean);
        double x = abut_dot(place, first), y = abut_dot(place, second);
        xx += x * x;
        xy += x * y;
        yy += y * y;
    }
    return 0.5 * elementary_atan2(2.0 * xy, xx - yy);
}

static abut_vec3 mean_arm(const solver_patch *patch, const solver_anchor *anchors) {
    abut_vec3 mean = {0.0, 0.0, 0.0};
    for (int32_t i = 0; i < patch->count; i++) {
        mean = abut_add_scaled(mean, 1.0 / patch->count, anchors[i].arm);
    }
    return mean;
}

/* Computes the positions of the points on the patch and their spread. */
static void place_points(solver_patch *patch, solver_point *points, const solver_anchor *anchors, abut_vec3 middle) {
    double xx = 0.0, yy = 0.0, farthest = 0.0;
    for (int32_t i = 0; i < patch->count; i++) {
        abut_vec3 place = abut_sub(anchors[i].arm, middle);
        double x = abut_dot(place, patch->tangent[0]), y = abut_dot(place, patch->tangent[1]);
        points[i].x = x;
        points[i].y = y;
        xx += x * x;
        yy += y * y;
        farthest = real_max(farthest, x * x + y * y);
    }
    patch->inverse_spread[0] = patch->bears[0] ? 1.0 / xx : 0.0;
    patch->inverse_spread[1] = patch->bears[1] ? 1.0 / yy : 0.0;
    patch->reach = sqrt(farthest);
}

void solver_begin_patch(const solver_contacts *set, solver_patch *patch, abut_vec3 normal) {
    solver_point *points = &set->points[patch->first];
    const solver_anchor *anchors = &set->anchors[patch->first];
    abut_vec3 mean = mean_arm(patch, anchors), first, second;
    double reach = 0.0;
    for (int32_t i = 0; i < patch->count; i++) {
        points[i] = (solver_point){.target = 0.0};
        reach = real_max_number(reach, abut_length_squared(anchors[i].arm));
    }
    patch->normal = normal;
    abut_tangent_frame(normal, &first, &second);
    double angle = patch->count > 1 ? principal_angle(patch, anchors, mean) : 0.0;
    patch->tangent[0] = abut_add(abut_scale(elementary_cos(angle), first), abut_scale(elementary_sin(angle), second));
    patch->tangent[1] = abut_cross(normal, patch->tangent[0]);
    patch->inverse_count = 1.0 / patch->count;
    double xx = 0.0, yy = 0.0;
    for (int32_t i = 0; i < patch->count; i++) {
        double x = abut_dot(abut_sub(anchors[i].arm, mean), patch->tangent[0]);
        double y = abut_dot(abut_sub(anchors[i].arm, mean), patch->tangent[1]);
        xx += x * x;
        yy += y * y;
    }
    patch->bears[0] = xx > least_spread * reach;
    patch->bears[1] = yy > least_spread * reach;
    place_points(patch, points, anchors, mean);
}

/* Inverse of the symmetric matrix 00 01 02 11 12 22, by cofactors. */
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

/* Order of a wrench's components: forces, then moments, each along tangent 0, tangent 1 and the normal. */
enum { FORCES = 3, COMPONENTS = 6 };

static const int sliding_components[3] = {0, 1, 5}, pressing_components[3] = {2, 3, 4};

typedef struct leverage {
    abut_vec3 lever[COMPONENTS], turn[COMPONENTS]; /* turn = I^-1 lever */
    double inverse_mass;
} leverage;

static leverage leverage_of(const solver_patch *patch, const solver_body *body, abut_vec3 arm, int components) {
    const abut_vec3 axes[3] = {patch->tangent[0], patch->tangent[1], patch->normal};
    leverage l = {.inverse_mass = body->inverse_mass};
    for (int k = 0; k < components; k++) {
        l.lever[k] = k < FORCES ? abut_cross(arm, axes[k]) : axes[k - FORCES];
        l.turn[k] = abut_mat3_apply(body->inverse_inertia, l.lever[k]);
    }
    return l;
}

static double response(const leverage *of, int k, int l) {
    return abut_dot(of->lever[k], of->turn[l]) + (k == l && k < FORCES ? of->inverse_mass : 0.0);
}

/* A single point has no spin, so its wrench has forces only. */
static void add_point_mobility(solver_patch *patch, const leverage *of) {
    patch->sliding[0] += response(of, 0, 0);
    patch->sliding[1] += response(of, 0, 1);
    patch->sliding[3] += response(of, 1, 1);
    patch->pressing[0] += response(of, 2, 2);
    patch->coupling[0] += response(of, 2, 0);
    patch->coupling[1] += response(of, 2, 1);
}

static void add_mobility(solver_patch *patch, const leverage *of) {
    for (int row = 0, at = 0; row < 3; row++) {
        for (int column = row; column < 3; column++, at++) {
            patch->sliding[at] += response(of, sliding_components[row], sliding_components[column]);
            patch->pressing[at] += response(of, pressing_components[row], pressing_components[column]);
        }
        for (int column = 0; column < 3; column++) {
            patch->coupling[3 * row + column] += response(of, pressing_components[row], sliding_components[column]);
        }
    }
}

static void find_mobility(solver_patch *patch, const solver_body *a, const solver_body *b) {
    const solver_body *const bodies[2] = {a, b};
    const abut_vec3 arms[2] = {patch->arm_a, patch->arm_b};
    for (int k = 0; k < 6; k++) {
        patch->sliding[k] = 0.0;
        patch->pressing[k] = 0.0;
    }
    for (int k = 0; k < 9; k++) {
        patch->coupling[k] = 0.0;
    }
    for (int i = 0; i < 2; i++) {
        if (bodies[i]->inverse_mass > 0.0) {
            leverage of = leverage_of(patch, bodies[i], arms[i], patch->count > 1 ? COMPONENTS : FORCES);
            if (patch->count > 1) {
                add_mobility(patch, &of);
            } else {
                add_point_mobility(patch, &of);
            }
        }
    }
}

static void find_inverse(solver_patch *patch) {
    const double *p = patch->pressing;
    bool x = patch->bears[0], y = patch->bears[1];
    const double m[6] = {p[0], x ? -p[2] : 0.0, y ? p[1] : 0.0, x ? p[5] : 1.0, x && y ? -p[4] : 0.0, y ? p[3] : 1.0};
    invert_symmetric(m, patch->inverse);
}

static void refresh_point(const solver_patch *patch, solver_point *point) {
    const double *p = patch->pressing;
    double x = point->x, y = point->y;
    double mobility = p[0] + y * y * p[3] + x * x * p[5] + 2.0 * (y * p[1] - x * p[2] - x * y * p[4]);
    point->inverse_mobility = 1.0 / mobility;
    friction_matrix m = solver_point_sliding(patch, point);
    double scale = 1.0 / (m.xx * m.yy - m.xy * m.xy);
    point->holding = (friction_matrix){m.yy * scale, -m.xy * scale, m.xx * scale};
}

/* The motion of a body's surface along itself at the arm, world frame. Adds it to *velocity and *spin with the sign. */
static void add_drive(const solver_body *body, abut_vec3 arm, double sign, abut_vec3 *velocity, abut_vec3 *spin) {
    if (body->drive != NULL) {
        abut_vec3 turn = abut_mat3_apply(body->axes, body->drive->angular);
        *velocity = abut_add_scaled(*velocity, sign, abut_add(abut_mat3_apply(body->axes, body->drive->linear), abut_cross(turn, arm)));
        *spin = abut_add_scaled(*spin, sign, turn);
    }
}

static void find_drive(solver_patch *patch, const solver_body *a, const solver_body *b) {
    abut_vec3 velocity = {0.0, 0.0, 0.0}, spin = velocity;
    patch->driven = a->drive != NULL || b->drive != NULL;
    if (patch->driven) {
        add_drive(a, patch->arm_a, 1.0, &velocity, &spin);
        add_drive(b, patch->arm_b, -1.0, &velocity, &spin);
        patch->drive =
            abut_vec3_make(abut_dot(patch->tangent[0], velocity), abut_dot(patch->tangent[1], velocity), abut_dot(patch->normal, spin));
    }
}

static abut_vec3 turn_of(const solver_body *body) {
    return body->drive != NULL ? abut_mat3_apply(body->axes, body->drive->angular) : abut_vec3_make(0.0, 0.0, 0.0);
}

void solver_patch_lead(const solver_body *a, const solver_body *b, solver_patch *patch, double h) {
    if (!patch->driven) {
        return;
    }
    /* Each body's place moves over the other one's surface. */
    abut_vec3 turn = abut_add(turn_of(a), turn_of(b));
    abut_vec3 way = abut_scale(-0.5 * h, abut_sub(solver_velocity_at(a, patch->arm_a), solver_velocity_at(b, patch->arm_b)));
    abut_vec3 change = abut_cross(turn, way);
    patch->drive.x += abut_dot(patch->tangent[0], change);
    patch->drive.y += abut_dot(patch->tangent[1], change);
}

void solver_patch_refresh(const solver_body *a, const solver_body *b, abut_vec3 apart, solver_patch *patch, solver_point *points,
                          const solver_anchor *anchors) {
    patch->arm_a = mean_arm(patch, anchors);
    patch->arm_b = abut_add(patch->arm_a, apart);
    place_points(patch, points, anchors, patch->arm_a);
    find_mobility(patch, a, b);
    find_drive(patch, a, b);
    if (patch->count > 1) {
        find_inverse(patch);
    }
    for (int32_t i = 0; i < patch->count; i++) {
        refresh_point(patch, &points[i]);
    }
}

bool solver_patch_press(const solver_patch *patch, solver_point *points, abut_vec3 motion, abut_vec3 *load) {
    double mean = 0.0, slope_x = 0.0, slope_y = 0.0;
    for (int32_t i = 0; i < patch->count; i++) {
        const solver_point *point = &points[i];
        double missing = point->target - (motion.x + motion.y * point->y - motion.z * point->x);
        mean += missing;
        slope_x += missing * point->x;
        slope_y += missing * point->y;
    }
    mean *= patch->inverse_count;
    slope_x *= patch->inverse_spread[0];
    slope_y *= patch->inverse_spread[1];
    const double *w = patch->inverse;
    double force = (w[0] * mean + w[1] * slope_x + w[2] * slope_y) * patch->inverse_count;
    double by_x = (w[1] * mean + w[3] * slope_x + w[4] * slope_y) * patch->inverse_spread[0];
    double by_y = (w[2] * mean + w[4] * slope_x + w[5] * slope_y) * patch->inverse_spread[1];
    for (int32_t i = 0; i < patch->count; i++) {
        if (!(points[i].impulse.normal + force + by_x * points[i].x + by_y * points[i].y >= 0.0)) {
            return false;
        }
    }
    *load = abut_vec3_make(0.0, 0.0, 0.0);
    for (int32_t i = 0; i < patch->count; i++) {
        double change = force + by_x * points[i].x + by_y * points[i].y;
        points[i].impulse.normal += change;
        *load = abut_add_scaled(*load, change, abut_vec3_make(1.0, points[i].y, -points[i].x));
    }
    return true;
}
