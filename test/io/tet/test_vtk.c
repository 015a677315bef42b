/* Legacy VTK files, text and binary, with cells of both layouts. */
#include "support/tet_text.h"

typedef struct vtk_file {
    mesh_bytes bytes;
    bool binary;
} vtk_file;

static void put_integer(vtk_file *file, size_t size, int64_t value) {
    if (file->binary) {
        put_number(&file->bytes, (uint64_t)value, size, true);
    } else {
        put_text(&file->bytes, "%lld ", (long long)value);
    }
}

static vtk_file begin_file(const char *version, bool binary) {
    vtk_file file = {.binary = binary};
    put_text(&file.bytes, "# vtk DataFile Version %s\nPOINTS of a title\n%s\nDATASET UNSTRUCTURED_GRID\n", version,
             binary ? "BINARY" : "ASCII");
    put_text(&file.bytes, "FIELD FieldData 2\nTIME 1 1 double\n");
    if (binary) {
        put_double(&file.bytes, 0.5, true);
    } else {
        put_text(&file.bytes, "0.5");
    }
    put_text(&file.bytes, "\nMETADATA\nINFORMATION 0\n\nNAMES 2 3 unsigned_char\n");
    for (int i = 0; i < 6; i++) {
        put_integer(&file, 1, '\n');
    }
    put_text(&file.bytes, "\n");
    return file;
}

static void put_points(vtk_file *file, const char *type) {
    put_text(&file->bytes, "POINTS %d %s\n", PAIR_VERTICES, type);
    for (int i = 0; i < 3 * PAIR_VERTICES; i++) {
        double value = pair_vertices[i / 3][i % 3];
        if (!file->binary) {
            put_text(&file->bytes, "%.17g%c", value, i % 5 == 4 ? '\n' : ' ');
        } else {
            put_double(&file->bytes, value, true);
        }
    }
    put_text(&file->bytes, "\nMETADATA\nINFORMATION 1\nNAME L2_NORM_RANGE LOCATION vtkDataArray\nDATA 2 0 1\n\n");
}

/* A triangle, two tetrahedra, the second of ten nodes, and a polyhedron of three. */
enum { CELLS = 4 };

static const int cell_sizes[CELLS] = {3, 4, 10, 3};
static const int cell_types[CELLS] = {5, 10, 24, 42};
static const int cell_points[CELLS][10] = {{0, 1, 2}, {0, 1, 3, 4}, {0, 1, 3, 5, 2, 2, 2, 2, 2, 2}, {0, 99, -1}};

static void put_types(vtk_file *file) {
    put_text(&file->bytes, "\nCELL_TYPES %d\n", CELLS);
    for (int c = 0; c < CELLS; c++) {
        put_integer(file, 4, cell_types[c]);
    }
    put_text(&file->bytes, "\n");
}

static vtk_file pair_of_version_4(bool binary) {
    vtk_file file = begin_file("4.2", binary);
    put_points(&file, "double");
    put_text(&file.bytes, "CELLS %d %d\n", CELLS, 24);
    for (int c = 0; c < CELLS; c++) {
        put_integer(&file, 4, cell_sizes[c]);
        for (int i = 0; i < cell_sizes[c]; i++) {
            put_integer(&file, 4, cell_points[c][i]);
        }
    }
    put_types(&file);
    return file;
}

static vtk_file pair_of_version_5(bool binary, const char *type, size_t size) {
    vtk_file file = begin_file("5.1", binary);
    put_points(&file, "Double");
    put_text(&file.bytes, "CELLS %d %d\nOFFSETS %s\n", CELLS + 1, 20, type);
    for (int c = 0, end = 0; c <= CELLS; c++) {
        put_integer(&file, size, end);
        end += c < CELLS ? cell_sizes[c] : 0;
    }
    put_text(&file.bytes, "\nCONNECTIVITY %s\n", type);
    for (int c = 0; c < CELLS; c++) {
        for (int i = 0; i < cell_sizes[c]; i++) {
            put_integer(&file, size, cell_points[c][i]);
        }
    }
    put_types(&file);
    return file;
}

static void test_layouts(void **state) {
    (void)state;
    static const int64_t tags[] = {0, 1, 2, 3, 4, 5}, elements[] = {1, 2};
    for (int binary = 0; binary < 2; binary++) {
        vtk_file file = pair_of_version_4(binary);
        put_text(&file.bytes, "POINT_DATA 6\nnonsense");
        assert_pair(write_buffer("pair.vtk", &file.bytes), tags, elements, NULL, 2);
        file = pair_of_version_5(binary, "vtktypeint64", 8);
        assert_pair(write_buffer("pair.vtk", &file.bytes), tags, elements, NULL, 2);
        file = pair_of_version_5(binary, "int", 4);
        assert_pair(write_buffer("pair.VTK", &file.bytes), tags, elements, NULL, 2);
    }
}

static void test_cut_off(void **state) {
    (void)state;
    for (int binary = 0; binary < 2; binary++) {
        /* A text file is complete without its last blanks, and without the second digit of the last type, which is not a tetrahedron's. */
        vtk_file file = pair_of_version_4(binary);
        assert_cut_refused("cut.vtk", &file.bytes, binary ? 2 : 4);
        file = pair_of_version_5(binary, "long", 8);
        assert_cut_refused("cut.vtk", &file.bytes, binary ? 2 : 4);
    }
}

#define HEAD "# vtk DataFile Version 3.0\ntitle\nASCII\nDATASET UNSTRUCTURED_GRID\n"
#define POINTS HEAD "POINTS 4 float\n0 0 0 1 0 0\n0 1 0 0 0 1\n"
#define CELL POINTS "CELLS 1 5\n4 0 1 2 3\n"
#define NEWER "# vtk DataFile Version 5.1\ntitle\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 float\n0 0 0 1 0 0\n0 1 0 0 0 1\n"

static void test_refusals(void **state) {
    (void)state;
    static const struct {
        const char *text, *part;
    } cases[] = {
        {"", ":1: this is not a legacy VTK file"},
        {"# vtk DataFile Version\n", ":1: this is not a legacy VTK file"},
        {"# vtk DataFile Version x.y\n", ":1: this is not a legacy VTK file"},
        {"# vtk DataFile Version 1.0\n", ":1: version 1.0 of the format is not supported"},
        {"# vtk DataFile Version 6.0\n", ":1: version 6.0 of the format is not supported"},
        {"# vtk DataFile Version 3.0\ntitle\nTEXT\n", ":3: ASCII or BINARY is expected here"},
        {"# vtk DataFile Version 3.0\ntitle\nASCII\nDATASET POLYDATA\n", ":4: 'DATASET UNSTRUCTURED_GRID' is expected here"},
        {"# vtk DataFile Version 3.0\ntitle\nASCII\nPOINTS 4 float\n", ":4: 'DATASET UNSTRUCTURED_GRID' is expected here"},
        {HEAD, ":5: POINTS, CELLS and CELL_TYPES are needed"},
        {HEAD "LINES 4 3\n", ":5: unknown keyword 'LINES'; POINTS, CELLS or CELL_TYPES is expected here"},
        {HEAD "POINTS many float\n", ":5: a whole number is expected here"},
        {HEAD "POINTS -2 float\n", ":6: a count of -2 points"},
        {HEAD "POINTS 4 quad\n", ":5: numbers of type 'quad' are not supported"},
        {HEAD "POINTS 4 float 0 0 0\n", ":5: the end of the line is expected here"},
        {HEAD "POINTS 400 float\n0 0 0\n", ":6: a count of 400 points is more than the rest of the file can hold"},
        {HEAD "POINTS 1 float\n0 nan 0\n", ":6: point 0 is not finite"},
        {POINTS "POINTS 0 float\n", ":9: POINTS occurs twice"},
        {POINTS "CELLS 1 500\n4 0 1 2 3\n", ":9: a count of 500 numbers is more than the rest of the file can hold"},
        {POINTS "CELLS -1 5\n4 0 1 2 3\n", ":9: counts of -1 cells and 5 numbers"},
        {POINTS "CELL_TYPES 1\n10\n", ":9: CELL_TYPES needs POINTS and the same number of CELLS before it"},
        {CELL, ":10: POINTS, CELLS and CELL_TYPES are needed"},
        {CELL "CELLS 1 5\n", ":11: CELLS occurs twice"},
        {CELL "CELL_TYPES 2\n10 10\n", ":11: CELL_TYPES needs POINTS and the same number of CELLS before it"},
        {CELL "CELL_TYPES 1\nten\n", ":11: a whole number is expected here"},
        {CELL "CELL_TYPES 1\n24\n", ":9: cell 0 of type 24 has 4 points"},
        {CELL "CELL_TYPES 1\n12\n", ": the file has 1 hexahedron, but no tetrahedra"},
        {POINTS "CELLS 1 5\n4 0 1 2 4\nCELL_TYPES 1\n10\n", ":9: cell 0 refers to node 4, which does not exist"},
        {POINTS "CELLS 1 5\n4 0 1 2 -1\nCELL_TYPES 1\n10\n", ":9: cell 0 refers to node -1, which does not exist"},
        {POINTS "CELLS 1 5\n5 0 1 2 3\nCELL_TYPES 1\n10\n", ":9: cell 0 extends beyond the numbers of the cells"},
        {POINTS "CELLS 1 5\n3 0 1 2 3\nCELL_TYPES 1\n10\n", ":9: cell 0 of type 10 has 3 points"},
        {POINTS "CELLS 2 5\n4 0 1 2 3\nCELL_TYPES 2\n10 10\n", ":9: cell 1 extends beyond the numbers of the cells"},
        {POINTS "CELLS 0 0\nCELL_TYPES 0\n", ": the file has no tetrahedra"},
        {NEWER "CELLS 0 0\nOFFSETS int\n", ":9: counts of 0 cells and 0 numbers"},
        {NEWER "CELLS 2 4\nOFFSETS float\n", ":9: a type of whole numbers is expected here"},
        {NEWER "CELLS 2 4\nOFFSETS int\n1 4\nCONNECTIVITY int\n0 1 2 3\nCELL_TYPES 1\n10\n", ":12: the first offset of the cells"},
        {NEWER "CELLS 2 4\nOFFSETS int\n0 4\nPOINTS int\n0 1 2 3\n", ":11: 'CONNECTIVITY' is expected here"},
        {NEWER "CELLS 2 4\nOFFSETS int\n0 5\nCONNECTIVITY int\n0 1 2 3\nCELL_TYPES 1\n10\n", ":12: cell 0 extends beyond"},
        {NEWER "CELLS 3 8\nOFFSETS int\n0 8 4\nCONNECTIVITY int\n0 1 2 3 0 1 2 3\nCELL_TYPES 2\n1 10\n", ":12: cell 1 extends beyond"},
        {HEAD "FIELD F 1\nA 1 9223372036854775807 int\n1\n", ":7: a count of 9223372036854775807 numbers is more than the rest"},
        {HEAD "FIELD F 1\nA 4 9223372036854775807 int\n1\n", ":7: the field 'A' has impossible counts"},
        {HEAD "FIELD F 1\nA 1 1 string\nx\n", ":6: the field 'A' does not hold numbers"},
        {HEAD "FIELD F 1\n", ":5: a count of 1 arrays is more than the rest of the file can hold"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_tets_refused(scratch_text("bad.vtk", cases[i].text), cases[i].part);
    }
}

/* In binary files the position is a byte. */
static void test_binary_refusals(void **state) {
    (void)state;
    vtk_file file = begin_file("4.2", true);
    put_text(&file.bytes, "POINTS 400000000 double\n");
    assert_tets_refused(write_buffer("bad.vtk", &file.bytes), ": byte 200: a count of 400000000 points is more");
    file = begin_file("4.2", true);
    put_text(&file.bytes, "POINTS 1 double\n");
    put_double(&file.bytes, 0.0, true);
    put_double(&file.bytes, INFINITY, true);
    put_double(&file.bytes, 0.0, true);
    assert_tets_refused(write_buffer("bad.vtk", &file.bytes), ": byte 216: point 0 is not finite");
}

/* Single precision and whole numbers are exact. */
static void test_types_of_points(void **state) {
    (void)state;
    for (int whole = 0; whole < 2; whole++) {
        vtk_file file = begin_file("2.0", true);
        put_text(&file.bytes, "POINTS 4 %s\n", whole ? "short" : "float");
        for (int i = 0; i < 12; i++) {
            float value = i % 4 == 3 ? -3.0f : 0.0f;
            if (whole) {
                put_integer(&file, 2, (int64_t)value);
            } else {
                put_float(&file.bytes, value / 7.0f, true);
            }
        }
        put_text(&file.bytes, "\ncells 1 5\n");
        for (int i = 0; i < 5; i++) {
            put_integer(&file, 4, i == 0 ? 4 : i - 1);
        }
        put_text(&file.bytes, "\nCell_Types 1\n");
        put_integer(&file, 4, 10);
        abut_tetfile *read = load_tets(write_buffer("types.vtk", &file.bytes));
        assert_true(read->vertices[1].x == (whole ? -3.0 : (double)(-3.0f / 7.0f)));
        assert_true(read->vertices[3].z == read->vertices[1].x && read->vertices[3].x == 0.0);
        assert_int_equal(read->inverted_count, 1);
        abut_tetfile_destroy(read);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_layouts),         cmocka_unit_test(test_cut_off),         cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_binary_refusals), cmocka_unit_test(test_types_of_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
