/* Abaqus input files: lines, types, parts and instances, refusals. */
#include "io/tet/abaqus_type.h"
#include "support/tet_text.h"

#define NODES "*NODE\n10, 0, 0, 0\n20, 0.33333333333333331, 0, 0\n30, 9, 9, 9\n4, 0, 1, 0\n5, 0, 0, 1\n2000000000, -0.25, -1e-3, -7e5\n"
#define TETRAHEDRA "*ELEMENT, TYPE=C3D4\n7, 10, 20, 4, 5\n9, 10, 20, 4, 2000000000\n"

static const int64_t tags[] = {10, 20, 30, 4, 5, 2000000000}, elements[] = {7, 9};

static void test_flat_file(void **state) {
    (void)state;
    assert_pair(scratch_text("pair.inp", NODES TETRAHEDRA), tags, elements, NULL, 0);
    assert_pair(scratch_text("pair.INP", TETRAHEDRA NODES), tags, elements, NULL, 0); /* elements first */
    assert_pair(scratch_text("pair.inp",
                             "*Heading\n a title, 1, 2\n** *NODE\n" NODES "*Element, type=S3\n1, 10, 20, 30\n2, 10,\n20, 30\n" TETRAHEDRA
                             "*NODE PRINT\n U, RF\n*ELEMENT OUTPUT\nS\n*STEP\n*STATIC\n*END STEP\n"),
                tags, elements, NULL, 2);
}

/* Lines that go on, comments, blanks, empty fields, normals of nodes, and ten nodes of which four are corners. */
static void test_lines(void **state) {
    (void)state;
    assert_pair(scratch_text("pair.inp", "\r\n*node  ,\r\n** not yet\r\n nset = \"a, b\"\r\n  10\r\n20 , 3.3333333333333331e-1,\r\n"
                                         "30,9.,9.,9.,0.,0.,1.\r\n** between\r\n\r\n4,,1,\r\n5,,,1\r\n2000000000,-.25,-1e-3,-7E5\r\n"
                                         "*  Element , elset=all,\r\n Type = c3d10mh\r\n 7, 10, 20, 4,\r\n** here too\r\n"
                                         " 5, 30, 30, 30, 30, 30,\r\n 30\r\n9,10,20,4,2000000000,30,30,30,30,30,30,\r\n"),
                tags, elements, NULL, 0);
}

static const char assembly[] =
    "*Part, name=first\n*Node\n1, 0, 0, 0\n2, 1, 0, 0\n3, 0, 1, 0\n4, 0, 0, 1\n*Element, type=C3D4\n5, 1, 2, 3, 4\n"
    "*End Part\n*Part, name=second\n*Node\n4, 9, 0, 0\n3, 8, 0, 0\n2, 8, 1, 0\n1, 8, 0, 1\n*Element, type=C3D4\n"
    "1, 4, 3, 2, 1\n*End Part\n*Assembly, name=all\n*Instance, name=first-1, part=first\n%s*End Instance\n"
    "*Instance, name=second-1, part=second\n*End Instance\n*Node\n1, 5, 5, 5\n*Element, type=MASS\n1, 1\n"
    "*End Assembly\n";

static const char *put_assembly(const char *moved) {
    mesh_bytes text = {.size = 0};
    put_text(&text, assembly, moved);
    return write_buffer("parts.inp", &text);
}

/* The numbers of the second part follow those of the first, and regions tell them apart. */
static void test_parts(void **state) {
    (void)state;
    static const char *const still[] = {"", "0., 0., 0.\n", "0,,-0\n1, 2, 3, 1, 2, 4, 0.\n"};
    for (size_t i = 0; i < sizeof still / sizeof still[0]; i++) {
        abut_tetfile *file = load_tets(put_assembly(still[i]));
        assert_int_equal(file->vertex_count, 8);
        assert_int_equal(file->element_count, 2);
        assert_int_equal(file->element_tags[0], 5);
        assert_int_equal(file->element_tags[1], 6);
        assert_int_equal(file->vertex_tags[4], 8);
        assert_int_equal(file->vertex_tags[7], 5);
        assert_int_equal(file->regions[0], 1);
        assert_int_equal(file->regions[1], 2);
        assert_int_equal(file->elements[4], 4);
        assert_true(file->vertices[file->elements[4]].x == 9.0);
        assert_int_equal(file->other_count, 1);
        assert_int_equal(file->unused_count, 1);
        abut_tetfile_destroy(file);
    }
    assert_tets_refused(put_assembly("0., 0., 1e-9\n"), ":20:1: the instance 'first-1' moves its part; parts are read where they stand");
    assert_tets_refused(put_assembly("0., 0., 0.\n0, 0, 0, 0, 0, 1, 90\n"), ":20:1: the instance 'first-1' moves its part");
    assert_tets_refused(put_assembly("0., x, 0.\n"), ":21:5: a number is expected here");
}

/* An instance with a mesh of its own. Nodes of one part are unknown in another. */
static void test_scopes(void **state) {
    (void)state;
    assert_pair(scratch_text("own.inp", "*Part, name=a\n*End Part\n*Assembly\n*Instance, name=a-1, part=a\n 0, 0, 0\n" NODES TETRAHEDRA
                                        "*End Instance\n*End Assembly\n"),
                tags, elements, NULL, 0);
    assert_tets_refused(scratch_text("bad.inp", "*PART\n" NODES "*END PART\n*PART\n" TETRAHEDRA "*END PART"),
                        ":12:1: element 7 refers to node 10, which does not exist");
}

static void test_types(void **state) {
    (void)state;
    static const char *const four[] = {"C3D4", "c3d4h", "DC3D4", "AC3D4", "Q3D4", "EMC3D4"}, *const ten[] = {"C3D10", "C3D10MHT", "AC3D10"};
    for (size_t i = 0; i < sizeof four / sizeof four[0]; i++) {
        assert_int_equal(abaqus_tetra_nodes(four[i]), 4);
    }
    for (size_t i = 0; i < sizeof ten / sizeof ten[0]; i++) {
        assert_int_equal(abaqus_tetra_nodes(ten[i]), 10);
    }
    static const struct {
        const char *type;
        cell_kind kind;
    } others[] = {{"C3D8R", CELL_HEXAHEDRON}, {"c3d6", CELL_PRISM},        {"C3D5", CELL_PYRAMID},    {"S3", CELL_TRIANGLE},
                  {"STRI65", CELL_TRIANGLE},  {"S4R", CELL_QUADRILATERAL}, {"SC8R", CELL_HEXAHEDRON}, {"R3D4", CELL_QUADRILATERAL},
                  {"B31", CELL_LINE},         {"T3D2", CELL_LINE},         {"MASS", CELL_POINT},      {"U1", CELL_OTHER},
                  {"C3D", CELL_OTHER},        {"C3D40", CELL_OTHER},       {"", CELL_OTHER}};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        assert_int_equal(abaqus_tetra_nodes(others[i].type), 0);
        assert_int_equal(abaqus_kind(others[i].type), others[i].kind);
    }
}

static void test_cut_off(void **state) {
    (void)state;
    mesh_bytes file = {.size = 0};
    put_text(&file, NODES TETRAHEDRA);
    /* The last number, its blank and its comma may end the file early, as may the whole last element: nothing says how many there are. */
    for (size_t size = 0; size < file.size; size++) {
        abut_tetfile *read = NULL;
        abut_error error = {ABUT_OK, ""};
        abut_status status = abut_tetfile_load(scratch_write("cut.inp", file.bytes, size), &read, &error);
        assert_true(status == ABUT_OK ? read && read->element_count <= 2 : status == ABUT_ERROR_FORMAT && strchr(error.message, ':'));
        abut_tetfile_destroy(read);
    }
}

static void test_refusals(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", ": the file has no tetrahedra"},
        {"solid\n", ":1:1: a keyword is expected here, '*NODE' for example"},
        {NODES "*ELEMENT, TYPE=C3D8\n1, 1, 2, 3, 4, 5,\n6, 7, 8\n2, 1, 2, 3, 4, 5, 6, 7, 8\n*ELEMENT, TYPE=S3\n3, 1, 2, 3\n",
         ": the file has 1 triangle and 2 hexahedra, but no tetrahedra"},
        {NODES "*INCLUDE, INPUT=more.inp\n", ":8:1: *INCLUDE: the file 'more.inp' is not read; put its lines into this file"},
        {NODES "*Ngen, NSET=a\n1, 2\n", ":8:1: *Ngen is not supported: it makes or moves nodes or elements"},
        {"*NODE, INPUT=n.txt\n", ":1:1: the data are in another file, 'n.txt', which is not read"},
        {"*NODE, SYSTEM=C\n1, 1, 0, 0\n", ":1:1: nodes in the system 'C' are not supported"},
        {"*INSTANCE, LIBRARY=old, INSTANCE=a\n", ":1:1: an instance from another analysis, 'old', which is not read"},
        {NODES "*ELEMENT\n1, 1, 2, 3, 4\n", ":8:1: *ELEMENT needs a type, TYPE=C3D4 for example"},
        {NODES "*ELEMENT, TYPE=C3D4, INPUT=e.txt\n", ":8:1: the data are in another file, 'e.txt'"},
        {"*NODE\nA, 0, 0, 0\n", ":2:1: a whole number is expected here"},
        {"*NODE\n1 0 0 0\n", ":2:3: a comma is expected here"},
        {"*NODE\n1, 0, nan, 0\n", ":2:7: node 1 is not finite"},
        {"*NODE\n1, 0, 1.D0, 0\n", ":2:7: a number is expected here"},
        {"*NODE\n0, 0, 0, 0\n", ":2:1: node 0: numbers go from 1 to 2147483647"},
        {"*NODE\n2147483648, 0, 0, 0\n", ":2:1: node 2147483648: numbers go from 1 to"},
        {NODES "5, 0, 0, 0\n" TETRAHEDRA, ":12:1: two nodes before this line have the number 5"},
        {NODES "*ELEMENT, TYPE=C3D4\n1, 10, 20, 4\n", ":9:12: element 1 of type C3D4 has 3 nodes; 4 are needed"},
        {NODES "*ELEMENT, TYPE=C3D4\n1, 10, 20, 4, 5, 30\n", ":9:15: element 1 of type C3D4 has more than 4 nodes"},
        {NODES "*ELEMENT, TYPE=C3D10\n1, 10, 20, 4, 5\n2, 10, 20, 4, 5\n", ":9:15: element 1 of type C3D10 has 4 nodes; 10 are needed"},
        {NODES "*ELEMENT, TYPE=C3D4\n1, 10, 20, , 5\n", ":9:12: a whole number is expected here"},
        {NODES "*ELEMENT, TYPE=C3D4\n1, 10, 20, 4, 6\n", ":9:1: element 1 refers to node 6, which does not exist"},
        {NODES "*ELEMENT, TYPE=C3D4\n1, 10, 20, 4, -5\n", ":9:15: node -5: numbers go from 1 to"},
        {NODES "*ELEMENT, TYPE=C3D4\n1, 10, 20, 4, 99999999999999999999\n", ":9:15: a whole number does not fit into 64 bits"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_tets_refused(scratch_text("bad.inp", cases[i].text), cases[i].message);
    }
    static mesh_bytes text;
    put_text(&text, "*NODE");
    for (int i = 0; i < 300; i++) {
        put_text(&text, ", A%d,\n", i);
    }
    assert_tets_refused(write_buffer("bad.inp", &text), ":1:1: a keyword line has more than 1023 characters");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flat_file), cmocka_unit_test(test_lines),   cmocka_unit_test(test_parts),    cmocka_unit_test(test_scopes),
        cmocka_unit_test(test_types),     cmocka_unit_test(test_cut_off), cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
