#include "geom/packed_tree.h"

#include <string.h>

#include "base/memory.h"
#include "base/real.h"
#include "geom/packed_lanes.h"

/* ---- building ---- */

enum { BINS = 16, MOST_LEVELS = 40 }; /* below this level, ranges are halved: no tree is deeper than PACKED_DEPTH */

typedef struct builder {
    const abut_aabb *boxes;
    int32_t *order;
    packed_node *node;
    int32_t node_count;
    abut_vec3 middle;
    double scale;
} builder;

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

static span span_of(const builder *b, int32_t first, int32_t count, int axis) {
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
static double best_cut(const builder *b, int32_t first, int32_t count, const span *s, int *behind) {
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
static int32_t partition(builder *b, int32_t first, int32_t count, const span *s, int behind, int32_t *scratch) {
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
static int32_t split(builder *b, int32_t first, int32_t count, int level, int32_t *scratch) {
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

/* A coordinate farther out than every box makes no difference. */
static double within_reach(double x) { return real_max(-2.0, real_min(2.0, x)); }

/* Rounds down by one unit in the last place or a little more, and by a small number near zero. */
static float rounded_down(double x) {
    float f = (float)x;
    return f - (1.2e-7f * fabsf(f) + 1e-37f);
}

static float rounded_up(double x) {
    float f = (float)x;
    return f + (1.2e-7f * fabsf(f) + 1e-37f);
}

static void write_bounds(const abut_aabb *box, abut_vec3 middle, double scale, float lower[3], float upper[3]) {
    for (int axis = 0; axis < 3; axis++) {
        double at = component(middle, axis);
        lower[axis] = rounded_down(within_reach(scale * (component(box->lower, axis) - at)));
        upper[axis] = rounded_up(within_reach(scale * (component(box->upper, axis) - at)));
    }
}

/* The power of two that makes the extent one or a little less. */
static double scale_of(double extent) {
    int exponent;
    (void)frexp(extent, &exponent);
    return ldexp(1.0, -exponent);
}

static void build(builder *b, int32_t first, int32_t count, int level, int32_t *scratch) {
    packed_node *node = &b->node[b->node_count++];
    abut_aabb bounds = nothing();
    for (int32_t i = first; i < first + count; i++) {
        include(&bounds, &b->boxes[b->order[i]]);
    }
    write_bounds(&bounds, b->middle, b->scale, node->lower, node->upper);
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

/* The origin and the scale of the boxes. */
static void see_from(const abut_aabb *boxes, int32_t count, abut_vec3 *middle, double *scale) {
    abut_aabb all = nothing();
    for (int32_t i = 0; i < count; i++) {
        include(&all, &boxes[i]);
    }
    abut_vec3 extent = abut_sub(all.upper, all.lower);
    *middle = abut_lerp(all.lower, all.upper, 0.5);
    *scale = scale_of(real_max(extent.x, real_max(extent.y, extent.z)));
}

bool packed_tree_build(packed_tree *tree, const abut_aabb *boxes, int32_t count, int32_t *order) {
    *tree = (packed_tree){.node = NULL};
    if (count <= 0) {
        return true;
    }
    for (int32_t i = 0; i < count; i++) {
        order[i] = i;
    }
    builder b = {.boxes = boxes, .order = order};
    see_from(boxes, count, &b.middle, &b.scale);
    packed_node *most = memory_allocate(2 * (size_t)count - 1, sizeof *most);
    int32_t *scratch = memory_allocate((size_t)count, sizeof *scratch);
    if (most != NULL && scratch != NULL) {
        b.node = most;
        build(&b, 0, count, 0, scratch);
        tree->node = memory_grow(NULL, 0, (size_t)b.node_count, sizeof *most);
    }
    if (tree->node != NULL) {
        memcpy(tree->node, most, (size_t)b.node_count * sizeof *most);
        tree->node_count = b.node_count;
        tree->middle = b.middle;
        tree->scale = b.scale;
    }
    memory_release(most);
    memory_release(scratch);
    return tree->node != NULL;
}

/* ---- refitting ---- */

static void refit_leaf(packed_node *node, const packed_tree *tree, const abut_aabb *boxes, const int32_t *order) {
    abut_aabb bounds = nothing();
    for (int32_t i = node->first; i < node->first + node->count; i++) {
        include(&bounds, &boxes[order[i]]);
    }
    write_bounds(&bounds, tree->middle, tree->scale, node->lower, node->upper);
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
    see_from(boxes, count, &tree->middle, &tree->scale);
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

void packed_tree_release(packed_tree *tree) {
    memory_release(tree->node);
    *tree = (packed_tree){.node = NULL};
}

size_t packed_tree_bytes(const packed_tree *tree) { return (size_t)tree->node_count * sizeof *tree->node; }

/* ---- boxes ---- */

void packed_box_begin(packed_box_walk *walk, const packed_tree *tree, abut_aabb box) {
    walk->tree = tree;
    walk->height = 0;
    write_bounds(&box, tree->middle, tree->scale, walk->lower, walk->upper);
    if (tree->node_count > 0) {
        walk->stack[walk->height++] = 0;
    }
}

#ifdef PACKED_LANES

static inline bool meets(const packed_box_walk *walk, const packed_node *node) {
    __m128 below = _mm_cmple_ps(packed_lower(walk->lower), packed_upper(node->lower));
    __m128 above = _mm_cmple_ps(packed_lower(node->lower), packed_upper(walk->lower));
    return (_mm_movemask_ps(_mm_and_ps(below, above)) & 7) == 7;
}

#else

static inline bool meets(const packed_box_walk *walk, const packed_node *node) {
    return (walk->lower[0] <= node->upper[0]) & (node->lower[0] <= walk->upper[0]) & (walk->lower[1] <= node->upper[1]) &
           (node->lower[1] <= walk->upper[1]) & (walk->lower[2] <= node->upper[2]) & (node->lower[2] <= walk->upper[2]);
}

#endif

bool packed_box_next(packed_box_walk *walk, packed_leaf *leaf) {
    const packed_node *nodes = walk->tree->node;
    while (walk->height > 0) {
        int32_t at = walk->stack[--walk->height];
        const packed_node *node = &nodes[at];
        if (!meets(walk, node)) {
            continue;
        }
        if (node->count > 0) {
            *leaf = (packed_leaf){node->first, node->count};
            return true;
        }
        walk->stack[walk->height++] = node->first;
        walk->stack[walk->height++] = at + 1;
    }
    return false;
}

/* ---- rays ---- */

void packed_ray_begin(packed_ray_walk *walk, const packed_tree *tree, abut_vec3 origin, abut_vec3 way) {
    walk->tree = tree;
    walk->height = 0;
    for (int axis = 0; axis < 3; axis++) {
        walk->origin[axis] = tree->scale * (component(origin, axis) - component(tree->middle, axis));
        walk->inverse[axis] = 1.0 / (tree->scale * component(way, axis));
    }
    if (tree->node_count > 0) {
        walk->stack[walk->height++] = 0;
    }
}

/* The fraction at which the ray enters the box, or INFINITY when it does not before the given fraction. A ray in the plane of a side counts
 * as inside. Boxes are enlarged a little, by more than the rounding error of the quotients. */
static double enters(const packed_ray_walk *walk, const packed_node *node, double fraction) {
    const double grown = 1e-12;
    double from = 0.0, to = fraction;
    for (int axis = 0; axis < 3; axis++) {
        double reach = grown * (fabs((double)node->lower[axis]) + fabs((double)node->upper[axis]) + fabs(walk->origin[axis]));
        double p = ((double)node->lower[axis] - reach - walk->origin[axis]) * walk->inverse[axis];
        double q = ((double)node->upper[axis] + reach - walk->origin[axis]) * walk->inverse[axis];
        double nearer = p < q ? p : q, farther = p < q ? q : p;
        from = nearer > from ? nearer : from; /* comparisons with NaN are false */
        to = farther < to ? farther : to;
    }
    return from <= to ? from : INFINITY;
}

bool packed_ray_next(packed_ray_walk *walk, double fraction, packed_leaf *leaf) {
    const packed_node *nodes = walk->tree->node;
    while (walk->height > 0) {
        int32_t at = walk->stack[--walk->height];
        const packed_node *node = &nodes[at];
        if (!(enters(walk, node, fraction) < INFINITY)) {
            continue;
        }
        if (node->count > 0) {
            *leaf = (packed_leaf){node->first, node->count};
            return true;
        }
        bool swap = enters(walk, &nodes[node->first], fraction) < enters(walk, &nodes[at + 1], fraction);
        walk->stack[walk->height++] = swap ? at + 1 : node->first;
        walk->stack[walk->height++] = swap ? node->first : at + 1;
    }
    return false;
}

/* ---- points ---- */

/* Single precision, like the boxes: the limit of distances is enlarged by its rounding error. */
static inline float distance_squared(const packed_near_walk *walk, const packed_node *node) {
    float sum = 0.0f;
    for (int axis = 0; axis < 3; axis++) {
        float below = node->lower[axis] - walk->point[axis], above = walk->point[axis] - node->upper[axis];
        float outside = below > above ? below : above;
        outside = outside > 0.0f ? outside : 0.0f;
        sum += outside * outside;
    }
    return sum;
}

static inline void push_near(packed_near_walk *walk, int32_t node, float square) {
    walk->stack[walk->height] = node;
    walk->square[walk->height++] = square;
}

static void see_point(const packed_tree *tree, abut_vec3 point, float seen[3]) {
    for (int axis = 0; axis < 3; axis++) {
        double at = tree->scale * (component(point, axis) - component(tree->middle, axis));
        seen[axis] = (float)real_max(-1e18, real_min(1e18, at)); /* so that its square is finite */
    }
}

static inline float limit_of(const packed_tree *tree, const float seen[3], double distance) {
    const double rounding = 1e-6; /* for coordinates near 1, and for all others */
    double far = fabs((double)seen[0]) + fabs((double)seen[1]) + fabs((double)seen[2]);
    const double very_far = 1e6; /* from there all boxes look the same, and none is skipped */
    double reach = real_min(4.0 * very_far, tree->scale * distance + rounding * (1.0 + far));
    return far < very_far ? (float)(reach * reach * (1.0 + rounding)) : INFINITY;
}

float packed_near_limit(const packed_tree *tree, abut_vec3 point, double distance, float seen[3]) {
    see_point(tree, point, seen);
    return limit_of(tree, seen, distance);
}

void packed_near_begin(packed_near_walk *walk, const packed_tree *tree, abut_vec3 point) {
    walk->tree = tree;
    walk->height = 0;
    see_point(tree, point, walk->point);
    if (tree->node_count > 0) {
        push_near(walk, 0, distance_squared(walk, &tree->node[0]));
    }
}

bool packed_near_next(packed_near_walk *walk, double distance, packed_leaf *leaf) {
    const packed_node *nodes = walk->tree->node;
    float limit = limit_of(walk->tree, walk->point, distance);
    while (walk->height > 0) {
        int32_t at = walk->stack[--walk->height];
        if (!(walk->square[walk->height] <= limit)) {
            continue;
        }
        const packed_node *node = &nodes[at];
        if (node->count > 0) {
            *leaf = (packed_leaf){node->first, node->count};
            return true;
        }
        float left = distance_squared(walk, &nodes[at + 1]), right = distance_squared(walk, &nodes[node->first]);
        bool right_first = right < left;
        if (right_first) {
            push_near(walk, at + 1, left);
        }
        if (right <= limit) {
            push_near(walk, node->first, right);
        }
        if (!right_first && left <= limit) {
            push_near(walk, at + 1, left);
        }
    }
    return false;
}
