/* STL, binary and text. */
#include "support/mesh_text.h"

/* A binary file of the unit cube that says it has `count` triangles. */
static mesh_bytes binary_cube(const char *header, uint32_t count) {
    mesh_bytes file = {.size = 0};
    char start[80] = "";
    memcpy(start, header, strlen(header));
    put_bytes(&file, start, sizeof start);
    put_number(&file, count, 4, false);
    for (int t = 0; t < 12; t++) {
        for (int i = 0; i < 3; i++) {
            put_float(&file, 7.0f, false); /* a wrong normal, which is ignored */
        }
        for (int i = 0; i < 9; i++) {
            put_float(&file, (float)cube_coordinate(cube_triangle(t, i / 3), i % 3), false);
        }
        put_number(&file, 0xabcd, 2, false);
    }
    return file;
}

static void put_solid(mesh_bytes *file, const char *name, double x) {
    put_text(file, "solid %s\n", name);
    for (int t = 0; t < 12; t++) {
        put_text(file, "  facet normal 0 0 0\n    outer loop\n");
        for (int i = 0; i < 3; i++) {
            int corner = cube_triangle(t, i);
            put_text(file, "      vertex %.6e %g %g\n", x + cube_coordinate(corner, 0), cube_coordinate(corner, 1),
                     cube_coordinate(corner, 2));
        }
        put_text(file, "    endloop\n  endfacet\n");
    }
    put_text(file, "endsolid %s\n", name);
}

static void test_binary(void **state) {
    (void)state;
    /* The size decides the kind of a file, whatever its first bytes are. */
    static const char *const headers[] = {"", "made by a printer", "solid made by a printer", "solid cube\nfacet normal 0 0 1\nouter loop"};
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++) {
        mesh_bytes file = binary_cube(headers[i], 12);
        abut_mesh_pieces *pieces = load_mesh(write_buffer("binary.stl", &file), NULL, 1);
        assert_cube(&pieces->pieces[0], "piece_1", 0);
        abut_mesh_destroy(pieces);
    }
}

static void test_binary_of_a_wrong_size(void **state) {
    (void)state;
    mesh_bytes file = binary_cube("printer", 12);
    file.size--;
    assert_mesh_refused(write_buffer("short.stl", &file), NULL, ABUT_ERROR_FORMAT,
                        ": a binary STL file of 12 triangles has 684 bytes, but this file has 683");
    file = binary_cube("printer", 4000000000u);
    assert_mesh_refused(write_buffer("count.stl", &file), NULL, ABUT_ERROR_FORMAT,
                        ": a binary STL file of 4000000000 triangles has 200000000084 bytes, but this file has 684");
    file = binary_cube("solid printer", 11);
    assert_mesh_refused(write_buffer("long.stl", &file), NULL, ABUT_ERROR_FORMAT,
                        ": a binary STL file of 11 triangles has 634 bytes, but this file has 684");
    file.size = 83;
    assert_mesh_refused(write_buffer("header.stl", &file), NULL, ABUT_ERROR_FORMAT, ": this is not an STL file");
    file = binary_cube("printer", 0);
    file.size = 84;
    assert_mesh_refused(write_buffer("none.stl", &file), NULL, ABUT_ERROR_FORMAT, ": the file has no vertices");
}

static void test_binary_with_a_vertex_that_is_no_number(void **state) {
    (void)state;
    mesh_bytes file = binary_cube("", 12);
    mesh_bytes nan = {.size = 0};
    put_float(&nan, NAN, false);
    memcpy(file.bytes + 84 + 50 * 7 + 12 + 16, nan.bytes, 4);
    assert_mesh_refused(write_buffer("nan.stl", &file), NULL, ABUT_ERROR_FORMAT, ": triangle 7 has a vertex that is not finite");
}

static void test_text(void **state) {
    (void)state;
    mesh_bytes file = {.size = 0};
    put_text(&file, "\n");
    put_solid(&file, "one cube", 0);
    put_solid(&file, "", 4);
    abut_mesh_pieces *pieces = load_mesh(write_buffer("text.stl", &file), NULL, 2);
    assert_cube(&pieces->pieces[0], "one cube", 0);
    assert_cube(&pieces->pieces[1], "piece_2", 4);
    abut_mesh_destroy(pieces);
}

/* The same in capitals, with other line ends and no line ends. */
static void test_text_in_other_layouts(void **state) {
    (void)state;
    for (int layout = 0; layout < 3; layout++) {
        mesh_bytes plain = {.size = 0}, file = {.size = 0};
        put_solid(&plain, "", 0);
        for (size_t i = 0; i < plain.size; i++) {
            char c = plain.bytes[i];
            if (c == '\n' && layout == 0) {
                put_text(&file, "\r\n");
            } else if (c == '\n' && layout == 1 && i > 10) {
                put_text(&file, "\t");
            } else if (layout == 2 && c >= 'a' && c <= 'z') {
                put_text(&file, "%c", c - 'a' + 'A');
            } else {
                put_text(&file, "%c", c);
            }
        }
        abut_mesh_pieces *pieces = load_mesh(write_buffer("layout.stl", &file), NULL, 1);
        assert_cube(&pieces->pieces[0], "piece_1", 0);
        abut_mesh_destroy(pieces);
    }
}

static void test_text_refusals(void **state) {
    (void)state;
    static const struct {
        const char *text, *part;
    } cases[] = {{"", ": this is not an STL file"},
                 {"hello", ": this is not an STL file"},
                 {"solid", ":1: the file ends before 'endsolid'"},
                 {"solid x\n", ":2: the file ends before 'endsolid'"},
                 {"solid x\nendsolid x\n", ": the file has no vertices"},
                 {"solid x\nendsolid x\nrest", ":3: 'solid' is expected here"},
                 {"solid x\nfaced", ":2: 'facet' or 'endsolid' is expected here"},
                 {"solid x\nfacet norm", ":2: 'normal' is expected after 'facet'"},
                 {"solid x\nfacet normal 0 0\nouter loop", ":3: three numbers are expected here"},
                 {"solid x\nfacet normal 0 0 1\nvertex", ":3: 'outer loop' is expected here"},
                 {"solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0\nvertex", ":5: three numbers are expected here"},
                 {"solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 nan\n", ":4: the vertex is not finite"},
                 {"solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nendloop\n",
                  ":6: 'vertex' is expected here: a facet has three vertices"},
                 {"solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nvertex 1 1 0\n",
                  ":7: 'endloop' and 'endfacet' are expected here"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_mesh_refused(scratch_text("bad.stl", cases[i].text), NULL, ABUT_ERROR_FORMAT, cases[i].part);
    }
}

/* A text file that is truncated anywhere is refused. */
static void test_text_cut_off(void **state) {
    (void)state;
    mesh_bytes whole = {.size = 0};
    put_solid(&whole, "", 0);
    for (size_t size = 0; size + 10 < whole.size; size += 13) {
        abut_mesh_pieces *pieces = NULL;
        assert_status(abut_mesh_load(scratch_write("cut.stl", whole.bytes, size), NULL, &pieces, NULL), ABUT_ERROR_FORMAT);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_binary),
        cmocka_unit_test(test_binary_of_a_wrong_size),
        cmocka_unit_test(test_binary_with_a_vertex_that_is_no_number),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_text_in_other_layouts),
        cmocka_unit_test(test_text_refusals),
        cmocka_unit_test(test_text_cut_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
