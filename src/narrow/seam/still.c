/* Bodies that stand still beside another one: see still.h. */
#include "narrow/seam/still.h"

#include "base/array.h"
#include "base/memory.h"
#include "base/real.h"
#include "geom/closest.h"
#include "narrow/normal/feature.h"

/* A plane is overtopped by more than this, relative to `level`. Normals out of a crack lean by small angles only. */
static const double rise = 0.05;

/* ---- gathering ---- */

/* How far a point is from the bounds of the part, along the axis where it is farthest. */
static double beyond_bounds(const still_part *part, abut_vec3 point) {
    abut_vec3 p = abut_mat3_apply_transposed(part->rotation, abut_sub(point, part->position));
    if (part->is_plane) {
        return abut_dot(part->shape->normal, p) - part->shape->offset;
    }
    abut_vec3 below = abut_sub(part->shape->bounds.lower, p), above = abut_sub(p, part->shape->bounds.upper);
    return real_max(real_max(real_max(below.x, above.x), real_max(below.y, above.y)), real_max(below.z, above.z));
}

bool still_is_near(const still_scale *scale, const still_part *part, abut_vec3 point) {
    return beyond_bounds(part, point) <= 10.0 * scale->crack + (part->mesh != NULL ? scale->reach : 0.0);
}

bool still_is_known(const abut_shape *shape) {
    bool faced = shape->kind == ABUT_SHAPE_PLANE || shape->kind == ABUT_SHAPE_TRIMESH || shape->kind == ABUT_SHAPE_COMPOUND;
    return faced || (shape_is_convex(shape) && !smooth_is_unknown(shape));
}

void still_add(still_solid *solid, const still_part *part) {
    if (array_extend(&solid->part, &solid->capacity, solid->count, solid->count + 1, sizeof *solid->part)) {
        solid->part[solid->count++] = *part;
    } else {
        solid->out_of_memory = true;
    }
}

still_part still_part_of(const abut_shape *shape, abut_mat3 rotation, abut_vec3 position) {
    still_part part = {.shape = shape, .rotation = rotation, .position = position, .index = -1};
    if (shape->kind == ABUT_SHAPE_PLANE) {
        part.is_plane = true;
        part.outward = abut_mat3_apply(rotation, shape->normal);
        part.offset = shape->offset + abut_dot(part.outward, position);
    } else if (shape->kind == ABUT_SHAPE_TRIMESH) {
        part.mesh = shape->mesh;
    } else {
        part.body = convex_place(shape, rotation, position, 0);
    }
    return part;
}

still_part still_part_in(const abut_shape *compound, abut_mat3 rotation, abut_vec3 position, int32_t index) {
    const abut_part *part = &compound->parts[index];
    return still_part_of(part->shape, abut_mat3_mul(rotation, abut_mat3_from_quat(part->pose.rotation)),
                         abut_add(abut_mat3_apply(rotation, part->pose.position), position));
}

/* The box around another box, seen from a frame that is turned and moved. */
static abut_aabb seen_from(abut_mat3 rotation, abut_vec3 position, abut_aabb box) {
    abut_vec3 half = abut_scale(0.5, abut_sub(box.upper, box.lower)), middle = abut_sub(abut_lerp(box.lower, box.upper, 0.5), position);
    abut_vec3 centre = abut_mat3_apply_transposed(rotation, middle);
    abut_vec3 reach = {fabs(rotation.x.x) * half.x + fabs(rotation.x.y) * half.y + fabs(rotation.x.z) * half.z,
                       fabs(rotation.y.x) * half.x + fabs(rotation.y.y) * half.y + fabs(rotation.y.z) * half.z,
                       fabs(rotation.z.x) * half.x + fabs(rotation.z.y) * half.y + fabs(rotation.z.z) * half.z};
    return (abut_aabb){abut_sub(centre, reach), abut_add(centre, reach)};
}

/* Whether the boxes are no farther from each other than the distance along each axis. */
static bool are_near(abut_aabb p, abut_aabb q, double distance) {
    abut_vec3 below = abut_sub(p.lower, q.upper), above = abut_sub(q.lower, p.upper);
    return real_max(real_max(real_max(below.x, above.x), real_max(below.y, above.y)), real_max(below.z, above.z)) <= distance;
}

void still_add_shape(still_solid *solid, const abut_shape *shape, abut_mat3 rotation, abut_vec3 position, bool own, abut_aabb box) {
    const double far = 11.0 * solid->scale.crack + (shape->kind == ABUT_SHAPE_TRIMESH ? solid->scale.reach : 0.0);
    const abut_aabb seen = seen_from(rotation, position, box);
    if (!still_is_known(shape) || (shape->kind != ABUT_SHAPE_PLANE && !are_near(shape->bounds, seen, far))) {
        return;
    }
    if (shape->kind != ABUT_SHAPE_COMPOUND) {
        still_part part = still_part_of(shape, rotation, position);
        still_add(solid, &part);
        return;
    }
    for (int32_t i = 0; i < shape->part_count; ++i) {
        if (are_near(shape->part_bounds[i], seen, far)) {
            still_part part = still_part_in(shape, rotation, position, i);
            part.index = own ? i : -1;
            still_add(solid, &part);
        }
    }
}

void still_release(still_solid *solid) {
    memory_release(solid->part);
    solid->part = NULL;
    solid->count = solid->capacity = 0;
}

/* ---- meshes ---- */

/* What is asked of the triangles near a point. All in the mesh's frame. */
typedef struct mesh_visit {
    const trimesh *mesh;
    const still_scale *scale;
    abut_vec3 point, viewer, normal;
    abut_vec3 best; /* normal of `face` */
    double same;
    int32_t face;
    bool yes;
} mesh_visit;

/* The point of a triangle closest to `to`. across: twice its area times its normal; flat: it has no face. */
static abut_vec3 closest_on(const abut_triangle *t, abut_vec3 to, abut_vec3 across, bool flat) {
    double weight[3];
    if (flat) {
        closest_on_longest_edge(to, t->corner, weight);
    } else {
        closest_on_wide_triangle(to, t->corner[0], t->corner[1], t->corner[2], across, weight);
    }
    return abut_add_scaled(abut_add_scaled(abut_scale(weight[0], t->corner[0]), weight[1], t->corner[1]), weight[2], t->corner[2]);
}

/* Whether the point is behind the triangle, seen from the viewer, or on it. */
static bool holds(void *context, int32_t index, const abut_triangle *t) {
    mesh_visit *v = context;
    abut_vec3 across;
    (void)index;
    if (trimesh_is_flat(v->mesh, t->corner, &across)) {
        return true;
    }
    abut_vec3 n = abut_unit(across);
    double viewed = abut_dot(n, abut_sub(v->viewer, t->corner[0])), height = abut_dot(n, abut_sub(v->point, t->corner[0]));
    if (viewed < 0.0 && v->mesh->two_sided) {
        viewed = -viewed;
        height = -height;
        n = abut_neg(n);
    }
    if (!(viewed > 0.0) || height > v->scale->level || height < -v->scale->reach) {
        return true;
    }
    abut_vec3 foot = abut_add_scaled(v->point, -height, n);
    v->yes = abut_distance_between(foot, closest_on(t, foot, across, false)) <= v->scale->level;
    return !v->yes;
}

/* Whether the triangle is near the point and a corner rises above the plane. */
static bool rises(void *context, int32_t index, const abut_triangle *t) {
    mesh_visit *v = context;
    abut_vec3 across;
    (void)index;
    bool flat = trimesh_is_flat(v->mesh, t->corner, &across);
    if (abut_distance_between(v->point, closest_on(t, v->point, across, flat)) > v->scale->crack) {
        return true;
    }
    for (int i = 0; i < 3; ++i) {
        v->yes = v->yes || abut_dot(v->normal, abut_sub(t->corner[i], v->point)) > rise * v->scale->level;
    }
    return !v->yes;
}

static bool has(void *context, int32_t index, const abut_triangle *t) {
    mesh_visit *v = context;
    abut_vec3 across;
    (void)index;
    bool flat = trimesh_is_flat(v->mesh, t->corner, &across);
    v->yes = abut_distance_between(v->point, closest_on(t, v->point, across, flat)) <= v->same;
    return !v->yes;
}

static const double parallel = 1e-7; /* of directions that count as equal: their difference */

/* Whether the triangle is at the point and has the normal. */
static bool faces(void *context, int32_t index, const abut_triangle *t) {
    mesh_visit *v = context;
    abut_vec3 across;
    if (trimesh_is_flat(v->mesh, t->corner, &across)) {
        return true;
    }
    abut_vec3 n = abut_unit(across);
    double off = abut_distance_between(n, v->normal);
    off = v->mesh->two_sided ? real_min(off, abut_distance_between(abut_neg(n), v->normal)) : off;
    v->yes = off <= parallel && abut_distance_between(v->point, closest_on(t, v->point, across, false)) <= v->same;
    v->face = v->yes ? index : v->face;
    return !v->yes;
}

/* Keeps the triangle near the point whose normal is nearest to the direction. */
static bool leans_least(void *context, int32_t index, const abut_triangle *t) {
    mesh_visit *v = context;
    abut_vec3 across;
    if (trimesh_is_flat(v->mesh, t->corner, &across) || abut_distance_between(v->point, closest_on(t, v->point, across, false)) > v->same) {
        return true;
    }
    abut_vec3 n = abut_unit(across);
    n = v->mesh->two_sided && abut_dot(n, v->normal) < 0.0 ? abut_neg(n) : n;
    if (v->face < 0 || abut_dot(n, v->normal) > abut_dot(v->best, v->normal)) {
        v->face = index;
        v->best = n;
    }
    return true;
}

static mesh_visit visit_at(const still_part *part, abut_vec3 point) {
    return (mesh_visit){.mesh = part->mesh, .point = abut_mat3_apply_transposed(part->rotation, abut_sub(point, part->position))};
}

static bool mesh_holds(const still_solid *solid, const still_part *part, abut_vec3 point) {
    mesh_visit v = visit_at(part, point);
    v.scale = &solid->scale;
    v.viewer = abut_mat3_apply_transposed(part->rotation, abut_sub(solid->viewer, part->position));
    trimesh_in_ball(part->mesh, v.point, solid->scale.reach, holds, &v);
    return v.yes;
}

static bool mesh_rises(const still_solid *solid, const still_part *part, abut_vec3 point, abut_vec3 normal) {
    mesh_visit v = visit_at(part, point);
    v.scale = &solid->scale;
    v.normal = abut_mat3_apply_transposed(part->rotation, normal);
    trimesh_in_ball(part->mesh, v.point, solid->scale.crack, rises, &v);
    return v.yes;
}

static bool mesh_has(const still_part *part, abut_vec3 point, double rounding) {
    mesh_visit v = visit_at(part, point);
    v.same = rounding;
    trimesh_in_ball(part->mesh, v.point, rounding, has, &v);
    return v.yes;
}

/* ---- all kinds ---- */

bool still_holds(const still_solid *solid, const still_part *part, abut_vec3 point) {
    if (part->is_plane) {
        return abut_dot(part->outward, point) - part->offset <= solid->scale.level;
    }
    return part->mesh != NULL ? mesh_holds(solid, part, point) : convex_depth_of(&part->body, point) >= -solid->scale.level;
}

bool still_rises(const still_solid *solid, const still_part *part, abut_vec3 point, abut_vec3 normal) {
    if (part->is_plane) {
        return abut_distance_between(part->outward, normal) > 10.0 * parallel;
    }
    if (part->mesh != NULL) {
        return mesh_rises(solid, part, point, normal);
    }
    return convex_extent(&part->body, normal) + part->body.radius - abut_dot(normal, point) > rise * solid->scale.level;
}

bool still_has(const still_part *part, abut_vec3 point, double rounding) {
    if (part->is_plane) {
        return fabs(abut_dot(part->outward, point) - part->offset) <= rounding;
    }
    return part->mesh != NULL ? mesh_has(part, point, rounding) : fabs(convex_depth_of(&part->body, point)) <= rounding;
}

int32_t still_face(const still_part *part, abut_vec3 point, abut_vec3 outward, double rounding) {
    if (part->is_plane) {
        return 0;
    }
    if (part->mesh != NULL) {
        mesh_visit v = visit_at(part, point);
        v.same = rounding;
        v.face = -1;
        v.normal = abut_mat3_apply_transposed(part->rotation, outward);
        trimesh_in_ball(part->mesh, v.point, rounding, faces, &v);
        return v.face;
    }
    if (part->body.core != CORE_POLYTOPE && part->body.core != CORE_FRUSTUM) {
        return -1;
    }
    abut_feature picked = feature_pick(&part->body, outward, parallel);
    return picked.kind == ABUT_FEATURE_FACE ? picked.index : -1;
}

int32_t still_triangle(const still_part *mesh, abut_vec3 point, double near, abut_vec3 direction, abut_vec3 *normal) {
    mesh_visit v = visit_at(mesh, point);
    v.same = near;
    v.face = -1;
    v.normal = abut_mat3_apply_transposed(mesh->rotation, direction);
    trimesh_in_ball(mesh->mesh, v.point, near, leans_least, &v);
    *normal = abut_mat3_apply(mesh->rotation, v.best);
    return v.face;
}

/* ---- faces near a point ---- */

typedef struct face_search {
    const still_solid *solid;
    const still_part *part;
    abut_vec3 point; /* of a mesh in its frame */
    double far;
    still_visit *visit;
    void *context;
    bool ended;
} face_search;

static bool is_within(double lift, const face_search *search) { return fabs(lift) <= search->far; }

static bool visit_triangle(void *context, int32_t index, const abut_triangle *t) {
    face_search *search = context;
    const still_part *part = search->part;
    abut_vec3 across;
    (void)index;
    if (trimesh_is_flat(part->mesh, t->corner, &across)) {
        return true;
    }
    abut_vec3 n = abut_unit(across);
    double lift = abut_dot(n, abut_sub(t->corner[0], search->point));
    if (part->mesh->two_sided) {
        abut_vec3 viewer = abut_mat3_apply_transposed(part->rotation, abut_sub(search->solid->viewer, part->position));
        double side = abut_dot(n, abut_sub(viewer, t->corner[0])) < 0.0 ? -1.0 : 1.0;
        n = abut_scale(side, n);
        lift *= side;
    }
    abut_vec3 lifted = abut_add_scaled(search->point, lift, n);
    if (is_within(lift, search) && abut_distance_between(lifted, closest_on(t, lifted, across, false)) <= search->solid->scale.crack) {
        abut_vec3 normal = abut_mat3_apply(part->rotation, n);
        search->ended = search->visit(search->context, normal, abut_dot(n, t->corner[0]) + abut_dot(normal, part->position));
    }
    return !search->ended;
}

static bool visit_face(face_search *search, int32_t face) {
    const convex *body = &search->part->body;
    abut_vec3 normal = feature_face_normal(body, face);
    double height = convex_face_offset(body, face) + abut_dot(normal, body->position), lift = height - abut_dot(normal, search->point);
    return is_within(lift, search) && convex_depth_of(body, abut_add_scaled(search->point, lift, normal)) >= -search->solid->scale.crack &&
           search->visit(search->context, normal, height);
}

bool still_faces(const still_solid *solid, const still_part *part, abut_vec3 point, double far, still_visit *visit, void *context) {
    face_search search = {.solid = solid, .part = part, .point = point, .far = far, .visit = visit, .context = context};
    if (part->is_plane) {
        return is_within(part->offset - abut_dot(part->outward, point), &search) && visit(context, part->outward, part->offset);
    }
    if (part->mesh != NULL) {
        search.point = abut_mat3_apply_transposed(part->rotation, abut_sub(point, part->position));
        trimesh_in_ball(part->mesh, search.point, far + solid->scale.crack, visit_triangle, &search);
        return search.ended;
    }
    int32_t count = part->body.core == CORE_POLYTOPE ? part->body.surface->face_count : part->body.core == CORE_FRUSTUM ? 2 : 0;
    for (int32_t f = 0; f < count && !search.ended; ++f) {
        search.ended = visit_face(&search, f);
    }
    return search.ended;
}
