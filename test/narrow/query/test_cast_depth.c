/* shape_cast_to_depth(): bodies of meshes get as deep as asked by their balls or by their triangles, whichever is earlier. */
#include "narrow/query/shape_cast.h"

#include "support/check.h"
#include "support/meshes.h"
#include "support/shapes.h"

static const abut_motion rest = {{0, 0, 0}, {0, 0, 0}};

static abut_shape *box_mesh(double x, double y, double z) {
    abut_shape *solid = box(x, y, z), *mesh = meshes_surface_of(solid, 1);
    abut_shape_release(solid);
    return mesh;
}

/* A cube about (1, 0, 0) and a thin arm from it towards the origin. Only the cube has balls inside. */
static abut_shape *hammer(void) {
    const abut_part pieces[2] = {{box_mesh(0.5, 0.5, 0.5), at(1, 0, 0)}, {box_mesh(0.2, 0.02, 0.02), at(0.3, 0, 0)}};
    abut_shape *mesh = meshes_joined(pieces, 2);
    abut_shape_release((abut_shape *)pieces[0].shape);
    abut_shape_release((abut_shape *)pieces[1].shape);
    return mesh;
}

/* The arm meets a ball near the origin in the first of many turns. The cast of the balls, which stay apart from it, takes more steps than it may. */
static void the_surface_counts_where_the_balls_take_too_long(void **state) {
    (void)state;
    abut_shape *mesh = hammer(), *post = sphere(0.1);
    for (double turns = 1e3; turns < 1e7; turns *= 10.0) {
        const double angle = 6.283185307179586 * turns;
        const moving_body body = {.shape = mesh, .pose = abut_pose_identity(), .motion = {{0, 0, 0}, {0, 0, angle}}};
        const moving_body other = {.shape = post, .pose = at(0, 0.2, 0), .motion = rest};
        double fraction;
        abut_status status = shape_cast_to_depth(&body, &other, 0.05, 0.0, &fraction);
        assert_true(status == ABUT_OK || status == ABUT_ERROR_ITERATION_LIMIT);
        double turned = fraction * angle;
        if (!(turned > 0.0 && turned < 1.5707963267948966)) {
            fail_msg("%g turns: %d, safe up to %g rad", turns, (int)status, turned);
        }
    }
    abut_shape_release(mesh);
    abut_shape_release(post);
}

/* Triangles that are in the other body at the start count where they get deeper than `least`, also those of a mesh without balls. Others count in any case. */
static void slight_triangles_are_passed_over(void **state) {
    (void)state;
    const abut_vec3 corners[3] = {{0, 0, 0}, {0.1, 0, 0}, {0, 0.1, 0}};
    const int32_t triangle[3] = {0, 2, 1};
    abut_shape *mesh = meshes_make(corners, 3, triangle, 1), *floor = box(1, 1, 1);
    const double quarter = 0.25 * 0.1 / (2.0 + 1.4142135623730951); /* of the radius of the circle inside it */
    moving_body body = {.shape = mesh, .pose = at(0, 0, 0.5), .motion = {{0, 0, -1}, {0, 0, 0}}};
    const moving_body other = {.shape = floor, .pose = at(0, 0, -1), .motion = rest};
    double fraction;
    assert_ok(shape_cast_to_depth(&body, &other, 1.0, 0.9 * quarter, &fraction));
    assert_near(fraction, 0.5 + 1.025 * quarter, 0.026 * quarter);
    assert_ok(shape_cast_to_depth(&body, &other, 1.0, 1.1 * quarter, &fraction));
    assert_near(fraction, 0.5 + 1.025 * quarter, 0.026 * quarter);
    body.pose = at(0, 0, -0.2 * quarter);
    assert_ok(shape_cast_to_depth(&body, &other, 1.0, 0.9 * quarter, &fraction));
    assert_near(fraction, 0.825 * quarter, 0.026 * quarter);
    assert_ok(shape_cast_to_depth(&body, &other, 1.0, 1.1 * quarter, &fraction));
    assert_true(fraction == INFINITY);
    abut_shape_release(mesh);
    abut_shape_release(floor);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_surface_counts_where_the_balls_take_too_long),
        cmocka_unit_test(slight_triangles_are_passed_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
