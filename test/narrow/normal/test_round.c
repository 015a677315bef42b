/* Spheres, capsules and planes against all kinds: closed forms, and for the rest the exact signed distance of the cores minus the radii, by
 * enumeration. World frame, normal from B into A. */
#include "narrow/normal/round.h"
#include "support/check.h"
#include "support/shapes.h"

#include <stdio.h>

static const abut_vec3 up = {0, 0, 1};
static check_answer answer, other;

/* Axis along x. */
static abut_pose lying(double x, double y, double z) { return turned(at(x, y, z), abut_vec3_make(0, 1, 0), PI / 2); }

/* Collides in both orders, releases the shapes, and leaves the result in `answer`. Every result must be valid: finite, unit normal, gap = n
 * . (a - b). */
static void collide(abut_shape *a, abut_pose pose_a, abut_shape *b, abut_pose pose_b, double margin, int32_t count, double deepest) {
    static tally t;
    t.kinds = 0;
    abut_collide_settings settings = abut_collide_settings_default();
    settings.margin = margin;
    check_pair pair = {.a = a, .b = b, .pose_a = pose_a, .pose_b = pose_b, .size = 1.0};
    check_pair swapped = {.a = b, .b = a, .pose_a = pose_b, .pose_b = pose_a, .size = 1.0};
    check_collide(&t, &swapped, &settings, &other);
    check_collide(&t, &pair, &settings, &answer);
    check_contacts(&t, &pair, &answer, margin, false);
    tally_end(&t);
    abut_shape_release(a);
    abut_shape_release(b);
    assert_int_equal(answer.count, count);
    assert_int_equal(other.count, count);
    if (count > 0) {
        assert_near(check_deepest(&answer), deepest, 1e-12);
        assert_near(check_deepest(&other), deepest, 1e-12);
    }
}

/* Checks the normal of the last answer, with the opposite sign for the other order. */
static void normal_is(abut_vec3 normal) {
    for (int32_t i = 0; i < answer.count; i++) {
        assert_vec3_near(answer.contacts[i].normal, normal, 1e-12);
        assert_vec3_near(other.contacts[i].normal, abut_neg(normal), 1e-12);
    }
}

static void chosen_is(bool chosen) {
    for (int32_t i = 0; i < answer.count; i++) {
        assert_int_equal((answer.contacts[i].flags & ABUT_CONTACT_NORMAL_CHOSEN) != 0, chosen);
    }
}

/* The two contacts lie at these points of B, in either order. */
static void points_are(abut_vec3 p, abut_vec3 q, double tolerance) {
    assert_int_equal(answer.count, 2);
    bool straight = abut_distance_between(answer.contacts[0].on_b, p) < abut_distance_between(answer.contacts[0].on_b, q);
    assert_vec3_near(answer.contacts[0].on_b, straight ? p : q, tolerance);
    assert_vec3_near(answer.contacts[1].on_b, straight ? q : p, tolerance);
}

static void sphere_sphere(void **state) {
    (void)state;
    collide(sphere(0.5), at(0, 0.3, 0.4), sphere(0.25), at(0, 0, 0), 0.0, 1, 0.5 - 0.75);
    normal_is(abut_vec3_make(0, 0.6, 0.8));
    chosen_is(false);
    assert_vec3_near(answer.contacts[0].on_a, abut_vec3_make(0, 0, 0), 1e-15);
    assert_vec3_near(answer.contacts[0].on_b, abut_vec3_make(0, 0.15, 0.2), 1e-15);
    assert_int_equal(answer.contacts[0].feature_a.kind, ABUT_FEATURE_SMOOTH);
    assert_near(answer.contacts[0].area, 0.0, 0.0);
    collide(sphere(0.5), at(0, 0.6, 0.8), sphere(0.4), at(0, 0, 0), 0.2, 1, 0.1);
    collide(sphere(0.5), at(0, 0.6, 0.8), sphere(0.4), at(0, 0, 0), 0.05, 0, 0.0);
    /* One inside the other. */
    collide(sphere(2.0), at(0, 0, 0.1), sphere(0.25), at(0, 0, 0), 0.0, 1, 0.1 - 2.25);
    normal_is(up);
    /* Centres on one point: some unit normal, and the sum of the radii. */
    collide(sphere(0.5), at(1, 2, 3), sphere(0.25), at(1, 2, 3), 0.0, 1, -0.75);
    chosen_is(true);
    collide(sphere(0.5), at(1e-300, 0, 0), sphere(0.25), at(0, 0, 0), 0.0, 1, -0.75);
    collide(sphere(0.5), at(1e-9, 0, 0), sphere(0.25), at(0, 0, 0), 0.0, 1, 1e-9 - 0.75);
    normal_is(abut_vec3_make(1, 0, 0));
    chosen_is(false);
}

static void sphere_box(void **state) {
    (void)state;
    collide(sphere(0.5), at(0.2, 0.1, 1.4), box(1, 1, 1), at(0, 0, 0), 0.0, 1, -0.1);
    normal_is(up);
    collide(sphere(0.5), at(1.3, 0.1, 1.4), box(1, 1, 1), at(0, 0, 0), 0.1, 1, 0.0);
    normal_is(abut_vec3_make(0.6, 0, 0.8));
    collide(sphere(0.5), at(1.1, 1.2, 1.2), box(1, 1, 1), at(0, 0, 0), 0.0, 1, 0.3 - 0.5);
    normal_is(abut_vec3_make(1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0));
    /* The centre inside: the way out is through the nearest face. */
    collide(sphere(0.5), at(0.2, -0.7, 0.3), box(1, 1, 1), at(0, 0, 0), 0.0, 1, -0.8);
    normal_is(abut_vec3_make(0, -1, 0));
    chosen_is(false);
    /* On a face, on an edge, on a corner, in the middle. */
    collide(sphere(0.5), at(0.2, 0.1, 1.0), box(1, 1, 1), at(0, 0, 0), 0.0, 1, -0.5);
    normal_is(up);
    collide(sphere(0.5), at(0.2, 1.0, 1.0), box(1, 1, 1), at(0, 0, 0), 0.0, 1, -0.5);
    assert_true(answer.contacts[0].normal.y >= 0.0 && answer.contacts[0].normal.z >= 0.0 && fabs(answer.contacts[0].normal.x) < 1e-12);
    chosen_is(true);
    collide(sphere(0.5), at(1.0, 1.0, 1.0), box(1, 1, 1), at(0, 0, 0), 0.0, 1, -0.5);
    chosen_is(true);
    collide(sphere(0.5), at(0, 0, 0), box(1, 2, 3), at(0, 0, 0), 0.0, 1, -1.5);
    chosen_is(true);
    assert_near(fabs(answer.contacts[0].normal.x), 1.0, 1e-12);
    collide(sphere(0.5), at(0, 0, 0), box(1, 1, 1), at(0, 0, 0), 0.0, 1, -1.5);
    chosen_is(true);
}

static void sphere_plane(void **state) {
    (void)state;
    collide(sphere(0.5), at(3, -2, 0.4), plane(up, 0.0), at(0, 0, 0), 0.0, 1, -0.1);
    normal_is(up);
    assert_vec3_near(answer.contacts[0].on_a, abut_vec3_make(3, -2, -0.1), 1e-15);
    assert_vec3_near(answer.contacts[0].on_b, abut_vec3_make(3, -2, 0), 1e-15);
    collide(sphere(0.5), at(3, -2, -7), plane(up, 0.0), at(0, 0, 0), 0.0, 1, -7.5);
    collide(sphere(0.5), at(3, -2, 0.6), plane(up, 0.0), at(0, 0, 0), 0.0, 0, 0.0);
    collide(sphere(0.5), at(3, -2, 0.6), plane(up, 0.0), at(0, 0, 0), 0.11, 1, 0.1);
    /* A plane with an offset, turned and moved. */
    abut_pose pose = turned(at(0, 0, 1), abut_vec3_make(0, 1, 0), PI / 2);
    collide(sphere(0.5), at(2.4, 5, 6), plane(abut_vec3_make(0, 0, 10), 2.0), pose, 0.0, 1, -0.1);
    normal_is(abut_vec3_make(1, 0, 0));
}

static void sphere_capsule(void **state) {
    (void)state;
    collide(sphere(0.3), at(0.5, 0, 0.4), capsule(0.25, 1.0), at(0, 0, 0), 0.0, 1, -0.05);
    normal_is(abut_vec3_make(1, 0, 0));
    assert_int_equal(answer.contacts[0].feature_b.index, 2);
    collide(sphere(0.3), at(0.3, 0, 1.4), capsule(0.25, 1.0), at(0, 0, 0), 0.0, 1, -0.05);
    normal_is(abut_vec3_make(0.6, 0, 0.8));
    assert_int_equal(answer.contacts[0].feature_b.index, 1);
    collide(sphere(0.3), at(0.3, 0, -1.4), capsule(0.25, 1.0), at(0, 0, 0), 0.0, 1, -0.05);
    assert_int_equal(answer.contacts[0].feature_b.index, 0);
    /* The centre on the axis: any normal perpendicular to it; beyond its end, the normal along it. */
    collide(sphere(0.3), at(0, 0, 0.4), capsule(0.25, 1.0), at(0, 0, 0), 0.0, 1, -0.55);
    chosen_is(true);
    assert_near(answer.contacts[0].normal.z, 0.0, 1e-12);
    collide(sphere(0.3), at(0, 0, 1.2), capsule(0.25, 1.0), at(0, 0, 0), 0.0, 1, 0.2 - 0.55);
    normal_is(up);
    collide(sphere(0.3), at(0, 0, 1.0), capsule(0.25, 1.0), at(0, 0, 0), 0.0, 1, -0.55);
    chosen_is(true);
}

/* A ball whose centre lies almost on the axis of a capsule. The direction of so short a difference of long vectors has rounding error along
 * the axis, too, and the depth along it would be less than that of the contact. */
static void ball_almost_on_an_axis(void **state) {
    (void)state;
    random_state random = random_make(random_seed("ball_almost_on_an_axis", 57));
    for (int sample = 0; sample < 2000; sample++) {
        abut_pose bar_pose = random_pose(&random, random_log_range(&random, 1e-2, 1e6)), ball_pose = at(0, 0, 0);
        abut_vec3 side, other_side, axis = abut_quat_rotate(bar_pose.rotation, up);
        abut_tangent_frame(axis, &side, &other_side);
        double off = random_log_range(&random, 1e-13, 1e-6), along = random_range(&random, -0.9, 0.9);
        ball_pose.position = abut_add(bar_pose.position, abut_add(abut_scale(off, side), abut_scale(along, axis)));
        abut_shape *ball = sphere(0.3), *bar = capsule(0.25, 1.0);
        const abut_shape *bodies[2] = {ball, bar};
        const abut_pose poses[2] = {ball_pose, bar_pose};
        for (int k = 0; k < 2; k++) {
            abut_contact contact;
            int32_t count;
            assert_ok(abut_collide(&(abut_pair){bodies[k], poses[k], bodies[1 - k], poses[1 - k]}, NULL, NULL, &contact, 1, &count));
            assert_int_equal(count, 1);
            assert_near(abut_dot(contact.normal, axis), 0.0, 1e-14);
            assert_near(contact.gap, -0.55, 1.1 * off + 1e-15 * abut_length(bar_pose.position) + 1e-14);
        }
        abut_shape_release(ball);
        abut_shape_release(bar);
    }
}

static void capsule_capsule(void **state) {
    (void)state;
    /* Crossed, one above the other. */
    collide(capsule(0.2, 1.0), lying(0.3, 0.4, 0.35), capsule(0.2, 1.0), turned(at(0, 0, 0), abut_vec3_make(1, 0, 0), PI / 2), 0.0, 1,
            -0.05);
    normal_is(up);
    assert_vec3_near(answer.contacts[0].on_b, abut_vec3_make(0, 0.4, 0.2), 1e-12);
    /* Parallel side by side: the ends of the overlap. */
    collide(capsule(0.2, 1.0), lying(0.5, 0, 0.35), capsule(0.2, 1.0), lying(0, 0, 0), 0.0, 2, -0.05);
    normal_is(up);
    points_are(abut_vec3_make(-0.5, 0, 0.2), abut_vec3_make(1.0, 0, 0.2), 1e-12);
    assert_near(answer.contacts[1].gap, answer.contacts[0].gap, 1e-12);
    /* The same, antiparallel, and one shorter inside the span of the other. */
    collide(capsule(0.2, 0.3), turned(lying(0.1, 0, 0.35), up, PI), capsule(0.2, 1.0), lying(0, 0, 0), 0.0, 2, -0.05);
    normal_is(up);
    points_are(abut_vec3_make(-0.2, 0, 0.2), abut_vec3_make(0.4, 0, 0.2), 1e-12);
    /* Axes that cross: the depth is the sum of the radii, the normal is across both. */
    collide(capsule(0.2, 1.0), lying(0, 0, 0), capsule(0.3, 1.0), at(0, 0, 0), 0.0, 1, -0.5);
    chosen_is(true);
    assert_near(fabs(answer.contacts[0].normal.y), 1.0, 1e-12);
    /* Collinear: overlapping, nested, end to end, apart. */
    collide(capsule(0.2, 1.0), lying(0.5, 0, 0), capsule(0.3, 1.0), lying(0, 0, 0), 0.0, 2, -0.5);
    chosen_is(true);
    assert_near(answer.contacts[0].normal.x, 0.0, 1e-12);
    collide(capsule(0.2, 1.0), lying(0, 0, 0), capsule(0.2, 1.0), lying(0, 0, 0), 0.0, 2, -0.4);
    chosen_is(true);
    collide(capsule(0.2, 1.0), lying(2.3, 0, 0), capsule(0.3, 1.0), lying(0, 0, 0), 0.0, 1, 0.3 - 0.5);
    normal_is(abut_vec3_make(1, 0, 0));
    chosen_is(false);
    collide(capsule(0.2, 1.0), lying(2.0, 0, 0), capsule(0.3, 1.0), lying(0, 0, 0), 0.0, 1, -0.5);
    collide(capsule(0.2, 1.0), lying(2.6, 0, 0), capsule(0.3, 1.0), lying(0, 0, 0), 0.2, 1, 0.1);
    collide(capsule(0.2, 1.0), lying(2.6, 0, 0), capsule(0.3, 1.0), lying(0, 0, 0), 0.0, 0, 0.0);
    /* End over end. */
    collide(capsule(0.2, 1.0), lying(2.3, 0, 0.4), capsule(0.4, 1.0), lying(0, 0, 0), 0.0, 1, 0.5 - 0.6);
    normal_is(abut_vec3_make(0.6, 0, 0.8));
}

/* A capsule of zero length is a sphere, also in the ids, points and gaps of its contacts. */
static void zero_length_capsule(void **state) {
    (void)state;
    static tally t;
    random_state random = random_make(random_seed("zero_length_capsule", 51));
    abut_shape *ball = sphere(0.4), *bead = capsule(0.4, 0.0), *cube = box(0.5, 0.4, 0.3), *bar = capsule(0.2, 0.6),
               *floor = plane(up, 0.1);
    abut_shape *others[5] = {cube, bar, floor, ball, bead};
    for (int i = 0; i < 500; i++) {
        abut_shape *partner = others[i % 5];
        check_pair pair = {.a = ball, .b = partner, .pose_a = random_pose(&random, 0.8), .pose_b = random_pose(&random, 0.3), .size = 1.0};
        tally_sample(&t, "sample %d with a %s", i, abut_kind_name(abut_shape_kind(partner)));
        check_collide(&t, &pair, NULL, &answer);
        pair.a = bead;
        check_collide(&t, &pair, NULL, &other);
        check_same(&t, "capsule of length 0 and sphere", &other, &answer, abut_pose_identity(), 1.0, false, 1e-12);
    }
    tally_end(&t);
    for (int i = 0; i < 5; i++) {
        abut_shape_release(others[i]);
    }
}

static void capsule_box(void **state) {
    (void)state;
    /* Lying on a face, and half over its rim. */
    collide(capsule(0.2, 0.5), lying(0.1, 0.3, 1.19), box(1, 1, 1), at(0, 0, 0), 0.0, 2, -0.01);
    normal_is(up);
    points_are(abut_vec3_make(-0.4, 0.3, 1), abut_vec3_make(0.6, 0.3, 1), 1e-12);
    assert_near(answer.contacts[1].gap, answer.contacts[0].gap, 1e-12);
    collide(capsule(0.2, 0.5), lying(0.8, 0.3, 1.19), box(1, 1, 1), at(0, 0, 0), 0.0, 2, -0.01);
    normal_is(up);
    points_are(abut_vec3_make(0.3, 0.3, 1), abut_vec3_make(1.0, 0.3, 1), 1e-12);
    /* Upright on the face. */
    collide(capsule(0.2, 0.5), at(0.1, 0.3, 1.69), box(1, 1, 1), at(0, 0, 0), 0.0, 1, -0.01);
    normal_is(up);
    assert_vec3_near(answer.contacts[0].on_b, abut_vec3_make(0.1, 0.3, 1), 1e-12);
    /* Along an edge of the box: the two ends of the overlap. */
    collide(capsule(0.5, 0.7), lying(0.6, 1.24, 1.32), box(1, 1, 1), at(0, 0, 0), 0.0, 2, -0.1);
    normal_is(abut_vec3_make(0, 0.6, 0.8));
    points_are(abut_vec3_make(-0.1, 1, 1), abut_vec3_make(1.0, 1, 1), 1e-12);
    /* Across an edge of the box. */
    abut_pose across = turned(turned(at(0, 1, 1), abut_vec3_make(1, 0, 0), PI / 4), up, 0.0);
    across.position = abut_add_scaled(across.position, 0.25, abut_vec3_make(0, sqrt(0.5), sqrt(0.5)));
    collide(capsule(0.3, 0.7), across, box(1, 1, 1), at(0, 0, 0), 0.0, 1, -0.05);
    normal_is(abut_vec3_make(0, sqrt(0.5), sqrt(0.5)));
    /* The axis inside the box: the shortest way out, and contacts at both ends. */
    collide(capsule(0.2, 0.5), lying(0.1, 0.3, 0.8), box(1, 1, 1), at(0, 0, 0), 0.0, 2, -0.4);
    normal_is(up);
    collide(capsule(0.2, 0.5), lying(0, 0, 0), box(2, 2, 1), at(0, 0, 0), 0.0, 2, -1.2);
    chosen_is(true);
    assert_near(fabs(answer.contacts[0].normal.z), 1.0, 1e-12);
    /* The axis passes through the box and is longer than it. */
    collide(capsule(0.1, 3.0), lying(0.1, 0.3, 0.8), box(1, 1, 1), at(0, 0, 0), 0.0, 2, -0.3);
    normal_is(up);
    points_are(abut_vec3_make(-1, 0.3, 1), abut_vec3_make(1, 0.3, 1), 1e-12);
    /* The axis in the plane of the face. */
    collide(capsule(0.2, 0.5), lying(0.1, 0.3, 1.0), box(1, 1, 1), at(0, 0, 0), 0.0, 2, -0.2);
    normal_is(up);
}

static void capsule_plane(void **state) {
    (void)state;
    collide(capsule(0.2, 0.5), lying(0.1, 0.3, 0.19), plane(up, 0.0), at(0, 0, 0), 0.0, 2, -0.01);
    normal_is(up);
    points_are(abut_vec3_make(-0.4, 0.3, 0), abut_vec3_make(0.6, 0.3, 0), 1e-12);
    collide(capsule(0.2, 0.5), at(0.1, 0.3, 0.69), plane(up, 0.0), at(0, 0, 0), 0.0, 1, -0.01);
    normal_is(up);
    assert_vec3_near(answer.contacts[0].on_a, abut_vec3_make(0.1, 0.3, -0.01), 1e-12);
    /* Tilted well beyond the feature angle: the lower end. */
    double tilt = 0.3, low = 0.5 * sin(tilt);
    collide(capsule(0.2, 0.5), turned(lying(0, 0, low + 0.15), abut_vec3_make(0, 1, 0), tilt), plane(up, 0.0), at(0, 0, 0), 0.0, 1, -0.05);
    assert_near(answer.contacts[0].on_b.x, 0.5 * cos(tilt), 1e-12);
    /* Tilted within it: both ends, each with its own gap. */
    tilt = 0.01;
    low = 0.5 * sin(tilt);
    collide(capsule(0.2, 0.5), turned(lying(0, 0, 0.18), abut_vec3_make(0, 1, 0), tilt), plane(up, 0.0), at(0, 0, 0), 0.0, 2, -0.02 - low);
    /* Below the upper end the surface is the cylinder, which a vertical line meets slightly later. */
    assert_near(answer.contacts[0].gap + answer.contacts[1].gap, -0.04 - 0.2 * (1.0 / cos(tilt) - 1.0), 1e-12);
}

static void box_plane(void **state) {
    (void)state;
    collide(box(0.5, 0.4, 0.3), at(1, 2, 0.29), plane(up, 0.0), at(0, 0, 0), 0.0, 4, -0.01);
    normal_is(up);
    chosen_is(false);
    assert_near(check_area(&answer), 0.8, 1e-12);
    for (int i = 0; i < 4; i++) {
        assert_near(answer.contacts[i].gap, -0.01, 1e-15);
        assert_int_equal(answer.contacts[i].feature_a.kind, ABUT_FEATURE_VERTEX);
        assert_int_equal(answer.contacts[i].feature_b.kind, ABUT_FEATURE_FACE);
        assert_int_equal(answer.contacts[i].feature_b.index, 0);
    }
    collide(box(0.5, 0.5, 0.5), turned(at(0, 0, sqrt(0.5) - 0.01), abut_vec3_make(1, 0, 0), PI / 4), plane(up, 0.0), at(0, 0, 0), 0.0, 2,
            -0.01);
    abut_pose corner =
        turned(turned(at(0, 0, sqrt(0.75) - 0.01), abut_vec3_make(0, 1, 0), PI / 4), abut_vec3_make(1, 0, 0), atan(1.0 / sqrt(2.0)));
    collide(box(0.5, 0.5, 0.5), corner, plane(up, 0.0), at(0, 0, 0), 0.0, 1, -0.01);
    /* Sunk below it. */
    collide(box(0.5, 0.5, 0.5), at(0, 0, -10), plane(up, 0.0), at(0, 0, 0), 0.0, 4, -10.5);
    collide(box(0.5, 0.5, 0.5), at(0, 0, 0.6), plane(up, 0.0), at(0, 0, 0), 0.0, 0, 0.0);
    collide(box(0.5, 0.5, 0.5), at(0, 0, 0.6), plane(up, 0.0), at(0, 0, 0), 0.2, 4, 0.1);
}

/* Any polytope on any plane: the depth is that of the lowest vertex. */
static void polytopes_on_planes(void **state) {
    (void)state;
    static tally t;
    random_state random = random_make(random_seed("polytopes_on_planes", 52));
    for (int i = 0; i < 500; i++) {
        solid s = i % 3 == 0   ? solid_box(random_vec3(&random, 0.2, 0.6))
                  : i % 3 == 1 ? solid_prism(0.5, 0.4, 3 + i % 30)
                               : solid_cloud(&random, 4 + i % 30, random_vec3(&random, 0.2, 0.6));
        abut_vec3 local = random_direction(&random);
        abut_pose pose_a = random_pose(&random, 0.5), pose_b = random_pose(&random, 0.3);
        double offset = random_range(&random, -0.2, 0.2);
        abut_vec3 normal = abut_quat_rotate(pose_b.rotation, local);
        oracle_body body = oracle_solid(&s, pose_a);
        double lowest = -oracle_support(&body, abut_neg(normal)) - abut_dot(normal, pose_b.position) - offset;
        check_pair pair = {.a = solid_shape(&s),
                           .b = plane(abut_scale(3.0, local), offset),
                           .pose_a = pose_a,
                           .pose_b = pose_b,
                           .oracle_a = &body,
                           .size = 1.0};
        abut_collide_settings settings = abut_collide_settings_default();
        settings.margin = 0.1;
        tally_sample(&t, "sample %d, lowest vertex at %.17g", i, lowest);
        check_collide(&t, &pair, &settings, &answer);
        check_contacts(&t, &pair, &answer, settings.margin, false);
        if ((answer.count > 0) != (lowest <= settings.margin)) {
            tally_fail(&t, "plane: wrong contact", "%d contacts, lowest %.17g", (int)answer.count, lowest);
        }
        for (int32_t k = 0; k < answer.count; k++) {
            if (!(abut_distance_between(answer.contacts[k].normal, normal) <= 1e-12)) {
                tally_fail(&t, "plane: normal", "off by %.3g", abut_distance_between(answer.contacts[k].normal, normal));
            }
        }
        if (answer.count > 0 && !(fabs(check_deepest(&answer) - lowest) <= 1e-12)) {
            tally_fail(&t, "plane: deepest is not the lowest vertex", "deepest %.17g, lowest %.17g", check_deepest(&answer), lowest);
        }
        abut_shape_release(pair.a);
        abut_shape_release(pair.b);
        oracle_free(&body);
        solid_free(&s);
    }
    tally_end(&t);
}

/* A round body and any other, shallow, deep and apart: the gap is the exact signed distance. */
static void random_round_pairs(void **state) {
    (void)state;
    static tally t;
    random_state random = random_make(random_seed("random_round_pairs", 53));
    int32_t overlaps = 0, deep = 0;
    for (int i = 0; i < 3000; i++) {
        double radius_a = random_log_range(&random, 0.02, 0.6), half_a = i % 2 ? random_range(&random, 0.05, 0.8) : 0.0,
               radius_b = random_log_range(&random, 0.02, 0.6), half_b = random_range(&random, 0.05, 0.8);
        abut_pose pose_a = random_pose(&random, 0.7), pose_b = random_pose(&random, 0.3);
        oracle_body a = oracle_capsule(radius_a, half_a, pose_a), b;
        solid s = {0};
        int32_t kind = (i / 2) % 5;
        abut_shape *shape_b = NULL;
        if (kind == 0) {
            b = oracle_sphere(radius_b, pose_b);
            shape_b = sphere(radius_b);
        } else if (kind == 1) {
            b = oracle_capsule(radius_b, half_b, pose_b);
            shape_b = capsule(radius_b, half_b);
        } else {
            s = kind == 2   ? solid_box(random_vec3(&random, 0.1, 0.6))
                : kind == 3 ? solid_cloud(&random, 4 + random_below(&random, 28), random_vec3(&random, 0.1, 0.6))
                            : solid_prism(0.4, 0.3, 3 + random_below(&random, 30));
            b = oracle_solid(&s, pose_b);
            shape_b = solid_shape(&s);
        }
        abut_shape *shape_a = half_a > 0.0 ? capsule(radius_a, half_a) : sphere(radius_a);
        double exact = oracle_signed_distance(&a, &b);
        check_pair pair = {.a = shape_a, .b = shape_b, .pose_a = pose_a, .pose_b = pose_b, .oracle_a = &a, .oracle_b = &b, .size = 1.0};
        abut_collide_settings settings = abut_collide_settings_default();
        settings.margin = i % 3 ? 0.0 : 2.0;
        tally_sample(&t, "sample %d: %s and kind %d, exact %.17g, margin %g", i, half_a > 0.0 ? "capsule" : "sphere", (int)kind, exact,
                     settings.margin);
        check_collide(&t, &pair, &settings, &answer);
        check_contacts(&t, &pair, &answer, settings.margin, false);
        check_certificate(&t, &pair, &answer, settings.margin);
        if (fabs(exact - settings.margin) > 1e-12 && (answer.count > 0) != (exact < settings.margin)) {
            tally_fail(&t, "round: wrong contact", "%d contacts, deepest %.17g", (int)answer.count, check_deepest(&answer));
        }
        if (answer.count > 0 && !(fabs(check_deepest(&answer) - exact) <= 1e-9)) {
            tally_fail(&t, "round: gap is not the exact signed distance", "deepest %.17g, normal (%.6f, %.6f, %.6f)",
                       check_deepest(&answer), answer.contacts[0].normal.x, answer.contacts[0].normal.y, answer.contacts[0].normal.z);
        }
        overlaps += exact < 0.0;
        deep += exact < -(a.radius + b.radius);
        abut_shape_release(shape_a);
        abut_shape_release(shape_b);
        oracle_free(&a);
        oracle_free(&b);
        if (kind >= 2) {
            solid_free(&s);
        }
    }
    printf("random_round_pairs: %d overlaps, %d of them with a core inside\n", (int)overlaps, (int)deep);
    assert_true(overlaps > 800 && deep > 200);
    tally_end(&t);
}

/* The previous normal decides where all normals are equally good. */
static void previous_normal(void **state) {
    (void)state;
    abut_shape *ball = sphere(0.5), *bar = capsule(0.2, 0.5);
    abut_collide_settings settings = abut_collide_settings_default();
    settings.previous_normal = abut_vec3_make(0, 0.6, 0.8);
    abut_contact contacts[4];
    int32_t count;
    assert_ok(abut_collide(&(abut_pair){ball, at(0, 0, 0), ball, at(0, 0, 0)}, &settings, NULL, contacts, 4, &count));
    assert_int_equal(count, 1);
    assert_vec3_near(contacts[0].normal, settings.previous_normal, 1e-12);
    assert_ok(abut_collide(&(abut_pair){bar, lying(0.1, 0, 0), bar, lying(0, 0, 0)}, &settings, NULL, contacts, 4, &count));
    assert_vec3_near(contacts[0].normal, settings.previous_normal, 1e-12);
    settings.previous_normal = abut_vec3_make(0, -1, 0);
    assert_ok(abut_collide(&(abut_pair){bar, lying(0, 0, 0), bar, at(0, 0, 0)}, &settings, NULL, contacts, 4, &count));
    assert_vec3_near(contacts[0].normal, settings.previous_normal, 1e-12);
    assert_ok(abut_collide(&(abut_pair){ball, at(0, 0, 0.5), ball, at(0, 0, 0)}, &settings, NULL, contacts, 4, &count));
    assert_vec3_near(contacts[0].normal, up, 1e-12);
    abut_shape_release(ball);
    abut_shape_release(bar);
}

/* A capsule of size 1e-6 at the centre of a slab: the distance of its core from the slab is rounding error. */
static void tiny_core_in_a_slab(void **state) {
    (void)state;
    abut_shape *bar = capsule(2.4e-7, 3e-6), *slab = box(0.27, 0.16, 1e-3);
    abut_quat turn = abut_quat_unit(abut_quat_make(-0.14402155893735824, 0.19274894713580731, 0.21456247503118009, 0.94660898910151126));
    abut_pose pose = {.position = {0, 0, 0}, .rotation = turn};
    abut_contact contacts[4];
    int32_t count;
    const abut_shape *order[2][2] = {{bar, slab}, {slab, bar}};
    for (int i = 0; i < 2; i++) {
        assert_ok(abut_collide(&(abut_pair){order[i][0], pose, order[i][1], pose}, NULL, NULL, contacts, 4, &count));
        assert_int_equal(count, 1);
        assert_near(contacts[0].gap, -(1e-3 + 3e-6 + 2.4e-7), 1e-15);
        assert_near(fabs(abut_dot(contacts[0].normal, abut_quat_rotate(turn, up))), 1.0, 1e-12);
    }
    abut_shape_release(bar);
    abut_shape_release(slab);
}

/* Axes that cross at 1e-4 rad with a distance of 1e-11: the normal is perpendicular to both, whatever the difference of the closest points
 * is. */
static void axes_that_nearly_meet(void **state) {
    (void)state;
    abut_shape *bar = capsule(0.05, 0.1);
    for (int i = 0; i < 20; i++) {
        abut_quat frame = abut_quat_about(abut_unit(abut_vec3_make(1, 2, 3)), 0.3 * i);
        abut_quat cross = abut_quat_mul(frame, abut_quat_about(abut_vec3_make(1, 0, 0), 1e-4));
        abut_vec3 across = abut_quat_rotate(frame, abut_vec3_make(1, 0, 0));
        abut_pose a = {.position = abut_scale(1e-11, across), .rotation = frame}, b = {.position = {0, 0, 0}, .rotation = cross};
        abut_contact contacts[4];
        int32_t count;
        assert_ok(abut_collide(&(abut_pair){bar, a, bar, b}, NULL, NULL, contacts, 4, &count));
        assert_true(count > 0);
        assert_vec3_near(contacts[0].normal, across, 1e-10);
    }
    abut_shape_release(bar);
}

/* The normal is that of the face, and the lower end is as deep as it lies. */
static void check_lying(const abut_shape *box, const abut_shape *capsule, abut_pose place, double tilt) {
    const abut_pair pairs[2] = {{box, abut_pose_identity(), capsule, place}, {capsule, place, box, abut_pose_identity()}};
    const double expected = (double)(0.69L - 0.4L * sinl(fabsl((long double)tilt)) - 0.5L - 0.2L);
    for (int i = 0; i < 2; i++) {
        abut_contact contacts[4];
        int32_t count;
        assert_ok(abut_collide(&pairs[i], NULL, NULL, contacts, 4, &count));
        assert_int_equal(count, 2);
        assert_near(fmin(contacts[0].gap, contacts[1].gap), expected, 5e-16);
        assert_near(contacts[0].normal.z, i == 0 ? -1.0 : 1.0, 3e-16);
    }
}

static void level_capsule_on_a_face(void **state) {
    (void)state;
    const double tilts[6] = {0.0, 1e-12, 1e-7, -1e-7, 1e-4, 0.3};
    abut_shape *box, *capsule;
    assert_ok(abut_shape_create_box(abut_vec3_make(2.0, 2.0, 0.5), &box));
    assert_ok(abut_shape_create_capsule(0.2, 0.4, &capsule));
    for (int i = 0; i < 6; i++) {
        const bool level = fabs(tilts[i]) < 1e-5;
        const abut_pose place = {{0.3, 0.2, 0.69}, abut_quat_about(abut_vec3_make(0.0, 1.0, 0.0), 0.5 * PI - tilts[i])};
        const abut_mat3 turn = abut_mat3_from_quat(place.rotation);
        const convex a = convex_place(box, abut_mat3_identity(), abut_vec3_make(0.0, 0.0, 0.0), 0);
        const convex b = convex_place(capsule, turn, place.position, 0),
                     beside = convex_place(capsule, turn, abut_vec3_make(2.5, 0.2, 0.69), 0);
        int32_t face = -1, end = -1;
        assert_false(round_lies_on_box(&b, &a, &face, &end));
        assert_false(round_lies_on_box(&a, &beside, &face, &end));
        assert_true(round_lies_on_box(&a, &b, &face, &end) == level);
        assert_true(face == 5 || !level);
        if (level) {
            check_lying(box, capsule, place, tilts[i]);
        }
    }
    abut_shape_release(box);
    abut_shape_release(capsule);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sphere_sphere),         cmocka_unit_test(sphere_box),
        cmocka_unit_test(sphere_plane),          cmocka_unit_test(sphere_capsule),
        cmocka_unit_test(capsule_capsule),       cmocka_unit_test(zero_length_capsule),
        cmocka_unit_test(capsule_box),           cmocka_unit_test(level_capsule_on_a_face),
        cmocka_unit_test(capsule_plane),         cmocka_unit_test(box_plane),
        cmocka_unit_test(polytopes_on_planes),   cmocka_unit_test(random_round_pairs),
        cmocka_unit_test(previous_normal),       cmocka_unit_test(tiny_core_in_a_slab),
        cmocka_unit_test(axes_that_nearly_meet), cmocka_unit_test(ball_almost_on_an_axis),
    };
    return cmocka_run_group_tests_name("narrow/normal/round", tests, NULL, NULL);
}
