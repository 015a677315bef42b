/* .vtu files: their bytes, refusals, and the state after a failed write. test_tetfile.py reads them with another program. */
#include <stdlib.h>

#include "support/io_files.h"
#include "support/files.h"
#include "io/tet/vtu.h"

#define FOLDER ABUT_TEST_SCRATCH_DIR "/folder"
#define RESULT FOLDER "/out.vtu"

static const abut_vec3 vertices[5] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
static const int32_t elements[8] = {0, 1, 2, 3, 3, 2, 1, 4};
static const abut_tetra_mesh one = {vertices, 5, elements, 2};

static int empty_folder(void **state) {
    (void)state;
    files_limit(0);
    files_empty_folder(FOLDER);
    return 0;
}

/* The bytes of the array declared with this name, after its length, which is checked. */
static const char *find_array(const char *file, size_t size, const char *name, uint64_t expected) {
    char declaration[100];
    snprintf(declaration, sizeof declaration, "Name=\"%s\"", name);
    const char *declared = strstr(file, declaration);
    assert_non_null(declared);
    unsigned long long offset;
    assert_int_equal(sscanf(strstr(declared, "offset="), "offset=\"%llu\"", &offset), 1);
    static const char begin[] = "<AppendedData encoding=\"raw\">\n_";
    const char *bytes = strstr(file, begin) + sizeof begin - 1 + offset;
    assert_true(bytes + sizeof expected + expected <= file + size);
    uint64_t length;
    memcpy(&length, bytes, sizeof length);
    assert_int_equal(length, expected);
    return bytes + sizeof length;
}

static void test_arrays(void **state) {
    (void)state;
    const abut_tetra_mesh meshes[] = {one, {NULL, 0, NULL, 0}, one};
    const double depths[2] = {0.1, 0.0 / 1.0}, points[15] = {1, 2, 3};
    const int32_t bodies[2] = {7, -8};
    const abut_vtu_array arrays[] = {
        {"depth", ABUT_VTU_CELLS, ABUT_VTU_DOUBLE, 1, (const void *[]){depths, NULL, NULL}},
        {"body <&\">", ABUT_VTU_CELLS, ABUT_VTU_INT32, 1, (const void *[]){NULL, NULL, bodies}},
        {"depth", ABUT_VTU_POINTS, ABUT_VTU_DOUBLE, 3, (const void *[]){points, points, points}},
    };
    assert_ok(abut_vtu_write(RESULT, meshes, 3, arrays, 3, NULL));
    size_t size;
    char *file = files_read(RESULT, &size);
    assert_non_null(strstr(file, "<Piece NumberOfPoints=\"10\" NumberOfCells=\"4\">"));
    const char *found = find_array(file, size, "Points", 10 * 24);
    assert_memory_equal(found, vertices, sizeof vertices);
    assert_memory_equal(found + sizeof vertices, vertices, sizeof vertices);
    found = find_array(file, size, "connectivity", 16 * 8);
    for (int i = 0; i < 16; i++) {
        int64_t corner;
        memcpy(&corner, found + 8 * i, sizeof corner);
        assert_int_equal(corner, elements[i % 8] + 5 * (i / 8));
    }
    found = find_array(file, size, "offsets", 4 * 8);
    assert_memory_equal(found, ((int64_t[]){4, 8, 12, 16}), 32);
    assert_memory_equal(find_array(file, size, "types", 4), "\x0a\x0a\x0a\x0a", 4);
    assert_memory_equal(find_array(file, size, "depth", 10 * 24), points, sizeof points); /* vertices before elements */
    assert_memory_equal(find_array(file, size, "body &lt;&amp;&quot;>", 16), ((int32_t[]){0, 0, 7, -8}), 16);
    free(file);
    assert_int_equal(files_count(FOLDER), 1);
}

/* The largest chunk and one more. */
static void test_many_elements(void **state) {
    (void)state;
    enum { COUNT = 1025 };
    static int32_t many[4 * COUNT];
    for (int i = 0; i < 4 * COUNT; i++) {
        many[i] = i * 7 % 5;
    }
    for (int32_t count = COUNT - 2; count <= COUNT; count++) {
        const abut_tetra_mesh mesh = {vertices, 5, many, count};
        assert_ok(abut_vtu_write(RESULT, &mesh, 1, NULL, 0, NULL));
        size_t size;
        char *file = files_read(RESULT, &size);
        const char *found = find_array(file, size, "connectivity", 32 * (uint64_t)count);
        for (int i = 0; i < 4 * count; i++) {
            int64_t corner;
            memcpy(&corner, found + 8 * i, sizeof corner);
            assert_int_equal(corner, many[i]);
        }
        free(file);
    }
}

static void test_refusals(void **state) {
    (void)state;
    const int32_t beyond[4] = {0, 1, 2, 5}, below[4] = {0, 1, 2, -1};
    const abut_tetra_mesh wrong[] = {{vertices, -1, elements, 2}, {vertices, 5, elements, -1}, {NULL, 5, elements, 2},
                                     {vertices, 5, NULL, 2},      {vertices, 5, beyond, 1},    {vertices, 5, below, 1}};
    abut_error error;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_status(abut_vtu_write(RESULT, &wrong[i], 1, NULL, 0, &error), ABUT_ERROR_INVALID_ARGUMENT);
    }
    const double values[2] = {0};
    const void *const both[] = {values};
    const abut_vtu_array right = {"x", ABUT_VTU_CELLS, ABUT_VTU_DOUBLE, 1, both};
    abut_vtu_array bad[7];
    for (int i = 0; i < 7; i++) {
        bad[i] = right;
    }
    bad[0].name = NULL;
    bad[1].name = "";
    bad[2].name = "a\nb";
    bad[3].components = 0;
    bad[4].values = NULL;
    bad[5].place = (abut_vtu_place)9;
    bad[6].type = (abut_vtu_type)9;
    for (int i = 0; i < 7; i++) {
        assert_status(abut_vtu_write(RESULT, &one, 1, &bad[i], 1, &error), ABUT_ERROR_INVALID_ARGUMENT);
    }
    assert_status(abut_vtu_write(RESULT, &one, 1, (const abut_vtu_array[]){right, right}, 2, &error), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_vtu_write(NULL, &one, 1, NULL, 0, &error), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_vtu_write(RESULT, NULL, 1, NULL, 0, &error), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_vtu_write(RESULT, &one, 0, NULL, 0, &error), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_vtu_write(RESULT, &one, 1, NULL, 1, &error), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_vtu_write(RESULT, &one, 1, &right, -1, &error), ABUT_ERROR_INVALID_ARGUMENT);
    const abut_tetra_mesh huge[] = {{vertices, INT32_MAX, elements, 0}, one};
    assert_status(abut_vtu_write(RESULT, huge, 2, NULL, 0, &error), ABUT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(files_count(FOLDER), 0);
}

/* A full disk leaves the earlier file unchanged. */
static void test_no_room(void **state) {
    (void)state;
    files_write(RESULT, "before", 6);
    for (size_t limit = 0; limit < 1200; limit += 400) {
        files_limit(limit + 1);
        abut_error error;
        abut_status status = abut_vtu_write(RESULT, &one, 1, NULL, 0, &error);
        files_limit(0);
        assert_status(status, ABUT_ERROR_FILE);
        size_t size;
        char *file = files_read(RESULT, &size);
        assert_string_equal(file, "before");
        free(file);
        assert_int_equal(files_count(FOLDER), 1);
    }
    assert_status(abut_vtu_write(FOLDER "/none/out.vtu", &one, 1, NULL, 0, NULL), ABUT_ERROR_FILE);
    assert_ok(abut_vtu_write("/dev/null", &one, 1, NULL, 0, NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_arrays, empty_folder),
        cmocka_unit_test_setup(test_many_elements, empty_folder),
        cmocka_unit_test_setup(test_refusals, empty_folder),
        cmocka_unit_test_setup(test_no_room, empty_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
