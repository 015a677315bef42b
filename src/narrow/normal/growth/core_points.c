#include "narrow/normal/growth/core_points.h"

#include "base/real.h"
#include "narrow/normal/gjk.h"

/* The active planes, which hold the projection. At most three are needed in space. */
typedef struct active_planes {
    int32_t face[3];
    int32_t count;
} active_planes;

/* Projects x on the planes normal_i . y = offset_i, i < count <= 3, and computes the multipliers. False when the planes are linearly dependent. */
static bool project_on_planes(abut_vec3 x, const abut_vec3 *normal, const double *offset, int32_t count, abut_vec3 *y, double *multiplier) {
    const double dependent = 1e-12;
    double h[3];
    for (int32_t i = 0; i < count; ++i) {
        h[i] = abut_dot(normal[i], x) - offset[i];
    }
    if (count == 1) {
        multiplier[0] = h[0];
    } else if (count == 2) {
        double c = abut_dot(normal[0], normal[1]);
        double determinant = abut_length_squared(abut_cross(normal[0], normal[1]));
        if (determinant <= dependent) {
            return false;
        }
        multiplier[0] = (h[0] - c * h[1]) / determinant;
        multiplier[1] = (h[1] - c * h[0]) / determinant;
    } else {
        /* With dual vectors d_i (d_i . normal_j = 1 for i = j, else 0) the step is sum h_i d_i, and its multipliers are its dot products with the d_i. */
        abut_vec3 d0 = abut_cross(normal[1], normal[2]), d1 = abut_cross(normal[2], normal[0]), d2 = abut_cross(normal[0], normal[1]);
        double volume = abut_dot(normal[0], d0);
        if (volume * volume <= dependent) {
            return false;
        }
        abut_vec3 step = abut_scale(1.0 / volume, abut_add(abut_add(abut_scale(h[0], d0), abut_scale(h[1], d1)), abut_scale(h[2], d2)));
        multiplier[0] = abut_dot(step, d0) / volume;
        multiplier[1] = abut_dot(step, d1) / volume;
        multiplier[2] = abut_dot(step, d2) / volume;
    }
    *y = x;
    for (int32_t i = 0; i < count; ++i) {
        *y = abut_add_scaled(*y, -multiplier[i], normal[i]);
    }
    return true;
}

static double plane_offset(const polytope *surface, int32_t face, double rho) { return surface->offsets[face] - rho; }

/* Tries the planes `chosen`. True when their multipliers are >= 0 and the projection satisfies all planes of `all`. */
static bool try_planes(const polytope *surface, double rho, abut_vec3 x, const active_planes *chosen, const int32_t *all, int32_t all_count,
                       double slack, abut_vec3 *y) {
    abut_vec3 normal[3];
    double offset[3], multiplier[3];
    for (int32_t i = 0; i < chosen->count; ++i) {
        normal[i] = surface->normals[chosen->face[i]];
        offset[i] = plane_offset(surface, chosen->face[i], rho);
    }
    if (!project_on_planes(x, normal, offset, chosen->count, y, multiplier)) {
        return false;
    }
    for (int32_t i = 0; i < chosen->count; ++i) {
        if (multiplier[i] < 0.0) {
            return false;
        }
    }
    for (int32_t i = 0; i < all_count; ++i) {
        if (abut_dot(surface->normals[all[i]], *y) > plane_offset(surface, all[i], rho) + slack) {
            return false;
        }
    }
    return true;
}

/* Projects x on the active planes and one more. Updates the active planes; the new one is always among them. */
static bool add_plane(const polytope *surface, double rho, abut_vec3 x, int32_t entering, double slack, active_planes *active,
                      abut_vec3 *y) {
    int32_t all[4];
    for (int32_t i = 0; i < active->count; ++i) {
        all[i] = active->face[i];
    }
    all[active->count] = entering;
    for (unsigned subset = 0; subset < 1u << active->count; ++subset) {
        active_planes chosen = {.face = {entering}, .count = 1};
        for (int32_t i = 0; i < active->count; ++i) {
            if ((subset >> i & 1u) != 0u && chosen.count < 3) {
                chosen.face[chosen.count++] = active->face[i];
            }
        }
        if (try_planes(surface, rho, x, &chosen, all, active->count + 1, slack, y)) {
            *active = chosen;
            return true;
        }
    }
    return false;
}

/* The closest point to x of { y : normal . y <= offset - rho for all faces }, core frame. A dual active-set method, whose working set never holds more than
 * three planes. */
static abut_vec3 project_on_eroded(const polytope *surface, double rho, abut_vec3 x) {
    enum { MOST_STEPS = 64 };
    const double slack = 1e-10 * surface->size; /* the eroded body may be flat or a single point */
    active_planes active = {.count = 0};
    abut_vec3 y = x;
    for (int step = 0; step < MOST_STEPS; ++step) {
        int32_t worst = scan_highest(&surface->plane_lanes, y);
        if (abut_dot(surface->normals[worst], y) - plane_offset(surface, worst, rho) <= slack) {
            return y;
        }
        if (!add_plane(surface, rho, x, worst, slack, &active, &y)) {
            break;
        }
    }
    return surface->inner_centre; /* inside for any rho <= inradius; accurate enough, since any interior point is valid */
}

static double clamp(double x, double limit) { return x < -limit ? -limit : x > limit ? limit : x; }

abut_vec3 core_project(const convex *body, double rho, abut_vec3 x) {
    abut_vec3 local = convex_to_local(body, x), y;
    if (body->core == CORE_POLYTOPE && body->shape->kind == ABUT_SHAPE_BOX) {
        abut_vec3 half = body->shape->half;
        y = abut_vec3_make(clamp(local.x, real_max(half.x - rho, 0.0)), clamp(local.y, real_max(half.y - rho, 0.0)),
                           clamp(local.z, real_max(half.z - rho, 0.0)));
    } else if (body->core == CORE_POLYTOPE) {
        y = project_on_eroded(body->surface, rho, local);
    } else {
        abut_vec3 axis = abut_vec3_make(0.0, 0.0, clamp(local.z, body->half_length));
        abut_vec3 away = abut_sub(local, axis);
        double length = abut_length(away), left = real_max(body->radius - rho, 0.0);
        y = length > left ? abut_add_scaled(axis, left / length, away) : local;
    }
    return convex_to_pair(body, y);
}

/* ---- boxes and round bodies: eroded they are again boxes and round bodies, whose distance is exact ---- */

static bool is_simple(const convex *body) { return body->core != CORE_POLYTOPE || body->shape->kind == ABUT_SHAPE_BOX; }

static convex erode(const convex *body, double rho) {
    convex eroded = *body;
    if (body->core == CORE_POLYTOPE) {
        eroded.eroded = rho;
    } else {
        eroded.radius = real_max(body->radius - rho, 0.0);
    }
    return eroded;
}

static bool simple_core_points(const convex *a, const convex *b, double rho, abut_vec3 *point_a, abut_vec3 *point_b) {
    convex core_a = erode(a, rho), core_b = erode(b, rho);
    gjk_result d = gjk_solve(&core_a, &core_b);
    *point_a = abut_add_scaled(d.on_a, core_a.radius, d.direction);
    *point_b = abut_add_scaled(d.on_b, -core_b.radius, d.direction);
    return d.distance - core_a.radius - core_b.radius > 1e-3 * rho;
}

/* ---- any polytope: alternating projection ---- */

/* Alternating projections, the last one on A. Between nearly parallel faces the steps shrink slowly and evenly, so every third step is extrapolated to the
 * limit of the sequence (Aitken). */
static void alternate(const convex *a, const convex *b, double rho, abut_vec3 *point_a, abut_vec3 *point_b) {
    enum { MOST_ROUNDS = 12 };
    const double still = 1e-3; /* accurate enough, since any interior points are valid */
    double before = 0.0;
    for (int round = 1; round <= MOST_ROUNDS; ++round) {
        abut_vec3 last = *point_a;
        *point_b = core_project(b, rho, last);
        *point_a = core_project(a, rho, *point_b);
        abut_vec3 step = abut_sub(*point_a, last);
        double length = abut_length(step);
        if (length <= still * rho) {
            return;
        }
        double ratio = before > 0.0 ? length / before : 1.0;
        if (round % 3 == 0 && ratio < 0.99 && round < MOST_ROUNDS) {
            *point_a = core_project(a, rho, abut_add_scaled(*point_a, ratio / (1.0 - ratio), step));
        }
        before = length;
    }
}

static bool is_point(const convex *body, double rho) {
    return body->core == CORE_POLYTOPE ? body->surface->inner_is_point && rho >= body->surface->inradius
                                       : body->core == CORE_POINT && rho >= body->radius;
}

bool core_points(const convex *a, const convex *b, abut_vec3 *point_a, abut_vec3 *point_b) {
    double rho = real_min(convex_inradius(a), convex_inradius(b));
    if (is_simple(a) && is_simple(b)) {
        return simple_core_points(a, b, rho, point_a, point_b);
    }
    /* Most bodies become a point when they are eroded by their own inradius. */
    bool point_is_a = is_point(a, rho), point_is_b = is_point(b, rho);
    if (point_is_a || point_is_b) {
        *point_a = point_is_a ? convex_inner_centre(a) : core_project(a, rho, convex_inner_centre(b));
        *point_b = point_is_b ? convex_inner_centre(b) : core_project(b, rho, *point_a);
        return abut_distance_between(*point_a, *point_b) > 1e-3 * rho;
    }
    /* The search runs twice, begun at either body, and the mean of both results is taken. Closest pairs form a convex set, so the mean is a closest pair as
     * well, and it does not depend on which body comes first. */
    abut_vec3 from_a[2] = {convex_inner_centre(a), convex_inner_centre(b)}, from_b[2] = {convex_inner_centre(a), convex_inner_centre(b)};
    alternate(a, b, rho, &from_a[0], &from_a[1]);
    alternate(b, a, rho, &from_b[1], &from_b[0]);
    *point_a = abut_lerp(from_a[0], from_b[0], 0.5);
    *point_b = abut_lerp(from_a[1], from_b[1], 0.5);
    return abut_distance_between(*point_a, *point_b) > 1e-3 * rho;
}
