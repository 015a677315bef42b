/* Twins of corners, and which face is blamed where there are none. */
#include "shape/build/corners.h"

#include <string.h>

#include "support/allocator.h"
#include "support/check.h"

static int32_t cube_first[7] = {0, 4, 8, 12, 16, 20, 24};
static const int32_t cube_loops[24] = {0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4, 2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6};

static void twins_run_against_each_other(void **state) {
    (void)state;
    int32_t vertex[24];
    memcpy(vertex, cube_loops, sizeof vertex);
    loops cube = {.face_count = 6, .first = cube_first, .vertex = vertex};
    corners map;
    int32_t culprit = -1;
    assert_ok(corners_make(&map, &cube, 8, &culprit));
    assert_int_equal(map.count, 24);
    for (int32_t c = 0; c < 24; c++) {
        int32_t twin = map.twin[c];
        assert_int_equal(map.twin[twin], c);
        assert_int_equal(vertex[c], vertex[map.next[twin]]);
        assert_int_equal(vertex[map.next[c]], vertex[twin]);
        assert_int_not_equal(map.face[c], map.face[twin]);
        assert_int_equal(map.previous[map.next[c]], c);
        assert_int_equal(map.face[c], c / 4);
    }
    for (int32_t e = 0; e < 12; e++) {
        assert_int_equal(map.twin[map.order[2 * e]], map.order[2 * e + 1]);
    }
    corners_release(&map);
    assert_null(map.memory);
}

static void the_face_wound_wrongly_is_blamed(void **state) {
    (void)state;
    for (int32_t f = 0; f < 6; f++) {
        int32_t vertex[24];
        memcpy(vertex, cube_loops, sizeof vertex);
        for (int i = 0; i < 4; i++) {
            vertex[4 * f + i] = cube_loops[4 * f + 3 - i];
        }
        loops cube = {.face_count = 6, .first = cube_first, .vertex = vertex};
        corners map;
        int32_t culprit = -1;
        assert_status(corners_make(&map, &cube, 8, &culprit), ABUT_ERROR_NOT_CLOSED);
        assert_int_equal(culprit / 4, f);
        assert_status(corners_make(&map, &cube, 8, NULL), ABUT_ERROR_NOT_CLOSED);
    }
}

static void an_open_or_branching_surface(void **state) {
    (void)state;
    int32_t vertex[28];
    memcpy(vertex, cube_loops, sizeof cube_loops);
    loops open = {.face_count = 5, .first = cube_first, .vertex = vertex};
    corners map;
    int32_t culprit = -1;
    assert_status(corners_make(&map, &open, 8, &culprit), ABUT_ERROR_NOT_CLOSED);
    assert_in_range(culprit, 0, 19);
    /* A seventh face, on the diagonal: four faces at two edges. */
    int32_t first[8] = {0, 4, 8, 12, 16, 20, 24, 28};
    const int32_t fin[4] = {0, 1, 7, 6};
    memcpy(vertex + 24, fin, sizeof fin);
    loops branching = {.face_count = 7, .first = first, .vertex = vertex};
    assert_status(corners_make(&map, &branching, 8, &culprit), ABUT_ERROR_NOT_CLOSED);
    assert_int_equal(culprit / 4, 6);
}

static void out_of_memory(void **state) {
    (void)state;
    counting_allocator memory = {.refuse_at = 0};
    int32_t vertex[24];
    memcpy(vertex, cube_loops, sizeof vertex);
    loops cube = {.face_count = 6, .first = cube_first, .vertex = vertex};
    corners map;
    counting_allocator_install(&memory);
    abut_status status = corners_make(&map, &cube, 8, NULL);
    counting_allocator_remove();
    assert_status(status, ABUT_ERROR_OUT_OF_MEMORY);
    assert_int_equal(memory.live, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(twins_run_against_each_other),
        cmocka_unit_test(the_face_wound_wrongly_is_blamed),
        cmocka_unit_test(an_open_or_branching_surface),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
