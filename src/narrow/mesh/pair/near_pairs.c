/* Near pairs of triangles of two meshes, by descending both hierarchies: see near_pairs.h. Set frame. */
#include "narrow/mesh/pair/near_pairs.h"

#include "base/real.h"
#include "shape/bounds.h"

typedef struct descent {
    const placed_mesh *mesh[2];
    abut_mat3 turn[2]; /* from the mesh's frame */
    abut_mat3 size_turn[2];
    double rounding, reach;
    mesh_near_visit *visit;
    void *context;
} descent;

typedef struct node_pair {
    int32_t at[2];
    abut_aabb box[2];
    double apart; /* lower bound of the distance */
} node_pair;

static abut_vec3 by_size(abut_vec3 v) { return abut_vec3_make(fabs(v.x), fabs(v.y), fabs(v.z)); }

static double spread(abut_vec3 v) { return fabs(v.x) + fabs(v.y) + fabs(v.z); }

/* The box of a node in the set's frame: a box about the turned box. */
static abut_aabb place_box(const descent *d, int side, int32_t at) {
    const placed_mesh *mesh = d->mesh[side];
    abut_aabb box = packed_node_box(&mesh->mesh->tree, at);
    abut_vec3 middle = abut_sub(abut_add(mesh->mesh->tree.middle, abut_lerp(box.lower, box.upper, 0.5)), mesh->centre);
    abut_vec3 half = abut_mat3_apply(d->size_turn[side], abut_scale(0.5, abut_sub(box.upper, box.lower)));
    middle = abut_mat3_apply(d->turn[side], middle);
    return (abut_aabb){abut_sub(middle, half), abut_add(middle, half)};
}

static double gap_of(double lower, double upper, double other_lower, double other_upper) {
    return real_max(real_max(other_lower - upper, lower - other_upper), 0.0);
}

static double between(const abut_aabb *p, const abut_aabb *q) {
    double x = gap_of(p->lower.x, p->upper.x, q->lower.x, q->upper.x), y = gap_of(p->lower.y, p->upper.y, q->lower.y, q->upper.y);
    double z = gap_of(p->lower.z, p->upper.z, q->lower.z, q->upper.z);
    return sqrt(x * x + y * y + z * z);
}

static node_pair pair_of(const descent *d, int32_t at_a, int32_t at_b) {
    node_pair pair = {.at = {at_a, at_b}, .box = {place_box(d, 0, at_a), place_box(d, 1, at_b)}};
    pair.apart = between(&pair.box[0], &pair.box[1]) - d->rounding;
    return pair;
}

static double extent_of(const abut_aabb *box) {
    abut_vec3 e = abut_sub(box->upper, box->lower);
    return real_max(e.x, real_max(e.y, e.z));
}

/* ---- leaves ---- */

/* Leaves of grids have many triangles, which are made when they are needed, so none are kept. */
typedef struct leaf_pair {
    descent *d;
    packed_leaf leaf_b;
    mesh_triangle a;
    abut_aabb box_a;
} leaf_pair;

static bool take_triangle_b(void *context, int32_t index, const abut_triangle *triangle) {
    leaf_pair *leaf = context;
    descent *d = leaf->d;
    mesh_triangle b;
    mesh_set_place(&b, d->mesh[1], index, triangle);
    abut_aabb box_b = bounds_of_points(b.corner, 3);
    return between(&leaf->box_a, &box_b) - d->rounding > d->reach || d->visit(d->context, &leaf->a, &b, &d->reach);
}

static bool take_triangle_a(void *context, int32_t index, const abut_triangle *triangle) {
    leaf_pair *leaf = context;
    mesh_set_place(&leaf->a, leaf->d->mesh[0], index, triangle);
    leaf->box_a = bounds_of_points(leaf->a.corner, 3);
    return trimesh_of_leaf(leaf->d->mesh[1]->mesh, leaf->leaf_b, take_triangle_b, leaf);
}

static bool visit_leaves(descent *d, const packed_node *node_a, const packed_node *node_b) {
    leaf_pair leaf = {.d = d, .leaf_b = packed_leaf_of(node_b)};
    return trimesh_of_leaf(d->mesh[0]->mesh, packed_leaf_of(node_a), take_triangle_a, &leaf);
}

/* ---- nodes ---- */

static void push(const descent *d, node_pair *stack, int32_t *height, const node_pair *at) {
    const packed_tree *a = &d->mesh[0]->mesh->tree, *b = &d->mesh[1]->mesh->tree;
    bool leaf_a = a->node[at->at[0]].count > 0, leaf_b = b->node[at->at[1]].count > 0;
    bool split_a = leaf_b || (!leaf_a && extent_of(&at->box[0]) >= extent_of(&at->box[1]));
    node_pair left = split_a ? pair_of(d, at->at[0] + 1, at->at[1]) : pair_of(d, at->at[0], at->at[1] + 1);
    node_pair right = split_a ? pair_of(d, a->node[at->at[0]].first, at->at[1]) : pair_of(d, at->at[0], b->node[at->at[1]].first);
    bool left_first = left.apart <= right.apart;
    stack[(*height)++] = left_first ? right : left;
    stack[(*height)++] = left_first ? left : right;
}

static void begin(descent *d) {
    d->rounding = 0.0;
    for (int side = 0; side < 2; ++side) {
        const placed_mesh *mesh = d->mesh[side];
        d->turn[side] = mesh->rotation;
        d->size_turn[side] = abut_mat3_make(by_size(mesh->rotation.x), by_size(mesh->rotation.y), by_size(mesh->rotation.z));
        d->rounding += 1e-14 * (spread(mesh->mesh->tree.middle) + spread(mesh->centre) + 1.0 / mesh->mesh->tree.scale);
    }
}

bool mesh_near_pairs(const placed_mesh *a, const placed_mesh *b, double reach, mesh_near_visit *visit, void *context) {
    descent d = {.mesh = {a, b}, .reach = reach, .visit = visit, .context = context};
    node_pair stack[2 * PACKED_DEPTH + 1];
    int32_t height = 0;
    begin(&d);
    stack[height++] = pair_of(&d, 0, 0);
    while (height > 0) {
        node_pair at = stack[--height];
        if (at.apart > d.reach) {
            continue;
        }
        const packed_node *node_a = &a->mesh->tree.node[at.at[0]], *node_b = &b->mesh->tree.node[at.at[1]];
        if (node_a->count == 0 || node_b->count == 0) {
            push(&d, stack, &height, &at);
        } else if (!visit_leaves(&d, node_a, node_b)) {
            return false;
        }
    }
    return true;
}
