/* Loops of faces: replaced vertices, straightened edges, slits that close, outlines of regions with and without holes. */
#include "shape/build/outline.h"

#include <string.h>

#include "support/allocator.h"
#include "support/check.h"

static loops loops_of(const int32_t *sizes, const int32_t *corners, int32_t face_count) {
    loops made;
    int32_t corner_count = 0;
    for (int32_t f = 0; f < face_count; f++) {
        corner_count += sizes[f];
    }
    assert_ok(loops_allocate(&made, face_count, corner_count));
    made.face_count = face_count;
    for (int32_t f = 0; f < face_count; f++) {
        made.first[f + 1] = made.first[f] + sizes[f];
        made.origin[f] = 10 * f;
    }
    memcpy(made.vertex, corners, (size_t)corner_count * sizeof *corners);
    return made;
}

static void assert_face(const loops *faces, int32_t face, int32_t origin, int32_t count, const int32_t *corners) {
    assert_int_equal(faces->origin[face], origin);
    assert_int_equal(faces->first[face + 1] - faces->first[face], count);
    assert_memory_equal(faces->vertex + faces->first[face], corners, (size_t)count * sizeof *corners);
}

static void replaced_vertices(void **state) {
    (void)state;
    const int32_t sizes[3] = {4, 3, 5}, corners[12] = {0, 1, 2, 3, 1, 2, 4, 4, 3, 2, 1, 0};
    loops faces = loops_of(sizes, corners, 3);
    const int32_t map[5] = {0, 1, 1, 3, 0}; /* 2 becomes 1, 4 becomes 0 */
    loops_replace(&faces, map);
    assert_int_equal(faces.face_count, 2);
    assert_face(&faces, 0, 0, 3, (const int32_t[]){0, 1, 3});
    assert_face(&faces, 1, 20, 3, (const int32_t[]){0, 3, 1});
    loops_release(&faces);
}

/* A tetrahedron with a vertex in the middle of edge 0-1, and a slit of two corners along edge 2-3. */
static void straightened(void **state) {
    (void)state;
    const int32_t sizes[5] = {4, 4, 3, 3, 2};
    const int32_t corners[16] = {0, 2, 1, 4, 0, 4, 1, 3, 1, 2, 3, 2, 0, 3, 3, 2};
    loops faces = loops_of(sizes, corners, 5);
    int32_t degree[5];
    loops_straighten(&faces, 5, degree);
    assert_int_equal(faces.face_count, 4);
    assert_face(&faces, 0, 0, 3, (const int32_t[]){0, 2, 1});
    assert_face(&faces, 1, 10, 3, (const int32_t[]){0, 1, 3});
    assert_face(&faces, 3, 30, 3, (const int32_t[]){2, 0, 3});
    loops_release(&faces);
}

/* Two triangles back to back have only vertices of two faces: nothing is left of them. */
static void nothing_left(void **state) {
    (void)state;
    const int32_t sizes[2] = {3, 3}, corners[6] = {0, 1, 2, 0, 2, 1};
    loops faces = loops_of(sizes, corners, 2);
    int32_t degree[3];
    loops_straighten(&faces, 3, degree);
    assert_int_equal(faces.face_count, 0);
    loops_release(&faces);
}

static void outlines_of_regions(void **state) {
    (void)state;
    /* A cube. Regions: top and bottom for themselves, the four walls together, which has two outlines. */
    const int32_t sizes[6] = {4, 4, 4, 4, 4, 4};
    const int32_t corners[24] = {0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4, 2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6};
    loops faces = loops_of(sizes, corners, 6), outlines;
    struct corners map;
    assert_ok(corners_make(&map, &faces, 8, NULL));
    const int32_t region[6] = {2, 2, 2, 2, 0, 1};
    assert_ok(loops_outline(&faces, &map, region, &outlines));
    assert_int_equal(outlines.face_count, 4);
    int32_t walls = 0;
    for (int32_t f = 0; f < 4; f++) {
        assert_int_equal(outlines.first[f + 1] - outlines.first[f], 4);
        walls += outlines.origin[f] == 2;
    }
    assert_int_equal(walls, 2);
    loops_release(&outlines);
    /* All in one region: no outline. */
    const int32_t one[6] = {0};
    assert_ok(loops_outline(&faces, &map, one, &outlines));
    assert_int_equal(outlines.face_count, 0);
    loops_release(&outlines);
    for (int64_t refused = 0; refused < 2; refused++) {
        counting_allocator memory = {.refuse_at = refused};
        counting_allocator_install(&memory);
        abut_status status = loops_outline(&faces, &map, region, &outlines);
        counting_allocator_remove();
        assert_status(status, ABUT_ERROR_OUT_OF_MEMORY);
        assert_int_equal(memory.live, 0);
    }
    corners_release(&map);
    loops_release(&faces);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(replaced_vertices),
        cmocka_unit_test(straightened),
        cmocka_unit_test(nothing_left),
        cmocka_unit_test(outlines_of_regions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
