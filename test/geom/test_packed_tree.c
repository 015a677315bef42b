/* Queries with boxes, rays, points and balls (geom/packed_ball.c): the tree compared with all items. The items are uneven, equal, huge, tiny or far away.
 * Also the depth of the tree. */
#include "geom/packed_ball.h"

#include <stdlib.h>

#include "support/allocator.h"
#include "support/check.h"

enum { MOST = 700 };

typedef struct items {
    abut_aabb box[MOST];
    int32_t order[MOST];
    int32_t count;
    packed_tree tree;
    double size; /* size of the region with the items */
    abut_vec3 middle;
} items;

typedef enum arrangement { SCATTERED, GROWING, EQUAL, IN_A_ROW, ARRANGEMENTS } arrangement;

static void fill(items *of, random_state *random, int32_t count, arrangement how, double size, abut_vec3 middle) {
    of->count = count;
    of->size = size;
    of->middle = middle;
    for (int32_t i = 0; i < count; i++) {
        abut_vec3 at = random_vec3(random, -1, 1), half = random_vec3(random, 0, 0.05);
        if (how == GROWING) {
            at = abut_vec3_make(pow(0.9, i), 0, 0); /* ever closer together: halving the region splits off one item at a time */
            half = abut_scale(0.01 * at.x, abut_vec3_make(1, 1, 1));
        } else if (how == EQUAL) {
            at = half = abut_vec3_make(0.25, 0.25, 0.25);
        } else if (how == IN_A_ROW) {
            at = abut_vec3_make(0, 2.0 * i / count - 1.0, 0);
            half = abut_vec3_make(0, 0, 0);
        }
        at = abut_add_scaled(middle, size, at);
        half = abut_scale(size, half);
        of->box[i] = (abut_aabb){abut_sub(at, half), abut_add(at, half)};
    }
    assert_true(packed_tree_build(&of->tree, of->box, count, of->order));
}

/* Every item is in one slot, every slot in one leaf. */
static void check_slots(const items *of) {
    uint8_t seen[MOST] = {0}, covered[MOST] = {0};
    for (int32_t i = 0; i < of->count; i++) {
        assert_in_range(of->order[i], 0, of->count - 1);
        seen[of->order[i]]++;
    }
    for (int32_t n = 0; n < of->tree.node_count; n++) {
        const packed_node *node = &of->tree.node[n];
        assert_in_range(node->count, 0, PACKED_LEAF);
        for (int32_t i = 0; i < node->count; i++) {
            covered[node->first + i]++;
        }
    }
    for (int32_t i = 0; i < of->count; i++) {
        assert_int_equal(seen[i], 1);
        assert_int_equal(covered[i], 1);
    }
}

static bool boxes_meet(abut_aabb p, abut_aabb q) {
    return p.lower.x <= q.upper.x && q.lower.x <= p.upper.x && p.lower.y <= q.upper.y && q.lower.y <= p.upper.y && p.lower.z <= q.upper.z &&
           q.lower.z <= p.upper.z;
}

static void mark(const items *of, packed_leaf leaf, uint8_t found[MOST]) {
    for (int32_t i = 0; i < leaf.count; i++) {
        assert_int_equal(found[of->order[leaf.first + i]]++, 0);
    }
}

static void check_boxes(const items *of, random_state *random) {
    abut_vec3 at = abut_add_scaled(of->middle, of->size, random_vec3(random, -1.2, 1.2));
    abut_vec3 half = abut_scale(of->size * random_log_range(random, 1e-3, 2.0), abut_vec3_make(1, 1, 1));
    abut_aabb wanted = {abut_sub(at, half), abut_add(at, half)};
    uint8_t found[MOST] = {0};
    packed_box_walk walk;
    packed_leaf leaf;
    for (packed_box_begin(&walk, &of->tree, wanted); packed_box_next(&walk, &leaf);) {
        mark(of, leaf, found);
    }
    for (int32_t i = 0; i < of->count; i++) {
        assert_true(found[i] || !boxes_meet(of->box[i], wanted));
    }
}

/* Whether the midpoint of the ray's part inside the box lies clearly in the box. */
static bool ray_meets(abut_aabb box, abut_vec3 origin, abut_vec3 way, double *from) {
    const double o[3] = {origin.x, origin.y, origin.z}, w[3] = {way.x, way.y, way.z};
    const double lower[3] = {box.lower.x, box.lower.y, box.lower.z}, upper[3] = {box.upper.x, box.upper.y, box.upper.z};
    double to = 1.0;
    *from = 0.0;
    for (int k = 0; k < 3; k++) {
        double p = (lower[k] - o[k]) / w[k], q = (upper[k] - o[k]) / w[k];
        *from = fmax(*from, fmin(p, q));
        to = fmin(to, fmax(p, q));
    }
    return *from <= to;
}

static void check_rays(const items *of, random_state *random) {
    abut_vec3 origin = abut_add_scaled(of->middle, of->size, random_vec3(random, -2, 2));
    int32_t aim = random_below(random, of->count);
    abut_vec3 way = abut_scale(2.0, abut_sub(abut_lerp(of->box[aim].lower, of->box[aim].upper, 0.5), origin));
    uint8_t found[MOST] = {0};
    packed_ray_walk walk;
    packed_leaf leaf;
    for (packed_ray_begin(&walk, &of->tree, origin, way); packed_ray_next(&walk, 1.0, &leaf);) {
        mark(of, leaf, found);
    }
    assert_true(found[aim]);
    double nearest = INFINITY, from;
    for (int32_t i = 0; i < of->count; i++) {
        bool met = ray_meets(of->box[i], origin, way, &from);
        assert_true(found[i] || !met);
        nearest = met ? fmin(nearest, from) : nearest;
    }
    /* A ray that shrinks at each hit still finds the first hit. */
    double least = INFINITY;
    for (packed_ray_begin(&walk, &of->tree, origin, way); packed_ray_next(&walk, fmin(least, 1.0), &leaf);) {
        for (int32_t i = 0; i < leaf.count; i++) {
            if (ray_meets(of->box[of->order[leaf.first + i]], origin, way, &from)) {
                least = fmin(least, from);
            }
        }
    }
    assert_true(least == nearest);
}

static double box_distance(abut_aabb box, abut_vec3 p) {
    abut_vec3 d = {fmax(0.0, fmax(box.lower.x - p.x, p.x - box.upper.x)), fmax(0.0, fmax(box.lower.y - p.y, p.y - box.upper.y)),
                   fmax(0.0, fmax(box.lower.z - p.z, p.z - box.upper.z))};
    return abut_length(d);
}

static void check_nearest(const items *of, random_state *random) {
    abut_vec3 p = abut_add_scaled(of->middle, of->size, random_vec3(random, -2, 2));
    double least = INFINITY, expected = INFINITY;
    packed_near_walk walk;
    packed_leaf leaf;
    for (packed_near_begin(&walk, &of->tree, p); packed_near_next(&walk, least, &leaf);) {
        for (int32_t i = 0; i < leaf.count; i++) {
            least = fmin(least, box_distance(of->box[of->order[leaf.first + i]], p));
        }
    }
    for (int32_t i = 0; i < of->count; i++) {
        expected = fmin(expected, box_distance(of->box[i], p));
    }
    assert_true(least == expected);
}

/* The query finds all near items, each once. It visits no leaf unless the box around its items is near, within the rounding error of boxes and limit. */
static void check_balls(const items *of, random_state *random) {
    abut_vec3 p = abut_add_scaled(of->middle, of->size, random_vec3(random, -2, 2));
    double radius = random_below(random, 5) == 0 ? INFINITY : of->size * random_log_range(random, 1e-3, 3.0), spread = 0.0;
    uint8_t found[MOST] = {0};
    packed_ball_walk walk;
    packed_leaf leaf;
    for (packed_ball_begin(&walk, &of->tree, p, radius); packed_ball_next(&walk, &leaf);) {
        mark(of, leaf, found);
        abut_aabb bounds = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
        for (int32_t i = 0; i < leaf.count; i++) {
            abut_aabb box = of->box[of->order[leaf.first + i]];
            bounds.lower =
                abut_vec3_make(fmin(bounds.lower.x, box.lower.x), fmin(bounds.lower.y, box.lower.y), fmin(bounds.lower.z, box.lower.z));
            bounds.upper =
                abut_vec3_make(fmax(bounds.upper.x, box.upper.x), fmax(bounds.upper.y, box.upper.y), fmax(bounds.upper.z, box.upper.z));
        }
        spread = fmax(spread, box_distance(bounds, p));
    }
    /* Single precision, in the tree's own unit: a million units away all boxes look the same. */
    abut_vec3 seen = abut_sub(p, of->tree.middle);
    double unit = 1.0 / of->tree.scale, far = fabs(seen.x) + fabs(seen.y) + fabs(seen.z);
    assert_true(spread <= radius + 1e-5 * (unit + far + radius) || far >= 1e6 * unit);
    for (int32_t i = 0; i < of->count; i++) {
        assert_true(found[i] || box_distance(of->box[i], p) > radius);
    }
}

static void against_all_items(void **state) {
    (void)state;
    random_state random = random_make(random_seed("against_all_items", 401));
    static const int32_t counts[] = {1, 2, 4, 5, 9, 64, MOST};
    static const struct {
        double size;
        abut_vec3 middle;
    } places[] = {{1.0, {0, 0, 0}}, {1e-40, {0, 0, 0}}, {1e45, {0, 0, 0}}, {1.0, {1e6, -3e6, 2e5}}, {0.3, {0.7, 0, 0}}};
    items *of = check_memory(1, sizeof *of);
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        for (int how = 0; how < ARRANGEMENTS; how++) {
            for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
                fill(of, &random, counts[c], (arrangement)how, places[k].size, places[k].middle);
                check_slots(of);
                for (int query = 0; query < 30; query++) {
                    check_boxes(of, &random);
                    check_rays(of, &random);
                    check_nearest(of, &random);
                    check_balls(of, &random);
                }
                packed_tree_release(&of->tree);
            }
        }
    }
    free(of);
}

static int32_t depth_of(const packed_tree *tree, int32_t at) {
    const packed_node *node = &tree->node[at];
    if (node->count > 0) {
        return 1;
    }
    int32_t left = depth_of(tree, at + 1), right = depth_of(tree, node->first);
    return 1 + (left > right ? left : right);
}

/* Boxes at ever smaller distances, over all powers of two of a double: the heuristic splits off a few at a time. */
static void never_too_deep(void **state) {
    (void)state;
    enum { COUNT = 20000 };
    abut_aabb *boxes = check_memory(COUNT, sizeof *boxes);
    int32_t *order = check_memory(COUNT, sizeof *order);
    for (int32_t i = 0; i < COUNT; i++) {
        double at = ldexp(1.0 + i % 20 * 1e-3, -(i / 20));
        boxes[i] = (abut_aabb){{at, 0, 0}, {at * (1.0 + 1e-4), at, at}};
    }
    packed_tree tree;
    assert_true(packed_tree_build(&tree, boxes, COUNT, order));
    assert_in_range(depth_of(&tree, 0), 10, PACKED_DEPTH - 1);
    packed_tree_release(&tree);
    free(boxes);
    free(order);
}

static void empty_and_without_memory(void **state) {
    (void)state;
    packed_tree tree;
    int32_t order[2];
    abut_aabb boxes[2] = {{{0, 0, 0}, {1, 1, 1}}, {{2, 0, 0}, {3, 1, 1}}};
    assert_true(packed_tree_build(&tree, boxes, 0, order));
    packed_box_walk walk;
    packed_leaf leaf;
    packed_box_begin(&walk, &tree, boxes[0]);
    assert_false(packed_box_next(&walk, &leaf));
    assert_true(packed_tree_bytes(&tree) == 0);
    for (int64_t refused = 0; refused < 3; refused++) {
        counting_allocator memory = {.refuse_at = refused};
        counting_allocator_install(&memory);
        bool built = packed_tree_build(&tree, boxes, 2, order);
        counting_allocator_remove();
        assert_false(built);
        assert_null(tree.node);
        assert_int_equal(memory.live, 0);
    }
}

/* ---- refitting ---- */

/* The same boxes give the same tree, to the last bit. Moved boxes give a tree that contains them. */
static void test_refit(void **state) {
    (void)state;
    static items of;
    random_state random = random_make(random_seed("refit", 77));
    for (int how = SCATTERED; how < ARRANGEMENTS; how++) {
        fill(&of, &random, 300, (arrangement)how, 2.0, abut_vec3_make(5, -3, 1));
        packed_tree again;
        assert_true(packed_tree_refit(&again, &of.tree, of.box, of.count, of.order));
        assert_int_equal(again.node_count, of.tree.node_count);
        assert_memory_equal(again.node, of.tree.node, packed_tree_bytes(&again));
        packed_tree_release(&again);
        for (int32_t i = 0; i < of.count; i++) {
            abut_vec3 move = random_vec3(&random, -1, 1);
            of.box[i] = (abut_aabb){abut_add(of.box[i].lower, move), abut_add(of.box[i].upper, move)};
        }
        assert_true(packed_tree_refit(&again, &of.tree, of.box, of.count, of.order));
        for (int32_t n = 0; n < again.node_count; n++) {
            abut_aabb box = packed_node_box(&again, n);
            for (int32_t slot = again.node[n].first; slot < again.node[n].first + again.node[n].count; slot++) {
                const abut_aabb *own = &of.box[of.order[slot]];
                assert_true(box.lower.x <= own->lower.x - again.middle.x && box.upper.x >= own->upper.x - again.middle.x);
                assert_true(box.lower.y <= own->lower.y - again.middle.y && box.upper.z >= own->upper.z - again.middle.z);
            }
            if (again.node[n].count == 0) {
                abut_aabb left = packed_node_box(&again, n + 1), right = packed_node_box(&again, again.node[n].first);
                assert_true(box.lower.x == fmin(left.lower.x, right.lower.x) && box.upper.y == fmax(left.upper.y, right.upper.y));
            }
        }
        packed_tree_release(&again);
        packed_tree_release(&of.tree);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refit),
        cmocka_unit_test(against_all_items),
        cmocka_unit_test(never_too_deep),
        cmocka_unit_test(empty_and_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
