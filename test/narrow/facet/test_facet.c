/*
 * Contacts of rounded triangles: the acceptance cases R1 to R10 of the corrected supplement [S14], the order of corners and of bodies,
 * dense sampling of both surfaces, and tilings of whole balls.
 */
#include "narrow/facet/facet.h"

#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/icosphere.h"
#include "support/random.h"
#include "support/threads.h"

/* ---- printed cases: balls of 1 at the origin and 2 at (0, 0, 2.8), with triangles given in the contact plane ---- */

static const double plane_at = 0.864285714285714;

/* A triangle on the sphere with that centre and radius, above or below the corners' (x, y), facing `up`. */
static abut_facet on_sphere(const double xy[3][2], double centre, double radius, double up) {
    abut_facet f = {.radius = radius};
    for (int i = 0; i < 3; ++i) {
        int k = up > 0.0 ? i : 2 - i;
        double x = xy[k][0], y = xy[k][1];
        f.corner[i] = abut_vec3_make(x, y, centre + up * sqrt(fmax(radius * radius - x * x - y * y, 0.0)));
    }
    return f;
}

/* Spheres through corners that lie on no common sphere: sides made by hand, with the required projections. */
typedef struct by_hand {
    abut_vec3 p[3], q[3];
    facet_side a, b;
} by_hand;

static void make_by_hand(by_hand *h, const double p[3][2], const double q[3][2], double ra, double rb, double distance) {
    for (int i = 0; i < 3; ++i) {
        h->p[i] = abut_vec3_make(p[i][0], p[i][1], 0.0);
        h->q[i] = abut_vec3_make(q[2 - i][0], q[2 - i][1], 0.0);
    }
    abut_vec3 up = {0, 0, 1};
    h->a = (facet_side){.centre = {0, 0, 0}, .radius = ra, .normal = up, .foot = {0, 0, 0}, .corner = h->p};
    h->b = (facet_side){.centre = {0, 0, distance}, .radius = rb, .normal = abut_neg(up), .foot = {0, 0, distance}, .corner = h->q};
    /* The feet of such sides are the centres, so the overlap is that of the distance. */
    h->a.foot_radius = ra;
    h->b.foot_radius = rb;
}

static abut_facet_contact meet(const double p[3][2], const double q[3][2], double ra, double rb, double distance) {
    by_hand h;
    make_by_hand(&h, p, q, ra, rb, distance);
    return facet_meet(&h.a, &h.b, abut_vec3_make(0, 0, 0), 0.0);
}

static void test_r1_plane(void **state) {
    (void)state;
    const double big[3][2] = {{-0.5, -0.3}, {0.5, -0.3}, {0.0, 0.5}};
    abut_facet a = on_sphere(big, 0.0, 1.0, 1.0), b = on_sphere(big, 2.8, 2.0, -1.0);
    abut_facet_contact c;
    assert_ok(abut_facet_collide(&a, &b, &c));
    assert_int_equal(c.relation, ABUT_FACET_CONTACT);
    assert_vec3_near(c.centre, abut_vec3_make(0, 0, 0.864285714286), 1e-11);
    assert_near(c.circle_radius, 0.503001197, 1e-9);
    assert_near(c.circle_radius * c.circle_radius, 0.253010204082, 1e-11);
    assert_near(-c.sphere_gap, 0.2, 1e-14);
    assert_near(-c.gap, 0.2, 1e-14);
    assert_vec3_near(c.point, c.centre, 1e-14);
    assert_vec3_near(c.normal, abut_vec3_make(0, 0, -1), 1e-15);
    assert_near(c.radius, 2.0 / 3.0, 1e-15);
}

static void test_r2_beside_the_centre(void **state) {
    (void)state;
    const double p[3][2] = {{0.2, -1}, {1.2, -1}, {0.2, 1}}, q[3][2] = {{-2, -2}, {2, -2}, {0, 3}};
    abut_facet_contact c = meet(p, q, 1.0, 2.0, 2.8);
    assert_int_equal(c.relation, ABUT_FACET_CONTACT);
    assert_int_equal(c.corner_count, 3);
    assert_near(c.area, 1.0, 1e-14);
    assert_vec3_near(c.point, abut_vec3_make(0.2, 0, plane_at), 1e-14);
    assert_near(c.offset * c.offset, 0.04, 1e-15);
    assert_near(-c.gap, 0.169770771327, 1e-12);
    assert_near(c.area_in_circle, 0.201661953676, 1e-12);
}

static void test_r3_hexagram(void **state) {
    (void)state;
    double p[3][2], q[3][2];
    for (int i = 0; i < 3; ++i) {
        double angle = 0.5 * PI + 2.0 / 3.0 * PI * i;
        p[i][0] = 0.3 * cos(angle);
        p[i][1] = 0.3 * sin(angle);
        q[i][0] = -p[i][0];
        q[i][1] = -p[i][1];
    }
    abut_facet_contact star = meet((const double(*)[2])p, (const double(*)[2])q, 1.0, 2.0, 2.8);
    assert_int_equal(star.corner_count, 6);
    assert_near(star.area, 0.077942286341, 1e-12);
    abut_facet_contact same = meet((const double(*)[2])p, (const double(*)[2])p, 1.0, 2.0, 2.8);
    assert_int_equal(same.corner_count, 3);
    assert_near(same.area, 0.116913429511, 1e-12);
    /* The triangles share only an edge. */
    const double left[3][2] = {{0, 0.2}, {-0.3, 0}, {0, -0.2}}, right[3][2] = {{0, -0.2}, {0.3, 0}, {0, 0.2}};
    assert_int_equal(meet(left, right, 1.0, 2.0, 2.8).relation, ABUT_FACET_BESIDE);
}

static void test_r4_outside_the_circle(void **state) {
    (void)state;
    const double far[3][2] = {{0.6, -0.1}, {0.9, -0.1}, {0.7, 0.2}};
    abut_facet_contact c = meet(far, far, 1.0, 2.0, 2.8);
    assert_int_equal(c.relation, ABUT_FACET_BESIDE);
    assert_near(-c.gap, 0.0, 0.0);
    assert_near(-c.sphere_gap, 0.2, 1e-14);
}

/* Figure S2. The centre of the circle lies at (0.3, 0.1), so the triangles are shifted by that. */
static void test_r5_figure(void **state) {
    (void)state;
    const double p[3][2] = {{-1.3, -1.1}, {0.7, -1.1}, {-0.3, 0.4}}, q[3][2] = {{-0.3, -0.1}, {1.2, 0.9}, {-1.8, 0.9}};
    abut_facet_contact c = meet(p, q, 1.0, 1.0, 1.9);
    const double corners[4][2] = {{0, 0}, {0.230769230769, 0.153846153846}, {0, 0.5}, {-0.230769230769, 0.153846153846}};
    assert_int_equal(c.relation, ABUT_FACET_CONTACT);
    assert_int_equal(c.corner_count, 4);
    assert_near(c.area, 0.115384615385, 1e-12);
    for (int i = 0; i < 4; ++i) {
        double least = INFINITY;
        for (int k = 0; k < 4; ++k) {
            least = fmin(least, hypot(c.corner[k].x + 0.3 - corners[i][0], c.corner[k].y + 0.1 - corners[i][1]));
        }
        assert_near(least, 0.0, 1e-11);
    }
    assert_vec3_near(c.point, abut_vec3_make(3.0 / 13.0 - 0.3, 2.0 / 13.0 - 0.1, 0.95), 1e-14);
    assert_near(c.offset * c.offset, 1.0 / 130.0, 1e-15);
    assert_near(-c.gap, 0.092292842, 1e-9);
}

static void test_r8_large_radius(void **state) {
    (void)state;
    assert_near(facet_overlap_at(1e-4, 1e6, 1.0, 0.01), -0.004912567893380, 1e-15);
    assert_near(facet_overlap_at(1e-4, 1e9, 1.0, 0.01), -0.004912562898380, 1e-15);
    assert_near(facet_overlap_at(1e-4, INFINITY, 1.0, 0.01), facet_overlap_at(1e-4, 1e14, 1.0, 0.01), 1e-15);
    /* A nearly flat facet behaves like a flat one: the overlap keeps all its digits. */
    const double xy[3][2] = {{-0.1, -0.1}, {0.2, -0.1}, {0, 0.2}};
    abut_facet ball = on_sphere(xy, 0.0, 1.0, 1.0), flat = {{{-1, -1, 0.99}, {0, 1, 0.99}, {1, -1, 0.99}}, INFINITY}, nearly = flat;
    abut_facet_contact c, d;
    nearly.radius = 1e9;
    assert_ok(abut_facet_collide(&ball, &flat, &c));
    assert_ok(abut_facet_collide(&ball, &nearly, &d));
    assert_near(-c.sphere_gap, 0.01, 1e-15);
    /* Over the circumcircle of its corners, of radius 1.25 about (0, -0.25), the facet bulges by (r^2 - x^2) / 2 R. */
    assert_near(-d.sphere_gap, 0.01 + 0.5 * (1.25 * 1.25 - 0.25 * 0.25) / 1e9, 1e-14);
    assert_near(-d.gap, -c.gap, 1e-9);
}

static void test_r9_engulfed(void **state) {
    (void)state;
    const double small[3][2] = {{-0.05, -0.05}, {0.05, -0.05}, {0, 0.05}};
    abut_facet_contact c = meet(small, small, 0.2, 1.0, 0.9);
    assert_int_equal(c.relation, ABUT_FACET_ENGULFED);
    assert_int_equal(meet(small, small, 0.2, 1.0, 0.1).relation, ABUT_FACET_ENGULFED);
    assert_int_equal(meet(small, small, 0.2, 1.0, 0.0).relation, ABUT_FACET_COINCIDENT);
    assert_int_equal(meet(small, small, 0.2, 1.0, 1.3).relation, ABUT_FACET_APART);
}

static void test_r10_turned(void **state) {
    (void)state;
    const double p[3][2] = {{-0.3, -0.3}, {0.3, -0.3}, {0, 0.3}};
    by_hand h;
    make_by_hand(&h, p, p, 1.0, 2.0, 2.8);
    h.a.normal = abut_vec3_make(1, 0, 0);
    assert_int_equal(facet_meet(&h.a, &h.b, abut_vec3_make(0, 0, 0), 0.0).relation, ABUT_FACET_TURNED);
    h.a.normal = abut_vec3_make(0, 0, 1);
    h.b.normal = abut_unit(abut_vec3_make(1, 0, 1e-3));
    assert_int_equal(facet_meet(&h.a, &h.b, abut_vec3_make(0, 0, 0), 0.0).relation, ABUT_FACET_TURNED);
    abut_facet flat = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, INFINITY}, other = flat;
    abut_facet_contact c;
    assert_ok(abut_facet_collide(&flat, &other, &c));
    assert_int_equal(c.relation, ABUT_FACET_TURNED); /* the same triangle: it does not face itself */
}

/* Balls of radius 1 and 2 with a gap of 0.1 or an overlap of 0.2, and triangles beside the middle. */
static void test_within_a_reach(void **state) {
    (void)state;
    const double at[3][2] = {{0.3, -0.2}, {0.7, -0.2}, {0.3, 0.4}};
    abut_facet a = on_sphere(at, 0.0, 1.0, 1.0), b = on_sphere(at, 3.1, 2.0, -1.0),
               flat = {{{-2, -2, 1.1}, {0, 2, 1.1}, {2, -2, 1.1}}, INFINITY};
    abut_facet_contact c, d, before;
    assert_ok(abut_facet_collide(&a, &b, &c));
    assert_int_equal(c.relation, ABUT_FACET_APART);
    assert_ok(abut_facet_collide_within(&a, &b, 0.0999, &c));
    assert_int_equal(c.relation, ABUT_FACET_APART);
    /* The triangles are 0.3 from the middle. They count from a reach of 0.1 + 0.3^2 / (2 R), R = 2 / 3. */
    assert_ok(abut_facet_collide_within(&a, &b, 0.1674, &c));
    assert_int_equal(c.relation, ABUT_FACET_BESIDE);
    assert_ok(abut_facet_collide_within(&a, &b, 0.1676, &c));
    assert_int_equal(c.relation, ABUT_FACET_CONTACT);
    assert_near(-c.sphere_gap, -0.1, 1e-14);
    assert_near(-c.gap, facet_overlap_at(-0.1, 1.0, 2.0, 0.09), 1e-14);
    assert_near(c.circle_radius + c.area_in_circle, 0.0, 0.0);
    assert_near(c.offset, 0.3, 1e-14);
    assert_near(c.area, 0.12, 1e-14);
    /* In the gap, where the tangents have equal lengths: z^2 - 1 = (3.1 - z)^2 - 4. */
    assert_vec3_near(c.centre, abut_vec3_make(0, 0, (3.1 * 3.1 - 3.0) / 6.2), 1e-14);
    /* The same with a whole ball and with planes. */
    assert_ok(abut_facet_collide_sphere_within(&a, abut_vec3_make(0, 0, 3.1), 2.0, 0.1676, &d));
    assert_int_equal(d.relation, ABUT_FACET_CONTACT);
    assert_near(-d.gap, -c.gap, 1e-14);
    assert_vec3_near(d.centre, c.centre, 1e-14);
    assert_ok(abut_facet_collide_plane_within(&a, abut_vec3_make(0, 0, -2), -2.2, 0.15, &d));
    assert_int_equal(d.relation, ABUT_FACET_CONTACT);
    assert_near(-d.sphere_gap, -0.1, 1e-14);
    assert_ok(abut_facet_collide_within(&a, &flat, 0.15, &c));
    assert_int_equal(c.relation, ABUT_FACET_CONTACT);
    assert_near(-c.sphere_gap, -0.1, 1e-14);
    assert_vec3_near(c.centre, abut_vec3_make(0, 0, 1.1), 1e-14);
    /* A reach removes no contact and changes no number. */
    b = on_sphere(at, 2.8, 2.0, -1.0);
    assert_ok(abut_facet_collide(&a, &b, &c));
    assert_ok(abut_facet_collide_within(&a, &b, 0.05, &d));
    assert_memory_equal(&c, &d, sizeof c);
    before = c;
    assert_status(abut_facet_collide_within(&a, &b, -0.1, &c), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_facet_collide_within(&a, &b, NAN, &c), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_facet_collide_within(&a, &b, INFINITY, &c), ABUT_ERROR_NOT_FINITE);
    assert_status(abut_facet_collide_sphere_within(&a, abut_vec3_make(0, 0, 3), 2.0, -0.1, &c), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_facet_collide_sphere_within(&a, abut_vec3_make(0, 0, 3), 2.0, INFINITY, &c), ABUT_ERROR_NOT_FINITE);
    assert_status(abut_facet_collide_plane_within(&a, abut_vec3_make(0, 0, 1), 1.0, NAN, &c), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_facet_collide_plane_within(&a, abut_vec3_make(0, 0, 1), 1.0, INFINITY, &c), ABUT_ERROR_NOT_FINITE);
    assert_memory_equal(&c, &before, sizeof c);
}

/* ---- random pairs ---- */

typedef struct pair {
    abut_facet a, b;
} pair;

static abut_facet random_facet(random_state *random, abut_vec3 near) {
    abut_facet f = {.radius = random_log_range(random, 0.3, 10.0)};
    for (int i = 0; i < 3; ++i) {
        f.corner[i] = abut_add(near, random_vec3(random, -0.5, 0.5));
    }
    return f;
}

static void check_symmetries(tally *t, const pair *p, const abut_facet_contact *c) {
    pair round = *p;
    abut_facet_contact d, e;
    round.a.corner[0] = p->a.corner[1];
    round.a.corner[1] = p->a.corner[2];
    round.a.corner[2] = p->a.corner[0];
    assert_ok(abut_facet_collide(&round.a, &p->b, &d));
    assert_ok(abut_facet_collide(&p->b, &p->a, &e));
    if (d.relation != c->relation || e.relation != c->relation) {
        tally_fail(t, "relation", "%d, corners turned %d, swapped %d", (int)c->relation, (int)d.relation, (int)e.relation);
    } else if (c->relation == ABUT_FACET_CONTACT) {
        bool same = fabs(-d.gap + c->gap) <= 1e-12 && fabs(-e.gap + c->gap) <= 1e-12 && fabs(d.area - c->area) <= 1e-12 &&
                    fabs(e.area - c->area) <= 1e-12 && abut_distance_between(e.point, c->point) <= 1e-7 &&
                    abut_length(abut_add(e.normal, c->normal)) <= 1e-12 && fabs(e.area_in_circle - c->area_in_circle) <= 1e-12;
        if (!same) {
            tally_fail(t, "symmetry", "overlap %.17g, turned %.17g, swapped %.17g", -c->gap, -d.gap, -e.gap);
        }
    }
}

/* Whether the line along the axis through a point crosses the triangle. */
static bool is_over(const abut_facet *f, abut_vec3 axis, abut_vec3 p) {
    bool all = true, none = true;
    for (int i = 0; i < 3; ++i) {
        abut_vec3 q = f->corner[i], r = f->corner[(i + 1) % 3];
        double side = abut_dot(axis, abut_cross(abut_sub(r, q), abut_sub(p, q)));
        all = all && side >= 0.0;
        none = none && side <= 0.0;
    }
    return all || none;
}

/* The height of a sphere's surface over a point, along the axis. */
static double reach(const abut_facet_sphere *s, abut_vec3 axis, abut_vec3 p) {
    abut_vec3 way = abut_sub(s->centre, p);
    double along = abut_dot(way, axis), across = abut_length_squared(way) - along * along;
    return along + sqrt(fmax(s->radius * s->radius - across, 0.0));
}

/* The largest overlap over points spread in the contact circle. */
static void check_by_sampling(tally *t, random_state *random, const pair *p, const abut_facet_contact *c) {
    enum { POINTS = 400 };
    abut_facet_sphere a, b;
    abut_vec3 u, v, axis = abut_neg(c->normal);
    assert_ok(abut_facet_make_sphere(&p->a, &a));
    assert_ok(abut_facet_make_sphere(&p->b, &b));
    abut_tangent_frame(axis, &u, &v);
    abut_vec3 middle = abut_add_scaled(a.centre,
                                       (pow(abut_distance_between(a.centre, b.centre), 2) + a.radius * a.radius - b.radius * b.radius) /
                                           (2.0 * abut_distance_between(a.centre, b.centre)),
                                       axis);
    double circle = sqrt(fmax(a.radius * a.radius - abut_length_squared(abut_sub(middle, a.centre)), 0.0)), most = -INFINITY;
    int hits = 0;
    for (int i = 0; i < POINTS; ++i) {
        double angle = random_range(random, 0.0, 2.0 * PI), r = circle * sqrt(random_range(random, 0.0, 1.0));
        abut_vec3 x = abut_add_scaled(abut_add_scaled(middle, r * cos(angle), u), r * sin(angle), v);
        if (is_over(&p->a, axis, x) && is_over(&p->b, axis, x)) {
            most = fmax(most, reach(&a, axis, x) + reach(&b, abut_neg(axis), x));
            ++hits;
        }
    }
    if (c->relation == ABUT_FACET_BESIDE && hits > 2) {
        tally_fail(t, "not seen", "%d of %d points, overlap %g", hits, POINTS, most);
    }
    if (c->relation == ABUT_FACET_CONTACT) {
        double expected = POINTS * c->area_in_circle / (PI * circle * circle);
        if (!(most <= -c->gap + 1e-9)) {
            tally_fail(t, "deeper", "%.17g than %.17g", most, -c->gap);
        }
        if (fabs(hits - expected) > 6.0 * sqrt(expected + 1.0)) {
            tally_fail(t, "area", "%d points instead of %g", hits, expected);
        }
        double own = reach(&a, axis, c->point) + reach(&b, abut_neg(axis), c->point);
        if (fabs(own + c->gap) > 1e-9) {
            tally_fail(t, "overlap at the point", "%.17g instead of %.17g", -c->gap, own);
        }
    }
}

static void test_random_pairs(void **state) {
    (void)state;
    random_state random = random_make(random_seed("facets", 71));
    static tally t;
    int32_t contacts = 0;
    for (int32_t i = 0, count = random_samples("facets", 40000); i < count; ++i) {
        pair p = {random_facet(&random, abut_vec3_make(0, 0, 0)), random_facet(&random, random_vec3(&random, -0.3, 0.3))};
        abut_facet_contact c;
        assert_ok(abut_facet_collide(&p.a, &p.b, &c));
        tally_sample(&t, "sample %d, relation %d", (int)i, (int)c.relation);
        check_symmetries(&t, &p, &c);
        if (c.relation == ABUT_FACET_CONTACT || c.relation == ABUT_FACET_BESIDE) {
            check_by_sampling(&t, &random, &p, &c);
            contacts += c.relation == ABUT_FACET_CONTACT;
        }
    }
    tally_end(&t);
    assert_true(contacts > 500);
}

/* ---- tilings ---- */

static void check_tiling(int level, uint64_t seed) {
    random_state random = random_make(seed);
    int32_t count_a, count_b, holding = 0;
    double distance = 2.47, area = 0.0, circle = 0.0;
    abut_pose pose_a = {{0, 0, 0}, random_rotation(&random)},
              pose_b = {abut_scale(distance, random_direction(&random)), random_rotation(&random)};
    abut_facet *a = icosphere_make(level, 1.0, pose_a, &count_a), *b = icosphere_make(level, 1.5, pose_b, &count_b);
    for (int32_t i = 0; i < count_a; ++i) {
        for (int32_t k = 0; k < count_b; ++k) {
            abut_facet_contact c;
            assert_ok(abut_facet_collide(&a[i], &b[k], &c));
            if (c.relation == ABUT_FACET_CONTACT) {
                area += c.area_in_circle;
                circle = c.circle_radius;
                holding += c.offset == 0.0;
                assert_near(-c.sphere_gap, 0.03, 1e-14);
            }
        }
    }
    assert_near(area / (PI * circle * circle), 1.0, 1e-12);
    assert_int_equal(holding, 1);
    free(a);
    free(b);
}

static void test_r7_tiling(void **state) {
    (void)state;
    for (int level = 1; level <= 3; ++level) {
        check_tiling(level, 72 + (uint64_t)level);
    }
}

/* With a whole sphere or plane, the triangles of one body alone tile the circle. */
static void test_whole_partners(void **state) {
    (void)state;
    for (int level = 1; level <= 3; ++level) {
        random_state random = random_make(81 + (uint64_t)level);
        int32_t count;
        abut_pose pose = {{0.3, -0.2, 0.98}, random_rotation(&random)};
        abut_facet *f = icosphere_make(level, 1.0, pose, &count);
        double on_plane = 0.0, on_ball = 0.0, plane_circle = 0.0, ball_circle = 0.0;
        for (int32_t i = 0; i < count; ++i) {
            abut_facet_contact c;
            assert_ok(abut_facet_collide_plane(&f[i], abut_vec3_make(0, 0, 2), 0.0, &c));
            if (c.relation == ABUT_FACET_CONTACT) {
                assert_near(-c.sphere_gap, 0.02, 1e-14);
                assert_vec3_near(c.normal, abut_vec3_make(0, 0, 1), 1e-15);
                on_plane += c.area_in_circle;
                plane_circle = c.circle_radius;
            }
            assert_ok(abut_facet_collide_sphere(&f[i], abut_vec3_make(0.3, -0.2, -1.97), 2.0, &c));
            if (c.relation == ABUT_FACET_CONTACT) {
                assert_near(-c.sphere_gap, 0.05, 1e-13);
                on_ball += c.area_in_circle;
                ball_circle = c.circle_radius;
            }
        }
        assert_near(on_plane / (PI * plane_circle * plane_circle), 1.0, 1e-12);
        assert_near(on_ball / (PI * ball_circle * ball_circle), 1.0, 1e-12);
        free(f);
    }
}

/* ---- arguments, batches ---- */

static void test_refusals(void **state) {
    (void)state;
    abut_facet good = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, 2.0}, bad = good;
    abut_facet_contact c, before;
    abut_facet_sphere sphere;
    memset(&before, 3, sizeof before);
    memcpy(&c, &before, sizeof c);
    assert_status(abut_facet_collide(NULL, &good, &c), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_facet_collide(&good, &good, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    bad.radius = -1.0;
    assert_status(abut_facet_collide(&good, &bad, &c), ABUT_ERROR_INVALID_ARGUMENT);
    bad.radius = NAN;
    assert_status(abut_facet_collide(&good, &bad, &c), ABUT_ERROR_INVALID_ARGUMENT);
    bad = good;
    bad.corner[1].z = INFINITY;
    assert_status(abut_facet_collide(&bad, &good, &c), ABUT_ERROR_NOT_FINITE);
    bad = good;
    bad.corner[2] = abut_vec3_make(2, 0, 0);
    assert_status(abut_facet_collide(&bad, &good, &c), ABUT_ERROR_DEGENERATE);
    assert_status(abut_facet_make_sphere(&bad, &sphere), ABUT_ERROR_DEGENERATE);
    assert_status(abut_facet_collide_plane(&good, abut_vec3_make(0, 0, 0), 0.0, &c), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_facet_collide_sphere(&good, abut_vec3_make(0, 0, 0), 0.0, &c), ABUT_ERROR_INVALID_ARGUMENT);
    assert_memory_equal(&c, &before, sizeof c);
    /* A radius smaller than that of the circumcircle counts as the latter. */
    bad = good;
    bad.radius = 1e-3;
    assert_ok(abut_facet_make_sphere(&bad, &sphere));
    assert_near(sphere.radius, sqrt(0.5), 1e-15);
}

static void test_batch(void **state) {
    (void)state;
    enum { PAIRS = 2000 };
    static abut_facet a[PAIRS], b[PAIRS];
    static abut_facet_contact single[PAIRS], together[PAIRS];
    random_state random = random_make(random_seed("batch", 91));
    for (int32_t i = 0; i < PAIRS; ++i) {
        a[i] = random_facet(&random, abut_vec3_make(0, 0, 0));
        b[i] = random_facet(&random, abut_vec3_make(0.1, 0.2, 0));
    }
    b[7].radius = 0.0;
    for (int32_t i = 0; i < PAIRS; ++i) {
        abut_status status = abut_facet_collide(&a[i], &b[i], &single[i]);
        single[i].status = status;
    }
    three_threads own;
    const abut_parallel loops[] = {{.threads = 1}, {.threads = 2}, three_threads_parallel(&own)};
    for (size_t k = 0; k < sizeof loops / sizeof *loops; ++k) {
        memset(together, 0, sizeof together);
        assert_ok(abut_facet_collide_batch(a, b, PAIRS, &loops[k], together));
        assert_memory_equal(together, single, sizeof single);
    }
    assert_status(single[7].status, ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_facet_collide_batch(NULL, b, 1, NULL, together), ABUT_ERROR_INVALID_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_r1_plane),        cmocka_unit_test(test_r2_beside_the_centre),
        cmocka_unit_test(test_r3_hexagram),     cmocka_unit_test(test_r4_outside_the_circle),
        cmocka_unit_test(test_r5_figure),       cmocka_unit_test(test_r7_tiling),
        cmocka_unit_test(test_r8_large_radius), cmocka_unit_test(test_r9_engulfed),
        cmocka_unit_test(test_r10_turned),      cmocka_unit_test(test_random_pairs),
        cmocka_unit_test(test_whole_partners),  cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_batch),           cmocka_unit_test(test_within_a_reach),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
