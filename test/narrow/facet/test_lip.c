/*
 * Round lips of flat facets: a plate that stands on a corner or on its rim presses on a plane as a ball or a ring with the lip's radius, by Hertz's law.
 */
#include <stdio.h>
#include <stdlib.h>

#include <abut/abut.h>

#include "solve/pressure/pressure.h"
#include "support/allocator.h"
#include "support/check.h"
#include "support/pressed.h"
#include "support/random.h"
#include "support/shapes.h"

static abut_pressure_result press(const abut_pair *pair) {
    const abut_pressure_law law = {.modulus = 1.0, .layer = 0.5};
    return pressed_pair(pair, &law);
}

/* A prism over a regular polygon about the z axis, each end a fan, sides in two triangles. */
static abut_shape *coin(int sides, double radius, double half, double lip, abut_facetmesh_report *report) {
    const size_t n = (size_t)sides;
    abut_vec3 *vertices = check_memory(2 * n + 2, sizeof *vertices);
    int32_t *triangles = check_memory(4 * n, 3 * sizeof *triangles);
    double *radii = check_memory(4 * n, sizeof *radii);
    for (int i = 0; i < sides; i++) {
        double angle = 2.0 * PI * i / sides;
        vertices[2 * i] = abut_vec3_make(radius * cos(angle), radius * sin(angle), -half);
        vertices[2 * i + 1] = abut_vec3_make(radius * cos(angle), radius * sin(angle), half);
        const int32_t a = 2 * i, b = 2 * ((i + 1) % sides), bottom = 2 * sides, top = 2 * sides + 1;
        const int32_t t[12] = {a, b, b + 1, a, b + 1, a + 1, bottom, b, a, top, a + 1, b + 1};
        for (int k = 0; k < 12; k++) {
            triangles[12 * i + k] = t[k];
        }
    }
    vertices[2 * n] = abut_vec3_make(0, 0, -half);
    vertices[2 * n + 1] = abut_vec3_make(0, 0, half);
    for (size_t i = 0; i < 4 * n; i++) {
        radii[i] = INFINITY;
    }
    const abut_facetmesh_def def = {.vertices = vertices,
                                    .vertex_count = 2 * sides + 2,
                                    .triangles = triangles,
                                    .triangle_count = 4 * sides,
                                    .radii = radii,
                                    .lip_radius = lip};
    abut_shape *shape = NULL;
    assert_ok(abut_shape_create_facetmesh(&def, report, &shape));
    free(vertices);
    free(triangles);
    free(radii);
    return shape;
}

static const int32_t box_faces[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                      2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};

static abut_shape *plate(abut_vec3 half, double lip, abut_facetmesh_report *report) {
    abut_vec3 corner[8];
    double radii[12];
    for (int i = 0; i < 8; i++) {
        corner[i] = abut_vec3_make((i & 1) != 0 ? half.x : -half.x, (i & 2) != 0 ? half.y : -half.y, (i & 4) != 0 ? half.z : -half.z);
    }
    for (int i = 0; i < 12; i++) {
        radii[i] = INFINITY;
    }
    const abut_facetmesh_def def = {
        .vertices = corner, .vertex_count = 8, .triangles = box_faces, .triangle_count = 12, .radii = radii, .lip_radius = lip};
    abut_shape *shape = NULL;
    assert_ok(abut_shape_create_facetmesh(&def, report, &shape));
    return shape;
}

static abut_shape *floor_plane(void) {
    abut_shape *plane = NULL;
    assert_ok(abut_shape_create_plane(abut_vec3_make(0, 0, 1), 0.0, &plane));
    return plane;
}

/* A plate in all its positions on a corner: the lowest point is that of the ball in the corner. */
static void test_corner(void **state) {
    (void)state;
    random_state random = random_make(201);
    const abut_vec3 half = {0.5, 0.4, 0.1};
    const double lip = 0.02, overlap = 2e-4;
    abut_facetmesh_report report;
    abut_shape *shape = plate(half, lip, &report), *plane = floor_plane();
    printf("plate: %d triangles, volume %.6f of %.6f\n", (int)abut_shape_facet_count(shape), report.volume, 8.0 * half.x * half.y * half.z);
    double worst = 0.0;
    for (int i = 0; i < 60; i++) {
        const abut_quat rotation = random_rotation(&random);
        const abut_vec3 down = abut_quat_rotate_inverse(rotation, abut_vec3_make(0, 0, -1));
        if (fmin(fabs(down.x), fmin(fabs(down.y), fabs(down.z))) < 0.2) {
            continue; /* so near to an edge that the disc reaches it */
        }
        const abut_vec3 ball = {copysign(half.x - lip, down.x), copysign(half.y - lip, down.y), copysign(half.z - lip, down.z)};
        const double low = abut_dot(ball, down) + lip;
        const abut_pair pair = {.a = shape, .pose_a = {{0, 0, low - overlap}, rotation}, .b = plane, .pose_b = abut_pose_identity()};
        const abut_pressure_result r = press(&pair);
        const double hertz = 4.0 / 3.0 * sqrt(lip) * pow(overlap, 1.5);
        worst = fmax(worst, fabs(r.force.z / hertz - 1.0));
        assert_near(r.force.z / hertz, 1.0, 1e-6);
    }
    printf("on a corner: force off by up to %.2e\n", worst);
    abut_shape_release(shape);
    abut_shape_release(plane);
}

/* A coin on its rim: the lowest point is that of a ring. */
static void test_rim(void **state) {
    (void)state;
    const double radius = 0.5, half = 0.05, lip = 0.03;
    const int sides = 96;
    abut_facetmesh_report report;
    abut_shape *shape = coin(sides, radius, half, lip, &report), *plane = floor_plane();
    printf("coin: %d triangles\n", (int)abut_shape_facet_count(shape));
    for (int i = 0; i < 12; i++) {
        const double lean = 0.3 + 0.07 * i, spin = 0.37 * i, overlap = 1e-3, s = sin(lean), c = cos(lean);
        const abut_quat turned = {0, 0, sin(0.5 * spin), cos(0.5 * spin)}, leaning = {sin(0.5 * lean), 0, 0, cos(0.5 * lean)};
        const abut_quat rotation = abut_quat_mul(leaning, turned);
        /* The ring of the ball's centres, and the radius of the outer rim along it, at the angle of the contact. */
        const double ring = radius - lip, low = ring * s + (half - lip) * c + lip;
        const double along = s / (ring + lip * s), across = 1.0 / lip, mean = 0.5 * (along + across);
        const pressure_ellipse e = pressure_ellipse_of((across - along) / (across + along));
        const double hertz = 4.0 / 3.0 * sqrt(e.radius / mean) * pow(overlap, 1.5);
        const abut_pair pair = {.a = shape, .pose_a = {{0, 0, low - overlap}, rotation}, .b = plane, .pose_b = abut_pose_identity()};
        const abut_pressure_result r = press(&pair);
        printf("coin at %.2f: radii %.3f and %.3f, force off by %+.4f\n", lean, 1.0 / along, 1.0 / across, r.force.z / hertz - 1.0);
        assert_near(r.force.z / hertz, 1.0, 0.02);
    }
    abut_shape_release(shape);
    abut_shape_release(plane);
}

/* Whatever the mesh, a lip leaves it closed and outward, takes away little volume, and its flat faces press as before. */
static void test_faces(void **state) {
    (void)state;
    random_state random = random_make(202);
    abut_shape *plane = floor_plane();
    for (int i = 0; i < 12; i++) {
        const abut_vec3 half = random_vec3(&random, 0.1, 0.5);
        const double least = fmin(half.x, fmin(half.y, half.z)), lip = least * random_range(&random, 0.05, 0.5), overlap = 1e-4;
        abut_facetmesh_report report;
        abut_shape *shape = plate(half, lip, &report);
        /* A box of round edges: its volume in closed form. */
        const double a = 2.0 * (half.x - lip), b = 2.0 * (half.y - lip), c = 2.0 * (half.z - lip);
        const double volume =
            a * b * c + 2.0 * lip * (a * b + b * c + c * a) + PI * lip * lip * (a + b + c) + 4.0 / 3.0 * PI * lip * lip * lip;
        assert_near(report.volume / volume, 1.0, 0.03);
        assert_int_equal(report.open_edge_count, 0);
        const abut_pair pair = {.a = shape, .pose_a = {{0, 0, half.z - overlap}, {0, 0, 0, 1}}, .b = plane, .pose_b = abut_pose_identity()};
        const abut_pressure_result r = press(&pair);
        assert_true(r.force.z > a * b * overlap / 0.5 * (1.0 - 1e-9));
        assert_near(r.moment_a.x / r.force.z, 0.0, 1e-6);
        assert_near(r.moment_a.y / r.force.z, 0.0, 1e-6);
        abut_shape_release(shape);
    }
    abut_shape_release(plane);
}

/* An edge that turns inward, faces that are round, and a mesh without sharp edges. */
static void test_other_meshes(void **state) {
    (void)state;
    /* A prism over an L: two steps of a stair. */
    static const double outline[6][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
    static const int32_t caps[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}};
    abut_vec3 corner[12];
    int32_t triangles[60], count = 0;
    double radii[20];
    for (int i = 0; i < 6; i++) {
        corner[i] = abut_vec3_make(outline[i][0], outline[i][1], 0.0);
        corner[i + 6] = abut_vec3_make(outline[i][0], outline[i][1], 1.0);
        const int32_t next = (i + 1) % 6, t[6] = {i, next, next + 6, i, next + 6, i + 6};
        for (int k = 0; k < 6; k++) {
            triangles[count++] = t[k];
        }
    }
    for (int i = 0; i < 4; i++) {
        const int32_t t[6] = {caps[i][0], caps[i][2], caps[i][1], caps[i][0] + 6, caps[i][1] + 6, caps[i][2] + 6};
        for (int k = 0; k < 6; k++) {
            triangles[count++] = t[k];
        }
    }
    for (int i = 0; i < 20; i++) {
        radii[i] = INFINITY;
    }
    abut_facetmesh_def def = {
        .vertices = corner, .vertex_count = 12, .triangles = triangles, .triangle_count = 20, .radii = radii, .lip_radius = 0.1};
    abut_facetmesh_report report;
    abut_shape *shape = NULL;
    assert_ok(abut_shape_create_facetmesh(&def, &report, &shape));
    printf("stair: %d triangles, volume %.4f of 3\n", (int)abut_shape_facet_count(shape), report.volume);
    assert_true(report.volume > 2.9 && report.volume < 3.0);
    abut_shape_release(shape);
    /* Nothing is sharp between round facets: the same mesh as without lips. */
    for (int i = 0; i < 20; i++) {
        radii[i] = 5.0;
    }
    assert_ok(abut_shape_create_facetmesh(&def, &report, &shape));
    assert_int_equal(abut_shape_facet_count(shape), 20);
    abut_shape_release(shape);
}

/* Every request for memory is refused in turn: with a lip, and with estimated principal curvatures. */
static void test_memory(void **state) {
    (void)state;
    abut_vec3 corner[8];
    double radii[12];
    for (int i = 0; i < 8; i++) {
        corner[i] = abut_vec3_make(i & 1, (i & 2) / 2, (i & 4) / 4);
    }
    for (int i = 0; i < 12; i++) {
        radii[i] = INFINITY;
    }
    for (int kind = 0; kind < 2; kind++) {
        const abut_facetmesh_def def = {.vertices = corner,
                                        .vertex_count = 8,
                                        .triangles = box_faces,
                                        .triangle_count = 12,
                                        .radii = kind == 0 ? radii : NULL,
                                        .lip_radius = kind == 0 ? 0.4 : 0.0,
                                        .principal = kind == 1};
        counting_allocator memory = {.refuse_at = -1};
        int64_t refused = 0;
        do {
            abut_shape *shape = NULL;
            memory = (counting_allocator){.refuse_at = refused++};
            counting_allocator_install(&memory);
            const abut_status status = abut_shape_create_facetmesh(&def, NULL, &shape);
            counting_allocator_remove();
            assert_status(status, memory.refused ? ABUT_ERROR_OUT_OF_MEMORY : ABUT_OK);
            assert_true((shape == NULL) == memory.refused);
            abut_shape_release(shape);
            assert_int_equal(memory.live, 0);
        } while (memory.refused);
        printf("%d requests for memory\n", (int)refused - 1);
    }
}

/* Any unit of length, and numbers that are no lips. */
static void test_extremes(void **state) {
    (void)state;
    const double units[4] = {1e-40, 1e-20, 1.0, 1e40};
    int32_t count = 0;
    for (int i = 0; i < 4; i++) {
        const double u = units[i];
        abut_facetmesh_report report;
        abut_shape *shape = plate(abut_vec3_make(0.5 * u, 0.4 * u, 0.1 * u), 0.02 * u, &report);
        count = i == 0 ? abut_shape_facet_count(shape) : count;
        assert_int_equal(abut_shape_facet_count(shape), count);
        assert_near(report.volume / (u * u * u), 0.159302, 1e-6);
        abut_shape_release(shape);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_corner),       cmocka_unit_test(test_rim),    cmocka_unit_test(test_faces),
        cmocka_unit_test(test_other_meshes), cmocka_unit_test(test_memory), cmocka_unit_test(test_extremes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
