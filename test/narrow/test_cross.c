/*
 * The same contact by the methods of different papers: a ball on a quad (Terdiman's rule for meshes; Baraff's extremal pairs; Silcowitz,
 * Niebe and Erleben's features), two balls, and all kinds of contacts with exchanged shapes. World frame, normal from B into A.
 */
#include <stdlib.h>

#include <abut/extremal.h>
#include <abut/mesh.h>
#include <abut/smooth.h>

#include "support/check.h"
#include "support/shapes.h"

/* The hull of points all over a ball of radius 1, rotated so that none of its corners is the lowest point. */
static abut_shape *fine_ball(void) {
    enum { POINTS = 4000 };
    const double golden = 2.39996322972865332; /* angle that the golden ratio leaves of a turn */
    abut_vec3 *points = check_memory(POINTS, sizeof *points);
    abut_quat turn = abut_quat_about(abut_unit(abut_vec3_make(1, 2, 0)), 0.7);
    for (int i = 0; i < POINTS; ++i) {
        double z = 1.0 - (2.0 * i + 1.0) / POINTS, r = sqrt(1.0 - z * z);
        points[i] = abut_quat_rotate(turn, abut_vec3_make(r * cos(golden * i), r * sin(golden * i), z));
    }
    abut_shape *shape = NULL;
    assert_ok(abut_shape_create_hull(points, POINTS, &shape));
    free(points);
    return shape;
}

/* The square of half size 4 at z = 0, of two triangles. */
static abut_shape *quad(void) {
    static const abut_vec3 vertices[] = {{-4, -4, 0}, {4, -4, 0}, {4, 4, 0}, {-4, 4, 0}};
    static const int32_t triangles[] = {0, 1, 2, 0, 2, 3};
    abut_trimesh_def def = abut_trimesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 4;
    def.triangles = triangles;
    def.triangle_count = 2;
    abut_shape *shape = NULL;
    assert_ok(abut_shape_create_trimesh(&def, NULL, &shape));
    return shape;
}

static abut_contact only_contact(const abut_shape *a, abut_pose pose, const abut_shape *b) {
    abut_contact contact = {.gap = NAN};
    int32_t count;
    assert_ok(abut_collide(&(abut_pair){a, pose, b, abut_pose_identity()}, NULL, NULL, &contact, 1, &count));
    assert_int_equal(count, 1);
    return contact;
}

/* ---- X1 ---- */

/* A ball of radius 1 at a height of 0.9 over the quad: over a triangle, over the side that both share, and over the corner of both. */
static void x1_ball_on_two_triangles(void **state) {
    (void)state;
    static const double places[][2] = {{1.0, -0.3}, {0.5, 0.5}, {0.0, 0.0}, {-1.7, 1.1}};
    const abut_vec3 up = {0, 0, 1};
    if (!ABUT_TEST_HAS_HULL) {
        skip();
    }
    abut_shape *ball = sphere(1.0), *smooth = ellipsoid(1, 1, 1), *fine = fine_ball(), *mesh = quad(), *slab;
    assert_ok(abut_shape_create_box(abut_vec3_make(4, 4, 1), &slab));
    for (int i = 0; i < 4; ++i) {
        abut_pose pose = at(places[i][0], places[i][1], 0.9);
        abut_vec3 below = {pose.position.x, pose.position.y, 0.0};
        abut_contact c = only_contact(ball, pose, mesh); /* Terdiman's */
        assert_near(c.gap, -0.1, 1e-15);
        assert_vec3_near(c.normal, up, 1e-15);
        assert_vec3_near(c.on_b, below, 1e-15);
        c = only_contact(smooth, pose, mesh); /* Baraff's: of a smooth surface and a face */
        assert_near(c.gap, -0.1, 1e-15);
        assert_vec3_near(c.normal, up, 1e-15);
        assert_vec3_near(c.on_b, below, 1e-14);
        abut_extremal pair;
        pose.position.z += 1.0; /* the slab's top is at 1 */
        assert_ok(abut_extremal_find(&(abut_pair){smooth, pose, slab, abut_pose_identity()}, ABUT_EXTREMAL_NORMAL, NULL, &pair));
        assert_int_equal(pair.feature_b.kind, ABUT_FEATURE_FACE);
        assert_near(pair.gap, -0.1, 1e-15);
        assert_vec3_near(pair.normal, up, 1e-15);
        pose.position.z -= 1.0;
        abut_contact contacts[64]; /* features of a polytope: a corner, or a face that is nearly parallel */
        int32_t count;
        assert_ok(abut_collide(&(abut_pair){fine, pose, mesh, abut_pose_identity()}, NULL, NULL, contacts, 64, &count));
        assert_true(count >= 1);
        double deepest = 0.0;
        for (int32_t k = 0; k < count; ++k) {
            assert_vec3_near(contacts[k].normal, up, 1e-12);
            deepest = fmin(deepest, contacts[k].gap);
        }
        assert_near(deepest, -0.1, 1e-3);
    }
    abut_shape_release(ball);
    abut_shape_release(smooth);
    abut_shape_release(fine);
    abut_shape_release(mesh);
    abut_shape_release(slab);
}

/* ---- X4 ---- */

/* Two balls of these radii, 0.2 deep: as spheres, as ellipsoids, and one as a polytope, whose radius is exact to 1e-3. */
static void check_balls(double radius, double other) {
    const double depth = 0.2, alpha = 1.0 - depth / (radius + other);
    const abut_vec3 way = {2.0 / 3.0, -1.0 / 3.0, 2.0 / 3.0};
    abut_pose pose = {abut_scale(radius + other - depth, way), abut_quat_identity()}, origin = abut_pose_identity();
    abut_collide_settings about_middles = abut_collide_settings_default();
    about_middles.contraction = ABUT_CONTRACTION_CENTROID;
    abut_shape *first[] = {sphere(radius), ellipsoid(radius, radius, radius)}, *second[] = {sphere(other), ellipsoid(other, other, other)};
    for (int i = 0; i < 4; ++i) {
        const abut_shape *a = first[i % 2], *b = second[i / 2];
        abut_contact c = only_contact(a, pose, b);
        assert_near(c.gap, -depth, 1e-15);
        assert_vec3_near(c.normal, way, 1e-9);
        abut_growth g;
        assert_ok(abut_growth_distance(&(abut_pair){a, pose, b, origin}, &about_middles, &g));
        assert_near(g.alpha, alpha, 1e-15);
        assert_near(g.gap, -depth, 1e-15);
        abut_extremal pair;
        assert_ok(abut_extremal_find(&(abut_pair){a, pose, b, origin}, ABUT_EXTREMAL_SYSTEM, NULL, &pair));
        assert_near(pair.gap, -depth, 1e-14);
        assert_vec3_near(pair.normal, way, 1e-12);
    }
    if (ABUT_TEST_HAS_HULL && radius == 1.0) {
        abut_shape *fine = fine_ball();
        abut_growth g;
        assert_ok(abut_growth_distance(&(abut_pair){fine, pose, second[0], origin}, NULL, &g));
        assert_near(g.gap, -depth, 1e-3);
        abut_shape_release(fine);
    }
    for (int i = 0; i < 2; ++i) {
        abut_shape_release(first[i]);
        abut_shape_release(second[i]);
    }
}

static void x4_two_balls(void **state) {
    (void)state;
    check_balls(1.0, 1.0);
    check_balls(1.0, 0.5);
    check_balls(0.3, 2.0);
}

/* ---- X5 beyond test_acceptance.c: smooth shapes, meshes, extremal pairs and their rates ---- */

enum { KINDS = 7, MESH = 5, PLANE = 6 };

static void make_shapes(abut_shape *shapes[KINDS]) {
    shapes[0] = ellipsoid(0.5, 0.3, 0.4);
    assert_ok(abut_shape_create_superquadric(abut_vec3_make(0.4, 0.5, 0.3), 0.7, 1.3, &shapes[1]));
    shapes[2] = sphere(0.4);
    assert_ok(abut_shape_create_capsule(0.25, 0.4, &shapes[3]));
    assert_ok(abut_shape_create_box(abut_vec3_make(0.5, 0.4, 0.3), &shapes[4]));
    shapes[MESH] = quad();
    assert_ok(abut_shape_create_plane(abut_vec3_make(0, 0, 1), 0.0, &shapes[PLANE]));
}

static void x5_exchanged(void **state) {
    (void)state;
    abut_shape *shapes[KINDS];
    make_shapes(shapes);
    random_state random = random_make(random_seed("x5_exchanged", 41));
    static tally t;
    static check_answer answer, other, expected;
    abut_collide_settings settings = abut_collide_settings_default();
    settings.margin = 0.05;
    int32_t touching = 0;
    for (int i = 0; i < 1500; i++) {
        int32_t p = random_below(&random, 2), q = random_below(&random, KINDS);
        p = i % 4 == 0 ? 2 + random_below(&random, 3) : p; /* a quarter of them: shapes that are not smooth, on the mesh */
        q = i % 4 == 0 ? MESH : q;
        check_pair pair = {
            .a = shapes[p], .b = shapes[q], .pose_a = random_pose(&random, 0.6), .pose_b = random_pose(&random, 0.6), .size = 1.0};
        check_pair reverse = {.a = pair.b, .b = pair.a, .pose_a = pair.pose_b, .pose_b = pair.pose_a, .size = 1.0};
        tally_sample(&t, "sample %d: %s and %s", i, abut_kind_name(abut_shape_kind(pair.a)), abut_kind_name(abut_shape_kind(pair.b)));
        check_collide(&t, &pair, &settings, &answer);
        check_collide(&t, &reverse, &settings, &other);
        check_swap(&answer, &expected);
        check_same(&t, "exchanged", &other, &expected, abut_pose_identity(), 1.0, true, 1e-12);
        touching += answer.count > 0;
    }
    assert_true(touching > 500);
    tally_end(&t);
    for (int i = 0; i < KINDS; i++) {
        abut_shape_release(shapes[i]);
    }
}

/* The pair and its rates: common quantities change sign, and those of one body go to the other. */
static void x5_rates(void **state) {
    (void)state;
    abut_shape *shapes[KINDS];
    make_shapes(shapes);
    random_state random = random_make(random_seed("x5_rates", 42));
    for (int i = 0; i < 200; i++) {
        const abut_shape *a = shapes[0], *b = shapes[i % 5 == 1 ? 0 : i % 5];
        abut_pose pose_a = random_pose(&random, 0.3), pose_b = random_pose(&random, 0.3);
        pose_a.position = abut_add_scaled(pose_b.position, random_range(&random, 1.3, 2.0), random_direction(&random));
        abut_motion motion[2] = {{random_vec3(&random, -1, 1), random_vec3(&random, -1, 1)},
                                 {random_vec3(&random, -1, 1), random_vec3(&random, -1, 1)}};
        abut_extremal pair, back;
        abut_rates rates, back_rates;
        assert_ok(abut_extremal_find(&(abut_pair){a, pose_a, b, pose_b}, ABUT_EXTREMAL_NORMAL, NULL, &pair));
        assert_ok(abut_extremal_find(&(abut_pair){b, pose_b, a, pose_a}, ABUT_EXTREMAL_NORMAL, NULL, &back));
        assert_near(back.gap, pair.gap, 1e-12);
        assert_vec3_near(back.normal, abut_neg(pair.normal), 1e-12);
        assert_vec3_near(back.on_a, pair.on_b, 1e-12);
        assert_vec3_near(back.on_b, pair.on_a, 1e-12);
        assert_ok(abut_extremal_rates(&(abut_pair){a, pose_a, b, pose_b}, motion[0], motion[1], &pair, &rates));
        assert_ok(abut_extremal_rates(&(abut_pair){b, pose_b, a, pose_a}, motion[1], motion[0], &back, &back_rates));
        assert_near(back_rates.gap_rate, rates.gap_rate, 1e-12);
        assert_vec3_near(back_rates.normal_rate, abut_neg(rates.normal_rate), 1e-11);
        assert_vec3_near(back_rates.on_a_rate, rates.on_b_rate, 1e-11);
        assert_vec3_near(back_rates.on_b_rate, rates.on_a_rate, 1e-11);
    }
    for (int i = 0; i < KINDS; i++) {
        abut_shape_release(shapes[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(x1_ball_on_two_triangles),
        cmocka_unit_test(x4_two_balls),
        cmocka_unit_test(x5_exchanged),
        cmocka_unit_test(x5_rates),
    };
    return cmocka_run_group_tests_name("narrow/cross", tests, NULL, NULL);
}
