/*
 * Casts of bodies of rounded triangles. Closed forms: balls that fall. The oracle for other motions asks abut_distance() along the way: the surfaces stay apart
 * up to the hit, and are within the tolerance there. Then starts in touch: approaching, sliding, parting and overlapping.
 */
#include <stdio.h>
#include <stdlib.h>

#include <abut/abut.h>

#include "support/check.h"
#include "support/facet_body.h"
#include "support/random.h"
#include "support/shapes.h"

static tally t;

static int begin(void **state) {
    (void)state;
    t = (tally){.kinds = 0};
    return 0;
}

static abut_shape *ball(int level, double radius) {
    facet_body body = facet_body_ball(level);
    facet_body_scale(&body, abut_vec3_make(radius, radius, radius));
    abut_shape *shape = facet_body_round(&body, radius);
    facet_body_free(&body);
    return shape;
}

static const abut_motion rest = {{0, 0, 0}, {0, 0, 0}};

static abut_motion moves(abut_vec3 linear) { return (abut_motion){linear, {0, 0, 0}}; }

static abut_hit cast(const abut_pair *pair, abut_motion a, abut_motion b, double tolerance) {
    abut_hit hit;
    assert_ok(abut_shape_cast(pair, a, b, tolerance, &hit));
    return hit;
}

/* ---- closed forms ---- */

/* The touch is between half of the tolerance and all of it later. */
static void check_fraction(int32_t sample, const abut_hit *hit, double touch, double tolerance, double speed) {
    double before = (touch - hit->fraction) * speed, rounding = 1e-12 * speed;
    if (!hit->hit || hit->started_inside || !(before >= 0.5 * tolerance - rounding && before <= tolerance + rounding)) {
        tally_fail(&t, "fraction", "sample %d: %d at %.15g, touch %.15g, %.3g tolerances before", (int)sample, hit->hit, hit->fraction,
                   touch, before / tolerance);
    }
}

static void test_falling_balls(void **state) {
    (void)state;
    random_state random = random_make(random_seed("facet casts of balls", 1));
    int32_t count = random_samples("facet casts of balls", 300);
    for (int32_t i = 0; i < count; i++) {
        double size = random_log_range(&random, 1e-3, 1e3), ra = size, rb = size * random_log_range(&random, 0.1, 10.0);
        double gap = random_range(&random, 0.1, 3.0) * size, speed = gap * random_range(&random, 1.1, 100.0), tolerance = 1e-4 * size;
        int kind = random_below(&random, 3);
        abut_vec3 way = random_direction(&random);
        abut_shape *a = ball(random_below(&random, 3), ra);
        abut_shape *b = kind == 0 ? ball(1, rb) : kind == 1 ? sphere(rb) : plane(abut_neg(way), -(ra + gap));
        abut_pose pose_b = {abut_scale(kind == 2 ? 0.0 : ra + rb + gap, way),
                            kind == 2 ? abut_pose_identity().rotation : random_rotation(&random)};
        abut_pose pose_a = {{0, 0, 0}, random_rotation(&random)};
        /* A ball about its centre is the same ball however it turns. */
        abut_motion motion = {abut_scale(speed, way), abut_scale(random_below(&random, 2) ? 3.0 : 0.0, random_direction(&random))};
        abut_hit hit = cast(&(abut_pair){a, pose_a, b, pose_b}, motion, rest, tolerance);
        check_fraction(i, &hit, gap / speed, tolerance, speed);
        hit = cast(&(abut_pair){b, pose_b, a, pose_a}, rest, motion, tolerance);
        check_fraction(i, &hit, gap / speed, tolerance, speed);
        if (fabs(abut_dot(hit.normal, way) - 1.0) > 1e-9 ||
            abut_distance_between(hit.point, abut_scale(ra + hit.fraction * speed, way)) > 1e-6 * (ra + gap)) {
            tally_fail(&t, "place", "sample %d", (int)i);
        }
        hit = cast(&(abut_pair){a, pose_a, b, pose_b}, moves(abut_scale(0.9 * gap, way)), rest, tolerance);
        if (hit.hit || hit.fraction != 1.0) {
            tally_fail(&t, "too short a way", "sample %d", (int)i);
        }
        abut_shape_release(a);
        abut_shape_release(b);
    }
    tally_end(&t);
}

/* ---- any motion ---- */

static abut_shape *random_body(random_state *random) {
    int kind = random_below(random, 3);
    facet_body body = kind == 2 ? facet_body_torus(1.0, random_range(random, 0.2, 0.8), 11, 7) : facet_body_ball(kind);
    facet_body_scale(&body, (abut_vec3){random_range(random, 0.4, 1.5), random_range(random, 0.4, 1.5), random_range(random, 0.4, 1.5)});
    abut_shape *shape = random_below(random, 2) ? facet_body_round(&body, INFINITY) : facet_body_shape(&body, NULL);
    facet_body_free(&body);
    return shape;
}

static abut_shape *random_other(random_state *random) {
    abut_shape *shape;
    switch (random_below(random, 8)) {
    case 0:
        return sphere(random_range(random, 0.2, 1.0));
    case 1:
        return box(1.0, 0.5, 0.3);
    case 2:
        return plane(random_direction(random), -1.0);
    case 3:
        return cylinder(0.5, 0.5);
    case 4:
        return capsule(0.3, 0.6);
    case 5:
        assert_ok(abut_shape_create_torus(0.6, 0.2, &shape));
        return shape;
    default:
        return random_body(random);
    }
}

static abut_pose moved(abut_pose pose, abut_motion motion, double fraction) {
    abut_vec3 axis = abut_unit(motion.angular);
    abut_quat turn = abut_quat_about(axis, fraction * abut_length(motion.angular));
    return (abut_pose){abut_add_scaled(pose.position, fraction, motion.linear), abut_quat_unit(abut_quat_mul(turn, pose.rotation))};
}

static double gap_at(const abut_pair *pair, abut_motion a, abut_motion b, double fraction) {
    abut_separation s;
    assert_ok(
        abut_distance(&(abut_pair){pair->a, moved(pair->pose_a, a, fraction), pair->b, moved(pair->pose_b, b, fraction)}, NULL, NULL, &s));
    return s.gap;
}

/* Contacts begin up to this gap (test_apart.c), where the distance jumps to 0. */
static const double onset = 0.2;

static void check_way(int32_t sample, const abut_pair *pair, abut_motion a, abut_motion b, double tolerance, const abut_hit *hit) {
    enum { LOOKS = 12 };
    double least = INFINITY;
    for (int i = 0; i < LOOKS; ++i) {
        double gap = gap_at(pair, a, b, hit->fraction * i / LOOKS);
        least = gap > 0.0 ? fmin(least, gap) : least;
    }
    double end = gap_at(pair, a, b, hit->fraction);
    if (least < 0.499 * tolerance) {
        tally_fail(&t, "past a touch", "sample %d: gap %.9g before the end at %.9g", (int)sample, least, hit->fraction);
    }
    if (hit->hit && !(end <= 1.001 * tolerance && (end >= 0.499 * tolerance || end <= 0.0))) {
        tally_fail(&t, "gap at the hit", "sample %d: %.9g at %.9g", (int)sample, end, hit->fraction);
    }
}

/* Roughly towards a point. */
static abut_motion random_motion(random_state *random, abut_vec3 way) {
    abut_vec3 turn =
        random_below(random, 3) ? abut_scale(random_log_range(random, 0.1, 20.0), random_direction(random)) : abut_vec3_make(0, 0, 0);
    return (abut_motion){abut_add(abut_scale(random_range(random, 0.0, 1.5), way), random_direction(random)), turn};
}

static void test_any_motion(void **state) {
    (void)state;
    random_state random = random_make(random_seed("facet casts", 2));
    int32_t count = random_samples("facet casts", 150), hits = 0, limits = 0, most = 0;
    double steps = 0.0;
    for (int32_t i = 0; i < count; i++) {
        abut_shape *a = random_body(&random), *b = random_other(&random);
        abut_pair pair = {a, random_pose(&random, 1.0), b, random_pose(&random, 5.0)};
        abut_vec3 way = abut_sub(pair.pose_b.position, pair.pose_a.position);
        abut_motion motion_a = random_motion(&random, way), motion_b = random_motion(&random, abut_vec3_make(0, 0, 0));
        const double tolerance = 1e-3;
        abut_hit hit, other;
        if (gap_at(&pair, motion_a, motion_b, 0.0) > onset) {
            abut_status status = abut_shape_cast(&pair, motion_a, motion_b, tolerance, &hit);
            limits += status == ABUT_ERROR_ITERATION_LIMIT;
            assert_true(status == ABUT_OK || status == ABUT_ERROR_ITERATION_LIMIT);
            check_way(i, &pair, motion_a, motion_b, tolerance, &hit);
            hits += hit.hit;
            steps += hit.iterations;
            most = hit.iterations > most ? hit.iterations : most;
            abut_pair swapped = {b, pair.pose_b, a, pair.pose_a};
            abut_status second = abut_shape_cast(&swapped, motion_b, motion_a, tolerance, &other);
            if (status == ABUT_OK && second == ABUT_OK && (hit.hit != other.hit || fabs(hit.fraction - other.fraction) > 0.05)) {
                tally_fail(&t, "exchanged", "sample %d: %d at %.9g, %d at %.9g", (int)i, hit.hit, hit.fraction, other.hit, other.fraction);
            }
        }
        abut_shape_release(a);
        abut_shape_release(b);
    }
    print_message("%d hits, %d without an end, %.1f steps in the mean, %d at most\n", (int)hits, (int)limits, steps / count, (int)most);
    if (hits < count / 8 || limits > count / 20) {
        tally_fail(&t, "counts", "%d hits, %d limits of %d", (int)hits, (int)limits, (int)count);
    }
    tally_end(&t);
}

/* ---- starts in touch ---- */

static void test_starts_in_touch(void **state) {
    (void)state;
    abut_shape *a = ball(2, 1.0), *floor = plane(abut_vec3_make(0, 0, 1), 0.0), *ground = box(20, 20, 1);
    abut_pose on_top = at(0, 0, 1.0);
    for (int k = 0; k < 2; ++k) {
        abut_pair pair = {a, on_top, k == 0 ? floor : ground, k == 0 ? abut_pose_identity() : at(0, 0, -1)};
        abut_hit hit = cast(&pair, moves(abut_vec3_make(0, 0, -1)), rest, 0.0);
        assert_true(hit.hit && hit.fraction <= 1e-6);
        hit = cast(&pair, moves(abut_vec3_make(3, 1, 0)), rest, 0.0);
        assert_false(hit.hit);
        hit = cast(&pair, moves(abut_vec3_make(0, 0, 1)), rest, 0.0);
        assert_false(hit.hit);
        hit = cast(&pair, rest, rest, 0.0);
        assert_true(hit.fraction == 0.0 || !hit.hit);
        pair.pose_a = at(0, 0, 0.9);
        hit = cast(&pair, moves(abut_vec3_make(0, 0, 1)), rest, 0.0);
        assert_true(hit.hit && hit.started_inside && hit.fraction == 0.0);
    }
    /* A ball that slides on the floor stops at a wall. */
    abut_shape *walls = NULL, *parts[] = {box(20, 20, 1), box(1, 20, 20)};
    const abut_part placed[] = {{parts[0], at(0, 0, -1)}, {parts[1], at(6, 0, 0)}};
    assert_ok(abut_shape_create_compound(placed, 2, &walls));
    abut_hit hit = cast(&(abut_pair){a, on_top, walls, abut_pose_identity()}, moves(abut_vec3_make(10, 0, 0)), rest, 1e-6);
    assert_true(hit.hit && !hit.started_inside);
    assert_near(hit.fraction, 0.4, 1e-6);
    abut_shape_release(walls);
    abut_shape_release(parts[0]);
    abut_shape_release(parts[1]);
    abut_shape_release(a);
    abut_shape_release(floor);
    abut_shape_release(ground);
}

/* A ball that spins in place beside a wall needs few steps, however many turns it makes. */
static void test_spinning_beside(void **state) {
    (void)state;
    abut_shape *a = ball(1, 1.0), *wall = plane(abut_vec3_make(-1, 0, 0), -1.01);
    abut_hit hit = cast(&(abut_pair){a, at(0, 0, 0), wall, abut_pose_identity()}, (abut_motion){{0, 1, 0}, {300, 200, 100}}, rest, 0.0);
    assert_false(hit.hit);
    assert_true(hit.iterations <= 3);
    abut_shape_release(a);
    abut_shape_release(wall);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_falling_balls, begin),
        cmocka_unit_test_setup(test_any_motion, begin),
        cmocka_unit_test_setup(test_starts_in_touch, begin),
        cmocka_unit_test_setup(test_spinning_beside, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
