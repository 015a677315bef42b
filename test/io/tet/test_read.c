/* Files of tetrahedra in all formats: names, results and counts, damage, locales. */
#include <locale.h>

#include "support/tet_text.h"
#include "support/random.h"

#define HEAD "# vtk DataFile Version 3.0\ntitle\nASCII\nDATASET UNSTRUCTURED_GRID\n"

static void test_arguments_and_names(void **state) {
    (void)state;
    abut_tetfile *file = NULL;
    abut_error error = {ABUT_OK, ""};
    assert_status(abut_tetfile_load(NULL, &file, &error), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_tetfile_load("x.msh", NULL, &error), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_tetfile_load("x.msh", &file, NULL), ABUT_ERROR_FILE);
    abut_tetfile_destroy(NULL);
    const char *const names[] = {"x", "msh", "x.obj", "x.msh.gz", "x.ms", "x.mshx", "x.vtk/y", "."};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        assert_tets_refused(scratch_path(names[i]),
                            ": unknown kind of file of tetrahedra; use .msh, .node, .ele, .vtk, .vtu, .mesh or .inp");
    }
    assert_tets_refused_as(scratch_path("none.MSH"), scratch_path("none.MSH"), ABUT_ERROR_FILE, ": cannot be read");
    (void)mkdir(scratch_path("folder.msh"), 0777);
    assert_tets_refused_as(scratch_path("folder.msh"), scratch_path("folder.msh"), ABUT_ERROR_FILE, ": is a folder");
}

/* Tetrahedra with the volumes 1, -1 (the first reversed), 0, with edges of length `scale`, far away or near. */
static void assert_windings(double scale, double away, double height, int inverted, int flat) {
    mesh_bytes text = {.size = 0};
    put_text(&text, HEAD "POINTS 4 double\n");
    for (int v = 0; v < 4; v++) {
        put_text(&text, "%.17g %.17g %.17g\n", away + (v == 1 ? scale : 0), away + (v == 2 ? scale : 0), away + (v == 3 ? height : 0));
    }
    put_text(&text, "CELLS 2 10\n4 0 1 2 3\n4 1 0 2 3\nCELL_TYPES 2\n10 10\n");
    abut_tetfile *file = load_tets(write_buffer("wound.vtk", &text));
    assert_int_equal(file->inverted_count, inverted);
    assert_int_equal(file->flat_count, flat);
    assert_int_equal(file->element_count, 2);
    abut_tetfile_destroy(file);
}

static void test_windings(void **state) {
    (void)state;
    assert_windings(1.0, 0.0, 1.0, 1, 0);
    assert_windings(1.0, 0.0, 0.0, 0, 2);
    assert_windings(0.0, 5.0, 0.0, 0, 2);
    assert_windings(1.0, 1e6, 1.0, 1, 0);
    assert_windings(1e-4, 1e6, 1e-4, 1, 0);
    assert_windings(1.0, 0.0, 1e-12, 1, 0);
    assert_windings(1e-150, 0.0, 1e-150, 1, 0); /* their squares underflow */
    assert_windings(1e300, 0.0, 1e300, 1, 0);
    assert_windings(1.7e308, -1.7e308, 1.7e308, 1, 0); /* differences overflow */
    assert_windings(5e-324, 0.0, 5e-324, 1, 0);
}

/* A general plane: rounding gives its tetrahedra a volume, which must count as zero. */
static void test_flat_by_rounding(void **state) {
    (void)state;
    random_state random = random_make(random_seed("flat", 9));
    for (int sample = 0; sample < 200; sample++) {
        double a[2], b[2];
        mesh_bytes text = {.size = 0};
        put_text(&text, HEAD "POINTS 4 double\n");
        for (int i = 0; i < 2; i++) {
            a[i] = random_range(&random, -1, 1);
            b[i] = random_range(&random, -1, 1);
        }
        /* On the plane x + y = 1, points with few digits are exact. */
        for (int v = 0; v < 4; v++) {
            double x = 0x1p-20 * floor(0x1p20 * (v % 2 ? a[v / 2] : b[v / 2]));
            put_text(&text, "%.17g %.17g %.17g\n", x, 1.0 - x, random_range(&random, -1, 1));
        }
        put_text(&text, "CELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n10\n");
        abut_tetfile *file = load_tets(write_buffer("flat.vtk", &text));
        assert_int_equal(file->flat_count, 1);
        assert_int_equal(file->inverted_count, 0);
        abut_tetfile_destroy(file);
    }
}

/* A locale that writes one third as 0,333 changes nothing. */
static void test_locale(void **state) {
    (void)state;
    static const char *const languages[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "C.UTF-8"};
    for (size_t i = 0; i < sizeof languages / sizeof languages[0]; i++) {
        (void)setlocale(LC_ALL, languages[i]);
        abut_tetfile *file = load_tets(scratch_text("comma.vtk", HEAD "POINTS 4 double\n0 0 0 0.25 0 0 0 1 0 0 0 1\nCELLS 1 5\n4 0 1 2 3\n"
                                                                      "CELL_TYPES 1\n10\n"));
        assert_true(file->vertices[1].x == 0.25);
        abut_tetfile_destroy(file);
    }
    (void)setlocale(LC_ALL, "C");
}

static void damage(mesh_bytes *file, random_state *random) {
    static const char likely[] = "0123456789-+.eE$#dnNi \n\t\x7f\xff";
    int32_t changes = 1 + random_below(random, 4);
    for (int32_t i = 0; i < changes && file->size > 0; i++) {
        size_t at = (size_t)random_below(random, (int32_t)file->size);
        switch (random_below(random, 4)) {
        case 0:
            file->bytes[at] = (char)(file->bytes[at] ^ 1 << random_below(random, 8));
            break;
        case 1:
            file->bytes[at] = likely[random_below(random, (int32_t)sizeof likely)];
            break;
        case 2:
            memmove(file->bytes + at, file->bytes + at + 1, file->size - at - 1);
            file->size--;
            break;
        default:
            file->size = random_below(random, 4) == 0 ? at : file->size;
        }
    }
}

static void mutate(const char *name, const char *text, size_t size) {
    mesh_bytes right = {.size = 0};
    put_bytes(&right, text, size);
    abut_tetfile_destroy(load_tets(write_buffer(name, &right)));
    random_state random = random_make(random_seed(name, 5));
    int accepted = 0, samples = 400;
    for (int sample = 0; sample < samples; sample++) {
        mesh_bytes file = right;
        damage(&file, &random);
        abut_tetfile *read = NULL;
        abut_error error = {ABUT_OK, ""};
        abut_status status = abut_tetfile_load(write_buffer(name, &file), &read, &error);
        accepted += status == ABUT_OK;
        if ((status == ABUT_OK) != (read != NULL) || (status != ABUT_OK && status != ABUT_ERROR_FORMAT)) {
            fail_msg("sample %d of %s: %s %s", sample, name, abut_status_name(status), error.message);
        }
        abut_tetfile_destroy(read);
    }
    assert_true(accepted > 0 && accepted < samples);
}

#define MUTATE(name, text) mutate(name, text, sizeof(text) - 1)

/* After any damage there is a status and no crash. Run under the sanitizers. */
static void test_damage(void **state) {
    (void)state;
    MUTATE("m.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n9 0 0 1\n$EndNodes\n"
                    "$Elements\n2\n1 2 2 0 1 1 2 3\n2 4 2 0 1 1 2 3 9\n$EndElements\n");
    MUTATE("m.msh",
           "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 0 0 1\n1 0 0 0 1 1 1 1 2 0\n$EndEntities\n$Nodes\n1 4 1 9\n3 1 0 4\n"
           "1\n2\n3\n9\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n$EndNodes\n$Elements\n1 1 1 1\n3 1 4 1\n1 1 2 3 9\n$EndElements\n");
    MUTATE("m.vtk", HEAD "POINTS 4 float\n0 0 0 1 0 0\n0 1 0 0 0 1\nCELLS 2 9\n3 0 1 2 4 0 1 2 3\nCELL_TYPES 2\n5 10\n");
    MUTATE("m.vtk", "# vtk DataFile Version 5.1\n\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 char\n\0\0\0\1\0\0\0\1\0\0\0\1\n"
                    "CELLS 2 4\nOFFSETS char\n\0\4\nCONNECTIVITY char\n\0\1\2\3\nCELL_TYPES 1\n\0\0\0\x0a");
    (void)scratch_text("m.ele", "2 4 1\n1 1 2 3 4 1\n2 1 2 3 5 1");
    MUTATE("m.node", "5 3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 0 0 -1");
    (void)scratch_text("n.node", "5 3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 0 0 -1");
    MUTATE("n.ele", "2 4 1\n1 1 2 3 4 1\n2 1 2 3 5 1");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arguments_and_names),
        cmocka_unit_test(test_windings),
        cmocka_unit_test(test_flat_by_rounding),
        cmocka_unit_test(test_locale),
        cmocka_unit_test(test_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
