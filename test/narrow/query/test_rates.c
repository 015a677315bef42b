/*
 * Derivatives of contacts: the acceptance cases B1 to B3 of curved bodies, closed forms, and all pairs of features against finite
 * differences of the true gap, which is computed anew at each time in higher precision.
 */
#include <abut/rates.h>

#include <stdlib.h>

#include "support/check.h"
#include "support/random.h"

typedef long double real;

/* ---- an oracle in higher precision ---- */

typedef struct vec {
    real x, y, z;
} vec;

static vec make(real x, real y, real z) { return (vec){x, y, z}; }
static vec of(abut_vec3 v) { return (vec){v.x, v.y, v.z}; }
static vec plus(vec p, vec q) { return (vec){p.x + q.x, p.y + q.y, p.z + q.z}; }
static vec scaled(real s, vec p) { return (vec){s * p.x, s * p.y, s * p.z}; }
static vec less(vec p, vec q) { return plus(p, scaled(-1, q)); }
static real inner(vec p, vec q) { return p.x * q.x + p.y * q.y + p.z * q.z; }
static vec across(vec p, vec q) { return (vec){p.y * q.z - p.z * q.y, p.z * q.x - p.x * q.z, p.x * q.y - p.y * q.x}; }
static real norm(vec p) { return sqrtl(inner(p, p)); }
static vec unit(vec p) { return scaled(1 / norm(p), p); }

/* Rotated by a rotation vector. */
static vec turned(vec rotation, vec p) {
    real angle = norm(rotation);
    if (angle == 0) {
        return p;
    }
    vec axis = scaled(1 / angle, rotation);
    return plus(plus(scaled(cosl(angle), p), scaled(sinl(angle), across(axis, p))), scaled((1 - cosl(angle)) * inner(axis, p), axis));
}

typedef enum kind { FACE, EDGE, VERTEX, ELLIPSOID } kind;

/* A feature of a body at time 0. For an ellipsoid the axes are its frame; for a face axis[2] is the outward normal; for an edge axis[0] is
 * its direction. */
typedef struct body {
    kind kind;
    vec point, axis[3];
    real half[3];
    abut_kinematics motion;
} body;

/* The body at a time. Its velocities and accelerations at time 0 are those of its motion. */
static body at_time(const body *b, real t) {
    body moved = *b;
    vec w = plus(scaled(t, of(b->motion.velocity.angular)), scaled(t * t / 2, of(b->motion.acceleration.angular)));
    vec centre = of(b->motion.centre);
    vec way = plus(scaled(t, of(b->motion.velocity.linear)), scaled(t * t / 2, of(b->motion.acceleration.linear)));
    moved.point = plus(plus(centre, way), turned(w, less(b->point, centre)));
    for (int i = 0; i < 3; i++) {
        moved.axis[i] = turned(w, b->axis[i]);
    }
    return moved;
}

/* The point of the feature with the outward normal m; any of them if there are several. */
static vec support(const body *b, vec m) {
    if (b->kind != ELLIPSOID) {
        return b->point;
    }
    real q = 0, c[3];
    for (int i = 0; i < 3; i++) {
        c[i] = b->half[i] * inner(b->axis[i], m);
        q += c[i] * c[i];
    }
    vec p = b->point;
    for (int i = 0; i < 3; i++) {
        p = plus(p, scaled(b->half[i] * c[i] / sqrtl(q), b->axis[i]));
    }
    return p;
}

typedef struct pair_at {
    vec normal, on_a, on_b;
    real gap;
} pair_at;

/* Directions in which the normal may turn. */
static int freedoms(const body *a, const body *b, vec n, vec free[2]) {
    if (a->kind == FACE || b->kind == FACE || (a->kind == EDGE && b->kind == EDGE)) {
        return 0;
    }
    if (a->kind == EDGE || b->kind == EDGE) {
        vec u = a->kind == EDGE ? a->axis[0] : b->axis[0];
        free[0] = unit(across(u, n));
        return 1;
    }
    vec start = fabsl(n.x) < 0.6L ? make(1, 0, 0) : make(0, 1, 0);
    free[0] = unit(across(n, start));
    free[1] = across(n, free[0]);
    return 2;
}

/* The normal as far as faces and edges fix it. */
static vec allowed(const body *a, const body *b, vec n) {
    if (a->kind == FACE) {
        return scaled(-1, a->axis[2]);
    }
    if (b->kind == FACE) {
        return b->axis[2];
    }
    if (a->kind == EDGE && b->kind == EDGE) {
        vec square = unit(across(a->axis[0], b->axis[0]));
        return inner(square, n) < 0 ? scaled(-1, square) : square;
    }
    for (int i = 0; i < 2; i++) {
        const body *one = i == 0 ? a : b;
        n = one->kind == EDGE ? less(n, scaled(inner(n, one->axis[0]), one->axis[0])) : n;
    }
    return unit(n);
}

static void slope_of(const body *a, const body *b, vec n, const vec *free, int count, real *slope) {
    vec apart = less(support(a, scaled(-1, n)), support(b, n));
    for (int i = 0; i < count; i++) {
        slope[i] = inner(free[i], apart);
    }
}

/* The stationary pair near a normal: Newton's method on the tangential part of the difference. */
static pair_at stationary(const body *a, const body *b, vec start) {
    vec n = allowed(a, b, start);
    for (int step = 0; step < 60; step++) {
        vec free[2];
        real slope[2] = {0, 0}, other[2], j[2][2] = {{1, 0}, {0, 1}}, h = 1e-7L;
        int count = freedoms(a, b, n, free);
        slope_of(a, b, n, free, count, slope);
        for (int i = 0; i < count; i++) {
            real before[2];
            slope_of(a, b, unit(plus(n, scaled(h, free[i]))), free, count, other);
            slope_of(a, b, unit(less(n, scaled(h, free[i]))), free, count, before);
            for (int k = 0; k < count; k++) {
                j[k][i] = (other[k] - before[k]) / (2 * h);
            }
            /* the frame turns with the normal: its part along the difference */
            vec apart = less(support(a, scaled(-1, n)), support(b, n));
            j[i][i] -= inner(n, apart);
        }
        real det = j[0][0] * j[1][1] - j[0][1] * j[1][0];
        real s0 = -(j[1][1] * slope[0] - j[0][1] * slope[1]) / det, s1 = -(j[0][0] * slope[1] - j[1][0] * slope[0]) / det;
        n = count > 0 ? allowed(a, b, plus(n, plus(scaled(s0, free[0]), count > 1 ? scaled(s1, free[1]) : make(0, 0, 0)))) : n;
        if (count == 0 || fabsl(s0) + fabsl(s1) < 1e-18L) {
            break;
        }
    }
    pair_at found = {.normal = n, .on_a = support(a, scaled(-1, n)), .on_b = support(b, n)};
    found.gap = inner(n, less(found.on_a, found.on_b));
    /* for a face or an edge, the opposite point */
    vec apart = less(less(found.on_a, found.on_b), scaled(found.gap, n));
    if (a->kind == EDGE && b->kind == EDGE) {
        vec u = a->axis[0], v = b->axis[0], c = across(u, v);
        real square = inner(c, c);
        found.on_a = less(found.on_a, scaled(inner(across(apart, v), c) / square, u));
        found.on_b = plus(found.on_a, scaled(-found.gap, n));
    } else if (a->kind == FACE || a->kind == EDGE) {
        found.on_a = less(found.on_a, apart);
    } else {
        found.on_b = plus(found.on_b, apart);
    }
    return found;
}

/* ---- the same as contact and curvatures ---- */

static abut_vec3 rounded(vec p) { return abut_vec3_make((double)p.x, (double)p.y, (double)p.z); }

static abut_curvature curvature_of(const body *b, vec outward) {
    abut_curvature c = {.feature.kind = ABUT_FEATURE_SMOOTH, .normal = rounded(outward)};
    abut_tangent_frame(c.normal, &c.direction[0], &c.direction[1]);
    if (b->kind == EDGE) {
        c.direction[0] = rounded(b->axis[0]);
        c.direction[1] = abut_cross(c.normal, c.direction[0]);
        c.curvature[1] = INFINITY;
    } else if (b->kind == VERTEX) {
        c.curvature[0] = c.curvature[1] = INFINITY;
    } else if (b->kind == ELLIPSOID) { /* the second derivatives of its function, in the tangent plane */
        vec slope = make(0, 0, 0), p = less(support(b, outward), b->point), t[2] = {of(c.direction[0]), of(c.direction[1])};
        real h[2][2] = {{0, 0}, {0, 0}};
        for (int i = 0; i < 3; i++) {
            real weight = 1 / (b->half[i] * b->half[i]);
            slope = plus(slope, scaled(weight * inner(b->axis[i], p), b->axis[i]));
            for (int k = 0; k < 4; k++) {
                h[k / 2][k % 2] += weight * inner(b->axis[i], t[k / 2]) * inner(b->axis[i], t[k % 2]);
            }
        }
        real size = norm(slope), middle = (h[0][0] + h[1][1]) / 2 / size, half = (h[0][0] - h[1][1]) / 2 / size, off = h[0][1] / size;
        real angle = atan2l(off, half) / 2, reach = sqrtl(half * half + off * off);
        vec first = plus(scaled(-sinl(angle), t[0]), scaled(cosl(angle), t[1]));
        c.direction[0] = rounded(first);
        c.direction[1] = rounded(across(outward, first));
        c.curvature[0] = (double)(middle - reach);
        c.curvature[1] = (double)(middle + reach);
    }
    return c;
}

static abut_contact contact_of(const pair_at *p) {
    return (abut_contact){.on_a = rounded(p->on_a), .on_b = rounded(p->on_b), .normal = rounded(p->normal), .gap = (double)p->gap};
}

/* First and second difference with second-order errors removed. */
static real first_of(real before, real after, real before_half, real after_half, real h) {
    return (4 * (after_half - before_half) / h - (after - before) / (2 * h)) / 3;
}

/* h: time step, much shorter than the time scale of the motion */
static void check_against_differences(const body *a, const body *b, vec normal, real h, double tolerance) {
    pair_at now = stationary(a, b, normal), then[4];
    const real time[4] = {-h, -h / 2, h / 2, h};
    for (int i = 0; i < 4; i++) {
        body moved_a = at_time(a, time[i]), moved_b = at_time(b, time[i]);
        then[i] = stationary(&moved_a, &moved_b, now.normal);
    }
    abut_contact contact = contact_of(&now);
    abut_curvature of_a = curvature_of(a, scaled(-1, now.normal)), of_b = curvature_of(b, now.normal);
    abut_rates rates;
    assert_ok(abut_contact_rates(&contact, &of_a, &of_b, &a->motion, &b->motion, &rates));
    real second = (16 * (then[1].gap + then[2].gap - 2 * now.gap) - (then[0].gap + then[3].gap - 2 * now.gap)) / (3 * h * h);
    assert_near(rates.gap_rate, (double)first_of(then[0].gap, then[3].gap, then[1].gap, then[2].gap, h), tolerance);
    double size = 1.0 + fabs((double)second);
    assert_near(rates.gap_acceleration, (double)second, tolerance * size);
    for (int i = 0; i < 9; i++) {
        real v[4];
        for (int k = 0; k < 4; k++) {
            const vec *p = i < 3 ? &then[k].normal : i < 6 ? &then[k].on_a : &then[k].on_b;
            v[k] = i % 3 == 0 ? p->x : i % 3 == 1 ? p->y : p->z;
        }
        const abut_vec3 *r = i < 3 ? &rates.normal_rate : i < 6 ? &rates.on_a_rate : &rates.on_b_rate;
        double got = i % 3 == 0 ? r->x : i % 3 == 1 ? r->y : r->z, wanted = (double)first_of(v[0], v[3], v[1], v[2], h);
        assert_near(got, wanted, 10.0 * tolerance * (1.0 + fabs(wanted)));
    }
}

/* ---- cases ---- */

static vec random_vec(random_state *random, real size) { return scaled(size, of(random_vec3(random, -1.0, 1.0))); }

static abut_kinematics random_motion(random_state *random, vec near) {
    abut_kinematics m = {.centre = rounded(plus(near, random_vec(random, 0.8L)))};
    m.velocity.linear = random_vec3(random, -1.0, 1.0);
    m.velocity.angular = random_vec3(random, -1.0, 1.0);
    m.acceleration.linear = random_vec3(random, -3.0, 3.0);
    m.acceleration.angular = random_vec3(random, -1.0, 1.0);
    return m;
}

static void random_frame(random_state *random, vec axis[3]) {
    axis[0] = unit(random_vec(random, 1));
    axis[1] = unit(across(axis[0], random_vec(random, 1)));
    axis[2] = across(axis[0], axis[1]);
}

/* A feature at the origin with the outward normal m. */
static body random_body(random_state *random, kind kind, vec m) {
    body b = {.kind = kind};
    random_frame(random, b.axis);
    for (int i = 0; i < 3; i++) {
        b.half[i] = random_range(random, 0.5, 1.5);
    }
    if (kind == FACE) {
        b.axis[2] = m;
    } else if (kind == EDGE) {
        b.axis[0] = unit(across(m, b.axis[0]));
    }
    b.point = make(0, 0, 0);
    b.point = scaled(-1, support(&b, m));
    b.motion = random_motion(random, b.point);
    return b;
}

static void shift(body *b, vec way) {
    b->point = plus(b->point, way);
    b->motion.centre = rounded(plus(of(b->motion.centre), way));
}

/* Vertex, edge, face and ellipsoid in all pairs, touching, apart and overlapping, wherever a normal and a gap exist. */
static void all_pairs_of_features(void **state) {
    (void)state;
    random_state random = random_make(random_seed("all_pairs_of_features", 501));
    int32_t n = random_samples("all_pairs_of_features", 200);
    for (int pair = 0; pair < 16; pair++) {
        kind a = (kind)(pair / 4), b = (kind)(pair % 4);
        bool flat = (a == FACE && b != VERTEX && b != ELLIPSOID) || (b == FACE && a != VERTEX && a != ELLIPSOID);
        bool sharp = a != FACE && a != ELLIPSOID && b != FACE && b != ELLIPSOID && !(a == EDGE && b == EDGE);
        for (int32_t sample = 0; sample < n && !flat; sample++) {
            vec normal = unit(random_vec(&random, 1));
            const real gaps[4] = {0, 0.3L, 0.02L, -0.05L};
            real gap = sharp ? gaps[1 + sample % 2] : gaps[sample % 4];
            body of_a = random_body(&random, a, scaled(-1, normal)), of_b = random_body(&random, b, normal);
            if (a == EDGE && b == EDGE && norm(across(of_a.axis[0], of_b.axis[0])) < 0.2L) {
                continue;
            }
            shift(&of_a, scaled(gap, normal));
            check_against_differences(&of_a, &of_b, normal, sharp && gap < 0.1L ? 1e-4L : 5e-4L, sharp ? 1e-6 : 1e-8);
        }
    }
}

/* Swapping A and B changes only the sign of the normal. */
static void exchanged(void **state) {
    (void)state;
    random_state random = random_make(random_seed("exchanged", 502));
    for (int sample = 0; sample < 400; sample++) {
        kind ka = (kind)(sample % 4), kb = (kind)(sample / 4 % 4);
        vec normal = unit(random_vec(&random, 1));
        body a = random_body(&random, ka, scaled(-1, normal)), b = random_body(&random, kb, normal);
        bool flat = (ka == FACE && kb <= EDGE) || (kb == FACE && ka <= EDGE);
        if (flat || (ka == EDGE && kb == EDGE && norm(across(a.axis[0], b.axis[0])) < 0.2L)) {
            continue;
        }
        shift(&a, scaled(0.1L, normal));
        pair_at p = stationary(&a, &b, normal);
        abut_contact c = contact_of(&p), d = abut_contact_swap(c);
        abut_curvature of_a = curvature_of(&a, scaled(-1, p.normal)), of_b = curvature_of(&b, p.normal);
        abut_rates one, other;
        assert_ok(abut_contact_rates(&c, &of_a, &of_b, &a.motion, &b.motion, &one));
        assert_ok(abut_contact_rates(&d, &of_b, &of_a, &b.motion, &a.motion, &other));
        double size = 1.0 + fabs(one.gap_acceleration);
        assert_near(one.gap_rate, other.gap_rate, 1e-12);
        assert_near(one.gap_acceleration, other.gap_acceleration, 1e-11 * size);
        assert_vec3_near(one.normal_rate, abut_neg(other.normal_rate), 1e-10 * size);
        assert_vec3_near(one.on_a_rate, other.on_b_rate, 1e-10 * size);
        assert_vec3_near(one.on_b_rate, other.on_a_rate, 1e-10 * size);
    }
}

/* ---- B1 ---- */

static body ellipsoid_at(vec point, vec half, vec x, vec y, vec z) {
    return (body){.kind = ELLIPSOID, .point = point, .axis = {x, y, z}, .half = {half.x, half.y, half.z}};
}

static void printed_case(double gap, double second, abut_vec3 on_a_rate, bool all) {
    const real turn = 3.14159265358979323846L, z = turn / 6, x = 2 * turn / 9;
    vec n = unit(make(1, 2, 3));
    vec axis[3];
    for (int i = 0; i < 3; i++) {
        vec e = make(i == 0, i == 1, i == 2);
        axis[i] = turned(make(0, 0, z), turned(make(x, 0, 0), e));
    }
    body a = ellipsoid_at(make(0, 0, 0), make(1.2L, 0.7L, 0.5L), axis[0], axis[1], axis[2]);
    body b = ellipsoid_at(make(0, 0, 0), make(0.9L, 1.4L, 0.6L), make(1, 0, 0), make(0, 1, 0), make(0, 0, 1));
    vec on_b = support(&b, n), to_a = support(&a, scaled(-1, n));
    a.point = less(plus(on_b, scaled(gap, n)), to_a);
    a.motion = (abut_kinematics){rounded(a.point), {{0.3, -0.2, 0.1}, {0.5, -0.4, 0.7}}, {{0.1, 0.2, -9.81}, {-0.3, 0.6, 0.2}}};
    b.motion = (abut_kinematics){{0, 0, 0}, {{-0.1, 0.05, 0.2}, {0.2, 0.3, -0.6}}, {{0, 0, 0}, {0.1, -0.2, 0.3}}};
    pair_at p = stationary(&a, &b, n);
    abut_contact c = contact_of(&p);
    abut_curvature of_a = curvature_of(&a, scaled(-1, p.normal)), of_b = curvature_of(&b, p.normal);
    abut_rates r;
    assert_ok(abut_contact_rates(&c, &of_a, &of_b, &a.motion, &b.motion, &r));
    assert_near(r.gap_acceleration, second, 1e-10);
    assert_near(r.flags, 0, 0.5);
    if (all) {
        assert_vec3_near(rounded(a.point), abut_vec3_make(0.850295405979, 1.803326020541, 0.697804902521), 1e-11);
        assert_near(of_a.curvature[0], 0.887130555, 1e-9);
        assert_near(of_a.curvature[1], 3.019413208, 1e-9);
        assert_near(of_b.curvature[0], 0.892414102, 1e-9);
        assert_near(of_b.curvature[1], 1.414156983, 1e-9);
        assert_near(r.gap_rate, -0.757510787440, 1e-11);
        assert_vec3_near(r.on_b_rate, abut_vec3_make(0.290281827649, -0.083884554711, 0.439019563705), 1e-11);
    }
    if (abut_length(on_a_rate) > 0.0) {
        assert_vec3_near(r.on_a_rate, on_a_rate, 1e-11);
    }
}

static void b1_printed_figures(void **state) {
    (void)state;
    printed_case(0.0, -7.345422673355, abut_vec3_make(0.087828553836, -0.488791102337, -0.168340257735), true);
    printed_case(0.25, -7.377017311873, abut_vec3_make(0.087516598802, -0.506104835847, -0.156693783717), false);
    printed_case(-0.05, -7.337676767506, abut_vec3_make(0, 0, 0), false);
}

/* ---- closed forms ---- */

static abut_curvature sphere(abut_vec3 normal, double radius) {
    abut_curvature c = {.curvature = {1.0 / radius, 1.0 / radius}};
    abut_tangent_frame(normal, &c.direction[0], &c.direction[1]);
    return c;
}

static abut_curvature flat(abut_vec3 normal) {
    abut_curvature c = sphere(normal, 1.0);
    c.curvature[0] = c.curvature[1] = 0.0;
    return c;
}

/* B2: a ball on a fixed ball, whatever its spin: the gap's acceleration is its own and u^2 / (R + r). */
static void b2_ball_on_ball(void **state) {
    (void)state;
    const double r = 0.3, big = 1.2, u = 1.7;
    abut_vec3 up = {0, 0, 1};
    abut_contact c = {.on_a = {0, 0, big}, .on_b = {0, 0, big}, .normal = up};
    abut_curvature a = sphere(up, r), b = sphere(up, big);
    for (int spin = 0; spin < 5; spin++) {
        abut_kinematics m = {
            .centre = {0, 0, big + r}, .velocity = {{u, 0, 0}, {0.7 * spin, -2.0 * spin, 0.3}}, .acceleration.linear = {0, 0, -9.81}};
        abut_rates rates;
        assert_ok(abut_contact_rates(&c, &a, &b, &m, NULL, &rates));
        assert_near(rates.gap_rate, 0.0, 1e-15);
        assert_near(rates.gap_acceleration, -9.81 + u * u / (big + r), 1e-12);
        assert_near(-rates.gap_acceleration, 7.883333333, 1e-9);
        assert_near(rates.bias, u * u / (big + r), 1e-12);
        assert_vec3_near(rates.on_b_rate, abut_vec3_make(u * big / (big + r), 0, 0), 1e-12);
    }
}

/* B3: an ellipsoid (2, 1, 0.5) upright on a plane, rotating about y: 0.5 from its material acceleration minus 8 from its curvature. */
static void b3_ellipsoid_on_plane(void **state) {
    (void)state;
    abut_vec3 up = {0, 0, 1};
    abut_contact c = {.normal = up};
    abut_curvature a = {.direction = {{1, 0, 0}, {0, 1, 0}}, .curvature = {0.5 / 4.0, 0.5}}, b = flat(up);
    abut_kinematics m = {.centre = {0, 0, 0.5}, .velocity.angular = {0, 1, 0}};
    abut_rates rates;
    assert_ok(abut_contact_rates(&c, &a, &b, &m, NULL, &rates));
    assert_near(rates.gap_acceleration, -7.5, 1e-12);
    m.velocity.angular = abut_vec3_make(1, 0, 0);
    assert_ok(abut_contact_rates(&c, &a, &b, &m, NULL, &rates));
    assert_near(rates.gap_acceleration, 0.5 - 2.0, 1e-12);
}

/* Crossed cylinders have a unique contact; parallel ones and faces do not. A ball in a cup of its own radius has none either; in a larger
 * cup it has one; in a smaller one it is not a minimum. */
static void conforming_and_not_least(void **state) {
    (void)state;
    abut_vec3 up = {0, 0, 1};
    abut_contact c = {.normal = up};
    abut_curvature along_x = {.direction = {{1, 0, 0}, {0, 1, 0}}, .curvature = {0.0, 2.0}};
    abut_curvature along_y = {.direction = {{0, 1, 0}, {-1, 0, 0}}, .curvature = {0.0, 2.0}};
    abut_kinematics m = {.centre = {0, 0, 0.5}, .velocity = {{0.3, 0.2, 0}, {0.1, 0.4, 0}}};
    abut_rates r;
    assert_ok(abut_contact_rates(&c, &along_x, &along_y, &m, NULL, &r));
    assert_int_equal(r.flags, 0);
    assert_ok(abut_contact_rates(&c, &along_x, &along_x, &m, NULL, &r));
    assert_int_equal(r.flags, ABUT_RATES_CONFORMING);
    abut_curvature face = flat(up), ball = sphere(up, 0.5), cup = sphere(up, -0.5), wide = sphere(up, -0.6), narrow = sphere(up, -0.4);
    assert_ok(abut_contact_rates(&c, &face, &face, &m, NULL, &r));
    assert_int_equal(r.flags, ABUT_RATES_CONFORMING);
    assert_ok(abut_contact_rates(&c, &ball, &cup, &m, NULL, &r));
    assert_int_equal(r.flags, ABUT_RATES_CONFORMING);
    assert_ok(abut_contact_rates(&c, &ball, &wide, &m, NULL, &r));
    assert_int_equal(r.flags, 0);
    assert_ok(abut_contact_rates(&c, &ball, &narrow, &m, NULL, &r));
    assert_int_equal(r.flags, ABUT_RATES_NOT_LEAST);
    abut_curvature vertex = flat(up), edge = along_x;
    vertex.curvature[0] = vertex.curvature[1] = edge.curvature[1] = INFINITY;
    const abut_curvature *sharp[2] = {&vertex, &edge};
    for (int i = 0; i < 4; i++) {
        assert_ok(abut_contact_rates(&c, sharp[i / 2], sharp[i % 2], &m, NULL, &r));
        assert_int_equal(r.flags, ABUT_RATES_NORMAL_HELD);
        assert_near(r.gap_acceleration, -0.5 * (0.1 * 0.1 + 0.4 * 0.4) * -1.0, 1e-12);
    }
    assert_ok(abut_contact_rates(&c, &edge, &face, &m, NULL, &r));
    assert_int_equal(r.flags, ABUT_RATES_CONFORMING);
}

static double coordinate(abut_vec3 v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

/* The sum of derivatives times the coordinates of both motions. */
static abut_vec3 sum_of(const abut_vec3 derivative[12], const abut_motion *a, const abut_motion *b) {
    abut_vec3 sum = {0, 0, 0};
    const abut_vec3 parts[4] = {a->linear, a->angular, b->linear, b->angular};
    for (int k = 0; k < 12; k++) {
        sum = abut_add_scaled(sum, coordinate(parts[k / 3], k % 3), derivative[k]);
    }
    return sum;
}

static void assert_close(abut_vec3 got, abut_vec3 expected, double size) {
    assert_near(got.x, expected.x, 1e-12 * size);
    assert_near(got.y, expected.y, 1e-12 * size);
    assert_near(got.z, expected.z, 1e-12 * size);
}

static abut_vec3 random_vector(random_state *random) {
    double x = random_range(random, -1, 1), y = random_range(random, -1, 1);
    return abut_vec3_make(x, y, random_range(random, -1, 1));
}

/* Rates are linear in the velocities, and the derivatives are their coefficients. Balls and faces, apart and overlapping. */
static void derivatives_add_up_to_rates(void **state) {
    (void)state;
    random_state random = random_make(random_seed("derivatives", 12));
    int32_t samples = random_samples("derivatives", 20000);
    for (int32_t i = 0; i < samples; i++) {
        abut_vec3 normal = abut_unit(random_vector(&random));
        double gap = random_range(&random, -0.2, 0.5);
        abut_contact contact = {.normal = normal, .gap = gap, .on_b = random_vector(&random)};
        contact.on_a = abut_add_scaled(contact.on_b, gap, normal);
        abut_curvature a = sphere(normal, random_range(&random, 0.3, 2)),
                       b = i % 3 == 0 ? flat(normal) : sphere(normal, random_range(&random, 0.3, 2));
        abut_kinematics of_a = {.centre = random_vector(&random), .velocity = {random_vector(&random), random_vector(&random)}};
        abut_kinematics of_b = {.centre = random_vector(&random), .velocity = {random_vector(&random), random_vector(&random)}};
        abut_rates rates;
        abut_contact_derivatives by;
        assert_ok(abut_contact_rates(&contact, &a, &b, &of_a, &of_b, &rates));
        assert_ok(abut_contact_differentiate(&contact, &a, &b, of_a.centre, of_b.centre, &by));
        assert_int_equal(by.flags, rates.flags);
        abut_vec3 gaps[12];
        for (int k = 0; k < 12; k++) {
            gaps[k] = abut_vec3_make(by.gap[k], 0, 0);
        }
        double size = 10 + 10 / fabs(1 + gap * (b.curvature[0])) / (a.curvature[0] + 0.1);
        assert_near(sum_of(gaps, &of_a.velocity, &of_b.velocity).x, rates.gap_rate, 1e-12 * size);
        assert_close(sum_of(by.normal, &of_a.velocity, &of_b.velocity), rates.normal_rate, size);
        assert_close(sum_of(by.on_a, &of_a.velocity, &of_b.velocity), rates.on_a_rate, size);
        assert_close(sum_of(by.on_b, &of_a.velocity, &of_b.velocity), rates.on_b_rate, size);
    }
}

static void wrong_arguments(void **state) {
    (void)state;
    abut_vec3 up = {0, 0, 1};
    abut_contact c = {.normal = up}, wrong = c;
    abut_curvature a = sphere(up, 0.5), b = flat(up), tilted = sphere(abut_vec3_make(0, 1, 0), 0.5), odd = a, hollow = a;
    abut_kinematics m = {.velocity.linear = {1, 0, 0}}, endless = {.velocity.linear = {INFINITY, 0, 0}};
    abut_rates r = {.gap_rate = 7.0};
    assert_status(abut_contact_rates(NULL, &a, &b, &m, NULL, &r), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_contact_rates(&c, NULL, &b, &m, NULL, &r), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_contact_rates(&c, &a, NULL, &m, NULL, &r), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_contact_rates(&c, &a, &b, &m, NULL, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_contact_rates(&c, &tilted, &b, &m, NULL, &r), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_contact_rates(&c, &a, &b, &endless, NULL, &r), ABUT_ERROR_NOT_FINITE);
    odd.curvature[0] = NAN;
    assert_status(abut_contact_rates(&c, &odd, &b, &m, NULL, &r), ABUT_ERROR_NOT_FINITE);
    hollow.curvature[1] = -INFINITY;
    assert_status(abut_contact_rates(&c, &hollow, &b, &m, NULL, &r), ABUT_ERROR_INVALID_ARGUMENT);
    wrong.normal.z = 2.0;
    assert_status(abut_contact_rates(&wrong, &a, &b, &m, NULL, &r), ABUT_ERROR_INVALID_ARGUMENT);
    wrong = c;
    wrong.gap = -0.5; /* as deep as the ball's radius */
    assert_status(abut_contact_rates(&wrong, &b, &a, &m, NULL, &r), ABUT_ERROR_DEGENERATE);
    assert_near(r.gap_rate, 7.0, 0.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_pairs_of_features),       cmocka_unit_test(exchanged),
        cmocka_unit_test(b1_printed_figures),          cmocka_unit_test(b2_ball_on_ball),
        cmocka_unit_test(b3_ellipsoid_on_plane),       cmocka_unit_test(conforming_and_not_least),
        cmocka_unit_test(derivatives_add_up_to_rates), cmocka_unit_test(wrong_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
