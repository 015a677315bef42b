/* Triangle meshes from mesh files: all formats, mirroring scales, groups, fans, refusals, a file of a million triangles. */
#include "support/mesh_text.h"
#include "io/mesh/trimesh_file.h"
#include "support/allocator.h"

static abut_shape *load(const char *path, const abut_trimesh_options *options, abut_trimesh_report *report) {
    abut_shape *shape = NULL;
    abut_error error = {ABUT_OK, ""};
    if (abut_trimesh_load(path, options, report, &shape, &error) != ABUT_OK) {
        fail_msg("%s", error.message);
    }
    assert_int_equal(abut_shape_kind(shape), ABUT_SHAPE_TRIMESH);
    return shape;
}

/* The message is the path and then `part`, right behind it; outputs are untouched. */
static void assert_refused(const char *path, const abut_trimesh_options *options, abut_status expected, const char *part) {
    abut_shape *shape = NULL;
    abut_trimesh_report report = {.culprit = -7};
    abut_error error = {ABUT_OK, ""};
    abut_status status = abut_trimesh_load(path, options, &report, &shape, &error);
    if (status != expected) {
        fail_msg("%s instead of %s: %s", abut_status_name(status), abut_status_name(expected), error.message);
    }
    assert_null(shape);
    assert_int_equal(report.culprit, -7);
    assert_int_equal(error.status, expected);
    if (strncmp(error.message, path, strlen(path)) != 0 || strncmp(error.message + strlen(path), part, strlen(part)) != 0) {
        fail_msg("'%s' is not behind the path in '%s'", part, error.message);
    }
}

static void assert_bounds(const abut_shape *shape, abut_vec3 lower, abut_vec3 upper) {
    abut_aabb bounds = abut_shape_bounds(shape, abut_pose_identity());
    double size = abut_distance_between(lower, upper);
    assert_vec3_near(bounds.lower, lower, 1e-12 * size);
    assert_vec3_near(bounds.upper, upper, 1e-12 * size);
}

/* The unit cube, closed and outward, of 12 triangles. */
static void assert_unit_cube(const char *path, int32_t vertices) {
    abut_trimesh_report report;
    abut_shape *shape = load(path, NULL, &report);
    assert_int_equal(abut_shape_triangle_count(shape), 12);
    assert_int_equal(abut_shape_vertex_count(shape), vertices);
    assert_true(report.closed);
    assert_int_equal(report.open_edge_count, 0);
    assert_int_equal(report.repeated_count, vertices - 8);
    assert_bounds(shape, abut_vec3_make(0, 0, 0), abut_vec3_make(1, 1, 1));
    abut_mass mass;
    assert_ok(abut_shape_mass(shape, 1.0, &mass));
    assert_near(mass.volume, 1.0, 1e-12);
    abut_shape_release(shape);
}

/* ---- every format ---- */

static void put_corners(mesh_bytes *file) {
    for (int v = 0; v < 8; v++) {
        put_text(file, "v %g %g %g\n", cube_coordinate(v, 0), cube_coordinate(v, 1), cube_coordinate(v, 2));
    }
}

/* Six faces of the unit cube; the corners counted from the last one. */
static void put_obj_cube(mesh_bytes *file) {
    put_corners(file);
    for (int f = 0; f < 6; f++) {
        const int *c = cube_faces[f];
        put_text(file, "f %d %d %d %d\n", c[0] - 8, c[1] - 8, c[2] - 8, c[3] - 8);
    }
}

static const char *write_obj_cube(const char *name) {
    mesh_bytes file = {.size = 0};
    put_obj_cube(&file);
    return write_buffer(name, &file);
}

static const char *write_stl_cube(void) {
    mesh_bytes file = {.size = 0};
    put_text(&file, "solid cube\n");
    for (int t = 0; t < 12; t++) {
        put_text(&file, "facet normal 0 0 0\nouter loop\n");
        for (int i = 0; i < 3; i++) {
            int c = cube_triangle(t, i);
            put_text(&file, "vertex %g %g %g\n", cube_coordinate(c, 0), cube_coordinate(c, 1), cube_coordinate(c, 2));
        }
        put_text(&file, "endloop\nendfacet\n");
    }
    put_text(&file, "endsolid cube\n");
    return write_buffer("cube.stl", &file);
}

static const char *write_ply_cube(void) {
    mesh_bytes file = {.size = 0};
    put_text(&file, "ply\nformat ascii 1.0\nelement vertex 8\nproperty float x\nproperty float y\nproperty float z\n"
                    "element face 6\nproperty list uchar int vertex_indices\nend_header\n");
    for (int v = 0; v < 8; v++) {
        put_text(&file, "%g %g %g\n", cube_coordinate(v, 0), cube_coordinate(v, 1), cube_coordinate(v, 2));
    }
    for (int f = 0; f < 6; f++) {
        put_text(&file, "4 %d %d %d %d\n", cube_faces[f][0], cube_faces[f][1], cube_faces[f][2], cube_faces[f][3]);
    }
    return write_buffer("cube.ply", &file);
}

/* Positions and indices lie in a file beside it. */
static const char *write_gltf_cube(void) {
    mesh_bytes data = {.size = 0};
    for (int v = 0; v < 8; v++) {
        for (int axis = 0; axis < 3; axis++) {
            put_float(&data, (float)cube_coordinate(v, axis), false);
        }
    }
    for (int c = 0; c < 36; c++) {
        put_number(&data, (uint64_t)cube_triangle(c / 3, c % 3), 2, false);
    }
    write_buffer("cube.bin", &data);
    return scratch_text("cube.gltf",
                        "{\"asset\": {\"version\": \"2.0\"}, \"scene\": 0, \"scenes\": [{\"nodes\": [0]}], \"nodes\": [{\"mesh\": 0}],\n"
                        "\"meshes\": [{\"primitives\": [{\"attributes\": {\"POSITION\": 0}, \"indices\": 1}]}],\n"
                        "\"buffers\": [{\"uri\": \"cube.bin\", \"byteLength\": 168}],\n"
                        "\"bufferViews\": [{\"buffer\": 0, \"byteLength\": 96}, {\"buffer\": 0, \"byteOffset\": 96, \"byteLength\": 72}],\n"
                        "\"accessors\": [{\"bufferView\": 0, \"componentType\": 5126, \"count\": 8, \"type\": \"VEC3\"},\n"
                        "{\"bufferView\": 1, \"componentType\": 5123, \"count\": 36, \"type\": \"SCALAR\"}]}\n");
}

static void test_a_cube_of_every_format(void **state) {
    (void)state;
    assert_unit_cube(write_obj_cube("cube.obj"), 8);
    assert_unit_cube(write_stl_cube(), 36);
    assert_unit_cube(write_ply_cube(), 8);
    assert_unit_cube(write_gltf_cube(), 8);
}

/* ---- options ---- */

/* A mirroring scale reverses the winding, so the volume stays positive. */
static void test_mirrored_scale(void **state) {
    (void)state;
    const char *path = write_obj_cube("mirrored.obj");
    abut_trimesh_options options = abut_trimesh_options_default();
    options.scale = abut_vec3_make(-2, 3, 0.5);
    options.two_sided = true;
    abut_trimesh_report report;
    abut_shape *shape = load(path, &options, &report);
    assert_bounds(shape, abut_vec3_make(-2, 0, 0), abut_vec3_make(0, 3, 0.5));
    abut_mass mass;
    assert_ok(abut_shape_mass(shape, 1.0, &mass));
    assert_near(mass.volume, 3.0, 1e-12);
    assert_true(report.closed);
    abut_shape_release(shape);
}

static void test_groups(void **state) {
    (void)state;
    mesh_bytes file = {.size = 0};
    put_text(&file, "o floor\nv 0 0 9\nv 4 0 9\nv 0 4 9\nf -3 -2 -1\no cube\n");
    put_obj_cube(&file);
    put_text(&file, "o floor\nv 4 4 9\nv 0 8 9\nv 8 0 9\nf -3 -2 -1\no empty\nv 7 7 7\n");
    const char *path = write_buffer("groups.obj", &file);
    abut_shape *shape = load(path, NULL, NULL);
    assert_int_equal(abut_shape_triangle_count(shape), 14);
    assert_int_equal(abut_shape_vertex_count(shape), 14);
    abut_shape_release(shape);

    /* Both groups of that name, and no vertex of others. */
    abut_trimesh_options options = abut_trimesh_options_default();
    options.piece = "floor";
    abut_trimesh_report report;
    shape = load(path, &options, &report);
    assert_int_equal(abut_shape_triangle_count(shape), 2);
    assert_int_equal(abut_shape_vertex_count(shape), 6);
    assert_int_equal(report.open_edge_count, 6);
    assert_false(report.closed);
    assert_bounds(shape, abut_vec3_make(0, 0, 9), abut_vec3_make(8, 8, 9));
    abut_shape_release(shape);

    options.piece = "cub";
    assert_refused(path, &options, ABUT_ERROR_FORMAT, ": no group with faces is named 'cub'; did you mean 'cube'?");
    options.piece = "empty";
    assert_refused(path, &options, ABUT_ERROR_FORMAT, ": no group with faces is named 'empty'");
}

/* A polygon of n corners is a fan about its first. */
static void test_fans(void **state) {
    (void)state;
    const char *path = scratch_text("fan.obj", "v 5 5 5\nv 0 0 0\nv 2 0 0\nv 3 1 0\nv 2 2 0\nv 0 2 0\nf 2 3 4 5 6\nf 2 3 4\n");
    abut_shape *shape = load(path, NULL, NULL);
    static const int32_t expected[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 1, 2}};
    assert_int_equal(abut_shape_triangle_count(shape), 4);
    assert_int_equal(abut_shape_vertex_count(shape), 5);
    for (int t = 0; t < 4; t++) {
        abut_triangle triangle;
        assert_ok(abut_shape_triangle(shape, t, &triangle));
        assert_memory_equal(triangle.vertex, expected[t], sizeof expected[t]);
    }
    abut_triangle last;
    assert_ok(abut_shape_triangle(shape, 2, &last));
    assert_vec3_near(last.corner[1], abut_vec3_make(2, 2, 0), 0.0);
    abut_shape_release(shape);
}

/* ---- refusals ---- */

static void test_files_that_are_refused(void **state) {
    (void)state;
    assert_refused(scratch_path("missing.obj"), NULL, ABUT_ERROR_FILE, ": cannot be read: No such file or directory");
    assert_refused(scratch_text("x.objx", "v 0 0 0\n"), NULL, ABUT_ERROR_FORMAT, ": unknown kind of mesh file; use .obj, .stl");
    assert_refused(scratch_text("none.obj", ""), NULL, ABUT_ERROR_FORMAT, ": the file has no vertices");
    assert_refused(scratch_text("points.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n"), NULL, ABUT_ERROR_FORMAT,
                   ": the file has no faces; a triangle mesh needs at least one");
    assert_refused(scratch_text("index.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n"), NULL, ABUT_ERROR_FORMAT, ":4: ");
    assert_refused(scratch_text("infinite.obj", "v 0 0 0\nv 1 0 inf\nv 0 1 0\nf 1 2 3\n"), NULL, ABUT_ERROR_FORMAT, ":2: ");
    assert_refused(scratch_text("two.obj", "v 0 0 0\nv 1 0 0\nf 1 2 1\n"), NULL, ABUT_ERROR_FORMAT,
                   ": no face has three different corners");
    assert_refused(scratch_text("one.obj", "v 1 2 3\nv 1 2 3\nv 1 2 3\nf 1 2 3\n"), NULL, ABUT_ERROR_DEGENERATE,
                   ": all vertices are at one point");
    assert_refused(scratch_text("huge.obj", "v 0 0 0\nv 1e200 0 0\nv 0 1e200 0\nf 1 2 3\n"), NULL, ABUT_ERROR_FORMAT,
                   ": its sizes are outside the range of double precision; change its scale");
}

static void test_arguments(void **state) {
    (void)state;
    abut_trimesh_options options = abut_trimesh_options_default();
    const char *path = write_obj_cube("arguments.obj");
    static const double bad[] = {0, NAN, INFINITY};
    for (int i = 0; i < 9; i++) {
        double scale[3] = {1, 1, 1};
        scale[i / 3] = bad[i % 3];
        options.scale = abut_vec3_make(scale[0], scale[1], scale[2]);
        assert_refused(path, &options, ABUT_ERROR_INVALID_ARGUMENT, ": every component of scale must be a finite number other than 0");
    }
    const char *far = scratch_text("far.obj", "v 0 0 0\nv 10 0 0\nv 0 10 0\nf 1 2 3\n");
    options.scale = abut_vec3_make(1e308, 1, 1);
    assert_refused(far, &options, ABUT_ERROR_FORMAT, ": the vertex 10 0 0 scaled by 1e+308 1 1 is not finite");
    abut_shape *shape = NULL;
    assert_status(abut_trimesh_load(NULL, NULL, NULL, &shape, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_trimesh_load(path, NULL, NULL, NULL, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_trimesh_load("missing.obj", NULL, NULL, &shape, NULL), ABUT_ERROR_FILE);
    assert_null(shape);
}

/* Whichever allocation of the library fails, nothing leaks and nothing is written. */
static void test_no_memory(void **state) {
    (void)state;
    const char *path = write_obj_cube("memory.obj");
    counting_allocator memory = {.refuse_at = -1};
    int64_t refused = 0;
    do {
        memory = (counting_allocator){.refuse_at = refused++};
        counting_allocator_install(&memory);
        abut_shape *shape = NULL;
        abut_error error = {ABUT_OK, ""};
        abut_status status = abut_trimesh_load(path, NULL, NULL, &shape, &error);
        counting_allocator_remove();
        assert_int_equal(status, memory.refused ? ABUT_ERROR_OUT_OF_MEMORY : ABUT_OK);
        assert_true((shape == NULL) == memory.refused);
        assert_true(!memory.refused || strstr(error.message, "memory.obj: no memory for its contents") != NULL);
        abut_shape_release(shape);
        assert_int_equal(memory.live, 0);
    } while (memory.refused);
    assert_true(refused > 3);
}

/* ---- a larger one ---- */

enum { COLUMNS = 1000, ROWS = 500 };

static void test_a_million_triangles(void **state) {
    (void)state;
    const char *path = scratch_path("million.obj");
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    for (int y = 0; y <= ROWS; y++) {
        for (int x = 0; x <= COLUMNS; x++) {
            fprintf(file, "v %d %d %.3f\n", x, y, 0.001 * (x * y % 1009));
        }
    }
    for (int y = 0; y < ROWS; y++) {
        for (int x = 0; x < COLUMNS; x++) {
            int corner = y * (COLUMNS + 1) + x + 1;
            fprintf(file, "f %d %d %d %d\n", corner, corner + 1, corner + COLUMNS + 2, corner + COLUMNS + 1);
        }
    }
    assert_int_equal(fclose(file), 0);
    abut_trimesh_report report;
    abut_shape *shape = load(path, NULL, &report);
    assert_int_equal(abut_shape_triangle_count(shape), 2 * COLUMNS * ROWS);
    assert_int_equal(abut_shape_vertex_count(shape), (COLUMNS + 1) * (ROWS + 1));
    assert_int_equal(report.open_edge_count, 2 * (COLUMNS + ROWS));
    assert_int_equal(report.repeated_count, 0);
    assert_int_equal(report.degenerate_count, 0);
    assert_bounds(shape, abut_vec3_make(0, 0, 0), abut_vec3_make(COLUMNS, ROWS, 1.008));
    abut_shape_release(shape);
    remove(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_cube_of_every_format),
        cmocka_unit_test(test_mirrored_scale),
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_fans),
        cmocka_unit_test(test_files_that_are_refused),
        cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_a_million_triangles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
