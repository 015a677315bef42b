#include "geom/packed_tree.h"

#include "base/memory.h"
#include "base/real.h"
#include "geom/packed_lanes.h"

static double component(abut_vec3 v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

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

void packed_bounds_write(const abut_aabb *box, abut_vec3 middle, double scale, float lower[3], float upper[3]) {
    for (int axis = 0; axis < 3; axis++) {
        double at = component(middle, axis);
        lower[axis] = rounded_down(within_reach(scale * (component(box->lower, axis) - at)));
        upper[axis] = rounded_up(within_reach(scale * (component(box->upper, axis) - at)));
    }
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
    packed_bounds_write(&box, tree->middle, tree->scale, walk->lower, walk->upper);
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

/* Where a ray enters two boxes: fractions; INFINITY for a box that it does not enter before the given fraction. A ray in the plane of a side counts as inside.
 * Boxes are enlarged a little, by more than the rounding error of the quotients. */
typedef struct two_entries {
    double left, right;
} two_entries;

#define RAY_GROWN 1e-12

#ifdef PACKED_LANES

/* One axis of both boxes, a box in each lane. Minimum and maximum return their second operand where one is NaN. */
static inline void clip(const packed_ray_walk *walk, int axis, __m128d lower, __m128d upper, __m128d *enter, __m128d *leave) {
    const __m128d sign = _mm_set1_pd(-0.0), origin = _mm_set1_pd(walk->origin[axis]), inverse = _mm_set1_pd(walk->inverse[axis]);
    __m128d sizes = _mm_add_pd(_mm_andnot_pd(sign, lower), _mm_andnot_pd(sign, upper));
    __m128d reach = _mm_mul_pd(_mm_set1_pd(RAY_GROWN), _mm_add_pd(sizes, _mm_andnot_pd(sign, origin)));
    __m128d p = _mm_mul_pd(_mm_sub_pd(_mm_sub_pd(lower, reach), origin), inverse);
    __m128d q = _mm_mul_pd(_mm_sub_pd(_mm_add_pd(upper, reach), origin), inverse);
    *enter = _mm_max_pd(_mm_min_pd(p, q), *enter);
    *leave = _mm_min_pd(_mm_max_pd(q, p), *leave);
}

static two_entries enter_two(const packed_ray_walk *walk, const packed_node *left, const packed_node *right, double fraction) {
    __m128 lower_l = packed_lower(left->lower), lower_r = packed_lower(right->lower);
    __m128 upper_l = packed_upper(left->lower), upper_r = packed_upper(right->lower);
    __m128 lower_xy = _mm_unpacklo_ps(lower_l, lower_r), lower_z = _mm_unpackhi_ps(lower_l, lower_r);
    __m128 upper_xy = _mm_unpacklo_ps(upper_l, upper_r), upper_z = _mm_unpackhi_ps(upper_l, upper_r);
    __m128d enter = _mm_setzero_pd(), leave = _mm_set1_pd(fraction);
    clip(walk, 0, _mm_cvtps_pd(lower_xy), _mm_cvtps_pd(upper_xy), &enter, &leave);
    clip(walk, 1, _mm_cvtps_pd(_mm_movehl_ps(lower_xy, lower_xy)), _mm_cvtps_pd(_mm_movehl_ps(upper_xy, upper_xy)), &enter, &leave);
    clip(walk, 2, _mm_cvtps_pd(lower_z), _mm_cvtps_pd(upper_z), &enter, &leave);
    __m128d misses = _mm_cmpnle_pd(enter, leave);
    double at[2];
    _mm_storeu_pd(at, _mm_or_pd(_mm_andnot_pd(misses, enter), _mm_and_pd(misses, _mm_set1_pd(INFINITY))));
    return (two_entries){at[0], at[1]};
}

#else

static double enter_one(const packed_ray_walk *walk, const packed_node *node, double fraction) {
    double from = 0.0, to = fraction;
    for (int axis = 0; axis < 3; axis++) {
        double reach = RAY_GROWN * (fabs((double)node->lower[axis]) + fabs((double)node->upper[axis]) + fabs(walk->origin[axis]));
        double p = ((double)node->lower[axis] - reach - walk->origin[axis]) * walk->inverse[axis];
        double q = ((double)node->upper[axis] + reach - walk->origin[axis]) * walk->inverse[axis];
        double nearer = p < q ? p : q, farther = p < q ? q : p;
        from = nearer > from ? nearer : from; /* comparisons with NaN are false */
        to = farther < to ? farther : to;
    }
    return from <= to ? from : INFINITY;
}

static two_entries enter_two(const packed_ray_walk *walk, const packed_node *left, const packed_node *right, double fraction) {
    return (two_entries){enter_one(walk, left, fraction), enter_one(walk, right, fraction)};
}

#endif

static void push_ray(packed_ray_walk *walk, int32_t node, double enters) {
    if (enters < INFINITY) {
        walk->enters[walk->height] = enters;
        walk->stack[walk->height++] = node;
    }
}

void packed_ray_begin(packed_ray_walk *walk, const packed_tree *tree, abut_vec3 origin, abut_vec3 way) {
    walk->tree = tree;
    walk->height = 0;
    for (int axis = 0; axis < 3; axis++) {
        walk->origin[axis] = tree->scale * (component(origin, axis) - component(tree->middle, axis));
        walk->inverse[axis] = 1.0 / (tree->scale * component(way, axis));
    }
    if (tree->node_count > 0) {
        push_ray(walk, 0, enter_two(walk, tree->node, tree->node, INFINITY).left);
    }
}

bool packed_ray_next(packed_ray_walk *walk, double fraction, packed_leaf *leaf) {
    const packed_node *nodes = walk->tree->node;
    while (walk->height > 0) {
        int32_t at = walk->stack[--walk->height];
        const packed_node *node = &nodes[at];
        if (!(walk->enters[walk->height] <= fraction)) {
            continue;
        }
        if (node->count > 0) {
            *leaf = (packed_leaf){node->first, node->count};
            return true;
        }
        two_entries enters = enter_two(walk, &nodes[at + 1], &nodes[node->first], fraction);
        bool right_first = enters.right < enters.left;
        push_ray(walk, right_first ? at + 1 : node->first, right_first ? enters.left : enters.right);
        push_ray(walk, right_first ? node->first : at + 1, right_first ? enters.right : enters.left);
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
