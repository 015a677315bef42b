/*
 * Builds and refits trees of boxes: packed_tree.h. The cuts are those of the surface-area heuristic over sixteen bins along each axis. A range of items is read
 * three times: for the spread of its centres, for the bins of all axes, and for the partition. The partition moves the boxes along, so that the next ranges lie
 * together in memory. Most cuts are of a few items, which fill few bins; these are sorted instead. The tree is that of the plain method, which
 * test/geom/test_packed_build.c keeps.
 */
#include <string.h>

#include "base/memory.h"
#include "base/real.h"
#include "geom/packed_lanes.h"

enum { BINS = 16, FEW = 12, MOST_LEVELS = 40 }; /* below this level, ranges are halved: no tree is deeper than PACKED_DEPTH */

/* ---- bounds ---- */

/* Lower corner, and the upper one with the opposite sign: a union is the minimum of all six. */
typedef struct bounds {
    double least[6];
} bounds;

static bounds nothing(void) { return (bounds){{INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY}}; }

static abut_aabb box_of(const bounds *b) {
    return (abut_aabb){{b->least[0], b->least[1], b->least[2]}, {-b->least[3], -b->least[4], -b->least[5]}};
}

/* Half the surface area; 0 for an empty box. */
static double half_surface(const bounds *b) {
    double x = -b->least[3] - b->least[0], y = -b->least[4] - b->least[1], z = -b->least[5] - b->least[2];
    return x >= 0.0 ? x * y + y * z + z * x : 0.0;
}

#ifdef PACKED_LANES

static void join(bounds *to, const bounds *other) {
    for (int i = 0; i < 6; i += 2) {
        _mm_storeu_pd(to->least + i, _mm_min_pd(_mm_loadu_pd(other->least + i), _mm_loadu_pd(to->least + i)));
    }
}

static bounds bounds_of(const abut_aabb *box) {
    const __m128d high = _mm_set_pd(-0.0, 0.0), both = _mm_set1_pd(-0.0);
    bounds b;
    _mm_storeu_pd(b.least, _mm_loadu_pd(&box->lower.x));
    _mm_storeu_pd(b.least + 2, _mm_xor_pd(high, _mm_loadh_pd(_mm_load_sd(&box->lower.z), &box->upper.x)));
    _mm_storeu_pd(b.least + 4, _mm_xor_pd(both, _mm_loadu_pd(&box->upper.y)));
    return b;
}

#else

static void join(bounds *to, const bounds *other) {
    for (int i = 0; i < 6; i++) {
        to->least[i] = real_min(to->least[i], other->least[i]);
    }
}

static bounds bounds_of(const abut_aabb *box) {
    return (bounds){{box->lower.x, box->lower.y, box->lower.z, -box->upper.x, -box->upper.y, -box->upper.z}};
}

#endif

static void include(bounds *to, const abut_aabb *box) {
    bounds b = bounds_of(box);
    join(to, &b);
}

/* ---- items ---- */

/* The boxes of a range, and which items they are. */
typedef struct items {
    bounds *box;
    int32_t *index;
} items;

typedef struct builder {
    items held[2]; /* a range is in one of them, and its partition moves it to the other */
    int32_t *order;
    packed_node *node;
    int32_t node_count;
    abut_vec3 middle;
    double scale;
} builder;

static items from(const items *all, int32_t first) { return (items){all->box + first, all->index + first}; }

/* Twice the centre of a box along an axis. */
static double twice_centre(const bounds *box, int axis) { return box->least[axis] - box->least[3 + axis]; }

/* ---- bins ---- */

/* Bins over the extent of the centres along each axis. scale: 0 for an axis along which nothing can be cut. */
typedef struct spread {
    double lower[3], scale[3];
} spread;

static spread spread_of(const items *range, int32_t count) {
    double lower[3] = {INFINITY, INFINITY, INFINITY}, upper[3] = {-INFINITY, -INFINITY, -INFINITY};
    spread s;
    for (int32_t i = 0; i < count; i++) {
        for (int axis = 0; axis < 3; axis++) {
            double centre = twice_centre(&range->box[i], axis);
            lower[axis] = real_min(lower[axis], centre);
            upper[axis] = real_max(upper[axis], centre);
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        double width = upper[axis] - lower[axis], scale = width > 0.0 ? BINS / width : 0.0;
        s.lower[axis] = lower[axis];
        s.scale[axis] = scale < INFINITY ? scale : 0.0;
    }
    return s;
}

static bool can_cut(const spread *s, int axis) { return s->scale[axis] > 0.0; }

static int bin_of(const spread *s, const bounds *box, int axis) {
    int at = can_cut(s, axis) ? (int)((twice_centre(box, axis) - s->lower[axis]) * s->scale[axis]) : 0;
    return at < BINS ? at : BINS - 1;
}

/* A cut behind a bin, with the items before it. cost: the sum over both halves of surface times number of items; INFINITY for none. */
typedef struct cut {
    double cost;
    int axis, behind;
    int32_t left;
} cut;

static void offer(cut *best, double cost, int axis, int behind, int32_t left) {
    if (cost < best->cost) {
        *best = (cut){cost, axis, behind, left};
    }
}

typedef struct bin {
    bounds held;
    int32_t count;
} bin;

/* All axes at once: a bin waits for its item before, and the axes do not wait for each other. */
static void fill_bins(const items *range, int32_t count, const spread *s, bin bins[3][BINS]) {
    for (int axis = 0; axis < 3; axis++) {
        for (int i = 0; i < BINS; i++) {
            bins[axis][i] = (bin){nothing(), 0};
        }
    }
    for (int32_t i = 0; i < count; i++) {
        for (int axis = 0; axis < 3; axis++) {
            bin *into = &bins[axis][bin_of(s, &range->box[i], axis)];
            join(&into->held, &range->box[i]);
            ++into->count;
        }
    }
}

static void cut_bins(const bin bins[BINS], int32_t count, int axis, cut *best) {
    double above[BINS];
    bounds held = nothing();
    int32_t left = 0;
    for (int i = BINS - 1; i > 0; i--) {
        join(&held, &bins[i].held);
        left += bins[i].count;
        above[i] = half_surface(&held) * left;
    }
    held = nothing();
    left = 0;
    for (int i = 0; i + 1 < BINS; i++) {
        join(&held, &bins[i].held);
        left += bins[i].count;
        if (left > 0 && left < count) {
            offer(best, half_surface(&held) * left + above[i + 1], axis, i, left);
        }
    }
}

/* ---- few items ---- */

/* The items in the order of their bins. */
static void sort_few(const items *range, int32_t count, const spread *s, int axis, int bins[FEW], const bounds *sorted[FEW]) {
    for (int32_t i = 0; i < count; i++) {
        int bin = bin_of(s, &range->box[i], axis);
        int32_t at = i;
        for (; at > 0 && bins[at - 1] > bin; at--) {
            bins[at] = bins[at - 1];
            sorted[at] = sorted[at - 1];
        }
        bins[at] = bin;
        sorted[at] = &range->box[i];
    }
}

/* An empty bin costs as much as the full one before it, so cuts behind full ones are enough. */
static void cut_few(const items *range, int32_t count, const spread *s, int axis, cut *best) {
    int bins[FEW];
    const bounds *sorted[FEW];
    double above[FEW];
    sort_few(range, count, s, axis, bins, sorted);
    bounds held = nothing();
    for (int32_t i = count - 1; i > 0; i--) {
        join(&held, sorted[i]);
        above[i] = bins[i] != bins[i - 1] ? half_surface(&held) * (count - i) : 0.0;
    }
    held = nothing();
    for (int32_t i = 0; i + 1 < count; i++) {
        join(&held, sorted[i]);
        if (bins[i] != bins[i + 1]) {
            offer(best, half_surface(&held) * (i + 1) + above[i + 1], axis, bins[i], i + 1);
        }
    }
}

/* ---- the tree ---- */

static cut best_cut(const items *range, int32_t count, const spread *s) {
    cut best = {.cost = INFINITY};
    bin bins[3][BINS];
    if (count > FEW) {
        fill_bins(range, count, s, bins);
    }
    for (int axis = 0; axis < 3; axis++) {
        if (can_cut(s, axis) && count > FEW) {
            cut_bins(bins[axis], count, axis, &best);
        } else if (can_cut(s, axis)) {
            cut_few(range, count, s, axis, &best);
        }
    }
    return best;
}

/* Moves items of the bins up to the cut first. Stable, so that the tree depends only on the boxes. */
static void partition(const items *range, int32_t count, const spread *s, const cut *at, const items *to) {
    int32_t low = 0, high = at->left;
    for (int32_t i = 0; i < count; i++) {
        int32_t *place = bin_of(s, &range->box[i], at->axis) <= at->behind ? &low : &high;
        to->box[*place] = range->box[i];
        to->index[*place] = range->index[i];
        ++*place;
    }
}

static bounds bounds_of_all(const bounds *box, int32_t count) {
    bounds all = nothing();
    for (int32_t i = 0; i < count; i++) {
        join(&all, &box[i]);
    }
    return all;
}

static void build(builder *b, int side, int32_t first, int32_t count, int level) {
    packed_node *node = &b->node[b->node_count++];
    items range = from(&b->held[side], first);
    bounds all = bounds_of_all(range.box, count);
    abut_aabb box = box_of(&all);
    packed_bounds_write(&box, b->middle, b->scale, node->lower, node->upper);
    if (count <= PACKED_LEAF) {
        memcpy(&b->order[first], range.index, (size_t)count * sizeof *range.index);
        node->first = first;
        node->count = count;
        return;
    }
    cut best = {.cost = INFINITY};
    if (level < MOST_LEVELS) {
        spread s = spread_of(&range, count);
        best = best_cut(&range, count, &s);
        if (best.cost < INFINITY) {
            items to = from(&b->held[!side], first);
            partition(&range, count, &s, &best, &to);
            side = !side;
        }
    }
    int32_t left = best.cost < INFINITY ? best.left : count / 2;
    node->count = 0;
    build(b, side, first, left, level + 1);
    node->first = b->node_count;
    build(b, side, first + left, count - left, level + 1);
}

/* The power of two that makes the extent one or a little less. */
static double scale_of(double extent) {
    int exponent;
    (void)frexp(extent, &exponent);
    return ldexp(1.0, -exponent);
}

/* The origin and the scale of boxes with these bounds. */
static void see_from(const bounds *held, abut_vec3 *middle, double *scale) {
    abut_aabb all = box_of(held);
    abut_vec3 extent = abut_sub(all.upper, all.lower);
    *middle = abut_lerp(all.lower, all.upper, 0.5);
    *scale = scale_of(real_max(extent.x, real_max(extent.y, extent.z)));
}

static bool make_room(builder *b, int32_t count) {
    bool made = (b->node = memory_extend(NULL, 0, 2 * (size_t)count - 1, sizeof *b->node)) != NULL;
    for (int side = 0; side < 2 && made; side++) {
        b->held[side].box = memory_extend(NULL, 0, (size_t)count, sizeof *b->held[side].box);
        b->held[side].index = memory_extend(NULL, 0, (size_t)count, sizeof *b->held[side].index);
        made = b->held[side].box != NULL && b->held[side].index != NULL;
    }
    return made;
}

static void free_room(const builder *b) {
    for (int side = 0; side < 2; side++) {
        memory_release(b->held[side].box);
        memory_release(b->held[side].index);
    }
    memory_release(b->node);
}

static bool keep_nodes(packed_tree *tree, const builder *b) {
    packed_node *node = memory_extend(NULL, 0, (size_t)b->node_count, sizeof *node);
    if (node != NULL) {
        memcpy(node, b->node, (size_t)b->node_count * sizeof *node);
        *tree = (packed_tree){node, b->node_count, b->middle, b->scale};
    }
    return node != NULL;
}

bool packed_tree_build(packed_tree *tree, const abut_aabb *boxes, int32_t count, int32_t *order) {
    *tree = (packed_tree){.node = NULL};
    if (count <= 0) {
        return true;
    }
    builder b = {.order = order};
    bool built = make_room(&b, count);
    if (built) {
        for (int32_t i = 0; i < count; i++) {
            b.held[0].box[i] = bounds_of(&boxes[i]);
            b.held[0].index[i] = i;
        }
        bounds all = bounds_of_all(b.held[0].box, count);
        see_from(&all, &b.middle, &b.scale);
        build(&b, 0, 0, count, 0);
        built = keep_nodes(tree, &b);
    }
    free_room(&b);
    return built;
}

/* ---- refitting ---- */

static void refit_leaf(packed_node *node, const packed_tree *tree, const abut_aabb *boxes, const int32_t *order) {
    bounds held = nothing();
    for (int32_t i = node->first; i < node->first + node->count; i++) {
        include(&held, &boxes[order[i]]);
    }
    abut_aabb box = box_of(&held);
    packed_bounds_write(&box, tree->middle, tree->scale, node->lower, node->upper);
}

static void refit_inner(packed_node *node, const packed_node *left, const packed_node *right) {
    for (int axis = 0; axis < 3; axis++) {
        node->lower[axis] = left->lower[axis] < right->lower[axis] ? left->lower[axis] : right->lower[axis];
        node->upper[axis] = left->upper[axis] > right->upper[axis] ? left->upper[axis] : right->upper[axis];
    }
}

bool packed_tree_refit(packed_tree *tree, const packed_tree *pattern, const abut_aabb *boxes, int32_t count, const int32_t *order) {
    *tree = (packed_tree){.node = NULL};
    if (pattern->node_count == 0) {
        return true;
    }
    tree->node = memory_allocate((size_t)pattern->node_count, sizeof *tree->node);
    if (tree->node == NULL) {
        return false;
    }
    tree->node_count = pattern->node_count;
    memcpy(tree->node, pattern->node, (size_t)pattern->node_count * sizeof *tree->node);
    bounds all = nothing();
    for (int32_t i = 0; i < count; i++) {
        include(&all, &boxes[i]);
    }
    see_from(&all, &tree->middle, &tree->scale);
    for (int32_t i = tree->node_count - 1; i >= 0; i--) { /* children come behind their parents */
        packed_node *node = &tree->node[i];
        if (node->count > 0) {
            refit_leaf(node, tree, boxes, order);
        } else {
            refit_inner(node, &tree->node[i + 1], &tree->node[node->first]);
        }
    }
    return true;
}
