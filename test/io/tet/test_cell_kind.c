/* Cells that are not tetrahedra, in words: alone, of each format, and in the message of a file without tetrahedra. */
#include "io/tet/cell_kind.h"
#include "io/tet/msh.h"
#include "io/tet/vtk_cell.h"
#include "support/tet_text.h"

static void test_list(void **state) {
    (void)state;
    char text[200];
    int64_t counts[CELL_KINDS] = {0};
    assert_string_equal(cell_kinds_list(counts, text, sizeof text), "");
    counts[CELL_TRIANGLE] = 1;
    assert_string_equal(cell_kinds_list(counts, text, sizeof text), "1 triangle");
    counts[CELL_TRIANGLE] = 12;
    counts[CELL_HEXAHEDRON] = 4;
    assert_string_equal(cell_kinds_list(counts, text, sizeof text), "12 triangles and 4 hexahedra");
    counts[CELL_POINT] = 1;
    counts[CELL_OTHER] = 2;
    assert_string_equal(cell_kinds_list(counts, text, sizeof text), "1 point, 12 triangles, 4 hexahedra and 2 elements of other types");
    assert_string_equal(cell_kinds_list(counts, text, 10), "1 point, "); /* cut to the room */
}

/* The longest list fits into a message. */
static void test_longest(void **state) {
    (void)state;
    char text[400];
    int64_t counts[CELL_KINDS];
    for (int kind = 0; kind < CELL_KINDS; kind++) {
        counts[kind] = INT64_MAX;
    }
    assert_true(strlen(cell_kinds_list(counts, text, sizeof text)) < sizeof text - 1);
}

static void test_types_of_formats(void **state) {
    (void)state;
    assert_int_equal(vtk_cell_kind(5), CELL_TRIANGLE);
    assert_int_equal(vtk_cell_kind(12), CELL_HEXAHEDRON);
    assert_int_equal(vtk_cell_kind(1), CELL_POINT);
    assert_int_equal(vtk_cell_kind(42), CELL_POLYHEDRON);
    static const int64_t unknown[] = {-1, 0, 200, 255, INT64_MIN, INT64_MAX};
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        assert_int_equal(vtk_cell_kind(unknown[i]), CELL_OTHER);
        assert_int_equal(msh_kind(unknown[i]), CELL_OTHER);
    }
    /* Each known type of Gmsh has a kind or is a tetrahedron. */
    int32_t nodes;
    bool tetra;
    for (int64_t type = 0; type < 200; type++) {
        if (msh_find_type(type, &nodes, &tetra)) {
            assert_true(tetra == (msh_kind(type) == CELL_OTHER));
        }
    }
}

static void test_message(void **state) {
    (void)state;
    assert_tets_refused(scratch_text("none.vtk", "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 1 float\n0 0 0\n"
                                                 "CELLS 4 10\n1 0 2 0 0 2 0 0 1 0\nCELL_TYPES 4\n5 12 12 200\n"),
                        ": the file has 1 triangle, 2 hexahedra and 1 element of another type, but no tetrahedra");
    assert_tets_refused(scratch_text("none.msh",
                                     "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 3 1 3\n2 1 0 3\n1\n2\n3\n0 0 0\n1 0 0\n0 1 0\n"
                                     "$EndNodes\n$Elements\n2 3 1 3\n1 1 1 2\n1 1 2\n2 2 3\n2 1 2 1\n3 1 2 3\n$EndElements\n"),
                        ": the file has 2 lines and 1 triangle, but no tetrahedra");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_longest),
        cmocka_unit_test(test_types_of_formats),
        cmocka_unit_test(test_message),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
