/*
 * Cylinders, cones and truncated cones by themselves: support, bounds, mass, closest points and rays, beside closed forms with 200 bits from the radii and the
 * height that the caller gave.
 */
#include <abut/mesh.h>
#include <abut/query.h>
#include <abut/shape.h>

#include "accuracy/accuracy.h"
#include "accuracy/real200.h"
#include "base/real.h"
#include "support/random.h"

enum { FULL = 100000 };

#define ADD real200_add
#define SUB real200_sub
#define MUL real200_mul
#define DIV real200_div

static const char oracle[] = "closed forms, 200 bits (MPFR)";

/* ---- bodies ---- */

typedef struct body {
    double a, b, height, size; /* radii at -z and +z */
    real200 z[2], radius[2], normal_rho, normal_z;
    abut_shape *shape;
} body;

static real200 square(real200 x) { return MUL(x, x); }
static real200 times(double k, real200 x) { return MUL(real200_of(k), x); }

/* The centre of mass, by integrals over the height: the integral of z r^2 over that of r^2, from the lower end, with r = a + (b - a) t. */
static void place(body *of) {
    real200 a = real200_of(of->a), b = real200_of(of->b), d = SUB(b, a), h = real200_of(of->height);
    real200 first = ADD(ADD(DIV(square(a), real200_of(2)), DIV(times(2, MUL(a, d)), real200_of(3))), DIV(square(d), real200_of(4)));
    real200 all = ADD(ADD(square(a), MUL(a, d)), DIV(square(d), real200_of(3)));
    of->z[0] = real200_neg(MUL(h, DIV(first, all)));
    of->z[1] = ADD(of->z[0], h);
    of->radius[0] = a;
    of->radius[1] = b;
    real200 slant = real200_hypot(h, d);
    of->normal_rho = DIV(h, slant);
    of->normal_z = DIV(real200_neg(d), slant);
}

static double pick_length(random_state *random, bool round) {
    static const double lengths[] = {0.1, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 10.0};
    return round ? lengths[random_below(random, 8)] : random_range(random, 0.1, 2.0);
}

static body make_body(random_state *random) {
    static const double scales[] = {1e-6, 1e-3, 1.0, 1.0, 1.0, 1e3, 1e6};
    bool round = random_below(random, 3) == 0;
    double scale = scales[random_below(random, 7)];
    body made = {.a = pick_length(random, round), .height = pick_length(random, round)};
    int kind = random_below(random, 5), aspect = random_below(random, 6);
    made.b = kind < 2 ? made.a : kind == 2 ? 0.0 : pick_length(random, round);
    if (kind == 4) {
        made.a = random_below(random, 2) ? 0.0 : made.b * (1.0 + random_range(random, -1.0, 1.0) * random_log_range(random, 1e-16, 1e-1));
    }
    double stretch = aspect == 0 ? random_log_range(random, 1e-8, 1.0) : aspect == 1 ? random_log_range(random, 1.0, 1e8) : 1.0;
    made.a *= scale;
    made.b *= scale;
    made.height *= scale * stretch;
    abut_status status = kind == 0                       ? abut_shape_create_cylinder(made.a, 0.5 * made.height, &made.shape)
                         : made.b == 0.0 && made.a > 0.0 ? abut_shape_create_cone(made.a, made.height, &made.shape)
                                                         : abut_shape_create_frustum(made.a, made.b, made.height, &made.shape);
    assert_ok(status);
    made.size = fmax(2.0 * fmax(made.a, made.b), made.height);
    place(&made);
    return made;
}

static vec200 vec200_of(abut_vec3 v) { return (vec200){real200_of(v.x), real200_of(v.y), real200_of(v.z)}; }

/* The largest height over the planes of the ends and over the side; the signed distance inside. */
static real200 height_over(const body *of, vec200 p) {
    real200 rho = real200_hypot(p.x, p.y), ends = real200_max(SUB(p.z, of->z[1]), SUB(of->z[0], p.z));
    real200 side = ADD(MUL(of->normal_rho, SUB(rho, of->radius[0])), MUL(of->normal_z, SUB(p.z, of->z[0])));
    return real200_max(ends, side);
}

/* Distance of a point outside: to the discs and to the line of the side, in the half-plane. */
static real200 distance_from(const body *of, vec200 p) {
    real200 rho = real200_hypot(p.x, p.y), least = real200_of(INFINITY), zero = real200_of(0);
    for (int end = 0; end < 2; ++end) {
        real200 across = real200_max(zero, SUB(rho, of->radius[end]));
        least = real200_min(least, real200_hypot(across, SUB(p.z, of->z[end])));
    }
    real200 x = SUB(rho, of->radius[0]), z = SUB(p.z, of->z[0]), d = SUB(of->radius[1], of->radius[0]), h = SUB(of->z[1], of->z[0]);
    real200 t = DIV(ADD(MUL(x, d), MUL(z, h)), ADD(square(d), square(h)));
    t = real200_max(zero, real200_min(real200_of(1), t));
    return real200_min(least, real200_hypot(SUB(x, MUL(t, d)), SUB(z, MUL(t, h))));
}

static real200 signed_distance(const body *of, vec200 p) {
    real200 height = height_over(of, p);
    return real200_less(height, real200_of(0)) ? height : distance_from(of, p);
}

static double relative(real200 error, double to) { return fabs(real200_to_double(error)) / to; }

/* ---- support ---- */

static abut_vec3 pick_direction(random_state *random, const body *of) {
    double angle = random_range(random, -REAL_PI, REAL_PI), tiny = random_log_range(random, 1e-300, 1e-3);
    switch (random_below(random, 6)) {
    case 0:
        return abut_vec3_make(0.0, 0.0, random_below(random, 2) ? tiny : -1.0);
    case 1:
        return abut_vec3_make(cos(angle), sin(angle), random_below(random, 2) ? 0.0 : tiny);
    case 2:
        return abut_vec3_make(tiny * cos(angle), tiny * sin(angle), random_below(random, 2) ? 1.0 : -1.0);
    case 3: /* near the normal of the side */
        return abut_vec3_make(of->height * cos(angle), of->height * sin(angle),
                              (of->a - of->b) * (1.0 + random_range(random, -1e-15, 1e-15)));
    default:
        return random_direction(random);
    }
}

static real200 extent(const body *of, vec200 d) {
    real200 rho = real200_hypot(d.x, d.y);
    return real200_max(ADD(MUL(of->radius[0], rho), MUL(of->z[0], d.z)), ADD(MUL(of->radius[1], rho), MUL(of->z[1], d.z)));
}

static void support(void **state) {
    (void)state;
    accuracy *row = accuracy_begin("support points of cylinders and cones", oracle,
                                   "depth below the farthest plane, distance from the surface / size", 1e-15);
    for (int32_t i = 0; i < accuracy_samples(FULL); ++i) {
        uint64_t seed = 0x5100000 + (uint64_t)i;
        random_state random = random_make(seed);
        body of = make_body(&random);
        abut_vec3 d = pick_direction(&random, &of), point;
        accuracy_next(row, seed);
        if (abut_shape_support(of.shape, d, &point, NULL) != ABUT_OK) {
            accuracy_wrong(row, "refused");
        } else {
            vec200 at = vec200_of(point), along = vec200_of(d);
            real200 below = DIV(SUB(extent(&of, along), vec200_dot(along, at)), vec200_length(along));
            accuracy_error(row, relative(below, of.size), "radii %.17g %.17g height %.17g: below the plane", of.a, of.b, of.height);
            accuracy_error(row, relative(signed_distance(&of, at), of.size), "radii %.17g %.17g height %.17g: off the surface", of.a, of.b,
                           of.height);
        }
        abut_shape_release(of.shape);
    }
    accuracy_end(row);
}

/* ---- bounds ---- */

/* The axes of the world in the frame of the shape, from a quaternion of any length. */
static void turned_axes(abut_quat q, vec200 axes[3]) {
    real200 x = real200_of(q.x), y = real200_of(q.y), z = real200_of(q.z), w = real200_of(q.w), two = real200_of(2), one = real200_of(1);
    real200 s = DIV(two, ADD(ADD(square(x), square(y)), ADD(square(z), square(w))));
#define DIAGONAL(u, v) SUB(one, MUL(s, ADD(square(u), square(v))))
#define PLUS(a, b, c, d) MUL(s, ADD(MUL(a, b), MUL(c, d)))
#define MINUS(a, b, c, d) MUL(s, SUB(MUL(a, b), MUL(c, d)))
    axes[0] = (vec200){DIAGONAL(y, z), MINUS(x, y, z, w), PLUS(x, z, y, w)};
    axes[1] = (vec200){PLUS(x, y, z, w), DIAGONAL(x, z), MINUS(y, z, x, w)};
    axes[2] = (vec200){MINUS(x, z, y, w), PLUS(y, z, x, w), DIAGONAL(x, y)};
}

static void bounds(void **state) {
    (void)state;
    accuracy *row = accuracy_begin("bounds of posed cylinders and cones", oracle, "each side / (size + distance of the pose)", 1e-15);
    for (int32_t i = 0; i < accuracy_samples(FULL); ++i) {
        uint64_t seed = 0x5200000 + (uint64_t)i;
        random_state random = random_make(seed);
        body of = make_body(&random);
        abut_pose pose = {random_vec3(&random, -of.size, of.size), random_rotation(&random)};
        if (random_below(&random, 4) == 0) {
            pose =
                random_below(&random, 2) ? abut_pose_identity() : (abut_pose){pose.position, (abut_quat){0.0, sqrt(0.5), 0.0, sqrt(0.5)}};
        }
        accuracy_next(row, seed);
        abut_aabb box = abut_shape_bounds(of.shape, pose);
        vec200 axes[3], centre = vec200_of(pose.position);
        turned_axes(pose.rotation, axes);
        const double low[3] = {box.lower.x, box.lower.y, box.lower.z}, high[3] = {box.upper.x, box.upper.y, box.upper.z};
        const real200 middle[3] = {centre.x, centre.y, centre.z};
        double scale = of.size + abut_length(pose.position);
        for (int k = 0; k < 3; ++k) {
            vec200 back = {real200_neg(axes[k].x), real200_neg(axes[k].y), real200_neg(axes[k].z)};
            real200 upper = SUB(ADD(middle[k], extent(&of, axes[k])), real200_of(high[k]));
            real200 lower = SUB(SUB(middle[k], extent(&of, back)), real200_of(low[k]));
            accuracy_error(row, fmax(relative(upper, scale), relative(lower, scale)), "radii %.17g %.17g height %.17g: axis %d", of.a, of.b,
                           of.height, k);
        }
        abut_shape_release(of.shape);
    }
    accuracy_end(row);
}

/* ---- mass ---- */

/* The integral of t^n r(t)^m for r = a + d t over 0..1, m = 2 or 4, by the binomial theorem. */
static real200 integral(real200 a, real200 d, int n, int m) {
    static const double binomial[5][5] = {{1}, {1, 1}, {1, 2, 1}, {1, 3, 3, 1}, {1, 4, 6, 4, 1}};
    real200 sum = real200_of(0);
    for (int k = 0; k <= m; ++k) {
        real200 term = real200_of(binomial[m][k] / 1.0);
        for (int i = 0; i < m; ++i) {
            term = MUL(term, i < k ? d : a);
        }
        sum = ADD(sum, DIV(term, real200_of(n + k + 1)));
    }
    return sum;
}

static void mass(void **state) {
    (void)state;
    accuracy *row =
        accuracy_begin("mass of cylinders and cones", oracle, "volume, moments of inertia, each relative; centre / size", 4e-15);
    for (int32_t i = 0; i < accuracy_samples(FULL); ++i) {
        uint64_t seed = 0x5300000 + (uint64_t)i;
        random_state random = random_make(seed);
        body of = make_body(&random);
        abut_mass found;
        accuracy_next(row, seed);
        if (abut_shape_mass(of.shape, 1.0, &found) != ABUT_OK) {
            accuracy_wrong(row, "refused");
            abut_shape_release(of.shape);
            continue;
        }
        real200 a = of.radius[0], d = SUB(of.radius[1], a), h = real200_of(of.height), unit = MUL(real200_pi(), h);
        real200 volume = MUL(unit, integral(a, d, 0, 2)), across = DIV(MUL(unit, integral(a, d, 0, 4)), real200_of(4));
        real200 first = DIV(integral(a, d, 1, 2), integral(a, d, 0, 2));
        real200 along = MUL(MUL(unit, square(h)), SUB(integral(a, d, 2, 2), MUL(square(first), integral(a, d, 0, 2))));
        const real200 exact[] = {volume, ADD(across, along), ADD(across, along), times(2, across)};
        const double got[] = {found.volume, found.inertia.x.x, found.inertia.y.y, found.inertia.z.z};
        for (int k = 0; k < 4; ++k) {
            accuracy_error(row, relative(SUB(DIV(real200_of(got[k]), exact[k]), real200_of(1)), 1.0),
                           "radii %.17g %.17g height %.17g: value %d", of.a, of.b, of.height, k);
        }
        accuracy_error(row, abut_length(found.centre) / of.size, "centre");
        abut_shape_release(of.shape);
    }
    accuracy_end(row);
}

/* ---- closest points ---- */

/* A point on or near the surface, inside or far away. */
static abut_vec3 pick_point(random_state *random, const body *of, double reach) {
    double angle = random_range(random, -REAL_PI, REAL_PI), t = random_range(random, 0.0, 1.0), wide = fmax(of->a, of->b);
    double z0 = real200_to_double(of->z[0]), z = z0 + of->height * t, r = of->a + (of->b - of->a) * t;
    switch (random_below(random, 8)) {
    case 0: /* on the side */
        return abut_vec3_make(r * cos(angle), r * sin(angle), z);
    case 1: /* on a rim, or at the height of one */
        r = random_below(random, 2) ? of->a : of->b;
        return abut_vec3_make(r * cos(angle), r * sin(angle), random_below(random, 2) ? z0 : z0 + of->height);
    case 2: /* on the axis */
        return abut_vec3_make(0.0, 0.0, 1.5 * z);
    case 3: /* inside */
        r *= random_range(random, 0.0, 1.0);
        return abut_vec3_make(r * cos(angle), r * sin(angle), z);
    case 4: /* near the side */
        r *= 1.0 + random_range(random, -1.0, 1.0) * random_log_range(random, 1e-15, 1.0);
        return abut_vec3_make(r * cos(angle), r * sin(angle), z);
    case 5:
        return abut_vec3_make(random_range(random, -2.0, 2.0) * wide, random_range(random, -2.0, 2.0) * wide, 2.0 * z);
    case 6:
        return abut_vec3_make(wide * random_below(random, 3), 0.5 * wide * random_below(random, 3),
                              0.25 * of->height * (random_below(random, 9) - 4));
    default:
        return abut_scale(of->size * random_log_range(random, 1e-3, reach), random_direction(random));
    }
}

static void closest(void **state) {
    (void)state;
    accuracy *row = accuracy_begin("closest points of cylinders and cones", oracle,
                                   "signed distance, distance of the point from the surface, of both points / (size + distance)", 2e-15);
    for (int32_t i = 0; i < accuracy_samples(FULL); ++i) {
        uint64_t seed = 0x5400000 + (uint64_t)i;
        random_state random = random_make(seed);
        body of = make_body(&random);
        abut_vec3 from = pick_point(&random, &of, 1e6);
        abut_projection found;
        accuracy_next(row, seed);
        if (abut_shape_project(of.shape, abut_pose_identity(), from, &found) != ABUT_OK) {
            accuracy_wrong(row, "refused");
            abut_shape_release(of.shape);
            continue;
        }
        double scale = of.size + abut_length(from);
        vec200 p = vec200_of(from), q = vec200_of(found.point);
        real200 exact = signed_distance(&of, p), got = real200_of(found.behind ? -found.distance : found.distance);
        real200 apart = SUB(vec200_length(vec200_sub(p, q)), real200_abs(exact));
        accuracy_error(row, relative(SUB(got, exact), scale), "radii %.17g %.17g height %.17g point %.17g %.17g %.17g: distance", of.a,
                       of.b, of.height, from.x, from.y, from.z);
        accuracy_error(row, relative(apart, scale), "radii %.17g %.17g height %.17g point %.17g %.17g %.17g: point", of.a, of.b, of.height,
                       from.x, from.y, from.z);
        accuracy_error(row, relative(signed_distance(&of, q), scale),
                       "radii %.17g %.17g height %.17g point %.17g %.17g %.17g: off the surface", of.a, of.b, of.height, from.x, from.y,
                       from.z);
        vec200 normal = vec200_of(found.normal);
        real200 line = vec200_length(vec200_sub(vec200_along(q, real200_abs(exact), normal), p));
        accuracy_error(row, relative(line, scale), "radii %.17g %.17g height %.17g point %.17g %.17g %.17g: normal", of.a, of.b, of.height,
                       from.x, from.y, from.z);
        abut_shape_release(of.shape);
    }
    accuracy_end(row);
}

/* ---- rays ---- */

/* The least height over the surface along a part of the ray. It is a convex function there. */
static real200 least_height(const body *of, vec200 origin, vec200 way, real200 first, real200 last) {
    enum { STEPS = 170 };
    const real200 golden = DIV(SUB(real200_sqrt(real200_of(5)), real200_of(1)), real200_of(2));
    real200 span = SUB(last, first), s = SUB(last, MUL(golden, span)), t = ADD(first, MUL(golden, span));
    real200 at_s = height_over(of, vec200_along(origin, s, way)), at_t = height_over(of, vec200_along(origin, t, way));
    real200 least = real200_min(height_over(of, vec200_along(origin, first, way)), height_over(of, vec200_along(origin, last, way)));
    for (int i = 0; i < STEPS; ++i) {
        if (real200_less(at_s, at_t)) {
            last = t;
            t = s;
            at_t = at_s;
            s = SUB(last, MUL(golden, SUB(last, first)));
            at_s = height_over(of, vec200_along(origin, s, way));
        } else {
            first = s;
            s = t;
            at_s = at_t;
            t = ADD(first, MUL(golden, SUB(last, first)));
            at_t = height_over(of, vec200_along(origin, t, way));
        }
    }
    return real200_min(least, real200_min(at_s, at_t));
}

typedef struct shot {
    abut_vec3 origin, way;
} shot;

static shot pick_ray(random_state *random, const body *of) {
    abut_vec3 target = pick_point(random, of, 2.0), towards = random_direction(random);
    double far = of->size * random_log_range(random, 1e-2, random_below(random, 2) ? 10.0 : 1e9),
           angle = random_range(random, -REAL_PI, REAL_PI);
    double drop = of->height, in = of->b - of->a;
    switch (random_below(random, 10)) {
    case 0: /* along the axis */
        towards = abut_vec3_make(0.0, 0.0, random_below(random, 2) ? 1.0 : -1.0);
        break;
    case 1: /* across the axis */
        towards = abut_vec3_make(cos(angle), sin(angle), 0.0);
        break;
    case 2: /* along a line of the side, about */
        towards = abut_vec3_make(in * cos(angle), in * sin(angle), drop);
        break;
    case 3: /* along the line of the side through the target */
        towards = abut_vec3_make(target.x == 0.0 && target.y == 0.0 ? in : in * target.x / hypot(target.x, target.y),
                                 target.x == 0.0 && target.y == 0.0 ? 0.0 : in * target.y / hypot(target.x, target.y), drop);
        break;
    case 4: /* tangent to the circle through the target */
        towards = abut_vec3_make(-target.y, target.x, 0.0);
        break;
    case 5: /* in the tangent plane of the side */
        towards = abut_vec3_make(in * target.x - target.y * drop, in * target.y + target.x * drop, drop * hypot(target.x, target.y));
        break;
    case 6:
        towards = abut_vec3_make(random_below(random, 3) - 1, random_below(random, 3) - 1, random_below(random, 3) - 1);
        break;
    default:
        break;
    }
    abut_vec3 unit = abut_unit(towards);
    unit = abut_length_squared(unit) > 0.5 ? unit : abut_vec3_make(0.0, 0.0, 1.0);
    double length = far * random_range(random, 0.5, 3.0);
    shot made = {abut_add_scaled(target, -far, unit), abut_scale(length, unit)};
    if (random_below(random, 8) == 0) {
        made.origin = target;
    }
    return made;
}

static void judge_ray(accuracy *row, const body *of, const shot *ray, const abut_hit *hit, double scale) {
    vec200 origin = vec200_of(ray->origin), way = vec200_of(ray->way);
    real200 zero = real200_of(0), one = real200_of(1), start = height_over(of, origin);
    const char *format = "radii %.17g %.17g height %.17g ray %.17g %.17g %.17g by %.17g %.17g %.17g: %s";
#define TELL(what) format, of->a, of->b, of->height, ray->origin.x, ray->origin.y, ray->origin.z, ray->way.x, ray->way.y, ray->way.z, what
    if (!hit->hit) {
        real200 least = real200_max(zero, real200_neg(least_height(of, origin, way, zero, one)));
        accuracy_error(row, relative(least, scale), TELL("missed"));
    } else if (hit->started_inside) {
        accuracy_error(row, relative(real200_max(zero, start), scale), TELL("not inside"));
    } else {
        real200 s = real200_of(hit->fraction);
        real200 before = real200_max(zero, real200_neg(least_height(of, origin, way, zero, s)));
        vec200 at = vec200_along(origin, s, way), told = vec200_of(hit->point);
        accuracy_error(row, relative(height_over(of, at), scale), TELL("not on the surface"));
        accuracy_error(row, relative(vec200_length(vec200_sub(at, told)), scale), TELL("another point"));
        accuracy_error(row, relative(before, scale), TELL("too late"));
        accuracy_error(row, fabs(abut_length(hit->normal) - 1.0), TELL("normal"));
    }
#undef TELL
}

static void rays(void **state) {
    (void)state;
    accuracy *row =
        accuracy_begin("rays at cylinders and cones", oracle,
                       "hit point off the surface, depth passed before it or in a miss / (size + distance of the origin)", 2e-14);
    /* Rays along lines of the side, through the apex and past it. */
    static const uint64_t held[] = {89129042, 89129162, 89129188, 89129474, 89129488, 89129729, 89129931, 89137865, 89171127,
                                    89175626, 89175906, 89177087, 89185459, 89130658, 89131587, 89132906, 89134599, 173592959};
    enum { HELD = sizeof held / sizeof *held };
    int64_t hits = 0, inside = 0;
    for (int32_t i = -HELD; i < accuracy_samples(FULL); ++i) {
        uint64_t seed = i < 0 ? held[i + HELD] : 0x5500000 + (uint64_t)i;
        random_state random = random_make(seed);
        body of = make_body(&random);
        shot ray = pick_ray(&random, &of);
        abut_hit hit;
        accuracy_next(row, seed);
        if (abut_ray_cast(of.shape, abut_pose_identity(), ray.origin, ray.way, &hit) != ABUT_OK) {
            accuracy_wrong(row, "refused");
        } else {
            hits += hit.hit;
            inside += hit.started_inside;
            judge_ray(row, &of, &ray, &hit, of.size + abut_length(ray.origin) + abut_length(ray.way));
        }
        abut_shape_release(of.shape);
    }
    print_message("rays: %lld hits, %lld began inside\n", (long long)hits, (long long)inside);
    accuracy_end(row);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(support), cmocka_unit_test(bounds), cmocka_unit_test(mass),
                                       cmocka_unit_test(closest), cmocka_unit_test(rays)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
