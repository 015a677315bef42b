/* Compounds: they keep their parts alive, know each part's bounds, and refuse invalid parts. */
#include "shape/shape.h"
#include "support/allocator.h"
#include "support/check.h"
#include "support/shapes.h"

static void parts_are_kept(void **state) {
    (void)state;
    counting_allocator memory = {.refuse_at = -1};
    counting_allocator_install(&memory);
    abut_shape *box, *ball, *compound;
    assert_ok(abut_shape_create_box(abut_vec3_make(1, 1, 1), &box));
    assert_ok(abut_shape_create_sphere(0.5, &ball));
    abut_part parts[3] = {{box, at(0, 0, 0)}, {ball, at(0, 0, 1.5)}, {ball, at(3, 0, 0)}};
    assert_ok(abut_shape_create_compound(parts, 3, &compound));
    abut_shape_release(box);
    abut_shape_release(ball);
    assert_int_equal(abut_shape_kind(compound), ABUT_SHAPE_COMPOUND);
    assert_int_equal(abut_shape_part_count(compound), 3);
    abut_part part;
    assert_ok(abut_shape_part(compound, 2, &part));
    assert_ptr_equal(part.shape, ball);
    assert_near(abut_shape_radius(part.shape), 0.5, 0.0);
    assert_vec3_near(part.pose.position, abut_vec3_make(3, 0, 0), 0.0);
    assert_status(abut_shape_part(compound, 3, &part), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_part(compound, -1, &part), ABUT_ERROR_INVALID_ARGUMENT);
    assert_vec3_near(compound->part_bounds[1].lower, abut_vec3_make(-0.5, -0.5, 1), 0.0);
    assert_vec3_near(compound->part_bounds[1].upper, abut_vec3_make(0.5, 0.5, 2), 0.0);
    assert_vec3_near(compound->bounds.lower, abut_vec3_make(-1, -1, -1), 0.0);
    assert_vec3_near(compound->bounds.upper, abut_vec3_make(3.5, 1, 2), 0.0);
    assert_near(compound->size, 4.5, 0.0);
    assert_true(memory.live > 0);
    abut_shape_release(compound);
    assert_int_equal(memory.live, 0);
    counting_allocator_remove();
}

static void children_have_their_poses(void **state) {
    (void)state;
    abut_shape *box, *ball, *compound;
    assert_ok(abut_shape_create_box(abut_vec3_make(1, 2, 3), &box));
    assert_ok(abut_shape_create_sphere(0.5, &ball));
    abut_part parts[2] = {{ball, at(0, 0, 1.5)}, {box, at(3, -1, 2)}};
    parts[1].pose.rotation = abut_quat_about(abut_vec3_make(0, 0, 1), 0.7);
    assert_ok(abut_shape_create_compound(parts, 2, &compound));
    for (int32_t i = 0; i < 2; i++) {
        abut_part child = {NULL, abut_pose_identity()};
        assert_ok(abut_shape_part(compound, i, &child));
        assert_ptr_equal(child.shape, parts[i].shape);
        assert_memory_equal(&child.pose, &parts[i].pose, sizeof child.pose);
        const abut_part before = child;
        assert_status(abut_shape_part(compound, 2, &child), ABUT_ERROR_INVALID_ARGUMENT);
        assert_memory_equal(&child, &before, sizeof child);
    }
    /* A child that is retained outlives its compound. */
    abut_part child;
    assert_ok(abut_shape_part(compound, 1, &child));
    const abut_shape *kept = abut_shape_retain(child.shape);
    abut_shape_release(box);
    abut_shape_release(ball);
    abut_shape_release(compound);
    assert_vec3_near(abut_shape_half_sizes(kept), abut_vec3_make(1, 2, 3), 0.0);
    abut_shape_release(kept);
}

static void refused_parts(void **state) {
    (void)state;
    abut_shape *box, *plane, *inner, *compound = NULL;
    assert_ok(abut_shape_create_box(abut_vec3_make(1, 1, 1), &box));
    assert_ok(abut_shape_create_plane(abut_vec3_make(0, 0, 1), 0, &plane));
    abut_part part = {box, at(0, 0, 0)};
    assert_ok(abut_shape_create_compound(&part, 1, &inner));
    assert_status(abut_shape_create_compound(NULL, 1, &compound), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_create_compound(&part, 0, &compound), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_create_compound(&part, 1, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    const abut_shape *no_parts[3] = {NULL, plane, inner};
    for (int i = 0; i < 3; i++) {
        abut_part parts[2] = {part, {no_parts[i], at(0, 0, 0)}};
        assert_status(abut_shape_create_compound(parts, 2, &compound), ABUT_ERROR_INVALID_ARGUMENT);
    }
    abut_pose poses[3] = {at(NAN, 0, 0), at(0, INFINITY, 0), at(0, 0, 0)};
    poses[2].rotation.w = 2.0;
    for (int i = 0; i < 3; i++) {
        abut_part parts[2] = {part, {box, poses[i]}};
        assert_status(abut_shape_create_compound(parts, 2, &compound), ABUT_ERROR_INVALID_ARGUMENT);
    }
    /* The parts are so far apart that the moment of inertia overflows. */
    abut_part parts[2] = {{box, at(-1e160, 0, 0)}, {box, at(1e160, 0, 0)}};
    assert_status(abut_shape_create_compound(parts, 2, &compound), ABUT_ERROR_INVALID_ARGUMENT);
    assert_null(compound);
    assert_int_equal(atomic_load(&box->references), 2);
    abut_shape_release(inner);
    assert_int_equal(atomic_load(&box->references), 1);
    abut_shape_release(box);
    abut_shape_release(plane);
}

static void out_of_memory(void **state) {
    (void)state;
    abut_shape *box;
    assert_ok(abut_shape_create_box(abut_vec3_make(1, 1, 1), &box));
    counting_allocator memory;
    int64_t refused = 0;
    do {
        memory = (counting_allocator){.refuse_at = refused++};
        counting_allocator_install(&memory);
        abut_part parts[2] = {{box, at(0, 0, 0)}, {box, at(2, 0, 0)}};
        abut_shape *compound = NULL;
        abut_status status = abut_shape_create_compound(parts, 2, &compound);
        abut_shape_release(compound);
        counting_allocator_remove();
        assert_status(status, memory.refused ? ABUT_ERROR_OUT_OF_MEMORY : ABUT_OK);
        assert_int_equal(memory.live, 0);
        assert_int_equal(atomic_load(&box->references), 1);
    } while (memory.refused);
    assert_int_equal(refused, 4);
    abut_shape_release(box);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(parts_are_kept), cmocka_unit_test(children_have_their_poses),
                                       cmocka_unit_test(refused_parts), cmocka_unit_test(out_of_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
