/*
 * The contacts of cylinders, cones and truncated cones: whether both points of each contact lie on the surfaces and face each other along the normal, whether
 * the deepest one is as deep as the bodies, and whether exchanged bodies have the same contacts. Axes are parallel, nearly parallel, square to each other, or
 * in any position. Supports and surfaces are closed forms with 64 bits.
 */
#include <math.h>
#include <stdlib.h>

#include <abut/collide.h>
#include <abut/mesh.h>
#include <abut/shape.h>

#include "accuracy/accuracy.h"
#include "support/check.h"
#include "support/random.h"

typedef long double real;

typedef struct vec {
    real x, y, z;
} vec;

static vec make(real x, real y, real z) { return (vec){x, y, z}; }
static vec plus(vec a, real t, vec b) { return make(a.x + t * b.x, a.y + t * b.y, a.z + t * b.z); }
static real dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static real length(vec a) { return sqrtl(dot(a, a)); }
static vec of(abut_vec3 v) { return make(v.x, v.y, v.z); }

/* ---- bodies ---- */

typedef enum body_kind { FRUSTUM, CAPSULE, BOX, PRISM } body_kind;

typedef struct body {
    body_kind kind;
    real radius[2], z[2]; /* frustum; capsule: radius[0] and z */
    vec half;             /* box */
    abut_polytope_view view;
    double size;
    abut_shape *shape;
    abut_pose pose;
    vec axis[3]; /* the rotation's columns */
} body;

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
}

static vec to_local(const body *s, vec d) { return make(dot(s->axis[0], d), dot(s->axis[1], d), dot(s->axis[2], d)); }

static real support_local(const body *s, vec d) {
    if (s->kind == FRUSTUM) {
        real rho = sqrtl(d.x * d.x + d.y * d.y);
        return fmaxl(s->z[0] * d.z + s->radius[0] * rho, s->z[1] * d.z + s->radius[1] * rho);
    }
    if (s->kind == CAPSULE) {
        return s->radius[0] * length(d) + s->z[1] * fabsl(d.z);
    }
    if (s->kind == BOX) {
        return s->half.x * fabsl(d.x) + s->half.y * fabsl(d.y) + s->half.z * fabsl(d.z);
    }
    real most = -INFINITY;
    for (int32_t i = 0; i < s->view.vertex_count; ++i) {
        most = fmaxl(most, dot(of(s->view.vertices[i]), d));
    }
    return most;
}

static real support(const body *s, vec d) { return support_local(s, to_local(s, d)) + dot(of(s->pose.position), d); }

/* How far a point is from the surface. */
static real outside(const body *s, vec point) {
    vec p = to_local(s, plus(point, -1.0L, of(s->pose.position)));
    if (s->kind == FRUSTUM) {
        real rho = sqrtl(p.x * p.x + p.y * p.y), height = s->z[1] - s->z[0], slope = s->radius[0] - s->radius[1];
        real side = (height * (rho - s->radius[0]) + slope * (p.z - s->z[0])) / sqrtl(height * height + slope * slope);
        return fabsl(fmaxl(side, fmaxl(p.z - s->z[1], s->z[0] - p.z)));
    }
    if (s->kind == CAPSULE) {
        real z = fminl(s->z[1], fmaxl(s->z[0], p.z));
        return fabsl(length(make(p.x, p.y, p.z - z)) - s->radius[0]);
    }
    if (s->kind == BOX) {
        return fabsl(fmaxl(fabsl(p.x) - s->half.x, fmaxl(fabsl(p.y) - s->half.y, fabsl(p.z) - s->half.z)));
    }
    real most = -INFINITY;
    for (int32_t f = 0; f < s->view.face_count; ++f) {
        most = fmaxl(most,
                     dot(of(s->view.face_normals[f]), plus(p, -1.0L, of(s->view.vertices[s->view.face_vertices[s->view.face_first[f]]]))));
    }
    return fabsl(most);
}

static double size_of(random_state *r, bool round) {
    double size = random_log_range(r, 0.05, 1.0);
    return round ? (1 + random_below(r, 16)) / 16.0 : size;
}

static void make_frustum(random_state *r, body *s) {
    bool round = random_below(r, 4) == 0;
    double radius = size_of(r, round), height = 2.0 * size_of(r, round), top = size_of(r, round);
    int kind = random_below(r, 3);
    top = kind == 0 ? radius : kind == 1 ? 0.0 : top;
    *s = (body){.kind = FRUSTUM, .radius = {radius, top}, .size = fmax(2.0 * fmax(radius, top), height)};
    assert_ok(kind == 0   ? abut_shape_create_cylinder(radius, 0.5 * height, &s->shape)
              : kind == 1 ? abut_shape_create_cone(radius, height, &s->shape)
                          : abut_shape_create_frustum(radius, top, height, &s->shape));
    real p = radius, q = top;
    s->z[0] = -height * (p * p + 2 * p * q + 3 * q * q) / (4 * (p * p + p * q + q * q));
    s->z[1] = s->z[0] + height;
}

static void make_other(random_state *r, body *s) {
    bool round = random_below(r, 4) == 0;
    double x = size_of(r, round), y = size_of(r, round), z = size_of(r, round);
    switch (random_below(r, 6)) {
    case 0:
        *s = (body){.kind = CAPSULE, .radius = {x}, .z = {-y, y}, .size = 2.0 * (x + y)};
        assert_ok(abut_shape_create_capsule(x, y, &s->shape));
        return;
    case 1:
        *s = (body){.kind = BOX, .half = make(x, y, z), .size = 2.0 * fmax(x, fmax(y, z))};
        assert_ok(abut_shape_create_box(abut_vec3_make(x, y, z), &s->shape));
        return;
    case 2:
        *s = (body){.kind = PRISM, .size = 2.0 * fmax(x, y)};
        assert_ok(abut_shape_create_prism(x, y, 3 + random_below(r, 60), &s->shape));
        assert_ok(abut_shape_polytope(s->shape, &s->view));
        return;
    default:
        make_frustum(r, s);
    }
}

/* ---- placing them ---- */

typedef enum position { PARALLEL, TILTED, SQUARE, ANY, POSITIONS } position;

static abut_quat turned(random_state *r, abut_quat from, position how) {
    const abut_vec3 x = {1, 0, 0}, z = {0, 0, 1};
    switch (how) {
    case PARALLEL:
        return abut_quat_unit(abut_quat_mul(from, random_below(r, 2) == 0 ? abut_quat_about(z, random_range(r, 0.0, 6.0))
                                                                          : abut_quat_about(x, 3.14159265358979323846)));
    case TILTED:
        return abut_quat_unit(abut_quat_mul(from, abut_quat_about(random_direction(r), random_log_range(r, 1e-14, 1e-1))));
    case SQUARE:
        return abut_quat_unit(abut_quat_mul(from, random_tidy_rotation(r)));
    default:
        return random_rotation(r);
    }
}

static void place(random_state *r, position how, body *a, body *b) {
    abut_pose pose_a = {{0, 0, 0}, random_below(r, 3) == 0 ? abut_quat_identity() : random_rotation(r)}, pose_b = pose_a;
    bool aligned = how == PARALLEL && random_below(r, 2) == 0;
    pose_a.position = random_below(r, 2) == 0 ? abut_vec3_make(0, 0, 0) : random_vec3(r, -10.0, 10.0);
    pose_b.rotation = aligned ? pose_a.rotation : turned(r, pose_a.rotation, how);
    abut_vec3 way = abut_scale(random_range(r, 0.0, 0.5) * (a->size + b->size), random_direction(r));
    if (random_below(r, 4) == 0) {
        way = abut_vec3_make(round(16.0 * way.x) / 16.0, round(16.0 * way.y) / 16.0, round(16.0 * way.z) / 16.0);
    }
    pose_b.position = abut_add(pose_a.position, way);
    set_pose(a, pose_a);
    set_pose(b, pose_b);
}

/* ---- judging ---- */

enum { MOST_CONTACTS = 512 };

typedef struct answer {
    abut_contact contact[MOST_CONTACTS];
    int32_t count;
} answer;

typedef struct rows {
    accuracy *facing, *deepest, *swapped;
} rows;

static bool collide(accuracy *row, const body *a, const body *b, answer *to) {
    abut_status status =
        abut_collide(&(abut_pair){a->shape, a->pose, b->shape, b->pose}, NULL, NULL, to->contact, MOST_CONTACTS, &to->count);
    if (status != ABUT_OK) {
        accuracy_wrong(row, "status %d", (int)status);
    }
    return status == ABUT_OK;
}

static void judge_facing(accuracy *row, const body *a, const body *b, const answer *at, real scale) {
    for (int32_t i = 0; i < at->count; ++i) {
        const abut_contact *c = &at->contact[i];
        vec n = of(c->normal), way = plus(of(c->on_a), -1.0L, of(c->on_b));
        real aside = length(plus(way, -dot(way, n), n)), off_a = outside(a, of(c->on_a)), off_b = outside(b, of(c->on_b));
        /* Directions that are equally deep to 1e-10 are a tie. The chosen one need not be a local minimum by more than that. */
        const real tie = (c->flags & ABUT_CONTACT_NORMAL_CHOSEN) != 0 ? 1e4L : 1.0L;
        accuracy_error(row, (double)(aside / (tie * scale)), "contact %d of %d, %s and %s: %.3Lg aside, flags %u", (int)i, (int)at->count,
                       abut_kind_name(abut_shape_kind(a->shape)), abut_kind_name(abut_shape_kind(b->shape)), aside, c->flags);
        accuracy_error(row, (double)(off_a / scale), "contact %d of %d: point of A off by %.3Lg", (int)i, (int)at->count, off_a);
        accuracy_error(row, (double)(off_b / scale), "contact %d of %d: point of B off by %.3Lg", (int)i, (int)at->count, off_b);
    }
}

static void judge_deepest(accuracy *row, const body *a, const body *b, const answer *at, real scale) {
    vec n = of(at->contact[0].normal), back = make(-n.x, -n.y, -n.z);
    real depth = support(a, back) + support(b, n), deepest = INFINITY;
    for (int32_t i = 0; i < at->count; ++i) {
        const abut_contact *c = &at->contact[i];
        real gap = dot(n, plus(of(c->on_a), -1.0L, of(c->on_b)));
        accuracy_error(row, (double)(fabsl(gap - c->gap) / scale), "gap %.17g of points %.17Lg apart", c->gap, gap);
        deepest = fminl(deepest, c->gap);
    }
    accuracy_error(row, (double)(fabsl(deepest + depth) / scale), "deepest of %d %.17Lg, bodies %.17Lg deep", (int)at->count, deepest,
                   depth);
}

/* How far the contacts of the smaller answer are from their likes in the other one. */
static double farthest_of(const answer *few, const answer *many) {
    double most = 0.0;
    for (int32_t i = 0; i < few->count; ++i) {
        double least = INFINITY;
        for (int32_t k = 0; k < many->count; ++k) {
            const abut_contact *p = &few->contact[i], *q = &many->contact[k];
            double points = fmax(abut_distance_between(p->on_a, q->on_b), abut_distance_between(p->on_b, q->on_a));
            least = fmin(least, fmax(points, fabs(p->gap - q->gap)));
        }
        most = fmax(most, least);
    }
    return most;
}

static double least_gap(const answer *at) {
    double least = INFINITY;
    for (int32_t i = 0; i < at->count; ++i) {
        least = fmin(least, at->contact[i].gap);
    }
    return least;
}

/* By how much normals and contacts of exchanged bodies differ. */
static double turn_of(const answer *at, const answer *swapped) {
    return abut_length(abut_add(at->contact[0].normal, swapped->contact[0].normal));
}

static double places_of(const answer *at, const answer *swapped) {
    return at->count <= swapped->count ? farthest_of(at, swapped) : farthest_of(swapped, at);
}

static void judge_swapped(accuracy *row, const answer *at, const answer *swapped, double scale) {
    if (swapped->count != at->count) {
        accuracy_wrong(row, "%d contacts, exchanged %d", (int)at->count, (int)swapped->count);
        return;
    }
    double turn = turn_of(at, swapped), gaps = fabs(least_gap(at) - least_gap(swapped)), places = places_of(at, swapped);
    accuracy_error(row, turn, "normals differ by %.3g", turn);
    accuracy_error(row, gaps / scale, "depths differ by %.3g", gaps);
    accuracy_error(row, places / scale, "contacts are %.3g apart", places);
}

static void sample(rows *to, uint64_t seed, position how) {
    static answer at, swapped;
    random_state r = random_make(seed);
    body a, b;
    make_frustum(&r, &a);
    make_other(&r, &b);
    place(&r, how, &a, &b);
    const body *p = random_below(&r, 2) == 0 ? &a : &b, *q = p == &a ? &b : &a;
    double scale = a.size + b.size + abut_length(a.pose.position) + abut_length(b.pose.position);
    accuracy_next(to->facing, seed);
    if (collide(to->facing, p, q, &at) && at.count > 0 && collide(to->facing, q, p, &swapped)) {
        judge_facing(to->facing, p, q, &at, scale);
        accuracy_next(to->deepest, seed);
        judge_deepest(to->deepest, p, q, &at, scale);
        accuracy_next(to->swapped, seed);
        judge_swapped(to->swapped, &at, &swapped, scale);
    }
    abut_shape_release(a.shape);
    abut_shape_release(b.shape);
}

typedef struct run_texts {
    const char *facing, *deepest, *swapped;
    double limit; /* of facing */
    position from, to;
    int32_t full;
    const uint64_t *held;
    int32_t held_count;
} run_texts;

static void run(const run_texts *texts) {
    rows to = {0};
    to.facing =
        accuracy_begin(texts->facing, "closed forms, 64-bit mantissa",
                       "(points aside of each other, 1e-4 of that where the normal is chosen; off the surfaces) / sizes", texts->limit);
    to.deepest = accuracy_begin(texts->deepest, "support functions, 64-bit mantissa", "(depth along the normal, gap) / sizes", 4e-12);
    to.swapped = accuracy_begin(texts->swapped, "the same question", "distance of the points / sizes; normals; depths / sizes", 1e-13);
    const int32_t positions = (int32_t)(texts->to - texts->from) + 1;
    for (int32_t i = 0; i < texts->held_count; ++i) {
        sample(&to, texts->held[i], texts->from + (position)(texts->held[i] % (uint64_t)positions));
    }
    for (int32_t i = 0, count = accuracy_samples(texts->full); i < count; ++i) {
        sample(&to, (uint64_t)i, texts->from + (position)(i % positions));
    }
    accuracy_end(to.facing);
    accuracy_end(to.deepest);
    accuracy_end(to.swapped);
}

static void test_parallel(void **state) {
    static const uint64_t held[] = {5397, 7279, 8350, 8671, 11488, 60002, 67546};
    static const run_texts texts = {.facing = "parallel cylinders, cones, prisms, capsules: contacts that face each other",
                                    .deepest = "parallel cylinders, cones, prisms, capsules: deepest contact",
                                    .swapped = "parallel cylinders, cones, prisms, capsules: exchanged",
                                    .limit = 1e-12,
                                    .from = PARALLEL,
                                    .to = PARALLEL,
                                    .full = 250000,
                                    .held = held,
                                    .held_count = sizeof held / sizeof *held};
    (void)state;
    run(&texts);
}

static void test_tilted(void **state) {
    static const uint64_t held[] = {5, 15, 35, 46, 2226, 6387, 60354, 150330, 335159, 353994, 383611};
    static const run_texts texts = {.facing = "nearly parallel cylinders, cones, prisms, capsules: contacts that face each other",
                                    .deepest = "nearly parallel cylinders, cones, prisms, capsules: deepest contact",
                                    .swapped = "nearly parallel cylinders, cones, prisms, capsules: exchanged",
                                    .limit = 1e-12,
                                    .from = TILTED,
                                    .to = TILTED,
                                    .full = 250000,
                                    .held = held,
                                    .held_count = sizeof held / sizeof *held};
    (void)state;
    run(&texts);
}

static void test_any(void **state) {
    static const uint64_t held[] = {917, 4638, 8066, 8012, 20788, 57468};
    static const run_texts texts = {.facing = "cylinders, cones and others, any position: contacts that face each other",
                                    .deepest = "cylinders, cones and others, any position: deepest contact",
                                    .swapped = "cylinders, cones and others, any position: exchanged",
                                    .limit = 1e-12,
                                    .from = SQUARE,
                                    .to = ANY,
                                    .full = 250000,
                                    .held = held,
                                    .held_count = sizeof held / sizeof *held};
    (void)state;
    run(&texts);
}

/* ---- on flat triangles ---- */

/* A flat surface of triangles with corners on a grid, many of them next to a chosen place. */
typedef struct floor_mesh {
    int64_t x[128], y[128];
    abut_vec3 vertex[128];
    int32_t triangle[256][3], vertices, triangles;
} floor_mesh;

static const double grid = 0x1p-21;

__extension__ typedef __int128 wide;

static int side_of(const floor_mesh *m, int32_t p, int32_t q, int32_t r) {
    wide turn = (wide)(m->x[q] - m->x[p]) * (m->y[r] - m->y[p]) - (wide)(m->y[q] - m->y[p]) * (m->x[r] - m->x[p]);
    return turn > 0 ? 1 : turn < 0 ? -1 : 0;
}

static int32_t add_vertex(floor_mesh *m, double x, double y) {
    int32_t i = m->vertices++;
    m->x[i] = llround(x / grid);
    m->y[i] = llround(y / grid);
    m->vertex[i] = abut_vec3_make((double)m->x[i] * grid, (double)m->y[i] * grid, 0.0);
    return i;
}

static void add_triangle(floor_mesh *m, int32_t p, int32_t q, int32_t r) {
    const int32_t corner[3] = {p, q, r};
    for (int i = 0; i < 3; ++i) {
        m->triangle[m->triangles][i] = corner[i];
    }
    ++m->triangles;
}

/* Cuts the triangle around a new vertex in three; a vertex on a side is left out. */
static void insert(floor_mesh *m, double x, double y) {
    int32_t p = add_vertex(m, x, y);
    for (int32_t t = 0; t < m->triangles; ++t) {
        int32_t *c = m->triangle[t];
        if (side_of(m, c[0], c[1], p) > 0 && side_of(m, c[1], c[2], p) > 0 && side_of(m, c[2], c[0], p) > 0) {
            int32_t last = c[2];
            c[2] = p;
            add_triangle(m, c[1], last, p);
            add_triangle(m, last, c[0], p);
            return;
        }
    }
    --m->vertices;
}

/* Turns the common side of two triangles where both stay triangles. */
static void flip(random_state *r, floor_mesh *m) {
    int32_t t = random_below(r, m->triangles), k = random_below(r, 3), *p = m->triangle[t];
    int32_t a = p[k], b = p[(k + 1) % 3], c = p[(k + 2) % 3];
    for (int32_t i = 0; i < 3 * m->triangles; ++i) {
        int32_t *q = m->triangle[i / 3], d = q[(i + 2) % 3];
        if (q[i % 3] == b && q[(i + 1) % 3] == a && side_of(m, c, a, d) > 0 && side_of(m, d, b, c) > 0) {
            const int32_t one[3] = {c, a, d}, other[3] = {d, b, c};
            for (int j = 0; j < 3; ++j) {
                p[j] = one[j];
                q[j] = other[j];
            }
            return;
        }
    }
}

static void make_floor(random_state *r, double half, abut_vec3 near, floor_mesh *m) {
    m->vertices = m->triangles = 0;
    for (int i = 0; i < 4; ++i) {
        add_vertex(m, (i == 1 || i == 2) ? half : -half, i > 1 ? half : -half);
    }
    add_triangle(m, 0, 1, 2);
    add_triangle(m, 0, 2, 3);
    for (int i = random_below(r, 30); i > 0; --i) {
        double spread = random_log_range(r, 1e-6, 1.0) * half;
        bool beside = random_below(r, 2) == 0;
        insert(m, beside ? near.x + random_range(r, -spread, spread) : random_range(r, -half, half),
               beside ? near.y + random_range(r, -spread, spread) : random_range(r, -half, half));
    }
    for (int i = random_below(r, 60); i > 0; --i) {
        flip(r, m);
    }
}

/* A point of a frustum that is lowest along z. */
static abut_vec3 lowest_of(const body *s) {
    vec d = to_local(s, make(0.0L, 0.0L, -1.0L)), p;
    real rho = sqrtl(d.x * d.x + d.y * d.y);
    int end = s->z[1] * d.z + s->radius[1] * rho > s->z[0] * d.z + s->radius[0] * rho;
    p = rho > 0.0L ? make(s->radius[end] * d.x / rho, s->radius[end] * d.y / rho, s->z[end]) : make(s->radius[end], 0.0L, s->z[end]);
    vec w = plus(plus(plus(of(s->pose.position), p.x, s->axis[0]), p.y, s->axis[1]), p.z, s->axis[2]);
    return abut_vec3_make((double)w.x, (double)w.y, (double)w.z);
}

static void judge_floor(accuracy *row, const body *s, const floor_mesh *m, bool first) {
    static answer at;
    abut_trimesh_def def = abut_trimesh_def_default();
    abut_shape *mesh;
    def.vertices = m->vertex;
    def.vertex_count = m->vertices;
    def.triangles = m->triangle[0];
    def.triangle_count = m->triangles;
    assert_ok(abut_shape_create_trimesh(&def, NULL, &mesh));
    const body under = {.shape = mesh, .pose = abut_pose_identity()};
    if (collide(row, first ? s : &under, first ? &under : s, &at)) {
        real depth = support(s, make(0.0L, 0.0L, -1.0L)), deepest = INFINITY;
        for (int32_t i = 0; i < at.count; ++i) {
            const abut_contact *c = &at.contact[i];
            real gap = (first ? 1.0L : -1.0L) * ((real)c->on_a.z - c->on_b.z);
            accuracy_error(row, (double)(fabsl(gap - c->gap) / s->size), "gap %.17g of points %.17Lg apart", c->gap, gap);
            deepest = fminl(deepest, c->gap);
        }
        accuracy_error(row, (double)(fabsl(deepest + depth) / s->size), "deepest of %d %.17Lg, body %.17Lg deep", (int)at.count, deepest,
                       depth);
    }
    abut_shape_release(mesh);
}

static void sample_floor(accuracy *row, uint64_t seed) {
    static floor_mesh m;
    random_state r = random_make(seed);
    body s;
    make_frustum(&r, &s);
    set_pose(&s, (abut_pose){{0, 0, 0}, turned(&r, random_tidy_rotation(&r), random_below(&r, 2) == 0 ? TILTED : ANY)});
    vec down = {0.0L, 0.0L, -1.0L};
    real low = support(&s, down), high = support(&s, make(0.0L, 0.0L, 1.0L)), width = low + high;
    double part = random_below(&r, 3) == 0 ? random_log_range(&r, 1e-9, 0.3) : random_range(&r, 0.01, 0.9);
    abut_pose pose = s.pose;
    pose.position = abut_vec3_make(random_range(&r, -0.5, 0.5), random_range(&r, -0.5, 0.5), (double)(low - part * width));
    set_pose(&s, pose);
    make_floor(&r, 8.0, lowest_of(&s), &m);
    accuracy_next(row, seed);
    judge_floor(row, &s, &m, random_below(&r, 2) == 0);
    abut_shape_release(s.shape);
}

static void test_floor(void **state) {
    accuracy *row = accuracy_begin("cylinders and cones sunk into flat triangles: deepest contact", "support functions, 64-bit mantissa",
                                   "(depth, gap) / size", 1e-10);
    static const uint64_t held[] = {6, 66, 403, 490, 525, 8686, 96425};
    (void)state;
    for (size_t i = 0; i < sizeof held / sizeof *held; ++i) {
        sample_floor(row, held[i]);
    }
    for (int32_t i = 0, count = accuracy_samples(100000); i < count; ++i) {
        sample_floor(row, (uint64_t)i);
    }
    accuracy_end(row);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_parallel), cmocka_unit_test(test_tilted), cmocka_unit_test(test_any),
                                       cmocka_unit_test(test_floor)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
