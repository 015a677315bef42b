/* The oracle of the contact tests: compared with closed forms. Its fast enumerations of Minkowski facets are compared with the one that tries every pair. */
#include "support/check.h"
#include "support/shapes.h"

#include <stdio.h>

static void boxes_in_line(void **state) {
    (void)state;
    solid cube = solid_box(abut_vec3_make(0.5, 0.5, 0.5));
    oracle_body a = oracle_solid(&cube, at(0.9, 0.7, 0.6)), b = oracle_solid(&cube, at(0, 0, 0));
    oracle_facets facets = oracle_minkowski(&a, &b);
    oracle_axis axis = oracle_separation(&facets, abut_vec3_make(0, 0, 0));
    assert_near(axis.separation, -0.1, 1e-15);
    assert_vec3_near(axis.normal, abut_vec3_make(1, 0, 0), 1e-15);
    assert_near(oracle_separation(&facets, abut_vec3_make(0.3, 0, 0)).separation, 0.2, 1e-15);
    assert_near(oracle_place(&facets, abut_vec3_make(1, 0, 0), -0.04), 0.06, 1e-14);
    abut_vec3 normal;
    double second,
        alpha = oracle_growth(&facets, abut_vec3_make(0, 0, 0), abut_vec3_make(0.9, 0.7, 0.6), abut_vec3_make(0, 0, 0), &normal, &second);
    assert_near(alpha, 0.9, 1e-15);
    assert_near(second, 0.7, 1e-15);
    assert_vec3_near(normal, abut_vec3_make(1, 0, 0), 1e-15);
    assert_near(oracle_signed_distance(&a, &b), -0.1, 1e-15);
    oracle_free_facets(&facets);
    oracle_free(&a);
    a = oracle_solid(&cube, at(2, 3, -1.5));
    assert_near(oracle_signed_distance(&a, &b), sqrt(1.0 + 4.0 + 0.25), 1e-14);
    oracle_free(&a);
    oracle_free(&b);
    solid_free(&cube);
}

static void outside(void **state) {
    (void)state;
    solid cube = solid_box(abut_vec3_make(1, 2, 3));
    oracle_body b = oracle_solid(&cube, at(0, 0, 0));
    assert_near(oracle_outside(&b, abut_vec3_make(2, 3, 4)), sqrt(3.0), 1e-15);
    assert_near(oracle_outside(&b, abut_vec3_make(2, 0.3, 0.4)), 1.0, 1e-15);
    assert_near(oracle_outside(&b, abut_vec3_make(0.25, 0.3, 0.4)), -0.75, 1e-15);
    oracle_free(&b);
    oracle_body c = oracle_capsule(0.5, 1.0, at(0, 0, 0));
    assert_near(oracle_outside(&c, abut_vec3_make(0.3, 0.4, 0.2)), 0.0, 1e-15);
    assert_near(oracle_outside(&c, abut_vec3_make(0, 0, 2)), 0.5, 1e-15);
    assert_near(oracle_support(&c, abut_vec3_make(0, 0, 1)), 1.5, 1e-15);
    oracle_free(&c);
    solid_free(&cube);
}

static void segments(void **state) {
    (void)state;
    abut_vec3 a = {-1, 0, 0}, b = {1, 0, 0};
    assert_near(oracle_segment_distance(a, b, abut_vec3_make(0.2, -1, 3), abut_vec3_make(0.2, 1, 3)), 3.0, 1e-15);
    assert_near(oracle_segment_distance(a, b, abut_vec3_make(0, 2, 0), abut_vec3_make(5, 2, 0)), 2.0, 1e-15);
    assert_near(oracle_segment_distance(a, b, abut_vec3_make(4, 4, 0), abut_vec3_make(4, 5, 0)), 5.0, 1e-15);
    assert_near(oracle_segment_distance(a, b, abut_vec3_make(0, -1, 0), abut_vec3_make(0, 1, 0)), 0.0, 1e-15);
    assert_near(oracle_segment_distance(a, b, abut_vec3_make(1, 1, 0), abut_vec3_make(1, 1, 0)), 1.0, 1e-15);
}

static void areas(void **state) {
    (void)state;
    oracle_point2 square[4] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    oracle_point2 shifted[4] = {{0.4, 0.25}, {1.4, 0.25}, {1.4, 1.25}, {0.4, 1.25}};
    double r = sqrt(0.5);
    oracle_point2 turned[4] = {{0.5, 0.5 - r}, {0.5 + r, 0.5}, {0.5, 0.5 + r}, {0.5 - r, 0.5}};
    oracle_point2 p[3] = {{-1, -1}, {1, -1}, {0, 0.5}}, q[3] = {{0, 0}, {1.5, 1}, {-1.5, 1}};
    assert_near(oracle_overlap_area(square, 4, square, 4), 1.0, 1e-14);
    assert_near(oracle_overlap_area(square, 4, shifted, 4), 0.45, 1e-14);
    assert_near(oracle_overlap_area(square, 4, turned, 4), 2.0 * sqrt(2.0) - 2.0, 1e-13);
    assert_near(oracle_overlap_area(p, 3, q, 3), 0.115384615384615, 1e-14);
    shifted[0].x = shifted[3].x = 1.1;
    assert_near(oracle_overlap_area(square, 4, shifted, 4), 0.0, 1e-14);
}

static void hulls_are_closed(void **state) {
    (void)state;
    random_state random = random_make(random_seed("hulls_are_closed", 3));
    for (int i = 0; i < 20; i++) {
        solid s = solid_cloud(&random, 4 + random_below(&random, 60), abut_vec3_make(0.6, 0.5, 0.4));
        oracle_body b = oracle_solid(&s, at(0, 0, 0));
        assert_int_equal(b.vertex_count - b.edge_count + b.face_count, 2);
        for (int32_t v = 0; v < b.vertex_count; v++) {
            assert_near(oracle_outside(&b, b.vertices[v]), 0.0, 1e-15);
        }
        abut_vec3 centre = solid_centroid(&s);
        assert_true(oracle_outside(&b, centre) < 0.0);
        oracle_free(&b);
        solid_free(&s);
    }
}

static void same_axes(const oracle_body *a, const oracle_body *b, random_state *random) {
    oracle_facets some = oracle_minkowski(a, b), all = oracle_minkowski_all(a, b);
    assert_true(some.count <= all.count);
    for (int i = 0; i < 10; i++) {
        abut_vec3 shift = random_vec3(random, -1.0, 1.0);
        /* For the cores, without the radii. */
        double expected = oracle_separation(&all, shift).separation + all.radius;
        double separation = oracle_separation(&some, shift).separation + some.radius;
        if (expected < 0.0) {
            assert_near(separation, expected, 1e-12);
        } else {
            /* For bodies apart, an axis that is no facet normal may separate more, but some facet normal also separates. */
            assert_true(separation > 0.0 && separation <= expected + 1e-12);
        }
    }
    oracle_free_facets(&some);
    oracle_free_facets(&all);
}

static void crossing_arcs_are_enough(void **state) {
    (void)state;
    random_state random = random_make(random_seed("crossing_arcs_are_enough", 4));
    for (int i = 0; i < 200; i++) {
        solid s = i % 2 ? solid_box(random_vec3(&random, 0.2, 0.7)) : solid_cloud(&random, 8 + i % 8, random_vec3(&random, 0.2, 0.7));
        solid r = i % 3 ? solid_box(random_vec3(&random, 0.2, 0.7)) : solid_prism(0.5, 0.4, 3 + i % 5);
        oracle_body a = oracle_solid(&s, random_pose(&random, 0.5)), b = oracle_solid(&r, random_pose(&random, 0.5));
        oracle_body c = oracle_capsule(0.1, 0.6, random_pose(&random, 0.5));
        same_axes(&a, &b, &random);
        same_axes(&a, &c, &random);
        same_axes(&c, &b, &random);
        oracle_free(&a);
        oracle_free(&b);
        oracle_free(&c);
        solid_free(&s);
        solid_free(&r);
    }
}

/* A missing facet normal would make the separation too small. So no direction may separate more, or overlap less, than the facets. */
static void no_direction_beats_the_facets(void **state) {
    (void)state;
    random_state random = random_make(random_seed("no_direction_beats_the_facets", 5));
    for (int i = 0; i < 100; i++) {
        solid s = solid_cloud(&random, 12, random_vec3(&random, 0.3, 0.7)), r = solid_cloud(&random, 12, random_vec3(&random, 0.3, 0.7));
        oracle_body a = oracle_solid(&s, random_pose(&random, 0.2)), b = oracle_solid(&r, random_pose(&random, 0.2));
        oracle_facets facets = oracle_minkowski(&a, &b);
        double separation = oracle_separation(&facets, abut_vec3_make(0, 0, 0)).separation;
        for (int k = 0; separation < 0.0 && k < 200; k++) {
            assert_true(oracle_gap_along(&a, &b, random_direction(&random)) <= separation + 1e-14);
        }
        oracle_free_facets(&facets);
        oracle_free(&a);
        oracle_free(&b);
        solid_free(&s);
        solid_free(&r);
    }
}

/* Both enumerations give the same separations of the cores for all positions of A: near the other body, deep in it, and apart from it. `reach` bounds the
 * rounding error of an extent. */
static void same_separations(const oracle_facets *swept, const oracle_facets *trusted, random_state *random, double reach) {
    for (int i = 0; i < 20; i++) {
        double way = random_range(random, 0.0, 2.0) * reach;
        abut_vec3 shift = abut_scale(way, random_direction(random));
        double actual = oracle_separation(swept, shift).separation + swept->radius,
               expected = oracle_separation(trusted, shift).separation + trusted->radius;
        /* For bodies apart, a direction that is no facet normal may separate more than the facets. */
        if (expected <= 0.0 || actual <= 0.0) {
            assert_near(actual, expected, 1e-14 * reach);
        }
    }
}

static solid sweep_solid(random_state *random, int kind) {
    abut_vec3 size = random_vec3(random, 0.2, 0.7);
    int32_t some = random_below(random, 20);
    switch (kind) {
    case 0:
        return solid_box(size);
    case 1:
        return solid_prism(size.x, size.y, 3 + some);
    case 2:
        return solid_pyramid(size.x, size.y, 3 + some);
    case 3: /* slivers */
        return solid_cloud(random, 8 + some, abut_vec3_make(0.5, 0.5, 5e-5));
    case 4:
        return solid_cloud(random, 8 + some, abut_vec3_make(0.5, 5e-5, 5e-5));
    default:
        return solid_cloud(random, 4 + 2 * some, size);
    }
}

/* Compared with every pair of edges in both senses. In every four pairs of bodies, one has equal rotations, so that faces and edges are parallel, and one
 * has nearly equal rotations. */
static void sweep_is_exhaustive(void **state) {
    (void)state;
    random_state random = random_make(random_seed("sweep_is_exhaustive", 6));
    for (int i = 0; i < 400; i++) {
        solid s = sweep_solid(&random, i % 6), r = sweep_solid(&random, i % 4 == 0 ? i % 6 : (i / 6) % 6);
        abut_pose pose_a = random_pose(&random, 0.1), pose_b = random_pose(&random, 0.1);
        if (i % 4 < 2) {
            double off = i % 4 ? random_log_range(&random, 1e-16, 1e-3) : 0.0;
            pose_b.rotation = abut_quat_mul(abut_quat_about(random_direction(&random), off), pose_a.rotation);
        }
        oracle_body a = oracle_solid(&s, pose_a), b = oracle_solid(&r, pose_b), c = oracle_capsule(0.1, 0.6, pose_b);
        oracle_facets swept = oracle_minkowski_swept(&a, &b), all = oracle_minkowski_all(&a, &b);
        same_separations(&swept, &all, &random, 1.0);
        oracle_free_facets(&swept);
        oracle_free_facets(&all);
        swept = oracle_minkowski_swept(&a, &c);
        all = oracle_minkowski_all(&a, &c);
        same_separations(&swept, &all, &random, 1.0);
        oracle_free_facets(&swept);
        oracle_free_facets(&all);
        oracle_free(&a);
        oracle_free(&b);
        oracle_free(&c);
        solid_free(&s);
        solid_free(&r);
    }
}

/* Hulls of 128 vertices are compared with every pair of edges in both senses; hulls of 1000 vertices with every pair that the Gauss map does not exclude. */
static void sweep_of_large_hulls(void **state) {
    (void)state;
    random_state random = random_make(random_seed("sweep_of_large_hulls", 7));
    for (int i = 0; i < 6; i++) {
        bool large = i % 2;
        int32_t vertices = large ? 1000 : 128;
        solid s = solid_cloud(&random, vertices, random_vec3(&random, 0.35, 0.65)),
              r = solid_cloud(&random, vertices, random_vec3(&random, 0.35, 0.65));
        oracle_body a = oracle_solid(&s, random_pose(&random, 0.1)), b = oracle_solid(&r, random_pose(&random, 0.1));
        oracle_facets swept = oracle_minkowski_swept(&a, &b), trusted = large ? oracle_minkowski(&a, &b) : oracle_minkowski_all(&a, &b);
        printf("%d and %d vertices: %d facets, %d directions tried\n", (int)vertices, (int)vertices, (int)swept.count, (int)trusted.count);
        same_separations(&swept, &trusted, &random, 1.0);
        oracle_free_facets(&swept);
        oracle_free_facets(&trusted);
        oracle_free(&a);
        oracle_free(&b);
        solid_free(&s);
        solid_free(&r);
    }
}

static void least_depth(void **state) {
    (void)state;
    solid cube = solid_box(abut_vec3_make(0.5, 0.5, 0.5));
    oracle_body a = oracle_solid(&cube, at(0.9, 0.7, 0.6)), b = oracle_solid(&cube, at(0, 0, 0));
    abut_vec3 normal;
    assert_near(oracle_least_depth(&a, &b, &normal), 0.1, 1e-15);
    assert_vec3_near(normal, abut_vec3_make(1, 0, 0), 1e-15);
    oracle_facets facets = oracle_minkowski_swept(&a, &b);
    oracle_axis axis = oracle_separation(&facets, abut_vec3_make(0, 0, 0));
    assert_near(oracle_runner_up(&facets, abut_vec3_make(0, 0, 0), axis), -0.3, 1e-15);
    oracle_free_facets(&facets);
    oracle_free(&a);
    oracle_free(&b);
    solid_free(&cube);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_in_line),
        cmocka_unit_test(outside),
        cmocka_unit_test(segments),
        cmocka_unit_test(areas),
        cmocka_unit_test(hulls_are_closed),
        cmocka_unit_test(crossing_arcs_are_enough),
        cmocka_unit_test(no_direction_beats_the_facets),
        cmocka_unit_test(sweep_is_exhaustive),
        cmocka_unit_test(sweep_of_large_hulls),
        cmocka_unit_test(least_depth),
    };
    return cmocka_run_group_tests_name("support/oracle", tests, NULL, NULL);
}
