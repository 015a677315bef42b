/* Gathers the triangles of placed meshes near a body, through the meshes' hierarchies: see set.h. */
#include "narrow/mesh/set.h"

#include "base/array.h"
#include "base/memory.h"
#include "base/real.h"
#include "geom/exact.h"
#include "geom/packed_ball.h"

void mesh_set_init(mesh_set *set) {
    set->items = set->few;
    set->count = 0;
    set->capacity = MESH_SET_FEW;
    set->out_of_memory = false;
}

void mesh_set_free(mesh_set *set) {
    if (set->items != set->few) {
        memory_release(set->items);
    }
    mesh_set_init(set);
}

static bool grow(mesh_set *set) {
    bool grown = array_double(&set->items, set->few, &set->capacity, sizeof *set->items);
    set->out_of_memory = set->out_of_memory || !grown;
    return grown;
}

/* ---- gathering ---- */

typedef struct gathering {
    mesh_set *set;
    const placed_mesh *mesh;
    double reach;
} gathering;

/* Whether two sides of a triangle are nearly parallel. */
static inline bool is_slender(const mesh_triangle *t) {
    const double nearly = 1e-2; /* sine */
    double u = abut_length_squared(abut_sub(t->corner[1], t->corner[0])), v = abut_length_squared(abut_sub(t->corner[2], t->corner[0]));
    return abut_length_squared(t->across) < nearly * nearly * (u * v);
}

/* Turns corners into the set's frame. seen: relative to the body's centre, along the mesh's axes. */
static inline void place_corners(mesh_triangle *placed, const placed_mesh *mesh, const abut_vec3 seen[3]) {
    for (int i = 0; i < 3; ++i) {
        placed->corner[i] = mesh->aligned ? seen[i] : abut_mat3_apply(mesh->rotation, seen[i]);
    }
    abut_vec3 across;
    placed->flat = trimesh_is_flat(mesh->mesh, placed->corner, &across);
    placed->across = across;
    if (!placed->flat && is_slender(placed)) {
        /* The plain formula subtracts nearly equal products. Its error turns the plane about any axis, so that the far end of a long triangle is off it. */
        placed->across = exact_cross(placed->corner[0], placed->corner[1], placed->corner[0], placed->corner[2]);
    }
}

/* Sets all other fields, after place_corners(). */
static inline void name_placed(mesh_triangle *placed, const placed_mesh *mesh, int32_t index, const int32_t vertex[3]) {
    for (int i = 0; i < 3; ++i) {
        placed->vertex[i] = vertex[i];
    }
    placed->index = index;
    placed->part = mesh->part;
    placed->two_sided = mesh->mesh->two_sided;
    placed->normal = placed->flat ? abut_vec3_make(0.0, 0.0, 0.0) : abut_unit(placed->across);
}

static inline void see(abut_vec3 seen[3], const placed_mesh *mesh, const abut_triangle *triangle) {
    for (int i = 0; i < 3; ++i) {
        seen[i] = abut_sub(triangle->corner[i], mesh->centre);
    }
}

void mesh_set_place(mesh_triangle *placed, const placed_mesh *mesh, int32_t index, const abut_triangle *triangle) {
    abut_vec3 seen[3];
    see(seen, mesh, triangle);
    place_corners(placed, mesh, seen);
    name_placed(placed, mesh, index, triangle->vertex);
}

/* False when there is no memory. */
static inline bool add_seen(const gathering *to, int32_t index, const int32_t vertex[3], const abut_vec3 seen[3]) {
    if (to->set->count == to->set->capacity && !grow(to->set)) {
        return false;
    }
    mesh_triangle *t = &to->set->items[to->set->count];
    place_corners(t, to->mesh, seen);
    double height = abut_dot(t->across, t->corner[0]);
    if (!t->flat && height * height > to->reach * to->reach * abut_length_squared(t->across)) {
        return true; /* its plane is out of reach */
    }
    name_placed(t, to->mesh, index, vertex);
    ++to->set->count;
    return true;
}

static bool add(void *context, int32_t index, const abut_triangle *triangle) {
    const gathering *to = context;
    abut_vec3 seen[3];
    see(seen, to->mesh, triangle);
    return add_seen(to, index, triangle->vertex, seen);
}

/* ---- in a box ---- */

/* Whether the range of three numbers meets an interval. */
static inline bool overlaps(double p, double q, double r, double lower, double upper) {
    return real_max(p, real_max(q, r)) >= lower && real_min(p, real_min(q, r)) <= upper;
}

/* Adds the triangles of a leaf whose bounds meet the box, mesh frame. Stored triangles only; others are not copied. */
static inline bool add_leaf_in_box(const gathering *to, packed_leaf leaf, const abut_aabb *box) {
    const trimesh *mesh = to->mesh->mesh;
    for (const int32_t *item = &mesh->order[leaf.first], *end = item + leaf.count; item < end; ++item) {
        const int32_t *vertex = &mesh->corners[3 * (size_t)*item];
        const abut_vec3 *p = &mesh->vertices[vertex[0]], *q = &mesh->vertices[vertex[1]], *r = &mesh->vertices[vertex[2]];
        if (overlaps(p->x, q->x, r->x, box->lower.x, box->upper.x) && overlaps(p->y, q->y, r->y, box->lower.y, box->upper.y) &&
            overlaps(p->z, q->z, r->z, box->lower.z, box->upper.z)) {
            const abut_vec3 centre = to->mesh->centre, seen[3] = {abut_sub(*p, centre), abut_sub(*q, centre), abut_sub(*r, centre)};
            if (!add_seen(to, *item, vertex, seen)) {
                return false;
            }
        }
    }
    return true;
}

void mesh_set_gather(mesh_set *set, const placed_mesh *mesh, abut_aabb near) {
    gathering to = {set, mesh, INFINITY};
    abut_aabb box = {abut_add(mesh->centre, near.lower), abut_add(mesh->centre, near.upper)};
    if (mesh->mesh->vertices == NULL) {
        trimesh_in_box(mesh->mesh, box, add, &to);
        return;
    }
    packed_box_walk walk;
    packed_leaf leaf;
    packed_box_begin(&walk, &mesh->mesh->tree, box);
    while (packed_box_next(&walk, &leaf) && add_leaf_in_box(&to, leaf, &box)) {
    }
}

/* ---- about a ball ---- */

/* Squared distance of zero from the range of three numbers. */
static inline double beyond(double p, double q, double r) {
    double lower = real_min(p, real_min(q, r)), upper = real_max(p, real_max(q, r));
    double outside = real_max(lower, -upper);
    return outside > 0.0 ? outside * outside : 0.0;
}

/* Whether the triangle's bounds are in reach. */
static inline bool is_near(const abut_vec3 seen[3], double reach) {
    return beyond(seen[0].x, seen[1].x, seen[2].x) + beyond(seen[0].y, seen[1].y, seen[2].y) + beyond(seen[0].z, seen[1].z, seen[2].z) <=
           reach * reach;
}

/* Adds the triangles of a leaf that are within reach. Stored triangles only; others are not copied. */
static inline bool add_leaf(const gathering *to, packed_leaf leaf) {
    const trimesh *mesh = to->mesh->mesh;
    const abut_vec3 centre = to->mesh->centre;
    for (const int32_t *item = &mesh->order[leaf.first], *end = item + leaf.count; item < end; ++item) {
        const int32_t *vertex = &mesh->corners[3 * (size_t)*item];
        abut_vec3 seen[3];
        for (int i = 0; i < 3; ++i) {
            seen[i] = abut_sub(mesh->vertices[vertex[i]], centre);
        }
        if (is_near(seen, to->reach) && !add_seen(to, *item, vertex, seen)) {
            return false;
        }
    }
    return true;
}

void mesh_set_gather_ball(mesh_set *set, const placed_mesh *mesh, double reach) {
    gathering to = {set, mesh, reach};
    if (mesh->mesh->vertices == NULL) {
        trimesh_in_ball(mesh->mesh, mesh->centre, reach, add, &to);
        return;
    }
    packed_ball_walk walk;
    packed_leaf leaf;
    packed_ball_begin(&walk, &mesh->mesh->tree, mesh->centre, reach);
    while (packed_ball_next(&walk, &leaf) && add_leaf(&to, leaf)) {
    }
}
