/* The nearest triangles of two meshes, by branch and bound over pairs of nodes: see nearest.h. */
#include "narrow/mesh/pair/nearest.h"

#include "base/real.h"

typedef struct pair_work {
    const placed_mesh *a, *b;
    abut_mat3 turn;      /* B's axes to A's */
    abut_mat3 size_turn; /* the absolute values of its entries */
    abut_vec3 apart;     /* from the middle of A's hierarchy to that of B's, along A's axes */
    double rounding;     /* rounding error of a bound */
    mesh_nearest *found;
    /* the triangle of A that is compared with a leaf of B */
    int32_t index_a;
    mesh_triangle triangle_a;
} pair_work;

static double spread(abut_vec3 v) { return fabs(v.x) + fabs(v.y) + fabs(v.z); }

static abut_vec3 by_size(abut_vec3 v) { return abut_vec3_make(fabs(v.x), fabs(v.y), fabs(v.z)); }

static pair_work begin(const placed_mesh *a, const placed_mesh *b) {
    pair_work work = {.a = a, .b = b};
    work.turn = abut_mat3_mul(abut_mat3_transpose(a->rotation), b->rotation);
    work.size_turn = abut_mat3_make(by_size(work.turn.x), by_size(work.turn.y), by_size(work.turn.z));
    abut_vec3 to_a = abut_sub(a->mesh->tree.middle, a->centre), to_b = abut_sub(b->mesh->tree.middle, b->centre);
    work.apart = abut_sub(abut_mat3_apply(work.turn, to_b), to_a);
    work.rounding = 1e-14 * (spread(to_a) + spread(to_b) + spread(a->centre) + spread(b->centre) + 1.0 / a->mesh->tree.scale +
                             1.0 / b->mesh->tree.scale);
    return work;
}

/* ---- bounds ---- */

static abut_vec3 middle_of(abut_aabb box) { return abut_lerp(box.lower, box.upper, 0.5); }

static abut_vec3 half_of(abut_aabb box) { return abut_scale(0.5, abut_sub(box.upper, box.lower)); }

static double outside(double apart, double half) { return real_max(fabs(apart) - half, 0.0); }

/* Distance of two boxes with the same axes, from the difference of their middles and the sum of their half sizes. */
static double between_boxes(abut_vec3 apart, abut_vec3 half) {
    return abut_length(abut_vec3_make(outside(apart.x, half.x), outside(apart.y, half.y), outside(apart.z, half.z)));
}

/* Lower bound of the distance of two nodes: the distance of each box from the box around the other, along the axes of either mesh. */
static double bound_of(const pair_work *work, int32_t at_a, int32_t at_b) {
    abut_aabb box_a = packed_node_box(&work->a->mesh->tree, at_a), box_b = packed_node_box(&work->b->mesh->tree, at_b);
    abut_vec3 half_a = half_of(box_a), half_b = half_of(box_b);
    abut_vec3 apart = abut_sub(abut_add(work->apart, abut_mat3_apply(work->turn, middle_of(box_b))), middle_of(box_a));
    double by_a = between_boxes(apart, abut_add(half_a, abut_mat3_apply(work->size_turn, half_b)));
    double by_b =
        between_boxes(abut_mat3_apply_transposed(work->turn, apart), abut_add(half_b, abut_mat3_apply_transposed(work->size_turn, half_a)));
    return real_max(by_a, by_b) - work->rounding;
}

static bool is_in_reach(const pair_work *work, double bound) { return bound <= work->found->distance; }

/* ---- triangles ---- */

static bool comes_before(const pair_work *work, int32_t a, int32_t b) {
    int32_t first = work->found->index[0], second = work->found->index[1];
    return a < first || (a == first && b < second);
}

static double apart(double p_low, double p_high, double q_low, double q_high) {
    return real_max(real_max(q_low - p_high, p_low - q_high), 0.0);
}

/* Lower bound of the distance of the triangle of B from the one of A, by their boxes. */
static double between_boxes_of(const pair_work *work, const mesh_triangle *t) {
    const abut_vec3 *p = work->triangle_a.corner, *q = t->corner;
    double x = apart(real_min(p[0].x, real_min(p[1].x, p[2].x)), real_max(p[0].x, real_max(p[1].x, p[2].x)),
                     real_min(q[0].x, real_min(q[1].x, q[2].x)), real_max(q[0].x, real_max(q[1].x, q[2].x)));
    double y = apart(real_min(p[0].y, real_min(p[1].y, p[2].y)), real_max(p[0].y, real_max(p[1].y, p[2].y)),
                     real_min(q[0].y, real_min(q[1].y, q[2].y)), real_max(q[0].y, real_max(q[1].y, q[2].y)));
    double z = apart(real_min(p[0].z, real_min(p[1].z, p[2].z)), real_max(p[0].z, real_max(p[1].z, p[2].z)),
                     real_min(q[0].z, real_min(q[1].z, q[2].z)), real_max(q[0].z, real_max(q[1].z, q[2].z)));
    return sqrt(x * x + y * y + z * z) - work->rounding;
}

/* Whether the direction between the nearest triangles so far shows that the triangle of B is farther away. */
static bool is_beyond(const pair_work *work, const mesh_triangle *t) {
    abut_vec3 n = work->found->gap.normal;
    const abut_vec3 *p = work->triangle_a.corner, *q = t->corner;
    double low = real_min(abut_dot(n, p[0]), real_min(abut_dot(n, p[1]), abut_dot(n, p[2])));
    double high = real_max(abut_dot(n, q[0]), real_max(abut_dot(n, q[1]), abut_dot(n, q[2])));
    return low - high - work->rounding > work->found->distance;
}

static bool measure(void *context, int32_t index, const abut_triangle *triangle) {
    pair_work *work = context;
    mesh_nearest *found = work->found;
    mesh_triangle t;
    triangles_gap gap;
    mesh_set_place(&t, work->b, index, triangle);
    if (!is_in_reach(work, between_boxes_of(work, &t))) {
        return true;
    }
    if (is_beyond(work, &t)) {
        return true;
    }
    triangles_closest(work->triangle_a.corner, t.corner, &gap);
    if (gap.distance < found->distance || (gap.distance == found->distance && comes_before(work, work->index_a, index))) {
        found->distance = gap.distance;
        found->gap = gap;
        found->index[0] = work->index_a;
        found->index[1] = index;
        found->a = work->triangle_a;
        found->b = t;
    }
    return true;
}

typedef struct leaf_work {
    pair_work *work;
    packed_leaf leaf_b;
} leaf_work;

static bool against_leaf(void *context, int32_t index, const abut_triangle *triangle) {
    leaf_work *leaf = context;
    leaf->work->index_a = index;
    mesh_set_place(&leaf->work->triangle_a, leaf->work->a, index, triangle);
    return trimesh_of_leaf(leaf->work->b->mesh, leaf->leaf_b, measure, leaf->work);
}

/* ---- the hierarchies ---- */

typedef struct node_pair {
    int32_t a, b;
} node_pair;

static double extent_of_node(const packed_tree *tree, int32_t at) {
    abut_vec3 half = half_of(packed_node_box(tree, at));
    return real_max(half.x, real_max(half.y, half.z));
}

/* The children of the larger node, each paired with the other node; the nearer pair first. */
static void descend(const pair_work *work, node_pair at, node_pair child[2]) {
    const packed_tree *a = &work->a->mesh->tree, *b = &work->b->mesh->tree;
    bool leaf_a = a->node[at.a].count > 0, leaf_b = b->node[at.b].count > 0;
    bool split_a = leaf_b || (!leaf_a && extent_of_node(a, at.a) >= extent_of_node(b, at.b));
    node_pair left = split_a ? (node_pair){at.a + 1, at.b} : (node_pair){at.a, at.b + 1};
    node_pair right = split_a ? (node_pair){a->node[at.a].first, at.b} : (node_pair){at.a, b->node[at.b].first};
    bool left_first = bound_of(work, left.a, left.b) <= bound_of(work, right.a, right.b);
    child[0] = left_first ? left : right;
    child[1] = left_first ? right : left;
}

void mesh_nearest_find(const placed_mesh *a, const placed_mesh *b, double limit, mesh_nearest *found) {
    pair_work work = begin(a, b);
    work.found = found;
    *found = (mesh_nearest){.distance = limit, .index = {INT32_MAX, INT32_MAX}};
    found->boxes_meet = bound_of(&work, 0, 0) <= 0.0;
    found->doubt = 1e-6 * (1.0 / a->mesh->tree.scale + 1.0 / b->mesh->tree.scale) + work.rounding;
    node_pair stack[2 * PACKED_DEPTH + 1], child[2];
    int32_t height = 0;
    stack[height++] = (node_pair){0, 0};
    while (height > 0) {
        node_pair at = stack[--height];
        if (!is_in_reach(&work, bound_of(&work, at.a, at.b))) {
            continue;
        }
        const packed_node *node_a = &a->mesh->tree.node[at.a], *node_b = &b->mesh->tree.node[at.b];
        if (node_a->count > 0 && node_b->count > 0) {
            leaf_work leaf = {&work, {node_b->first, node_b->count}};
            trimesh_of_leaf(a->mesh, (packed_leaf){node_a->first, node_a->count}, against_leaf, &leaf);
            continue;
        }
        descend(&work, at, child);
        stack[height++] = child[1];
        stack[height++] = child[0];
    }
}

/* ---- which mesh comes first ---- */

static abut_vec3 place_point(const placed_mesh *mesh, abut_vec3 point) {
    return abut_mat3_apply(mesh->rotation, abut_sub(point, mesh->centre));
}

/* How far B is before A along a direction fixed in the world: by their middles, or, where those are level, by the corners of their first
 * triangles. */
static double lead_of(const placed_mesh *a, const placed_mesh *b, abut_vec3 aside) {
    abut_triangle p, q;
    double lead = abut_dot(aside, abut_sub(place_point(b, b->mesh->tree.middle), place_point(a, a->mesh->tree.middle)));
    trimesh_triangle(a->mesh, 0, &p);
    trimesh_triangle(b->mesh, 0, &q);
    for (int i = 0; i < 3 && lead == 0.0; ++i) {
        lead = abut_dot(aside, abut_sub(place_point(b, q.corner[i]), place_point(a, p.corner[i])));
    }
    return lead;
}

bool mesh_nearest_b_first(const placed_mesh *a, const placed_mesh *b, int order, abut_vec3 aside) {
    return order > 0 || (order == 0 && lead_of(a, b, aside) < 0.0);
}
