/* Closed convex meshes as polytopes: see the header. Pair's frame. */
#include "narrow/solids.h"

#include "base/real.h"
#include "geom/packed_tree.h"
#include "shape/closed/convex_mesh.h"
#include "shape/closed/convex_names.h"
#include "shape/trimesh.h"

/* ---- the pair ---- */

static abut_vec3 seen_from_b(const collide_pair *pair, abut_vec3 point) {
    return abut_mat3_apply_transposed(pair->rotation_b, abut_sub(point, pair->position_b));
}

bool solids_is_one(const abut_shape *shape) { return shape->kind == ABUT_SHAPE_TRIMESH && shape->mesh->convex != NULL; }

static bool is_body(const abut_shape *shape) {
    return shape_is_convex(shape) || shape->kind == ABUT_SHAPE_COMPOUND || solids_is_one(shape);
}

static bool has_smooth_edges(const abut_shape *shape) { return shape->kind == ABUT_SHAPE_TRIMESH && shape->mesh->smooth != NULL; }

static bool has_sphere(const abut_shape *shape) { return shape->kind == ABUT_SHAPE_SPHERE || shape->kind == ABUT_SHAPE_COMPOUND; }

/* Spheres touch the smooth surface and not the solid. */
static bool is_smooth_pair(const collide_pair *pair) {
    return (has_smooth_edges(pair->a) && has_sphere(pair->b)) || (has_smooth_edges(pair->b) && has_sphere(pair->a));
}

static bool are_bodies(const collide_pair *pair) {
    bool a = solids_is_one(pair->a), b = solids_is_one(pair->b);
    bool rules = pair->mesh_rule != ABUT_MESH_SURFACE || pair->mesh_identity != ABUT_MESH_BY_PLACE;
    return rules ? a && b : (a || b) && is_body(pair->a) && is_body(pair->b) && !is_smooth_pair(pair);
}

/* The mesh whose place its polytope takes; NULL for other shapes. */
static const trimesh *replace(const abut_shape **shape) {
    const trimesh *mesh = solids_is_one(*shape) ? (*shape)->mesh : NULL;
    *shape = mesh != NULL ? mesh->convex->solid : *shape;
    return mesh;
}

static void replace_both(collide_pair *placed) {
    if (are_bodies(placed)) {
        placed->mesh_a = replace(&placed->a);
        placed->mesh_b = replace(&placed->b);
        placed->normal.minimum = true;
        collide_set_order(placed);
    }
}

abut_status solids_place(const abut_pair *pair, const abut_collide_settings *settings, collide_pair *placed, abut_mat3 *rotation_a) {
    abut_status status = collide_place(pair, settings, placed, rotation_a);
    if (status == ABUT_OK) {
        replace_both(placed);
    }
    return status;
}

abut_status solids_place_bodies(const abut_placed *a, const abut_placed *b, const abut_collide_settings *settings, collide_pair *placed) {
    abut_status status = collide_place_bodies(a, b, settings, placed);
    if (status == ABUT_OK) {
        replace_both(placed);
    }
    return status;
}

/* ---- apart ---- */

/* A box about the body, along the axes of the mesh and in its frame. */
typedef struct box_beside {
    const trimesh *mesh;
    abut_vec3 centre, half; /* half: with the margin */
    double rounding;
    bool outside; /* the centre is outside the solid */
} box_beside;

static abut_vec3 turned_extent(const abut_mat3 *turn, abut_vec3 half) {
    return abut_vec3_make(fabs(turn->x.x) * half.x + fabs(turn->y.x) * half.y + fabs(turn->z.x) * half.z,
                          fabs(turn->x.y) * half.x + fabs(turn->y.y) * half.y + fabs(turn->z.y) * half.z,
                          fabs(turn->x.z) * half.x + fabs(turn->y.z) * half.y + fabs(turn->z.z) * half.z);
}

static box_beside box_of(const collide_pair *pair) {
    bool mesh_is_b = pair->mesh_b != NULL;
    const abut_shape *body = mesh_is_b ? pair->a : pair->b;
    abut_vec3 middle = abut_lerp(body->bounds.lower, body->bounds.upper, 0.5), position = pair->position_b;
    abut_vec3 half = abut_scale(0.5, abut_sub(body->bounds.upper, body->bounds.lower));
    abut_mat3 turn = mesh_is_b ? abut_mat3_transpose(pair->rotation_b) : pair->rotation_b;
    double spread = fabs(position.x) + fabs(position.y) + fabs(position.z) + fabs(middle.x) + fabs(middle.y) + fabs(middle.z);
    box_beside box = {.mesh = mesh_is_b ? pair->mesh_b : pair->mesh_a,
                      .centre = mesh_is_b ? seen_from_b(pair, middle) : abut_add(abut_mat3_apply(turn, middle), position),
                      .half = body->kind == ABUT_SHAPE_SPHERE ? half : turned_extent(&turn, half),
                      .rounding = 1e-6 * (pair->a->size + pair->b->size) + 1e-14 * spread};
    double more = pair->normal.margin + box.rounding;
    box.half = abut_add(box.half, abut_vec3_make(more, more, more));
    return box;
}

/* One triangle below the centre proves that it is outside a convex solid. */
static void look_below(void *context, int32_t index, const abut_triangle *triangle, double *limit) {
    box_beside *box = context;
    abut_vec3 across = abut_cross(abut_sub(triangle->corner[1], triangle->corner[0]), abut_sub(triangle->corner[2], triangle->corner[0]));
    double height = abut_dot(across, abut_sub(box->centre, triangle->corner[0]));
    (void)index;
    if (height > box->rounding * abut_length(across)) {
        box->outside = true;
        *limit = 0.0;
    }
}

/* Whether the box is beside the bounds of the whole solid. */
static bool is_beside(const box_beside *box) {
    const abut_aabb *bounds = &box->mesh->convex->solid->bounds;
    abut_vec3 below = abut_sub(bounds->lower, abut_add(box->centre, box->half));
    abut_vec3 above = abut_sub(abut_sub(box->centre, box->half), bounds->upper);
    return below.x > 0.0 || below.y > 0.0 || below.z > 0.0 || above.x > 0.0 || above.y > 0.0 || above.z > 0.0;
}

/* Whether no triangle may meet the box. */
static bool is_clear(const box_beside *box) {
    packed_box_walk walk;
    packed_leaf leaf;
    packed_box_begin(&walk, &box->mesh->tree, (abut_aabb){abut_sub(box->centre, box->half), abut_add(box->centre, box->half)});
    return !packed_box_next(&walk, &leaf);
}

bool solids_are_apart(const collide_pair *pair) {
    if (pair->mesh_a == NULL && pair->mesh_b == NULL) {
        return false;
    }
    box_beside box = box_of(pair);
    const int32_t few = 64; /* triangles, which the polytope rejects as fast as their tree */
    bool beside = is_beside(&box);
    if (beside || box.mesh->triangle_count <= few || !is_clear(&box)) {
        return beside;
    }
    abut_vec3 inside = box.mesh->convex->solid->surface.inner_centre;
    trimesh_along(box.mesh, box.centre, abut_sub(inside, box.centre), 1.0, look_below, &box);
    return box.outside;
}

/* ---- names ---- */

static void name(const collide_pair *pair, abut_vec3 on_a, abut_vec3 on_b, abut_feature *feature_a, abut_feature *feature_b) {
    if (pair->mesh_a != NULL) {
        *feature_a = convex_mesh_name(pair->mesh_a, *feature_a, on_a);
    }
    if (pair->mesh_b != NULL) {
        *feature_b = convex_mesh_name(pair->mesh_b, *feature_b, seen_from_b(pair, on_b));
    }
}

static abut_feature name_any(const trimesh *mesh, abut_feature feature) {
    return mesh != NULL ? convex_mesh_name_any(mesh, feature) : feature;
}

void solids_name_contacts(const collide_pair *pair, contact_list *list) {
    if (pair->mesh_a == NULL && pair->mesh_b == NULL) {
        return;
    }
    for (int32_t i = 0; i < list->count; ++i) {
        abut_contact *contact = &list->items[i];
        /* The id is that of the lowest names, so that it stays while a body slides from one triangle of a flat side to the next. */
        contact->id =
            contact_list_id(list, name_any(pair->mesh_a, contact->feature_a), name_any(pair->mesh_b, contact->feature_b), contact->normal);
        name(pair, contact->on_a, contact->on_b, &contact->feature_a, &contact->feature_b);
    }
}

void solids_name_separation(const collide_pair *pair, abut_separation *separation) {
    name(pair, separation->on_a, separation->on_b, &separation->feature_a, &separation->feature_b);
}
