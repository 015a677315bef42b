/* Extremal pairs and contacts of smooth shapes: closed forms, published figures, degenerate positions, statuses. */
#include <string.h>

#include <abut/query.h>
#include <abut/smooth.h>

#include "narrow/normal/extremal/extremal.h"
#include "support/check.h"
#include "support/random.h"
#include "support/shapes.h"

static abut_quat turn_of(abut_vec3 axis, double degrees) { return abut_quat_about(abut_unit(axis), degrees * 0.017453292519943295); }

/* One contact and its distance. */
static abut_contact touch(const abut_shape *a, abut_pose pose_a, const abut_shape *b, abut_pose pose_b, double margin, abut_separation *s) {
    abut_collide_settings settings = abut_collide_settings_default();
    abut_contact contact = {.gap = NAN};
    int32_t count;
    settings.margin = margin;
    assert_ok(abut_collide(&(abut_pair){a, pose_a, b, pose_b}, &settings, NULL, &contact, 1, &count));
    assert_int_equal(count, 1);
    assert_ok(abut_distance(&(abut_pair){a, pose_a, b, pose_b}, NULL, NULL, s));
    assert_near(s->gap, contact.gap, 1e-14);
    return contact;
}

/*
 * Two ellipsoids with a known pair: the second one's point has the normal (1, 2, 3) / sqrt(14), and the first one's point lies one gap away
 * along it. Figures computed to forty digits.
 */
static void known_state(void **state) {
    (void)state;
    abut_shape *a = ellipsoid(1.2, 0.7, 0.5), *b = ellipsoid(0.9, 1.4, 0.6);
    abut_quat turn = abut_quat_mul(turn_of(abut_vec3_make(0, 0, 1), 30.0), turn_of(abut_vec3_make(1, 0, 0), 40.0));
    abut_vec3 normal = abut_scale(1.0 / sqrt(14.0), abut_vec3_make(1, 2, 3)), touching = {0.850295405979, 1.803326020541, 0.697804902521};
    static const double gaps[] = {0.0, 0.25, -0.05};
    for (int i = 0; i < 3; ++i) {
        abut_pose pose = {abut_add_scaled(touching, gaps[i], normal), turn};
        abut_separation s;
        abut_contact c = touch(a, pose, b, abut_pose_identity(), 1.0, &s);
        assert_near(c.gap, gaps[i], 1e-11);
        assert_vec3_near(c.normal, normal, 1e-10);
        assert_vec3_near(c.on_b, abut_vec3_make(0.23490599, 1.13682899, 0.31320799), 1e-8);
        assert_vec3_near(c.on_a, abut_add_scaled(c.on_b, gaps[i], normal), 1e-10);
        assert_int_equal(c.feature_a.kind, ABUT_FEATURE_SMOOTH);
        assert_int_equal(c.flags, 0);
    }
    abut_curvature k;
    assert_ok(abut_shape_curvature(a, abut_quat_rotate_inverse(turn, abut_neg(normal)), &k));
    assert_near(k.curvature[0], 0.887130554885, 1e-11);
    assert_near(k.curvature[1], 3.019413207971, 1e-11);
    assert_ok(abut_shape_curvature(b, normal, &k));
    assert_near(k.curvature[0], 0.892414102, 1e-9);
    assert_near(k.curvature[1], 1.414156983, 1e-9);
    assert_vec3_near(k.point, abut_vec3_make(0.23490599, 1.13682899, 0.31320799), 1e-8);
    abut_shape_release(a);
    abut_shape_release(b);
}

/* Ellipsoids with three equal axes are balls. */
static void round_ones_are_balls(void **state) {
    (void)state;
    abut_shape *a = ellipsoid(0.5, 0.5, 0.5), *b = ellipsoid(0.7, 0.7, 0.7), *ball;
    assert_ok(abut_shape_create_sphere(0.7, &ball));
    abut_pose pose = {abut_vec3_make(0.6, 0.0, 0.8), turn_of(abut_vec3_make(1, 1, 0), 37.0)};
    abut_separation s;
    abut_contact c = touch(a, pose, b, abut_pose_identity(), 0.0, &s);
    assert_near(c.gap, -0.2, 1e-14);
    assert_vec3_near(c.normal, abut_vec3_make(0.6, 0.0, 0.8), 1e-14);
    c = touch(a, pose, ball, abut_pose_identity(), 0.0, &s);
    assert_near(c.gap, -0.2, 1e-14);
    assert_vec3_near(c.on_b, abut_vec3_make(0.42, 0.0, 0.56), 1e-14);
    abut_shape_release(a);
    abut_shape_release(b);
    abut_shape_release(ball);
}

/* On a plane: d = z - h, h^2 = m . S m. */
static void on_a_plane(void **state) {
    (void)state;
    abut_shape *egg = ellipsoid(2.0, 1.0, 0.5), *floor;
    assert_ok(abut_shape_create_plane(abut_vec3_make(0, 0, 1), 0.0, &floor));
    abut_separation s;
    abut_contact c = touch(egg, at(0.0, 0.0, 0.45), floor, abut_pose_identity(), 0.0, &s);
    assert_near(c.gap, -0.05, 1e-15);
    assert_vec3_near(c.on_a, abut_vec3_make(0.0, 0.0, -0.05), 1e-15);
    abut_pose tilted = {abut_vec3_make(1.0, 2.0, 1.5), turn_of(abut_vec3_make(0, 1, 0), 30.0)};
    double sine = 0.5, cosine = sqrt(0.75), h = sqrt(4.0 * sine * sine + 0.25 * cosine * cosine);
    c = touch(egg, tilted, floor, abut_pose_identity(), 1.0, &s);
    assert_near(c.gap, 1.5 - h, 1e-14);
    assert_int_equal(c.feature_b.kind, ABUT_FEATURE_FACE);
    c = touch(floor, abut_pose_identity(), egg, tilted, 1.0, &s);
    assert_near(c.gap, 1.5 - h, 1e-14);
    assert_vec3_near(c.normal, abut_vec3_make(0, 0, -1), 1e-15);
    bool overlap = true;
    assert_ok(abut_overlap(&(abut_pair){egg, tilted, floor, abut_pose_identity()}, NULL, &overlap));
    assert_false(overlap);
    abut_shape_release(egg);
    abut_shape_release(floor);
}

/* Over the face of a box, off its edge and off its corner. */
static void features_of_a_box(void **state) {
    (void)state;
    abut_shape *egg = ellipsoid(1.0, 1.0, 0.5), *box;
    assert_ok(abut_shape_create_box(abut_vec3_make(2, 2, 1), &box));
    abut_separation s;
    abut_contact c = touch(egg, at(0.3, -0.2, 1.4), box, abut_pose_identity(), 0.0, &s);
    assert_near(c.gap, -0.1, 1e-15);
    assert_vec3_near(c.normal, abut_vec3_make(0, 0, 1), 0.0);
    assert_vec3_near(c.on_b, abut_vec3_make(0.3, -0.2, 1.0), 1e-15);
    assert_int_equal(c.feature_b.kind, ABUT_FEATURE_FACE);
    assert_int_equal(c.feature_b.index, 5);
    /* Turned so that it is round in the plane across the edge x = 2, z = 1. */
    abut_pose upright = {abut_vec3_make(2.0 + 0.72, 0.1, 1.0 + 0.96), turn_of(abut_vec3_make(1, 0, 0), 90.0)};
    c = touch(egg, upright, box, abut_pose_identity(), 1.0, &s);
    assert_near(c.gap, 0.2, 1e-14);
    assert_vec3_near(c.normal, abut_vec3_make(0.6, 0.0, 0.8), 1e-13);
    assert_vec3_near(c.on_b, abut_vec3_make(2.0, 0.1, 1.0), 1e-13);
    assert_int_equal(c.feature_b.kind, ABUT_FEATURE_EDGE);
    abut_shape *ball = ellipsoid(1.0, 1.0, 1.0);
    c = touch(ball, at(2.0 + 2.0 / 3.0, 2.0 + 1.0 / 3.0, 1.0 + 2.0 / 3.0), box, abut_pose_identity(), 0.1, &s);
    assert_near(c.gap, 0.0, 1e-14);
    assert_vec3_near(c.on_b, abut_vec3_make(2, 2, 1), 1e-13);
    assert_int_equal(c.feature_b.kind, ABUT_FEATURE_VERTEX);
    assert_int_equal(c.feature_b.index, 7);
    abut_shape_release(egg);
    abut_shape_release(box);
    abut_shape_release(ball);
}

/* With a common middle, the shortest way out is along the shortest axes. The previous normal selects one of the two opposite directions. */
static void same_middle(void **state) {
    (void)state;
    abut_shape *a = ellipsoid(1.0, 2.0, 3.0), *b = ellipsoid(0.5, 2.0, 2.5);
    for (int sign = -1; sign <= 1; sign += 2) {
        abut_collide_settings settings = abut_collide_settings_default();
        settings.previous_normal = abut_vec3_make(sign, 0.1, 0.0);
        abut_contact c;
        int32_t count;
        assert_ok(abut_collide(&(abut_pair){a, abut_pose_identity(), b, abut_pose_identity()}, &settings, NULL, &c, 1, &count));
        assert_int_equal(count, 1);
        assert_near(c.gap, -1.5, 1e-12);
        assert_vec3_near(c.normal, abut_vec3_make(sign, 0, 0), 1e-9);
        assert_true((c.flags & ABUT_CONTACT_NORMAL_CHOSEN) != 0);
    }
    abut_shape_release(a);
    abut_shape_release(b);
}

/* The same in proportion, from a nanometre to a gigametre; far from the origin up to the rounding error of the positions. */
static void any_size_anywhere(void **state) {
    (void)state;
    random_state random = random_make(random_seed("any_size_anywhere", 951));
    for (int i = 0; i < 200; ++i) {
        abut_vec3 half_a = abut_vec3_make(random_range(&random, 0.2, 1), random_range(&random, 0.2, 1), random_range(&random, 0.2, 1));
        abut_pose pose_a = random_pose(&random, 0.0), pose_b = random_pose(&random, 1.2);
        double distance = 0.0;
        static const double sizes[] = {1.0, 1e-9, 1e9};
        for (int k = 0; k < 3; ++k) {
            abut_shape *a, *b;
            assert_ok(abut_shape_create_ellipsoid(abut_scale(sizes[k], half_a), &a));
            assert_ok(abut_shape_create_superquadric(abut_scale(sizes[k], abut_vec3_make(0.5, 0.9, 0.3)), 0.6, 1.3, &b));
            abut_separation s;
            abut_pose moved = {abut_scale(sizes[k], pose_b.position), pose_b.rotation};
            assert_ok(abut_distance(&(abut_pair){a, pose_a, b, moved}, NULL, NULL, &s));
            if (k == 0) {
                distance = s.gap;
                abut_vec3 far = {1e6, -2e6, 3e6};
                abut_pose far_a = {abut_add(pose_a.position, far), pose_a.rotation},
                          far_b = {abut_add(pose_b.position, far), pose_b.rotation};
                abut_separation away;
                assert_ok(abut_distance(&(abut_pair){a, far_a, b, far_b}, NULL, NULL, &away));
                assert_near(away.gap, distance, 1e-8);
            }
            assert_near(s.gap, sizes[k] * distance, 1e-10 * sizes[k]);
            abut_shape_release(a);
            abut_shape_release(b);
        }
    }
}

/* A ball on a wide flat side: the direction does not determine the place, but the points do. */
static void on_a_flat_side(void **state) {
    (void)state;
    abut_shape *dice, *ball;
    assert_ok(abut_shape_create_superquadric(abut_vec3_make(1, 1, 1), 0.2, 0.2, &dice));
    assert_ok(abut_shape_create_sphere(0.25, &ball));
    for (int i = 0; i < 6; ++i) {
        double x = 0.1 * i, y = 0.05 * i;
        double top = pow(1.0 - (pow(x, 10.0) + pow(y, 10.0)), 0.1); /* |x|^10 + |y|^10 + |z|^10 = 1 */
        abut_separation s;
        abut_contact c = touch(ball, at(x, y, top + 0.2), dice, abut_pose_identity(), 0.0, &s);
        assert_near(c.gap, -0.05, 1e-4); /* the side is flat to that */
        assert_vec3_near(abut_add_scaled(c.on_b, c.gap, c.normal), c.on_a, 1e-7);
        double outside = pow(fabs(c.on_b.x), 10.0) + pow(fabs(c.on_b.y), 10.0) + pow(fabs(c.on_b.z), 10.0) - 1.0;
        assert_near(outside, 0.0, 1e-6);
    }
    abut_shape_release(dice);
    abut_shape_release(ball);
}

static void as_a_part(void **state) {
    (void)state;
    abut_shape *egg = ellipsoid(0.3, 0.3, 0.6), *ball, *jack, *floor;
    assert_ok(abut_shape_create_sphere(0.4, &ball));
    assert_ok(abut_shape_create_plane(abut_vec3_make(0, 0, 1), 0.0, &floor));
    abut_part parts[2] = {{ball, abut_pose_identity()}, {egg, at(0.0, 0.0, -0.5)}};
    assert_ok(abut_shape_create_compound(parts, 2, &jack));
    abut_separation s;
    abut_contact c = touch(jack, at(0.0, 0.0, 1.0), floor, abut_pose_identity(), 0.0, &s);
    assert_near(c.gap, -0.1, 1e-15);
    assert_int_equal(c.feature_a.part, 1);
    abut_separation apart;
    assert_ok(abut_distance(&(abut_pair){jack, at(0.0, 0.0, 3.0), ball, abut_pose_identity()}, NULL, NULL, &apart));
    assert_near(apart.gap, 3.0 - 1.1 - 0.4, 1e-14);
    abut_aabb box = abut_shape_bounds(jack, abut_pose_identity());
    assert_near(box.lower.z, -1.1, 1e-15);
    abut_shape_release(jack);
    abut_shape_release(egg);
    abut_shape_release(ball);
    abut_shape_release(floor);
}

/* A cast along z towards a ball stops when the poles touch. */
static void cast(void **state) {
    (void)state;
    abut_shape *egg = ellipsoid(0.4, 0.5, 1.0), *ball;
    assert_ok(abut_shape_create_sphere(0.5, &ball));
    abut_motion fall = {.linear = abut_vec3_make(0, 0, -4)}, none = {.linear = {0, 0, 0}};
    abut_hit hit;
    assert_ok(abut_shape_cast(&(abut_pair){egg, at(0, 0, 3), ball, abut_pose_identity()}, fall, none, 1e-9, &hit));
    assert_true(hit.hit);
    assert_near(hit.fraction, 1.5 / 4.0, 1e-9);
    assert_vec3_near(hit.normal, abut_vec3_make(0, 0, 1), 1e-6);
    /* Half a turn about x beside a plane: the long axis becomes vertical on the way. */
    abut_shape *floor;
    assert_ok(abut_shape_create_plane(abut_vec3_make(0, 0, 1), 0.0, &floor));
    abut_motion roll = {.angular = abut_vec3_make(1.5707963267948966, 0, 0)};
    abut_pose lying = {abut_vec3_make(0, 0, 0.9), turn_of(abut_vec3_make(1, 0, 0), 90.0)};
    assert_ok(abut_shape_cast(&(abut_pair){egg, lying, floor, abut_pose_identity()}, roll, none, 1e-9, &hit));
    assert_true(hit.hit);
    /* cos^2 + sin^2 / 4 = 0.81 */
    assert_near(hit.fraction, asin(sqrt((0.81 - 0.25) / 0.75)) / 1.5707963267948966, 1e-6);
    abut_shape_release(egg);
    abut_shape_release(ball);
    abut_shape_release(floor);
}

static void rays(void **state) {
    (void)state;
    abut_shape *egg = ellipsoid(2.0, 1.0, 0.5), *dice;
    assert_ok(abut_shape_create_superquadric(abut_vec3_make(1, 1, 1), 0.5, 0.5, &dice));
    abut_hit hit;
    assert_ok(abut_ray_cast(egg, abut_pose_identity(), abut_vec3_make(-4, 0, 0), abut_vec3_make(8, 0, 0), &hit));
    assert_true(hit.hit);
    assert_near(hit.fraction, 0.25, 1e-15);
    assert_vec3_near(hit.normal, abut_vec3_make(-1, 0, 0), 1e-15);
    assert_ok(abut_ray_cast(egg, abut_pose_identity(), abut_vec3_make(1, 0.5, 4), abut_vec3_make(0, 0, -4), &hit));
    assert_near(hit.point.z, 0.5 * sqrt(0.5), 1e-14);
    assert_ok(abut_ray_cast(egg, abut_pose_identity(), abut_vec3_make(-4, 1.0 + 1e-9, 0), abut_vec3_make(8, 0, 0), &hit));
    assert_false(hit.hit);
    assert_ok(abut_ray_cast(egg, abut_pose_identity(), abut_vec3_make(-4, 1.0, 0), abut_vec3_make(8, 0, 0), &hit)); /* grazes */
    assert_true(hit.hit);
    assert_ok(abut_ray_cast(egg, abut_pose_identity(), abut_vec3_make(0.1, 0, 0), abut_vec3_make(8, 0, 0), &hit));
    assert_true(hit.hit && hit.started_inside);
    /* |x|^4 + |y|^4 + |z|^4 = 1 along the diagonal */
    assert_ok(abut_ray_cast(dice, abut_pose_identity(), abut_vec3_make(2, 2, 2), abut_vec3_make(-2, -2, -2), &hit));
    assert_near(hit.point.x, pow(1.0 / 3.0, 0.25), 1e-14);
    assert_ok(abut_ray_cast(dice, abut_pose_identity(), abut_vec3_make(2, 2, 2), abut_vec3_make(-1, -1, -1), &hit));
    assert_false(hit.hit);
    abut_shape_release(egg);
    abut_shape_release(dice);
}

/* Two opposite directions along an axis have the coordinates 0 and -0; the cache must not bring in the other one. */
static void a_cache_from_the_side_changes_no_sign_of_zero(void **state) {
    (void)state;
    abut_shape *shapes[2] = {ellipsoid(5, 5, 11.625)};
    assert_ok(abut_shape_create_superquadric(abut_vec3_make(1, 1, 1), 0.25, 0.25, &shapes[1]));
    const abut_pose origin = abut_pose_identity();
    const abut_pose poses[2] = {{abut_vec3_make(0, 0, 14.625), abut_quat_make(-0.5, -0.5, -0.5, -0.5)},
                                {abut_vec3_make(0, 0, 1.75), abut_quat_identity()}};
    for (int i = 0; i < 2; ++i) {
        for (int side = 0; side < 4; ++side) {
            double step = side % 2 == 0 ? 0.2 : -0.2;
            abut_pose moved = poses[i];
            moved.position.x += side < 2 ? step : 0.0;
            moved.position.y += side < 2 ? 0.0 : step;
            abut_cache cache = {.axis = {0, 0, 0}};
            abut_contact expected, contact;
            int32_t count;
            assert_ok(abut_collide(&(abut_pair){shapes[i], origin, shapes[i], poses[i]}, NULL, NULL, &expected, 1, &count));
            assert_int_equal(count, 1);
            assert_ok(abut_collide(&(abut_pair){shapes[i], origin, shapes[i], moved}, NULL, &cache, &contact, 1, &count));
            assert_ok(abut_collide(&(abut_pair){shapes[i], origin, shapes[i], poses[i]}, NULL, &cache, &contact, 1, &count));
            assert_memory_equal(&contact, &expected, sizeof contact);
        }
        abut_shape_release(shapes[i]);
    }
}

/* A capsule whose end lies over the middle of a thin superquadric: the contact belongs to the end and to the side. */
static void a_cache_changes_nothing_where_two_features_meet(void **state) {
    (void)state;
    abut_shape *capsule, *leaf;
    assert_ok(abut_shape_create_capsule(5.0, 0.125, &capsule));
    assert_ok(abut_shape_create_superquadric(abut_vec3_make(0.25, 0.031372548080980778, 0.25), 0.57333333333333336, 0.2, &leaf));
    const abut_pose origin = abut_pose_identity(), pose = {abut_vec3_make(0.125, 5.0313725480809808, 0.125), abut_quat_identity()};
    abut_collide_settings settings = abut_collide_settings_default();
    settings.margin = 0.25;
    abut_cache cache = {.axis = {-0.125, 0.125, 0.25}};
    abut_contact expected, contact;
    int32_t count;
    assert_ok(abut_collide(&(abut_pair){capsule, origin, leaf, pose}, &settings, NULL, &expected, 1, &count));
    assert_int_equal(count, 1);
    assert_ok(abut_collide(&(abut_pair){capsule, origin, leaf, pose}, &settings, &cache, &contact, 1, &count));
    assert_memory_equal(&contact, &expected, sizeof contact);
    abut_shape_release(capsule);
    abut_shape_release(leaf);
}

/* The same over a flat side, which has no unique support point for an edge of a pyramid and for its end. */
static void a_cache_changes_nothing_over_a_flat_side(void **state) {
    (void)state;
    enum { SIDES = 17 };
    abut_vec3 corners[SIDES + 1];
    for (int i = 0; i < SIDES; ++i) {
        double angle = 6.2831853071795865 * i / SIDES;
        corners[i] = abut_vec3_make(2.125 * cos(angle), 2.125 * sin(angle), -0.53125);
    }
    corners[SIDES] = abut_vec3_make(0, 0, 1.59375);
    if (!ABUT_TEST_HAS_HULL) {
        skip();
    }
    abut_shape *dice, *pyramid;
    assert_ok(abut_shape_create_superquadric(abut_vec3_make(6.25, 2.125, 2.125), 0.31333333333333335, 0.31333333333333335, &dice));
    assert_ok(abut_shape_create_hull(corners, SIDES + 1, &pyramid));
    const abut_quat turn = {0.57735026918962573, 0.57735026918962573, 0.57735026918962573, 0.0};
    const abut_pose pose_a = {abut_vec3_make(0, 0, -0.125), turn}, pose_b = {abut_vec3_make(1.75, 6.125, 1.75), turn};
    abut_collide_settings settings = abut_collide_settings_default();
    settings.margin = 2.125;
    abut_cache cache = {.axis = {0, 0, 0}};
    abut_contact expected, contact;
    int32_t count;
    assert_ok(abut_collide(&(abut_pair){dice, pose_a, pyramid, pose_b}, &settings, NULL, &expected, 1, &count));
    assert_int_equal(count, 1);
    for (int again = 0; again < 3; ++again) {
        assert_ok(abut_collide(&(abut_pair){dice, pose_a, pyramid, pose_b}, &settings, &cache, &contact, 1, &count));
        assert_memory_equal(&contact, &expected, sizeof contact);
    }
    abut_shape_release(dice);
    abut_shape_release(pyramid);
}

/* Flat sides in one plane, which each body touches at the middle of its side only. The sides are closest half way between the middles, by symmetry, and there
 * both are a little below the plane. Near their normal, support points are off by more than the gap. The gap is the same whatever the cache holds. */
static void flat_sides_that_just_touch(void **state) {
    (void)state;
    const double f = 1e36, e1 = 0.2, e2 = 0.52766666666666673;
    const double out = pow(pow(0.625 / 7.5, 2.0 / e2) + pow(0.625 / 80.0, 2.0 / e2), e2 / 2.0); /* of the way from the middle to the rim */
    const double below = -18.75 * expm1(e1 / 2.0 * log1p(-pow(out, 2.0 / e1)));
    abut_shape *plate;
    assert_ok(abut_shape_create_superquadric(abut_vec3_make(7.5 * f, 80 * f, 18.75 * f), e1, e2, &plate));
    const abut_pose origin = abut_pose_identity(), above = {abut_vec3_make(1.25 * f, 1.25 * f, 37.5 * f), {0, 0, 0, 1}};
    abut_cache cache = {.axis = {0, 0, 0}};
    abut_separation expected, s;
    assert_ok(abut_distance(&(abut_pair){plate, origin, plate, above}, NULL, NULL, &expected));
    assert_near(expected.gap / f, 2.0 * below, 1e-13);
    for (int again = 0; again < 3; ++again) {
        assert_ok(abut_distance(&(abut_pair){plate, origin, plate, above}, NULL, &cache, &s));
        assert_memory_equal(&s, &expected, sizeof s);
    }
    abut_shape_release(plate);
}

/* Of a polytope in its own frame. */
static void assert_on_feature(const abut_shape *shape, abut_feature feature, abut_vec3 point, double tolerance) {
    abut_polytope_view view;
    assert_ok(abut_shape_polytope(shape, &view));
    assert_int_not_equal(feature.kind, ABUT_FEATURE_SMOOTH);
    if (feature.kind == ABUT_FEATURE_FACE) {
        abut_vec3 corner = view.vertices[view.face_vertices[view.face_first[feature.index]]];
        assert_near(abut_dot(view.face_normals[feature.index], abut_sub(point, corner)), 0.0, tolerance);
        return;
    }
    const int32_t *end = &view.edge_vertices[2 * feature.index];
    bool edge = feature.kind == ABUT_FEATURE_EDGE;
    abut_vec3 from = view.vertices[edge ? end[0] : feature.index], to = view.vertices[edge ? end[1] : feature.index];
    double way = abut_distance_between(from, point) + abut_distance_between(point, to) - abut_distance_between(from, to);
    assert_near(way, 0.0, tolerance);
}

/* The contact has the gap of the closest points, and so have its own points. Those of B, a polytope, lie on its features. Returns the gap. */
static double gap_of_closest(const abut_pair *pair, double size) {
    abut_collide_settings settings = abut_collide_settings_default();
    abut_separation s;
    abut_contact c;
    int32_t count;
    settings.margin = size;
    assert_ok(abut_collide(pair, &settings, NULL, &c, 1, &count));
    assert_ok(abut_distance(pair, NULL, NULL, &s));
    assert_near(c.gap, s.gap, 2e-14 * size);
    assert_near(abut_dot(c.normal, abut_sub(c.on_a, c.on_b)), c.gap, 2e-14 * size);
    assert_on_feature(pair->b, c.feature_b, abut_sub(c.on_b, pair->pose_b.position), 1e-8 * size);
    assert_on_feature(pair->b, s.feature_b, abut_sub(s.on_b, pair->pose_b.position), 1e-8 * size);
    return c.gap;
}

/* The rim of a pyramid over a flat side. Support points of the side differ by rounding errors where the side is lower by more. The first gap was computed to
 * forty digits. */
static void a_rim_over_a_flat_side(void **state) {
    (void)state;
    const double size = 28.0;
    abut_shape *leaf, *pyramid;
    random_state random = random_make(7);
    assert_ok(abut_shape_create_superquadric(abut_vec3_make(6.25, 2.125, 0.375), 0.22000000000000003, 0.7, &leaf));
    assert_ok(abut_shape_create_pyramid(7.5, 7.5, 27, &pyramid));
    abut_pair pair = {leaf, at(6.0, -6.2499900000000004, 0.11061845533549786), pyramid, at(0.0, 0.0, 2.3606185050229977)};
    assert_near(gap_of_closest(&pair, size), 1.9034393901922042e-7, 1e-14 * size);
    for (int i = 0; i < 300; ++i) {
        double x = random_range(&random, -6.0, 6.0), y = random_range(&random, -8.0, 8.0),
               gap = pow(10.0, -random_range(&random, 5.0, 10.0));
        pair.pose_a = at(x, y, -2.25);
        pair.pose_b = at(0.0, 0.0, gap);
        (void)gap_of_closest(&pair, size);
    }
    abut_shape_release(leaf);
    abut_shape_release(pyramid);
}

/* A normal along an axis has zero components along the others, and the same zeros with every cache. */
static void a_cache_leaves_no_sign_on_nothing(void **state) {
    (void)state;
    abut_shape *plate;
    assert_ok(abut_shape_create_superquadric(abut_vec3_make(7.4999999999999994e+36, 7.9999999999999996e+37, 1.8749999999999998e+37), 0.2,
                                             0.53333333333333333, &plate));
    const abut_pose a = {{0, -1.2124999999999999e+38, 4.9406564584124652e-287}, {0, 0, 0, 1}};
    const abut_pose b = {{1.4998124999999998e+37, -1.2124999999999999e+38, 9.8813129168249304e-287}, {0, 0, 0, 1}};
    const abut_vec3 axes[] = {{1, 0, 0}, {-1, 0, 0}, {1, 1e-5, 0}, {1, 0.3, 0.2}, {0, 0, 1}};
    abut_separation expected, s;
    assert_ok(abut_distance(&(abut_pair){plate, a, plate, b}, NULL, NULL, &expected));
    for (size_t i = 0; i < sizeof axes / sizeof *axes; ++i) {
        abut_cache cache = {.axis = axes[i]};
        assert_ok(abut_distance(&(abut_pair){plate, a, plate, b}, NULL, &cache, &s));
        assert_memory_equal(&s.normal, &expected.normal, sizeof s.normal);
        assert_memory_equal(&s.on_a, &expected.on_a, sizeof s.on_a);
    }
    abut_shape_release(plate);
}

/* Two plates or two balls at the same place: two ways out, or all, are equally short, whatever the cache holds. */
static void a_cache_changes_nothing_of_a_tie(void **state) {
    (void)state;
    abut_shape *shapes[2] = {ellipsoid(1, 1, 1)};
    assert_ok(abut_shape_create_superquadric(abut_vec3_make(1e6, 1e6, 0.375), 0.2, 0.2, &shapes[1]));
    const abut_pose origin = abut_pose_identity();
    static const double depth[2] = {2.0, 0.75};
    for (int i = 0; i < 2; ++i) {
        abut_cache cache = {.axis = {0.6, 0.0, 0.8}};
        abut_contact expected, contact;
        int32_t count;
        assert_ok(abut_collide(&(abut_pair){shapes[i], origin, shapes[i], origin}, NULL, NULL, &expected, 1, &count));
        assert_near(expected.gap, -depth[i], 1e-4);
        assert_true(i == 0 || (expected.flags & ABUT_CONTACT_NORMAL_CHOSEN) != 0);
        for (int again = 0; again < 2; ++again) {
            assert_ok(abut_collide(&(abut_pair){shapes[i], origin, shapes[i], origin}, NULL, &cache, &contact, 1, &count));
            assert_memory_equal(&contact, &expected, sizeof contact);
        }
        abut_shape_release(shapes[i]);
    }
}

/* So far away that the rounding error of the vector between them exceeds the body: there is still a normal. */
static void a_ray_from_beyond_all_digits_has_a_normal(void **state) {
    (void)state;
    abut_shape *dice;
    assert_ok(abut_shape_create_superquadric(abut_vec3_make(1, 1, 2.75), 0.25, 0.25, &dice));
    abut_hit hit;
    assert_ok(abut_ray_cast(dice, abut_pose_identity(), abut_vec3_make(5e100, 0, 0), abut_vec3_make(-5e100, 0, 0), &hit));
    assert_true(hit.hit);
    assert_vec3_near(hit.normal, abut_vec3_make(1, 0, 0), 1e-15);
    abut_shape_release(dice);
}

static void statuses(void **state) {
    (void)state;
    abut_shape *egg = ellipsoid(1, 2, 3);
    abut_contact c;
    int32_t count = -1;
    abut_growth growth;
    abut_pose bad = {abut_vec3_make(NAN, 0, 0), abut_quat_identity()};
    assert_status(abut_collide(&(abut_pair){egg, bad, egg, abut_pose_identity()}, NULL, NULL, &c, 1, &count), ABUT_ERROR_NOT_FINITE);
    assert_int_equal(count, 0);
    assert_status(abut_collide(&(abut_pair){egg, abut_pose_identity(), egg, abut_pose_identity()}, NULL, NULL, NULL, 0, &count),
                  ABUT_ERROR_CAPACITY);
    assert_int_equal(count, 1);
    assert_status(abut_growth_distance(&(abut_pair){egg, bad, egg, abut_pose_identity()}, NULL, &growth), ABUT_ERROR_NOT_FINITE);
    abut_curvature k;
    assert_status(abut_shape_curvature(egg, abut_vec3_make(0, 0, 0), &k), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_curvature(egg, abut_vec3_make(0, NAN, 0), &k), ABUT_ERROR_NOT_FINITE);
    assert_status(abut_shape_curvature(NULL, abut_vec3_make(0, 0, 1), &k), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_curvature(egg, abut_vec3_make(0, 0, 1), NULL), ABUT_ERROR_INVALID_ARGUMENT);
    abut_shape_release(egg);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_state),
        cmocka_unit_test(round_ones_are_balls),
        cmocka_unit_test(on_a_plane),
        cmocka_unit_test(features_of_a_box),
        cmocka_unit_test(same_middle),
        cmocka_unit_test(any_size_anywhere),
        cmocka_unit_test(on_a_flat_side),
        cmocka_unit_test(as_a_part),
        cmocka_unit_test(cast),
        cmocka_unit_test(rays),
        cmocka_unit_test(a_cache_from_the_side_changes_no_sign_of_zero),
        cmocka_unit_test(a_cache_changes_nothing_where_two_features_meet),
        cmocka_unit_test(a_cache_changes_nothing_over_a_flat_side),
        cmocka_unit_test(flat_sides_that_just_touch),
        cmocka_unit_test(a_rim_over_a_flat_side),
        cmocka_unit_test(a_cache_leaves_no_sign_on_nothing),
        cmocka_unit_test(a_cache_changes_nothing_of_a_tie),
        cmocka_unit_test(a_ray_from_beyond_all_digits_has_a_normal),
        cmocka_unit_test(statuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
