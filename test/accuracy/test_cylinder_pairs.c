/*
 * Contacts, distance and depth of cylinders, cones and truncated cones with all convex shapes. A distance proves itself: two points on the bodies bound it from
 * above, and the support functions along the normal from below. The least depth is found by branch and bound over all directions (least_height.h); in one of a
 * hundred samples, most of them with a common axis, by a dense search and refinement.
 */
#include <math.h>

#include <abut/collide.h>
#include <abut/query.h>
#include <abut/shape.h>
#include <abut/smooth.h>

#include "accuracy/accuracy.h"
#include "accuracy/least_height.h"
#include "support/check.h"
#include "support/random.h"

typedef long double real;

typedef height_vec vec;

static vec make(real x, real y, real z) { return (vec){x, y, z}; }
static vec plus(vec a, real t, vec b) { return make(a.x + t * b.x, a.y + t * b.y, a.z + t * b.z); }
static vec times(real t, vec a) { return make(t * a.x, t * a.y, t * a.z); }
static real dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static vec cross(vec a, vec b) { return make(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x); }
static real length(vec a) { return sqrtl(dot(a, a)); }
static vec unit(vec a) { return times(1.0L / length(a), a); }
static vec of(abut_vec3 v) { return make(v.x, v.y, v.z); }

/* ---- bodies ---- */

typedef enum body_kind { FRUSTUM, BALL, CAPSULE, POINTS, ELLIPSOID, SUPERQUADRIC } body_kind;

enum { MOST_POINTS = 8 };

typedef struct body {
    body_kind kind;
    real radius[2], z[2]; /* frustum; capsule: z; ball, capsule: radius[0] */
    vec point[MOST_POINTS];
    int count;
    bool box;
    vec half; /* box, ellipsoid, superquadric */
    real e1, e2;
    double size;
    abut_shape *shape;
    abut_pose pose;
    vec axis[3], position; /* the rotation's columns */
} body;

static vec to_local(const body *s, vec d) { return make(dot(s->axis[0], d), dot(s->axis[1], d), dot(s->axis[2], d)); }
static vec to_world(const body *s, vec d) { return plus(plus(times(d.x, s->axis[0]), d.y, s->axis[1]), d.z, s->axis[2]); }

static real norm_of(real x, real y, real p) { /* (x^p + y^p)^(1/p) */
    real a = fabsl(x), b = fabsl(y), most = a > b ? a : b, least = a > b ? b : a;
    return most > 0.0L ? most * powl(1.0L + powl(least / most, p), 1.0L / p) : 0.0L;
}

static real support_local(const body *s, vec d) {
    switch (s->kind) {
    case FRUSTUM: {
        real rho = sqrtl(d.x * d.x + d.y * d.y), low = s->z[0] * d.z + s->radius[0] * rho, high = s->z[1] * d.z + s->radius[1] * rho;
        return low > high ? low : high;
    }
    case BALL:
        return s->radius[0];
    case CAPSULE:
        return s->radius[0] + s->z[1] * fabsl(d.z);
    case ELLIPSOID:
        return length(make(s->half.x * d.x, s->half.y * d.y, s->half.z * d.z));
    case SUPERQUADRIC: {
        real p = 2.0L / (2.0L - s->e2), q = 2.0L / (2.0L - s->e1);
        return norm_of(norm_of(s->half.x * d.x, s->half.y * d.y, p), s->half.z * d.z, q);
    }
    default: {
        real most = -INFINITY;
        for (int i = 0; i < s->count; ++i) {
            real h = dot(s->point[i], d);
            most = h > most ? h : most;
        }
        return most;
    }
    }
}

static vec farthest_point(const body *s, vec d) {
    vec most = s->point[0];
    for (int i = 1; i < s->count; ++i) {
        most = dot(s->point[i], d) > dot(most, d) ? s->point[i] : most;
    }
    return most;
}

static vec farthest_local(const body *s, vec d) {
    switch (s->kind) {
    case FRUSTUM: {
        real rho = sqrtl(d.x * d.x + d.y * d.y);
        int end = s->z[1] * d.z + s->radius[1] * rho > s->z[0] * d.z + s->radius[0] * rho;
        return rho > 0.0L ? make(s->radius[end] * d.x / rho, s->radius[end] * d.y / rho, s->z[end]) : make(0, 0, s->z[end]);
    }
    case BALL:
        return times(s->radius[0], d);
    case CAPSULE:
        return plus(make(0, 0, s->z[d.z > 0.0L]), s->radius[0], d);
    case ELLIPSOID: {
        vec h = make(s->half.x * d.x, s->half.y * d.y, s->half.z * d.z);
        real n = length(h);
        return make(s->half.x * h.x / n, s->half.y * h.y / n, s->half.z * h.z / n);
    }
    case SUPERQUADRIC:
        return farthest_of_superquadric(s->half, s->e1, s->e2, d);
    default:
        return farthest_point(s, d);
    }
}

static vec farthest(const body *s, vec d) { return plus(s->position, 1.0L, to_world(s, farthest_local(s, to_local(s, d)))); }

static real support(const body *s, vec d) { return support_local(s, to_local(s, d)) + dot(s->position, d); }

/* How far a point is outside; a lower bound for some kinds, and 0 for a hull. Negative inside. */
static real outside(const body *s, vec point) {
    vec p = to_local(s, plus(point, -1.0L, s->position));
    switch (s->kind) {
    case FRUSTUM: {
        real rho = sqrtl(p.x * p.x + p.y * p.y), height = s->z[1] - s->z[0], slope = s->radius[0] - s->radius[1];
        real side = (height * (rho - s->radius[0]) + slope * (p.z - s->z[0])) / sqrtl(height * height + slope * slope);
        real ends = p.z - s->z[1] > s->z[0] - p.z ? p.z - s->z[1] : s->z[0] - p.z;
        return side > ends ? side : ends;
    }
    case BALL:
        return length(p) - s->radius[0];
    case CAPSULE: {
        real z = p.z > s->z[1] ? s->z[1] : p.z < s->z[0] ? s->z[0] : p.z;
        return length(make(p.x, p.y, p.z - z)) - s->radius[0];
    }
    case ELLIPSOID:
        return (length(make(p.x / s->half.x, p.y / s->half.y, p.z / s->half.z)) - 1.0L) * fminl(s->half.x, fminl(s->half.y, s->half.z));
    case SUPERQUADRIC:
        return (norm_of(norm_of(p.x / s->half.x, p.y / s->half.y, 2.0L / s->e2), p.z / s->half.z, 2.0L / s->e1) - 1.0L) *
               fminl(s->half.x, fminl(s->half.y, s->half.z));
    default:
        return s->box ? fmaxl(fabsl(p.x) - s->half.x, fmaxl(fabsl(p.y) - s->half.y, fabsl(p.z) - s->half.z)) : 0.0L;
    }
}

/* ---- the oracle: the least height max d . (a - b) over all directions, by sampling ---- */

typedef struct search {
    const body *a, *b;
    real best, scale;
} search;

static real look(search *s, vec d) {
    real h = support(s->a, d) + support(s->b, times(-1.0L, d));
    s->best = h < s->best ? h : s->best;
    return h;
}

static void frame(vec n, vec *u, vec *v) {
    *u = unit(cross(n, fabsl(n.x) < 0.6L ? make(1, 0, 0) : make(0, 1, 0)));
    *v = cross(n, *u);
}

/* Directions along * k + radius (cos t u + sin t v). */
static void look_on_circle(search *s, vec k, real along) {
    enum { SAMPLES = 96, STEPS = 44 };
    const real turn = 2.0L * 3.14159265358979323846264338L / SAMPLES, golden = 0.61803398874989484820L;
    real radius = sqrtl(1.0L - along * along), h[SAMPLES];
    vec u, v;
    frame(k, &u, &v);
#define AT(t) plus(plus(times(along, k), radius *cosl(t), u), radius *sinl(t), v)
    for (int i = 0; i < SAMPLES; ++i) {
        h[i] = look(s, AT(i * turn));
    }
    for (int i = 0; i < SAMPLES; ++i) {
        if (h[i] > h[(i + 1) % SAMPLES] || h[i] > h[(i + SAMPLES - 1) % SAMPLES] || h[i] > s->best + 0.1L * s->scale) {
            continue;
        }
        real low = (i - 1) * turn, high = (i + 1) * turn, p = high - golden * (high - low), q = low + golden * (high - low);
        real hp = look(s, AT(p)), hq = look(s, AT(q));
        for (int step = 0; step < STEPS; ++step) {
            if (hp < hq) {
                high = q;
                q = p;
                hq = hp;
                p = high - golden * (high - low);
                hp = look(s, AT(p));
            } else {
                low = p;
                p = q;
                hp = hq;
                q = low + golden * (high - low);
                hq = look(s, AT(q));
            }
        }
    }
#undef AT
}

/* Compass search with shrinking steps. */
static void refine(search *s, vec d, real h) {
    enum { WAYS = 8 };
    real turn = 0.4L;
    for (real step = 0.05L; step > 1e-9L; turn += 0.7L) {
        vec u, v, least = d;
        real lower = h;
        frame(d, &u, &v);
        for (int i = 0; i < WAYS; ++i) {
            real t = turn + i * 0.78539816339744830962L;
            vec e = unit(plus(plus(d, step * cosl(t), u), step * sinl(t), v));
            real there = look(s, e);
            if (there < lower) {
                lower = there;
                least = e;
            }
        }
        step = lower < h ? 1.3L * step : 0.4L * step;
        d = least;
        h = lower;
    }
}

/* Directions spread evenly, and the lowest of some regions refined. */
static void look_around(search *s) {
    enum { DIRECTIONS = 700, REFINED = 5 };
    vec d[DIRECTIONS], taken[REFINED];
    real h[DIRECTIONS];
    for (int i = 0; i < DIRECTIONS; ++i) {
        real z = 1.0L - (2.0L * i + 1.0L) / DIRECTIONS, rho = sqrtl(1.0L - z * z), t = 2.39996322972865332L * i;
        d[i] = make(rho * cosl(t), rho * sinl(t), z);
        h[i] = look(s, d[i]);
    }
    for (int k = 0; k < REFINED; ++k) {
        int least = -1;
        for (int i = 0; i < DIRECTIONS; ++i) {
            bool near = false;
            for (int j = 0; j < k; ++j) {
                near = near || dot(d[i], taken[j]) > 0.97L;
            }
            least = !near && (least < 0 || h[i] < h[least]) ? i : least;
        }
        taken[k] = d[least];
        refine(s, d[least], h[least]);
    }
}

static void look_at_features(search *s, const body *of, real side) {
    if (of->kind == FRUSTUM) {
        real height = of->z[1] - of->z[0], slope = of->radius[0] - of->radius[1];
        (void)look(s, of->axis[2]);
        (void)look(s, times(-1.0L, of->axis[2]));
        look_on_circle(s, times(side, of->axis[2]), slope / sqrtl(height * height + slope * slope));
    } else if (of->kind == CAPSULE) {
        look_on_circle(s, of->axis[2], 0.0L);
    } else if (of->kind == POINTS && of->box) {
        for (int i = 0; i < 3; ++i) {
            (void)look(s, of->axis[i]);
            (void)look(s, times(-1.0L, of->axis[i]));
            look_on_circle(s, of->axis[i], 0.0L);
        }
    } else if (of->kind == POINTS) {
        for (int i = 0; i < of->count; ++i) {
            for (int j = 0; j < i; ++j) {
                vec edge = to_world(of, plus(of->point[i], -1.0L, of->point[j]));
                look_on_circle(s, unit(edge), 0.0L);
                for (int k = 0; k < j; ++k) {
                    vec n = cross(edge, to_world(of, plus(of->point[i], -1.0L, of->point[k])));
                    if (length(n) > 0.0L) {
                        (void)look(s, unit(n));
                        (void)look(s, times(-1.0L, unit(n)));
                    }
                }
            }
        }
    }
}

/* Where both bodies have a side or an edge: the directions square to both. */
static void look_across(search *s) {
    for (int i = 0; i < 9; ++i) {
        vec n = cross(s->a->axis[i / 3], s->b->axis[i % 3]);
        if (length(n) > 1e-9L) {
            (void)look(s, unit(n));
            (void)look(s, times(-1.0L, unit(n)));
        }
    }
}

typedef struct two_bodies {
    const body *a, *b;
} two_bodies;

static vec farthest_of_difference(const void *of, vec d) {
    const two_bodies *two = of;
    return plus(farthest(two->a, d), -1.0L, farthest(two->b, times(-1.0L, d)));
}

/* Where the height is the same in a whole circle of directions, the proof takes too long. Then all features and dense samples must be enough. */
static real least_depth(const body *a, const body *b, real depth, real apart, double tolerance) {
    enum { MOST_LOOKS = 20000 };
    least_height least =
        least_height_find(farthest_of_difference, &(two_bodies){a, b}, depth, -apart, (real)tolerance * (a->size + b->size), MOST_LOOKS);
    if (least.proved) {
        return least.height;
    }
    search s = {.a = a, .b = b, .best = least.height, .scale = a->size + b->size};
    look_at_features(&s, a, 1.0L);
    look_at_features(&s, b, -1.0L);
    look_across(&s);
    look_around(&s);
    return s.best;
}

/* ---- making bodies ---- */

typedef struct sizes {
    double least, most;
} sizes;

static void make_frustum(random_state *r, sizes range, body *s) {
    int kind = random_below(r, 3);
    bool round = random_below(r, 3) == 0; /* numbers */
    double radius = random_log_range(r, range.least, range.most), height = 2.0 * random_log_range(r, range.least, range.most), top = 0.0;
    radius = round ? ceil(4.0 * radius) / 4.0 : radius;
    height = round ? ceil(4.0 * height) / 4.0 : height;
    s->kind = FRUSTUM;
    if (kind == 0) {
        top = radius;
        assert_ok(abut_shape_create_cylinder(radius, 0.5 * height, &s->shape));
    } else if (kind == 1) {
        assert_ok(abut_shape_create_cone(radius, height, &s->shape));
    } else {
        top = radius * (round ? 0.5 : random_range(r, 0.05, 2.0));
        assert_ok(abut_shape_create_frustum(radius, top, height, &s->shape));
    }
    real p = radius, q = top, sum = p * p + p * q + q * q;
    s->radius[0] = radius;
    s->radius[1] = top;
    s->z[0] = -height * (p * p + 2 * p * q + 3 * q * q) / (4 * sum);
    s->z[1] = s->z[0] + height;
    s->size = fmax(2.0 * fmax(radius, top), height);
}

static void make_points(random_state *r, sizes range, bool box, body *s) {
    abut_vec3 half = {random_log_range(r, range.least, range.most), random_log_range(r, range.least, range.most),
                      random_log_range(r, range.least, range.most)};
    abut_vec3 point[MOST_POINTS];
    bool round = random_below(r, 3) == 0;
    half = round ? abut_vec3_make(ceil(4.0 * half.x) / 4.0, ceil(4.0 * half.y) / 4.0, ceil(4.0 * half.z) / 4.0) : half;
    s->kind = POINTS;
    s->box = box;
    s->half = of(half);
    s->count = MOST_POINTS;
    for (int i = 0; i < MOST_POINTS; ++i) {
        abut_vec3 d = box ? abut_vec3_make(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1) : random_direction(r);
        point[i] = abut_vec3_make(half.x * d.x, half.y * d.y, half.z * d.z);
        s->point[i] = of(point[i]);
    }
    assert_ok(box ? abut_shape_create_box(half, &s->shape) : abut_shape_create_hull(point, MOST_POINTS, &s->shape));
    s->size = 2.0 * fmax(half.x, fmax(half.y, half.z));
}

static void make_other(random_state *r, sizes range, body *s) {
    double radius = random_log_range(r, range.least, range.most), half = random_log_range(r, range.least, range.most);
    *s = (body){.kind = FRUSTUM};
    switch (random_below(r, 10)) {
    case 0:
        *s = (body){.kind = BALL, .radius = {radius}, .size = 2.0 * radius};
        assert_ok(abut_shape_create_sphere(radius, &s->shape));
        return;
    case 1:
        *s = (body){.kind = CAPSULE, .radius = {radius}, .z = {-half, half}, .size = 2.0 * (radius + half)};
        assert_ok(abut_shape_create_capsule(radius, half, &s->shape));
        return;
    case 2:
    case 3:
        make_points(r, range, true, s);
        return;
    case 4:
    case 5:
        make_points(r, range, false, s);
        return;
    default:
        make_frustum(r, range, s);
    }
}

static void make_smooth(random_state *r, sizes range, body *s) {
    abut_vec3 half = {random_log_range(r, range.least, range.most), random_log_range(r, range.least, range.most),
                      random_log_range(r, range.least, range.most)};
    bool ellipsoid = random_below(r, 2) == 0;
    *s = (body){.kind = ellipsoid ? ELLIPSOID : SUPERQUADRIC, .half = of(half), .size = 2.0 * fmax(half.x, fmax(half.y, half.z))};
    if (ellipsoid) {
        assert_ok(abut_shape_create_ellipsoid(half, &s->shape));
        return;
    }
    double e1 = random_range(r, 0.3, 1.6), e2 = random_range(r, 0.3, 1.6);
    s->e1 = e1;
    s->e2 = e2;
    assert_ok(abut_shape_create_superquadric(half, e1, e2, &s->shape));
}

/* ---- placing them ---- */

static void set_pose(body *s, abut_pose pose) {
    real x = pose.rotation.x, y = pose.rotation.y, z = pose.rotation.z, w = pose.rotation.w, n = sqrtl(x * x + y * y + z * z + w * w);
    x /= n;
    y /= n;
    z /= n;
    w /= n;
    s->pose = pose;
    s->axis[0] = make(1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y));
    s->axis[1] = make(2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x));
    s->axis[2] = make(2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y));
    s->position = of(pose.position);
}

static double gap_to_make(random_state *r, double size) {
    switch (random_below(r, 8)) {
    case 0:
        return random_log_range(r, 1e-3, 3.0) * size;
    case 1:
        return random_log_range(r, 1e-12, 1e-6) * size * (random_below(r, 2) == 0 ? 1.0 : -1.0);
    case 2:
        return 0.0;
    case 3:
    case 4:
        return -random_log_range(r, 1e-6, 0.1) * size;
    default:
        return -random_range(r, 0.1, 2.0) * size;
    }
}

static void place(random_state *r, bool deep, body *a, body *b) {
    bool tidy = random_below(r, 2) == 0;
    abut_pose pose_a = {{0, 0, 0}, tidy ? random_tidy_rotation(r) : random_rotation(r)};
    abut_pose pose_b = {{0, 0, 0}, tidy ? random_tidy_rotation(r) : random_rotation(r)};
    pose_a.position = random_below(r, 2) == 0 ? abut_vec3_make(0, 0, 0) : random_vec3(r, -10.0, 10.0);
    set_pose(a, pose_a);
    set_pose(b, pose_b);
    static const abut_vec3 axis[6] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
    abut_vec3 u = tidy ? axis[random_below(r, 6)] : random_direction(r);
    vec d = of(u);
    double gap = gap_to_make(r, fmin(a->size, b->size));
    gap = deep ? -fabs(gap) : gap;
    double way = (double)(support(a, d) - dot(a->position, d) + support(b, times(-1.0L, d)));
    double reach = random_below(r, 12) == 0 ? 0.0 : way + gap;
    abut_vec3 aside = random_vec3(r, -0.7, 0.7);
    double spread = random_below(r, 3) == 0 ? 0.0 : tidy ? ceil(4.0 * random_range(r, 0.0, 1.0)) / 4.0 : 0.5 * fmin(a->size, b->size);
    aside = tidy ? abut_vec3_make(round(2.0 * aside.x), round(2.0 * aside.y), round(2.0 * aside.z)) : aside;
    aside = abut_add_scaled(aside, -abut_dot(aside, u), u);
    pose_b.position = abut_add(abut_add_scaled(pose_a.position, reach, u), abut_scale(spread, aside));
    set_pose(b, pose_b);
}

/* ---- judging ---- */

static void judge_distance(accuracy *row, const body *a, const body *b, const abut_separation *s, double scale) {
    vec n = of(s->normal), on_a = of(s->on_a), on_b = of(s->on_b);
    real low = -(support(a, times(-1.0L, n)) + support(b, n)), high = length(plus(on_a, -1.0L, on_b));
    accuracy_error(row, (double)fabsl(s->gap - low) / scale, "gap %.17g, along the normal %.17Lg", s->gap, low);
    accuracy_error(row, (double)fabsl(s->gap - high) / scale, "gap %.17g, of the points %.17Lg", s->gap, high);
    accuracy_error(row, (double)outside(a, on_a) / scale, "point of A outside by %.3Lg", outside(a, on_a));
    accuracy_error(row, (double)outside(b, on_b) / scale, "point of B outside by %.3Lg", outside(b, on_b));
    accuracy_error(row, (double)fabsl(dot(n, plus(on_a, -1.0L, on_b)) - s->gap) / scale, "gap %.17g is not that of the points", s->gap);
}

/* Every contact: its points on both surfaces, its gap, and the deepest one as deep as the bodies are along the normal. */
static void judge_contacts(accuracy *row, const body *a, const body *b, const abut_contact *contact, int32_t count, double scale) {
    vec n = of(contact[0].normal);
    real depth = support(a, times(-1.0L, n)) + support(b, n), deepest = INFINITY;
    for (int32_t i = 0; i < count; ++i) {
        vec on_a = of(contact[i].on_a), on_b = of(contact[i].on_b);
        real gap = dot(n, plus(on_a, -1.0L, on_b));
        accuracy_error(row, (double)fabsl(gap - contact[i].gap) / scale, "gap %.17g of points %.17Lg apart", contact[i].gap, gap);
        accuracy_error(row, (double)fabsl(outside(a, on_a)) / scale, "contact %d of %d: point of A outside by %.3Lg", (int)i, (int)count,
                       outside(a, on_a));
        accuracy_error(row, (double)fabsl(outside(b, on_b)) / scale, "contact %d of %d: point of B outside by %.3Lg", (int)i, (int)count,
                       outside(b, on_b));
        accuracy_error(row, (double)(-depth - gap) / scale, "contact %d of %d: deeper than the bodies, %.17Lg", (int)i, (int)count, gap);
        deepest = contact[i].gap < deepest ? contact[i].gap : deepest;
    }
    /* A whole patch may be less deep than the bodies by 2e-12 of their sizes. */
    accuracy_error(row, (double)fmaxl(0.0L, fabsl(deepest + depth) - 2e-12L * (a->size + b->size)) / scale,
                   "deepest of %d %.17Lg, bodies %.17Lg deep", (int)count, deepest, depth);
}

enum { MOST_CONTACTS = 512 };

/* The same contacts within a margin, and the same distance with the bodies exchanged. */
static void judge_near(accuracy *row, const body *a, const body *b, const abut_separation *s, double scale) {
    static abut_contact contact[MOST_CONTACTS];
    abut_collide_settings settings = abut_collide_settings_default();
    abut_separation swapped;
    int32_t count = 0;
    settings.margin = 1.5 * s->gap;
    abut_status status = abut_collide(&(abut_pair){a->shape, a->pose, b->shape, b->pose}, &settings, NULL, contact, MOST_CONTACTS, &count);
    if (status != ABUT_OK || count == 0) {
        accuracy_wrong(row, "status %d, %d contacts within the margin, gap %.17g", (int)status, (int)count, s->gap);
        return;
    }
    judge_contacts(row, a, b, contact, count, scale);
    status = abut_distance(&(abut_pair){b->shape, b->pose, a->shape, a->pose}, NULL, NULL, &swapped);
    accuracy_error(row, status == ABUT_OK ? fabs(swapped.gap - s->gap) / scale : INFINITY, "exchanged: gap %.17g, before %.17g",
                   swapped.gap, s->gap);
}

/* The growth distance: along its normal both bodies, scaled by alpha about their points, touch; the points of the bodies and of the touch lie in both. It is
 * the same with the bodies exchanged. Errors are lengths, of the bodies or of the scaled ones, whichever are smaller: a relative error of alpha counts as one
 * of the width along the normal. */
static void judge_growth(accuracy *row, const body *a, const body *b, double scale) {
    abut_growth g, swapped;
    abut_status status = abut_growth_distance(&(abut_pair){a->shape, a->pose, b->shape, b->pose}, NULL, &g);
    abut_status exchanged = abut_growth_distance(&(abut_pair){b->shape, b->pose, a->shape, a->pose}, NULL, &swapped);
    if (status != ABUT_OK || exchanged != ABUT_OK) {
        accuracy_wrong(row, "growth: status %d, alpha %.17g to %.17g, exchanged: status %d", (int)status, g.alpha_lower, g.alpha,
                       (int)exchanged);
        return;
    }
    vec n = of(g.normal), ca = of(g.contraction_a), cb = of(g.contraction_b), touch = of(g.touch), on_a = of(g.on_a), on_b = of(g.on_b);
    real width = support(a, times(-1.0L, n)) + dot(n, ca) + support(b, n) - dot(n, cb), lower = dot(n, plus(ca, -1.0L, cb)) / width;
    real shorter = fminl(1.0L, g.alpha) / scale, flat = width / (fmaxl(1.0L, g.alpha) * scale);
    accuracy_error(row, (double)(flat * fabsl(g.alpha - lower)), "alpha %.17g, along the normal %.17Lg", g.alpha, lower);
    accuracy_error(row, (double)(flat * fabsl(g.alpha - swapped.alpha)), "alpha %.17g, exchanged %.17g", g.alpha, swapped.alpha);
    accuracy_error(row, (double)(outside(a, on_a) / scale), "point of A outside by %.3Lg", outside(a, on_a));
    accuracy_error(row, (double)(outside(b, on_b) / scale), "point of B outside by %.3Lg", outside(b, on_b));
    if (g.alpha > 0.0) {
        vec in_a = plus(ca, 1.0L / g.alpha, plus(touch, -1.0L, ca)), in_b = plus(cb, 1.0L / g.alpha, plus(touch, -1.0L, cb));
        real off_a = length(plus(in_a, -1.0L, on_a)), off_b = length(plus(in_b, -1.0L, on_b));
        accuracy_error(row, (double)(shorter * off_a), "touch off the point of A by %.3Lg", off_a);
        accuracy_error(row, (double)(shorter * off_b), "touch off the point of B by %.3Lg", off_b);
    }
}

typedef struct rows {
    accuracy *distance, *depth, *contact, *growth;
    double least; /* limit of the depth */
} rows;

/* Points of both bodies are this near to each other, so no direction separates the bodies by more. */
static real least_apart(const abut_contact *contact, int32_t count) {
    real least = INFINITY;
    for (int32_t i = 0; i < count; ++i) {
        bool witness = (contact[i].flags & ABUT_CONTACT_WITNESS) != 0; /* then one point may be off its body */
        least = witness ? least : fminl(least, length(plus(of(contact[i].on_a), -1.0L, of(contact[i].on_b))));
    }
    return least;
}

static void judge(rows *to, uint64_t seed, const body *a, const body *b) {
    static abut_contact contact[MOST_CONTACTS];
    const abut_pair pair = {a->shape, a->pose, b->shape, b->pose};
    const double scale = a->size + b->size + (double)length(a->position) + (double)length(b->position);
    abut_separation s;
    int32_t count;
    abut_status status = abut_distance(&pair, NULL, NULL, &s);
    accuracy_next(to->distance, seed);
    if (status != ABUT_OK) {
        accuracy_wrong(to->distance, "status %d", (int)status);
        return;
    }
    if (s.gap > 0.0) {
        judge_distance(to->distance, a, b, &s, scale);
        judge_near(to->distance, a, b, &s, scale + s.gap);
    }
    accuracy_next(to->growth, seed);
    judge_growth(to->growth, a, b, scale);
    status = abut_collide(&pair, NULL, NULL, contact, MOST_CONTACTS, &count);
    accuracy_next(to->contact, seed);
    if (status != ABUT_OK || (count > 0) != (s.gap <= 0.0)) {
        accuracy_wrong(to->contact, "status %d, %d contacts, distance %.17g", (int)status, (int)count, s.gap);
        return;
    }
    if (count == 0) {
        return;
    }
    judge_contacts(to->contact, a, b, contact, count, scale);
    vec n = of(contact[0].normal);
    real depth = support(a, times(-1.0L, n)) + support(b, n), apart = least_apart(contact, count),
         least = least_depth(a, b, depth, apart, 0.5 * to->least);
    accuracy_next(to->depth, seed);
    accuracy_error(to->depth, (double)(depth - least) / (a->size + b->size), "depth %.17Lg, least %.17Lg, %s and %s", depth, least,
                   abut_kind_name(abut_shape_kind(a->shape)), abut_kind_name(abut_shape_kind(b->shape)));
}

/* ---- rows ---- */

/* deep: the bodies meet, where some direction does not separate them yet. */
static void sample(rows *to, uint64_t seed, sizes range, bool smooth, bool deep) {
    random_state r = random_make(seed);
    body a = {.kind = FRUSTUM}, b;
    make_frustum(&r, range, &a);
    if (smooth) {
        make_smooth(&r, range, &b);
    } else {
        make_other(&r, range, &b);
    }
    place(&r, deep, &a, &b);
    bool swapped = random_below(&r, 2) == 1;
    judge(to, seed, swapped ? &b : &a, swapped ? &a : &b);
    abut_shape_release(a.shape);
    abut_shape_release(b.shape);
}

typedef struct row_texts {
    const char *distance, *contact, *depth, *growth;
    double exact, least; /* limits */
    sizes range;
    bool smooth;
    int32_t full, deep; /* numbers of samples: of any, and of bodies that meet */
    const uint64_t *held;
    int32_t held_count;
} row_texts;

static const uint64_t DEEP = UINT64_C(1000000000); /* from a seed of any bodies to one of bodies that meet */

static void run(const row_texts *texts, uint64_t first) {
    rows to = {accuracy_begin(texts->distance, "bounds from points and normal, 64-bit mantissa", "|gap - bound| / sizes", texts->exact),
               accuracy_begin(texts->depth, "bounds over all directions, by branch and bound", "(depth - least) / sizes", texts->least),
               accuracy_begin(texts->contact, "closed forms, 64-bit mantissa", "distance from surfaces, gap / sizes", texts->exact),
               accuracy_begin(texts->growth, "bounds from the points and normal, 64-bit mantissa",
                              "(|alpha - bound| widths, points off the scaled bodies) / sizes", texts->exact),
               texts->least};
    for (int32_t i = 0; i < texts->held_count; ++i) {
        sample(&to, texts->held[i], texts->range, texts->smooth, texts->held[i] >= first + DEEP);
    }
    for (int32_t i = 0, count = accuracy_samples(texts->full); i < count; ++i) {
        sample(&to, first + (uint64_t)i, texts->range, texts->smooth, false);
    }
    for (int32_t i = 0, count = accuracy_samples(texts->deep); i < count; ++i) {
        sample(&to, first + DEEP + (uint64_t)i, texts->range, texts->smooth, true);
    }
    accuracy_end(to.distance);
    accuracy_end(to.depth);
    accuracy_end(to.contact);
    accuracy_end(to.growth);
}

static void test_pairs(void **state) {
    static const uint64_t held[] = {50036626, 50058083, 50189132, 50093788, 39445, 82428, 89748, 4198,  69748,
                                    82,       891,      1612,     4296,     7778,  11684, 33651, 37439, 58392};
    static const row_texts texts = {.distance = "cylinders, cones and convex shapes: distance",
                                    .contact = "cylinders, cones and convex shapes: contacts",
                                    .depth = "cylinders, cones and convex shapes: least depth",
                                    .growth = "cylinders, cones and convex shapes: growth distance",
                                    .exact = 1e-12,
                                    .least = 1e-10,
                                    .range = {0.3, 3.0},
                                    .full = 100000,
                                    .deep = 120000,
                                    .held = held,
                                    .held_count = sizeof held / sizeof *held};
    (void)state;
    run(&texts, 1);
}

static void test_extreme(void **state) {
    static const uint64_t held[] = {60008011, 60274049, 60047016, 60344391, 60410891, 60020274, 60551026, 60178607,  61534134,
                                    60810385, 60255524, 1012049,  1004171,  1004362,  1009867,  1011855,  1001123,   1006336,
                                    1011202,  1014707,  1017822,  1018476,  1018523,  1019288,  1000091,  1001013909};
    static const row_texts texts = {.distance = "thin and flat cylinders, cones and convex shapes: distance",
                                    .contact = "thin and flat cylinders, cones and convex shapes: contacts",
                                    .depth = "thin and flat cylinders, cones and convex shapes: least depth",
                                    .growth = "thin and flat cylinders, cones and convex shapes: growth distance",
                                    .exact = 1e-12,
                                    .least = 1e-10,
                                    .range = {1e-4, 10.0},
                                    .full = 100000,
                                    .deep = 280000,
                                    .held = held,
                                    .held_count = sizeof held / sizeof *held};
    (void)state;
    run(&texts, 1000001);
}

static void test_smooth(void **state) {
    static const uint64_t held[] = {70120333, 70099856, 70052611, 2001859, 2008259,    2001529,
                                    2002204,  2002603,  2009092,  2035701, 1002131269, 1002141251};
    static const row_texts texts = {.distance = "cylinders, cones and smooth shapes: distance",
                                    .contact = "cylinders, cones and smooth shapes: contacts",
                                    .depth = "cylinders, cones and smooth shapes: least depth",
                                    .growth = "cylinders, cones and smooth shapes: growth distance",
                                    .exact = 1e-10,
                                    .least = 1e-10,
                                    .range = {0.3, 3.0},
                                    .smooth = true,
                                    .full = 100000,
                                    .deep = 150000,
                                    .held = held,
                                    .held_count = sizeof held / sizeof *held};
    (void)state;
    run(&texts, 2000001);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pairs), cmocka_unit_test(test_extreme), cmocka_unit_test(test_smooth)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
