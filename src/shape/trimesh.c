/* What stored triangles and grids have in common: triangles by number, and by where they are. */

#include "shape/trimesh.h"

#include "base/memory.h"
#include "base/real.h"
#include "shape/heightfield.h"

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

/* The triangles of an item of the hierarchy, one after the other; -1 after the last one. *at: 0 at first. */
static int32_t next_of_item(const trimesh *mesh, int32_t item, int32_t *at) {
    if (mesh->vertices == NULL) {
        return heightfield_block_triangle(mesh, item, at);
    }
    return (*at)++ == 0 ? item : -1;
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
    for (packed_box_begin(&walk, &mesh->tree, box); packed_box_next(&walk, &leaf);) {
        for (int32_t slot = leaf.first; slot < leaf.first + leaf.count; slot++) {
            int32_t at = 0;
            for (int32_t index; (index = next_of_item(mesh, mesh->order[slot], &at)) >= 0;) {
                trimesh_triangle(mesh, index, &triangle);
                if (meets(&triangle, &box) && !visit(context, index, &triangle)) {
                    return false;
                }
            }
        }
    }
    return true;
}

/* Square of the distance of a number from the range of three. */
static inline double beyond(double x, double p, double q, double r) {
    double lower = real_min(p, real_min(q, r)), upper = real_max(p, real_max(q, r));
    double outside = real_max(lower - x, x - upper);
    return outside > 0.0 ? outside * outside : 0.0;
}

bool trimesh_in_ball(const trimesh *mesh, abut_vec3 centre, double radius, trimesh_visit *visit, void *context) {
    packed_near_walk walk;
    packed_leaf leaf;
    abut_triangle t;
    for (packed_near_begin(&walk, &mesh->tree, centre); packed_near_next(&walk, radius, &leaf);) {
        for (int32_t slot = leaf.first; slot < leaf.first + leaf.count; slot++) {
            int32_t at = 0;
            for (int32_t index; (index = next_of_item(mesh, mesh->order[slot], &at)) >= 0;) {
                trimesh_triangle(mesh, index, &t);
                const abut_vec3 *p = &t.corner[0], *q = &t.corner[1], *r = &t.corner[2];
                double square =
                    beyond(centre.x, p->x, q->x, r->x) + beyond(centre.y, p->y, q->y, r->y) + beyond(centre.z, p->z, q->z, r->z);
                if (square <= radius * radius && !visit(context, index, &t)) {
                    return false;
                }
            }
        }
    }
    return true;
}

static void approach_leaf(const trimesh *mesh, packed_leaf leaf, trimesh_approach *approach, void *context, double *limit) {
    abut_triangle triangle;
    for (int32_t slot = leaf.first; slot < leaf.first + leaf.count; slot++) {
        int32_t at = 0;
        for (int32_t index; (index = next_of_item(mesh, mesh->order[slot], &at)) >= 0;) {
            trimesh_triangle(mesh, index, &triangle);
            approach(context, index, &triangle, limit);
        }
    }
}

void trimesh_along(const trimesh *mesh, abut_vec3 origin, abut_vec3 way, double limit, trimesh_approach *approach, void *context) {
    packed_ray_walk walk;
    packed_leaf leaf;
    for (packed_ray_begin(&walk, &mesh->tree, origin, way); packed_ray_next(&walk, limit, &leaf);) {
        approach_leaf(mesh, leaf, approach, context, &limit);
    }
}

void trimesh_near(const trimesh *mesh, abut_vec3 point, double limit, trimesh_approach *approach, void *context) {
    packed_near_walk walk;
    packed_leaf leaf;
    for (packed_near_begin(&walk, &mesh->tree, point); packed_near_next(&walk, limit, &leaf);) {
        approach_leaf(mesh, leaf, approach, context, &limit);
    }
}

/* ---- the farthest vertex ---- */

typedef struct farthest {
    abut_vec3 direction;
    double height;
    int32_t vertex;
} farthest;

static void take_triangle(farthest *found, const abut_triangle *triangle) {
    for (int i = 0; i < 3; i++) {
        double height = abut_dot(found->direction, triangle->corner[i]);
        if (height > found->height || (height == found->height && triangle->vertex[i] < found->vertex)) {
            found->height = height;
            found->vertex = triangle->vertex[i];
        }
    }
}

/* What no vertex in the node lies above, with room for rounding. */
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
        abut_triangle triangle;
        for (int32_t slot = node->first; slot < node->first + node->count; slot++) {
            int32_t next = 0;
            for (int32_t index; (index = next_of_item(mesh, mesh->order[slot], &next)) >= 0;) {
                trimesh_triangle(mesh, index, &triangle);
                take_triangle(&found, &triangle);
            }
        }
    }
    return found.vertex;
}

/* ---- memory ---- */

size_t trimesh_bytes(const trimesh *mesh) {
    size_t vertices = (size_t)mesh->vertex_count, triangles = (size_t)mesh->triangle_count;
    size_t stored = mesh->vertices != NULL ? vertices * sizeof(abut_vec3) + 3 * triangles * sizeof(int32_t) : vertices * sizeof(double);
    return sizeof *mesh + stored + (size_t)mesh->item_count * sizeof(int32_t) + packed_tree_bytes(&mesh->tree);
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
    memory_release(mesh);
}
