/* Extremal pairs from a start, by both methods, and their rates. */
#include <stdio.h>

#include <abut/extremal.h>
#include <abut/query.h>
#include <abut/smooth.h>

#include "support/check.h"
#include "support/random.h"
#include "support/user_surface.h"

static abut_quat turned(abut_vec3 axis, double degrees) { return abut_quat_about(abut_unit(axis), degrees * 0.017453292519943295); }

typedef struct moving {
    abut_pose pose;
    abut_motion twist;
    abut_vec3 acceleration, angular_acceleration;
} moving;

/* The body after a time of constant accelerations, rotated at once by the integral of its angular velocity. */
static abut_pose later(const moving *body, double time) {
    abut_pose pose = body->pose;
    pose.position = abut_add_scaled(abut_add_scaled(pose.position, time, body->twist.linear), 0.5 * time * time, body->acceleration);
    abut_vec3 turn = abut_add_scaled(abut_scale(time, body->twist.angular), 0.5 * time * time, body->angular_acceleration);
    double angle = abut_length(turn);
    if (angle != 0.0) {
        pose.rotation = abut_quat_unit(abut_quat_mul(abut_quat_about(abut_scale(1.0 / angle, turn), angle), pose.rotation));
    }
    return pose;
}

/* The state of test_extremal.c, moving; figures computed to forty digits. */
static void known_state(void **ignored) {
    (void)ignored;
    abut_shape *a, *b;
    assert_ok(abut_shape_create_ellipsoid(abut_vec3_make(1.2, 0.7, 0.5), &a));
    assert_ok(abut_shape_create_ellipsoid(abut_vec3_make(0.9, 1.4, 0.6), &b));
    abut_vec3 normal = abut_scale(1.0 / sqrt(14.0), abut_vec3_make(1, 2, 3)), touching = {0.850295405979, 1.803326020541, 0.697804902521};
    moving ma = {.twist = {abut_vec3_make(0.3, -0.2, 0.1), abut_vec3_make(0.5, -0.4, 0.7)},
                 .acceleration = {0.1, 0.2, -9.81},
                 .angular_acceleration = {-0.3, 0.6, 0.2}};
    moving mb = {.pose = abut_pose_identity(),
                 .twist = {abut_vec3_make(-0.1, 0.05, 0.2), abut_vec3_make(0.2, 0.3, -0.6)},
                 .angular_acceleration = {0.1, -0.2, 0.3}};
    ma.pose.rotation = abut_quat_mul(turned(abut_vec3_make(0, 0, 1), 30.0), turned(abut_vec3_make(1, 0, 0), 40.0));
    static const struct {
        double gap;
        abut_vec3 on_a;
    } cases[] = {{0.0, {0.087828553836, -0.488791102337, -0.168340257735}}, {0.25, {0.087516598802, -0.506104835847, -0.156693783717}}};
    for (int i = 0; i < 2; ++i) {
        for (int method = ABUT_EXTREMAL_NORMAL; method <= ABUT_EXTREMAL_SYSTEM; ++method) {
            abut_extremal pair;
            abut_rates rates;
            ma.pose.position = abut_add_scaled(touching, cases[i].gap, normal);
            assert_ok(abut_extremal_find(&(abut_pair){a, ma.pose, b, mb.pose}, (abut_extremal_method)method, NULL, &pair));
            assert_near(pair.gap, cases[i].gap, 1e-11);
            assert_vec3_near(pair.normal, normal, 1e-10);
            assert_ok(abut_extremal_rates(&(abut_pair){a, ma.pose, b, mb.pose}, ma.twist, mb.twist, &pair, &rates));
            assert_vec3_near(rates.on_a_rate, cases[i].on_a, 1e-9);
            if (i == 0) {
                assert_near(rates.gap_rate, -0.757510787440, 1e-10);
                assert_vec3_near(rates.on_b_rate, abut_vec3_make(0.290281827649, -0.083884554711, 0.439019563705), 1e-9);
            }
        }
    }
    ma.pose.position = touching;
    static const double times[] = {0.01, 0.05}, gaps[] = {-0.007942874408914, -0.047098733062169};
    for (int i = 0; i < 2; ++i) {
        abut_separation s;
        assert_ok(abut_distance(&(abut_pair){a, later(&ma, times[i]), b, later(&mb, times[i])}, NULL, NULL, &s));
        assert_near(s.gap, gaps[i], 1e-9);
    }
    abut_shape_release(a);
    abut_shape_release(b);
}

typedef abut_shape *make_surface(user_ellipsoid *e);

static abut_shape *make_own(user_ellipsoid *e) {
    abut_shape *shape;
    assert_ok(abut_shape_create_ellipsoid(e->half, &shape));
    return shape;
}

static abut_shape *make_implicit(user_ellipsoid *e) {
    abut_shape *shape;
    abut_implicit_def def = user_ellipsoid_implicit(e);
    assert_ok(abut_shape_create_implicit(&def, &shape));
    return shape;
}

static abut_shape *make_parametric(user_ellipsoid *e) {
    abut_shape *shape;
    abut_parametric_def def = user_ellipsoid_parametric(e);
    assert_ok(abut_shape_create_parametric(&def, &shape));
    return shape;
}

static bool is_near_pole(const user_ellipsoid *e, abut_pose pose, abut_vec3 point) {
    return fabs(abut_pose_apply_inverse(pose, point).z) > 0.999 * e->half.z;
}

/* Eight, seven or six unknowns: the same pair as by the normal. From a cold start the equations have other roots; from a near start they
 * have not. */
static void all_systems(void **ignored) {
    (void)ignored;
    static make_surface *const make[] = {make_own, make_implicit, make_parametric};
    random_state random = random_make(random_seed("all_systems", 971));
    int32_t asked = 0, found = 0;
    for (int i = 0; i < 300; ++i) {
        user_ellipsoid ea = {
            .half = abut_vec3_make(random_range(&random, 0.4, 1), random_range(&random, 0.4, 1), random_range(&random, 0.4, 1))};
        user_ellipsoid eb = {
            .half = abut_vec3_make(random_range(&random, 0.4, 1), random_range(&random, 0.4, 1), random_range(&random, 0.4, 1))};
        abut_shape *a = make[i % 3](&ea), *b = make[i / 3 % 3](&eb);
        abut_pose pose_a = random_pose(&random, 1.0), pose_b = random_pose(&random, 0.0);
        pose_b.position = abut_add_scaled(pose_a.position, random_range(&random, 1.7, 3.0), random_direction(&random));
        abut_extremal by_normal, by_system, again;
        assert_ok(abut_extremal_find(&(abut_pair){a, pose_a, b, pose_b}, ABUT_EXTREMAL_NORMAL, NULL, &by_normal));
        abut_extremal near = by_normal;
        near.on_a = abut_add(near.on_a, random_vec3(&random, -0.02, 0.02));
        near.on_b = abut_add(near.on_b, random_vec3(&random, -0.02, 0.02));
        abut_status status = abut_extremal_find(&(abut_pair){a, pose_a, b, pose_b}, ABUT_EXTREMAL_SYSTEM, &near, &by_system);
        bool at_pole =
            (i % 3 == 2 && is_near_pole(&ea, pose_a, by_normal.on_a)) || (i / 3 % 3 == 2 && is_near_pole(&eb, pose_b, by_normal.on_b));
        if (status == ABUT_ERROR_ITERATION_LIMIT && at_pole) {
            abut_shape_release(a);
            abut_shape_release(b);
            continue; /* parameters that turn round at once */
        }
        assert_ok(status);
        assert_near(by_system.gap, by_normal.gap, 1e-10);
        assert_vec3_near(by_system.on_a, by_normal.on_a, 1e-8);
        assert_vec3_near(by_system.on_b, by_normal.on_b, 1e-8);
        assert_vec3_near(by_system.normal, by_normal.normal, 1e-8);
        ++asked;
        status = abut_extremal_find(&(abut_pair){a, pose_a, b, pose_b}, ABUT_EXTREMAL_SYSTEM, NULL, &again);
        found += status == ABUT_OK && fabs(again.gap - by_normal.gap) < 1e-9;
        assert_true(status == ABUT_OK || status == ABUT_ERROR_ITERATION_LIMIT || status == ABUT_ERROR_NOT_EXTREMAL ||
                    status == ABUT_ERROR_DEGENERATE);
        abut_shape_release(a);
        abut_shape_release(b);
    }
    printf("all_systems: from nothing %d of %d\n", found, asked);
    assert_true(found >= 9 * asked / 10);
}

/* A ball beside the inside of a ring: the other surface is a saddle there. Closed form: the ring's circle is at R, the gap to it less both
 * radii. */
static void saddles(void **ignored) {
    (void)ignored;
    user_torus t = {.ring = 2.0, .tube = 0.5};
    abut_implicit_def a = user_torus_implicit(&t);
    abut_parametric_def b = user_torus_parametric(&t);
    abut_shape *torus[2], *ball;
    assert_ok(abut_shape_create_implicit(&a, &torus[0]));
    assert_ok(abut_shape_create_parametric(&b, &torus[1]));
    assert_ok(abut_shape_create_sphere(0.3, &ball));
    for (int k = 0; k < 2; ++k) {
        abut_pose at = {abut_vec3_make(0.6, 0.8, 0.4), abut_quat_identity()}; /* 1 from the axis */
        double to_circle = hypot(2.0 - 1.0, 0.4), gap = to_circle - 0.5 - 0.3;
        abut_extremal start = {.on_a = {0.75, 1.0, 0.2}, .on_b = {0.9, 1.2, 0.2}, .normal = {-0.6, -0.8, 0.0}}, pair;
        assert_ok(abut_extremal_find(&(abut_pair){ball, at, torus[k], abut_pose_identity()}, ABUT_EXTREMAL_SYSTEM, &start, &pair));
        assert_near(pair.gap, gap, 1e-12);
        abut_vec3 circle = {1.2, 1.6, 0.0};
        assert_vec3_near(pair.normal, abut_unit(abut_sub(at.position, circle)), 1e-12);
        /* Its rates against differences. */
        abut_motion ma = {abut_vec3_make(0.3, -0.2, 0.5), abut_vec3_make(1, 2, 3)},
                    mb = {abut_vec3_make(0.1, 0.2, -0.1), abut_vec3_make(-0.4, 0.3, 0.6)};
        abut_rates rates;
        abut_extremal ahead, behind;
        const double h = 1e-4;
        assert_ok(abut_extremal_rates(&(abut_pair){ball, at, torus[k], abut_pose_identity()}, ma, mb, &pair, &rates));
        moving body_a = {.pose = at, .twist = ma}, body_b = {.pose = abut_pose_identity(), .twist = mb};
        assert_ok(
            abut_extremal_find(&(abut_pair){ball, later(&body_a, h), torus[k], later(&body_b, h)}, ABUT_EXTREMAL_SYSTEM, &pair, &ahead));
        assert_ok(
            abut_extremal_find(&(abut_pair){ball, later(&body_a, -h), torus[k], later(&body_b, -h)}, ABUT_EXTREMAL_SYSTEM, &pair, &behind));
        assert_near(rates.gap_rate, (ahead.gap - behind.gap) / (2.0 * h), 1e-7);
        assert_vec3_near(rates.normal_rate, abut_scale(0.5 / h, abut_sub(ahead.normal, behind.normal)), 1e-6);
        assert_vec3_near(rates.on_a_rate, abut_scale(0.5 / h, abut_sub(ahead.on_a, behind.on_a)), 1e-6);
        assert_vec3_near(rates.on_b_rate, abut_scale(0.5 / h, abut_sub(ahead.on_b, behind.on_b)), 1e-6);
        assert_status(abut_extremal_find(&(abut_pair){ball, at, torus[k], abut_pose_identity()}, ABUT_EXTREMAL_NORMAL, NULL, &pair),
                      ABUT_ERROR_UNSUPPORTED_PAIR);
        abut_shape_release(torus[k]);
    }
    abut_shape_release(ball);
}

/* One number after the other, because the order of evaluation in an initialiser is unspecified. */
static moving random_moving(random_state *random) {
    moving m = {.pose = random_pose(random, 0.5)};
    m.twist.linear = random_vec3(random, -1, 1);
    m.twist.angular = random_vec3(random, -1, 1);
    return m;
}

/* Rates of random pairs against finite differences, for ellipsoids with each other and with the features of a box. */
static void rates_are_differences(void **ignored) {
    (void)ignored;
    random_state random = random_make(random_seed("rates_are_differences", 972));
    abut_shape *egg, *other[3];
    assert_ok(abut_shape_create_ellipsoid(abut_vec3_make(0.9, 0.6, 0.4), &egg));
    assert_ok(abut_shape_create_superquadric(abut_vec3_make(0.5, 0.8, 0.6), 0.8, 1.2, &other[0]));
    assert_ok(abut_shape_create_box(abut_vec3_make(0.5, 0.4, 0.3), &other[1]));
    assert_ok(abut_shape_create_capsule(0.3, 0.5, &other[2]));
    int32_t checked = 0;
    for (int i = 0; i < 600; ++i) {
        const abut_shape *b = other[i % 3];
        moving ma = random_moving(&random), mb = random_moving(&random);
        double far = random_range(&random, 1.8, 2.4);
        mb.pose.position = abut_add_scaled(ma.pose.position, far, random_direction(&random));
        abut_extremal pair, ahead, behind;
        abut_rates rates;
        const double h = 1e-4;
        assert_ok(abut_extremal_find(&(abut_pair){egg, ma.pose, b, mb.pose}, ABUT_EXTREMAL_NORMAL, NULL, &pair));
        assert_ok(abut_extremal_rates(&(abut_pair){egg, ma.pose, b, mb.pose}, ma.twist, mb.twist, &pair, &rates));
        assert_ok(abut_extremal_find(&(abut_pair){egg, later(&ma, h), b, later(&mb, h)}, ABUT_EXTREMAL_NORMAL, &pair, &ahead));
        assert_ok(abut_extremal_find(&(abut_pair){egg, later(&ma, -h), b, later(&mb, -h)}, ABUT_EXTREMAL_NORMAL, &pair, &behind));
        bool same = ahead.feature_b.kind == pair.feature_b.kind && behind.feature_b.kind == pair.feature_b.kind &&
                    ahead.feature_b.index == pair.feature_b.index && behind.feature_b.index == pair.feature_b.index;
        if (!same) {
            continue; /* the pair passes from a feature to the next */
        }
        abut_extremal far_ahead, far_behind;
        assert_ok(
            abut_extremal_find(&(abut_pair){egg, later(&ma, 2.0 * h), b, later(&mb, 2.0 * h)}, ABUT_EXTREMAL_NORMAL, &pair, &far_ahead));
        assert_ok(
            abut_extremal_find(&(abut_pair){egg, later(&ma, -2.0 * h), b, later(&mb, -2.0 * h)}, ABUT_EXTREMAL_NORMAL, &pair, &far_behind));
        abut_vec3 n = abut_scale(0.5 / h, abut_sub(ahead.normal, behind.normal));
        abut_vec3 coarser = abut_scale(0.25 / h, abut_sub(far_ahead.normal, far_behind.normal));
        double large = 1.0 + abut_length(n) + abut_length(rates.on_b_rate);
        if (abut_distance_between(n, coarser) > 1e-5 * large * large) {
            continue; /* next to a place where a superquadric has no radius of curvature, differences are inaccurate for every step */
        }
        ++checked;
        assert_near(rates.gap_rate, (ahead.gap - behind.gap) / (2.0 * h), 1e-6);
        assert_vec3_near(rates.normal_rate, n, 1e-5 * large * large);
        assert_vec3_near(rates.on_a_rate, abut_scale(0.5 / h, abut_sub(ahead.on_a, behind.on_a)), 1e-5 * large * large);
        assert_vec3_near(rates.on_b_rate, abut_scale(0.5 / h, abut_sub(ahead.on_b, behind.on_b)), 1e-5 * large * large);
    }
    assert_true(checked > 500);
    for (int k = 0; k < 3; ++k) {
        abut_shape_release(other[k]);
    }
    abut_shape_release(egg);
}

/* Newton steps per time step of drifting, spinning ellipsoids: fewer from the previous pair, fewest from the predicted pair. */
static void predictions_save_steps(void **ignored) {
    (void)ignored;
    enum { PAIRS = 40, STEPS = 50 };
    random_state random = random_make(random_seed("predictions_save_steps", 973));
    int32_t cold = 0, warm = 0, predicted = 0, failed = 0;
    for (int i = 0; i < PAIRS; ++i) {
        abut_shape *a, *b;
        assert_ok(abut_shape_create_ellipsoid(
            abut_vec3_make(random_range(&random, 0.4, 1), random_range(&random, 0.4, 1), random_range(&random, 0.4, 1)), &a));
        assert_ok(abut_shape_create_ellipsoid(
            abut_vec3_make(random_range(&random, 0.4, 1), random_range(&random, 0.4, 1), random_range(&random, 0.4, 1)), &b));
        moving ma = {.pose = random_pose(&random, 0.0), .twist = {random_vec3(&random, -0.2, 0.2), random_vec3(&random, -1, 1)}};
        moving mb = {.pose = random_pose(&random, 0.0), .twist = {random_vec3(&random, -0.2, 0.2), random_vec3(&random, -1, 1)}};
        mb.pose.position = abut_scale(2.6, random_direction(&random));
        const double dt = 0.01;
        abut_extremal before, now, guess;
        assert_ok(abut_extremal_find(&(abut_pair){a, ma.pose, b, mb.pose}, ABUT_EXTREMAL_NORMAL, NULL, &before));
        for (int k = 0; k < STEPS; ++k) {
            abut_rates rates;
            assert_ok(abut_extremal_rates(&(abut_pair){a, ma.pose, b, mb.pose}, ma.twist, mb.twist, &before, &rates));
            guess = abut_extremal_predict(&before, &rates, dt);
            for (int j = 0; j < 2; ++j) {
                moving *m = j == 0 ? &ma : &mb;
                double angle = dt * abut_length(m->twist.angular);
                m->pose.position = abut_add_scaled(m->pose.position, dt, m->twist.linear);
                m->pose.rotation = abut_quat_unit(abut_quat_mul(abut_quat_about(abut_unit(m->twist.angular), angle), m->pose.rotation));
            }
            failed += abut_extremal_find(&(abut_pair){a, ma.pose, b, mb.pose}, ABUT_EXTREMAL_SYSTEM, NULL, &now) != ABUT_OK;
            cold += now.iterations;
            assert_ok(abut_extremal_find(&(abut_pair){a, ma.pose, b, mb.pose}, ABUT_EXTREMAL_SYSTEM, &before, &now));
            warm += now.iterations;
            assert_ok(abut_extremal_find(&(abut_pair){a, ma.pose, b, mb.pose}, ABUT_EXTREMAL_SYSTEM, &guess, &now));
            predicted += now.iterations;
            before = now;
        }
        abut_shape_release(a);
        abut_shape_release(b);
    }
    double each = 1.0 / (PAIRS * STEPS);
    printf("steps of Newton's method on the equations: cold %.2f, warm %.2f, predicted %.2f; cold failed %d\n", cold * each, warm * each,
           predicted * each, failed);
    assert_true(cold > warm && warm > predicted);
    assert_true(predicted * each <= 2.2);
}

static void statuses(void **ignored) {
    (void)ignored;
    abut_shape *egg, *box, *quad, *floor;
    assert_ok(abut_shape_create_ellipsoid(abut_vec3_make(1, 0.5, 0.5), &egg));
    assert_ok(abut_shape_create_superquadric(abut_vec3_make(1, 0.5, 0.5), 0.5, 0.5, &quad));
    assert_ok(abut_shape_create_box(abut_vec3_make(1, 0.5, 0.5), &box));
    assert_ok(abut_shape_create_plane(abut_vec3_make(0, 0, 1), 0.0, &floor));
    abut_pose o = abut_pose_identity(), p = {abut_vec3_make(3, 0, 0), abut_quat_identity()};
    abut_extremal pair = {.gap = 7.0}, bad = {.gap = NAN};
    abut_rates rates;
    abut_motion rest = {.linear = {0, 0, 0}}, wild = {.linear = {INFINITY, 0, 0}};
    assert_status(abut_extremal_find(&(abut_pair){egg, o, box, p}, ABUT_EXTREMAL_SYSTEM, NULL, &pair), ABUT_ERROR_UNSUPPORTED_PAIR);
    assert_status(abut_extremal_find(&(abut_pair){egg, o, quad, p}, ABUT_EXTREMAL_SYSTEM, NULL, &pair), ABUT_ERROR_UNSUPPORTED_PAIR);
    assert_status(abut_extremal_find(&(abut_pair){box, o, box, p}, ABUT_EXTREMAL_NORMAL, NULL, &pair), ABUT_ERROR_UNSUPPORTED_PAIR);
    assert_status(abut_extremal_find(&(abut_pair){egg, o, floor, p}, ABUT_EXTREMAL_NORMAL, NULL, &pair), ABUT_ERROR_UNSUPPORTED_PAIR);
    assert_status(abut_extremal_find(&(abut_pair){egg, o, egg, p}, ABUT_EXTREMAL_NORMAL, &bad, &pair), ABUT_ERROR_NOT_FINITE);
    assert_status(abut_extremal_find(&(abut_pair){egg, o, egg, p}, (abut_extremal_method)7, NULL, &pair), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_extremal_find(&(abut_pair){egg, o, egg, p}, ABUT_EXTREMAL_NORMAL, NULL, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_near(pair.gap, 7.0, 0.0);
    assert_ok(abut_extremal_find(&(abut_pair){egg, o, egg, p}, ABUT_EXTREMAL_NORMAL, NULL, &pair));
    assert_near(pair.gap, 1.0, 1e-14);
    assert_status(abut_extremal_rates(&(abut_pair){egg, o, egg, p}, wild, rest, &pair, &rates), ABUT_ERROR_NOT_FINITE);
    assert_status(abut_extremal_rates(&(abut_pair){egg, o, floor, p}, rest, rest, &pair, &rates), ABUT_ERROR_UNSUPPORTED_PAIR);
    assert_status(abut_extremal_rates(&(abut_pair){egg, o, egg, p}, rest, rest, NULL, &rates), ABUT_ERROR_INVALID_ARGUMENT);
    /* From the far sides of both, the equations lead to another root, whose points are not the closest ones. */
    abut_extremal far = {.on_a = {-1, 0, 0}, .on_b = {4, 0, 0}, .normal = {-1, 0, 0}}, root;
    assert_ok(abut_extremal_find(&(abut_pair){egg, o, egg, p}, ABUT_EXTREMAL_SYSTEM, &far, &root));
    assert_near(root.gap, -5.0, 1e-12);
    /* Both near sides with the same normal direction: the normals do not face each other. */
    abut_extremal same = {.on_a = {1, 0, 0}, .on_b = {4, 0, 0}, .normal = {-1, 0, 0}};
    assert_status(abut_extremal_find(&(abut_pair){egg, o, egg, p}, ABUT_EXTREMAL_SYSTEM, &same, &root), ABUT_ERROR_NOT_EXTREMAL);
    abut_shape_release(egg);
    abut_shape_release(quad);
    abut_shape_release(box);
    abut_shape_release(floor);
}

/* A ball at the middle of a ring's tube fits all around: no pair is isolated. */
static void a_fit(void **ignored) {
    (void)ignored;
    abut_shape *ball, *egg;
    assert_ok(abut_shape_create_sphere(0.5, &ball));
    assert_ok(abut_shape_create_ellipsoid(abut_vec3_make(0.5, 0.5, 0.5), &egg));
    abut_extremal pair = {.on_a = {0, 0, 0.5}, .on_b = {0, 0, -0.5}, .normal = {0, 0, -1}, .gap = -1.0};
    pair.feature_a = pair.feature_b = (abut_feature){.kind = ABUT_FEATURE_SMOOTH};
    abut_rates rates;
    abut_motion rest = {.linear = {0, 0, 0}};
    assert_status(abut_extremal_rates(&(abut_pair){ball, abut_pose_identity(), egg, abut_pose_identity()}, rest, rest, &pair, &rates),
                  ABUT_ERROR_DEGENERATE);
    abut_shape_release(ball);
    abut_shape_release(egg);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(known_state),
                                       cmocka_unit_test(all_systems),
                                       cmocka_unit_test(saddles),
                                       cmocka_unit_test(rates_are_differences),
                                       cmocka_unit_test(predictions_save_steps),
                                       cmocka_unit_test(statuses),
                                       cmocka_unit_test(a_fit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
