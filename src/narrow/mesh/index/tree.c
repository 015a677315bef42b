/* A tree of cells, cut until few triangles meet each: see tree.h. Set frame. */
#include "narrow/mesh/index/tree.h"

#include "base/array.h"
#include "base/memory.h"
#include "base/real.h"

enum { LEAF = 8, DEEPEST = 64 };

/* What the cuts need of a triangle, in one place. */
typedef struct near_face {
    abut_aabb bounds; /* grown by plane.same */
    abut_vec3 corner[3];
    near_plane plane;
} near_face;

typedef struct builder {
    near_face *face; /* [count] */
    near_tree *tree;
    int32_t *list; /* the triangles of the cells being cut: a stack */
    int32_t used, room;
    bool out_of_memory;
} builder;

/* A cell's triangles, and the part of it that they cover. */
typedef struct near_cell {
    abut_aabb box;
    int32_t first, count; /* in the list */
    double spare;         /* items that its leaves may have */
    int depth;
} near_cell;

static double component(abut_vec3 v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

static void set_component(abut_vec3 *v, int axis, double to) { *(axis == 0 ? &v->x : axis == 1 ? &v->y : &v->z) = to; }

static inline abut_vec3 lower_of(abut_vec3 p, abut_vec3 q) {
    return abut_vec3_make(real_min(p.x, q.x), real_min(p.y, q.y), real_min(p.z, q.z));
}

static inline abut_vec3 upper_of(abut_vec3 p, abut_vec3 q) {
    return abut_vec3_make(real_max(p.x, q.x), real_max(p.y, q.y), real_max(p.z, q.z));
}

static inline abut_aabb intersection(const abut_aabb *p, const abut_aabb *q) {
    return (abut_aabb){upper_of(p->lower, q->lower), lower_of(p->upper, q->upper)};
}

static inline bool is_empty(const abut_aabb *box) {
    return !(box->lower.x <= box->upper.x && box->lower.y <= box->upper.y && box->lower.z <= box->upper.z);
}

/* Whether a box that is cut to a cell lies in it. */
static inline bool is_whole(const abut_aabb *box, const abut_aabb *part) {
    return part->lower.x == box->lower.x && part->lower.y == box->lower.y && part->lower.z == box->lower.z &&
           part->upper.x == box->upper.x && part->upper.y == box->upper.y && part->upper.z == box->upper.z;
}

/* ---- one triangle ---- */

static near_face face_of(const near_tree_input *input, int32_t index) {
    const double rounding = 1e-12; /* points of a triangle are computed with the rounding error of its coordinates */
    const mesh_triangle *t = input->triangle(input->context, index);
    near_face face;
    for (int i = 0; i < 3; ++i) {
        face.corner[i] = abut_mat3_apply_transposed(input->axes, t->corner[i]);
    }
    abut_vec3 lower = lower_of(face.corner[0], lower_of(face.corner[1], face.corner[2]));
    abut_vec3 upper = upper_of(face.corner[0], upper_of(face.corner[1], face.corner[2])), most = upper_of(upper, abut_neg(lower));
    double grown = input->same + rounding * real_max(most.x, real_max(most.y, most.z));
    abut_vec3 more = abut_vec3_make(grown, grown, grown);
    face.bounds = (abut_aabb){abut_sub(lower, more), abut_add(upper, more)};
    face.plane = (near_plane){abut_mat3_apply_transposed(input->axes, t->normal), abut_dot(t->normal, t->corner[0]), grown};
    return face;
}

/* Whether a side along e from p, and the last corner r, lie beside a box about the origin with half widths u and v, seen along one axis. */
static inline bool is_beside(double pu, double pv, double eu, double ev, double ru, double rv, double u, double v) {
    double from = ev * pu - eu * pv, to = ev * ru - eu * rv, reach = u * fabs(ev) + v * fabs(eu);
    return real_min(from, to) > reach || real_max(from, to) < -reach;
}

/* Whether a triangle meets a box, grown by what counts as on the triangle: no axis separates them. Bounds were compared before. */
static bool meets(const near_face *face, const abut_aabb *box) {
    const near_plane *plane = &face->plane;
    abut_vec3 middle = abut_lerp(box->lower, box->upper, 0.5), half = abut_scale(0.5, abut_sub(box->upper, box->lower));
    half = abut_add(half, abut_vec3_make(plane->same, plane->same, plane->same));
    const abut_vec3 n = plane->normal;
    if (fabs(abut_dot(n, middle) - plane->offset) > fabs(n.x) * half.x + fabs(n.y) * half.y + fabs(n.z) * half.z + plane->same) {
        return false;
    }
    abut_vec3 p[3];
    for (int i = 0; i < 3; ++i) {
        p[i] = abut_sub(face->corner[i], middle);
    }
    for (int i = 0; i < 3; ++i) {
        const abut_vec3 *from = &p[i], *to = &p[(i + 1) % 3], *last = &p[(i + 2) % 3];
        abut_vec3 e = abut_sub(*to, *from);
        if (is_beside(from->y, from->z, e.y, e.z, last->y, last->z, half.y, half.z) ||
            is_beside(from->z, from->x, e.z, e.x, last->z, last->x, half.z, half.x) ||
            is_beside(from->x, from->y, e.x, e.y, last->x, last->y, half.x, half.y)) {
            return false;
        }
    }
    return true;
}

/* ---- cutting ---- */

/* Puts the triangles of a cell that meet a part of it on the stack. The part's box shrinks to what they cover. */
static near_cell part_of(builder *b, const near_cell *of, abut_aabb box) {
    near_cell part = {.box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}}, .first = b->used, .depth = of->depth + 1};
    if (!array_extend(&b->list, &b->room, b->used, b->used + of->count, sizeof *b->list)) {
        b->out_of_memory = true;
        return part;
    }
    for (int32_t i = of->first; i < of->first + of->count; ++i) {
        int32_t index = b->list[i];
        const near_face *face = &b->face[index];
        abut_aabb common = intersection(&face->bounds, &box);
        if (!is_empty(&common) && (is_whole(&face->bounds, &common) || meets(face, &common))) {
            b->list[b->used++] = index;
            part.box = (abut_aabb){lower_of(part.box.lower, common.lower), upper_of(part.box.upper, common.upper)};
        }
    }
    part.count = b->used - part.first;
    return part;
}

static int32_t add_node(builder *b) {
    near_tree *tree = b->tree;
    if (!array_extend(&tree->node, &tree->node_room, tree->node_count, tree->node_count + 1, sizeof *tree->node)) {
        b->out_of_memory = true;
        return -1;
    }
    return tree->node_count++;
}

static void make_leaf(builder *b, int32_t at, const near_cell *cell) {
    near_tree *tree = b->tree;
    if (!array_extend(&tree->item, &tree->item_room, tree->item_count, tree->item_count + cell->count, sizeof *tree->item)) {
        b->out_of_memory = true;
        return;
    }
    tree->node[at] = (near_node){.axis = -1, .first = tree->item_count, .count = cell->count};
    for (int32_t i = 0; i < cell->count; ++i) {
        tree->item[tree->item_count++] = b->list[cell->first + i];
    }
}

/* How much a search would cost in the two halves of a cell along each axis, by the triangles' bounds. */
static void weigh_axes(const builder *b, const near_cell *cell, abut_vec3 middle, double cost[3]) {
    int32_t before[3] = {0, 0, 0}, behind[3] = {0, 0, 0};
    for (int32_t i = cell->first; i < cell->first + cell->count; ++i) {
        const abut_aabb *box = &b->face[b->list[i]].bounds;
        before[0] += box->lower.x <= middle.x;
        before[1] += box->lower.y <= middle.y;
        before[2] += box->lower.z <= middle.z;
        behind[0] += box->upper.x >= middle.x;
        behind[1] += box->upper.y >= middle.y;
        behind[2] += box->upper.z >= middle.z;
    }
    for (int i = 0; i < 3; ++i) {
        cost[i] = (double)before[i] * before[i] + (double)behind[i] * behind[i];
    }
}

/* The axis along which halves cost least, the longest of equals. */
static int best_axis(const builder *b, const near_cell *cell) {
    const abut_vec3 e = abut_sub(cell->box.upper, cell->box.lower), middle = abut_lerp(cell->box.lower, cell->box.upper, 0.5);
    const double extent[3] = {e.x, e.y, e.z};
    double cost[3];
    weigh_axes(b, cell, middle, cost);
    int best = extent[0] >= extent[1] && extent[0] >= extent[2] ? 0 : extent[1] >= extent[2] ? 1 : 2;
    for (int i = 0; i < 3; ++i) {
        best = cost[i] < cost[best] && extent[i] > 1e-6 * extent[best] ? i : best;
    }
    return best;
}

/* Cuts a cell in two, if its triangles then stay within what is spare. False if not; *half are then undefined. */
static bool cut(builder *b, const near_cell *cell, near_node *node, near_cell half[2]) {
    int axis = cell->count > LEAF ? best_axis(b, cell) : 0;
    double lower = component(cell->box.lower, axis), upper = component(cell->box.upper, axis), middle = 0.5 * (lower + upper);
    if (cell->count <= LEAF || cell->depth == DEEPEST || !(lower < middle && middle < upper)) {
        return false;
    }
    *node = (near_node){.at = middle, .axis = axis};
    abut_aabb box[2] = {cell->box, cell->box};
    set_component(&box[0].upper, axis, middle);
    set_component(&box[1].lower, axis, middle);
    int32_t top = b->used;
    for (int i = 1; i >= 0 && !b->out_of_memory; --i) { /* the first half is made first, from the top of the stack */
        half[i] = part_of(b, cell, box[i]);
    }
    double sum = (double)half[0].count + (double)half[1].count;
    if (b->out_of_memory || sum > cell->spare) {
        b->used = top;
        return false;
    }
    for (int i = 0; i < 2; ++i) {
        half[i].spare = sum > 0.0 ? cell->spare * half[i].count / sum : 0.0;
    }
    return true;
}

static void make_node(builder *b, const near_cell *cell) {
    int32_t at = add_node(b), top = b->used;
    near_cell half[2];
    near_node node;
    if (at < 0) {
        return;
    }
    if (!cut(b, cell, &node, half)) {
        make_leaf(b, at, cell);
        return;
    }
    make_node(b, &half[0]);
    b->used = half[0].first;
    node.first = b->tree->node_count;
    b->tree->node[at] = node;
    if (!b->out_of_memory) {
        make_node(b, &half[1]);
    }
    b->used = top;
}

/* The whole tree, without its planes. */
static void make_root(builder *b, const near_tree_input *input) {
    const double diagonal = 1.75; /* of a cube, half of it over half of a side */
    double reach = diagonal * input->reach;
    abut_vec3 far = abut_vec3_make(reach, reach, reach);
    b->tree->axes = input->axes;
    b->tree->box = (abut_aabb){abut_neg(far), far};
    for (int32_t i = 0; i < input->count; ++i) {
        b->list[i] = i;
        b->face[i] = face_of(input, i);
        b->tree->plane[i] = b->face[i].plane;
        b->tree->plane[i].normal = input->triangle(input->context, i)->normal;
    }
    b->used = input->count;
    near_cell all = {.box = b->tree->box, .count = input->count, .spare = 2.0 * input->count};
    all = part_of(b, &all, all.box);
    all.spare = input->spare * all.count;
    make_node(b, &all);
}

bool near_tree_build(near_tree *tree, const near_tree_input *input) {
    *tree = (near_tree){.node = NULL};
    builder b = {.tree = tree};
    tree->plane = memory_allocate((size_t)input->count, sizeof *tree->plane);
    b.face = memory_allocate((size_t)input->count, sizeof *b.face);
    b.out_of_memory = tree->plane == NULL || b.face == NULL || !array_reserve(&b.list, &b.room, 4 * input->count, sizeof *b.list);
    if (!b.out_of_memory) {
        make_root(&b, input);
    }
    memory_release(b.face);
    memory_release(b.list);
    if (b.out_of_memory) {
        near_tree_free(tree);
    }
    return !b.out_of_memory;
}

void near_tree_free(near_tree *tree) {
    memory_release(tree->node);
    memory_release(tree->item);
    memory_release(tree->plane);
    *tree = (near_tree){.node = NULL};
}

static bool is_in(const abut_aabb *box, abut_vec3 point) {
    return point.x >= box->lower.x && point.x <= box->upper.x && point.y >= box->lower.y && point.y <= box->upper.y &&
           point.z >= box->lower.z && point.z <= box->upper.z;
}

const near_node *near_tree_leaf(const near_tree *tree, abut_vec3 point) {
    point = abut_mat3_apply_transposed(tree->axes, point);
    if (!is_in(&tree->box, point)) {
        return NULL;
    }
    const near_node *node = tree->node;
    while (node->axis >= 0) {
        node = component(point, node->axis) < node->at ? node + 1 : &tree->node[node->first];
    }
    return node;
}
