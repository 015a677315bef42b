/* PLY, text and both binary orders. */
#include "support/mesh_text.h"

typedef enum ply_kind { TEXT, LITTLE, BIG } ply_kind;

static const char *const kind_names[] = {"ascii", "binary_little_endian", "binary_big_endian"};

static void put_real(mesh_bytes *file, ply_kind kind, bool wide, double value) {
    if (kind == TEXT) {
        put_text(file, "%.9g ", value);
    } else if (wide) {
        put_double(file, value, kind == BIG);
    } else {
        put_float(file, (float)value, kind == BIG);
    }
}

static void put_integer(mesh_bytes *file, ply_kind kind, size_t size, int64_t value) {
    if (kind == TEXT) {
        put_text(file, "%lld ", (long long)value);
    } else {
        put_number(file, (uint64_t)value, size, kind == BIG);
    }
}

/* The unit cube with other things in and between its elements. */
static mesh_bytes rich_cube(ply_kind kind, bool wide, const char *newline) {
    mesh_bytes file = {.size = 0};
    const char *real = wide ? "double" : "float";
    put_text(&file, "ply%sformat %s 1.0%scomment by hand%sobj_info none%s", newline, kind_names[kind], newline, newline, newline);
    put_text(&file, "element camera 2%sproperty list uchar short view%sproperty int8 id%s", newline, newline, newline);
    put_text(&file,
             "element vertex 8%sproperty uchar red%sproperty %s z%sproperty %s x%sproperty list uint8 float32 weights%sproperty %s y%s",
             newline, newline, real, newline, real, newline, newline, real, newline);
    put_text(&file,
             "element face 6%sproperty uint16 flags%sproperty list %s %s vertex_indices%selement edge 0%sproperty int a%send_header%s",
             newline, newline, wide ? "int" : "uchar", wide ? "ushort" : "int32", newline, newline, newline, newline);
    for (int camera = 0; camera < 2; camera++) {
        put_integer(&file, kind, 1, camera);
        for (int i = 0; i < camera; i++) {
            put_integer(&file, kind, 2, -300);
        }
        put_integer(&file, kind, 1, -1);
    }
    for (int v = 0; v < 8; v++) {
        put_integer(&file, kind, 1, 200);
        put_real(&file, kind, wide, cube_coordinate(v, 2));
        put_real(&file, kind, wide, cube_coordinate(v, 0));
        put_integer(&file, kind, 1, 2);
        put_real(&file, kind, false, 0.25);
        put_real(&file, kind, false, 0.75);
        put_real(&file, kind, wide, cube_coordinate(v, 1));
    }
    for (int f = 0; f < 6; f++) {
        put_integer(&file, kind, 2, 0xffff);
        put_integer(&file, kind, wide ? 4 : 1, 4);
        for (int i = 0; i < 4; i++) {
            put_integer(&file, kind, wide ? 2 : 4, cube_faces[f][i]);
        }
    }
    return file;
}

static void test_all_orders_and_types(void **state) {
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        for (int wide = 0; wide < 2; wide++) {
            mesh_bytes file = rich_cube((ply_kind)kind, wide, wide ? "\r\n" : "\n");
            abut_mesh_pieces *pieces = load_mesh(write_buffer("cube.ply", &file), NULL, 1);
            assert_cube(&pieces->pieces[0], "piece_1", 0);
            abut_mesh_destroy(pieces);
        }
    }
}

/* A file that is truncated anywhere is refused. */
static void test_cut_off(void **state) {
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        mesh_bytes whole = rich_cube((ply_kind)kind, false, "\n");
        size_t least = kind == TEXT ? 2 : 1; /* a text file may lack its last blank */
        for (size_t size = 0; size + least <= whole.size; size++) {
            abut_mesh_pieces *pieces = NULL;
            assert_status(abut_mesh_load(scratch_write("cut.ply", whole.bytes, size), NULL, &pieces, NULL), ABUT_ERROR_FORMAT);
        }
    }
}

static void test_full_precision(void **state) {
    (void)state;
    mesh_bytes file = {.size = 0};
    const double x = 1.0 / 3.0;
    put_text(&file,
             "ply\nformat binary_big_endian 1.0\nelement vertex 4\nproperty double x\nproperty double y\nproperty double z\nend_header\n");
    for (int v = 0; v < 4; v++) {
        put_double(&file, v == 1 ? x : 0.0, true);
        put_double(&file, v == 2 ? 1.0 : 0.0, true);
        put_double(&file, v == 3 ? 1.0 : 0.0, true);
    }
    abut_mesh_pieces *pieces = load_mesh(write_buffer("precise.ply", &file), NULL, 1);
    assert_true(pieces->pieces[0].filled); /* points alone give their hull */
    assert_true(abut_shape_bounds(pieces->pieces[0].shape, abut_pose_identity()).upper.x >= x);
    abut_polytope_view view;
    assert_ok(abut_shape_polytope(pieces->pieces[0].shape, &view));
    bool found = false;
    for (int32_t v = 0; v < view.vertex_count; v++) {
        found = found || view.vertices[v].x == x;
    }
    assert_true(found);
    abut_mesh_destroy(pieces);
}

#define START "ply\nformat ascii 1.0\n"
#define XYZ "property float x\nproperty float y\nproperty float z\n"
#define TETRA "element vertex 4\n" XYZ
#define FACES(n) "element face " n "\nproperty list uchar int vertex_indices\n"
#define END "end_header\n"
#define POINTS "0 0 0\n1 0 0\n0 1 0\n0 0 1\n"

static void test_refusals(void **state) {
    (void)state;
    static const struct {
        const char *text, *part;
    } cases[] = {
        {"", ": this is not a PLY file"},
        {"plx\n", ": this is not a PLY file"},
        {"ply", ": this is not a PLY file"},
        {"ply\n", ": the file ends before 'end_header'"},
        {START TETRA, ": the file ends before 'end_header'"}, /* some readers never end here */
        {"ply\nelement vertex 0\n" XYZ END, ":6: the header has no format"},
        {"ply\nformat binary 1.0\n", ":2: unknown format"},
        {"ply\nformat\n", ":2: unknown format"},
        {START "colour red\n", ":3: unknown keyword in the header"},
        {START "property float x\n", ":3: a property precedes the first element"},
        {START "element vertex\n", ":3: an element needs a name and a count"},
        {START "element vertex -4\n", ":3: an element needs a name and a count"},
        {START "element vertex four\n", ":3: an element needs a name and a count"},
        {START "element vertex 4\nproperty float\n", ":4: a property needs a type and a name"},
        {START "element vertex 4\nproperty list int x\n", ":4: a property needs a type and a name"},
        {START "element vertex 4\nproperty quad x\n", ":4: a property of unknown type"},
        {START "element vertex 4\nproperty list quad int x\n", ":4: a property of unknown type"},
        {START "element vertex 4\nproperty float x\nproperty float y\n" END POINTS, ": element vertex has no properties x, y and z"},
        {START TETRA "element face 1\nproperty int a\n" END POINTS "1\n", ": element face has no list vertex_indices"},
        {START TETRA "element tristrips 1\nproperty list int int vertex_indices\n" END, ":7: triangle strips are not supported"},
        {START "element vertex 4000000000\n" XYZ END POINTS,
         ": element vertex has a count of 4000000000, which is more than the rest of the file can hold"},
        {START "element vertex 99999999999999999999999\n" XYZ END POINTS,
         ": element vertex has a count of 18446744073709551615, which is more"},
        {START "element vertex 5\n" XYZ END POINTS, ": vertex 4 is truncated or not a number"},
        {START TETRA END "0 0 0\n1 0 x\n0 1 0\n0 0 1\n", ": vertex 1 is truncated or not a number"},
        {START TETRA END "0 0 0\n1 0 0,0 1 0\n0 0 1\n", ": vertex 1 is truncated or not a number"},
        {START TETRA END "0 0 0\nnan 0 0\n0 1 0\n0 0 1\n", ": vertex 1 is not finite"},
        {START TETRA FACES("1") END POINTS "2 0 1\n", ": face 0 has fewer than three corners"},
        {START TETRA FACES("2") END POINTS "3 0 1 2\n3 0 1 4\n", ": face 1 has vertex index 4, but the file has 4 vertices"},
        {START TETRA FACES("1") END POINTS "3 0 1 -2\n", ": face 0 has a vertex index out of range"},
        {START TETRA FACES("1") END POINTS "3 0 1 2147483648\n", ": face 0 has a vertex index out of range"},
        {START TETRA FACES("1") END POINTS "3 0 1 1.5\n", ": face 0 has a vertex index out of range"},
        {START TETRA FACES("1") END POINTS "3 0 1 nan\n", ": face 0 has a vertex index out of range"},
        {START TETRA FACES("1") END POINTS "1000000 0 1 2\n", ": face 0 has a list longer than the file"},
        {START TETRA FACES("1") END POINTS "-3 0 1 2\n", ": face 0 has a list longer than the file"},
        {START TETRA FACES("1") END POINTS "4 0 1 2", ": face 0 is truncated or not a number"},
        {START "element vertex 0\n" XYZ END, ": the file has no vertices"},
        {START END, ": the file has no vertices"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_mesh_refused(scratch_text("bad.ply", cases[i].text), NULL, ABUT_ERROR_FORMAT, cases[i].part);
    }
}

/* An element without bytes may have any count. */
static void test_an_element_without_properties(void **state) {
    (void)state;
    const char *path = scratch_text("nothing.ply", START "element nothing 99999999999\n" TETRA END POINTS);
    abut_mesh_destroy(load_mesh(path, NULL, 1));
}

static void test_too_many_elements_and_properties(void **state) {
    (void)state;
    mesh_bytes file = {.size = 0};
    put_text(&file, START);
    for (int i = 0; i < 33; i++) {
        put_text(&file, "element e%d 0\n", i);
    }
    assert_mesh_refused(write_buffer("elements.ply", &file), NULL, ABUT_ERROR_FORMAT, ":35: the file has more than 32 elements");
    file.size = 0;
    put_text(&file, START "element e 0\n");
    for (int i = 0; i < 65; i++) {
        put_text(&file, "property int p%d\n", i);
    }
    assert_mesh_refused(write_buffer("properties.ply", &file), NULL, ABUT_ERROR_FORMAT, ":68: an element has more than 64 properties");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_orders_and_types),
        cmocka_unit_test(test_cut_off),
        cmocka_unit_test(test_full_precision),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_an_element_without_properties),
        cmocka_unit_test(test_too_many_elements_and_properties),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
