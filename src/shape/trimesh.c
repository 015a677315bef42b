/* Common functions of stored triangles and grids: triangles by number, and by position. */

#include "shape/trimesh.h"

#include "base/memory.h"
#include "base/real.h"
#include "shape/closed/convex_mesh.h"
#include "shape/closed/inside.h"
#include "shape/edges/mesh_smooth.h"
#include "shape/heightfield.h"
#include "shape/lifecycle.h"

void trimesh_triangle(const trimesh *mesh, int32_t index, abut_triangle *triangle) {
    if (mesh->vertices == NULL) {
        heightfield_triangle(mesh, index, triangle);
        return;
    }
    for (int i = 0; i < 3; i++) {
        triangle->vertex[i] = mesh->corners[3 * (size_t)index + (size_t)i];
        triangle->corner[i] = mesh->vertices[triangle->vertex[i]];
    }
}

/* Walks over the triangles of a leaf that may meet a box. */
typedef struct leaf_walk {
    const trimesh *mesh;
    abut_aabb box;
    int32_t slot, end;
    bool in_block;
    heightfield_walk block;
} leaf_walk;

static leaf_walk walk_leaf(const trimesh *mesh, int32_t first, int32_t count, abut_aabb box) {
    return (leaf_walk){.mesh = mesh, .box = box, .slot = first, .end = first + count};
}

static bool next_of_leaf(leaf_walk *walk, int32_t *index, abut_triangle *triangle) {
    const trimesh *mesh = walk->mesh;
    *index = -1;
    while (*index < 0 && (walk->in_block || walk->slot < walk->end)) {
        if (mesh->vertices != NULL) {
            *index = mesh->order[walk->slot++];
        } else if (walk->in_block) {
            *index = heightfield_next(&walk->block, mesh);
            walk->in_block = *index >= 0;
        } else {
            heightfield_begin(&walk->block, mesh, mesh->order[walk->slot++], &walk->box);
            walk->in_block = true;
        }
    }
    if (*index >= 0) {
        trimesh_triangle(mesh, *index, triangle);
    }
    return *index >= 0;
}

static abut_aabb everywhere(void) { return (abut_aabb){{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}}; }

static abut_aabb box_about(abut_vec3 point, double radius) {
    abut_vec3 reach = {radius, radius, radius};
    return (abut_aabb){abut_sub(point, reach), abut_add(point, reach)};
}

static bool meets(const abut_triangle *t, const abut_aabb *box) {
    const abut_vec3 *p = &t->corner[0], *q = &t->corner[1], *r = &t->corner[2];
    bool below = (p->x < box->lower.x && q->x < box->lower.x && r->x < box->lower.x) ||
                 (p->y < box->lower.y && q->y < box->lower.y && r->y < box->lower.y) ||
                 (p->z < box->lower.z && q->z < box->lower.z && r->z < box->lower.z);
    bool above = (p->x > box->upper.x && q->x > box->upper.x && r->x > box->upper.x) ||
                 (p->y > box->upper.y && q->y > box->upper.y && r->y > box->upper.y) ||
                 (p->z > box->upper.z && q->z > box->upper.z && r->z > box->upper.z);
    return !below && !above;
}

bool trimesh_in_box(const trimesh *mesh, abut_aabb box, trimesh_visit *visit, void *context) {
    packed_box_walk walk;
    packed_leaf leaf;
    abut_triangle triangle;
    int32_t index;
    for (packed_box_begin(&walk, &mesh->tree, box); packed_box_next(&walk, &leaf);) {
        for (leaf_walk in = walk_leaf(mesh, leaf.first, leaf.count, box); next_of_leaf(&in, &index, &triangle);) {
            if (meets(&triangle, &box) && !visit(context, index, &triangle)) {
                return false;
            }
        }
    }
    return true;
}

/* Squared distance of a number from the range of three numbers. */
static inline double beyond(double x, double p, double q, double r) {
    double lower = real_min(p, real_min(q, r)), upper = real_max(p, real_max(q, r));
    double outside = real_max(lower - x, x - upper);
    return outside > 0.0 ? outside * outside : 0.0;
}

/* Squared distance of a point from a triangle's bounds. */
static double square_to_bounds(const abut_triangle *t, abut_vec3 point) {
    const abut_vec3 *p = &t->corner[0], *q = &t->corner[1], *r = &t->corner[2];
    return beyond(point.x, p->x, q->x, r->x) + beyond(point.y, p->y, q->y, r->y) + beyond(point.z, p->z, q->z, r->z);
}

bool trimesh_in_ball(const trimesh *mesh, abut_vec3 centre, double radius, trimesh_visit *visit, void *context) {
    packed_near_walk walk;
    packed_leaf leaf;
    abut_triangle triangle;
    int32_t index;
    for (packed_near_begin(&walk, &mesh->tree, centre); packed_near_next(&walk, radius, &leaf);) {
        for (leaf_walk in = walk_leaf(mesh, leaf.first, leaf.count, box_about(centre, radius)); next_of_leaf(&in, &index, &triangle);) {
            if (square_to_bounds(&triangle, centre) <= radius * radius && !visit(context, index, &triangle)) {
                return false;
            }
        }
    }
    return true;
}

/* The triangles of a block along a line. */
static void approach_block(const trimesh *mesh, int32_t block, abut_vec3 origin, abut_vec3 way, double *limit, trimesh_approach *approach,
                           void *context) {
    heightfield_walk cells;
    heightfield_begin_along(&cells, mesh, block, origin, way);
    for (int32_t index; (index = heightfield_next(&cells, mesh)) >= 0;) {
        abut_triangle triangle;
        heightfield_triangle(mesh, index, &triangle);
        approach(context, index, &triangle, limit);
    }
}

void trimesh_along(const trimesh *mesh, abut_vec3 origin, abut_vec3 way, double limit, trimesh_approach *approach, void *context) {
    packed_ray_walk walk;
    packed_leaf leaf;
    for (packed_ray_begin(&walk, &mesh->tree, origin, way); packed_ray_next(&walk, limit, &leaf);) {
        for (int32_t slot = leaf.first; slot < leaf.first + leaf.count; ++slot) {
            if (mesh->vertices == NULL) {
                approach_block(mesh, mesh->order[slot], origin, way, &limit, approach, context);
                continue;
            }
            abut_triangle triangle;
            trimesh_triangle(mesh, mesh->order[slot], &triangle);
            approach(context, mesh->order[slot], &triangle, &limit);
        }
    }
}

void trimesh_near(const trimesh *mesh, abut_vec3 point, double limit, trimesh_approach *approach, void *context) {
    const double slack = 1.0 + 1e-12; /* triangles at the limit, within rounding error, are visited: one of them may have a lower index */
    packed_near_walk walk;
    packed_leaf leaf;
    abut_triangle triangle;
    int32_t index;
    for (packed_near_begin(&walk, &mesh->tree, point); packed_near_next(&walk, limit, &leaf);) {
        for (leaf_walk in = walk_leaf(mesh, leaf.first, leaf.count, box_about(point, limit)); next_of_leaf(&in, &index, &triangle);) {
            if (square_to_bounds(&triangle, point) <= slack * limit * limit) {
                approach(context, index, &triangle, &limit);
            }
        }
    }
}

/* ---- the farthest vertex ---- */

typedef struct farthest {
    abut_vec3 direction;
    double height;
    int32_t vertex;
} farthest;

static bool take_triangle(void *context, int32_t index, const abut_triangle *triangle) {
    (void)index;
    farthest *found = context;
    for (int i = 0; i < 3; i++) {
        double height = abut_dot(found->direction, triangle->corner[i]);
        if (height > found->height || (height == found->height && triangle->vertex[i] < found->vertex)) {
            found->height = height;
            found->vertex = triangle->vertex[i];
        }
    }
    return true;
}

/* An upper bound of the vertices of a node along a direction, with a margin for rounding errors. */
static double bound_of(const trimesh *mesh, int32_t node, abut_vec3 d) {
    const packed_tree *tree = &mesh->tree;
    const packed_node *n = &tree->node[node];
    double unit = 1.0 / tree->scale;
    double x = (double)(d.x > 0.0 ? n->upper[0] : n->lower[0]), y = (double)(d.y > 0.0 ? n->upper[1] : n->lower[1]);
    double z = (double)(d.z > 0.0 ? n->upper[2] : n->lower[2]);
    abut_vec3 local = {unit * x, unit * y, unit * z}, m = tree->middle;
    double slack = 1e-14 * (fabs(d.x) * (fabs(m.x) + fabs(local.x)) + fabs(d.y) * (fabs(m.y) + fabs(local.y)) +
                            fabs(d.z) * (fabs(m.z) + fabs(local.z)));
    return abut_dot(d, m) + abut_dot(d, local) + slack;
}

bool trimesh_of_leaf(const trimesh *mesh, packed_leaf leaf, trimesh_visit *visit, void *context) {
    abut_triangle triangle;
    int32_t index;
    for (leaf_walk in = walk_leaf(mesh, leaf.first, leaf.count, everywhere()); next_of_leaf(&in, &index, &triangle);) {
        if (!visit(context, index, &triangle)) {
            return false;
        }
    }
    return true;
}

bool trimesh_above(const trimesh *mesh, abut_vec3 direction, double height, trimesh_visit *visit, void *context) {
    int32_t stack[PACKED_DEPTH], top = 0;
    for (stack[top++] = 0; top > 0;) {
        int32_t at = stack[--top];
        const packed_node *node = &mesh->tree.node[at];
        if (bound_of(mesh, at, direction) < height) {
            continue;
        }
        if (node->count == 0) {
            stack[top++] = node->first;
            stack[top++] = at + 1;
        } else if (!trimesh_of_leaf(mesh, packed_leaf_of(node), visit, context)) {
            return false;
        }
    }
    return true;
}

bool trimesh_where(const trimesh *mesh, trimesh_keep *keep, trimesh_visit *visit, void *context) {
    const packed_tree *tree = &mesh->tree;
    int32_t stack[PACKED_DEPTH], top = 0;
    for (stack[top++] = 0; top > 0;) {
        int32_t at = stack[--top];
        const packed_node *n = &tree->node[at];
        double unit = 0.5 / tree->scale;
        abut_vec3 across = {unit * ((double)n->upper[0] - (double)n->lower[0]), unit * ((double)n->upper[1] - (double)n->lower[1]),
                            unit * ((double)n->upper[2] - (double)n->lower[2])};
        abut_vec3 centre = {unit * ((double)n->upper[0] + (double)n->lower[0]), unit * ((double)n->upper[1] + (double)n->lower[1]),
                            unit * ((double)n->upper[2] + (double)n->lower[2])};
        centre = abut_add(centre, tree->middle);
        double slack = 1e-14 * (fabs(centre.x) + fabs(centre.y) + fabs(centre.z));
        if (!keep(context, centre, abut_length(across) + slack)) {
            continue;
        }
        if (n->count == 0) {
            stack[top++] = n->first;
            stack[top++] = at + 1;
        } else if (!trimesh_of_leaf(mesh, packed_leaf_of(n), visit, context)) {
            return false;
        }
    }
    return true;
}

int32_t trimesh_farthest(const trimesh *mesh, abut_vec3 direction) {
    farthest found = {direction, -INFINITY, INT32_MAX};
    int32_t stack[PACKED_DEPTH], height = 0;
    stack[height++] = 0;
    while (height > 0) {
        int32_t at = stack[--height];
        const packed_node *node = &mesh->tree.node[at];
        if (bound_of(mesh, at, direction) < found.height) {
            continue;
        }
        if (node->count == 0) {
            bool right_first = bound_of(mesh, node->first, direction) > bound_of(mesh, at + 1, direction);
            stack[height++] = right_first ? at + 1 : node->first;
            stack[height++] = right_first ? node->first : at + 1;
            continue;
        }
        trimesh_of_leaf(mesh, packed_leaf_of(node), take_triangle, &found);
    }
    return found.vertex;
}

/* ---- memory ---- */

size_t trimesh_bytes(const trimesh *mesh) {
    size_t vertices = (size_t)mesh->vertex_count, triangles = (size_t)mesh->triangle_count;
    size_t stored = mesh->vertices != NULL ? vertices * sizeof(abut_vec3) + 3 * triangles * sizeof(int32_t) : vertices * sizeof(double);
    return sizeof *mesh + stored + (size_t)mesh->item_count * sizeof(int32_t) + packed_tree_bytes(&mesh->tree) +
           (mesh->twin != NULL ? 3 * triangles * sizeof(int32_t) : 0) + (size_t)mesh->piece_count * sizeof(int32_t) +
           (mesh->smooth != NULL ? sizeof *mesh->smooth + triangles * (3 * sizeof(abut_vec3) + 1) : 0) + convex_mesh_bytes(mesh->convex) +
           inside_bytes(mesh->inside);
}

void trimesh_release(trimesh *mesh) {
    if (mesh == NULL) {
        return;
    }
    memory_release(mesh->vertices);
    memory_release(mesh->corners);
    memory_release(mesh->heights);
    memory_release(mesh->order);
    packed_tree_release(&mesh->tree);
    memory_release(mesh->twin);
    memory_release(mesh->piece);
    convex_mesh_release(mesh->convex);
    mesh_smooth_release(mesh->smooth);
    shape_free(mesh->inside);
    memory_release(mesh);
}
