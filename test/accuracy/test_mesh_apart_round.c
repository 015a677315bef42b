/*
 * Cylinders, cones and ellipsoids apart from triangle meshes, with a margin. The distance of a point from the body has a closed form, or Newton's method finds
 * it; it is convex over a triangle, where two nested searches of the golden section find the least one, with 64 bits.
 */
#include <abut/shape.h>
#include <abut/smooth.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "accuracy/apart_mesh.h"

typedef long double wide;

typedef struct wvec {
    wide x, y, z;
} wvec;

/* A body of revolution between two discs, or an ellipsoid. */
typedef struct round_body {
    bool ellipsoid;
    wide half[3];           /* semi-axes */
    wide radius[2], end[2]; /* of the lower and the upper disc */
    double size;
} round_body;

typedef struct round_apart {
    apart pair;
    round_body body;
} round_apart;

/* ---- a point ---- */

static wide dot(wvec p, wvec q) { return p.x * q.x + p.y * q.y + p.z * q.z; }
static wvec minus(wvec p, wvec q) { return (wvec){p.x - q.x, p.y - q.y, p.z - q.z}; }
static wvec between(wvec p, wvec q, wide t) { return (wvec){p.x + t * (q.x - p.x), p.y + t * (q.y - p.y), p.z + t * (q.z - p.z)}; }
static wide length(wvec p) { return sqrtl(dot(p, p)); }

/* The vector from the closest point of an ellipsoid; zero inside. x = q + t n / (half x half): Newton's method for t is monotonic from 0. */
static wvec away_from_ellipsoid(const round_body *b, wvec p) {
    const wide x[3] = {p.x, p.y, p.z};
    wide t = 0.0L, out[3];
    for (int round = 0; round < 200; round++) {
        wide sum = -1.0L, slope = 0.0L;
        for (int i = 0; i < 3; i++) {
            wide below = b->half[i] * b->half[i] + t, q = b->half[i] * x[i] / below;
            sum += q * q;
            slope += 2.0L * q * q / below;
        }
        if (!(sum > 0.0L) || sum / slope <= 1e-19L * t) {
            break;
        }
        t += sum / slope;
    }
    for (int i = 0; i < 3; i++) {
        out[i] = t * x[i] / (b->half[i] * b->half[i] + t);
    }
    return (wvec){out[0], out[1], out[2]};
}

/* The vector from the closest point of a segment in the plane of the axis; the shorter one of this and `least`. */
static void offer_side(wide rho, wide z, const wide from[2], const wide to[2], wide least[2]) {
    wide u = to[0] - from[0], v = to[1] - from[1], square = u * u + v * v;
    wide t = square > 0.0L ? ((rho - from[0]) * u + (z - from[1]) * v) / square : 0.0L;
    t = t < 0.0L ? 0.0L : t > 1.0L ? 1.0L : t;
    wide a = rho - from[0] - t * u, c = z - from[1] - t * v;
    if (a * a + c * c < least[0] * least[0] + least[1] * least[1]) {
        least[0] = a;
        least[1] = c;
    }
}

/* The same for a body of revolution; *inside tells on which side the point is. */
static wvec away_from_revolved(const round_body *b, wvec p, bool *inside) {
    wide rho = hypotl(p.x, p.y), least[2] = {1e300L, 0.0L};
    const wide low[2] = {b->radius[0], b->end[0]}, high[2] = {b->radius[1], b->end[1]}, axis[2][2] = {{0.0L, b->end[0]}, {0.0L, b->end[1]}};
    offer_side(rho, p.z, axis[0], low, least);
    offer_side(rho, p.z, axis[1], high, least);
    offer_side(rho, p.z, low, high, least);
    wide beyond = (rho - low[0]) * (high[1] - low[1]) - (p.z - low[1]) * (high[0] - low[0]);
    *inside = p.z >= b->end[0] && p.z <= b->end[1] && beyond <= 0.0L;
    wide part = rho > 0.0L ? least[0] / rho : 0.0L;
    return (wvec){part * p.x, part * p.y, least[1]};
}

static wvec away(const round_body *b, wvec p) {
    bool inside = false;
    wvec out = b->ellipsoid ? away_from_ellipsoid(b, p) : away_from_revolved(b, p, &inside);
    return inside ? (wvec){0.0L, 0.0L, 0.0L} : out;
}

/* ---- a triangle ---- */

#define GOLDEN 0.61803398874989484820458683436563812L

typedef struct search {
    const round_body *body;
    wvec corner[3];
    int rounds;
    wvec at;
} search;

static wide distance_at(search *s, wide u, wide v) {
    s->at = between(s->corner[0], between(s->corner[1], s->corner[2], v), u);
    return length(away(s->body, s->at));
}

/* The least of a convex function of one number in [0, 1]. */
static wide least_over(search *s, wide (*of)(search *s, wide t, wide u), wide u) {
    wide from = 0.0L, to = 1.0L, p = 1.0L - GOLDEN, q = GOLDEN, at_p = of(s, p, u), at_q = of(s, q, u);
    for (int i = 0; i < s->rounds; i++) {
        if (at_p <= at_q) {
            to = q;
            q = p;
            at_q = at_p;
            p = to - GOLDEN * (to - from);
            at_p = of(s, p, u);
        } else {
            from = p;
            p = q;
            at_p = at_q;
            q = from + GOLDEN * (to - from);
            at_q = of(s, q, u);
        }
    }
    wide first = of(s, 0.0L, u), last = of(s, 1.0L, u), inner = at_p <= at_q ? at_p : at_q;
    wide best = first <= inner ? 0.0L : at_p <= at_q ? p : q;
    best = last < inner && last < first ? 1.0L : best;
    return of(s, best, u);
}

static wide across_at(search *s, wide v, wide u) { return distance_at(s, u, v); }

static wide along_at(search *s, wide u, wide unused) {
    (void)unused;
    return least_over(s, across_at, u);
}

typedef struct nearest {
    wide distance;
    wvec on_mesh, on_body; /* body's frame */
} nearest;

/* A bound of the distance of a triangle from below, by the plane at the body's point closest to its middle. */
static wide bound_of(const round_body *b, const wvec corner[3]) {
    wvec middle = between(corner[0], between(corner[1], corner[2], 0.5L), 2.0L / 3.0L), out = away(b, middle), on = minus(middle, out);
    wide far = length(out), least = INFINITY, reach = 0.0L;
    for (int i = 0; i < 3; i++) {
        wide height = far > 0.0L ? dot(out, minus(corner[i], on)) / far : 0.0L, radius = length(minus(corner[i], middle));
        least = height < least ? height : least;
        reach = radius > reach ? radius : reach;
    }
    return least > far - reach ? least : far - reach;
}

/* The mesh in the body's frame. */
static wvec *see_from_body(const round_apart *of) {
    const judged_body *m = &of->pair.mesh;
    wvec *seen = check_memory((size_t)m->vertex_count, sizeof *seen);
    abut_quat back = abut_quat_conjugate(of->pair.pose[1].rotation);
    for (int32_t v = 0; v < m->vertex_count; v++) {
        qvec p = qvec_rotate(back, qvec_sub(m->place[v], qvec_of(of->pair.pose[1].position)));
        seen[v] = (wvec){(wide)p.x, (wide)p.y, (wide)p.z};
    }
    return seen;
}

static nearest find_nearest(const round_apart *of, int rounds) {
    const judged_body *m = &of->pair.mesh;
    wvec *seen = see_from_body(of);
    wide *bound = check_memory((size_t)m->triangle_count, sizeof *bound);
    nearest best = {.distance = INFINITY};
    for (int32_t t = 0; t < m->triangle_count; t++) {
        const int32_t *c = m->triangle[t];
        const wvec corner[3] = {seen[c[0]], seen[c[1]], seen[c[2]]};
        bound[t] = bound_of(&of->body, corner);
    }
    for (int32_t asked = 0; asked < m->triangle_count; asked++) {
        int32_t t = 0;
        for (int32_t i = 1; i < m->triangle_count; i++) {
            t = bound[i] < bound[t] ? i : t;
        }
        if (bound[t] >= best.distance) {
            break;
        }
        bound[t] = INFINITY;
        const int32_t *c = m->triangle[t];
        search s = {.body = &of->body, .corner = {seen[c[0]], seen[c[1]], seen[c[2]]}, .rounds = rounds};
        wide distance = least_over(&s, along_at, 0.0L);
        if (distance < best.distance) {
            best = (nearest){distance, s.at, minus(s.at, away(&of->body, s.at))};
        }
    }
    free(bound);
    free(seen);
    return best;
}

/* ---- bodies ---- */

static void make_body(round_apart *of, random_state *random) {
    double least = random_below(random, 4) ? 0.1 : 0.02, a = apart_length(&of->pair, random, least),
           b = apart_length(&of->pair, random, least);
    double c = apart_length(&of->pair, random, least), h = 2.0 * c;
    int kind = random_below(random, 4);
    round_body *body = &of->body;
    body->size = sqrt(a * a + b * b + 4.0 * c * c);
    if (kind == 0) {
        *body = (round_body){.radius = {a, a}, .end = {-c, c}, .size = body->size};
        assert_ok(abut_shape_create_cylinder(a, c, &of->pair.shape[1]));
    } else if (kind == 1) {
        *body = (round_body){.radius = {a, 0.0L}, .end = {-0.25L * h, 0.75L * h}, .size = body->size};
        assert_ok(abut_shape_create_cone(a, h, &of->pair.shape[1]));
    } else if (kind == 2) {
        wide p = a, q = b, low = -h * (p * p + 2.0L * p * q + 3.0L * q * q) / (4.0L * (p * p + p * q + q * q));
        *body = (round_body){.radius = {p, q}, .end = {low, low + h}, .size = body->size};
        assert_ok(abut_shape_create_frustum(a, b, h, &of->pair.shape[1]));
    } else {
        *body = (round_body){.ellipsoid = true, .half = {a, b, c}, .size = body->size};
        assert_ok(abut_shape_create_ellipsoid(abut_vec3_make(a, b, c), &of->pair.shape[1]));
    }
}

/* How far a point is off the surface. Inside an ellipsoid, a bound of it. */
static double off_body(const apart *pair, abut_vec3 point) {
    const round_apart *of = pair->body;
    const round_body *b = &of->body;
    qvec q = qvec_rotate(abut_quat_conjugate(pair->pose[1].rotation), qvec_sub(qvec_of(point), qvec_of(pair->pose[1].position)));
    wvec p = {(wide)q.x, (wide)q.y, (wide)q.z};
    if (!b->ellipsoid) {
        bool inside;
        return (double)length(away_from_revolved(b, p, &inside));
    }
    wide out = length(away_from_ellipsoid(b, p)), part = length((wvec){p.x / b->half[0], p.y / b->half[1], p.z / b->half[2]});
    return part < 1.0L ? (double)((1.0L - part) * length(p)) : (double)out;
}

/* A point of the body, roughly. */
static abut_vec3 any_point(const round_apart *of, random_state *random) {
    const round_body *b = &of->body;
    abut_vec3 d = random_direction(random), p;
    if (b->ellipsoid) {
        p = abut_vec3_make((double)b->half[0] * d.x, (double)b->half[1] * d.y, (double)b->half[2] * d.z);
    } else {
        int end = random_below(random, 2);
        double across = sqrt(d.x * d.x + d.y * d.y) + 1e-9, r = (double)b->radius[end] / across;
        r *= random_below(random, 3) ? 1.0 : 0.5;
        p = abut_vec3_make(r * d.x, r * d.y, (double)b->end[end]);
    }
    return abut_quat_rotate(of->pair.pose[1].rotation, p);
}

/* ---- places ---- */

enum { ROUGH = 20, GOOD = 50, FINE = 62 };

/* The same as for bodies with flat faces, in test_mesh_apart.c. */
static bool bring_near(round_apart *of, random_state *random, double wanted, nearest *found) {
    apart *pair = &of->pair;
    abut_vec3 way = apart_way_to(pair, random), on_mesh = apart_any_of(&pair->mesh, random), aim = abut_sub(on_mesh, any_point(of, random));
    double at = 4.0 * pair->scale, near = fmax(wanted, 0.01 * pair->scale), g = INFINITY;
    for (int i = 0; i < 30 && g > near; i++) {
        pair->pose[1].position = abut_add_scaled(aim, at, way);
        *found = find_nearest(of, ROUGH);
        g = (double)found->distance;
        at -= g > near ? fmax(0.95 * g - 0.3 * near, 0.3 * near) : 0.0;
    }
    if (!(g > 1e-6 * pair->scale && g <= near)) {
        return false;
    }
    if (g > wanted) {
        *found = find_nearest(of, GOOD);
        wvec in = minus(found->on_mesh, found->on_body);
        wide part = (found->distance - (wide)wanted) / length(in);
        abut_vec3 move = abut_vec3_make((double)(part * in.x), (double)(part * in.y), (double)(part * in.z));
        pair->pose[1].position = abut_add(pair->pose[1].position, abut_quat_rotate(pair->pose[1].rotation, move));
    }
    *found = find_nearest(of, FINE);
    return found->distance > 0.0L;
}

static judged_gap gap_of(const round_apart *of, const nearest *found) {
    const wvec *p = &found->on_mesh, *q = &found->on_body;
    abut_pose pose = of->pair.pose[1];
    qvec at = qvec_of(pose.position);
    return (judged_gap){(quad)found->distance, qvec_add(at, qvec_rotate(pose.rotation, (qvec){p->x, p->y, p->z})),
                        qvec_add(at, qvec_rotate(pose.rotation, (qvec){q->x, q->y, q->z}))};
}

static void sample(accuracy *row, uint64_t seed) {
    random_state random = random_make(seed);
    round_apart of = {.body = {.size = 0.0}};
    nearest found = {.distance = 0.0L};
    apart *pair = &of.pair;
    apart_make_mesh(pair, &random);
    make_body(&of, &random);
    pair->off_body = off_body;
    pair->body = &of;
    pair->at_place = 1e-8;
    pair->off_most = 1e-12;
    pair->pose[1] = (abut_pose){{0, 0, 0}, apart_turn_nearly(&random, pair->pose[0].rotation)};
    double size = 2.0 * (pair->mesh.size + of.body.size);
    pair->scale = size;
    bool near = bring_near(&of, &random, size * random_log_range(&random, 1e-12, 0.1), &found);
    pair->scale = size + abut_length(pair->pose[0].position);
    if (near) {
        double exact = (double)found.distance;
        judged_gap gap = gap_of(&of, &found);
        bool sided = !pair->closed && !pair->two_sided; /* the place is too uncertain to tell which side a near body is on */
        bool must = !sided || (exact > 1e-5 * size && apart_is_in_front(pair, &gap));
        accuracy_next(row, seed);
        apart_judge(row, pair, exact, must, apart_pick_margin(pair, &random, exact), random_below(&random, 2));
    }
    abut_shape_release(pair->shape[0]);
    abut_shape_release(pair->shape[1]);
    judged_body_free(&pair->mesh);
}

static void with_margin(void **state) {
    (void)state;
    accuracy *row = accuracy_begin("cylinders, cones and ellipsoids apart from meshes, with a margin",
                                   "nested golden sections of the distance; 64 bits", "|gap - distance| / (distance + 1e-6 sizes)", 1e-8);
    static const uint64_t held[] = {UINT64_C(391600000055), UINT64_C(391600000132), UINT64_C(391600000162), UINT64_C(391600000176),
                                    UINT64_C(391600026398), UINT64_C(391600030465), UINT64_C(391600053351), UINT64_C(391600059246),
                                    UINT64_C(391600080085), UINT64_C(391600081721), UINT64_C(391600089525)}; /* once wrong */
    for (size_t i = 0; i < sizeof held / sizeof *held; i++) {
        sample(row, held[i]);
    }
    int32_t samples = accuracy_samples(103000);
    uint64_t seed = random_seed("mesh_apart_round", UINT64_C(391600000000));
    for (int32_t i = 0; i < samples; i++) {
        sample(row, seed + (uint64_t)i);
    }
    accuracy_end(row);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(with_margin)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
