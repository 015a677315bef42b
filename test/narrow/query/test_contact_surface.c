/*
 * The surfaces of contacts: the curvature of each feature of each shape, and the resulting rates against finite differences of the
 * distance.
 */
#include <abut/abut.h>
#include <abut/rates.h>

#include <stdlib.h>

#include "support/check.h"
#include "support/meshes.h"
#include "support/random.h"

enum { KINDS = 8 };

static abut_shape *make(int kind, random_state *random) {
    abut_shape *shape = NULL, *inner = NULL;
    abut_vec3 half = random_vec3(random, 0.3, 0.8);
    abut_vec3 points[12];
    abut_part part[2];
    switch (kind) {
    case 0:
        assert_ok(abut_shape_create_sphere(half.x, &shape));
        return shape;
    case 1:
        assert_ok(abut_shape_create_capsule(0.5 * half.x, half.y, &shape));
        return shape;
    case 2:
        assert_ok(abut_shape_create_box(half, &shape));
        return shape;
    case 3:
        for (int i = 0; i < 12; i++) {
            points[i] = abut_scale(half.x, random_direction(random));
        }
        assert_ok(abut_shape_create_hull(points, 12, &shape));
        return shape;
    case 4:
        assert_ok(abut_shape_create_ellipsoid(half, &shape));
        return shape;
    case 5:
        assert_ok(abut_shape_create_superquadric(half, 0.5, 2.0 / 3.0, &shape));
        return shape;
    case 6:
        assert_ok(abut_shape_create_box(half, &inner));
        part[0] = (abut_part){inner, random_pose(random, 0.3)};
        part[1] = (abut_part){inner, random_pose(random, 0.3)};
        assert_ok(abut_shape_create_compound(part, 2, &shape));
        abut_shape_release(inner);
        return shape;
    default:
        assert_ok(abut_shape_create_box(half, &inner));
        shape = meshes_surface_of(inner, 1);
        abut_shape_release(inner);
        return shape;
    }
}

/* A body's pose about time 0, with constant velocities and accelerations. */
static abut_pose at_time(abut_pose pose, const abut_kinematics *m, double t) {
    abut_vec3 turn = abut_add(abut_scale(t, m->velocity.angular), abut_scale(0.5 * t * t, m->acceleration.angular));
    double angle = abut_length(turn);
    abut_quat by = angle > 0.0 ? abut_quat_about(abut_scale(1.0 / angle, turn), angle) : abut_quat_identity();
    abut_vec3 centre = abut_add(m->centre, abut_add(abut_scale(t, m->velocity.linear), abut_scale(0.5 * t * t, m->acceleration.linear)));
    abut_pose moved = {abut_add(centre, abut_quat_rotate(by, abut_sub(pose.position, m->centre))),
                       abut_quat_unit(abut_quat_mul(by, pose.rotation))};
    return moved;
}

static abut_kinematics random_motion(random_state *random, abut_pose pose) {
    abut_kinematics m = {.centre = pose.position};
    m.velocity.linear = random_vec3(random, -1, 1);
    m.velocity.angular = random_vec3(random, -1, 1);
    m.acceleration.linear = random_vec3(random, -1, 1);
    m.acceleration.angular = random_vec3(random, -1, 1);
    return m;
}

static double distance_at(const abut_shape *a, abut_pose pose_a, const abut_shape *b, abut_pose pose_b, abut_separation *s) {
    assert_ok(abut_distance(&(abut_pair){a, pose_a, b, pose_b}, NULL, NULL, s));
    return s->gap;
}

static bool same_features(const abut_separation *p, const abut_separation *q) {
    return p->feature_a.kind == q->feature_a.kind && p->feature_a.index == q->feature_a.index && p->feature_b.kind == q->feature_b.kind &&
           p->feature_b.index == q->feature_b.index;
}

/* Moving shapes of all kinds, apart: the derivatives of their distance. Left out: pairs whose features change within the differences, faces
 * or edges along each other, and nearly flat superquadrics against flat places, because differences are inaccurate there. */
static void rates_of_distances(void **state) {
    (void)state;
    random_state random = random_make(random_seed("rates_of_distances", 511));
    int32_t n = random_samples("rates_of_distances", 2000), compared = 0;
    for (int32_t sample = 0; sample < n; sample++) {
        abut_shape *a = make(sample % KINDS, &random), *b = make(sample / KINDS % KINDS, &random);
        abut_pose pose_a = random_pose(&random, 0.3), pose_b = random_pose(&random, 0.3);
        pose_a.position = abut_add_scaled(pose_a.position, 3.0, random_direction(&random));
        abut_kinematics ma = random_motion(&random, pose_a), mb = random_motion(&random, pose_b);
        const double h = 2e-4, longer = 1e-3; /* for second differences, which depend on the distance's last digits */
        abut_separation now, then[2], far[2];
        double d = distance_at(a, pose_a, b, pose_b, &now);
        double before = distance_at(a, at_time(pose_a, &ma, -h), b, at_time(pose_b, &mb, -h), &then[0]);
        double after = distance_at(a, at_time(pose_a, &ma, h), b, at_time(pose_b, &mb, h), &then[1]);
        double long_before = distance_at(a, at_time(pose_a, &ma, -longer), b, at_time(pose_b, &mb, -longer), &far[0]);
        double long_after = distance_at(a, at_time(pose_a, &ma, longer), b, at_time(pose_b, &mb, longer), &far[1]);
        abut_contact c = {
            .on_a = now.on_a, .on_b = now.on_b, .normal = now.normal, .gap = d, .feature_a = now.feature_a, .feature_b = now.feature_b};
        abut_curvature of_a, of_b;
        abut_rates r;
        if (d > 0.05 && same_features(&now, &far[0]) && same_features(&now, &far[1])) {
            assert_ok(abut_contact_surfaces(&c, &(abut_pair){a, pose_a, b, pose_b}, &of_a, &of_b));
            assert_ok(abut_contact_rates(&c, &of_a, &of_b, &ma, &mb, &r));
            assert_vec3_near(of_a.normal, abut_neg(c.normal), 1e-9);
            assert_vec3_near(of_b.normal, c.normal, 1e-9);
            bool bent = of_a.curvature[0] > 0.2 || of_b.curvature[0] > 0.2 || of_a.feature.kind != ABUT_FEATURE_SMOOTH ||
                        of_b.feature.kind != ABUT_FEATURE_SMOOTH;
            if (r.flags == 0 && bent) {
                double rate = (after - before) / (2.0 * h), second = (long_after + long_before - 2.0 * d) / (longer * longer);
                assert_near(r.gap_rate, rate, 1e-4);
                assert_near(r.gap_acceleration, second, 2e-3 * (1.0 + fabs(second)));
                abut_vec3 turn = abut_scale(0.5 / h, abut_sub(then[1].normal, then[0].normal));
                assert_vec3_near(r.normal_rate, turn, 1e-3 * (1.0 + abut_length(turn)));
                compared++;
            }
        }
        abut_shape_release(a);
        abut_shape_release(b);
    }
    print_message("%d of %d compared\n", (int)compared, (int)n);
    assert_true(compared > n / 2);
}

static void what_cannot_be_told(void **state) {
    (void)state;
    abut_shape *ball = NULL, *cube = NULL;
    assert_ok(abut_shape_create_sphere(0.5, &ball));
    assert_ok(abut_shape_create_box(abut_vec3_make(0.5, 0.5, 0.5), &cube));
    abut_pose o = abut_pose_identity(), bad = {{0, 0, 0}, {0, 0, 0, 0}};
    abut_contact c = {.normal = {0, 0, 1}, .feature_a = {.kind = ABUT_FEATURE_SMOOTH}, .feature_b = {.kind = ABUT_FEATURE_FACE}}, wrong;
    abut_curvature a = {.curvature = {7.0, 7.0}}, b;
    assert_status(abut_contact_surfaces(NULL, &(abut_pair){ball, o, cube, o}, &a, &b), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_contact_surfaces(&c, &(abut_pair){NULL, o, cube, o}, &a, &b), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_contact_surfaces(&c, &(abut_pair){ball, o, cube, o}, NULL, &b), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_contact_surfaces(&c, &(abut_pair){ball, bad, cube, o}, &a, &b), ABUT_ERROR_INVALID_ARGUMENT);
    wrong = c;
    wrong.normal.z = NAN;
    assert_status(abut_contact_surfaces(&wrong, &(abut_pair){ball, o, cube, o}, &a, &b), ABUT_ERROR_NOT_FINITE);
    wrong = c;
    wrong.normal.z = 2.0;
    assert_status(abut_contact_surfaces(&wrong, &(abut_pair){ball, o, cube, o}, &a, &b), ABUT_ERROR_INVALID_ARGUMENT);
    wrong = c;
    wrong.feature_b = (abut_feature){.kind = ABUT_FEATURE_EDGE, .index = 12};
    assert_status(abut_contact_surfaces(&wrong, &(abut_pair){ball, o, cube, o}, &a, &b), ABUT_ERROR_INVALID_ARGUMENT);
    wrong.feature_b = (abut_feature){.kind = ABUT_FEATURE_SMOOTH};
    assert_status(abut_contact_surfaces(&wrong, &(abut_pair){ball, o, cube, o}, &a, &b), ABUT_ERROR_INVALID_ARGUMENT);
    wrong.feature_b = (abut_feature){.kind = ABUT_FEATURE_FACE, .part = 3};
    assert_status(abut_contact_surfaces(&wrong, &(abut_pair){ball, o, cube, o}, &a, &b), ABUT_ERROR_INVALID_ARGUMENT);
    wrong.feature_b = (abut_feature){.kind = ABUT_FEATURE_NONE};
    assert_status(abut_contact_surfaces(&wrong, &(abut_pair){ball, o, cube, o}, &a, &b), ABUT_ERROR_INVALID_ARGUMENT);
    assert_near(a.curvature[0], 7.0, 0.0);
    assert_ok(abut_contact_surfaces(&c, &(abut_pair){ball, o, cube, o}, &a, &b));
    assert_near(a.curvature[0], 2.0, 1e-15);
    assert_near(b.curvature[1], 0.0, 0.0);
    abut_shape_release(ball);
    abut_shape_release(cube);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rates_of_distances),
        cmocka_unit_test(what_cannot_be_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
