/*
 * The triangle of a mesh nearest to a convex body, by branch and bound. Two lower bounds reject most of the hierarchy. The first is the
 * distance of the node's box from the box of the body's core, along the mesh's axes. The second is the gap between the body and the node's
 * box along the direction from the nearest triangle so far; it shows for a broad body over a slope that the rest of the slope is no nearer.
 */

#include "narrow/query/mesh_near.h"

#include "base/real.h"
#include "narrow/query/separation.h"
#include "narrow/mesh/convex/triangle_body.h"

typedef struct near_work {
    const placed_mesh *mesh;
    const convex *body;
    const normal_settings *settings;
    bool only_apart;
    abut_vec3 middle; /* middle of the hierarchy, mesh frame; origin of the two boxes' coordinates */
    abut_aabb box;    /* bounds of the body's core, along the mesh's axes, relative to `middle` */
    double rounding;  /* rounding error of a bound */
    double coordinates;
    abut_vec3 facing; /* unit, from the nearest triangle to the body, along the mesh's axes; zero at first */
    double lowest;    /* lowest height of the body along it, relative to `middle` */
    mesh_near *near;
} near_work;

static double spread(abut_vec3 v) { return fabs(v.x) + fabs(v.y) + fabs(v.z); }

static near_work begin(const placed_mesh *mesh, const convex *body) {
    const abut_mat3 m = mesh->rotation; /* its columns are the mesh's axes */
    const packed_tree *tree = &mesh->mesh->tree;
    near_work work = {.mesh = mesh, .body = body, .middle = tree->middle};
    abut_vec3 from_middle = abut_sub(mesh->centre, tree->middle);
    work.box.lower = abut_sub(from_middle, abut_vec3_make(convex_extent(body, abut_neg(m.x)), convex_extent(body, abut_neg(m.y)),
                                                          convex_extent(body, abut_neg(m.z))));
    work.box.upper = abut_add(from_middle, abut_vec3_make(convex_extent(body, m.x), convex_extent(body, m.y), convex_extent(body, m.z)));
    work.coordinates = spread(mesh->centre) + spread(body->position) + body->size;
    work.rounding = 1e-14 * (work.coordinates + spread(tree->middle) + 1.0 / tree->scale);
    return work;
}

/* ---- bounds ---- */

static inline double beyond(double lower, double upper, double from, double to) {
    double outside = real_max(from - upper, lower - to);
    return outside > 0.0 ? outside : 0.0;
}

/* Lower bound of the distance between the body and the contents of a box given relative to the middle. */
static double bound_of(const near_work *work, const abut_aabb *box) {
    double x = beyond(box->lower.x, box->upper.x, work->box.lower.x, work->box.upper.x);
    double y = beyond(box->lower.y, box->upper.y, work->box.lower.y, work->box.upper.y);
    double z = beyond(box->lower.z, box->upper.z, work->box.lower.z, work->box.upper.z);
    double apart = sqrt(x * x + y * y + z * z) - work->body->radius;
    abut_vec3 n = work->facing;
    double highest = real_max(n.x * box->lower.x, n.x * box->upper.x) + real_max(n.y * box->lower.y, n.y * box->upper.y) +
                     real_max(n.z * box->lower.z, n.z * box->upper.z);
    return real_max(apart, work->lowest - highest) - work->rounding;
}

static double extent_of(const abut_aabb *box) {
    return real_max(box->upper.x - box->lower.x, real_max(box->upper.y - box->lower.y, box->upper.z - box->lower.z));
}

/* Below this gap the contact generator decides, as for two convex bodies. */
static double doubt_of(const near_work *work, double size) { return 1e-6 * (work->body->size + size) + 1e-14 * work->coordinates; }

static bool is_out_of_reach(const near_work *work, double bound, const abut_aabb *box) {
    return bound > work->near->gap && bound > doubt_of(work, extent_of(box));
}

/* ---- a triangle ---- */

static bool is_nearer(const near_work *work, double gap, int32_t index) {
    const mesh_near *near = work->near;
    return gap < near->gap || (gap == near->gap && work->body->part == near->part && index < near->index);
}

static void take(near_work *work, double gap, int32_t index, const contact_normal *normal) {
    mesh_near *near = work->near;
    near->gap = gap;
    near->part = work->body->part;
    near->index = index;
    near->normal = *normal;
    abut_vec3 towards = abut_neg(normal->direction);
    abut_vec3 from_middle = abut_sub(work->mesh->centre, work->middle);
    work->facing = abut_mat3_apply_transposed(work->mesh->rotation, towards);
    work->lowest = abut_dot(work->facing, from_middle) - convex_extent(work->body, normal->direction) - work->body->radius;
}

static bool approach(void *context, int32_t index, const abut_triangle *triangle) {
    near_work *work = context;
    const abut_vec3 *c = triangle->corner;
    abut_vec3 p = abut_sub(c[0], work->middle), q = abut_sub(c[1], work->middle), r = abut_sub(c[2], work->middle);
    abut_aabb box = {{real_min(p.x, real_min(q.x, r.x)), real_min(p.y, real_min(q.y, r.y)), real_min(p.z, real_min(q.z, r.z))},
                     {real_max(p.x, real_max(q.x, r.x)), real_max(p.y, real_max(q.y, r.y)), real_max(p.z, real_max(q.z, r.z))}};
    if (is_out_of_reach(work, bound_of(work, &box), &box)) {
        return true;
    }
    mesh_triangle seen;
    triangle_body flat;
    gjk_result d;
    contact_normal normal;
    mesh_set_place(&seen, work->mesh, index, triangle);
    triangle_body_set_any(&flat, &seen);
    bool apart = separation_when_apart(work->body, &flat.body, NULL, &d, &normal);
    work->near->close = work->near->close || !apart || !(normal.gap > doubt_of(work, flat.body.size));
    if (work->only_apart && work->near->close) {
        return false;
    }
    if (!apart) {
        normal = separation_normal(work->body, &flat.body, work->settings);
    }
    double gap = real_max(normal.gap, 0.0);
    if (is_nearer(work, gap, index)) {
        take(work, gap, index, &normal);
    }
    return true;
}

/* ---- the hierarchy ---- */

/* The lower bound for a node; INFINITY if it is out of reach. */
static double look(const near_work *work, int32_t node) {
    abut_aabb box = packed_node_box(&work->mesh->mesh->tree, node);
    double bound = bound_of(work, &box);
    return is_out_of_reach(work, bound, &box) ? INFINITY : bound;
}

void mesh_near_find(const placed_mesh *mesh, const convex *body, const normal_settings *settings, bool only_apart, mesh_near *near) {
    const packed_tree *tree = &mesh->mesh->tree;
    normal_settings least = *settings;
    least.minimum = true;
    least.cache = NULL;
    near_work work = begin(mesh, body);
    work.settings = &least;
    work.only_apart = only_apart;
    work.near = near;
    int32_t stack[PACKED_DEPTH + 1], height = 0;
    stack[height++] = 0;
    while (height > 0) {
        int32_t at = stack[--height];
        const packed_node *node = &tree->node[at];
        if (!(look(&work, at) < INFINITY)) {
            continue;
        }
        if (node->count > 0) {
            if (!trimesh_of_leaf(mesh->mesh, (packed_leaf){node->first, node->count}, approach, &work)) {
                return;
            }
            continue;
        }
        bool left_first = look(&work, at + 1) <= look(&work, node->first);
        stack[height++] = left_first ? node->first : at + 1;
        stack[height++] = left_first ? at + 1 : node->first;
    }
}
