/* The flat list of a scene's shapes, compared with the shapes themselves. test_recording.c tests recordings of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io/surface/shape_list.h"

static abut_shape *box(double half) {
    abut_shape *shape = NULL;
    assert_int_equal(abut_shape_create_box(abut_vec3_make(half, half, half), &shape), ABUT_OK);
    return shape;
}

/* Each shape occurs once, and the parts of a compound follow it and are given by index. */
static void test_each_shape_once(void **state) {
    (void)state;
    abut_shape *cube = box(0.5), *ball = NULL, *both = NULL;
    assert_int_equal(abut_shape_create_sphere(0.25, &ball), ABUT_OK);
    abut_pose aside = abut_pose_identity();
    aside.position.x = 2.0;
    const abut_part parts[] = {{ball, abut_pose_identity()}, {cube, aside}, {ball, aside}};
    assert_int_equal(abut_shape_create_compound(parts, 3, &both), ABUT_OK);

    shape_list list = {.shapes = NULL};
    assert_int_equal(shape_list_index(&list, cube), -1);
    assert_int_equal(shape_list_add(&list, both), ABUT_OK);
    assert_int_equal(shape_list_add(&list, cube), ABUT_OK);
    assert_int_equal(shape_list_add(&list, both), ABUT_OK);
    assert_int_equal(list.count, 3);
    assert_int_equal(shape_list_index(&list, both), 0);
    assert_int_equal(shape_list_index(&list, ball), 1);
    assert_int_equal(shape_list_index(&list, cube), 2);
    assert_int_equal(shape_list_describe(&list), ABUT_OK);

    const abut_recorded_shape *entry = list.entries;
    assert_int_equal(entry[0].kind, ABUT_SHAPE_COMPOUND);
    assert_int_equal(entry[0].part_count, 3);
    assert_int_equal(entry[0].parts[0].shape, 1);
    assert_int_equal(entry[0].parts[1].shape, 2);
    assert_true(entry[0].parts[2].shape == 1 && entry[0].parts[2].pose.position.x == 2.0);
    assert_true(entry[1].kind == ABUT_SHAPE_SPHERE && entry[1].radius == 0.25 && entry[1].vertex_count == 0);
    assert_true(entry[2].kind == ABUT_SHAPE_BOX && entry[2].vertex_count == 8 && entry[2].face_count == 6);

    shape_list_release(&list);
    abut_shape_release(both);
    abut_shape_release(ball);
    abut_shape_release(cube);
}

/* Surfaces are those of the shapes. Shapes that are added later are described with the others. */
static void test_surfaces(void **state) {
    (void)state;
    abut_shape *first = box(0.5), *second = box(2.0);
    shape_list list = {.shapes = NULL};
    assert_int_equal(shape_list_add(&list, first), ABUT_OK);
    assert_int_equal(shape_list_describe(&list), ABUT_OK);
    assert_int_equal(shape_list_add(&list, second), ABUT_OK);
    assert_null(list.entries);
    assert_int_equal(shape_list_describe(&list), ABUT_OK);
    const abut_shape *shapes[] = {first, second};
    for (int i = 0; i < 2; i++) {
        abut_polytope_view view;
        const abut_recorded_shape *entry = &list.entries[i];
        assert_int_equal(abut_shape_polytope(shapes[i], &view), ABUT_OK);
        assert_memory_equal(entry->vertices, view.vertices, sizeof *view.vertices * (size_t)view.vertex_count);
        assert_memory_equal(entry->face_first, view.face_first, sizeof *view.face_first * ((size_t)view.face_count + 1));
        assert_memory_equal(entry->face_vertices, view.face_vertices,
                            sizeof *view.face_vertices * (size_t)view.face_first[view.face_count]);
    }
    shape_list_release(&list);
    abut_shape_release(second);
    abut_shape_release(first);
}

/* More shapes than the first size of the table. */
static void test_many_shapes(void **state) {
    (void)state;
    enum { COUNT = 300 };
    abut_shape *shapes[COUNT];
    shape_list list = {.shapes = NULL};
    for (int i = 0; i < COUNT; i++) {
        shapes[i] = NULL;
        assert_int_equal(abut_shape_create_sphere(1.0 + i, &shapes[i]), ABUT_OK);
        assert_int_equal(shape_list_add(&list, shapes[i]), ABUT_OK);
    }
    assert_int_equal(shape_list_describe(&list), ABUT_OK);
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(shape_list_index(&list, shapes[i]), i);
        assert_true(list.entries[i].radius == 1.0 + i);
        abut_shape_release(shapes[i]);
    }
    shape_list_release(&list);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_each_shape_once), cmocka_unit_test(test_surfaces),
                                       cmocka_unit_test(test_many_shapes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
