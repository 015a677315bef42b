/* Builds a tree of boxes at once, from the top down: the leaves of a node are halved about the median of their centres along the axis on which these are
 * farthest apart. So the sides of a node never differ by more than one level. The children of a node are neighbours in memory. */
#include "broad/box_tree.h"

#include <stdlib.h>

static double centre_of(double lower, double upper) {
    double centre = 0.5 * lower + 0.5 * upper;
    return isfinite(centre) ? centre : 0.0;
}

static int axis_of(const box_tree_leaf *leaves, int32_t count) {
    double least[3] = {INFINITY, INFINITY, INFINITY}, most[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int32_t i = 0; i < count; i++) {
        for (int axis = 0; axis < 3; axis++) {
            least[axis] = real_min_number(least[axis], leaves[i].centre[axis]);
            most[axis] = real_max_number(most[axis], leaves[i].centre[axis]);
        }
    }
    double x = most[0] - least[0], y = most[1] - least[1], z = most[2] - least[2];
    return x >= y && x >= z ? 0 : y >= z ? 1 : 2;
}

/* A strict order: items differ. */
static bool is_before(const box_tree_leaf *p, const box_tree_leaf *q, int axis) {
    return p->centre[axis] < q->centre[axis] || (p->centre[axis] == q->centre[axis] && p->item < q->item);
}

static int order_by(const void *a, const void *b, int axis) { return is_before(a, b, axis) ? -1 : is_before(b, a, axis); }
static int by_x(const void *a, const void *b) { return order_by(a, b, 0); }
static int by_y(const void *a, const void *b) { return order_by(a, b, 1); }
static int by_z(const void *a, const void *b) { return order_by(a, b, 2); }

static void exchange(box_tree_leaf *leaves, int32_t i, int32_t j) {
    box_tree_leaf kept = leaves[i];
    leaves[i] = leaves[j];
    leaves[j] = kept;
}

/* The middle one of the first, the middle and the last leaf, which goes to the front. */
static void put_pivot_first(box_tree_leaf *leaves, int32_t count, int axis) {
    int32_t a = 0, b = count / 2, c = count - 1;
    bool ab = is_before(&leaves[a], &leaves[b], axis), bc = is_before(&leaves[b], &leaves[c], axis),
         ac = is_before(&leaves[a], &leaves[c], axis);
    exchange(leaves, 0, ab == bc ? b : ab == ac ? c : a);
}

/* Puts the leaves below the pivot before it, and returns its place. */
static int32_t divide(box_tree_leaf *leaves, int32_t count, int axis) {
    int32_t place = 0;
    put_pivot_first(leaves, count, axis);
    for (int32_t i = 1; i < count; i++) {
        if (is_before(&leaves[i], &leaves[0], axis)) {
            exchange(leaves, ++place, i);
        }
    }
    exchange(leaves, 0, place);
    return place;
}

/* Puts the `middle` least leaves to the front: C. A. R. Hoare, "Find", 1961. Where its pivots are bad, the rest is sorted. */
static void select_least(box_tree_leaf *leaves, int32_t count, int32_t middle, int axis) {
    static int (*const orders[3])(const void *, const void *) = {by_x, by_y, by_z};
    enum { MOST_DIVISIONS = 40, FEW = 8 };
    for (int32_t divisions = 0; divisions < MOST_DIVISIONS && count > FEW; divisions++) {
        int32_t place = divide(leaves, count, axis);
        if (place == middle) {
            return;
        }
        if (place > middle) {
            count = place;
        } else {
            leaves += place + 1;
            count -= place + 1;
            middle -= place + 1;
        }
    }
    qsort(leaves, (size_t)count, sizeof *leaves, orders[axis]);
}

/* Makes the tree of these leaves below a node, whose parent is set. */
static void fill(box_tree *boxes, int32_t node, box_tree_leaf *leaves, int32_t count) {
    box_tree_node *n = &boxes->nodes[node];
    if (count == 1) {
        n->box = leaves->box;
        n->child[0] = n->child[1] = -1;
        n->height = 0;
        n->item = leaves->item;
        leaves->node = node;
        return;
    }
    int32_t half = count / 2;
    select_least(leaves, count, half, axis_of(leaves, count));
    n->child[0] = boxes->used++;
    n->child[1] = boxes->used++;
    n->item = -1;
    for (int side = 0; side < 2; side++) {
        boxes->nodes[n->child[side]].parent = node;
        fill(boxes, n->child[side], side == 0 ? leaves : leaves + half, side == 0 ? half : count - half);
    }
    const box_tree_node *left = &boxes->nodes[n->child[0]], *right = &boxes->nodes[n->child[1]];
    n->box = aabb_union(left->box, right->box);
    n->height = 1 + (left->height > right->height ? left->height : right->height);
}

void box_tree_build(box_tree *boxes, box_tree_leaf *leaves, int32_t count) {
    boxes->used = 0;
    boxes->free_first = -1;
    boxes->root = -1;
    for (int32_t i = 0; i < count; i++) {
        const abut_aabb *box = &leaves[i].box;
        leaves[i].centre[0] = centre_of(box->lower.x, box->upper.x);
        leaves[i].centre[1] = centre_of(box->lower.y, box->upper.y);
        leaves[i].centre[2] = centre_of(box->lower.z, box->upper.z);
    }
    if (count > 0) {
        boxes->root = boxes->used++;
        boxes->nodes[boxes->root].parent = -1;
        fill(boxes, boxes->root, leaves, count);
    }
}
