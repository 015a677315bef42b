/* Gmsh's files: versions 2.2 and 4.1, text and both orders of bytes. */
#include "support/tet_text.h"

typedef enum msh_kind { TEXT, LITTLE, BIG } msh_kind;

/* A file of version 2, or of version 4 with unsigned numbers of `size` bytes. */
typedef struct msh_file {
    mesh_bytes bytes;
    msh_kind kind;
    size_t size;
} msh_file;

static void put_integers(msh_file *file, size_t size, int count, const int64_t *values) {
    for (int i = 0; i < count; i++) {
        if (file->kind == TEXT) {
            put_text(&file->bytes, "%lld ", (long long)values[i]);
        } else {
            put_number(&file->bytes, (uint64_t)values[i], size, file->kind == BIG);
        }
    }
}

#define INTS(file, ...) put_integers(file, 4, sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t), (int64_t[]){__VA_ARGS__})
#define SIZES(file, ...) put_integers(file, (file)->size, sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t), (int64_t[]){__VA_ARGS__})

static void put_reals(msh_file *file, int count, const double *values) {
    for (int i = 0; i < count; i++) {
        if (file->kind == TEXT) {
            put_text(&file->bytes, "%.17g ", values[i]);
        } else {
            put_double(&file->bytes, values[i], file->kind == BIG);
        }
    }
}

/* The end of a line of text; nothing in a binary file. */
static void put_line(msh_file *file) {
    if (file->kind == TEXT) {
        put_text(&file->bytes, "\n");
    }
}

static msh_file begin_file(const char *version, msh_kind kind, size_t size) {
    msh_file file = {.kind = kind, .size = size};
    put_text(&file.bytes, "$MeshFormat\n%s %d %d\n", version, kind != TEXT, (int)size);
    if (kind != TEXT) {
        put_number(&file.bytes, 1, 4, kind == BIG);
        put_text(&file.bytes, "\n");
    }
    put_text(&file.bytes, "$EndMeshFormat\n$Comments\n$EndNothing\nany words $Nodes\n$EndComments\n");
    put_text(&file.bytes, "$PhysicalNames\n1\n3 7 \"ball\"\n$EndPhysicalNames\n");
    return file;
}

static const int64_t tags[PAIR_VERTICES] = {4, 9, 70000000, 2, 2000000000, 5};

/* Results for nodes and elements, which the reader skips. Elements as fTetWild writes them: in a binary file no new line comes before the end of the section.
 * Some bytes look like its beginning. */
static void put_results(msh_file *file) {
    put_text(&file->bytes, "$ElementData\n1\n\"quality\"\n1\n0.0\n3\n0\n1\n4\n");
    for (int e = 0; e < 4; e++) {
        INTS(file, 100 + e);
        put_reals(file, 1, &(double){0.25 * e});
        put_line(file);
    }
    put_text(&file->bytes, "%s$EndElementData\n", file->kind == TEXT ? "" : "$End\n$EndElementDat$$");
    put_text(&file->bytes, "$NodeData\n1\n\"result\"\n$EndNodeData\n");
}

/* A point, a triangle, a tetrahedron of four nodes and one of ten, whose last six nodes are arbitrary. */
static msh_file pair_of_version_2(msh_kind kind, const int64_t groups[2]) {
    msh_file file = begin_file("2.2", kind, 8);
    put_text(&file.bytes, "$Nodes\n%d\n", PAIR_VERTICES);
    for (int v = 0; v < PAIR_VERTICES; v++) {
        INTS(&file, tags[v]);
        put_reals(&file, 3, pair_vertices[v]);
        put_line(&file);
    }
    put_text(&file.bytes, "%s$EndNodes\n$Elements\n%d\n", kind == TEXT ? "" : "\n", 4);
    const int64_t heads[4][3] = {{15, 0, 1}, {2, 2, 3}, {4, 3, 4}, {11, 2, 10}}; /* type, tags, nodes */
    const int64_t nodes[4][10] = {{4}, {4, 9, 70000000}, {4, 9, 2, 2000000000}, {4, 9, 2, 5, 4, 4, 4, 4, 4, 70000000}};
    const int64_t labels[4][3] = {{0}, {8, 1}, {groups[0], 21, 1}, {groups[1], 22}};
    for (int e = 0; e < 4; e++) {
        if (kind == TEXT) {
            INTS(&file, 100 + e, heads[e][0], heads[e][1]);
        } else {
            INTS(&file, heads[e][0], 1, heads[e][1], 100 + e);
        }
        put_integers(&file, 4, (int)heads[e][1], labels[e]);
        put_integers(&file, 4, (int)heads[e][2], nodes[e]);
        put_line(&file);
    }
    put_text(&file.bytes, "%s$EndElements\n", kind == TEXT ? "" : "\n");
    return file;
}

static void test_version_2(void **state) {
    (void)state;
    for (int kind = TEXT; kind <= BIG; kind++) {
        msh_file file = pair_of_version_2((msh_kind)kind, (int64_t[]){7, 0});
        put_results(&file);
        assert_pair(write_buffer("pair2.msh", &file.bytes), tags, (int64_t[]){102, 103}, (int32_t[]){7, 0}, 2);
        file = pair_of_version_2((msh_kind)kind, (int64_t[]){0, 0});
        assert_pair(write_buffer("pair2.msh", &file.bytes), tags, (int64_t[]){102, 103}, (int32_t[]){21, 22}, 2);
    }
}

static void put_entities(msh_file *file) {
    const double zeros[6] = {0};
    put_text(&file->bytes, "$Entities\n");
    SIZES(file, 1, 1, 0, 2);
    put_line(file);
    INTS(file, 6);
    put_reals(file, 3, zeros);
    SIZES(file, 0);
    put_line(file);
    INTS(file, 1);
    put_reals(file, 6, zeros);
    SIZES(file, 2);
    INTS(file, 5, -5);
    SIZES(file, 1);
    INTS(file, 6);
    put_line(file);
    for (int volume = 21; volume <= 22; volume++) {
        INTS(file, volume);
        put_reals(file, 6, zeros);
        SIZES(file, volume == 21);
        if (volume == 21) {
            INTS(file, 7);
        }
        SIZES(file, 0);
        put_line(file);
    }
    put_text(&file->bytes, "%s$EndEntities\n", file->kind == TEXT ? "" : "\n");
}

/* The second volume belongs to the first, and to two partitions. */
static void put_partitioned_entities(msh_file *file) {
    const double zeros[6] = {0};
    put_text(&file->bytes, "$PartitionedEntities\n");
    SIZES(file, 2, 1);
    INTS(file, 9, 2);
    SIZES(file, 0, 0, 0, 1);
    INTS(file, 23, 3, 21);
    SIZES(file, 2);
    INTS(file, 1, 2);
    put_reals(file, 6, zeros);
    SIZES(file, 1);
    INTS(file, 17);
    SIZES(file, 0);
    put_text(&file->bytes, "\n$EndPartitionedEntities\n");
}

/* Blocks of nodes: one on a curve, with a parameter each, an empty one, one of a volume. */
static msh_file pair_of_version_4(msh_kind kind, size_t size, bool entities, int64_t second) {
    msh_file file = begin_file("4.1", kind, size);
    if (entities) {
        put_entities(&file);
        put_partitioned_entities(&file);
    }
    put_text(&file.bytes, "$Nodes\n");
    SIZES(&file, 3, PAIR_VERTICES, 2, 2000000000);
    for (int block = 0; block < 3; block++) {
        int first = block == 0 ? 0 : 2, end = block == 0 || block == 1 ? 2 : PAIR_VERTICES;
        INTS(&file, block == 2 ? 3 : 1, 1, block == 0);
        SIZES(&file, end - first);
        put_line(&file);
        put_integers(&file, size, end - first, tags + first);
        for (int v = first; v < end; v++) {
            put_line(&file);
            put_reals(&file, 3, pair_vertices[v]);
            put_reals(&file, block == 0, (const double[]){0.5});
        }
        put_line(&file);
    }
    put_text(&file.bytes, "%s$EndNodes\n$Elements\n", kind == TEXT ? "" : "\n");
    SIZES(&file, 3, 4, 100, 103);
    put_line(&file);
    INTS(&file, 2, 1, 2);
    SIZES(&file, 2, 100, 4, 9, 70000000, 101, 4, 9, 2);
    put_line(&file);
    INTS(&file, 3, 21, 4);
    SIZES(&file, 1, 102, 4, 9, 2, 2000000000);
    put_line(&file);
    INTS(&file, 3, second, 11);
    SIZES(&file, 1, 103, 4, 9, 2, 5, 4, 4, 4, 4, 4, 70000000);
    put_text(&file.bytes, "\n$EndElements\n");
    return file;
}

static void test_version_4(void **state) {
    (void)state;
    for (int kind = TEXT; kind <= BIG; kind++) {
        for (size_t size = 4; size <= 8; size += 4) {
            msh_file file = pair_of_version_4((msh_kind)kind, size, true, 22);
            assert_pair(write_buffer("pair4.msh", &file.bytes), tags, (int64_t[]){102, 103}, (int32_t[]){7, 0}, 2);
            file = pair_of_version_4((msh_kind)kind, size, true, 23);
            assert_pair(write_buffer("pair4.msh", &file.bytes), tags, (int64_t[]){102, 103}, (int32_t[]){7, 17}, 2);
            file = pair_of_version_4((msh_kind)kind, size, false, 22);
            assert_pair(write_buffer("pair4.msh", &file.bytes), tags, (int64_t[]){102, 103}, (int32_t[]){21, 22}, 2);
        }
    }
}

static void test_cut_off(void **state) {
    (void)state;
    for (int kind = TEXT; kind <= LITTLE; kind++) {
        msh_file file = pair_of_version_2((msh_kind)kind, (int64_t[]){7, 0});
        /* A missing last newline is ignored. */
        assert_cut_refused("cut.msh", &file.bytes, 2);
        file = pair_of_version_4((msh_kind)kind, 8, true, 22);
        assert_cut_refused("cut.msh", &file.bytes, 2);
    }
}

#define TWO "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
#define TWO_NODES TWO "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n"
#define FOUR "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
#define FOUR_NODES FOUR "$Nodes\n1 4 1 4\n3 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n$EndNodes\n"

static void test_refusals(void **state) {
    (void)state;
    static const struct {
        const char *text, *part;
    } cases[] = {
        {"", ":1: this is not a Gmsh file"},
        {"$NOD\n", ":1: this is not a Gmsh file"},
        {"$MeshFormat\n4 0 8\n", ":2: version 4 of the format is not supported; convert the file with gmsh"},
        {"$MeshFormat\n1 0 8\n", ":2: version 1 of the format is not supported"},
        {"$MeshFormat\nx 0 8\n", ":2: version x of the format is not supported"},
        {"$MeshFormat\n2.2 2 8\n", ":2: the file type must be 0 (text) or 1 (binary), not 2"},
        {"$MeshFormat\n2.2 0 4\n", ":2: numbers of 4 bytes are not supported"},
        {"$MeshFormat\n4.1 0 2\n", ":2: numbers of 2 bytes are not supported"},
        {"$MeshFormat\n4.1 0\n", ":3: the file ends where a whole number is expected"},
        {"$MeshFormat\n4.1 0 8 9\n", ":2: the end of the line is expected here"},
        {"$MeshFormat\n4.1 1 8\nabcd\n$EndMeshFormat\n", ": byte 20: the header of a binary file must hold the number 1"},
        {"$MeshFormat\n4.1 0 8\n$Nodes\n", ":3: '$EndMeshFormat' is expected here"},
        {TWO "Nodes\n", ":4: a section is expected here"},
        {TWO "$Names\nany\n", ":6: the file ends before '$EndNames'"},
        {TWO "$Names\nany\n$EndNamesToo\n", ":7: the file ends before '$EndNames'"},
        {TWO, ": the file has no tetrahedra"},
        {TWO_NODES, ": the file has no tetrahedra"},
        {TWO "$ParametricNodes\n", ":4: $ParametricNodes are not supported"},
        {TWO "$Nodes\n5\n1 0 0 0\n", ":6: a count of 5 nodes is more than the rest of the file can hold"},
        {TWO "$Nodes\n-1\n$EndNodes\n", ":6: a count of -1 nodes"},
        {TWO "$Nodes\n9223372036854775807\n$EndNodes\n", ":6: a count of 9223372036854775807 nodes is more"},
        {TWO "$Nodes\n9223372036854775808\n$EndNodes\n", ":5: a whole number does not fit into 64 bits"},
        {TWO "$Nodes\nmany\n", ":5: a whole number is expected here"},
        {TWO "$Nodes\n1 2\n", ":5: the end of the line is expected here"},
        {TWO "$Nodes\n1\n1 0 0 nan\n", ":6: node 1 is not finite"},
        {TWO "$Nodes\n1\n1 0 0 1e999\n", ":6: node 1 is not finite"},
        {TWO "$Nodes\n1\n1 0 0 1,5\n", ":6: a number is expected here"},
        {TWO "$Nodes\n1\n1.5 0 0 1\n", ":6: a whole number is expected here"},
        {TWO "$Nodes\n1\n1 0 0 1\n2 0 0 0\n$EndNodes\n", ":7: '$EndNodes' is expected here"},
        {TWO "$Nodes\n2\n3 0 0 1\n3 0 0 0\n$EndNodes\n$Elements\n0\n$EndElements\n", ":10: two nodes before this line have the number 3"},
        {TWO "$Elements\n0\n$EndElements\n$Nodes\n0\n$EndNodes\n", ":7: $Nodes must come before $Elements"},
        {TWO_NODES "$Elements\n2\n1 4 0 1 2 3 4\n$EndElements\n", ":14: a whole number is expected here"},
        {TWO_NODES "$Elements\n1\n1 4 0 1 2 3 4\n2 4 0 1 2 3 4\n$EndElements\n", ":14: '$EndElements' is expected here"},
        {TWO_NODES "$Elements\n1\n8 4 0 1 2 3 5\n$EndElements\n", ":13: element 8 refers to node 5, which does not exist"},
        {TWO_NODES "$Elements\n1\n8 4 0 0 1 2 3\n$EndElements\n", ":13: element 8 refers to node 0, which does not exist"},
        {TWO_NODES "$Elements\n1\n8 34 0 1 2 3 4\n$EndElements\n", ":13: unknown element type 34"},
        {TWO_NODES "$Elements\n1\n8 -4 0 1 2 3 4\n$EndElements\n", ":13: unknown element type -4"},
        {TWO_NODES "$Elements\n1\n8 4 99 1 2 3 4\n$EndElements\n", ":13: a count of 99 tags of an element is more than"},
        {TWO_NODES "$Elements\n1\n8 4 -2 1 2 3 4\n$EndElements\n", ":13: a count of -2 tags of an element"},
        {TWO_NODES "$Elements\n1\n1 2 0 1 2 3\n$EndElements\n", ": the file has 1 triangle, but no tetrahedra"},
        {FOUR "$Nodes\n1 2 1 4\n3 1 0 4\n", ":6: a block has 4 nodes, but only 2 are left in the section"},
        {FOUR "$Nodes\n1 2 1 2\n3 1 0 1\n1\n0 0 0\n$EndNodes\n", ":8: the blocks have 1 nodes fewer than the section announces"},
        {FOUR "$Nodes\n1 1 1 1\n4 1 0 1\n1\n0 0 0\n$EndNodes\n", ":6: a block of nodes needs a dimension"},
        {FOUR "$Nodes\n1 1 1 1\n1 1 2 1\n1\n0 0 0\n$EndNodes\n", ":6: a block of nodes needs a dimension"},
        {FOUR "$Nodes\n1 1 1 1\n3 1 9223372036854775807 1\n1\n0 0 0\n$EndNodes\n", ":6: a block of nodes needs a dimension"},
        {FOUR "$Nodes\n1 1 1 1\n9223372036854775807 1 1 1\n1\n0 0 0\n$EndNodes\n", ":6: a block of nodes needs a dimension"},
        {FOUR "$Nodes\n1 1000 1 1\n1 1 0 1000\n1\n0 0 0\n$EndNodes\n",
         ":5: a count of 1000 nodes is more than the rest of the file can hold"},
        {FOUR "$Nodes\n1000 1 1 1\n1 1 0 1\n1\n0 0 0\n$EndNodes\n",
         ":5: a count of 1000 blocks is more than the rest of the file can hold"},
        {FOUR "$Entities\n0 0 0 1\n1 0 0 0 0 0 0 99 1 0\n$EndEntities\n", ":6: a count of 99 physical groups is more"},
        {FOUR_NODES "$Elements\n1 1 1 1\n3 1 4 2\n", ":18: a block has 2 elements, but only 1 are left in the section"},
        {FOUR_NODES "$Elements\n1 1 1 1\n3 1 35 1\n1 1 2 3 4\n$EndElements\n", ":18: unknown element type 35"},
        {FOUR_NODES "$Elements\n1 1 1 1\n3 1 4 1\n1 1 2 3 7\n$EndElements\n", ":19: element 1 refers to node 7, which does not exist"},
        {FOUR_NODES "$Elements\n1 1 1 1\n3 1 4 -1\n1 1 2 3 4\n$EndElements\n", ":18: a block has -1 elements"},
        {FOUR_NODES "$Elements\n0 0 0 0\n$EndElements\n", ": the file has no tetrahedra"},
        {FOUR_NODES "$Elements\n1 1 1 1\n3 1 4 1\n1 1 2 3 -9223372036854775807\n$EndElements\n", ":19: element 1 refers to node -9223"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_tets_refused(scratch_text("bad.msh", cases[i].text), cases[i].part);
    }
}

/* Counts in binary files are checked as in text. */
static void test_binary_refusals(void **state) {
    (void)state;
    msh_file file = begin_file("2.2", LITTLE, 8);
    put_text(&file.bytes, "$Nodes\n2000000000\n1234\n$EndNodes\n");
    assert_tets_refused(write_buffer("bad.msh", &file.bytes),
                        ": byte 156: a count of 2000000000 nodes is more than the rest of the file can hold");
    file = begin_file("4.1", BIG, 8);
    put_text(&file.bytes, "$Nodes\n");
    SIZES(&file, 1, INT64_MIN, 1, 1);
    put_text(&file.bytes, "\n$EndNodes\n");
    assert_tets_refused(write_buffer("bad.msh", &file.bytes), ": byte 161: a count of -9223372036854775808 nodes");
    file = begin_file("2.2", LITTLE, 8);
    put_text(&file.bytes, "$Nodes\n0\n\n$EndNodes\n$Elements\n1\n");
    INTS(&file, 4, 0, 0, 0, 0, 0, 0, 0);
    assert_tets_refused(write_buffer("bad.msh", &file.bytes), ": byte 182: a block has 0 elements, but only 1 are left in the section");
}

/* Nodes may have the largest numbers: memory follows their count. */
static void test_largest_numbers(void **state) {
    (void)state;
    abut_tetfile *file = load_tets(scratch_text("large.msh", FOUR "$Nodes\n1 4 1 4\n3 1 0 4\n9223372036854775807\n2\n0\n-7\n"
                                                                  "0 0 0\n1 0 0\n0 1 0\n0 0 1\n$EndNodes\n$Elements\n1 1 1 1\n3 1 4 1\n"
                                                                  "1 9223372036854775807 2 0 -7\n$EndElements\n"));
    assert_int_equal(file->vertex_count, 4);
    assert_true(file->vertex_tags[0] == INT64_MAX);
    assert_int_equal(file->vertex_tags[3], -7);
    abut_tetfile_destroy(file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_version_2), cmocka_unit_test(test_version_4),       cmocka_unit_test(test_cut_off),
        cmocka_unit_test(test_refusals),  cmocka_unit_test(test_binary_refusals), cmocka_unit_test(test_largest_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
