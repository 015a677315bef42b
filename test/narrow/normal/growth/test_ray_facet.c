/* The facet through which a ray leaves the difference; where several meet, the middle of the possible normals. World frame, normal from B
 * into A. */
#include "support/check.h"

/* Two octahedra vertex on vertex, one rotated by an eighth about the common axis. The possible normals are the cell of either vertex
 * clipped by the other's, a regular octagon about the axis with more corners than either cell. Its middle is the axis. */
static void middle_of_a_clipped_cell(void **state) {
    (void)state;
    const abut_vec3 points[] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    solid surface = solid_hull(points, 6);
    abut_shape *octahedron = solid_shape(&surface);
    solid_free(&surface);
    const abut_vec3 up = {0, 0, 1};
    abut_pose below = {.position = {0, 0, -1.9}, .rotation = abut_quat_about(up, 0.78539816339744831)};
    abut_growth growth;
    assert_ok(abut_growth_distance(&(abut_pair){octahedron, abut_pose_identity(), octahedron, below}, NULL, &growth));
    assert_near(growth.alpha, 0.95, 1e-12);
    assert_true(growth.normal_chosen);
    assert_vec3_near(growth.normal, up, 1e-12);
    abut_shape_release(octahedron);
}

/*
 * A prism of 45 sides on one of 10, tilted by a few parts in 1e12, so that its lowest corner hangs over the edge. The ray leaves through
 * the plane of B's face. A's face is as good to 1e-9 of alpha, but along its normal the overhanging corner is deeper than any contact
 * shows.
 */
static void faces_a_hair_tilted(void **state) {
    (void)state;
    static tally t;
    t = (tally){0};
    abut_shape *upper, *lower;
    assert_ok(abut_shape_create_prism(0.36, 0.5, 45, &upper));
    assert_ok(abut_shape_create_prism(0.53, 0.5, 10, &lower));
    random_state random = random_make(random_seed("faces_a_hair_tilted", 221));
    for (int i = 0; i < 5000; i++) {
        double tilt = random_log_range(&random, 1e-13, 1e-11), heading = random_range(&random, 0.0, 6.3);
        double aside = random_range(&random, 0.1, 0.4), depth = random_log_range(&random, 2e-9, 1e-6);
        abut_pose b = random_pose(&random, 1.0), a = {.position = {aside, 0.05, 1.0 - depth}};
        a.rotation = abut_quat_about(abut_vec3_make(cos(heading), sin(heading), 0), tilt);
        a = abut_pose_compose(b, a);
        abut_contact contacts[64];
        int32_t count;
        assert_ok(abut_collide(&(abut_pair){upper, a, lower, b}, NULL, NULL, contacts, 64, &count));
        assert_true(count > 2);
        abut_growth g;
        assert_ok(abut_growth_distance(&(abut_pair){upper, a, lower, b}, NULL, &g));
        double deepest = 0.0, turned = abut_distance_between(contacts[0].normal, g.normal);
        for (int32_t c = 0; c < count; c++) {
            deepest = fmin(deepest, contacts[c].gap);
        }
        tally_sample(&t, "tilt %.17g, heading %.17g", tilt, heading);
        if (turned <= 1e-15 && !(fabs(deepest - g.gap) <= 4e-13)) {
            tally_fail(&t, "the depth along the normal is not shown", "deepest %.17g, along the normal %.17g", deepest, g.gap);
        }
    }
    abut_shape_release(upper);
    abut_shape_release(lower);
    tally_end(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(middle_of_a_clipped_cell), cmocka_unit_test(faces_a_hair_tilted)};
    return cmocka_run_group_tests_name("narrow/normal/growth/ray_facet", tests, NULL, NULL);
}
