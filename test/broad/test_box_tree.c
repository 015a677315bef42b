/* The tree of boxes compared with a plain list: every query finds the same items, through thousands of insertions and removals. */
#include "support/check.h"
#include "support/random.h"

#include "broad/box_tree.h"

enum { ITEMS = 300 };

typedef struct found {
    int32_t count;
    bool item[ITEMS];
    int32_t stop_after;
} found;

static bool note(void *context, int32_t item) {
    found *f = context;
    assert_false(f->item[item]);
    f->item[item] = true;
    f->count++;
    return f->stop_after == 0 || f->count < f->stop_after;
}

static abut_aabb random_box(random_state *random, double reach, double size) {
    abut_vec3 lower = random_vec3(random, -reach, reach);
    abut_aabb box = {lower, abut_add(lower, random_vec3(random, 0.0, size))};
    return box;
}

/* Checks heights, boxes and links of the whole tree. Returns the number of leaves below the node. */
static int32_t check_node(const box_tree *boxes, int32_t node, int32_t parent) {
    const box_tree_node *n = &boxes->nodes[node];
    assert_int_equal(n->parent, parent);
    if (n->height == 0) {
        return 1;
    }
    const box_tree_node *left = &boxes->nodes[n->child[0]], *right = &boxes->nodes[n->child[1]];
    assert_true(aabb_contains(n->box, left->box) && aabb_contains(n->box, right->box));
    assert_int_equal(n->height, 1 + (left->height > right->height ? left->height : right->height));
    assert_in_range(left->height - right->height + 1, 0, 2);
    return check_node(boxes, n->child[0], node) + check_node(boxes, n->child[1], node);
}

static void test_finds_what_a_list_finds(void **state) {
    (void)state;
    random_state random = random_make(random_seed("box tree", 71));
    box_tree boxes = box_tree_empty();
    assert_true(box_tree_reserve(&boxes, ITEMS));
    int32_t leaf[ITEMS], alive = 0;
    abut_aabb box[ITEMS];
    for (int32_t i = 0; i < ITEMS; i++) {
        leaf[i] = -1;
    }
    for (int32_t round = 0; round < 4000; round++) {
        int32_t i = random_below(&random, ITEMS);
        if (leaf[i] >= 0) {
            box_tree_remove(&boxes, leaf[i]);
            leaf[i] = -1;
            alive--;
        } else {
            /* Small boxes, and occasionally a very large one, like a floor. */
            box[i] = random_below(&random, 20) == 0 ? random_box(&random, 1.0, 100.0) : random_box(&random, 10.0, 2.0);
            leaf[i] = box_tree_insert(&boxes, i, box[i]);
            alive++;
        }
        if (round % 16 == 0) {
            abut_aabb query = random_box(&random, 11.0, 4.0);
            found f = {0};
            assert_true(box_tree_query(&boxes, query, note, &f));
            for (int32_t k = 0; k < ITEMS; k++) {
                assert_int_equal(f.item[k], leaf[k] >= 0 && aabb_meets(box[k], query));
            }
            assert_int_equal(boxes.root < 0 ? 0 : check_node(&boxes, boxes.root, -1), alive);
        }
    }
    box_tree_release(&boxes);
}

static void test_equal_boxes_stay_shallow(void **state) {
    (void)state;
    box_tree boxes = box_tree_empty();
    assert_true(box_tree_reserve(&boxes, 1024));
    for (int32_t i = 0; i < 1024; i++) {
        abut_aabb box = {{0, 0, 0}, {1, 1, 1}};
        box_tree_insert(&boxes, i, box);
    }
    /* The height of a tree whose sides differ by one level at most: below 1.45 log2 of the number of leaves. */
    assert_in_range(boxes.nodes[boxes.root].height, 10, 14);
    box_tree_release(&boxes);
}

static void test_a_visit_can_end_the_query(void **state) {
    (void)state;
    box_tree boxes = box_tree_empty();
    assert_true(box_tree_reserve(&boxes, ITEMS));
    abut_aabb box = {{0, 0, 0}, {1, 1, 1}};
    found f = {0};
    assert_true(box_tree_query(&boxes, box, note, &f)); /* empty */
    assert_int_equal(f.count, 0);
    for (int32_t i = 0; i < 10; i++) {
        box_tree_insert(&boxes, i, box);
    }
    f.stop_after = 3;
    assert_false(box_tree_query(&boxes, box, note, &f));
    assert_int_equal(f.count, 3);
    box_tree_release(&boxes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_finds_what_a_list_finds),
        cmocka_unit_test(test_equal_boxes_stay_shallow),
        cmocka_unit_test(test_a_visit_can_end_the_query),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
