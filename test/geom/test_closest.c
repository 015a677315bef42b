/*
 * Closest points: closed forms if the feature is known, else dense sampling.
 */

#include "support/check.h"
#include "support/random.h"

#include "geom/closest.h"

static const abut_vec3 corner_a = {0, 0, 0}, corner_b = {2, 0, 0}, corner_c = {0, 1, 0};

static abut_vec3 on_triangle(abut_vec3 p, abut_vec3 a, abut_vec3 b, abut_vec3 c, double w[3]) {
    closest_on_triangle(p, a, b, c, w);
    return abut_add(abut_add(abut_scale(w[0], a), abut_scale(w[1], b)), abut_scale(w[2], c));
}

static void triangle_regions(void **state) {
    (void)state;
    static const struct {
        abut_vec3 p, closest;
        int zero_weights;
    } cases[] = {
        {{0.5, 0.25, 3}, {0.5, 0.25, 0}, 0}, {{-1, -1, 2}, {0, 0, 0}, 2},    {{3, -0.5, 1}, {2, 0, 0}, 2},    {{-0.5, 2, 0}, {0, 1, 0}, 2},
        {{1, -4, 1}, {1, 0, 0}, 1},          {{-3, 0.5, 0}, {0, 0.5, 0}, 1}, {{1.5, 1.5, 7}, {1, 0.5, 0}, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double w[3];
        abut_vec3 q = on_triangle(cases[i].p, corner_a, corner_b, corner_c, w);
        assert_vec3_near(q, cases[i].closest, 1e-15);
        assert_int_equal((w[0] == 0.0) + (w[1] == 0.0) + (w[2] == 0.0), cases[i].zero_weights);
    }
}

/* A point of a convex set is closest to p if no point of the set lies further in the direction of p. */
static void triangle_variational(void **state) {
    (void)state;
    random_state random = random_make(random_seed("triangle_variational", 101));
    for (int i = 0; i < 20000; i++) {
        abut_vec3 v[3], p = random_vec3(&random, -2, 2);
        for (int k = 0; k < 3; k++) {
            v[k] = random_vec3(&random, -1, 1);
        }
        if (i % 4 == 0) {
            v[2] = abut_add_scaled(abut_lerp(v[0], v[1], 0.3), random_log_range(&random, 1e-14, 1e-3),
                                   random_direction(&random)); /* slivers */
        }
        double w[3];
        abut_vec3 q = on_triangle(p, v[0], v[1], v[2], w);
        assert_true(w[0] >= 0.0 && w[1] >= 0.0 && w[2] >= 0.0);
        assert_near(w[0] + w[1] + w[2], 1.0, 1e-15);
        for (int k = 0; k < 3; k++) {
            assert_true(abut_dot(abut_sub(p, q), abut_sub(v[k], q)) <= 1e-8);
        }
    }
}

static void degenerate_triangles(void **state) {
    (void)state;
    double w[3];
    abut_vec3 p = {0.3, 5, 0}, far = {1, 0, 0};
    assert_vec3_near(on_triangle(p, corner_a, corner_a, corner_a, w), corner_a, 0.0);
    assert_vec3_near(on_triangle(p, corner_a, far, abut_vec3_make(0.5, 0, 0), w), abut_vec3_make(0.3, 0, 0), 1e-15);
}

/* Needles: two corners of the difference of a small and a large body lie close to each other, and the query point is just off the middle. */
static void needles(void **state) {
    (void)state;
    random_state random = random_make(random_seed("needles", 103));
    for (int i = 0; i < 20000; i++) {
        double width = random_log_range(&random, 1e-7, 1e-1), height = width * random_log_range(&random, 1e-4, 1e-1);
        abut_vec3 along = random_direction(&random), across, normal;
        abut_tangent_frame(along, &across, &normal);
        abut_vec3 a = random_vec3(&random, -1, 1), b = abut_add(a, along);
        abut_vec3 c = abut_add_scaled(abut_add_scaled(b, width, across), 0.3 * width, along);
        abut_vec3 inside = abut_add(abut_scale(0.4, a), abut_add(abut_scale(0.3, b), abut_scale(0.3, c)));
        double w[3];
        abut_vec3 q = on_triangle(abut_add_scaled(inside, height, normal), a, b, c, w);
        /* Coordinates of about 1 have a spacing of 1e-16, so the triangle's plane is known only to this spacing over its width. */
        assert_vec3_near(q, inside, 2e-15 + 1e-16 / width);
    }
}

static void segments(void **state) {
    (void)state;
    random_state random = random_make(random_seed("segments", 102));
    for (int i = 0; i < 20000; i++) {
        abut_vec3 a0 = random_vec3(&random, -1, 1), a1 = random_vec3(&random, -1, 1), b0 = random_vec3(&random, -1, 1),
                  b1 = random_vec3(&random, -1, 1);
        if (i % 5 == 0) {
            b1 = abut_add_scaled(b0, random_range(&random, -2, 2), abut_sub(a1, a0)); /* parallel */
        }
        double s, t, u, v;
        closest_of_segments(a0, a1, b0, b1, &s, &t);
        assert_true(s >= 0.0 && s <= 1.0 && t >= 0.0 && t <= 1.0);
        abut_vec3 p = abut_lerp(a0, a1, s), q = abut_lerp(b0, b1, t), d = abut_sub(q, p);
        assert_true(abut_dot(d, abut_sub(a0, p)) <= 1e-9 && abut_dot(d, abut_sub(a1, p)) <= 1e-9);
        assert_true(abut_dot(d, abut_sub(b0, q)) >= -1e-9 && abut_dot(d, abut_sub(b1, q)) >= -1e-9);
        closest_of_segments(b0, b1, a0, a1, &v, &u);
        assert_near(abut_distance_between(abut_lerp(a0, a1, u), abut_lerp(b0, b1, v)), abut_length(d), 1e-9);
    }
}

static void special_segments(void **state) {
    (void)state;
    double s, t;
    abut_vec3 o = {0, 0, 0}, x = {1, 0, 0}, up = {0, 0, 1}, right = {1, 0, 1};
    assert_int_equal(closest_of_segments(o, x, up, right, &s, &t), SEGMENTS_PARALLEL);
    assert_near(s, 0.5, 0.0);
    assert_near(t, 0.5, 0.0);
    assert_int_equal(closest_of_segments(o, o, up, right, &s, &t), SEGMENTS_POINT);
    assert_near(t, 0.0, 0.0);
    assert_int_equal(closest_of_segments(o, o, x, x, &s, &t), SEGMENTS_POINT);
    assert_int_equal(closest_of_segments(o, x, abut_vec3_make(0.25, -1, 2), abut_vec3_make(0.25, 1, 2), &s, &t), SEGMENTS_SKEW);
    assert_near(s, 0.25, 1e-16);
    assert_near(t, 0.5, 1e-16);
    assert_near(closest_on_segment(right, o, x), 1.0, 0.0);
    assert_near(closest_on_segment(right, o, o), 0.0, 0.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(triangle_regions),
        cmocka_unit_test(triangle_variational),
        cmocka_unit_test(degenerate_triangles),
        cmocka_unit_test(needles),
        cmocka_unit_test(segments),
        cmocka_unit_test(special_segments),
    };
    return cmocka_run_group_tests_name("geom/closest", tests, NULL, NULL);
}
