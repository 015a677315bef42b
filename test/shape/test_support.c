/* abut_shape_support(): closed forms and ties, comparison with every vertex of random bodies, extreme directions, and refused arguments. */
#include "support/shapes.h"
#include "support/specimen.h"

static void assert_support(const abut_shape *shape, abut_vec3 direction, abut_vec3 expected, int32_t expected_vertex) {
    abut_vec3 point = {77, 77, 77};
    int32_t vertex = 77;
    assert_ok(abut_shape_support(shape, direction, &point, &vertex));
    assert_vec3_near(point, expected, 1e-15);
    assert_int_equal(vertex, expected_vertex);
    abut_vec3 again = {77, 77, 77};
    assert_ok(abut_shape_support(shape, direction, &again, NULL));
    assert_vec3_near(again, point, 0.0);
}

static void round_shapes(void **state) {
    (void)state;
    abut_shape *ball = NULL, *bar = NULL;
    assert_ok(abut_shape_create_sphere(2.0, &ball));
    assert_ok(abut_shape_create_capsule(0.5, 3.0, &bar));
    assert_support(ball, abut_vec3_make(0, 3, 4), abut_vec3_make(0, 1.2, 1.6), -1);
    assert_support(bar, abut_vec3_make(0, 3, 4), abut_vec3_make(0, 0.3, 3.4), -1);
    assert_support(bar, abut_vec3_make(0, 3, -4), abut_vec3_make(0, 0.3, -3.4), -1);
    assert_support(bar, abut_vec3_make(-7, 0, 0), abut_vec3_make(-0.5, 0, -3),
                   -1); /* the whole side is equally far; the answer is its lower end */
    abut_shape_release(ball);
    abut_shape_release(bar);
}

/* For faces and edges perpendicular to the direction, the answer is the vertex with the lowest index. */
static void ties(void **state) {
    (void)state;
    abut_shape *cube = NULL, *hexagon = NULL;
    assert_ok(abut_shape_create_box(abut_vec3_make(1, 2, 3), &cube));
    assert_ok(abut_shape_create_prism(1.0, 2.0, 6, &hexagon));
    for (int32_t i = 0; i < 8; i++) {
        abut_vec3 corner = {i & 1 ? 1 : -1, i & 2 ? 2 : -2, i & 4 ? 3 : -3};
        assert_support(cube, corner, corner, i);
    }
    assert_support(cube, abut_vec3_make(0, 0, 0.1), abut_vec3_make(-1, -2, 3), 4);
    assert_support(cube, abut_vec3_make(0, -3e-7, 3e-7), abut_vec3_make(-1, -2, 3), 4);
    assert_support(cube, abut_vec3_make(1, 0, -0.0), abut_vec3_make(1, -2, -3), 1);
    abut_polytope_view view;
    assert_ok(abut_shape_polytope(hexagon, &view));
    int32_t lowest = 0;
    while (view.vertices[lowest].z < 0.0) {
        lowest++;
    }
    assert_support(hexagon, abut_vec3_make(0, 0, 0.3), view.vertices[lowest], lowest);
    abut_shape_release(cube);
    abut_shape_release(hexagon);
}

static void compounds(void **state) {
    (void)state;
    abut_shape *cube = NULL, *ball = NULL, *both = NULL;
    assert_ok(abut_shape_create_box(abut_vec3_make(1, 1, 1), &cube));
    assert_ok(abut_shape_create_sphere(1.0, &ball));
    abut_pose tipped = at(5, 0, 0);
    tipped.rotation = abut_quat_about(abut_vec3_make(0, 0, 1), 0.78539816339744831);
    abut_part parts[3] = {{ball, at(0, 0, 0)}, {cube, tipped}, {ball, at(-3, 0, 0)}};
    assert_ok(abut_shape_create_compound(parts, 3, &both));
    /* Vertices 1 (+x, -y) and 3 (+x, +y) of the cube turned by 45 degrees lie at y = 0 and x = 5. */
    assert_support(both, abut_vec3_make(1, 0, -1e-3), abut_vec3_make(5.0 + sqrt(2.0), 0, -1), 1);
    assert_support(both, abut_vec3_make(1e-3, 1, 1e-3), abut_vec3_make(5, sqrt(2.0), 1), 7);
    assert_support(both, abut_vec3_make(-2, 0, 0), abut_vec3_make(-4, 0, 0), -1);
    assert_support(both, abut_vec3_make(0, 0, 1), abut_vec3_make(0, 0, 1),
                   -1); /* all three parts reach z = 1; the answer is in the first */
    abut_shape_release(cube);
    abut_shape_release(ball);
    abut_shape_release(both);
}

/* No vertex is farther, and the point is in the shape. */
static void random_bodies(void **state) {
    (void)state;
    random_state random = random_make(random_seed("random_bodies", 511));
    for (int i = 0; i < 3000; i++) {
        specimen s = specimen_random(&random, random_log_range(&random, 1e-3, 1e3));
        abut_vec3 direction = random_direction(&random), point;
        int32_t vertex;
        oracle_body body = specimen_oracle(&s, abut_pose_identity());
        assert_ok(abut_shape_support(s.shape, abut_scale(random_log_range(&random, 1e-9, 1e9), direction), &point, &vertex));
        assert_near(abut_dot(direction, point), oracle_support(&body, direction), 1e-15 * s.size);
        assert_near(oracle_outside(&body, point), 0.0, 1e-14 * s.size);
        assert_int_equal(vertex >= 0, s.surface.vertex_count > 0);
        if (vertex >= 0) {
            assert_vec3_near(point, s.surface.vertices[vertex], 0.0);
        }
        oracle_free(&body);
        specimen_free(&s);
    }
}

/* The answer does not depend on the length of the direction, however far from 1. */
static void extreme_directions(void **state) {
    (void)state;
    abut_shape *cube = NULL, *bar = NULL;
    assert_ok(abut_shape_create_box(abut_vec3_make(1e30, 2e30, 3e30), &cube));
    assert_ok(abut_shape_create_capsule(1e-30, 1e-30, &bar));
    static const double lengths[] = {5e-324, 1e-310, 1e-200, 1e200, 1.7e308};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        abut_vec3 point;
        int32_t vertex;
        assert_ok(abut_shape_support(cube, abut_vec3_make(lengths[i], -lengths[i], lengths[i]), &point, &vertex));
        assert_int_equal(vertex, 5);
        assert_ok(abut_shape_support(bar, abut_vec3_make(0, 0, -lengths[i]), &point, &vertex));
        assert_near(point.z, -2e-30, 1e-45);
    }
    abut_shape_release(cube);
    abut_shape_release(bar);
}

static void refused(void **state) {
    (void)state;
    abut_shape *cube = NULL, *ground = NULL;
    assert_ok(abut_shape_create_box(abut_vec3_make(1, 1, 1), &cube));
    assert_ok(abut_shape_create_plane(abut_vec3_make(0, 0, 1), 0.0, &ground));
    abut_vec3 point = {7, 8, 9};
    int32_t vertex = 77;
    const abut_vec3 up = {0, 0, 1}, zero = {0, 0, 0};
    assert_status(abut_shape_support(NULL, up, &point, &vertex), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_support(cube, up, NULL, &vertex), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_support(cube, zero, &point, &vertex), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_support(cube, abut_vec3_make(NAN, 0, 1), &point, &vertex), ABUT_ERROR_NOT_FINITE);
    assert_status(abut_shape_support(cube, abut_vec3_make(0, -INFINITY, 1), &point, &vertex), ABUT_ERROR_NOT_FINITE);
    assert_status(abut_shape_support(ground, up, &point, &vertex), ABUT_ERROR_UNBOUNDED);
    assert_vec3_near(point, abut_vec3_make(7, 8, 9), 0.0);
    assert_int_equal(vertex, 77);
    abut_shape_release(cube);
    abut_shape_release(ground);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_shapes),       cmocka_unit_test(ties),    cmocka_unit_test(compounds), cmocka_unit_test(random_bodies),
        cmocka_unit_test(extreme_directions), cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests_name("shape/support", tests, NULL, NULL);
}
