/* Closest points of meshes and the side of the surface on which a point lies: against all triangles, against convex solids, at faces, edges
 * and vertices. */
#include <abut/mesh.h>
#include <abut/query.h>

#include <stdlib.h>

#include "support/check.h"

#include "geom/closest.h"

static const abut_vec3 corners[8] = {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {-1, 1, 1}, {1, 1, 1}};
static const int32_t sides[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                  2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};

static abut_shape *make(const abut_vec3 *vertices, int32_t vertex_count, const int32_t *triangles, int32_t triangle_count) {
    abut_trimesh_def def = abut_trimesh_def_default();
    def.vertices = vertices;
    def.vertex_count = vertex_count;
    def.triangles = triangles;
    def.triangle_count = triangle_count;
    abut_shape *mesh = NULL;
    assert_ok(abut_shape_create_trimesh(&def, NULL, &mesh));
    return mesh;
}

static void cube(void **state) {
    (void)state;
    static const struct {
        abut_vec3 point, closest, normal;
        abut_feature_kind kind;
        bool behind;
    } cases[] = {
        {{0.3, 0.2, 1.5}, {0.3, 0.2, 1}, {0, 0, 1}, ABUT_FEATURE_FACE, false},
        {{0.3, 0.2, 0.75}, {0.3, 0.2, 1}, {0, 0, -1}, ABUT_FEATURE_FACE, true},
        {{1.3, 0.2, 1.4}, {1, 0.2, 1}, {0.6, 0, 0.8}, ABUT_FEATURE_EDGE, false},
        {{2, 2, 2}, {1, 1, 1}, {0.57735026918962573, 0.57735026918962573, 0.57735026918962573}, ABUT_FEATURE_VERTEX, false},
        {{0.3, 0.2, 1}, {0.3, 0.2, 1}, {0, 0, 1}, ABUT_FEATURE_FACE, false},
        {{0.97, 0.96, 0.99}, {0.97, 0.96, 1}, {0, 0, -1}, ABUT_FEATURE_FACE, true},
    };
    abut_shape *mesh = make(corners, 8, sides, 12);
    abut_pose pose = {{10, -20, 5}, abut_quat_about(abut_unit(abut_vec3_make(1, 2, 3)), 0.7)};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        abut_projection p;
        assert_ok(abut_shape_project(mesh, pose, abut_pose_apply(pose, cases[i].point), &p));
        assert_vec3_near(p.point, abut_pose_apply(pose, cases[i].closest), 1e-13);
        assert_vec3_near(p.normal, abut_quat_rotate(pose.rotation, cases[i].normal), 1e-12);
        assert_near(p.distance, abut_distance_between(cases[i].point, cases[i].closest), 1e-13);
        assert_int_equal(p.behind, cases[i].behind);
        if (cases[i].point.z != 1.0) {
            assert_int_equal(p.feature.kind, cases[i].kind);
        }
    }
    abut_projection p;
    abut_shape *ball = NULL;
    assert_ok(abut_shape_create_sphere(1.0, &ball));
    assert_status(abut_shape_project(ball, pose, corners[0], &p), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_project(mesh, pose, abut_vec3_make(NAN, 0, 0), &p), ABUT_ERROR_NOT_FINITE);
    pose.rotation.w = 3.0;
    assert_status(abut_shape_project(mesh, pose, corners[0], &p), ABUT_ERROR_INVALID_ARGUMENT);
    abut_shape_release(ball);
    abut_shape_release(mesh);
}

/* A ball with bumps: by all triangles; inside or outside by counting the crossings of a ray. */
static void bumpy_ball(void **state) {
    (void)state;
    enum { AROUND = 14, RINGS = 9, VERTICES = 2 + AROUND * RINGS, TRIANGLES = 2 * AROUND * RINGS };
    random_state random = random_make(random_seed("bumpy_ball", 441));
    abut_vec3 vertices[VERTICES] = {{0, 0, -2}, {0, 0, 2}};
    int32_t triangles[TRIANGLES][3], count = 0;
    for (int32_t i = 0; i < AROUND * RINGS; i++) {
        double longitude = 6.283185307179586 * (i % AROUND) / AROUND, latitude = 3.141592653589793 * (1 + i / AROUND) / (RINGS + 1);
        double r = 2.0 * (1.0 + random_range(&random, -0.2, 0.2));
        vertices[2 + i] = abut_vec3_make(r * sin(latitude) * cos(longitude), r * sin(latitude) * sin(longitude), -r * cos(latitude));
    }
    for (int32_t i = 0; i < AROUND; i++) {
        int32_t k = (i + 1) % AROUND, last = 2 + AROUND * (RINGS - 1);
        const int32_t caps[2][3] = {{0, 2 + k, 2 + i}, {1, last + i, last + k}};
        for (int c = 0; c < 6; c++) {
            triangles[count + c / 3][c % 3] = caps[c / 3][c % 3];
        }
        count += 2;
        for (int32_t ring = 0; ring + 1 < RINGS; ring++) {
            int32_t a = 2 + ring * AROUND + i, b = 2 + ring * AROUND + k, c = b + AROUND, d = a + AROUND;
            const int32_t two[6] = {a, b, c, a, c, d};
            for (int q = 0; q < 6; q++) {
                triangles[count + q / 3][q % 3] = two[q];
            }
            count += 2;
        }
    }
    abut_shape *mesh = make(vertices, VERTICES, &triangles[0][0], count);
    int32_t inside = 0;
    for (int sample = 0; sample < 3000; sample++) {
        abut_vec3 point = random_vec3(&random, -3, 3);
        abut_projection p;
        assert_ok(abut_shape_project(mesh, abut_pose_identity(), point, &p));
        double least = INFINITY, angle = 0.0;
        for (int32_t t = 0; t < count; t++) {
            abut_vec3 a = abut_sub(vertices[triangles[t][0]], point), b = abut_sub(vertices[triangles[t][1]], point);
            abut_vec3 c = abut_sub(vertices[triangles[t][2]], point), q = {0, 0, 0};
            double w[3], x = abut_length(a), y = abut_length(b), z = abut_length(c);
            closest_on_triangle(q, a, b, c, w);
            q = abut_add_scaled(abut_add_scaled(abut_scale(w[0], a), w[1], b), w[2], c);
            least = fmin(least, abut_length(q));
            /* The solid angle of a triangle (Van Oosterom and Strackee): their sum is a full sphere from inside and zero from outside. */
            angle += 2.0 * atan2(abut_dot(a, abut_cross(b, c)), x * y * z + abut_dot(a, b) * z + abut_dot(b, c) * x + abut_dot(c, a) * y);
        }
        assert_near(p.distance, least, 1e-13);
        assert_near(abut_distance_between(point, p.point), least, 1e-12);
        assert_int_equal(p.behind, angle > 6.0);
        inside += p.behind;
    }
    assert_in_range(inside, 200, 2000);
    abut_shape_release(mesh);
}

/* The two faces of a tetrahedron that share an edge, each with one more corner, have these outward normals. */
static abut_vec3 between_normals(const abut_vec3 *corner, const int32_t *edge, const int32_t *others, double share) {
    abut_vec3 sum = {0, 0, 0};
    for (int i = 0; i < 2; i++) {
        abut_vec3 p = corner[edge[0]], across = abut_cross(abut_sub(corner[edge[1]], p), abut_sub(corner[others[i]], p));
        abut_vec3 normal = abut_unit(abut_dot(across, abut_sub(corner[others[1 - i]], p)) > 0.0 ? abut_neg(across) : across);
        sum = abut_add_scaled(sum, i == 0 ? share : 1.0 - share, normal);
    }
    return abut_unit(sum);
}

/* Points whose closest point lies on an edge so near its end that it could be the end: they are outside, whichever triangles are found. */
static void beside_a_corner(void **state) {
    (void)state;
    static const int32_t pairs[6][4] = {{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 3, 1, 2}, {1, 2, 0, 3}, {1, 3, 0, 2}, {2, 3, 0, 1}};
    static const int32_t faces[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2};
    random_state random = random_make(random_seed("beside_a_corner", 443));
    for (int sample = 0; sample < 200; sample++) {
        abut_vec3 corner[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        for (int i = 0; i < 4; i++) {
            corner[i] = abut_add(corner[i], random_vec3(&random, -0.2, 0.2));
        }
        abut_shape *mesh = make(corner, 4, faces, 4);
        abut_pose pose = random_pose(&random, 2.0);
        for (int i = 0; i < 120; i++) {
            int32_t edge[2] = {pairs[i % 6][i / 6 % 2], pairs[i % 6][1 - i / 6 % 2]};
            double from_corner = pow(10.0, random_range(&random, -9.0, -4.0)), height = random_range(&random, 0.1, 2.0);
            abut_vec3 along = abut_unit(abut_sub(corner[edge[1]], corner[edge[0]]));
            abut_vec3 closest = abut_add_scaled(corner[edge[0]], from_corner, along);
            abut_vec3 normal = between_normals(corner, edge, &pairs[i % 6][2], random_range(&random, 0.0, 1.0));
            abut_projection p;
            assert_ok(abut_shape_project(mesh, pose, abut_pose_apply(pose, abut_add_scaled(closest, height, normal)), &p));
            assert_false(p.behind);
            assert_near(p.distance, height, 1e-12);
            assert_vec3_near(p.normal, abut_quat_rotate(pose.rotation, normal), 1e-7); /* at 1e-8 of the height the corner is as near */
        }
        abut_shape_release(mesh);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(cube), cmocka_unit_test(bumpy_ball), cmocka_unit_test(beside_a_corner)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
