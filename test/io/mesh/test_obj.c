/* Wavefront OBJ files as programs write them. */
#include "support/mesh_text.h"

/* Vertices and faces of the unit cube moved along x; face corners by `format` from indices counted from the end. */
static void put_cube(mesh_bytes *file, double x, const char *corner) {
    for (int v = 0; v < 8; v++) {
        put_text(file, "v %.17g %g %g\n", x + cube_coordinate(v, 0), cube_coordinate(v, 1), cube_coordinate(v, 2));
    }
    for (int f = 0; f < 6; f++) {
        put_text(file, "f");
        for (int i = 0; i < 4; i++) {
            put_text(file, " %d%s", cube_faces[f][i] - 8, corner);
        }
        put_text(file, "\n");
    }
}

static void test_corners_in_every_form(void **state) {
    (void)state;
    static const char *const forms[] = {"", "/1", "//2", "/1/2", "/-1/-1", "/"};
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        mesh_bytes file = {.size = 0};
        put_cube(&file, 0, forms[i]);
        abut_mesh_pieces *pieces = load_mesh(write_buffer("forms.obj", &file), NULL, 1);
        assert_cube(&pieces->pieces[0], "piece_1", 0);
        assert_false(pieces->pieces[0].filled);
        abut_mesh_destroy(pieces);
    }
}

/* Comments, texture coordinates, normals, materials, lines, a weight, colours, tabs, CRLF, continued lines, vertices behind the faces. */
static void test_what_is_passed_over(void **state) {
    (void)state;
    const char *path = scratch_text(
        "rich.obj", "# made by hand\r\nmtllib x.mtl\r\n\r\nvt 0 0\r\nvn 0 0 1\r\nvp 1\r\ns off\r\nusemtl red\r\n"
                    "f 1 3\\\r\n 2 # bottom\r\nf\t1/1/1\t2/1/1 \t4/1/1\r\n  f 1 \\\n 4 \\\n 3\nf 2 3 4\nl 1 2 3\np 1\nvorpal 1 2\n"
                    "v 0 0 0 1.0\r\nv 1 0 0 0.5 0.5 0.5\r\nv\t0\t1e0 0\r\nv +0 -0 .5e1");
    abut_mesh_pieces *pieces = load_mesh(path, NULL, 1);
    assert_piece(&pieces->pieces[0], "piece_1", 5.0 / 6.0, abut_vec3_make(0, 0, 0), abut_vec3_make(1, 1, 5), 4);
    abut_mesh_destroy(pieces);
}

static void test_groups_are_pieces(void **state) {
    (void)state;
    mesh_bytes file = {.size = 0};
    static const char *const lines[] = {"o first", "g inner  part ", "o second", "g", "o first"};
    for (int i = 0; i < 5; i++) {
        put_text(&file, "%s\n", lines[i]);
        put_cube(&file, 10.0 * i, "");
    }
    put_text(&file, "g nothing in it\n");
    abut_mesh_pieces *pieces = load_mesh(write_buffer("groups.obj", &file), NULL, 5);
    static const char *const names[] = {"first", "first.inner  part", "second", "second.2", "first.2"};
    for (int i = 0; i < 5; i++) {
        assert_cube(&pieces->pieces[i], names[i], 10.0 * i);
    }
    abut_mesh_destroy(pieces);
}

/* Some writers return to an earlier group, or name a default group before each object's vertices. */
static void test_a_group_may_be_interrupted(void **state) {
    (void)state;
    mesh_bytes file = {.size = 0}, cube = {.size = 0};
    put_cube(&cube, 0, "");
    put_text(&cube, "%c", '\0');
    char *line = cube.bytes;
    for (int i = 0; i < 14; i++) {
        char *end = strchr(line, '\n');
        put_text(&file, "%s%.*s\n", i < 8 ? "g default\n" : i % 2 ? "g a\n" : "g b\ng a\n", (int)(end - line), line);
        line = end + 1;
    }
    abut_mesh_pieces *pieces = load_mesh(write_buffer("torn.obj", &file), NULL, 1);
    assert_cube(&pieces->pieces[0], "a", 0);
    abut_mesh_destroy(pieces);
}

static void test_vertices_alone_mean_their_hull(void **state) {
    (void)state;
    mesh_bytes file = {.size = 0};
    for (int i = 0; i < 2; i++) {
        put_text(&file, "o cloud%d\n", i);
        for (int v = 0; v < 8; v++) {
            put_text(&file, "v %g %g %g\n", 5.0 * i + cube_coordinate(v, 0), cube_coordinate(v, 1), cube_coordinate(v, 2));
        }
        put_text(&file, "v %g 0.5 0.5\n", 5.0 * i + 0.5);
    }
    abut_mesh_pieces *pieces = load_mesh(write_buffer("cloud.obj", &file), NULL, 2);
    assert_cube(&pieces->pieces[0], "cloud0", 0);
    assert_cube(&pieces->pieces[1], "cloud1", 5);
    assert_true(pieces->pieces[0].filled);
    abut_mesh_destroy(pieces);
}

/* Coordinates keep all bits, so neighbours keep their common faces. */
static void test_full_precision(void **state) {
    (void)state;
    mesh_bytes file = {.size = 0};
    const double x = 0.1234567890123456789, y = 1e6 + 1.0 / 3.0;
    put_text(&file, "v %.17g 0 0\nv 1 %.17g 0\nv 0 1 1e-3\nv 0 0 1\nf 1 2 4\nf 2 3 4\nf 3 1 4\nf 1 3 2\n", x, y);
    abut_mesh_options options = abut_mesh_options_default();
    options.hull = true; /* independent of its winding */
    abut_mesh_pieces *pieces = load_mesh(write_buffer("precise.obj", &file), &options, 1);
    abut_polytope_view view;
    assert_ok(abut_shape_polytope(pieces->pieces[0].shape, &view));
    int found = 0;
    for (int32_t v = 0; v < view.vertex_count; v++) {
        found += view.vertices[v].x == x || view.vertices[v].y == y;
    }
    assert_int_equal(found, 2);
    abut_mesh_destroy(pieces);
}

static void test_refusals(void **state) {
    (void)state;
    static const struct {
        const char *text, *part;
    } cases[] = {{"", ": the file has no vertices"},
                 {"# nothing\n", ": the file has no vertices"},
                 {"\x7f\x45LF\x02\x01", ": the file has no vertices"},
                 {"v 0 0\n", ":1: a vertex needs three numbers"},
                 {"\nv\n", ":2: a vertex needs three numbers"},
                 {"v 0 0 x\n", ":1: a vertex needs three numbers"},
                 {"v 0 0 0\nv nan 0 0\n", ":2: the vertex is not finite"},
                 {"v 0 0 -inf\n", ":1: the vertex is not finite"},
                 {"v 0 0 1e999\n", ":1: the vertex is not finite"},
                 {"v 0 0 0\nf 1 1\n", ":2: a face needs three corners or more"},
                 {"v 0 0 0\nf\n", ":2: a face needs three corners or more"},
                 {"v 0 0 0\nf 1 1 2\nv 0 0 0\nf 1 3 1\nf 1 1 4\n", ":5: vertex index 4 is out of range; the file has 2 vertices"},
                 {"v 0 0 0\nf 1 1 0\n", ":2: vertex index 0 does not exist; the first vertex is 1"},
                 {"v 0 0 0\nf 1 1 -2\n", ":2: a vertex index is out of range"},
                 {"v 0 0 0\nf 1 1 99999999999999999999\n", ":2: a vertex index is out of range"},
                 {"v 0 0 0\nf 1 1 -99999999999999999999\n", ":2: a vertex index is out of range"},
                 {"v 0 0 0\nf 1 1 2147483648\n", ":2: a vertex index is out of range"},
                 {"v 0 0 0\nf 1 1 1.5\n", ":2: a face's corner is not a number"},
                 {"v 0 0 0\n\\\n\nf a b c\n", ":4: a face's corner is not a number"},
                 {"v 0 0 0\nf 1 1 1\n", ": no face has three different corners"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_mesh_refused(scratch_text("bad.obj", cases[i].text), NULL, ABUT_ERROR_FORMAT, cases[i].part);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_corners_in_every_form),
        cmocka_unit_test(test_what_is_passed_over),
        cmocka_unit_test(test_groups_are_pieces),
        cmocka_unit_test(test_a_group_may_be_interrupted),
        cmocka_unit_test(test_vertices_alone_mean_their_hull),
        cmocka_unit_test(test_full_precision),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
