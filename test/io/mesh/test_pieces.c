/* Convex pieces from mesh files: splitting, names, checks, hulls, scales and centroids. */
#include "support/mesh_text.h"
#include "support/random.h"

#include <locale.h>

/* The unit cube scaled and moved, as triangles that share no vertex index. */
static void put_loose_cube(mesh_bytes *file, abut_vec3 at, double size) {
    for (int t = 0; t < 12; t++) {
        for (int i = 0; i < 3; i++) {
            int corner = cube_triangle(t, i);
            put_text(file, "v %.17g %.17g %.17g\n", at.x + size * cube_coordinate(corner, 0), at.y + size * cube_coordinate(corner, 1),
                     at.z + size * cube_coordinate(corner, 2));
        }
        put_text(file, "f -3 -2 -1\n");
    }
}

static void test_connected_pieces(void **state) {
    (void)state;
    mesh_bytes file = {.size = 0};
    put_loose_cube(&file, abut_vec3_make(0, 0, 0), 1);
    put_loose_cube(&file, abut_vec3_make(1, 1, 1), 1); /* touches the first in a corner only */
    put_text(&file, "g x\n");
    put_loose_cube(&file, abut_vec3_make(4, 0, 0), 1);
    abut_mesh_pieces *pieces = load_mesh(write_buffer("three.obj", &file), NULL, 3);
    assert_cube(&pieces->pieces[0], "piece_1", 0);
    assert_piece(&pieces->pieces[1], "piece_2", 1, abut_vec3_make(1, 1, 1), abut_vec3_make(2, 2, 2), 6);
    assert_cube(&pieces->pieces[2], "x", 4);
    abut_mesh_destroy(pieces);
}

/* Neighbours that share a whole face need groups: without groups four faces meet at its edges. */
static void test_neighbours_that_share_a_face(void **state) {
    (void)state;
    mesh_bytes file = {.size = 0};
    put_text(&file, "g a\n");
    put_loose_cube(&file, abut_vec3_make(0, 0, 0), 1);
    put_text(&file, "g b\n");
    put_loose_cube(&file, abut_vec3_make(1, 0, 0), 1);
    abut_mesh_pieces *pieces = load_mesh(write_buffer("neighbours.obj", &file), NULL, 2);
    assert_cube(&pieces->pieces[0], "a", 0);
    assert_cube(&pieces->pieces[1], "b", 1);
    abut_mesh_destroy(pieces);
    file.size = 0;
    put_loose_cube(&file, abut_vec3_make(0, 0, 0), 1);
    put_loose_cube(&file, abut_vec3_make(1, 0, 0), 1);
    assert_mesh_refused(write_buffer("neighbours.obj", &file), NULL, ABUT_ERROR_NOT_CLOSED, ": piece 'piece_1': the surface is not closed");
}

/* 0 and -0 are the same position; no other numbers are. */
static void test_welding_by_position(void **state) {
    (void)state;
    const char *path = scratch_text(
        "zeros.obj", "v 0 0 0\nv -0.0 1 -0\nv 1 -0 0\nv 0 0 1\nv -0 -0 -0\nv 1 0 -0\nv -0 0 1\nf 1 2 3\nf 5 4 2\nf 2 7 6\nf 3 4 1\n");
    abut_mesh_pieces *pieces = load_mesh(path, NULL, 1);
    assert_piece(&pieces->pieces[0], "piece_1", 1.0 / 6.0, abut_vec3_make(0, 0, 0), abut_vec3_make(1, 1, 1), 4);
    abut_mesh_destroy(pieces);
    path = scratch_text("near.obj", "v 0 0 0\nv 0 1 0\nv 1 0 0\nv 0 0 1\nv 1e-300 0 0\nf 1 2 3\nf 5 4 2\nf 2 4 3\nf 3 4 1\n");
    assert_mesh_refused(path, NULL, ABUT_ERROR_NOT_CLOSED, ": piece 'piece_1': ");
}

static void assert_refusal_ends(const char *path, const abut_mesh_options *options, const char *end) {
    abut_mesh_pieces *pieces = NULL;
    abut_error error = {ABUT_OK, ""};
    assert_int_not_equal(abut_mesh_load(path, options, &pieces, &error), ABUT_OK);
    assert_true(strlen(error.message) > strlen(end));
    assert_string_equal(error.message + strlen(error.message) - strlen(end), end);
}

/* Messages advise only what their reader can ask for, in the reader's words. */
static void test_advice(void **state) {
    (void)state;
    const char *path = scratch_text("open.obj", "v 0 0 0\nv 0 1 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\nf 1 4 2\nf 2 4 3\n");
    abut_mesh_options options = abut_mesh_options_default();
    assert_refusal_ends(path, &options, "have opposite windings; repair it");
    options.tolerance_hint = "--smooth";
    assert_refusal_ends(path, &options, "have opposite windings; repair it");
    options.hull_hint = "--hull";
    assert_refusal_ends(path, &options, "; repair it, or take its hull, which fills it, with --hull");
    path = scratch_text("dented.obj", "v 0 0 0\nv 0 1 0\nv 1 0 0\nv 0 0 1\nv 0.2 0.2 0.2\n"
                                      "f 1 2 3\nf 1 4 2\nf 3 4 1\nf 2 5 3\nf 5 4 3\nf 2 4 5\n");
    assert_refusal_ends(path, &options,
                        " deep; split it into convex groups, allow the dent with --smooth, or take its hull, which fills it, with --hull");
    options.trimesh_hint = "trimesh:FILE";
    assert_refusal_ends(
        path, &options,
        " deep; split it into convex groups, allow the dent with --smooth, take its hull, which fills it, with --hull, or keep its surface "
        "with trimesh:FILE");
    options.trimesh_hint = NULL;
    options.hull_hint = NULL;
    assert_refusal_ends(path, &options, " deep; split it into convex groups, or allow the dent with --smooth");
    options.tolerance_hint = NULL;
    assert_refusal_ends(path, &options, " deep; split it into convex groups");
}

/* Vertices of 1e68 are finite, but their volume is not. The file is the cause, not the caller. */
static void test_sizes_beyond_arithmetic(void **state) {
    (void)state;
    const char *path = scratch_text("huge.obj", "v 0 0 0\nv 0 1e68 0\nv 1e68 0 0\nv 0 0 1e68\nf 1 2 3\nf 1 4 2\nf 2 4 3\nf 3 4 1\n");
    assert_mesh_refused(path, NULL, ABUT_ERROR_FORMAT, ": piece 'piece_1': its sizes are outside the range of double precision");
    path = scratch_text("huge.obj", "v 0 0 0\nv 0 1e68 0\nv 1e68 0 0\nv 0 0 1e68\n");
    assert_mesh_refused(path, NULL, ABUT_ERROR_FORMAT, ": piece 'piece_1': its sizes are outside the range of double precision");
}

static void test_unique_names(void **state) {
    (void)state;
    mesh_bytes file = {.size = 0};
    static const char *const groups[] = {"a.2", "a", "b", "piece_5"};
    for (int g = 0; g < 4; g++) {
        put_text(&file, "o %s\n", groups[g]);
        for (int i = 0; i < (g == 1 ? 2 : 1); i++) {
            put_text(&file, "v %d 0 0\nv %d 1 0\nv %d 0 0\nv %d 0 1\nf -4 -3 -2\nf -4 -1 -3\nf -3 -1 -2\nf -2 -1 -4\n", 10 * g + 3 * i,
                     10 * g + 3 * i, 10 * g + 3 * i + 1, 10 * g + 3 * i);
        }
    }
    abut_mesh_pieces *pieces = load_mesh(write_buffer("names.obj", &file), NULL, 5);
    static const char *const names[] = {"a.2", "a", "a.3", "b", "piece_5"};
    for (int i = 0; i < 5; i++) {
        assert_string_equal(pieces->pieces[i].name, names[i]);
    }
    abut_mesh_destroy(pieces);
}

static void test_picking_one_piece(void **state) {
    (void)state;
    mesh_bytes file = {.size = 0};
    put_text(&file, "o left\n");
    put_loose_cube(&file, abut_vec3_make(0, 0, 0), 1);
    put_text(&file, "o right\n");
    put_loose_cube(&file, abut_vec3_make(4, 0, 0), 1);
    const char *path = write_buffer("pick.obj", &file);
    abut_mesh_options options = abut_mesh_options_default();
    options.piece = "right";
    abut_mesh_pieces *pieces = load_mesh(path, &options, 1);
    assert_cube(&pieces->pieces[0], "right", 4);
    abut_mesh_destroy(pieces);
    options.whole = true;
    pieces = load_mesh(path, &options, 1);
    assert_cube(&pieces->pieces[0], "right", 4);
    abut_mesh_destroy(pieces);
    options.piece = "rihgt";
    assert_mesh_refused(path, &options, ABUT_ERROR_FORMAT, ": no piece is named 'rihgt'; the file has 2 pieces; did you mean 'right'?");
    options.piece = NULL;
    pieces = load_mesh(path, &options, 1);
    assert_piece(&pieces->pieces[0], "left", 5, abut_vec3_make(0, 0, 0), abut_vec3_make(5, 1, 1), 6);
    abut_mesh_destroy(pieces);
}

static void test_scale_and_centre(void **state) {
    (void)state;
    mesh_bytes file = {.size = 0};
    put_loose_cube(&file, abut_vec3_make(10, 20, 30), 2);
    const char *path = write_buffer("scale.obj", &file);
    abut_mesh_options options = abut_mesh_options_default();
    options.scale = 1e-3;
    options.centred = true;
    abut_mesh_pieces *pieces = load_mesh(path, &options, 1);
    assert_piece(&pieces->pieces[0], "piece_1", 8e-9, abut_vec3_make(-1e-3, -1e-3, -1e-3), abut_vec3_make(1e-3, 1e-3, 1e-3), 6);
    assert_vec3_near(pieces->pieces[0].offset, abut_vec3_make(0.011, 0.021, 0.031), 1e-16);
    abut_mesh_destroy(pieces);
    options.scale = 1e308;
    assert_mesh_refused(path, &options, ABUT_ERROR_FORMAT, ": vertex 0 scaled by 1e+308 is not finite");
}

/* The unit cube with the middle of its top pushed in by `dent`, all moved along x. */
static const char *write_dented(const char *name, double dent, double x) {
    mesh_bytes file = {.size = 0};
    for (int v = 0; v < 8; v++) {
        put_text(&file, "v %.17g %g %g\n", x + cube_coordinate(v, 0), cube_coordinate(v, 1), cube_coordinate(v, 2));
    }
    put_text(&file, "v %.17g 0.5 %.17g\n", x + 0.5, 1.0 - dent);
    for (int f = 0; f < 6; f++) {
        const int *c = cube_faces[f];
        if (f == 1) {
            for (int i = 0; i < 4; i++) {
                put_text(&file, "f %d %d 9\n", c[i] + 1, c[(i + 1) % 4] + 1);
            }
        } else {
            put_text(&file, "f %d %d %d %d\n", c[0] + 1, c[1] + 1, c[2] + 1, c[3] + 1);
        }
    }
    return write_buffer(name, &file);
}

static void test_dents(void **state) {
    (void)state;
    /* Dents of rounding are filled without a request. */
    abut_mesh_pieces *pieces = load_mesh(write_dented("dent.obj", 1e-7, 0), NULL, 1);
    assert_cube(&pieces->pieces[0], "piece_1", 0);
    assert_near(pieces->pieces[0].dent, 1e-7, 2e-7);
    abut_mesh_destroy(pieces);

    const char *path = write_dented("dent.obj", 5e-5, 0);
    assert_mesh_refused(path, NULL, ABUT_ERROR_NOT_CONVEX, ": piece 'piece_1': the surface is not convex: it has a dent 5e-05 deep; ");
    abut_mesh_options options = abut_mesh_options_default();
    options.tolerance = 2e-4;
    pieces = load_mesh(path, &options, 1);
    abut_mass mass;
    assert_ok(abut_shape_mass(pieces->pieces[0].shape, 1.0, &mass));
    assert_near(mass.volume, 1.0, 5e-5);
    abut_mesh_destroy(pieces);

    path = write_dented("dent.obj", 0.25, 0);
    assert_mesh_refused(path, &options, ABUT_ERROR_NOT_CONVEX, ": piece 'piece_1': the surface is not convex: it has a dent 0.25 deep");
    options.hull = true;
    pieces = load_mesh(path, &options, 1);
    assert_cube(&pieces->pieces[0], "piece_1", 0);
    assert_true(pieces->pieces[0].filled);
    assert_near(pieces->pieces[0].dent, 0.25, 1e-15);
    abut_mesh_destroy(pieces);
}

/* Far from the origin single precision rounds more: 2e-5 at 1000, of a cube of size 1. */
static void test_rounding_far_from_the_origin(void **state) {
    (void)state;
    const char *path = write_dented("far.obj", 2e-5, 1000);
    abut_mesh_pieces *pieces = load_mesh(path, NULL, 1);
    assert_piece(&pieces->pieces[0], "piece_1", 1, abut_vec3_make(1000, 0, 0), abut_vec3_make(1001, 1, 1), 6);
    abut_mesh_destroy(pieces);
    assert_mesh_refused(write_dented("far.obj", 2e-3, 1000), NULL, ABUT_ERROR_NOT_CONVEX, ": piece 'piece_1': ");
}

/* Cubes turned and rounded to single precision, as an STL or glTF file has them, are accepted, as faces and as points. */
static void test_rounded_cubes(void **state) {
    (void)state;
    random_state random = random_make(random_seed("meshfile", 11));
    for (int sample = 0; sample < 200; sample++) {
        abut_pose pose = random_pose(&random, 3.0);
        double size = random_log_range(&random, 1e-3, 1e3);
        mesh_bytes file = {.size = 0};
        for (int v = 0; v < 8; v++) {
            abut_vec3 p = abut_pose_apply(pose, abut_vec3_make(cube_coordinate(v, 0), cube_coordinate(v, 1), cube_coordinate(v, 2)));
            put_text(&file, "v %.9g %.9g %.9g\n", (double)(float)(size * p.x), (double)(float)(size * p.y), (double)(float)(size * p.z));
        }
        for (int t = 0; t < 12 && sample % 4 != 0; t++) {
            put_text(&file, "f %d %d %d\n", cube_triangle(t, 0) + 1, cube_triangle(t, 1) + 1, cube_triangle(t, 2) + 1);
        }
        abut_mesh_pieces *pieces = load_mesh(write_buffer("rounded.obj", &file), NULL, 1);
        abut_polytope_view view;
        abut_mass mass;
        assert_ok(abut_shape_polytope(pieces->pieces[0].shape, &view));
        assert_true(view.face_count >= 6 && view.face_count <= 12);
        assert_ok(abut_shape_mass(pieces->pieces[0].shape, 1.0, &mass));
        assert_near(mass.volume / (size * size * size), 1.0, 1e-5);
        abut_mesh_destroy(pieces);
    }
}

static void test_other_faults_of_a_piece(void **state) {
    (void)state;
    abut_mesh_options hull = abut_mesh_options_default();
    hull.hull = true;
    const char *path = scratch_text("inward.obj", "v 0 0 0\nv 0 1 0\nv 1 0 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n");
    assert_mesh_refused(path, NULL, ABUT_ERROR_NOT_OUTWARD, ": piece 'piece_1': the faces are wound");
    abut_mesh_destroy(load_mesh(path, &hull, 1));
    path = scratch_text("open.obj", "o roof\nv 0 0 0\nv 0 1 0\nv 1 0 0\nv 0 0 1\nf 1 4 2\nf 2 4 3\nf 3 4 1\n");
    assert_mesh_refused(path, NULL, ABUT_ERROR_NOT_CLOSED, ": piece 'roof': the surface is not closed");
    abut_mesh_pieces *pieces = load_mesh(path, &hull, 1);
    assert_piece(&pieces->pieces[0], "roof", 1.0 / 6.0, abut_vec3_make(0, 0, 0), abut_vec3_make(1, 1, 1), 4);
    abut_mesh_destroy(pieces);
    path = scratch_text("flat.obj", "v 0 0 0\nv 0 1 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\nf 3 2 4\nf 2 1 3\nf 2 3 4\n");
    assert_mesh_refused(path, &hull, ABUT_ERROR_DEGENERATE, ": piece 'piece_1': the points span no volume");
    path = scratch_text("triangle.obj", "v 0 0 0\nv 0 1 0\nv 1 0 0\nf 1 2 3\n");
    assert_mesh_refused(path, &hull, ABUT_ERROR_DEGENERATE, ": piece 'piece_1': the points span no volume");
    path = scratch_text("points.obj", "v 0 0 0\nv 0 1 0\nv 1 0 0\n");
    assert_mesh_refused(path, NULL, ABUT_ERROR_DEGENERATE, ": piece 'piece_1': the points span no volume");
}

static void test_files_and_arguments(void **state) {
    (void)state;
    abut_mesh_options options = abut_mesh_options_default();
    assert_mesh_refused(scratch_path("missing.obj"), NULL, ABUT_ERROR_FILE, ": cannot be read: No such file or directory");
    mkdir(scratch_path("folder.obj"), 0700);
    assert_mesh_refused(scratch_path("folder.obj"), NULL, ABUT_ERROR_FILE, ": is a folder, not a file");
    assert_mesh_refused(scratch_text("x.objx", "v 0 0 0"), NULL, ABUT_ERROR_FORMAT, ": unknown kind of mesh file");
    assert_mesh_refused(scratch_text("obj", "v 0 0 0"), NULL, ABUT_ERROR_FORMAT, ": unknown kind of mesh file");
    assert_mesh_refused(scratch_text("CAPITALS.OBJ", "v 0 0 nan\n"), NULL, ABUT_ERROR_FORMAT, ":1: the vertex is not finite");
    static const double bad_scales[] = {0, -1, NAN, INFINITY};
    for (int i = 0; i < 4; i++) {
        options.scale = bad_scales[i];
        assert_mesh_refused("x.obj", &options, ABUT_ERROR_INVALID_ARGUMENT, ": scale");
    }
    options.scale = 1;
    options.tolerance = NAN;
    assert_mesh_refused("x.obj", &options, ABUT_ERROR_INVALID_ARGUMENT, ": scale");
    abut_mesh_pieces *pieces = NULL;
    assert_status(abut_mesh_load(NULL, NULL, &pieces, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_mesh_load("x.obj", NULL, NULL, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    abut_mesh_destroy(NULL);
}

/* Numbers are read the same in every locale. */
static void test_decimal_comma(void **state) {
    (void)state;
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "nl_NL.UTF-8"};
    bool found = false;
    for (int i = 0; i < 4 && !found; i++) {
        found = setlocale(LC_NUMERIC, names[i]) != NULL;
    }
    if (!found) {
        print_message("no locale with a decimal comma on this machine\n");
        skip();
    }
    abut_mesh_pieces *pieces = load_mesh(scratch_text("comma.obj", "v 0.5 0 0\nv 0 0.5 0\nv 0 0 0.5\nv 0 0 0\n"), NULL, 1);
    assert_piece(&pieces->pieces[0], "piece_1", 0.125 / 6.0, abut_vec3_make(0, 0, 0), abut_vec3_make(0.5, 0.5, 0.5), 4);
    abut_mesh_destroy(pieces);
    setlocale(LC_NUMERIC, "C");
}

/* The pieces of this project fill their block: none is lost or doubled. */
static void test_the_fractured_block(void **state) {
    (void)state;
    abut_mesh_pieces *pieces = NULL;
    abut_error error;
    if (abut_mesh_load(ABUT_TEST_SOURCE_DIR "/scenes/meshes/block.obj", NULL, &pieces, &error) != ABUT_OK) {
        fail_msg("%s", error.message);
    }
    assert_true(pieces->count >= 300);
    double volume = 0.0;
    abut_aabb bounds = abut_shape_bounds(pieces->pieces[0].shape, abut_pose_identity());
    for (int32_t i = 0; i < pieces->count; i++) {
        abut_mass mass;
        assert_ok(abut_shape_mass(pieces->pieces[i].shape, 1.0, &mass));
        volume += mass.volume;
        abut_aabb b = abut_shape_bounds(pieces->pieces[i].shape, abut_pose_identity());
        bounds.lower = abut_vec3_make(fmin(bounds.lower.x, b.lower.x), fmin(bounds.lower.y, b.lower.y), fmin(bounds.lower.z, b.lower.z));
        bounds.upper = abut_vec3_make(fmax(bounds.upper.x, b.upper.x), fmax(bounds.upper.y, b.upper.y), fmax(bounds.upper.z, b.upper.z));
        assert_false(pieces->pieces[i].filled);
    }
    abut_vec3 size = abut_sub(bounds.upper, bounds.lower);
    assert_near(volume, size.x * size.y * size.z, 1e-9 * volume);
    abut_mesh_destroy(pieces);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_connected_pieces),
        cmocka_unit_test(test_neighbours_that_share_a_face),
        cmocka_unit_test(test_welding_by_position),
        cmocka_unit_test(test_unique_names),
        cmocka_unit_test(test_advice),
        cmocka_unit_test(test_sizes_beyond_arithmetic),
        cmocka_unit_test(test_picking_one_piece),
        cmocka_unit_test(test_scale_and_centre),
        cmocka_unit_test(test_dents),
        cmocka_unit_test(test_rounding_far_from_the_origin),
        cmocka_unit_test(test_rounded_cubes),
        cmocka_unit_test(test_other_faults_of_a_piece),
        cmocka_unit_test(test_files_and_arguments),
        cmocka_unit_test(test_decimal_comma),
        cmocka_unit_test(test_the_fractured_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
