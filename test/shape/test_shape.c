/* Properties of all shapes: references from several threads, queries on every kind and on NULL, bounds of posed shapes, and lack of memory. */
#include <pthread.h>

#include <abut/smooth.h>

#include "shape/bounds.h"
#include "shape/shape.h"
#include "support/allocator.h"
#include "support/check.h"
#include "support/shapes.h"
#include "support/solid.h"

static void *retain_and_release(void *argument) {
    const abut_shape *shape = argument;
    for (int i = 0; i < 20000; i++) {
        const abut_shape *kept = abut_shape_retain(shape);
        abut_shape_release(kept);
    }
    abut_shape_release(shape);
    return NULL;
}

static void references_from_threads(void **state) {
    (void)state;
    counting_allocator memory = {.refuse_at = -1};
    counting_allocator_install(&memory);
    enum { threads = 8 };
    pthread_t thread[threads];
    abut_shape *box;
    assert_ok(abut_shape_create_box(abut_vec3_make(1, 1, 1), &box));
    for (int i = 0; i < threads; i++) {
        abut_shape_retain(box);
    }
    for (int i = 0; i < threads; i++) {
        assert_int_equal(pthread_create(&thread[i], NULL, retain_and_release, box), 0);
    }
    for (int i = 0; i < threads; i++) {
        assert_int_equal(pthread_join(thread[i], NULL), 0);
    }
    assert_int_equal(atomic_load(&box->references), 1);
    assert_true(memory.live > 0);
    abut_shape_release(box);
    assert_int_equal(memory.live, 0);
    counting_allocator_remove();
}

static void queries_on_null(void **state) {
    (void)state;
    assert_null(abut_shape_retain(NULL));
    abut_shape_release(NULL);
    assert_int_equal(abut_shape_kind(NULL), 0);
    assert_near(abut_shape_radius(NULL), 0, 0);
    assert_near(abut_shape_half_length(NULL), 0, 0);
    assert_near(abut_shape_plane_offset(NULL), 0, 0);
    assert_near(abut_length(abut_shape_plane_normal(NULL)), 0, 0);
    assert_near(abut_length(abut_shape_half_sizes(NULL)), 0, 0);
    assert_int_equal(abut_shape_part_count(NULL), 0);
    abut_part part;
    abut_polytope_view view;
    assert_status(abut_shape_part(NULL, 0, &part), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_polytope(NULL, &view), ABUT_ERROR_INVALID_ARGUMENT);
    abut_aabb bounds = abut_shape_bounds(NULL, abut_pose_identity());
    assert_true(bounds.lower.x > bounds.upper.x && bounds.lower.y > bounds.upper.y && bounds.lower.z > bounds.upper.z);
}

static void names_of_kinds(void **state) {
    (void)state;
    assert_string_equal(abut_kind_name(ABUT_SHAPE_SPHERE), "sphere");
    assert_string_equal(abut_kind_name(ABUT_SHAPE_CAPSULE), "capsule");
    assert_string_equal(abut_kind_name(ABUT_SHAPE_BOX), "box");
    assert_string_equal(abut_kind_name(ABUT_SHAPE_POLYTOPE), "polytope");
    assert_string_equal(abut_kind_name(ABUT_SHAPE_PLANE), "plane");
    assert_string_equal(abut_kind_name(ABUT_SHAPE_COMPOUND), "compound");
    assert_string_equal(abut_kind_name(ABUT_SHAPE_CYLINDER), "cylinder");
    assert_string_equal(abut_kind_name(ABUT_SHAPE_CONE), "cone");
    assert_string_equal(abut_kind_name((abut_kind)0), "unknown");
    assert_string_equal(abut_kind_name((abut_kind)99), "unknown");
}

static void half_sizes_of_boxes_only(void **state) {
    (void)state;
    abut_shape *box, *others[5];
    assert_ok(abut_shape_create_box(abut_vec3_make(0.1, 2, 30), &box));
    assert_vec3_near(abut_shape_half_sizes(box), abut_vec3_make(0.1, 2, 30), 0.0);
    assert_ok(abut_shape_create_sphere(1.0, &others[0]));
    assert_ok(abut_shape_create_ellipsoid(abut_vec3_make(1, 2, 3), &others[1])); /* its semi-axes are no half sizes of a box */
    assert_ok(abut_shape_create_prism(1.0, 2.0, 8, &others[2]));
    assert_ok(abut_shape_create_plane(abut_vec3_make(0, 0, 1), 1.0, &others[3]));
    const abut_part part = {box, abut_pose_identity()};
    assert_ok(abut_shape_create_compound(&part, 1, &others[4]));
    for (int i = 0; i < 5; i++) {
        assert_near(abut_length(abut_shape_half_sizes(others[i])), 0.0, 0.0);
        abut_shape_release(others[i]);
    }
    abut_shape_release(box);
}

static void a_simple_shape_is_its_own_part(void **state) {
    (void)state;
    abut_shape *ball;
    assert_ok(abut_shape_create_sphere(1.0, &ball));
    abut_part part;
    assert_int_equal(abut_shape_part_count(ball), 1);
    assert_ok(abut_shape_part(ball, 0, &part));
    assert_ptr_equal(part.shape, ball);
    assert_vec3_near(part.pose.position, abut_vec3_make(0, 0, 0), 0.0);
    assert_near(part.pose.rotation.w, 1.0, 0.0);
    assert_status(abut_shape_part(ball, 1, &part), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_part(ball, 0, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    abut_shape_release(ball);
}

static void assert_bounds_near(abut_aabb actual, abut_aabb expected, double tolerance) {
    assert_vec3_near(actual.lower, expected.lower, tolerance);
    assert_vec3_near(actual.upper, expected.upper, tolerance);
}

/* The box around points that are transformed one by one and extended by a radius. */
static abut_aabb bounds_of_posed(const abut_vec3 *points, int32_t count, abut_pose pose, double radius) {
    abut_aabb bounds = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int32_t i = 0; i < count; i++) {
        abut_vec3 p = abut_pose_apply(pose, points[i]);
        bounds.lower =
            abut_vec3_make(fmin(bounds.lower.x, p.x - radius), fmin(bounds.lower.y, p.y - radius), fmin(bounds.lower.z, p.z - radius));
        bounds.upper =
            abut_vec3_make(fmax(bounds.upper.x, p.x + radius), fmax(bounds.upper.y, p.y + radius), fmax(bounds.upper.z, p.z + radius));
    }
    return bounds;
}

static void bounds_of_posed_shapes(void **state) {
    (void)state;
    random_state random = random_make(random_seed("bounds_of_posed_shapes", 51));
    solid cloud = solid_cloud(&random, 40, abut_vec3_make(1.0, 0.5, 0.2)), cube = solid_box(abut_vec3_make(1, 2, 3));
    abut_shape *hull = solid_shape(&cloud), *box, *ball, *bar, *compound;
    assert_ok(abut_shape_create_box(abut_vec3_make(1, 2, 3), &box));
    assert_ok(abut_shape_create_sphere(0.7, &ball));
    assert_ok(abut_shape_create_capsule(0.4, 1.5, &bar));
    abut_part parts[2] = {{hull, random_pose(&random, 2.0)}, {bar, random_pose(&random, 2.0)}};
    assert_ok(abut_shape_create_compound(parts, 2, &compound));
    const abut_vec3 centre = {0, 0, 0}, ends[2] = {{0, 0, -1.5}, {0, 0, 1.5}};
    for (int sample = 0; sample < 200; sample++) {
        abut_pose pose = random_pose(&random, 10.0);
        assert_bounds_near(abut_shape_bounds(hull, pose), bounds_of_posed(cloud.vertices, cloud.vertex_count, pose, 0.0), 1e-14);
        assert_bounds_near(abut_shape_bounds(box, pose), bounds_of_posed(cube.vertices, 8, pose, 0.0), 1e-14);
        assert_bounds_near(abut_shape_bounds(ball, pose), bounds_of_posed(&centre, 1, pose, 0.7), 1e-14);
        assert_bounds_near(abut_shape_bounds(bar, pose), bounds_of_posed(ends, 2, pose, 0.4), 1e-14);
        abut_aabb one = bounds_of_posed(cloud.vertices, cloud.vertex_count, abut_pose_compose(pose, parts[0].pose), 0.0);
        abut_aabb two = bounds_of_posed(ends, 2, abut_pose_compose(pose, parts[1].pose), 0.4);
        assert_bounds_near(abut_shape_bounds(compound, pose), bounds_join(one, two), 1e-14);
    }
    abut_shape_release(hull);
    abut_shape_release(box);
    abut_shape_release(ball);
    abut_shape_release(bar);
    abut_shape_release(compound);
    solid_free(&cloud);
    solid_free(&cube);
}

static void bounds_of_planes(void **state) {
    (void)state;
    abut_shape *plane;
    assert_ok(abut_shape_create_plane(abut_vec3_make(0, 0, 5), 2.0, &plane));
    abut_aabb b = abut_shape_bounds(plane, at(7, 8, 1));
    assert_true(isinf(b.lower.z) && isinf(b.lower.x) && isinf(b.upper.x) && isinf(b.lower.y) && isinf(b.upper.y));
    assert_near(b.upper.z, 3.0, 0.0);
    /* Turned upside down, it fills the space above. */
    abut_pose turned = at(0, 0, 1);
    turned.rotation = abut_quat_about(abut_vec3_make(1, 0, 0), PI);
    b = abut_shape_bounds(plane, turned);
    assert_near(b.lower.z, -1.0, 1e-15);
    assert_true(isinf(b.upper.z));
    /* A quarter turn about y takes z to x, within rounding error. */
    turned.rotation = abut_quat_about(abut_vec3_make(0, 1, 0), 0.5 * PI);
    b = abut_shape_bounds(plane, turned);
    assert_near(b.upper.x, 2.0, 1e-15);
    assert_true(isinf(b.lower.x) && isinf(b.upper.z) && isinf(b.lower.z));
    turned.rotation = abut_quat_about(abut_vec3_make(0, 1, 0), 1e-9);
    b = abut_shape_bounds(plane, turned);
    assert_true(isinf(b.upper.x) && isinf(b.upper.y) && isinf(b.upper.z) && isinf(b.lower.x) && isinf(b.lower.y) && isinf(b.lower.z));
    abut_shape_release(plane);
}

static void bounds_for_a_bad_pose(void **state) {
    (void)state;
    abut_shape *ball;
    assert_ok(abut_shape_create_sphere(1.0, &ball));
    abut_pose poses[3] = {at(NAN, 0, 0), at(0, 0, 0), at(0, 0, 0)};
    poses[1].rotation = abut_quat_make(0, 0, 0, 0);
    poses[2].rotation.x = NAN;
    for (int i = 0; i < 3; i++) {
        abut_aabb b = abut_shape_bounds(ball, poses[i]);
        assert_true(b.lower.x == -INFINITY && b.lower.y == -INFINITY && b.lower.z == -INFINITY);
        assert_true(b.upper.x == INFINITY && b.upper.y == INFINITY && b.upper.z == INFINITY);
    }
    abut_shape_release(ball);
}

static abut_status create_kind(int kind, abut_shape **shape) {
    switch (kind) {
    case 0:
        return abut_shape_create_sphere(1.0, shape);
    case 1:
        return abut_shape_create_capsule(1.0, 1.0, shape);
    case 2:
        return abut_shape_create_box(abut_vec3_make(1, 2, 3), shape);
    case 3:
        return abut_shape_create_plane(abut_vec3_make(1, 2, 3), 0.5, shape);
    case 4:
        return abut_shape_create_prism(1.0, 1.0, 8, shape);
    default:
        return abut_shape_create_pyramid(1.0, 1.0, 8, shape);
    }
}

static void out_of_memory(void **state) {
    (void)state;
    for (int kind = 0; kind < 6; kind++) {
        counting_allocator memory;
        int64_t refused = 0;
        do {
            memory = (counting_allocator){.refuse_at = refused++};
            counting_allocator_install(&memory);
            abut_shape *shape = NULL;
            abut_status status = create_kind(kind, &shape);
            bool made = shape != NULL;
            abut_shape_release(shape);
            counting_allocator_remove();
            assert_status(status, memory.refused ? ABUT_ERROR_OUT_OF_MEMORY : ABUT_OK);
            assert_int_equal(made, !memory.refused);
            assert_int_equal(memory.live, 0);
        } while (memory.refused);
        assert_true(refused > 1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(references_from_threads),
        cmocka_unit_test(queries_on_null),
        cmocka_unit_test(names_of_kinds),
        cmocka_unit_test(half_sizes_of_boxes_only),
        cmocka_unit_test(a_simple_shape_is_its_own_part),
        cmocka_unit_test(bounds_of_posed_shapes),
        cmocka_unit_test(bounds_of_planes),
        cmocka_unit_test(bounds_for_a_bad_pose),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
