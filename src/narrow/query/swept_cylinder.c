/*
 * Bodies of revolution that contain cores: see swept_cylinder.h. The farthest point of an ellipsoid from an axis through its middle is as far as the larger
 * semi-axis of its shadow along the axis: the square root of the larger eigenvalue of P D P, where D has the squares of the semi-axes and P projects across
 * the axis.
 */

#include "narrow/query/swept_cylinder.h"

#include "base/elementary.h"
#include "base/real.h"

/* ---- from bounds ---- */

enum { MOST_BOUNDS = 8 };

/* Points whose convex hull contains the core. */
static bool is_boxed(const convex *core) { return core->core == CORE_SMOOTH || core->core == CORE_FRUSTUM; }

static int32_t bound_count(const convex *core) {
    return core->core == CORE_POLYTOPE ? core->surface->vertex_count : core->core == CORE_SEGMENT ? 2 : is_boxed(core) ? MOST_BOUNDS : 1;
}

static abut_vec3 bound_point(const convex *core, int32_t i) {
    if (!is_boxed(core)) {
        return convex_to_pair(core, convex_vertex(core, i));
    }
    const abut_aabb *box = &core->shape->bounds;
    return convex_to_pair(core, abut_vec3_make(i & 1 ? box->upper.x : box->lower.x, i & 2 ? box->upper.y : box->lower.y,
                                               i & 4 ? box->upper.z : box->lower.z));
}

static double distance_from(abut_vec3 axis, abut_vec3 point) { return abut_length(abut_add_scaled(point, -abut_dot(axis, point), axis)); }

swept_cylinder swept_cylinder_of_bounds(const convex *core, abut_vec3 axis) {
    swept_cylinder c = {.low = INFINITY, .high = -INFINITY};
    int32_t count = bound_count(core);
    for (int32_t i = 0; i < count; ++i) {
        abut_vec3 point = bound_point(core, i);
        double height = abut_dot(axis, point);
        c.low = real_min_number(c.low, height);
        c.high = real_max_number(c.high, height);
        c.reach = real_max_number(c.reach, distance_from(axis, point));
    }
    return c;
}

/* ---- from the core ---- */

/* How much larger an ellipsoid with the same semi-axes must be to contain the superquadric. The unit ball of the p-norm in the plane lies in the circle of
 * radius 2^(1/2 - 1/p), and p = 2 / exponent. Both norms of a superquadric are nested. */
static double swelling(const abut_shape *shape) {
    double swollen = 1.0;
    for (int i = 0; i < 2 && shape->kind == ABUT_SHAPE_SUPERQUADRIC; ++i) {
        swollen *= shape->exponent[i] < 1.0 ? elementary_pow(2.0, 0.5 * (1.0 - shape->exponent[i])) : 1.0;
    }
    return swollen;
}

/* A unit vector across a unit axis. */
static abut_vec3 across(abut_vec3 axis) {
    double x = fabs(axis.x), y = fabs(axis.y), z = fabs(axis.z);
    abut_vec3 least = abut_vec3_make(x <= y && x <= z, y < x && y <= z, z < x && z < y);
    return abut_unit(abut_cross(axis, least));
}

/* Larger semi-axis of the shadow of an ellipsoid along a unit axis, core frame. */
static double shadow_reach(abut_vec3 semi, abut_vec3 axis) {
    abut_vec3 u = across(axis), v = abut_cross(axis, u);
    abut_vec3 of_u = abut_vec3_make(semi.x * u.x, semi.y * u.y, semi.z * u.z),
              of_v = abut_vec3_make(semi.x * v.x, semi.y * v.y, semi.z * v.z);
    double half_sum = 0.5 * (abut_length_squared(of_u) + abut_length_squared(of_v));
    double half_difference = 0.5 * (abut_length_squared(of_u) - abut_length_squared(of_v));
    return sqrt(half_sum + elementary_hypot(half_difference, abut_dot(of_u, of_v)));
}

static swept_hull of_ellipsoid(const convex *core, abut_vec3 axis) {
    abut_vec3 semi = abut_scale(swelling(core->shape), core->shape->half), local = convex_direction_to_local(core, axis);
    double up = abut_length(abut_vec3_make(semi.x * local.x, semi.y * local.y, semi.z * local.z));
    swept_hull h = {.height = abut_dot(axis, core->position), .distance = distance_from(axis, core->position)};
    h.cylinder = (swept_cylinder){h.distance + shadow_reach(semi, local), h.height - up, h.height + up};
    h.radius = real_max(semi.x, real_max(semi.y, semi.z));
    return h;
}

static swept_hull of_frustum(const convex *core, abut_vec3 axis) {
    const frustum *f = &core->shape->round;
    abut_vec3 local = convex_direction_to_local(core, axis);
    double tilt = abut_length(abut_vec3_make(local.x, local.y, 0.0)), half = 0.5 * (f->z[1] - f->z[0]);
    abut_vec3 middle = convex_to_pair(core, abut_vec3_make(0.0, 0.0, 0.5 * (f->z[0] + f->z[1])));
    swept_hull h = {
        .cylinder = {.low = INFINITY, .high = -INFINITY}, .height = abut_dot(axis, middle), .distance = distance_from(axis, middle)};
    for (int end = 0; end < 2; ++end) {
        abut_vec3 centre = convex_to_pair(core, abut_vec3_make(0.0, 0.0, f->z[end]));
        double height = abut_dot(axis, centre), up = f->radius[end] * tilt;
        h.cylinder.reach = real_max(h.cylinder.reach, distance_from(axis, centre) + f->radius[end]);
        h.cylinder.low = real_min(h.cylinder.low, height - up);
        h.cylinder.high = real_max(h.cylinder.high, height + up);
        h.radius = real_max(h.radius, elementary_hypot(half, f->radius[end]));
    }
    return h;
}

static bool is_of_revolution(const convex *core, abut_vec3 axis) {
    const double rounding = 1e-15;
    const abut_shape *shape = core->shape;
    const abut_vec3 *semi = &shape->half, local = convex_direction_to_local(core, axis);
    bool quadric = shape->kind == ABUT_SHAPE_SUPERQUADRIC, frustum = core->core == CORE_FRUSTUM;
    bool round = frustum || (semi->x == semi->y && (!quadric || shape->exponent[1] == 1.0));
    bool ball = round && !frustum && semi->z == semi->x && (!quadric || shape->exponent[0] == 1.0);
    return ball || (round && fabs(local.x) + fabs(local.y) <= rounding);
}

static void allow_rounding(swept_hull *h, const swept_cylinder *bounds) {
    swept_cylinder *c = &h->cylinder;
    const double rounding = 2e-15 * (c->reach + fabs(c->low) + fabs(c->high));
    c->reach = real_min(c->reach + rounding, bounds->reach);
    c->low = real_max(c->low - rounding, bounds->low);
    c->high = real_min(c->high + rounding, bounds->high);
    h->radius += rounding;
}

swept_hull swept_hull_of(const convex *core, abut_vec3 axis, const swept_cylinder *bounds) {
    abut_kind kind = core->shape->kind;
    bool ellipsoid = kind == ABUT_SHAPE_ELLIPSOID || kind == ABUT_SHAPE_SUPERQUADRIC;
    if (!(abut_length_squared(axis) > 0.5) || !(ellipsoid || core->core == CORE_FRUSTUM)) {
        return (swept_hull){.cylinder = *bounds, .radius = INFINITY};
    }
    swept_hull h = ellipsoid ? of_ellipsoid(core, axis) : of_frustum(core, axis);
    h.unchanged = is_of_revolution(core, axis) && h.distance <= 1e-15 * h.radius;
    allow_rounding(&h, bounds);
    return h;
}

/* ---- support functions ---- */

double swept_cylinder_support(const swept_cylinder *cylinder, abut_vec3 axis, abut_vec3 direction) {
    double along = abut_dot(axis, direction);
    return real_max_number(along * cylinder->low, along * cylinder->high) + abut_length(abut_cross(axis, direction)) * cylinder->reach;
}

double swept_hull_support(const swept_hull *hull, abut_vec3 axis, abut_vec3 direction) {
    double ring = abut_dot(axis, direction) * hull->height + abut_length(abut_cross(axis, direction)) * hull->distance;
    return real_min_number(swept_cylinder_support(&hull->cylinder, axis, direction), ring + abut_length(direction) * hull->radius);
}
