/* A tree of boxes. A new leaf goes where it enlarges the surface of the boxes least, because the surface determines how often a query
 * descends. Rotations keep the two sides of every node within one level of each other, so equal boxes and sorted input cost no more than
 * other input. */
#include "broad/box_tree.h"

#include <math.h>

#include "base/array.h"
#include "base/memory.h"

box_tree box_tree_empty(void) {
    box_tree boxes = {NULL, 0, 0, -1, -1};
    return boxes;
}

void box_tree_release(box_tree *boxes) {
    memory_release(boxes->nodes);
    *boxes = box_tree_empty();
}

bool box_tree_reserve(box_tree *boxes, int32_t leaves) {
    if (leaves > INT32_MAX / 4) {
        return false;
    }
    return array_extend(&boxes->nodes, &boxes->capacity, boxes->used, 2 * leaves, sizeof *boxes->nodes);
}

static int32_t take_node(box_tree *boxes) {
    int32_t node = boxes->free_first;
    if (node >= 0) {
        boxes->free_first = boxes->nodes[node].parent;
    } else {
        node = boxes->used++;
    }
    return node;
}

static void give_node(box_tree *boxes, int32_t node) {
    boxes->nodes[node].parent = boxes->free_first;
    boxes->free_first = node;
}

/* Half the surface area. Infinite for boxes whose extents overflow; such boxes still make a valid tree. */
static double surface(abut_aabb box) {
    abut_vec3 d = abut_sub(box.upper, box.lower);
    return d.x * d.y + d.y * d.z + d.z * d.x;
}

static void refit(box_tree *boxes, int32_t node) {
    box_tree_node *n = &boxes->nodes[node];
    const box_tree_node *left = &boxes->nodes[n->child[0]], *right = &boxes->nodes[n->child[1]];
    n->box = aabb_union(left->box, right->box);
    n->height = 1 + (left->height > right->height ? left->height : right->height);
}

/* Replaces the child `old` of the parent, or the root, by `replacement`. */
static void replace_child(box_tree *boxes, int32_t parent, int32_t old, int32_t replacement) {
    if (parent < 0) {
        boxes->root = replacement;
    } else {
        boxes->nodes[parent].child[boxes->nodes[parent].child[1] == old] = replacement;
    }
    boxes->nodes[replacement].parent = parent;
}

/* The child on `side` is two levels higher than the other child. It takes the node's place, keeps its own higher child and gives the lower
 * one to the node. Returns the child. */
static int32_t rotate(box_tree *boxes, int32_t node, int side) {
    box_tree_node *nodes = boxes->nodes;
    int32_t riser = nodes[node].child[side];
    int keep = nodes[nodes[riser].child[1]].height > nodes[nodes[riser].child[0]].height;
    int32_t down = nodes[riser].child[!keep];
    replace_child(boxes, nodes[node].parent, node, riser);
    nodes[riser].child[!keep] = node;
    nodes[node].parent = riser;
    nodes[node].child[side] = down;
    nodes[down].parent = node;
    refit(boxes, node);
    refit(boxes, riser);
    return riser;
}

/* Updates boxes, heights and balance from the node up to the root. */
static void repair_upward(box_tree *boxes, int32_t node) {
    while (node >= 0) {
        const box_tree_node *n = &boxes->nodes[node];
        int32_t lean = boxes->nodes[n->child[1]].height - boxes->nodes[n->child[0]].height;
        if (lean > 1 || lean < -1) {
            node = rotate(boxes, node, lean > 1);
        } else {
            refit(boxes, node);
        }
        node = boxes->nodes[node].parent;
    }
}

/* The growth of the surface when the box goes below a child. A leaf gets a new parent with the surface of the union; an inner node grows. */
static double descent_cost(const box_tree_node *child, abut_aabb box) {
    double joined = surface(aabb_union(child->box, box));
    return child->height == 0 ? joined : joined - surface(child->box);
}

/* The leaf beside which the box enlarges the tree least, by a greedy walk from the root. The walk always ends at a leaf, even where
 * stopping earlier would be a little better. That keeps the heights of a node's sides within one level, so one rotation per node restores
 * the balance. */
static int32_t choose_sibling(const box_tree *boxes, abut_aabb box) {
    int32_t node = boxes->root;
    while (boxes->nodes[node].height > 0) {
        const int32_t *child = boxes->nodes[node].child;
        double left = descent_cost(&boxes->nodes[child[0]], box);
        double right = descent_cost(&boxes->nodes[child[1]], box);
        bool lower = boxes->nodes[child[1]].height < boxes->nodes[child[0]].height;
        /* Equal boxes: go to the lower side. */
        node = child[right < left || (!(left < right) && lower)];
    }
    return node;
}

int32_t box_tree_insert(box_tree *boxes, int32_t item, abut_aabb box) {
    int32_t leaf = take_node(boxes);
    boxes->nodes[leaf] = (box_tree_node){.box = box, .parent = -1, .child = {-1, -1}, .height = 0, .item = item};
    if (boxes->root < 0) {
        boxes->root = leaf;
        return leaf;
    }
    int32_t sibling = choose_sibling(boxes, box);
    int32_t parent = take_node(boxes);
    boxes->nodes[parent] = (box_tree_node){.parent = -1, .child = {sibling, leaf}, .item = -1};
    replace_child(boxes, boxes->nodes[sibling].parent, sibling, parent);
    boxes->nodes[sibling].parent = parent;
    boxes->nodes[leaf].parent = parent;
    repair_upward(boxes, parent);
    return leaf;
}

void box_tree_remove(box_tree *boxes, int32_t leaf) {
    int32_t parent = boxes->nodes[leaf].parent;
    give_node(boxes, leaf);
    if (parent < 0) {
        boxes->root = -1;
        return;
    }
    int32_t sibling = boxes->nodes[parent].child[boxes->nodes[parent].child[0] == leaf];
    int32_t grandparent = boxes->nodes[parent].parent;
    replace_child(boxes, grandparent, parent, sibling);
    give_node(boxes, parent);
    repair_upward(boxes, grandparent);
}

bool box_tree_query(const box_tree *boxes, abut_aabb box, box_tree_visit *visit, void *context) {
    /* A walk along the links needs no stack: the node we came from tells what is left to visit. */
    int32_t node = boxes->root, from = -1;
    while (node >= 0) {
        const box_tree_node *n = &boxes->nodes[node];
        int32_t next = n->parent;
        if (from == n->parent) {
            if (aabb_meets(n->box, box)) {
                if (n->height > 0) {
                    next = n->child[0];
                } else if (!visit(context, n->item)) {
                    return false;
                }
            }
        } else if (from == n->child[0]) {
            next = n->child[1];
        }
        from = node;
        node = next;
    }
    return true;
}

typedef struct waiting_node {
    int32_t node;
    double bound;
} waiting_node;

static bool is_within(double bound, double limit) { return bound <= limit && bound < INFINITY; }

/* One node waits on each level of the tree. Rotations keep the height below 1.45 log2 of the number of leaves, which an int32_t counts. */
void box_tree_search(const box_tree *boxes, double limit, box_tree_bound *bound, box_tree_offer *offer, void *context) {
    enum { MOST_LEVELS = 64 };
    waiting_node waiting[MOST_LEVELS];
    int32_t count = 0;
    if (boxes->root >= 0) {
        waiting[count++] = (waiting_node){boxes->root, bound(context, &boxes->nodes[boxes->root].box)};
    }
    while (count > 0) {
        waiting_node next = waiting[--count];
        const box_tree_node *n = &boxes->nodes[next.node];
        if (!is_within(next.bound, limit)) {
            continue;
        }
        if (n->height == 0) {
            limit = offer(context, n->item);
            continue;
        }
        waiting_node left = {n->child[0], bound(context, &boxes->nodes[n->child[0]].box)};
        waiting_node right = {n->child[1], bound(context, &boxes->nodes[n->child[1]].box)};
        bool left_first = left.bound <= right.bound;
        waiting[count++] = left_first ? right : left;
        waiting[count++] = left_first ? left : right;
    }
}
