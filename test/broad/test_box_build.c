/* A tree that is built at once: balanced, finds what a list finds, and goes on with insertions and removals. */
#include "support/check.h"
#include "support/random.h"

#include <stdlib.h>

#include "broad/box_tree.h"

enum { MOST = 400 };

static bool note(void *context, int32_t item) {
    bool *found = context;
    assert_false(found[item]);
    found[item] = true;
    return true;
}

/* Checks links, boxes and balance. Returns the number of leaves below the node. */
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

/* Scattered boxes; all the same; in order along a line; on a grid, with many equal centres; some of them without end. */
static abut_aabb box_of(random_state *r, int32_t way, int32_t i) {
    abut_vec3 lower = random_vec3(r, -10.0, 10.0);
    abut_aabb box = {lower, abut_add(lower, random_vec3(r, 0.0, 2.0))};
    if (way == 1) {
        return (abut_aabb){{0, 0, 0}, {1, 1, 1}};
    }
    if (way == 2) {
        return (abut_aabb){{i, 0, 0}, {i + 0.5, 1, 1}};
    }
    if (way == 3) {
        double x = random_below(r, 3), y = random_below(r, 3);
        return (abut_aabb){{x, y, 0}, {x + 1, y + 1, 1}};
    }
    if (way == 4 && random_below(r, 4) == 0) {
        box.upper.x = INFINITY;
        box.lower.x = random_below(r, 2) ? -INFINITY : box.lower.x;
    }
    return box;
}

static void check_queries(const box_tree *boxes, random_state *r, const abut_aabb *box, const int32_t *leaf, int32_t count) {
    for (int32_t k = 0; k < 8; k++) {
        bool found[MOST] = {false};
        abut_aabb query = box_of(r, 0, 0);
        query = aabb_grown(query, k);
        assert_true(box_tree_query(boxes, query, note, found));
        for (int32_t i = 0; i < count; i++) {
            assert_int_equal(found[i], leaf[i] >= 0 && aabb_meets(box[i], query));
        }
    }
}

static void test_finds_what_a_list_finds(void **state) {
    (void)state;
    random_state r = random_make(random_seed("box build", 73));
    box_tree boxes = box_tree_empty();
    assert_true(box_tree_reserve(&boxes, MOST));
    for (int32_t run = 0; run < 60; run++) {
        box_tree_leaf leaves[MOST];
        abut_aabb box[MOST];
        int32_t leaf[MOST], count = run < 12 ? run : random_below(&r, MOST);
        for (int32_t i = 0; i < count; i++) {
            box[i] = box_of(&r, run % 5, i);
            leaves[i] = (box_tree_leaf){.box = box[i], .item = i};
        }
        box_tree_build(&boxes, leaves, count);
        assert_int_equal(boxes.root < 0 ? 0 : check_node(&boxes, boxes.root, -1), count);
        for (int32_t i = 0; i < count; i++) {
            leaf[leaves[i].item] = leaves[i].node;
        }
        check_queries(&boxes, &r, box, leaf, count);
        for (int32_t k = 0; k < 100 && count > 0; k++) {
            int32_t i = random_below(&r, count);
            if (leaf[i] >= 0) {
                box_tree_remove(&boxes, leaf[i]);
                leaf[i] = -1;
            } else {
                leaf[i] = box_tree_insert(&boxes, i, box[i]);
            }
        }
        check_queries(&boxes, &r, box, leaf, count);
    }
    box_tree_release(&boxes);
}

/* The height is the least that a tree of so many leaves can have. */
static void test_is_as_low_as_can_be(void **state) {
    (void)state;
    random_state r = random_make(random_seed("box build height", 74));
    box_tree boxes = box_tree_empty();
    static box_tree_leaf leaves[MOST];
    assert_true(box_tree_reserve(&boxes, MOST));
    for (int32_t count = 1; count <= MOST; count++) {
        int32_t least = 0;
        for (int32_t i = 0; i < count; i++) {
            leaves[i] = (box_tree_leaf){.box = box_of(&r, count % 4, i), .item = i};
        }
        while (1 << least < count) {
            least++;
        }
        box_tree_build(&boxes, leaves, count);
        assert_int_equal(boxes.nodes[boxes.root].height, least);
    }
    box_tree_release(&boxes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_finds_what_a_list_finds),
        cmocka_unit_test(test_is_as_low_as_can_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
