/*
 * The tree of boxes is that of the plain method, bit for bit: the bounds of every range, the cut of least surface over bins along each axis, and a stable
 * partition, one after the other.
 */
#include "geom/packed_tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/real.h"
#include "support/allocator.h"
#include "support/check.h"

/* ---- the plain method ---- */

enum { BINS = 16, MOST_LEVELS = 40 }; /* below this level, ranges are halved: no tree is deeper than PACKED_DEPTH */

typedef struct plain_builder {
    const abut_aabb *boxes;
    int32_t *order;
    packed_node *node;
    int32_t node_count;
    abut_vec3 middle;
    double scale;
} plain_builder;

static double component(abut_vec3 v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

static double twice_centre(const abut_aabb *box, int axis) { return component(box->lower, axis) + component(box->upper, axis); }

static abut_aabb nothing(void) { return (abut_aabb){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}}; }

static void include(abut_aabb *bounds, const abut_aabb *box) {
    bounds->lower = abut_vec3_make(real_min(bounds->lower.x, box->lower.x), real_min(bounds->lower.y, box->lower.y),
                                   real_min(bounds->lower.z, box->lower.z));
    bounds->upper = abut_vec3_make(real_max(bounds->upper.x, box->upper.x), real_max(bounds->upper.y, box->upper.y),
                                   real_max(bounds->upper.z, box->upper.z));
}

/* Half the surface area; 0 for an empty box. */
static double half_surface(const abut_aabb *box) {
    abut_vec3 e = abut_sub(box->upper, box->lower);
    return e.x >= 0.0 ? e.x * e.y + e.y * e.z + e.z * e.x : 0.0;
}

typedef struct bin {
    abut_aabb bounds;
    int32_t count;
} bin;

/* The extent of the centres of a range along an axis, and the bin of each centre. */
typedef struct span {
    int axis;
    double lower, scale;
} span;

static span span_of(const plain_builder *b, int32_t first, int32_t count, int axis) {
    double lower = INFINITY, upper = -INFINITY;
    for (int32_t i = first; i < first + count; i++) {
        double centre = twice_centre(&b->boxes[b->order[i]], axis);
        lower = real_min(lower, centre);
        upper = real_max(upper, centre);
    }
    double width = upper - lower;
    return (span){axis, lower, width > 0.0 ? BINS / width : 0.0};
}

static int bin_of(const span *s, const abut_aabb *box) {
    int at = (int)((twice_centre(box, s->axis) - s->lower) * s->scale);
    return at < BINS ? at : BINS - 1;
}

/* The best cut along the axis, behind a bin. Returns the sum over both halves of surface times number of items. */
static double best_cut(const plain_builder *b, int32_t first, int32_t count, const span *s, int *behind) {
    bin bins[BINS];
    for (int i = 0; i < BINS; i++) {
        bins[i] = (bin){nothing(), 0};
    }
    for (int32_t i = first; i < first + count; i++) {
        const abut_aabb *box = &b->boxes[b->order[i]];
        bin *into = &bins[bin_of(s, box)];
        include(&into->bounds, box);
        ++into->count;
    }
    double above[BINS], best = INFINITY;
    abut_aabb bounds = nothing();
    int32_t items = 0;
    for (int i = BINS - 1; i > 0; i--) {
        include(&bounds, &bins[i].bounds);
        items += bins[i].count;
        above[i] = half_surface(&bounds) * items;
    }
    bounds = nothing();
    items = 0;
    for (int i = 0; i + 1 < BINS; i++) {
        include(&bounds, &bins[i].bounds);
        items += bins[i].count;
        double cost = half_surface(&bounds) * items + above[i + 1];
        if (items > 0 && items < count && cost < best) {
            best = cost;
            *behind = i;
        }
    }
    return best;
}

/* Puts items of the bins up to the cut first; returns their number. Stable, so that the tree depends only on the boxes. */
static int32_t partition(plain_builder *b, int32_t first, int32_t count, const span *s, int behind, int32_t *scratch) {
    int32_t low = 0, high = 0;
    for (int32_t i = first; i < first + count; i++) {
        int32_t item = b->order[i];
        if (bin_of(s, &b->boxes[item]) <= behind) {
            b->order[first + low++] = item;
        } else {
            scratch[high++] = item;
        }
    }
    memcpy(&b->order[first + low], scratch, (size_t)high * sizeof *scratch);
    return low;
}

/* Returns the number of items of the range that go to the left; they are then in front. */
static int32_t split(plain_builder *b, int32_t first, int32_t count, int level, int32_t *scratch) {
    double best = INFINITY;
    span cut = {0, 0.0, 0.0};
    int behind = 0;
    for (int axis = 0; axis < 3 && level < MOST_LEVELS; axis++) {
        span s = span_of(b, first, count, axis);
        int at = 0;
        double cost = s.scale > 0.0 && s.scale < INFINITY ? best_cut(b, first, count, &s, &at) : INFINITY;
        if (cost < best) {
            best = cost;
            cut = s;
            behind = at;
        }
    }
    return best < INFINITY ? partition(b, first, count, &cut, behind, scratch) : count / 2;
}

static void build(plain_builder *b, int32_t first, int32_t count, int level, int32_t *scratch) {
    packed_node *node = &b->node[b->node_count++];
    abut_aabb bounds = nothing();
    for (int32_t i = first; i < first + count; i++) {
        include(&bounds, &b->boxes[b->order[i]]);
    }
    packed_bounds_write(&bounds, b->middle, b->scale, node->lower, node->upper);
    if (count <= PACKED_LEAF) {
        node->first = first;
        node->count = count;
        return;
    }
    int32_t left = split(b, first, count, level, scratch);
    node->count = 0;
    build(b, first, left, level + 1, scratch);
    node->first = b->node_count;
    build(b, first + left, count - left, level + 1, scratch);
}

/* ---- comparison ---- */

enum { MOST = 3000 };

typedef enum arrangement { SCATTERED, GRID, GROWING, EQUAL, IN_A_ROW, FLAT, HUGE_ONES, TINY, ARRANGEMENTS } arrangement;

static abut_aabb box_at(random_state *random, int32_t i, int32_t count, arrangement how) {
    abut_vec3 at = random_vec3(random, -1, 1), half = random_vec3(random, 0, 0.05);
    switch (how) {
    case GRID: /* many ties */
        at = abut_vec3_make(i % 17, i / 17 % 13, random_below(random, 3));
        half = abut_vec3_make(0.5, 0.5, 0.0);
        break;
    case GROWING:
        at = abut_vec3_make(pow(0.9, i), 0, 0);
        half = abut_scale(0.01 * at.x, abut_vec3_make(1, 1, 1));
        break;
    case EQUAL:
        at = half = abut_vec3_make(0.25, 0.25, 0.25);
        break;
    case IN_A_ROW:
        at = abut_vec3_make(0, 2.0 * i / count - 1.0, 0);
        half = abut_vec3_make(0, 0, 0);
        break;
    case FLAT:
        at.z = half.z = 0.0;
        break;
    case HUGE_ONES: /* sums of corners and surfaces overflow */
        at = abut_scale(random_below(random, 2) == 0 ? 1.2e308 : 1e200, at);
        half = abut_scale(1e150, half);
        break;
    case TINY:
        at = abut_scale(1e-310, at);
        half = abut_scale(1e-320, half);
        break;
    default:
        break;
    }
    return (abut_aabb){abut_sub(at, half), abut_add(at, half)};
}

static void check_tree(const abut_aabb *box, int32_t count) {
    static packed_node node[2 * MOST];
    static int32_t order[MOST], plain_order[MOST], scratch[MOST];
    packed_tree tree;
    assert_true(packed_tree_build(&tree, box, count, order));
    for (int32_t i = 0; i < count; i++) {
        plain_order[i] = i;
    }
    memset(node, 0, sizeof node);
    plain_builder plain = {.boxes = box, .order = plain_order, .node = node, .middle = tree.middle, .scale = tree.scale};
    build(&plain, 0, count, 0, scratch);
    assert_int_equal(tree.node_count, plain.node_count);
    assert_memory_equal(order, plain_order, (size_t)count * sizeof *order);
    assert_memory_equal(tree.node, node, (size_t)plain.node_count * sizeof *node);
    packed_tree_release(&tree);
}

static void trees_are_those_of_the_plain_method(void **state) {
    (void)state;
    static abut_aabb box[MOST];
    random_state random = random_make(random_seed("trees_are_those_of_the_plain_method", 9321));
    for (int32_t i = 0, samples = random_samples("trees_are_those_of_the_plain_method", 20000); i < samples; i++) {
        int32_t count = i % 97 == 0 ? MOST : 1 + random_below(&random, i % 2 == 0 ? 40 : 400);
        arrangement how = (arrangement)random_below(&random, ARRANGEMENTS);
        for (int32_t k = 0; k < count; k++) {
            box[k] = box_at(&random, k, count, how);
        }
        check_tree(box, count);
    }
}

static void no_memory(void **state) {
    (void)state;
    static abut_aabb box[100];
    int32_t order[100];
    random_state random = random_make(random_seed("no_memory", 9322));
    for (int32_t k = 0; k < 100; k++) {
        box[k] = box_at(&random, k, 100, SCATTERED);
    }
    bool built = false;
    for (int64_t refused = 0; !built; refused++) {
        packed_tree tree;
        counting_allocator memory = {.refuse_at = refused};
        counting_allocator_install(&memory);
        built = packed_tree_build(&tree, box, 100, order);
        assert_true(built || (tree.node == NULL && tree.node_count == 0));
        packed_tree_release(&tree);
        counting_allocator_remove();
        assert_true(refused < 20);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_are_those_of_the_plain_method),
        cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
