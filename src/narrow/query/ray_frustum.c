/*
 * Rays and solids of revolution between two discs: a quadratic equation for the side, clipped by the planes of the discs. Shape frame.
 *
 * Along p + s u the side is where q(s) = rho^2 - R^2 = A s^2 + 2 B s + C is zero, with R = R0 + K s for its radius at the height of the point. P and U are p
 * and u across the axis. Then A = U^2 - K^2, B = P . U - R0 K, and the discriminant B^2 - A C is W^2 - (P x U)^2 with W = R0 U - K P: a difference of two
 * squares, which loses no digits where the ray passes close by. p is the ray's point nearest to the origin of the shape, so that a ray from far away loses none
 * either.
 */

#include "narrow/query/ray_frustum.h"

#include "base/real.h"

/* A part of the ray, from s = enter to s = leave; empty when enter > leave. */
typedef struct stretch {
    double enter, leave;
} stretch;

static stretch between_ends(const frustum *f, abut_vec3 origin, abut_vec3 along, double shift, double grow) {
    double low = f->z[0] - grow, high = f->z[1] + grow;
    if (along.z == 0.0) {
        return origin.z >= low && origin.z <= high ? (stretch){-INFINITY, INFINITY} : (stretch){INFINITY, -INFINITY};
    }
    double s = (low - origin.z) / along.z, t = (high - origin.z) / along.z;
    return (stretch){real_min(s, t) - shift, real_max(s, t) - shift};
}

/* The part of the ray within the side grown by `grow` across it. Where the ray misses, *touch receives the s where it comes closest. */
static stretch solve_side(const frustum *f, abut_vec3 p, abut_vec3 u, double grow, double *touch) {
    const double parallel = 1e-30; /* such a slope moves the ray across by less than rounding error anywhere in the shape */
    bool across = frustum_rho(u.x, u.y) > parallel;
    double x = across ? u.x : 0.0, y = across ? u.y : 0.0;
    double k = (f->radius[1] - f->radius[0]) / f->height * u.z, r = frustum_radius_at(f, p.z) + grow / f->normal_rho;
    double a = (x * x + y * y) - k * k, b = p.x * x + p.y * y - r * k, rho = frustum_rho(p.x, p.y), c = (rho - r) * (rho + r);
    if (!across && k == 0.0) {
        return c <= 0.0 ? (stretch){-INFINITY, INFINITY} : (stretch){INFINITY, -INFINITY};
    }
    double w = frustum_rho(r * x - k * p.x, r * y - k * p.y), miss = fabs(p.x * y - p.y * x);
    *touch = a > 0.0 ? -b / a : 0.0;
    if (miss > w && a > 0.0) {
        return (stretch){INFINITY, -INFINITY};
    }
    double root = sqrt(real_max(0.0, (w - miss) * (w + miss)));
    /* Where A <= 0 the other nappe of the cone has the other root. A ray along a line of the side has A = 0, the limit from below. */
    bool steep = !(a > 0.0);
    a = steep ? -fabs(a) : a;
    /* A s + B is -root where the ray enters and root where it leaves. */
    double enter = b < 0.0 ? c / (root - b) : (-b - root) / a, leave = b > 0.0 ? c / (-b - root) : (root - b) / a;
    return (stretch){steep && k < 0.0 ? -INFINITY : enter, steep && k > 0.0 ? INFINITY : leave};
}

/*
 * The same, solved again about the place between both ends where the ray enters. Near an apex rho^2 and R^2 are tiny, and the terms of a distant p leave their
 * rounding errors in the difference, whose root is off by the square root of such an error. Each round leaves 1e-8 of the last distance. *enter receives where
 * the ray enters, or where it comes closest.
 */
static stretch within_side(const frustum *f, abut_vec3 p, abut_vec3 u, stretch ends, double grow, double *enter) {
    enum { MOST_ROUNDS = 4 };
    double touch, about = 0.0, step;
    stretch part = solve_side(f, p, u, grow, &touch);
    *enter = part.enter == INFINITY ? touch : part.enter;
    for (int i = 0; i < MOST_ROUNDS; ++i) {
        about = real_max(ends.enter, real_min(*enter, ends.leave));
        if (!isfinite(about)) {
            break;
        }
        part = solve_side(f, abut_add_scaled(p, about, u), u, grow, &touch);
        step = part.enter == INFINITY ? touch : part.enter;
        part = (stretch){about + part.enter, about + part.leave};
        *enter = about + step;
        if (!(fabs(step) > 1e-8 * f->slant && *enter > ends.enter && *enter < ends.leave)) {
            break;
        }
    }
    return part;
}

static abut_vec3 side_normal(const frustum *f, abut_vec3 at, abut_vec3 along) {
    double rho = frustum_rho(at.x, at.y), back = frustum_rho(along.x, along.y);
    double x = rho > 0.0 ? at.x / rho : back > 0.0 ? -along.x / back : 1.0;
    double y = rho > 0.0 ? at.y / rho : back > 0.0 ? -along.y / back : 0.0;
    return abut_vec3_make(f->normal_rho * x, f->normal_rho * y, f->normal_z);
}

static void enter_end(const frustum *f, int end, frustum_entry *entry) {
    entry->normal = abut_vec3_make(0.0, 0.0, end == 0 ? -1.0 : 1.0);
    entry->feature = (abut_feature){.kind = f->radius[end] > 0.0 ? ABUT_FEATURE_FACE : ABUT_FEATURE_VERTEX, .index = end};
}

static void enter_side(const frustum *f, abut_vec3 at, abut_vec3 along, frustum_entry *entry) {
    entry->normal = side_normal(f, at, along);
    entry->feature = (abut_feature){.kind = ABUT_FEATURE_SMOOTH};
}

/* For an origin on the surface: the end or the side, whichever is nearer. */
static void start_on(const frustum *f, abut_vec3 origin, abut_vec3 along, frustum_entry *entry) {
    double up = origin.z - f->z[1], down = f->z[0] - origin.z, side = frustum_side_height(f, origin);
    entry->way = 0.0;
    if (side >= real_max(up, down)) {
        enter_side(f, origin, along, entry);
    } else {
        enter_end(f, up > down, entry);
    }
}

/* No point of the solid is farther from the origin of its frame. */
static double farthest(const frustum *f) { return real_max(fabs(f->z[0]), fabs(f->z[1])) + real_max(f->radius[0], f->radius[1]); }

bool ray_enter_frustum(const frustum *f, abut_vec3 origin, abut_vec3 along, double length, double slack, frustum_entry *entry) {
    double height = frustum_height(f, origin);
    *entry = (frustum_entry){.inside = height < -slack};
    if (height <= slack) {
        if (!entry->inside) {
            start_on(f, origin, along, entry);
        }
        return true;
    }
    /* From here on s counts from the point nearest to the shape's origin. */
    double shift = -abut_dot(origin, along), on_side;
    abut_vec3 near = abut_add_scaled(origin, shift, along);
    if (-shift > farthest(f) + slack || !isfinite(abut_length_squared(near))) {
        return false; /* the ray leads away from the solid, or passes it so far away that the squares below would overflow */
    }
    stretch ends = between_ends(f, origin, along, shift, slack), side = within_side(f, near, along, ends, slack, &on_side);
    double enter = real_max(ends.enter, side.enter), leave = real_min(real_min(ends.leave, side.leave), length - shift);
    if (!(enter <= leave && leave >= -shift)) {
        return false;
    }
    ends = between_ends(f, origin, along, shift, 0.0);
    (void)within_side(f, near, along, ends, 0.0, &on_side);
    bool through_end = ends.enter >= on_side;
    double way = real_min(real_max(through_end ? ends.enter : on_side, enter), leave);
    entry->way = real_max(0.0, shift + way);
    if (through_end) {
        enter_end(f, along.z < 0.0, entry);
    } else {
        enter_side(f, abut_add_scaled(near, way, along), along, entry);
    }
    return true;
}
