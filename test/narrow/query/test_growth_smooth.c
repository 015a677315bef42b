/*
 * abut_growth_distance() of smooth shapes: closed forms, two ellipsoids against the contact function of Perram and Wertheim, and all pairs
 * against support functions independent of the library. World frame, normal from B into A.
 */
#include <stdio.h>

#include <abut/smooth.h>

#include "support/check.h"
#include "support/shapes.h"
#include "support/smooth_body.h"
#include "support/user_surface.h"

/* Two balls as ellipsoids, and an ellipsoid beside a ball: alpha = distance / sum of radii. */
static void balls(void **state) {
    (void)state;
    static const double scales[] = {1e-6, 1.0, 1e6}, places[] = {1e-6, 0.3, 0.999, 1.0, 1.5, 1e3};
    const abut_vec3 way = {2.0 / 7.0, -3.0 / 7.0, 6.0 / 7.0};
    for (int i = 0; i < 3; ++i) {
        double r = 0.7 * scales[i], q = 0.3 * scales[i];
        abut_shape *a = ellipsoid(r, r, r), *b = ellipsoid(q, q, q), *ball;
        assert_ok(abut_shape_create_sphere(q, &ball));
        const abut_shape *other[] = {b, ball};
        for (int k = 0; k < 12; ++k) {
            double place = places[k % 6];
            abut_growth g;
            abut_pose pose = {abut_scale(place * scales[i], way), abut_quat_identity()};
            assert_ok(abut_growth_distance(&(abut_pair){a, pose, other[k / 6], abut_pose_identity()}, NULL, &g));
            assert_near(g.alpha, place, 1e-12 * place);
            assert_near(g.alpha_lower, place, 1e-9 * place);
            assert_vec3_near(g.normal, way, 1e-9);
            assert_near(g.gap, (place - 1.0) * scales[i], 1e-12 * fmax(1.0, place) * scales[i]);
        }
        abut_shape_release(a);
        abut_shape_release(b);
        abut_shape_release(ball);
    }
}

/* Two equal ellipsoids with the same rotation: scaling them to balls scales the problem, alpha = |c / half| / 2. */
static void alike(void **state) {
    (void)state;
    abut_shape *egg = ellipsoid(1, 2, 3), *flake = ellipsoid(1e-3, 1, 1);
    abut_growth g;
    assert_ok(abut_growth_distance(&(abut_pair){egg, at(1, 1, 1), egg, abut_pose_identity()}, NULL, &g));
    assert_near(g.alpha, 0.5 * sqrt(1.0 + 1.0 / 4.0 + 1.0 / 9.0), 1e-15);
    assert_vec3_near(g.normal, abut_unit(abut_vec3_make(1.0, 1.0 / 4.0, 1.0 / 9.0)), 1e-9);
    assert_vec3_near(g.touch, abut_vec3_make(0.5, 0.5, 0.5), 1e-9);
    assert_vec3_near(g.contraction_a, abut_vec3_make(1, 1, 1), 0.0);
    assert_false(g.normal_chosen);
    assert_ok(abut_growth_distance(&(abut_pair){flake, at(1e-3, 0.4, 0.3), flake, abut_pose_identity()}, NULL, &g));
    assert_near(g.alpha, 0.5 * sqrt(1.0 + 0.25), 1e-12);
    abut_shape_release(egg);
    abut_shape_release(flake);
}

/* A squarish superquadric over a box's face: along z by the sum of both extents. And with its equal: |c| in its norm, over 2. */
static void squarish(void **state) {
    (void)state;
    abut_shape *dice, *box;
    assert_ok(abut_shape_create_superquadric(abut_vec3_make(1, 1, 1), 0.5, 0.5, &dice)); /* x^4 + y^4 + z^4 <= 1 */
    assert_ok(abut_shape_create_box(abut_vec3_make(3, 3, 0.5), &box));
    abut_growth g;
    assert_ok(abut_growth_distance(&(abut_pair){dice, at(0.2, 0.1, 1.2), box, abut_pose_identity()}, NULL, &g));
    assert_near(g.alpha, 0.8, 1e-12);
    assert_vec3_near(g.normal, abut_vec3_make(0, 0, 1), 1e-7);
    assert_ok(abut_growth_distance(&(abut_pair){dice, at(1.5, 1.0, 0.5), dice, abut_pose_identity()}, NULL, &g));
    assert_near(g.alpha, 0.5 * pow(pow(1.5, 4) + 1.0 + pow(0.5, 4), 0.25), 1e-12);
    abut_shape_release(dice);
    abut_shape_release(box);
}

/* With user functions of the same surface: the same factor. */
static void by_functions(void **state) {
    (void)state;
    user_ellipsoid surface = {.half = {1.0, 0.7, 0.4}};
    abut_implicit_def def = user_ellipsoid_implicit(&surface);
    def.inside = abut_vec3_make(0.0, 0.0, 0.0); /* it grows about that point */
    abut_shape *user, *egg = ellipsoid(1.0, 0.7, 0.4);
    assert_ok(abut_shape_create_implicit(&def, &user));
    random_state random = random_make(random_seed("growth by_functions", 31));
    for (int i = 0; i < 100; ++i) {
        abut_pose pose_a = random_pose(&random, 0.8), pose_b = random_pose(&random, 0.8);
        abut_growth g, h;
        assert_ok(abut_growth_distance(&(abut_pair){egg, pose_a, egg, pose_b}, NULL, &g));
        assert_ok(abut_growth_distance(&(abut_pair){user, pose_a, egg, pose_b}, NULL, &h));
        assert_near(h.alpha, g.alpha, 1e-9 * g.alpha);
    }
    abut_shape_release(user);
    abut_shape_release(egg);
}

/* No direction to grow along: alpha is 0, and the normal is that of the least depth. */
static void concentric(void **state) {
    (void)state;
    abut_shape *egg = ellipsoid(1, 2, 3), *box;
    assert_ok(abut_shape_create_box(abut_vec3_make(4, 2, 3), &box));
    const abut_shape *other[] = {egg, box};
    static const double depth[] = {2.0, 4.0};
    for (int k = 0; k < 2; ++k) {
        abut_growth g;
        assert_ok(abut_growth_distance(&(abut_pair){egg, abut_pose_identity(), other[k], abut_pose_identity()}, NULL, &g));
        assert_near(g.alpha, 0.0, 0.0);
        assert_near(g.gap, -depth[k], 1e-4);
        assert_true(g.normal_chosen);
    }
    abut_shape_release(egg);
    abut_shape_release(box);
}

/* ---- Perram and Wertheim ---- */

/* Solves M x = r, M symmetric and positive definite. */
static void solve(long double m[3][3], const long double r[3], long double x[3]) {
    long double adjugate[3][3], determinant = 0.0L;
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            int a = (k + 1) % 3, b = (k + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
            adjugate[i][k] = m[a][c] * m[b][d] - m[a][d] * m[b][c];
        }
    }
    for (int k = 0; k < 3; ++k) {
        determinant += m[0][k] * adjugate[k][0];
    }
    for (int i = 0; i < 3; ++i) {
        x[i] = (adjugate[i][0] * r[0] + adjugate[i][1] * r[1] + adjugate[i][2] * r[2]) / determinant;
    }
}

/* R diag(half^2) R^T. */
static void squares_of(const smooth_body *body, long double s[3][3]) {
    abut_mat3 turn = abut_mat3_from_quat(body->pose.rotation);
    const abut_vec3 column[3] = {turn.x, turn.y, turn.z};
    const double half[3] = {body->half.x, body->half.y, body->half.z};
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            s[i][k] = 0.0L;
            for (int j = 0; j < 3; ++j) {
                const double axis[3] = {column[j].x, column[j].y, column[j].z};
                s[i][k] += (long double)half[j] * half[j] * axis[i] * axis[k];
            }
        }
    }
}

/* s (1 - s) r . [(1 - s) A + s B]^-1 r */
static long double contact_function(long double a[3][3], long double b[3][3], const long double r[3], long double s) {
    long double mixed[3][3], x[3];
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            mixed[i][k] = (1.0L - s) * a[i][k] + s * b[i][k];
        }
    }
    solve(mixed, r, x);
    return s * (1.0L - s) * (r[0] * x[0] + r[1] * x[1] + r[2] * x[2]);
}

/* Its maximum over s, by thirds: it is concave. */
static double perram_wertheim(const smooth_body *p, const smooth_body *q) {
    long double a[3][3], b[3][3], low = 0.0L, high = 1.0L;
    squares_of(p, a);
    squares_of(q, b);
    abut_vec3 between = abut_sub(q->pose.position, p->pose.position);
    const long double r[3] = {between.x, between.y, between.z};
    for (int i = 0; i < 90; ++i) {
        long double one = low + (high - low) / 3.0L, two = high - (high - low) / 3.0L;
        bool rises = contact_function(a, b, r, one) < contact_function(a, b, r, two);
        low = rises ? one : low;
        high = rises ? high : two;
    }
    return (double)contact_function(a, b, r, 0.5L * (low + high));
}

static void perram_and_wertheim(void **state) {
    (void)state;
    random_state random = random_make(random_seed("perram_and_wertheim", 32));
    int32_t samples = random_samples("perram_and_wertheim", 10000);
    static tally t;
    double worst = 0.0;
    for (int32_t i = 0; i < samples; ++i) {
        smooth_body p = smooth_body_random(&random, SMOOTH_ELLIPSOID, 20.0, 1.0),
                    q = smooth_body_random(&random, SMOOTH_ELLIPSOID, 20.0, 1.0);
        p.pose.position = abut_scale(random_log_range(&random, 1e-3, 30.0), random_direction(&random));
        abut_shape *a = smooth_body_shape(&p), *b = smooth_body_shape(&q);
        abut_growth g;
        abut_status status = abut_growth_distance(&(abut_pair){a, p.pose, b, q.pose}, NULL, &g);
        double expected = perram_wertheim(&p, &q), off = fabs(g.alpha * g.alpha - expected) / expected;
        tally_sample(&t, "sample %d: status %d, halves (%g, %g, %g) (%g, %g, %g), apart %g", i, status, p.half.x, p.half.y, p.half.z,
                     q.half.x, q.half.y, q.half.z, abut_length(p.pose.position));
        if (status != ABUT_OK) {
            tally_fail(&t, "status", "%d", status);
        } else if (!(off <= 1e-11)) {
            tally_fail(&t, "alpha squared", "%.17g, expected %.17g", g.alpha * g.alpha, expected);
        }
        worst = fmax(worst, off);
        abut_shape_release(a);
        abut_shape_release(b);
    }
    print_message("alpha squared differs by %.2g at most\n", worst);
    tally_end(&t);
}

/* ---- all pairs ---- */

static double worst_gap;

static void check(tally *t, const smooth_body *p, const smooth_body *q, const abut_growth *g) {
    double scale = fmax(1.0, g->alpha) * smooth_body_scale(p, q);
    abut_vec3 from_a = abut_lerp(g->contraction_a, g->on_a, g->alpha), from_b = abut_lerp(g->contraction_b, g->on_b, g->alpha);
    double off = fmax(abut_distance_between(from_a, g->touch), abut_distance_between(from_b, g->touch));
    if (!(off <= 1e-9 * scale)) {
        tally_fail(t, "touch is not what the scalings make of on_a and on_b", "off by %.3g", off);
    }
    double outside = fmax(fabs(smooth_body_outside(p, g->on_a)), fabs(smooth_body_outside(q, g->on_b)));
    if (!(outside <= 1e-9 * scale)) {
        tally_fail(t, "a point is off its surface", "by %.3g", outside);
    }
    double gap = -smooth_body_depth(p, q, abut_neg(g->normal));
    if (!(fabs(gap - g->gap) <= 1e-12 * scale)) {
        tally_fail(t, "gap is not that along the normal", "%.17g, supports %.17g", g->gap, gap);
    }
    abut_vec3 d = abut_neg(g->normal); /* if scaled about their middles by less than this, the bodies miss each other along it */
    double reach =
        smooth_body_extent(p, d) - abut_dot(d, g->contraction_a) + smooth_body_extent(q, g->normal) - abut_dot(g->normal, g->contraction_b);
    double lower = abut_dot(d, abut_sub(g->contraction_b, g->contraction_a)) / reach;
    worst_gap = fmax(worst_gap, (g->alpha - lower) / g->alpha);
    if (!(g->alpha_lower <= g->alpha && fabs(lower - g->alpha) <= 1e-9 * g->alpha)) {
        tally_fail(t, "the normal does not prove alpha", "alpha %.17g, lower %.17g, along the normal %.17g", g->alpha, g->alpha_lower,
                   lower);
    }
}

static void check_exchanged(tally *t, const abut_shape *a, abut_pose pose_a, const abut_shape *b, abut_pose pose_b, const abut_growth *g) {
    abut_growth h;
    abut_status status = abut_growth_distance(&(abut_pair){b, pose_b, a, pose_a}, NULL, &h);
    if (status != ABUT_OK || !(fabs(h.alpha - g->alpha) <= 1e-9 * g->alpha)) { /* what either one proves */
        tally_fail(t, "another factor when exchanged", "status %d, %.17g instead of %.17g", status, h.alpha, g->alpha);
    }
}

static void all_pairs(void **state) {
    (void)state;
    random_state random = random_make(random_seed("growth of smooth pairs", 33));
    int32_t samples = random_samples("growth of smooth pairs", 20000);
    static tally t;
    int32_t most = 0;
    for (int32_t i = 0; i < samples; ++i) {
        smooth_kind first = (smooth_kind)random_below(&random, 2), second = (smooth_kind)random_below(&random, SMOOTH_KINDS);
        smooth_body p = smooth_body_random(&random, first, 10.0, 0.25), q = smooth_body_random(&random, second, 10.0, 0.25);
        p.pose.position = abut_scale(random_log_range(&random, 1e-2, 10.0), random_direction(&random));
        abut_shape *a = smooth_body_shape(&p), *b = smooth_body_shape(&q);
        abut_growth g;
        abut_status status = abut_growth_distance(&(abut_pair){a, p.pose, b, q.pose}, NULL, &g);
        tally_sample(&t, "sample %d: kinds %d %d, exponents (%g, %g) (%g, %g), halves (%g, %g, %g) (%g, %g, %g), apart %g", i, first,
                     second, p.e1, p.e2, q.e1, q.e2, p.half.x, p.half.y, p.half.z, q.half.x, q.half.y, q.half.z,
                     abut_length(p.pose.position));
        if (status != ABUT_OK) {
            tally_fail(&t, "status", "%d, alpha %.17g, lower %.17g", status, g.alpha, g.alpha_lower);
        } else {
            check(&t, &p, &q, &g);
            check_exchanged(&t, a, p.pose, b, q.pose, &g);
        }
        most = g.iterations > most ? g.iterations : most;
        abut_shape_release(a);
        abut_shape_release(b);
    }
    print_message("between the proofs %.2g of alpha at most, %d pairs of points\n", worst_gap, most);
    tally_end(&t);
}

static void statuses(void **state) {
    (void)state;
    abut_shape *egg = ellipsoid(1, 2, 3), *plane;
    assert_ok(abut_shape_create_plane(abut_vec3_make(0, 0, 1), 0.0, &plane));
    abut_growth g = {.alpha = 7.0};
    assert_status(abut_growth_distance(&(abut_pair){egg, at(NAN, 0, 0), egg, abut_pose_identity()}, NULL, &g), ABUT_ERROR_NOT_FINITE);
    assert_status(abut_growth_distance(&(abut_pair){egg, at(1e60, 0, 0), egg, abut_pose_identity()}, NULL, &g), ABUT_ERROR_NOT_FINITE);
    assert_status(abut_growth_distance(&(abut_pair){egg, at(0, 0, 0), plane, abut_pose_identity()}, NULL, &g), ABUT_ERROR_UNSUPPORTED_PAIR);
    assert_status(abut_growth_distance(&(abut_pair){NULL, at(0, 0, 0), egg, abut_pose_identity()}, NULL, &g), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_growth_distance(&(abut_pair){egg, at(0, 0, 0), egg, abut_pose_identity()}, NULL, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_near(g.alpha, 7.0, 0.0);
    abut_shape_release(egg);
    abut_shape_release(plane);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balls),        cmocka_unit_test(alike),      cmocka_unit_test(squarish),
        cmocka_unit_test(by_functions), cmocka_unit_test(concentric), cmocka_unit_test(perram_and_wertheim),
        cmocka_unit_test(all_pairs),    cmocka_unit_test(statuses),
    };
    return cmocka_run_group_tests_name("narrow/growth_smooth", tests, NULL, NULL);
}
