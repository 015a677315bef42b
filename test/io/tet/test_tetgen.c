/* TetGen's pairs of files. */
#include "support/tet_text.h"

static const char *write_pair(const char *node_name, const char *node, const char *ele_name, const char *ele) {
    (void)scratch_text(ele_name, ele);
    return scratch_text(node_name, node);
}

#define ROWS(a, b, c, d, e, f)                                                                                                          \
    a " 0 0 0 1.5 1\n" b "\t0.33333333333333331 0 0 1.5 1 # comment\n\n" c " 9 9 9 1.5 1\n# a row without one\n" d " 0 1 0 1.5 1\r\n" e \
      " 0 0 1 1.5 1\n" f " -0.25 -1e-3 -7e5 1.5"

/* Either file names both; nodes count from 0, from 1, or as they like. */
static void test_pairs(void **state) {
    (void)state;
    static const struct {
        const char *node, *ele;
        int64_t tags[PAIR_VERTICES], elements[2];
    } cases[] = {
        {"# by hand\n\n6 3 1 1\n" ROWS("0", "1", "2", "3", "4", "5"),
         "2 4 1\n0 0 1 3 4 7\n1 0 1 3 5 -8 # done",
         {0, 1, 2, 3, 4, 5},
         {0, 1}},
        {"6\n" ROWS("1", "2", "3", "4", "5", "6"), "2 4 1 # head\n1 1 2 4 5 7\n\n2 1 2 4 6 -8.0\n", {1, 2, 3, 4, 5, 6}, {1, 2}},
        {"6 3 1 1\n" ROWS("-5", "7", "90000000000", "1", "12", "3"),
         "2 10 2\n8 -5 7 1 12 1 1 1 1 1 1 7 3.5\n4 -5 7 1 3 1 1 1 1 1 1 -8 x\n",
         {-5, 7, 90000000000, 1, 12, 3},
         {8, 4}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        (void)write_pair("pair.1.node", cases[i].node, "pair.1.ele", cases[i].ele);
        assert_pair(scratch_path("pair.1.node"), cases[i].tags, cases[i].elements, (int32_t[]){7, -8}, 0);
        assert_pair(scratch_path("pair.1.ele"), cases[i].tags, cases[i].elements, (int32_t[]){7, -8}, 0);
        (void)write_pair("CAPS.NODE", cases[i].node, "CAPS.ELE", cases[i].ele);
        assert_pair(scratch_path("CAPS.NODE"), cases[i].tags, cases[i].elements, (int32_t[]){7, -8}, 0);
        assert_pair(scratch_path("CAPS.ELE"), cases[i].tags, cases[i].elements, (int32_t[]){7, -8}, 0);
    }
}

/* Attributes that are no whole numbers tell no parts. */
static void test_without_regions(void **state) {
    (void)state;
    static const char *const elements[] = {"2 4 0\n1 1 2 4 5\n2 1 2 4 6", "2 4\n1 1 2 4 5 9\n2 1 2 4 6 9", "2\n1 1 2 4 5\n2 1 2 4 6",
                                           "2 4 1\n1 1 2 4 5 0.5\n2 1 2 4 6 1e99\n", "2 4 1\n1 1 2 4 5\n2 1 2 4 6\n"};
    for (size_t i = 0; i < sizeof elements / sizeof elements[0]; i++) {
        const char *path = write_pair("plain.node", "6 3\n" ROWS("1", "2", "3", "4", "5", "6"), "plain.ele", elements[i]);
        assert_pair(path, (int64_t[]){1, 2, 3, 4, 5, 6}, (int64_t[]){1, 2}, NULL, 0);
    }
}

#define NODES "4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n"
#define ELEMENTS "1 4 0\n1 1 2 3 4\n"

/* The file to blame is named, whichever was asked for. */
static void test_refusals(void **state) {
    (void)state;
    static const struct {
        const char *node, *ele, *blamed, *part;
    } cases[] = {
        {"", ELEMENTS, "bad.node", ":1: the file ends where the number of nodes is expected"},
        {"# nothing\n", ELEMENTS, "bad.node", ":2: the file ends where the number of nodes is expected"},
        {"4 2 0 0\n1 0 0\n", ELEMENTS, "bad.node", ":1: nodes have dimension 2; 3 is needed"},
        {"400 3 0 0\n1 0 0 0\n", ELEMENTS, "bad.node", ":1: a count of 400 nodes is more than the rest of the file can hold"},
        {"-4 3 0 0\n", ELEMENTS, "bad.node", ":1: a count of -4 nodes"},
        {"0 3 0 0\n", ELEMENTS, "bad.ele", ":2: element 1 refers to node 1"},
        {"2 3 0 0\n1 0 0 0    \n\n     ", ELEMENTS, "bad.node", ":4: the file ends where a node is expected"},
        {"2 3 0 0\n1 0 0\n2 0 0 0\n", ELEMENTS, "bad.node", ":2: node 1 needs three coordinates in its row"},
        {"2 3 0 0\n1 0 0 # 0\n2 0 0 0\n", ELEMENTS, "bad.node", ":2: a number is expected here"},
        {"2 3 0 0\n1 0 0 0\n2 0 inf 0\n", ELEMENTS, "bad.node", ":3: node 2 is not finite"},
        {"2 3 0 0\n1 0 0 0\n2 0 O 0\n", ELEMENTS, "bad.node", ":3: a number is expected here"},
        {"2 3 0 0\n1 0 0 0\nB 0 0 0\n", ELEMENTS, "bad.node", ":3: a whole number is expected here"},
        {"2 3 0 0\n1 0 0 0\n1 0 0 0\n", ELEMENTS, "bad.node", ":3: two nodes before this line have the number 1"},
        {NODES, "", "bad.ele", ":1: the file ends where the number of elements is expected"},
        {NODES, "1 5 0\n1 1 2 3 4 1\n", "bad.ele", ":1: elements have 5 nodes; 4 or 10 are needed"},
        {NODES, "24 -1 # d\n", "bad.ele", ":1: elements have -1 nodes; 4 or 10 are needed"},
        {NODES, "24 9223372036854775807\n", "bad.ele", ":1: elements have 9223372036854775807 nodes; 4 or 10 are needed"},
        {NODES, "100 4 0\n1 1 2 3 4 1\n", "bad.ele", ":1: a count of 100 elements is more than the rest of the file can hold"},
        {NODES, "2 4 0\n1 1 2 3 4           \n#\n", "bad.ele", ":4: the file ends where an element is expected"},
        {NODES, "2 4 0\n1 1 2 3\n2 1 2 3 4\n", "bad.ele", ":2: a node of the element is missing in this row"},
        {NODES, "1 4 0\n1 0 1 2 3\n", "bad.ele", ":2: element 1 refers to node 0, which does not exist"},
        {NODES, "1 4 1\n1 1 2 3 4 x\n", "bad.ele", ":2: a number is expected here"},
        {NODES, "0 4 0\n", "bad.node", ": the file has no tetrahedra"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *path = write_pair("bad.node", cases[i].node, "bad.ele", cases[i].ele);
        assert_tets_refused_as(path, scratch_path(cases[i].blamed), ABUT_ERROR_FORMAT, cases[i].part);
    }
    assert_tets_refused_as(scratch_text("alone.ele", ELEMENTS), scratch_path("alone.node"), ABUT_ERROR_FILE, ": cannot be read");
    assert_tets_refused_as(scratch_text("single.node", NODES), scratch_path("single.ele"), ABUT_ERROR_FILE, ": cannot be read");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_without_regions),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
