/* The leaves near a point, depth first. Single precision, like the boxes: the limit of distances is enlarged by its rounding error. */
#include "geom/packed_ball.h"

#include "geom/packed_lanes.h"

#ifdef PACKED_LANES

static inline bool is_near(const packed_ball_walk *walk, const packed_node *node) {
    const __m128 point = _mm_loadu_ps(walk->point);
    __m128 below = _mm_sub_ps(packed_lower(node->lower), point), above = _mm_sub_ps(point, packed_upper(node->lower));
    __m128 outside = _mm_max_ps(_mm_max_ps(below, above), _mm_setzero_ps());
    __m128 square = _mm_mul_ps(outside, outside), sum = _mm_add_ss(square, _mm_shuffle_ps(square, square, 1));
    return _mm_comile_ss(_mm_add_ss(sum, _mm_movehl_ps(square, square)), _mm_load_ss(&walk->limit)) != 0;
}

#else

/* The distance of a number from an interval. */
static inline float beyond(float x, float lower, float upper) {
    float below = lower - x, above = x - upper, outside = below > above ? below : above;
    return outside > 0.0f ? outside : 0.0f;
}

static inline bool is_near(const packed_ball_walk *walk, const packed_node *node) {
    float x = beyond(walk->point[0], node->lower[0], node->upper[0]), y = beyond(walk->point[1], node->lower[1], node->upper[1]),
          z = beyond(walk->point[2], node->lower[2], node->upper[2]);
    return x * x + y * y + z * z <= walk->limit;
}

#endif

void packed_ball_begin(packed_ball_walk *walk, const packed_tree *tree, abut_vec3 centre, double radius) {
    walk->tree = tree;
    walk->limit = packed_near_limit(tree, centre, radius, walk->point);
    walk->height = 0;
    if (tree->node_count > 0 && is_near(walk, &tree->node[0])) {
        walk->stack[walk->height++] = 0;
    }
}

/* Pushes a leaf, or the two children of a node as far as they are near. */
static inline int32_t push(packed_ball_walk *walk, int32_t height, int32_t at) {
    const packed_node *nodes = walk->tree->node, *node = &nodes[at];
    if (node->count > 0) {
        walk->stack[height] = at;
        return height + is_near(walk, node);
    }
    walk->stack[height] = node->first;
    height += is_near(walk, &nodes[node->first]);
    walk->stack[height] = at + 1;
    return height + is_near(walk, &nodes[at + 1]);
}

/* Descends two levels at a time. The stack is known only after the boxes above were tested, and a processor would wait at every level. */
bool packed_ball_next(packed_ball_walk *walk, packed_leaf *leaf) {
    const packed_node *nodes = walk->tree->node;
    int32_t height = walk->height;
    while (height > 0) {
        int32_t at = walk->stack[--height];
        const packed_node *node = &nodes[at];
        if (node->count > 0) {
            walk->height = height;
            *leaf = (packed_leaf){node->first, node->count};
            return true;
        }
        height = push(walk, height, node->first);
        height = push(walk, height, at + 1);
    }
    walk->height = 0;
    return false;
}
