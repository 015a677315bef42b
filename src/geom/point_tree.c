/* Support queries on arbitrary sets of points by branch and bound over a balanced tree of axis-aligned boxes. */

#include "geom/point_tree.h"

#include <math.h>

#include "base/memory.h"
#include "base/real.h"

enum { leaf_size = 12, max_levels = 32 };

static double coordinate(abut_vec3 p, int axis) { return axis == 0 ? p.x : axis == 1 ? p.y : p.z; }

static abut_aabb box_of(const point_tree *tree, int32_t begin, int32_t end) {
    abut_aabb box = {tree->points[tree->index[begin]], tree->points[tree->index[begin]]};
    for (int32_t i = begin + 1; i < end; i++) {
        abut_vec3 p = tree->points[tree->index[i]];
        box.lower = abut_vec3_make(real_min_number(box.lower.x, p.x), real_min_number(box.lower.y, p.y), real_min_number(box.lower.z, p.z));
        box.upper = abut_vec3_make(real_max_number(box.upper.x, p.x), real_max_number(box.upper.y, p.y), real_max_number(box.upper.z, p.z));
    }
    return box;
}

/* Rearranges index[begin, end) so that no coordinate before `middle` exceeds one after it (Hoare's selection, median of three). */
static void select_middle(point_tree *tree, int32_t begin, int32_t end, int32_t middle, int axis) {
    int32_t *index = tree->index;
    int32_t low = begin, high = end - 1;
    while (low < high) {
        double a = coordinate(tree->points[index[low]], axis), b = coordinate(tree->points[index[low + (high - low) / 2]], axis);
        double c = coordinate(tree->points[index[high]], axis);
        double pivot = real_max_number(real_min_number(a, b), real_min_number(real_max_number(a, b), c));
        int32_t i = low, j = high;
        while (i <= j) {
            while (coordinate(tree->points[index[i]], axis) < pivot) {
                i++;
            }
            while (coordinate(tree->points[index[j]], axis) > pivot) {
                j--;
            }
            if (i <= j) {
                int32_t t = index[i];
                index[i++] = index[j];
                index[j--] = t;
            }
        }
        if (middle <= j) {
            high = j;
        } else if (middle >= i) {
            low = i;
        } else {
            return;
        }
    }
}

/* The points of node `number` of its level. The range is halved from level to level, so it need not be stored. */
static void split(point_tree *tree, int32_t node, int32_t level, int32_t begin, int32_t end) {
    tree->box[node] = box_of(tree, begin, end);
    if (level + 1 == tree->levels) {
        return;
    }
    abut_vec3 extent = abut_sub(tree->box[node].upper, tree->box[node].lower);
    int axis = extent.x >= extent.y && extent.x >= extent.z ? 0 : extent.y >= extent.z ? 1 : 2;
    int32_t middle = begin + (end - begin) / 2;
    select_middle(tree, begin, end, middle, axis);
    split(tree, 2 * node + 1, level + 1, begin, middle);
    split(tree, 2 * node + 2, level + 1, middle, end);
}

abut_status point_tree_make(point_tree *tree, const abut_vec3 *points, const int32_t *subset, int32_t count) {
    *tree = (point_tree){.points = points, .count = count, .levels = 1};
    while (tree->levels < max_levels - 1 && count >> (tree->levels - 1) > leaf_size) {
        tree->levels++;
    }
    tree->index = memory_allocate((size_t)count, sizeof *tree->index);
    tree->box = memory_allocate(((size_t)1 << tree->levels) - 1, sizeof *tree->box);
    if (tree->index == NULL || tree->box == NULL) {
        point_tree_release(tree);
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    for (int32_t i = 0; i < count; i++) {
        tree->index[i] = subset != NULL ? subset[i] : i;
    }
    split(tree, 0, 0, 0, count);
    return ABUT_OK;
}

void point_tree_release(point_tree *tree) {
    memory_release(tree->index);
    memory_release(tree->box);
    *tree = (point_tree){0};
}

static double box_height(const abut_aabb *box, abut_vec3 direction) {
    double x = direction.x > 0.0 ? box->upper.x : box->lower.x;
    double y = direction.y > 0.0 ? box->upper.y : box->lower.y;
    double z = direction.z > 0.0 ? box->upper.z : box->lower.z;
    return direction.x * x + direction.y * y + direction.z * z;
}

typedef struct pending_node {
    double height;
    int32_t node, level, begin, end;
} pending_node;

int32_t point_tree_farthest(const point_tree *tree, abut_vec3 direction, double bound, double *height) {
    pending_node stack[max_levels + 1];
    int32_t depth = 0, farthest = -1;
    stack[depth++] = (pending_node){box_height(&tree->box[0], direction), 0, 0, 0, tree->count};
    while (depth > 0) {
        pending_node top = stack[--depth];
        if (!(top.height > bound)) {
            continue;
        }
        if (top.level + 1 == tree->levels) {
            for (int32_t i = top.begin; i < top.end; i++) {
                double h = abut_dot(direction, tree->points[tree->index[i]]);
                if (h > bound) {
                    bound = h;
                    farthest = tree->index[i];
                }
            }
            continue;
        }
        int32_t middle = top.begin + (top.end - top.begin) / 2, child = 2 * top.node + 1;
        pending_node a = {box_height(&tree->box[child], direction), child, top.level + 1, top.begin, middle};
        pending_node b = {box_height(&tree->box[child + 1], direction), child + 1, top.level + 1, middle, top.end};
        bool a_first = a.height >= b.height;
        stack[depth++] = a_first ? b : a;
        stack[depth++] = a_first ? a : b;
    }
    *height = bound;
    return farthest;
}
