/* Medit's .mesh files of text. */
#include "support/tet_text.h"

#define HEAD "MeshVersionFormatted 2\nDimension 3\n"
#define VERTICES "Vertices\n6\n0 0 0 0\n0.33333333333333331 0 0 1\n9 9 9 0\n0 1 0 0\n0 0 1 0\n-0.25 -1e-3 -7e5 0\n"
#define TETRAHEDRA "Tetrahedra 2\n1 2 4 5 7\n1 2 4 6 -8\n"

static const int64_t tags[] = {1, 2, 3, 4, 5, 6}, elements[] = {1, 2};
static const int32_t regions[] = {7, -8};

/* Sections that are skipped, comments, words in another layout. */
static void test_layouts(void **state) {
    (void)state;
    assert_pair(scratch_text("pair.mesh", HEAD VERTICES TETRAHEDRA "End\n"), tags, elements, regions, 0);
    assert_pair(scratch_text("pair.MESH", HEAD VERTICES TETRAHEDRA), tags, elements, regions, 0);
    assert_pair(scratch_text("pair.mesh", "# made by hand\r\nmeshversionformatted\r\n1 # one\r\n\r\nDimension\r\n3\r\n# Vertices 7\r\n"
                                          "Vertices # there are\r\n6\r\n0 0 0 0 0.33333333333333331 0 0 1 9 9 9 0#\r\n0 1 0 0\r\n"
                                          "0 0 1 0 -0.25 -1e-3 -7e5 0\r\nCorners 2\r\n1 2\r\nEdges\r\n1\r\n1 2 0\r\nTriangles 2\r\n"
                                          "1 2 3 9\r\n3 2 1 9\r\nRidges 1 1\r\nNormals 1\r\n0.5 -1e-3 +2\r\n" TETRAHEDRA
                                          "RequiredVertices\r\n0\r\nEnd\r\nwords after the end"),
                tags, elements, regions, 3);
}

/* Two sections of tetrahedra, the second with middle nodes; without references there are no parts. */
static void test_curved(void **state) {
    (void)state;
    assert_pair(scratch_text("pair.mesh", HEAD VERTICES "Tetrahedra 1\n1 2 4 5 0\nTetrahedraP2 1\n1 2 4 6 3 3 3 3 3 3 0\nEnd"), tags,
                elements, NULL, 0);
}

static void test_cut_off(void **state) {
    (void)state;
    mesh_bytes file = {.size = 0};
    put_text(&file, HEAD "Triangles 1\n1 2 3 0\n" VERTICES TETRAHEDRA);
    assert_cut_refused("cut.mesh", &file, 3); /* complete without the new line; -8 may lose its 8, but not its sign */
}

static void test_refusals(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", ":1:1: this is not a Medit file of text: it does not begin with 'MeshVersionFormatted'"},
        {"MFEM mesh v1.0\n", ":1:1: this is not a Medit file of text"},
        {"MeshVersionFormatted\n", ":2:1: the file ends where a whole number is expected"},
        {"MeshVersionFormatted 5\n", ":1:22: version 5 of the format is not supported; use 1 to 4"},
        {"MeshVersionFormatted 2\nDimension 2\n", ":2:11: the dimension is 2; 3 is needed"},
        {"MeshVersionFormatted 2\n" VERTICES, ":2:1: 'Dimension 3' must come before the vertices"},
        {HEAD "Vertices -1\n", ":3:10: a count of -1 vertices"},
        {HEAD "Vertices 9223372036854775807\n",
         ":3:10: a count of 9223372036854775807 vertices is more than the rest of the file can hold"},
        {HEAD "Vertices 9223372036854775808\n", ":3:10: a whole number does not fit into 64 bits"},
        {HEAD "Vertices 1\n0 inf 0 0\n", ":4:7: vertex 1 is not finite"},
        {HEAD "Vertices 1\n0 0x 0 0\n", ":4:3: a number is expected here"},
        {HEAD "Vertices 1\n0 0 0 0.5\n", ":4:7: a whole number is expected here"},
        {HEAD VERTICES "Vertices 0\n", ":11:1: a second section of vertices"},
        {HEAD "Tetrahedra 1\n1 2 3 4 0\n", ":3:1: the vertices must come before the tetrahedra"},
        {HEAD VERTICES "Tetrahedra 1\n1 2 3 7 0\n", ":12:7: tetrahedron 1 refers to node 7, which does not exist"},
        {HEAD VERTICES "Tetrahedra 1\n0 2 3 4 0\n", ":12:1: tetrahedron 1 refers to node 0, which does not exist"},
        {HEAD VERTICES "Tetrahedra 1\n1 -2 3 4 0\n", ":12:3: tetrahedron 1 refers to node -2, which does not exist"},
        {HEAD VERTICES "Tetrahedra 1\n1 2 3 4\nEnd\n", ":13:1: a whole number is expected here"},
        {HEAD VERTICES "Tetrahedra 1000000000\n1 2 3 4 0\n", ":11:12: a count of 1000000000 tetrahedra is more than the rest"},
        {HEAD VERTICES "Triangles 1000000000\n1 2 3 0\n", ":11:11: a count of 1000000000 cells is more than the rest"},
        {HEAD VERTICES "Triangles 1\n1 2 3 0\nHexaedra 2\n1 2 3 4 5 6 1 2 0\n1 2 3 4 5 6 1 2 0\nEnd\n",
         ": the file has 1 triangle and 2 hexahedra, but no tetrahedra"},
        {HEAD VERTICES "End\n" TETRAHEDRA, ": the file has no tetrahedra"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_tets_refused(scratch_text("bad.mesh", cases[i].text), cases[i].message);
    }
    static const char zero[] = HEAD VERTICES "\0" TETRAHEDRA;
    assert_tets_refused(scratch_write("bad.mesh", zero, sizeof zero - 1), ":11:1: a zero byte in a file of text");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_layouts),
        cmocka_unit_test(test_curved),
        cmocka_unit_test(test_cut_off),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
