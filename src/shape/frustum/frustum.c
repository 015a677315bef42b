/* Sizes and closest points of frustums. Shape frame; see frustum.h. */

#include "shape/frustum/frustum.h"

#include "base/real.h"

/* The largest ball touches the side and the wider end. Its centre moves to the middle where it would otherwise cross the narrower end. The centre of a ball in
 * a long cylinder stays in the middle. */
static void place_inner_ball(frustum *f) {
    int wide = f->radius[0] >= f->radius[1] ? 0 : 1;
    double slope = fabs(f->normal_z), ball = f->normal_rho * f->radius[wide] / (1.0 + slope), half = 0.5 * f->height;
    bool middle = slope == 0.0 || ball >= half;
    f->inner_radius = real_min(ball, half);
    f->inner_z = middle ? 0.5 * (f->z[0] + f->z[1]) : wide == 0 ? f->z[0] + ball : f->z[1] - ball;
}

/* With a and b for the radii, the centre of mass is height (a^2 + 2 a b + 3 b^2) / (4 (a^2 + a b + b^2)) above the lower end. */
frustum frustum_make(double radius, double top_radius, double height) {
    double greater = real_max(radius, top_radius), a = radius / greater, b = top_radius / greater;
    double aa = a * a, ab = a * b, bb = b * b, quarter = 0.25 * height, sum = aa + ab + bb;
    frustum f = {.radius = {radius, top_radius}, .height = height};
    f.z[0] = -quarter * ((aa + 2.0 * ab + 3.0 * bb) / sum);
    f.z[1] = quarter * ((3.0 * aa + 2.0 * ab + bb) / sum);
    f.slant = elementary_hypot(height, radius - top_radius);
    f.normal_rho = height / f.slant;
    f.normal_z = (radius - top_radius) / f.slant;
    f.offset = f.normal_rho * frustum_radius_at(&f, 0.0);
    place_inner_ball(&f);
    f.centre_depth = real_min(f.offset, real_min(-f.z[0], f.z[1]));
    return f;
}

/* ---- closest points ---- */

/* A point of the surface in the half-plane, with the outward normal of its feature. */
typedef struct spot {
    double rho, z, normal_rho, normal_z;
    abut_feature feature;
} spot;

static spot on_disc(const frustum *f, int end, double rho) {
    return (spot){rho, f->z[end], 0.0, end == 0 ? -1.0 : 1.0, {.kind = ABUT_FEATURE_FACE, .index = end}};
}

static spot on_side(const frustum *f, double along) {
    /* From the nearer end, so that points next to an end keep their digits. */
    int end = along > 0.5 * f->slant;
    double from = end == 0 ? along : along - f->slant;
    return (spot){
        f->radius[end] - from * f->normal_z, f->z[end] + from * f->normal_rho, f->normal_rho, f->normal_z, {.kind = ABUT_FEATURE_SMOOTH}};
}

static spot on_end(const frustum *f, int end) {
    double side = end == 0 ? -1.0 : 1.0, rho = f->normal_rho, z = f->normal_z + side, length = elementary_hypot(rho, z);
    bool apex = f->radius[end] == 0.0;
    return (spot){f->radius[end],
                  f->z[end],
                  apex ? 0.0 : rho / length,
                  apex ? side : z / length,
                  {.kind = apex ? ABUT_FEATURE_VERTEX : ABUT_FEATURE_EDGE, .index = end}};
}

/* Distance of the foot on the side's line from its lower end. */
static double along_side(const frustum *f, double rho, double z) {
    return (z - f->z[0]) * f->normal_rho - (rho - f->radius[0]) * f->normal_z;
}

static spot closest_from_outside(const frustum *f, double rho, double z) {
    for (int end = 0; end < 2; ++end) {
        bool beyond = end == 0 ? z < f->z[0] : z > f->z[1];
        if (beyond && rho <= f->radius[end]) {
            return f->radius[end] > 0.0 ? on_disc(f, end, rho) : on_end(f, end);
        }
    }
    double along = along_side(f, rho, z);
    return !(along > 0.0) ? on_end(f, 0) : !(along < f->slant) ? on_end(f, 1) : on_side(f, along);
}

static spot closest_from_inside(const frustum *f, double rho, double z, double height) {
    for (int end = 0; end < 2; ++end) {
        double over = end == 0 ? f->z[0] - z : z - f->z[1];
        if (over == height && f->radius[end] > 0.0) {
            return on_disc(f, end, real_min(rho, f->radius[end]));
        }
    }
    return on_side(f, real_max(0.0, real_min(f->slant, along_side(f, rho, z))));
}

frustum_point frustum_closest(const frustum *f, abut_vec3 point) {
    double rho = frustum_rho(point.x, point.y), x = rho > 0.0 ? point.x / rho : 1.0, y = rho > 0.0 ? point.y / rho : 0.0;
    double height = frustum_height(f, point);
    bool inside = height <= 0.0;
    spot s = inside ? closest_from_inside(f, rho, point.z, height) : closest_from_outside(f, rho, point.z);
    frustum_point found = {.point = {s.rho * x, s.rho * y, s.z}, .gap = height, .feature = s.feature};
    found.outward = abut_vec3_make(s.normal_rho * x, s.normal_rho * y, s.normal_z);
    bool corner = s.feature.kind == ABUT_FEATURE_EDGE || s.feature.kind == ABUT_FEATURE_VERTEX;
    if (corner && !inside) {
        double across = rho - s.rho, along = point.z - s.z;
        found.gap = elementary_hypot(across, along);
        found.outward = abut_vec3_make(across / found.gap * x, across / found.gap * y, along / found.gap);
    }
    return found;
}
