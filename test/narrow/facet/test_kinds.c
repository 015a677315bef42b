/*
 * Bodies of rounded triangles and shapes of every other kind, through their skins. The oracle is Hertz's force in closed form: a meshed ball on any flat face
 * must have that of a ball on a half-space, and on spherical surfaces that of two balls. Curved surfaces with two radii are compared with Hertz's force for
 * the mean curvature. Then what holds for every pair: exchange of A and B, rigid motion, and forces in balance.
 */
#include <stdlib.h>

#include <abut/abut.h>

#include "support/check.h"
#include "support/facet_body.h"
#include "support/pressed.h"
#include "support/random.h"
#include "support/shapes.h"
#include "support/user_surface.h"

static abut_pressure_law law;

static int make_law(void **state) {
    (void)state;
    const abut_material rubber = {.young = 3e6, .poisson = 0.3};
    assert_ok(abut_pressure_law_make(&rubber, &rubber, &law));
    law.layer = 0.5;
    return 0;
}

static abut_pressure_result press(const abut_pair *pair) { return pressed_pair(pair, &law); }

static double hertz(double radius, double overlap) { return 4.0 / 3.0 * law.modulus * sqrt(radius) * pow(overlap, 1.5); }

static abut_shape *ball(int level, double radius) {
    facet_body body = facet_body_ball(level);
    facet_body_scale(&body, abut_vec3_make(radius, radius, radius));
    abut_shape *shape = facet_body_round(&body, radius);
    facet_body_free(&body);
    return shape;
}

/* ---- flat faces ---- */

static abut_shape *trimesh_of(const abut_vec3 *vertices, int32_t vertex_count, const int32_t *triangles, int32_t count, bool two_sided) {
    abut_trimesh_def def = abut_trimesh_def_default();
    def.vertices = vertices;
    def.vertex_count = vertex_count;
    def.triangles = triangles;
    def.triangle_count = count;
    def.two_sided = two_sided;
    abut_shape *shape;
    assert_ok(abut_shape_create_trimesh(&def, NULL, &shape));
    return shape;
}

static abut_shape *floor_of_triangles(bool two_sided) {
    static const abut_vec3 corners[] = {{-2, -2, 0}, {2, -2, 0}, {2, 2, 0}, {-2, 2, 0}, {0.1, -0.2, 0}};
    static const int32_t triangles[] = {0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4};
    return trimesh_of(corners, 5, triangles, 4, two_sided);
}

static abut_shape *heights(void) {
    static const double flat[49] = {0};
    const abut_heightfield_def def = {.heights = flat, .columns = 7, .rows = 7, .spacing_x = 0.7, .spacing_y = 0.7};
    abut_shape *shape;
    assert_ok(abut_shape_create_heightfield(&def, &shape));
    return shape;
}

/* Two boxes with a common face under z = 0, or that overlap; and a ball below that the boxes cover. */
static abut_shape *paved(double overlap) {
    abut_shape *left = box(1.0 + overlap, 2, 0.5), *right = box(1, 2, 0.5), *inner = sphere(0.4), *shape;
    const abut_part parts[] = {{left, at(-1, 0, -0.5)}, {right, at(1, 0, -0.5)}, {inner, at(0.1, 0, -0.5)}};
    assert_ok(abut_shape_create_compound(parts, 3, &shape));
    abut_shape_release(left);
    abut_shape_release(right);
    abut_shape_release(inner);
    return shape;
}

/* A ball on a face at z = 0, anywhere near the origin, seen from anywhere. */
static void expect_hertz_on(abut_shape *face, abut_pose in, double most, const char *name, int32_t samples, random_state *random) {
    for (int32_t i = 0; i < samples; i++) {
        double radius = random_log_range(random, 0.05, 0.6), overlap = radius * random_log_range(random, 1e-5, 0.02);
        abut_shape *round = ball(random_below(random, 3), radius);
        abut_pose world = random_pose(random, 3.0),
                  pose = {{random_range(random, -most, most), random_range(random, -most, most), radius - overlap},
                          random_rotation(random)};
        abut_pose a = abut_pose_compose(world, pose), b = abut_pose_compose(world, in);
        abut_pressure_result r = press(&(abut_pair){round, a, face, b}), turned = press(&(abut_pair){face, b, round, a});
        double expected = hertz(radius, overlap);
        abut_vec3 up = abut_quat_rotate(world.rotation, abut_vec3_make(0, 0, expected));
        if (abut_distance_between(r.force, up) > 1e-8 * expected) {
            print_error("%s, sample %d: off by %.2g\n", name, (int)i, abut_distance_between(r.force, up) / expected);
        }
        assert_vec3_near(r.force, up, 1e-8 * expected);
        assert_vec3_near(r.moment_a, abut_vec3_make(0, 0, 0), 1e-8 * expected * radius);
        assert_vec3_near(turned.force, abut_neg(up), 1e-8 * expected);
        abut_shape_release(round);
    }
}

static void test_ball_on_flat_faces(void **state) {
    (void)state;
    random_state random = random_make(random_seed("ball on flat faces", 4));
    int32_t samples = random_samples("ball on flat faces", 400);
    const struct {
        abut_shape *shape;
        abut_pose pose;
        double most;
        const char *name;
    } faces[] = {
        {box(2, 2, 1), at(0, 0, -1), 1.0, "box"},
        {prism(2, 1, 7), at(0, 0, -1), 0.8, "prism"},
        {cylinder(2, 1), at(0, 0, -1), 1.0, "cylinder"},
        {floor_of_triangles(false), at(0, 0, 0), 1.0, "open mesh"},
        {floor_of_triangles(true), at(0, 0, 0), 1.0, "mesh with two sides"},
        {heights(), at(-2.1, -2.1, 0), 1.0, "heights"},
        {paved(0.0), at(0, 0, 0), 0.8, "paved"},
        {paved(0.3), at(0, 0, 0), 0.8, "paved, overlapping"},
    };
    for (size_t i = 0; i < sizeof faces / sizeof *faces; i++) {
        expect_hertz_on(faces[i].shape, faces[i].pose, faces[i].most, faces[i].name, samples, &random);
        abut_shape_release(faces[i].shape);
    }
}

/* ---- curved surfaces ---- */

/* The ball touches a surface whose radii of curvature are r1 and r2 above it. Returns the force over Hertz's for the mean curvature. */
static double over_hertz(abut_shape *shape, abut_pose in, double top, double r1, double r2) {
    const double radius = 0.3, overlap = 0.003;
    abut_shape *round = ball(2, radius);
    abut_pose pose = {{0, 0, top + radius - overlap}, abut_quat_about(abut_unit(abut_vec3_make(1, 2, 3)), 0.4)};
    abut_pressure_result r = press(&(abut_pair){round, pose, shape, in});
    abut_shape_release(round);
    return r.force.z / hertz(1.0 / (1.0 / radius + 0.5 * (1.0 / r1 + 1.0 / r2)), overlap);
}

static void test_ball_on_curved_surfaces(void **state) {
    (void)state;
    static user_ellipsoid egg = {{0.5, 0.5, 0.5}, {0, 0, 0}};
    const abut_implicit_def implicit = user_ellipsoid_implicit(&egg);
    const abut_pose upright = at(0, 0, 0), lying = turned(at(0, 0, 0), abut_vec3_make(0, 1, 0), 0.5 * PI);
    abut_shape *user;
    assert_ok(abut_shape_create_implicit(&implicit, &user));
    const struct {
        abut_shape *shape;
        abut_pose pose;
        double top, r1, r2, tolerance;
        const char *name;
    } all[] = {
        {capsule(0.4, 0.5), upright, 0.9, 0.4, 0.4, 1e-6, "end of a capsule"},
        {ellipsoid(0.5, 0.5, 0.5), upright, 0.5, 0.5, 0.5, 1e-3, "ellipsoid that is a ball"},
        {user, upright, 0.5, 0.5, 0.5, 1e-3, "implicit ball"},
        {capsule(0.4, 0.5), lying, 0.4, 0.4, INFINITY, 0.09, "side of a capsule"},
        {cylinder(0.4, 0.5), lying, 0.4, 0.4, INFINITY, 0.09, "side of a cylinder"},
        {ellipsoid(0.6, 0.5, 0.5), upright, 0.5, 0.72, 0.5, 0.02, "ellipsoid"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        double ratio = over_hertz(all[i].shape, all[i].pose, all[i].top, all[i].r1, all[i].r2);
        print_message("%s: %.6f of Hertz's force for the mean curvature\n", all[i].name, ratio);
        assert_near(ratio, 1.0, all[i].tolerance);
        abut_shape_release(all[i].shape);
    }
}

/* ---- flat bodies ---- */

/* A box of flat facets on a floor of triangles is as on a plane; a box shape has the same contacts. */
static void test_flat_box_on_floors(void **state) {
    (void)state;
    random_state random = random_make(random_seed("flat box on floors", 5));
    int32_t samples = random_samples("flat box on floors", 500);
    abut_shape *floors[] = {plane(abut_vec3_make(0, 0, 1), 0.0), floor_of_triangles(false), floor_of_triangles(true), paved(0.2)};
    for (int32_t i = 0; i < samples; i++) {
        abut_vec3 half = random_vec3(&random, 0.1, 0.4);
        abut_shape *block = box(half.x, half.y, half.z);
        double tilt = random_below(&random, 3) == 0 ? 0.0 : random_log_range(&random, 1e-4, 1.0);
        abut_pose pose = turned(at(0, 0, 0), random_direction(&random), tilt);
        double low = abut_shape_bounds(block, pose).lower.z, depth = 0.02 * random_log_range(&random, 1e-3, 1.0);
        pose.position = abut_vec3_make(random_range(&random, -0.5, 0.5), random_range(&random, -0.5, 0.5), -low - depth);
        abut_pressure_result on_plane = press(&(abut_pair){block, pose, floors[0], at(0, 0, 0)});
        if (tilt == 0.0) {
            assert_near(on_plane.force.z, law.modulus / law.layer * depth * 4.0 * half.x * half.y, 1e-9 * on_plane.force.z);
        }
        for (int k = 1; k < 4; k++) {
            abut_pressure_result r = press(&(abut_pair){block, pose, floors[k], at(0, 0, 0)});
            if (abut_distance_between(r.force, on_plane.force) > 1e-8 * on_plane.force.z) {
                print_error("floor %d, tilt %g, depth %g, half %g %g %g\n", k, tilt, depth, half.x, half.y, half.z);
            }
            assert_vec3_near(r.force, on_plane.force, 1e-8 * on_plane.force.z);
            assert_vec3_near(r.moment_a, on_plane.moment_a, 1e-8 * on_plane.force.z);
        }
        abut_shape_release(block);
    }
    for (int k = 0; k < 4; k++) {
        abut_shape_release(floors[k]);
    }
}

/* A box that stands over the edge of another one: their sides overlap as well, but only the faces on each other press. */
static void test_box_over_an_edge(void **state) {
    (void)state;
    random_state random = random_make(random_seed("box over an edge", 7));
    int32_t samples = random_samples("box over an edge", 500);
    for (int32_t i = 0; i < samples; i++) {
        abut_shape *upper = box(0.4, 0.3, 0.3), *lower = box(0.5, 0.5, 0.5);
        double depth = 1e-3 * random_range(&random, 0.1, 5.0), on = random_range(&random, 0.03, 0.75),
               beside = random_range(&random, -0.1, 0.1);
        abut_pose world = random_pose(&random, 2.0), above = abut_pose_compose(world, at(0.9 - on, beside, 0.8 - depth));
        abut_pressure_result r = press(&(abut_pair){upper, above, lower, world});
        double expected = law.modulus / law.layer * depth * on * 0.6;
        /* Where the overlap ends at an edge, the energy changes with its position. */
        assert_vec3_near(abut_quat_rotate_inverse(world.rotation, r.force), abut_vec3_make(0, 0, expected), 0.6 * depth / on * expected);
        abut_shape_release(upper);
        abut_shape_release(lower);
    }
}

/* ---- all kinds ---- */

static void add_kinds(abut_shape **kinds, int *count) {
    static user_ellipsoid egg = {{0.5, 0.4, 0.5}, {0, 0, 0}};
    const abut_implicit_def implicit = user_ellipsoid_implicit(&egg);
    const abut_parametric_def parametric = user_ellipsoid_parametric(&egg);
    abut_shape *all[] = {sphere(0.5),
                         capsule(0.3, 0.3),
                         box(0.5, 0.4, 0.5),
                         prism(0.5, 0.5, 8),
                         ellipsoid(0.5, 0.4, 0.45),
                         cylinder(0.5, 0.4),
                         cone(0.5, 1.0),
                         truncated(0.5, 0.2, 0.8),
                         paved(0.1),
                         floor_of_triangles(false),
                         ball(2, 0.5),
                         NULL,
                         NULL,
                         NULL};
    int n = 11;
    assert_ok(abut_shape_create_implicit(&implicit, &all[n++]));
    assert_ok(abut_shape_create_parametric(&parametric, &all[n++]));
    assert_ok(abut_shape_create_superquadric(abut_vec3_make(0.5, 0.5, 0.4), 0.6, 1.3, &all[n++]));
    for (*count = 0; *count < n; ++*count) {
        kinds[*count] = all[*count];
    }
}

static void test_exchange_and_motion(void **state) {
    (void)state;
    random_state random = random_make(random_seed("exchange and motion", 6));
    int32_t samples = random_samples("exchange and motion", 2000), touching = 0;
    abut_shape *kinds[16], *bodies[2];
    int count;
    add_kinds(kinds, &count);
    bodies[0] = ball(2, 0.5);
    facet_body pebble = facet_body_ball(2);
    facet_body_scale(&pebble, abut_vec3_make(0.6, 0.5, 0.4));
    bodies[1] = facet_body_shape(&pebble, NULL);
    facet_body_free(&pebble);
    for (int32_t i = 0; i < samples; i++) {
        abut_shape *a = bodies[i % 2], *b = kinds[random_below(&random, count)];
        abut_pose pose_a = {abut_scale(random_range(&random, 0.5, 1.0), random_direction(&random)), random_rotation(&random)},
                  pose_b = {{0, 0, 0}, random_rotation(&random)}, world = random_pose(&random, 4.0);
        abut_pressure_result r = press(&(abut_pair){a, pose_a, b, pose_b});
        if (!(r.contacts > 0)) {
            continue;
        }
        touching++;
        double f = abut_length(r.force) + 1e-9 * law.modulus;
        abut_pressure_result turned = press(&(abut_pair){b, pose_b, a, pose_a});
        assert_vec3_near(turned.force, abut_neg(r.force), 1e-7 * f);
        assert_vec3_near(turned.moment_b, r.moment_a, 1e-7 * f);
        abut_pressure_result moved = press(&(abut_pair){a, abut_pose_compose(world, pose_a), b, abut_pose_compose(world, pose_b)});
        assert_vec3_near(abut_quat_rotate_inverse(world.rotation, moved.force), r.force, 1e-7 * f);
        abut_vec3 arm = abut_sub(pose_a.position, pose_b.position);
        assert_vec3_near(abut_add(abut_add(r.moment_a, r.moment_b), abut_cross(arm, r.force)), abut_vec3_make(0, 0, 0), 1e-9 * f);
        enum { MOST = 8192 };
        static abut_contact list[MOST];
        int32_t listed;
        assert_ok(abut_collide(&(abut_pair){a, pose_a, b, pose_b}, NULL, NULL, list, MOST, &listed));
        assert_true(listed > 0);
        for (int32_t k = 0; k < listed; k++) {
            assert_true(list[k].gap < 0.0);
            assert_near(abut_dot(list[k].normal, abut_sub(list[k].on_a, list[k].on_b)), list[k].gap, 1e-12);
        }
    }
    print_message("%d of %d touch\n", (int)touching, (int)samples);
    assert_true(touching > samples / 4);
    for (int i = 0; i < count; i++) {
        abut_shape_release(kinds[i]);
    }
    abut_shape_release(bodies[0]);
    abut_shape_release(bodies[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ball_on_flat_faces),  cmocka_unit_test(test_ball_on_curved_surfaces),
        cmocka_unit_test(test_flat_box_on_floors),  cmocka_unit_test(test_box_over_an_edge),
        cmocka_unit_test(test_exchange_and_motion),
    };
    return cmocka_run_group_tests(tests, make_law, NULL);
}
