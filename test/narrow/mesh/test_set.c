/* Triangles placed about a body: the plane of a placed triangle goes through its three corners, however slender it is. */
#include "narrow/mesh/set.h"

#include "support/check.h"
#include "support/random.h"

static void slender_triangles_lie_in_their_planes(void **state) {
    (void)state;
    random_state random = random_make(random_seed("slender_triangles_lie_in_their_planes", 1));
    const trimesh mesh = {.flat = 1e-14};
    int32_t faces = 0;
    for (int i = 0; i < 20000; i++) {
        const double width = random_log_range(&random, 1e-9, 1.0), along = random_range(&random, -0.5, 1.5);
        const placed_mesh about = {
            .mesh = &mesh, .rotation = abut_mat3_from_quat(random_rotation(&random)), .centre = random_vec3(&random, -1.0, 1.0)};
        abut_triangle triangle = {
            .corner = {{0.0, 0.0, 0.0}, {4.0, 3.0, 0.0}, {4.0 * along - 3.0 * width, 3.0 * along + 4.0 * width, 0.0}}};
        for (int turn = random_below(&random, 3); turn > 0; --turn) {
            abut_vec3 first = triangle.corner[0];
            triangle.corner[0] = triangle.corner[1];
            triangle.corner[1] = triangle.corner[2];
            triangle.corner[2] = first;
        }
        mesh_triangle placed;
        mesh_set_place(&placed, &about, 0, &triangle);
        faces += !placed.flat;
        for (int k = 0; k < 3 && !placed.flat; k++) {
            assert_near(mesh_set_height(&placed, placed.corner[k]), 0.0, 1e-13);
        }
    }
    assert_true(faces > 15000);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(slender_triangles_lie_in_their_planes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
