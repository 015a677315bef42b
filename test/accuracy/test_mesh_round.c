/*
 * Round bodies against closed convex meshes: balls, capsules, cylinders, cones, truncated cones, ellipsoids and superquadrics. The answer is that of the solid.
 *
 * A distance proves itself: two points on the bodies bound it from above, and the support functions along the normal from below. The depth along any direction
 * is at least the least depth, which branch and bound over all directions finds (least_height.h). In one of a hundred samples it finds no proof. Then a dense
 * search takes its place, with the normals of all faces, all arcs between faces at an edge and the special directions of the body.
 */
#include <math.h>

#include <abut/collide.h>
#include <abut/mesh.h>
#include <abut/query.h>
#include <abut/smooth.h>

#include "accuracy/accuracy.h"
#include "accuracy/closed_mesh.h"
#include "accuracy/least_height.h"
#include "support/specimen.h"

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

/* ---- frames ---- */

typedef struct place {
    vec axis[3], position;
} place;

static place place_of(abut_pose pose) {
    real x = pose.rotation.x, y = pose.rotation.y, z = pose.rotation.z, w = pose.rotation.w, n = sqrtl(x * x + y * y + z * z + w * w);
    x /= n;
    y /= n;
    z /= n;
    w /= n;
    return (place){{make(1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)),
                    make(2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)),
                    make(2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y))},
                   of(pose.position)};
}

static vec turned(const place *p, vec d) { return plus(plus(times(d.x, p->axis[0]), d.y, p->axis[1]), d.z, p->axis[2]); }
static vec turned_back(const place *p, vec d) { return make(dot(p->axis[0], d), dot(p->axis[1], d), dot(p->axis[2], d)); }
static vec placed(const place *p, vec local) { return plus(turned(p, local), 1.0L, p->position); }

/* ---- the round body ---- */

typedef enum round_kind { BALL, CAPSULE, FRUSTUM, ELLIPSOID, SUPERQUADRIC } round_kind;

typedef struct round_body {
    round_kind kind;
    real radius[2], z[2]; /* frustum; ball, capsule: radius[0] */
    vec half;
    real p, q; /* superquadric: exponents of the dual norm */
    real e1, e2;
    double size;
    abut_shape *shape;
    abut_pose pose;
    place at;
} round_body;

static real norm_of(real x, real y, real p) { /* (x^p + y^p)^(1/p) */
    real a = fabsl(x), b = fabsl(y), most = a > b ? a : b, least = a > b ? b : a;
    return most > 0.0L ? most * powl(1.0L + powl(least / most, p), 1.0L / p) : 0.0L;
}

static vec point_of_superquadric(const round_body *s, vec d) {
    real u = fabsl(s->half.x * d.x), v = fabsl(s->half.y * d.y), w = fabsl(s->half.z * d.z), m = norm_of(u, v, s->p),
         h = norm_of(m, w, s->q);
    real along = m > 0.0L ? powl(m / h, s->q - 1.0L) : 0.0L, x = m > 0.0L ? powl(u / m, s->p - 1.0L) : 0.0L;
    real y = m > 0.0L ? powl(v / m, s->p - 1.0L) : 0.0L;
    return make(copysignl(s->half.x * along * x, d.x), copysignl(s->half.y * along * y, d.y),
                copysignl(s->half.z * powl(w / h, s->q - 1.0L), d.z));
}

/* The point farthest along a unit direction, body frame. */
static vec point_local(const round_body *s, vec d) {
    real rho = sqrtl(d.x * d.x + d.y * d.y);
    vec across = rho > 0.0L ? make(d.x / rho, d.y / rho, 0) : make(1, 0, 0);
    switch (s->kind) {
    case BALL:
        return times(s->radius[0], d);
    case CAPSULE:
        return plus(make(0, 0, d.z > 0.0L ? s->z[1] : s->z[0]), s->radius[0], d);
    case FRUSTUM: {
        int end = s->z[1] * d.z + s->radius[1] * rho > s->z[0] * d.z + s->radius[0] * rho;
        return plus(make(0, 0, s->z[end]), s->radius[end], across);
    }
    case ELLIPSOID: {
        vec scaled = make(s->half.x * d.x, s->half.y * d.y, s->half.z * d.z);
        real h = length(scaled);
        return make(s->half.x * scaled.x / h, s->half.y * scaled.y / h, s->half.z * scaled.z / h);
    }
    default:
        return point_of_superquadric(s, d);
    }
}

static vec point_along(const round_body *s, vec d) { return placed(&s->at, point_local(s, turned_back(&s->at, d))); }

static real support_of_body(const round_body *s, vec d) {
    vec local = turned_back(&s->at, d);
    real h = s->kind == SUPERQUADRIC ? norm_of(norm_of(s->half.x * local.x, s->half.y * local.y, s->p), s->half.z * local.z, s->q)
                                     : dot(point_local(s, local), local);
    return h + dot(s->at.position, d);
}

/* How far a point is outside of the body; a lower bound for smooth ones. Negative inside. */
static real outside_body(const round_body *s, vec point) {
    vec p = turned_back(&s->at, plus(point, -1.0L, s->at.position));
    real rho = sqrtl(p.x * p.x + p.y * p.y), least = fminl(s->half.x, fminl(s->half.y, s->half.z));
    switch (s->kind) {
    case BALL:
        return length(p) - s->radius[0];
    case CAPSULE:
        return length(make(p.x, p.y, p.z > s->z[1] ? p.z - s->z[1] : p.z < s->z[0] ? p.z - s->z[0] : 0.0L)) - s->radius[0];
    case FRUSTUM: {
        real height = s->z[1] - s->z[0], slope = s->radius[0] - s->radius[1];
        real side = (height * (rho - s->radius[0]) + slope * (p.z - s->z[0])) / sqrtl(height * height + slope * slope);
        return fmaxl(side, fmaxl(p.z - s->z[1], s->z[0] - p.z));
    }
    case ELLIPSOID:
        return (length(make(p.x / s->half.x, p.y / s->half.y, p.z / s->half.z)) - 1.0L) * least;
    default:
        return (norm_of(norm_of(p.x / s->half.x, p.y / s->half.y, 2.0L / s->e2), p.z / s->half.z, 2.0L / s->e1) - 1.0L) * least;
    }
}

/* ---- the solid ---- */

enum { MOST_VERTICES = 400, MOST_TRIANGLES = 800 };

typedef struct arc {
    vec from, to; /* normals of the two faces at an edge */
} arc;

typedef struct faced_body {
    int vertex_count, face_count, arc_count;
    bool corner_of_solid[MOST_VERTICES]; /* the others lie between them, and are nowhere the farthest */
    vec vertex[MOST_VERTICES], normal[MOST_TRIANGLES];
    real offset[MOST_TRIANGLES];
    int corner[MOST_TRIANGLES][3];
    arc arc[3 * MOST_TRIANGLES];
    double size;
} faced_body;

static int vertex_at(faced_body *b, const place *at, abut_vec3 local, bool corner, vec *known) {
    vec p = of(local);
    for (int v = b->vertex_count - 1; v >= 0; v--) {
        if (known[v].x == p.x && known[v].y == p.y && known[v].z == p.z) {
            return v;
        }
    }
    assert_true(b->vertex_count < MOST_VERTICES);
    known[b->vertex_count] = p;
    b->vertex[b->vertex_count] = placed(at, p);
    b->corner_of_solid[b->vertex_count] = corner;
    return b->vertex_count++;
}

static void find_arcs(faced_body *b) {
    for (int f = 0; f < b->face_count; f++) {
        for (int g = 0; g < f; g++) {
            int shared = 0;
            for (int i = 0; i < 9; i++) {
                shared += b->corner[f][i / 3] == b->corner[g][i % 3];
            }
            if (shared == 2 && dot(b->normal[f], b->normal[g]) < 1.0L - 1e-12L) {
                b->arc[b->arc_count++] = (arc){b->normal[f], b->normal[g]};
            }
        }
    }
}

/* corners_of_solid: the mesh has the vertices of the solid first. */
static void set_faced(faced_body *b, const abut_shape *mesh, abut_pose pose, int32_t corners_of_solid) {
    static vec known[MOST_VERTICES];
    place at = place_of(pose);
    b->vertex_count = b->face_count = b->arc_count = 0;
    b->size = 0.0;
    for (int32_t t = 0; t < abut_shape_triangle_count(mesh); t++) {
        abut_triangle corners;
        assert_ok(abut_shape_triangle(mesh, t, &corners));
        int *v = b->corner[b->face_count];
        for (int k = 0; k < 3; k++) {
            v[k] = vertex_at(b, &at, corners.corner[k], corners.vertex[k] < corners_of_solid, known);
        }
        vec n = unit(cross(plus(b->vertex[v[1]], -1.0L, b->vertex[v[0]]), plus(b->vertex[v[2]], -1.0L, b->vertex[v[0]])));
        b->normal[b->face_count] = n;
        b->offset[b->face_count++] = dot(n, b->vertex[v[0]]);
        assert_true(b->face_count < MOST_TRIANGLES);
    }
    for (int v = 1; v < b->vertex_count; v++) {
        b->size = fmax(b->size, (double)length(plus(b->vertex[v], -1.0L, b->vertex[0])));
    }
    find_arcs(b);
}

static real support_of_faced(const faced_body *b, vec d) {
    real most = -INFINITY;
    for (int v = 0; v < b->vertex_count; v++) {
        real h = b->corner_of_solid[v] ? dot(b->vertex[v], d) : -INFINITY;
        most = h > most ? h : most;
    }
    return most;
}

static real outside_faced(const faced_body *b, vec p) {
    real most = -INFINITY;
    for (int f = 0; f < b->face_count; f++) {
        most = fmaxl(most, dot(b->normal[f], p) - b->offset[f]);
    }
    return most;
}

/* ---- the oracle: the least depth over all directions from the solid into the body ---- */

typedef struct search {
    const round_body *a;
    const faced_body *b;
    real best, scale;
} search;

static real depth_along(const round_body *a, const faced_body *b, vec n) {
    return support_of_body(a, times(-1.0L, n)) + support_of_faced(b, n);
}

static real look(search *s, vec n) {
    real h = depth_along(s->a, s->b, n);
    s->best = h < s->best ? h : s->best;
    return h;
}

/* A curve of directions: an arc from `u` to `v`, or the circle k + cos t u + sin t v. */
typedef struct curve {
    vec k, u, v;
    bool circle;
} curve;

static vec direction_at(const curve *c, real t) {
    return unit(c->circle ? plus(plus(c->k, cosl(t), c->u), sinl(t), c->v) : plus(times(1.0L - t, c->u), t, c->v));
}

static void refine_on(search *s, const curve *c, real low, real high) {
    enum { STEPS = 44 };
    const real golden = 0.61803398874989484820L;
    real p = high - golden * (high - low), q = low + golden * (high - low), hp = look(s, direction_at(c, p)),
         hq = look(s, direction_at(c, q));
    for (int step = 0; step < STEPS; step++) {
        bool left = hp < hq;
        *(left ? &high : &low) = left ? q : p;
        real keep = left ? p : q, kept = left ? hp : hq;
        p = left ? high - golden * (high - low) : keep;
        q = left ? keep : low + golden * (high - low);
        hp = left ? look(s, direction_at(c, p)) : kept;
        hq = left ? kept : look(s, direction_at(c, q));
    }
}

static void look_along(search *s, const curve *c, int samples, real turn) {
    real h[128], reach = s->scale * length(plus(direction_at(c, turn / samples), -1.0L, direction_at(c, 0.0L)));
    for (int i = 0; i <= samples; i++) {
        h[i] = look(s, direction_at(c, turn * i / samples));
    }
    for (int i = 0; i <= samples; i++) {
        real before = i > 0       ? h[i - 1]
                      : c->circle ? h[samples - 1]
                                  : INFINITY,
             after = i < samples ? h[i + 1]
                     : c->circle ? h[1]
                                 : INFINITY;
        if (h[i] <= before && h[i] <= after && h[i] < s->best + reach) { /* else the depth there is larger */
            real low = turn * (i - 1) / samples, high = turn * (i + 1) / samples;
            refine_on(s, c, c->circle ? low : fmaxl(low, 0.0L), c->circle ? high : fminl(high, turn));
        }
    }
}

static void frame(vec n, vec *u, vec *v) {
    *u = unit(cross(n, fabsl(n.x) < 0.6L ? make(1, 0, 0) : make(0, 1, 0)));
    *v = cross(n, *u);
}

/* Compass search with shrinking steps. */
static void refine(search *s, vec d, real h) {
    enum { STEPS = 150 };
    real step = 0.05L;
    for (int k = 0; k < STEPS && step > 1e-9L; k++) {
        const real turn = 0.7L * (k % 9);
        vec u, v, least = d;
        real lower = h;
        frame(d, &u, &v);
        for (int i = 0; i < 8; i++) {
            real t = turn + i * 0.78539816339744830962L;
            vec e = unit(plus(plus(d, step * cosl(t), u), step * sinl(t), v));
            real there = look(s, e);
            least = there < lower ? e : least;
            lower = there < lower ? there : lower;
        }
        step = lower < h ? 1.3L * step : 0.4L * step;
        d = least;
        h = lower;
    }
}

/* Directions spread evenly, and the lowest of some regions refined. */
static void look_around(search *s) {
    enum { DIRECTIONS = 400, REFINED = 2 };
    vec d[DIRECTIONS], taken[REFINED];
    real h[DIRECTIONS];
    for (int i = 0; i < DIRECTIONS; i++) {
        real z = 1.0L - (2.0L * i + 1.0L) / DIRECTIONS, rho = sqrtl(1.0L - z * z), t = 2.39996322972865332L * i;
        d[i] = make(rho * cosl(t), rho * sinl(t), z);
        h[i] = look(s, d[i]);
    }
    for (int k = 0; k < REFINED; k++) {
        int least = -1;
        for (int i = 0; i < DIRECTIONS; i++) {
            bool near = false;
            for (int j = 0; j < k; j++) {
                near = near || dot(d[i], taken[j]) > 0.97L;
            }
            least = !near && (least < 0 || h[i] < h[least]) ? i : least;
        }
        taken[k] = d[least];
        refine(s, d[least], h[least]);
    }
}

static void look_at_body(search *s) {
    const real full = 6.28318530717958647692L;
    const round_body *a = s->a;
    if (a->kind == FRUSTUM || a->kind == CAPSULE) {
        real height = a->z[1] - a->z[0], slope = a->kind == FRUSTUM ? a->radius[0] - a->radius[1] : 0.0L,
             n = sqrtl(height * height + slope * slope);
        curve side = {.circle = true,
                      .k = times(-slope / n, a->at.axis[2]),
                      .u = times(height / n, a->at.axis[0]),
                      .v = times(height / n, a->at.axis[1])};
        look_along(s, &side, 96, full);
    }
    for (int i = 0; i < 3; i++) {
        (void)look(s, a->at.axis[i]);
        (void)look(s, times(-1.0L, a->at.axis[i]));
    }
}

/* ---- the oracle, by branch and bound ---- */

static vec farthest_of_body(const round_body *s, vec d) {
    vec local = turned_back(&s->at, d);
    return placed(&s->at, s->kind == SUPERQUADRIC ? farthest_of_superquadric(s->half, s->e1, s->e2, local) : point_local(s, local));
}

static vec farthest_of_faced(const faced_body *b, vec d) {
    vec most = b->vertex[0];
    real height = -INFINITY;
    for (int v = 0; v < b->vertex_count; v++) {
        real h = b->corner_of_solid[v] ? dot(b->vertex[v], d) : -INFINITY;
        most = h > height ? b->vertex[v] : most;
        height = h > height ? h : height;
    }
    return most;
}

typedef struct two_bodies {
    const round_body *a;
    const faced_body *b;
} two_bodies;

static vec farthest_of_difference(const void *of, vec d) {
    const two_bodies *two = of;
    return plus(farthest_of_faced(two->b, d), -1.0L, farthest_of_body(two->a, times(-1.0L, d)));
}

/* Where the height is the same in a whole circle of directions, the proof takes too long. Then all features and dense samples must be enough. */
static real least_depth(const round_body *a, const faced_body *b, real depth, real apart, double tolerance) {
    enum { MOST_LOOKS = 20000 };
    least_height least =
        least_height_find(farthest_of_difference, &(two_bodies){a, b}, depth, -apart, (real)tolerance * (a->size + b->size), MOST_LOOKS);
    if (least.proved) {
        return least.height;
    }
    search s = {.a = a, .b = b, .best = least.height, .scale = a->size + b->size};
    for (int f = 0; f < b->face_count; f++) {
        (void)look(&s, b->normal[f]);
    }
    for (int e = 0; e < b->arc_count; e++) {
        const curve between = {.u = b->arc[e].from, .v = b->arc[e].to};
        look_along(&s, &between, 8, 1.0L);
    }
    look_at_body(&s);
    look_around(&s);
    return s.best;
}

/* ---- making bodies ---- */

static double extent(random_state *r, double size, bool tidy) {
    double l = size * random_log_range(r, 0.1, 1.0);
    return tidy ? 0.25 * size * (1 + random_below(r, 8)) : l;
}

static void make_frustum(random_state *r, double size, bool tidy, round_body *s) {
    double radius = extent(r, size, tidy), height = 2.0 * extent(r, size, tidy), top = 0.0;
    switch (random_below(r, 3)) {
    case 0:
        top = radius;
        assert_ok(abut_shape_create_cylinder(radius, 0.5 * height, &s->shape));
        break;
    case 1:
        assert_ok(abut_shape_create_cone(radius, height, &s->shape));
        break;
    default:
        top = radius * (tidy ? 0.5 : random_range(r, 0.05, 2.0));
        assert_ok(abut_shape_create_frustum(radius, top, height, &s->shape));
    }
    real p = radius, q = top, sum = p * p + p * q + q * q;
    s->radius[0] = radius;
    s->radius[1] = top;
    s->z[0] = -height * (p * p + 2 * p * q + 3 * q * q) / (4 * sum);
    s->z[1] = s->z[0] + height;
    s->size = 2.0 * fmax(radius, top) + height;
}

static round_body make_body(random_state *r, double size, bool tidy, bool smooth) {
    round_body s = {.kind = smooth ? (random_below(r, 2) ? ELLIPSOID : SUPERQUADRIC)
                                   : (round_kind[]){BALL, CAPSULE, FRUSTUM, FRUSTUM, FRUSTUM}[random_below(r, 5)]};
    const abut_vec3 half = {extent(r, size, tidy), extent(r, size, tidy), extent(r, size, tidy)};
    double e1 = random_range(r, 0.3, 1.6), e2 = random_range(r, 0.3, 1.6);
    s.half = of(half);
    s.size = 2.0 * fmax(half.x, fmax(half.y, half.z));
    s.radius[0] = half.x;
    switch (s.kind) {
    case BALL:
        assert_ok(abut_shape_create_sphere(half.x, &s.shape));
        break;
    case CAPSULE:
        s.z[0] = -half.y;
        s.z[1] = half.y;
        s.size = 2.0 * (half.x + half.y);
        assert_ok(abut_shape_create_capsule(half.x, half.y, &s.shape));
        break;
    case FRUSTUM:
        make_frustum(r, size, tidy, &s);
        break;
    case ELLIPSOID:
        assert_ok(abut_shape_create_ellipsoid(half, &s.shape));
        break;
    default:
        s.e1 = e1;
        s.e2 = e2;
        s.p = 2.0L / (2.0L - s.e2);
        s.q = 2.0L / (2.0L - s.e1);
        assert_ok(abut_shape_create_superquadric(half, e1, e2, &s.shape));
    }
    return s;
}

static specimen make_solid(random_state *r, double size, bool tidy) {
    static const specimen_kind kinds[5] = {SPECIMEN_BOX, SPECIMEN_PRISM, SPECIMEN_PYRAMID, SPECIMEN_TETRAHEDRON, SPECIMEN_CLOUD};
    if (!tidy) {
        specimen s = specimen_of_kind(r, kinds[random_below(r, 5)], size);
        return s;
    }
    specimen s = {.kind = SPECIMEN_BOX, .half = {extent(r, size, true), extent(r, size, true), extent(r, size, true)}};
    s.surface = random_below(r, 2) == 0 ? solid_box(s.half) : solid_prism(s.half.x, s.half.y, 3 + random_below(r, 6));
    s.kind = random_below(r, 2) == 0 ? SPECIMEN_BOX : SPECIMEN_PRISM;
    s.size = solid_reach(&s.surface);
    s.shape = solid_shape(&s.surface);
    return s;
}

/* ---- placing them ---- */

static double gap_to_make(random_state *r, double size) {
    switch (random_below(r, 8)) {
    case 0:
        return random_log_range(r, 1e-9, 3.0) * size;
    case 1:
        return random_log_range(r, 1e-12, 1e-6) * size * (random_below(r, 2) == 0 ? 1.0 : -1.0);
    case 2:
        return 0.0;
    case 3:
    case 4:
        return -random_log_range(r, 1e-6, 0.1) * size;
    default:
        return -random_range(r, 0.1, 1.5) * size;
    }
}

static abut_vec3 rounded(vec v) { return abut_vec3_make((double)v.x, (double)v.y, (double)v.z); }

/* A point of the body comes to lie over one of the solid, with the gap along a normal of the solid there. */
static void place_body(random_state *r, round_body *a, const faced_body *b, bool tidy, bool apart) {
    int f = random_below(r, b->face_count), pick = random_below(r, 3);
    vec n = b->normal[f], on_b = b->vertex[b->corner[f][0]];
    real u = 0.0L, v = 0.0L;
    if (pick == 1) {
        const arc *e = b->arc_count > 0 ? &b->arc[random_below(r, b->arc_count)] : &(arc){n, n};
        n = direction_at(&(curve){.u = e->from, .v = e->to}, random_range(r, 0.0, 1.0));
    } else if (pick == 2) {
        n = of(random_direction(r));
    }
    for (int i = 0; i < b->vertex_count && pick != 0; i++) {
        on_b = dot(b->vertex[i], n) > dot(on_b, n) ? b->vertex[i] : on_b;
    }
    if (pick == 0) {
        u = tidy ? 0.25L * random_below(r, 5) : random_range(r, 0.0, 1.0);
        v = (1.0L - u) * (tidy ? 0.5L * random_below(r, 3) : random_range(r, 0.0, 1.0));
        on_b = plus(plus(times(1.0L - u - v, b->vertex[b->corner[f][0]]), u, b->vertex[b->corner[f][1]]), v, b->vertex[b->corner[f][2]]);
    }
    a->pose = (abut_pose){{0, 0, 0}, tidy ? random_tidy_rotation(r) : random_rotation(r)};
    a->at = place_of(a->pose);
    vec on_a = point_along(a, times(-1.0L, n));
    double gap = gap_to_make(r, fmin(a->size, b->size));
    a->pose.position = rounded(plus(plus(on_b, -1.0L, on_a), apart ? fabs(gap) : gap, n));
    a->at = place_of(a->pose);
}

/* ---- judging ---- */

typedef struct rows {
    accuracy *distance, *contact, *depth;
} rows;

enum { MOST_CONTACTS = 512 };

typedef struct question {
    round_body a;
    const faced_body *b;
    const abut_shape *mesh;
    abut_pose at;
    double scale;
    bool swapped;
} question;

static abut_pair pair_of(const question *q) {
    return q->swapped ? (abut_pair){q->mesh, q->at, q->a.shape, q->a.pose} : (abut_pair){q->a.shape, q->a.pose, q->mesh, q->at};
}

static void judge_distance(accuracy *row, const question *q, const abut_separation *s) {
    vec n = of(s->normal), on_a = of(s->on_a), on_b = of(s->on_b);
    real low = -depth_along(&q->a, q->b, n), high = length(plus(on_a, -1.0L, on_b));
    accuracy_error(row, (double)fabsl(s->gap - low) / q->scale, "gap %.17g, along the normal %.17Lg", s->gap, low);
    accuracy_error(row, (double)fabsl(s->gap - high) / q->scale, "gap %.17g, of the points %.17Lg", s->gap, high);
    accuracy_error(row, (double)outside_body(&q->a, on_a) / q->scale, "point of the body outside by %.3Lg", outside_body(&q->a, on_a));
    accuracy_error(row, (double)outside_faced(q->b, on_b) / q->scale, "point of the mesh outside by %.3Lg", outside_faced(q->b, on_b));
}

/* Every contact: its points on both surfaces, its gap, one normal, and the deepest one as deep as the bodies are along the normal. */
static void judge_contacts(accuracy *row, const question *q, const abut_contact *contact, int32_t count) {
    vec n = of(contact[0].normal);
    real depth = depth_along(&q->a, q->b, n), deepest = INFINITY;
    for (int32_t i = 0; i < count; i++) {
        const abut_contact *c = &contact[i];
        vec on_a = of(c->on_a), on_b = of(c->on_b);
        real gap = dot(n, plus(on_a, -1.0L, on_b)), off_a = outside_body(&q->a, on_a), off_b = outside_faced(q->b, on_b);
        double off = closed_mesh_off(q->mesh, c->feature_b, abut_pose_apply_inverse(q->at, c->on_b));
        bool witness = (c->flags & ABUT_CONTACT_WITNESS) != 0; /* then one point is the foot of the other in a plane */
        /* The feature beside a smooth body is the one that the normal picks. Where two are tied, it can be a neighbour of the one under the point. */
        bool named = !witness && q->a.kind != ELLIPSOID && q->a.kind != SUPERQUADRIC;
        accuracy_error(row, (double)fabsl(gap - c->gap) / q->scale, "gap %.17g of points %.17Lg apart", c->gap, gap);
        accuracy_error(row, (double)(-depth - gap) / q->scale, "contact %d of %d: deeper than the bodies, %.17Lg", (int)i, (int)count, gap);
        if (!witness) {
            accuracy_error(row, (double)fabsl(off_a) / q->scale, "contact %d of %d: point off the body by %.3Lg", (int)i, (int)count,
                           off_a);
            accuracy_error(row, (double)fabsl(off_b) / q->scale, "contact %d of %d: point off the mesh by %.3Lg", (int)i, (int)count,
                           off_b);
        }
        if (c->patch != 0 || abut_distance_between(c->normal, contact[0].normal) > 0.0 || (named && off > 2e-6 * q->scale)) {
            accuracy_wrong(row, "contact %d of %d: patch %d, %g off its feature (kind %d, index %d)", (int)i, (int)count, (int)c->patch,
                           off, (int)c->feature_b.kind, (int)c->feature_b.index);
        }
        deepest = gap < deepest ? gap : deepest;
    }
    /* A whole patch may be less deep than the bodies by 2e-12 of their sizes. */
    accuracy_error(row, (double)fmaxl(0.0L, fabsl(deepest + depth) - 2e-12L * (q->a.size + q->b->size)) / q->scale,
                   "deepest of %d %.17Lg, bodies %.17Lg deep", (int)count, deepest, depth);
}

static int32_t ask(const question *q, double margin, abut_contact *contact) {
    const abut_pair pair = pair_of(q);
    abut_collide_settings settings = abut_collide_settings_default();
    int32_t count;
    settings.margin = margin;
    assert_ok(abut_collide(&pair, &settings, NULL, contact, MOST_CONTACTS, &count));
    for (int32_t i = 0; i < count && q->swapped; i++) {
        contact[i] = abut_contact_swap(contact[i]);
    }
    return count;
}

static void judge_near(accuracy *row, const question *q, double gap) {
    static abut_contact contact[MOST_CONTACTS];
    int32_t count = ask(q, 1.5 * gap + 1e-13 * q->scale, contact); /* the gap has rounding errors */
    if (count == 0) {
        accuracy_wrong(row, "no contact within the margin, gap %.17g", gap);
    } else {
        judge_contacts(row, q, contact, count);
    }
}

/* Points of both bodies are this near to each other, so no direction separates the bodies by more. */
static real least_apart(const abut_contact *contact, int32_t count) {
    real least = INFINITY;
    for (int32_t i = 0; i < count; i++) {
        bool witness = (contact[i].flags & ABUT_CONTACT_WITNESS) != 0; /* then one point may be off its body */
        least = witness ? least : fminl(least, length(plus(of(contact[i].on_a), -1.0L, of(contact[i].on_b))));
    }
    return least;
}

static void judge(rows *to, uint64_t seed, const question *q) {
    static abut_contact contact[MOST_CONTACTS];
    const abut_pair pair = pair_of(q);
    abut_separation s;
    bool overlap;
    assert_ok(abut_distance(&pair, NULL, NULL, &s));
    assert_ok(abut_overlap(&pair, NULL, &overlap));
    if (q->swapped) {
        s = (abut_separation){s.gap, s.on_b, s.on_a, abut_neg(s.normal), s.feature_b, s.feature_a, s.flags};
    }
    int32_t count = ask(q, 0.0, contact);
    if (s.gap > 0.0) {
        accuracy_next(to->distance, seed);
        judge_distance(to->distance, q, &s);
        judge_near(to->distance, q, s.gap);
    }
    accuracy_next(to->contact, seed);
    if ((count > 0) != (s.gap <= 0.0) || overlap != (count > 0)) {
        accuracy_wrong(to->contact, "%d contacts, overlap %d, distance %.17g", (int)count, (int)overlap, s.gap);
    }
    if (count > 0) {
        judge_contacts(to->contact, q, contact, count);
        real depth = depth_along(&q->a, q->b, of(contact[0].normal)),
             least = least_depth(&q->a, q->b, depth, least_apart(contact, count), 0.5e-10);
        accuracy_next(to->depth, seed);
        accuracy_error(to->depth, (double)(depth - least) / (q->a.size + q->b->size), "depth %.17Lg, least %.17Lg, a %s", depth, least,
                       abut_kind_name(abut_shape_kind(q->a.shape)));
    }
}

/* ---- rows ---- */

/* apart: a sample that would overlap is moved apart by as much, with no more than the sizes of the bodies between them. */
static void sample(rows *to, uint64_t seed, bool smooth, bool apart) {
    static faced_body b;
    random_state r = random_make(seed);
    bool tidy = random_below(&r, 3) == 0;
    double unit_length = random_below(&r, 2) == 0 ? 1.0 : random_log_range(&r, 1e-3, 1e3);
    double ratio = tidy ? 1.0 : random_below(&r, 4) == 0 ? random_log_range(&r, 1e-3, 1e3) : random_log_range(&r, 0.1, 3.0);
    specimen solid = make_solid(&r, unit_length, tidy);
    closed_mesh mesh = closed_mesh_of(&r, &solid.surface, random_below(&r, 2));
    question q = {.a = make_body(&r, unit_length * ratio, tidy, smooth), .b = &b, .mesh = mesh.shape};
    q.at = tidy ? (abut_pose){{0, 0, 0}, random_tidy_rotation(&r)} : random_pose(&r, unit_length);
    if (random_below(&r, 4) == 0) {
        q.at.position = abut_scale(random_log_range(&r, 1.0, 1e4) * unit_length, random_direction(&r));
    }
    set_faced(&b, mesh.shape, q.at, solid.surface.vertex_count);
    place_body(&r, &q.a, &b, tidy, apart);
    q.swapped = random_below(&r, 2) == 0;
    q.scale = q.a.size + b.size + abut_length(q.at.position) + abut_length(q.a.pose.position) + abut_length(mesh.inner.position);
    judge(to, seed, &q);
    abut_shape_release(q.a.shape);
    abut_shape_release(mesh.shape);
    specimen_free(&solid);
}

/* held: seeds that were wrong once, in steps from the first; 0 ends the list. */
static void run(rows to, uint64_t first, int32_t full, int32_t apart, bool smooth, const int32_t *held) {
    for (; *held != 0; held++) {
        sample(&to, first + (uint64_t)*held, smooth, false);
    }
    for (int32_t i = 0, count = accuracy_samples(full); i < count; i++) {
        sample(&to, first + (uint64_t)i, smooth, false);
    }
    for (int32_t i = 0, count = accuracy_samples(apart); i < count; i++) {
        sample(&to, first + UINT64_C(10000000) + (uint64_t)i, smooth, true);
    }
    accuracy_end(to.distance);
    accuracy_end(to.contact);
    accuracy_end(to.depth);
}

static void test_round(void **state) {
    (void)state;
    rows to = {accuracy_begin("round bodies beside closed convex meshes: distance", "bounds from points and normal, 64-bit mantissa",
                              "|gap - bound| / (sizes + distances)", 1e-12),
               accuracy_begin("round bodies and closed convex meshes: contacts", "closed forms, 64-bit mantissa",
                              "distance from surfaces, gap / (sizes + distances)", 1e-12),
               accuracy_begin("round bodies in closed convex meshes: least depth", "bounds over all directions, by branch and bound",
                              "(depth - least) / sizes", 1e-10)};
    static const int32_t held[] = {7414,  8206,  10421, 13877, 17259, 21123,  22191,  22506,
                                   24613, 26923, 29097, 31764, 35509, 103445, 108783, 0};
    run(to, UINT64_C(180600000000), 140000, 80000, false, held);
}

static void test_smooth(void **state) {
    (void)state;
    rows to = {accuracy_begin("smooth bodies beside closed convex meshes: distance", "bounds from points and normal, 64-bit mantissa",
                              "|gap - bound| / (sizes + distances)", 1e-10),
               accuracy_begin("smooth bodies and closed convex meshes: contacts", "closed forms, 64-bit mantissa",
                              "distance from surfaces, gap / (sizes + distances)", 1e-10),
               accuracy_begin("smooth bodies in closed convex meshes: least depth", "bounds over all directions, by branch and bound",
                              "(depth - least) / sizes", 1e-10)};
    static const int32_t held[] = {12184, 24073, 34164, 72032, 0};
    run(to, UINT64_C(180700000000), 140000, 80000, true, held);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_round), cmocka_unit_test(test_smooth)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
