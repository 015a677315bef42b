/* The facet that a ray leaves through: where several meet, the middle of the possible normals. World frame, normal from B into A. */
#include "support/check.h"

/* Two octahedra, vertex on vertex, turned by an eighth about the common axis: the possible normals are the cell of either vertex clipped
 * by the other, a regular octagon about the axis, which has more corners than either. Its middle is the axis. */
static void middle_of_a_clipped_cell(void **state) {
    (void)state;
    const abut_vec3 points[] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    solid surface = solid_hull(points, 6);
    abut_shape *octahedron = solid_shape(&surface);
    solid_free(&surface);
    const abut_vec3 up = {0, 0, 1};
    abut_pose below = {.position = {0, 0, -1.9}, .rotation = abut_quat_about(up, 0.78539816339744831)};
    abut_growth growth;
    assert_ok(abut_growth_distance(octahedron, abut_identity_pose(), octahedron, below, NULL, &growth));
    assert_near(growth.alpha, 0.95, 1e-12);
    assert_true(growth.normal_chosen);
    assert_vec3_near(growth.normal, up, 1e-12);
    abut_shape_release(octahedron);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(middle_of_a_clipped_cell)};
    return cmocka_run_group_tests_name("narrow/facet", tests, NULL, NULL);
}
