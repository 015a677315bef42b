/* The published and derived acceptance cases of convex contact: axis-aligned boxes, tetrahedra, spheres, and a cube on a slab or on another
 * cube with its face, edge or corner down. World frame, A above B, normal from B into A. Figures are closed forms, given to the digits they
 * are known to. */
#include "support/check.h"
#include "support/shapes.h"

static const abut_vec3 up = {0, 0, 1};

static abut_collide_settings with_margin(double margin) {
    abut_collide_settings settings = abut_collide_settings_default();
    settings.margin = margin;
    return settings;
}

static double alpha_of(const abut_shape *a, abut_pose pose_a, const abut_shape *b, abut_pose pose_b, abut_contraction contraction,
                       abut_vec3 normal) {
    abut_collide_settings settings = abut_collide_settings_default();
    settings.contraction = contraction;
    abut_growth growth;
    assert_ok(abut_growth_distance(&(abut_pair){a, pose_a, b, pose_b}, &settings, &growth));
    assert_vec3_near(growth.normal, normal, 1e-12);
    assert_near(growth.alpha_lower, growth.alpha, 1e-11 * growth.alpha);
    return growth.alpha;
}

/* The expected contacts of a case: midpoints seen from above, and gaps; in any order. */
typedef struct expected_point {
    double x, y, gap;
} expected_point;

static void has_points(const abut_contact *contacts, int32_t count, const expected_point *expected, int32_t expected_count,
                       double tolerance) {
    assert_int_equal(count, expected_count);
    for (int32_t e = 0; e < expected_count; e++) {
        int32_t found = 0;
        for (int32_t i = 0; i < count; i++) {
            abut_vec3 p = abut_lerp(contacts[i].on_a, contacts[i].on_b, 0.5);
            if (hypot(p.x - expected[e].x, p.y - expected[e].y) <= tolerance) {
                found++;
                assert_near(contacts[i].gap, expected[e].gap, tolerance);
                assert_vec3_near(contacts[i].normal, up, 1e-12);
                assert_near(abut_dot(contacts[i].normal, abut_sub(contacts[i].on_a, contacts[i].on_b)), contacts[i].gap, 1e-14);
            }
        }
        if (found != 1) {
            fail_msg("%d contacts at (%.9g, %.9g)", (int)found, expected[e].x, expected[e].y);
        }
    }
}

/* Both orders of the shapes must give the same contacts. */
static void collides(const abut_shape *a, abut_pose pose_a, const abut_shape *b, abut_pose pose_b, const abut_collide_settings *settings,
                     const expected_point *expected, int32_t expected_count, double tolerance) {
    abut_contact contacts[32], swapped[32];
    int32_t count = -1;
    assert_ok(abut_collide(&(abut_pair){a, pose_a, b, pose_b}, settings, NULL, contacts, 32, &count));
    has_points(contacts, count, expected, expected_count, tolerance);
    assert_ok(abut_collide(&(abut_pair){b, pose_b, a, pose_a}, settings, NULL, swapped, 32, &count));
    for (int32_t i = 0; i < count; i++) {
        swapped[i] = abut_contact_swap(swapped[i]);
    }
    has_points(swapped, count, expected, expected_count, tolerance);
}

/* S1: axis-aligned boxes about their centroids: the largest of |offset| / (sum of half sizes). */
static void s1_boxes(void **state) {
    (void)state;
    random_state random = random_make(random_seed("s1_boxes", 11));
    for (int i = 0; i < 100; i++) {
        abut_vec3 p = random_vec3(&random, 0.1, 2.0), q = random_vec3(&random, 0.1, 2.0), c = random_vec3(&random, -3.0, 3.0);
        abut_shape *a = box(p.x, p.y, p.z), *b = box(q.x, q.y, q.z);
        double rx = fabs(c.x) / (p.x + q.x), ry = fabs(c.y) / (p.y + q.y), rz = fabs(c.z) / (p.z + q.z);
        abut_vec3 n = rx > ry && rx > rz ? abut_vec3_make(copysign(1, c.x), 0, 0)
                      : ry > rz          ? abut_vec3_make(0, copysign(1, c.y), 0)
                                         : abut_vec3_make(0, 0, copysign(1, c.z));
        double alpha = alpha_of(a, at(c.x, c.y, c.z), b, at(0, 0, 0), ABUT_CONTRACTION_CENTROID, n);
        assert_near(alpha, fmax(rx, fmax(ry, rz)), 1e-13);
        abut_shape_release(a);
        abut_shape_release(b);
    }
}

static void s2_tetrahedra(void **state) {
    (void)state;
    solid s = solid_tetrahedron(abut_vec3_make(0, 0, 0), abut_vec3_make(1, 0, 0), abut_vec3_make(0, 1, 0), abut_vec3_make(0, 0, 1));
    abut_shape *shape = solid_shape(&s);
    double third = 1.0 / sqrt(3.0);
    abut_vec3 m = {third, third, third};
    assert_near(alpha_of(shape, at(0, 0, 0), shape, at(0.3, 0.3, 0.3), ABUT_CONTRACTION_CENTROID, abut_neg(m)), 0.9, 1e-14);
    assert_near(alpha_of(shape, at(0.3, 0.3, 0.3), shape, at(0, 0, 0), ABUT_CONTRACTION_CENTROID, m), 0.9, 1e-14);
    abut_shape_release(shape);
    solid_free(&s);
}

static void s3_spheres(void **state) {
    (void)state;
    abut_shape *a = NULL, *b = NULL;
    assert_ok(abut_shape_create_sphere(0.7, &a));
    assert_ok(abut_shape_create_sphere(1.4, &b));
    abut_vec3 n = abut_unit(abut_vec3_make(1, -2, 0.5));
    for (double distance = 0.01; distance < 30.0; distance *= 1.7) {
        abut_pose pose = at(0, 0, 0);
        pose.position = abut_scale(distance, n);
        assert_near(alpha_of(a, pose, b, at(0, 0, 0), ABUT_CONTRACTION_CENTROID, n), distance / 2.1, 1e-12 * distance);
    }
    abut_shape_release(a);
    abut_shape_release(b);
}

static void s4_cube_on_slab(void **state) {
    (void)state;
    static const expected_point expected[4] = {{-0.2, -0.7, -0.01}, {0.8, -0.7, -0.01}, {0.8, 0.3, -0.01}, {-0.2, 0.3, -0.01}};
    abut_shape *cube = box(0.5, 0.5, 0.5), *slab = box(2, 2, 0.5);
    assert_near(alpha_of(cube, at(0.3, -0.2, 0.99), slab, at(0, 0, 0), ABUT_CONTRACTION_CENTROID, up), 0.99, 1e-14);
    assert_near(alpha_of(cube, at(0.3, -0.2, 0.99), slab, at(0, 0, 0), ABUT_CONTRACTION_CORE, up), 0.99, 1e-14);
    collides(cube, at(0.3, -0.2, 0.99), slab, at(0, 0, 0), NULL, expected, 4, 1e-14);
    abut_contact contacts[4];
    int32_t count;
    assert_ok(abut_collide(&(abut_pair){cube, at(0.3, -0.2, 0.99), slab, at(0, 0, 0)}, NULL, NULL, contacts, 4, &count));
    for (int i = 0; i < 4; i++) {
        assert_near(contacts[i].area, 0.25, 1e-14);
        assert_int_equal(contacts[i].patch, 0);
        assert_int_equal(contacts[i].flags, 0);
        /* Each corner is a vertex of the cube on the slab's upper face. */
        assert_int_equal(contacts[i].feature_a.kind, ABUT_FEATURE_VERTEX);
        assert_int_equal(contacts[i].feature_a.index & 4, 0);
        assert_int_equal(contacts[i].feature_b.kind, ABUT_FEATURE_FACE);
        assert_int_equal(contacts[i].feature_b.index, 5);
    }
    abut_shape_release(cube);
    abut_shape_release(slab);
}

static void s5_shifted_cubes(void **state) {
    (void)state;
    static const expected_point expected[4] = {{-0.1, -0.25, -0.01}, {0.5, -0.25, -0.01}, {0.5, 0.5, -0.01}, {-0.1, 0.5, -0.01}};
    abut_shape *cube = box(0.5, 0.5, 0.5);
    collides(cube, at(0.4, 0.25, 0.99), cube, at(0, 0, 0), NULL, expected, 4, 1e-14);
    abut_shape_release(cube);
}

static void s6_turned_cubes(void **state) {
    (void)state;
    double k = sqrt(0.5) - 0.5;
    assert_near(k, 0.207106781, 1e-9);
    const expected_point expected[8] = {{0.5, k, -0.01}, {0.5, -k, -0.01}, {-0.5, k, -0.01}, {-0.5, -k, -0.01},
                                        {k, 0.5, -0.01}, {k, -0.5, -0.01}, {-k, 0.5, -0.01}, {-k, -0.5, -0.01}};
    abut_shape *cube = box(0.5, 0.5, 0.5);
    collides(cube, turned(at(0, 0, 0.99), abut_vec3_make(0, 0, 1), PI / 4), cube, at(0, 0, 0), NULL, expected, 8, 1e-14);
    abut_shape_release(cube);
}

static void s7_edge_on_slab(void **state) {
    (void)state;
    static const expected_point expected[2] = {{-0.2, 0, -0.01}, {0.8, 0, -0.01}};
    abut_shape *cube = box(0.5, 0.5, 0.5), *slab = box(2, 2, 0.5);
    abut_pose pose = turned(at(0.3, 0, 0.5 + sqrt(0.5) - 0.01), abut_vec3_make(1, 0, 0), PI / 4);
    assert_near(alpha_of(cube, pose, slab, at(0, 0, 0), ABUT_CONTRACTION_CENTROID, up), 0.9917157288, 5e-11);
    assert_near(alpha_of(cube, pose, slab, at(0, 0, 0), ABUT_CONTRACTION_CORE, up), 0.9917157288, 5e-11);
    collides(cube, pose, slab, at(0, 0, 0), NULL, expected, 2, 1e-14);
    abut_shape_release(cube);
    abut_shape_release(slab);
}

static void s8_corner_on_slab(void **state) {
    (void)state;
    static const expected_point expected[1] = {{0.1, 0.2, -0.01}};
    abut_shape *cube = box(0.5, 0.5, 0.5), *slab = box(2, 2, 0.5);
    abut_pose pose = turned(at(0.1, 0.2, 0.5 + sqrt(0.75) - 0.01), abut_vec3_make(0, 1, 0), PI / 4);
    pose = turned(pose, abut_vec3_make(1, 0, 0), atan(1.0 / sqrt(2.0)));
    assert_near(alpha_of(cube, pose, slab, at(0, 0, 0), ABUT_CONTRACTION_CENTROID, up), 0.9926794919, 5e-11);
    assert_near(alpha_of(cube, pose, slab, at(0, 0, 0), ABUT_CONTRACTION_CORE, up), 0.9926794919, 5e-11);
    collides(cube, pose, slab, at(0, 0, 0), NULL, expected, 1, 1e-14);
    abut_shape_release(cube);
    abut_shape_release(slab);
}

static void s9_crossed_edges(void **state) {
    (void)state;
    static const expected_point expected[1] = {{0, 0.2, -0.02}};
    abut_shape *cube = box(0.5, 0.5, 0.5);
    abut_pose pose_a = turned(at(0.1, 0.2, 2.0 * sqrt(0.5) - 0.02), abut_vec3_make(1, 0, 0), PI / 4),
              pose_b = turned(at(0, 0, 0), abut_vec3_make(0, 1, 0), PI / 4);
    assert_near(alpha_of(cube, pose_a, cube, pose_b, ABUT_CONTRACTION_CENTROID, up), 0.9858578644, 5e-11);
    collides(cube, pose_a, cube, pose_b, NULL, expected, 1, 1e-14);
    abut_contact contact;
    int32_t count;
    assert_ok(abut_collide(&(abut_pair){cube, pose_a, cube, pose_b}, NULL, NULL, &contact, 1, &count));
    assert_near(0.5 * (contact.on_a.z + contact.on_b.z), 0.697106781, 5e-10);
    assert_int_equal(contact.feature_a.kind, ABUT_FEATURE_EDGE);
    assert_int_equal(contact.feature_b.kind, ABUT_FEATURE_EDGE);
    abut_shape_release(cube);
}

static void s10_tilted_cube(void **state) {
    (void)state;
    const double tilt = 0.5 * PI / 180.0, high = 0.5 * cos(tilt) - 0.5 * sin(tilt), low = -0.5 * cos(tilt) - 0.5 * sin(tilt),
                 gap = sin(tilt) - 0.005, rounding = 1e-12;
    const expected_point expected[4] = {{high, 0.5, -0.005}, {high, -0.5, -0.005}, {low, 0.5, gap}, {low, -0.5, gap}};
    assert_near(high, 0.495617694, 5e-10);
    assert_near(low, -0.504344229, 5e-10);
    assert_near(gap, 0.003726536, 1e-9);
    abut_shape *cube = box(0.5, 0.5, 0.5), *slab = box(2, 2, 0.5);
    abut_pose pose = turned(at(0, 0, 0.495 + 0.5 * cos(tilt) + 0.5 * sin(tilt)), abut_vec3_make(0, 1, 0), tilt);
    assert_near(alpha_of(cube, pose, slab, at(0, 0, 0), ABUT_CONTRACTION_CENTROID, up), 0.9950216272, 5e-11);
    abut_collide_settings settings = with_margin(0.01);
    settings.feature_angle = 2.0 * PI / 180.0;
    collides(cube, pose, slab, at(0, 0, 0), &settings, expected, 4, rounding);
    settings.feature_angle = 0.1 * PI / 180.0;
    collides(cube, pose, slab, at(0, 0, 0), &settings, expected, 2, rounding);
    /* Without a margin, the corners above the slab are dropped. */
    collides(cube, pose, slab, at(0, 0, 0), NULL, expected, 2, rounding);
    abut_shape_release(cube);
    abut_shape_release(slab);
}

static void s11_small_cube_at_the_rim_of_a_slab(void **state) {
    (void)state;
    static const expected_point expected[4] = {{4.95, 0.5, -0.01}, {4.95, -0.5, -0.01}, {5, 0.5, -0.01}, {5, -0.5, -0.01}};
    abut_shape *cube = box(0.5, 0.5, 0.5), *slab = box(5, 5, 0.5);
    abut_pose pose = at(5.45, 0, 0.99);
    assert_near(alpha_of(cube, pose, slab, at(0, 0, 0), ABUT_CONTRACTION_CENTROID, abut_vec3_make(1, 0, 0)), 0.990909091, 5e-10);
    assert_near(alpha_of(cube, pose, slab, at(0, 0, 0), ABUT_CONTRACTION_CORE, up), 0.99, 1e-14);
    collides(cube, pose, slab, at(0, 0, 0), NULL, expected, 4, 1e-14);
    /* The normal stays vertical as long as the way out sideways is longer. */
    for (double x = 5.0; x <= 5.485; x += 0.01) {
        abut_contact contacts[8];
        int32_t count;
        assert_ok(abut_collide(&(abut_pair){cube, at(x, 0, 0.99), slab, at(0, 0, 0)}, NULL, NULL, contacts, 8, &count));
        assert_int_equal(count, 4);
        assert_vec3_near(contacts[0].normal, up, 1e-12);
    }
    abut_shape_release(cube);
    abut_shape_release(slab);
}

enum { CORNERS = 4 };

/* X2: the contacts of S4 can carry the cube. Projected Gauss-Seidel on the accelerations at the contacts, frictionless. */
static void x2_patch_carries_the_cube(void **state) {
    (void)state;
    abut_shape *cube = box(0.5, 0.5, 0.5), *slab = box(2, 2, 0.5);
    abut_vec3 centre = {0.3, -0.2, 0.99};
    abut_contact contacts[CORNERS];
    int32_t count;
    assert_ok(abut_collide(&(abut_pair){cube, at(centre.x, centre.y, centre.z), slab, at(0, 0, 0)}, NULL, NULL, contacts, CORNERS, &count));
    assert_int_equal(count, CORNERS);
    const double mass = 2.0, inertia = mass / 6.0, gravity = 9.81;
    abut_vec3 arm[CORNERS], torque = {0, 0, 0}, force = {0, 0, -mass * gravity};
    double f[CORNERS] = {0};
    for (int pass = 0; pass < 2000; pass++) {
        for (int i = 0; i < CORNERS; i++) {
            arm[i] = abut_cross(abut_sub(abut_lerp(contacts[i].on_a, contacts[i].on_b, 0.5), centre), contacts[i].normal);
            double acceleration = abut_dot(contacts[i].normal, force) / mass + abut_dot(arm[i], torque) / inertia;
            double response = 1.0 / mass + abut_length_squared(arm[i]) / inertia;
            double change = fmax(0.0, f[i] - acceleration / response) - f[i];
            f[i] += change;
            force = abut_add_scaled(force, change, contacts[i].normal);
            torque = abut_add_scaled(torque, change, arm[i]);
        }
    }
    assert_near(f[0] + f[1] + f[2] + f[3], mass * gravity, 1e-11);
    assert_vec3_near(abut_scale(1.0 / mass, force), abut_vec3_make(0, 0, 0), 1e-11);
    assert_vec3_near(abut_scale(1.0 / inertia, torque), abut_vec3_make(0, 0, 0), 1e-11);
    abut_shape_release(cube);
    abut_shape_release(slab);
}

/* X3: the depth by the contact, by the growth distance and by the enumeration of axes is the same. */
static void x3_three_ways_to_a_depth(void **state) {
    (void)state;
    solid s = solid_box(abut_vec3_make(0.5, 0.5, 0.5));
    abut_shape *cube = box(0.5, 0.5, 0.5);
    abut_pose pose = at(0.9, 0.7, 0.6);
    oracle_body a = oracle_solid(&s, pose), b = oracle_solid(&s, at(0, 0, 0));
    assert_near(oracle_signed_distance(&a, &b), -0.1, 1e-15);
    assert_near(alpha_of(cube, pose, cube, at(0, 0, 0), ABUT_CONTRACTION_CENTROID, abut_vec3_make(1, 0, 0)), 0.9, 1e-14);
    abut_growth growth;
    assert_ok(abut_growth_distance(&(abut_pair){cube, pose, cube, at(0, 0, 0)}, NULL, &growth));
    assert_near(growth.gap, -0.1, 1e-14);
    abut_contact contacts[8];
    int32_t count;
    assert_ok(abut_collide(&(abut_pair){cube, pose, cube, at(0, 0, 0)}, NULL, NULL, contacts, 8, &count));
    assert_int_equal(count, 4);
    for (int32_t i = 0; i < count; i++) {
        assert_near(contacts[i].gap, -0.1, 1e-14);
        assert_vec3_near(contacts[i].normal, abut_vec3_make(1, 0, 0), 1e-14);
        assert_near(contacts[i].area, 0.3 * 0.4 / 4.0, 1e-14);
    }
    oracle_free(&a);
    oracle_free(&b);
    abut_shape_release(cube);
    solid_free(&s);
}

/* X5: swapping A and B reverses the normal, exchanges the points, and leaves the gaps and ids. */
static void x5_swap(void **state) {
    (void)state;
    abut_shape *shapes[6] = {box(0.5, 0.4, 0.3), NULL, NULL, NULL, NULL, NULL};
    assert_ok(abut_shape_create_sphere(0.4, &shapes[1]));
    assert_ok(abut_shape_create_capsule(0.25, 0.4, &shapes[2]));
    assert_ok(abut_shape_create_prism(0.4, 0.4, 0, &shapes[3]));
    assert_ok(abut_shape_create_pyramid(0.5, 0.8, 0, &shapes[4]));
    assert_ok(abut_shape_create_plane(up, 0.0, &shapes[5]));
    random_state random = random_make(random_seed("x5_swap", 12));
    static tally t;
    static check_answer answer, other, expected;
    abut_collide_settings settings = with_margin(0.05);
    int32_t touching = 0;
    for (int i = 0; i < 1500; i++) {
        int32_t p = random_below(&random, 5), q = random_below(&random, 6);
        check_pair pair = {
            .a = shapes[p], .b = shapes[q], .pose_a = random_pose(&random, 0.6), .pose_b = random_pose(&random, 0.6), .size = 1.0};
        check_pair reverse = {.a = pair.b, .b = pair.a, .pose_a = pair.pose_b, .pose_b = pair.pose_a, .size = 1.0};
        tally_sample(&t, "sample %d: %s and %s", i, abut_kind_name(abut_shape_kind(pair.a)), abut_kind_name(abut_shape_kind(pair.b)));
        check_collide(&t, &pair, &settings, &answer);
        check_collide(&t, &reverse, &settings, &other);
        check_swap(&answer, &expected);
        check_same(&t, "swap", &other, &expected, abut_pose_identity(), 1.0, true, 1e-12);
        touching += answer.count > 0;
    }
    assert_true(touching > 500);
    tally_end(&t);
    for (int i = 0; i < 6; i++) {
        abut_shape_release(shapes[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(s1_boxes),
        cmocka_unit_test(s2_tetrahedra),
        cmocka_unit_test(s3_spheres),
        cmocka_unit_test(s4_cube_on_slab),
        cmocka_unit_test(s5_shifted_cubes),
        cmocka_unit_test(s6_turned_cubes),
        cmocka_unit_test(s7_edge_on_slab),
        cmocka_unit_test(s8_corner_on_slab),
        cmocka_unit_test(s9_crossed_edges),
        cmocka_unit_test(s10_tilted_cube),
        cmocka_unit_test(s11_small_cube_at_the_rim_of_a_slab),
        cmocka_unit_test(x2_patch_carries_the_cube),
        cmocka_unit_test(x3_three_ways_to_a_depth),
        cmocka_unit_test(x5_swap),
    };
    return cmocka_run_group_tests_name("narrow/acceptance", tests, NULL, NULL);
}
