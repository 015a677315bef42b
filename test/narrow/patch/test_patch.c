/* Patches: the deepest vertex is among the contacts, and parallel edges give two contacts at any feature angle. World frame, normal from B
 * into A. */
#include "support/check.h"
#include "support/shapes.h"

static const double degree = 0.017453292519943295;

static abut_shape *hull_of(const abut_vec3 *points, int32_t count) {
    solid surface = solid_hull(points, count);
    abut_shape *shape = solid_shape(&surface);
    solid_free(&surface);
    return shape;
}

/* A hip roof, upside down: the ridge from x = 0 to 4 is at the bottom, and a hip rises from its end at x = 0 by only one degree. If the
 * other end of the ridge is 0.4 degrees lower, the hip is within the feature angle of the plane, but the vertex at x = 4 is the deepest. */
static void deepest_vertex_beside_a_near_face(void **state) {
    (void)state;
    double rise = 60.0 * tan(degree);
    const abut_vec3 points[] = {{0, 0, 0}, {4, 0, 0}, {5, 1.2, 1.3}, {5, -1.2, 1.2}, {-60, 1.2, rise}, {-60, -1.2, rise}, {-20, 0.1, 5}};
    abut_shape *roof = hull_of(points, 7), *plane = NULL;
    assert_ok(abut_shape_create_plane(abut_vec3_make(0, 0, 1), 0.0, &plane));
    abut_pose tilted = abut_pose_identity();
    tilted.rotation = abut_quat_about(abut_vec3_make(0, 1, 0), 0.4 * degree);
    abut_contact contact[8];
    int32_t count;
    assert_ok(abut_collide(&(abut_pair){roof, tilted, plane, abut_pose_identity()}, NULL, NULL, contact, 8, &count));
    assert_int_equal(count, 2); /* the ridge, whose other end just touches */
    assert_near(fmin(contact[0].gap, contact[1].gap), -4.0 * sin(0.4 * degree), 1e-12);
    assert_near(fmax(contact[0].gap, contact[1].gap), 0.0, 1e-12);
    assert_ok(abut_collide(&(abut_pair){plane, abut_pose_identity(), roof, tilted}, NULL, NULL, contact, 8, &count));
    assert_int_equal(count, 2);
    assert_near(fmin(contact[0].gap, contact[1].gap), -4.0 * sin(0.4 * degree), 1e-12);
    abut_shape_release(roof);
    abut_shape_release(plane);
}

/* Two boxes with the same rotation, side by side over their vertical edges: the edges are parallel and overlap from z = -0.5 to 0.25. */
static void parallel_edges_at_no_angle(void **state) {
    (void)state;
    abut_shape *box = NULL;
    assert_ok(abut_shape_create_box(abut_vec3_make(0.5, 0.5, 0.5), &box));
    abut_collide_settings settings = abut_collide_settings_default();
    settings.margin = 1.0;
    for (int i = 0; i < 24; ++i) {
        abut_pose a = at(1.2, 1.3, -0.25), b = at(0, 0, 0);
        abut_quat turn = abut_quat_about(abut_unit(abut_vec3_make(1, 2, 3)), 0.37 * i);
        a.position = abut_quat_rotate(turn, a.position);
        a.rotation = b.rotation = turn;
        for (int k = 0; k < 2; ++k) {
            settings.feature_angle = k * 0.02;
            abut_contact contact[8];
            int32_t count;
            assert_ok(abut_collide(&(abut_pair){box, a, box, b}, &settings, NULL, contact, 8, &count));
            assert_int_equal(count, 2);
            assert_near(contact[0].gap, hypot(0.2, 0.3), 1e-12);
            assert_near(abut_distance_between(contact[0].on_a, contact[1].on_a), 0.75, 1e-12);
        }
    }
    abut_shape_release(box);
}

/* An octahedron of size 1e-4 on a hull of size 2, deep for its size: rounding error of the large body must not end the search for the least
 * depth, and the contact must not be lost. */
static void small_on_large(void **state) {
    (void)state;
    const abut_vec3 large[] = {{0.32383032143312757, 0.021510609178192371, 0.22874900692194999},
                               {-0.20185560135653899, 0.51597369158567041, -0.0067195608449457178},
                               {0.039415163422569177, -0.49707392271562723, 0.42840443370138964},
                               {0.14436484962675095, 0.037398117917002205, -0.9203008250002187},
                               {0.21389867267123519, 0.059011960583277227, 0.9165012177190216},
                               {0.17347460110997143, 0.52663353334571517, 0.58586994188543806}};
    const double r = 6.3805722364536179e-05;
    const abut_vec3 small[] = {{r, 0, 0}, {-r, 0, 0}, {0, r, 0}, {0, -r, 0}, {0, 0, r}, {0, 0, -r}};
    abut_shape *a = hull_of(large, 6), *b = hull_of(small, 6);
    abut_collide_settings settings = abut_collide_settings_default();
    settings.weld = 0.0;
    abut_contact contact[16];
    int32_t count;
    abut_pose pose = at(0.17347460123250769, 0.52656972763767795, 0.5858699419180613);
    assert_ok(abut_collide(&(abut_pair){a, abut_pose_identity(), b, pose}, &settings, NULL, contact, 16, &count));
    assert_true(count > 0);
    for (int32_t i = 0; i < count; ++i) {
        assert_true(contact[i].gap <= 1e-13);
    }
    abut_shape_release(a);
    abut_shape_release(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(deepest_vertex_beside_a_near_face), cmocka_unit_test(parallel_edges_at_no_angle),
                                       cmocka_unit_test(small_on_large)};
    return cmocka_run_group_tests_name("narrow/patch", tests, NULL, NULL);
}
