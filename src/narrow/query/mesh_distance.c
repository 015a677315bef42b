/*
 * abut_distance() with a mesh. A convex body, or each part of a compound, is compared with the nearest triangle, whichever side it faces.
 * For two meshes the nearest pair of triangles is found, over a plane the lowest vertex. If the two are so near that rounding error or the
 * rules of one-sided surfaces decide, or if one mesh may be inside the other, the contact generator decides whether they touch, as for all
 * other pairs.
 */

#include "narrow/query/mesh_distance.h"

#include <float.h>

#include "base/real.h"
#include "narrow/normal/feature.h"
#include "narrow/mesh/pair/nearest.h"
#include "narrow/query/mesh_near.h"
#include "narrow/query/separation.h"
#include "narrow/query/witness.h"
#include "narrow/normal/convex_parts.h"

static double spread(abut_vec3 v) { return fabs(v.x) + fabs(v.y) + fabs(v.z); }

placed_mesh mesh_distance_place(const collide_pair *pair, bool mesh_is_a, abut_vec3 about) {
    if (mesh_is_a) {
        return (placed_mesh){.mesh = pair->a->mesh, .rotation = abut_mat3_identity(), .aligned = true, .centre = about};
    }
    return (placed_mesh){.mesh = pair->b->mesh,
                         .rotation = pair->rotation_b,
                         .centre = abut_mat3_apply_transposed(pair->rotation_b, abut_sub(about, pair->position_b))};
}

/* ---- names ---- */

typedef struct edge_name {
    int32_t vertex[2];
    int32_t lowest; /* 3 times the triangle plus the side; the lowest so far */
} edge_name;

static bool has_edge(void *context, int32_t index, const abut_triangle *t) {
    edge_name *name = context;
    for (int i = 0; i < 3; ++i) {
        int32_t p = t->vertex[i], q = t->vertex[(i + 1) % 3];
        bool same = (p == name->vertex[0] && q == name->vertex[1]) || (p == name->vertex[1] && q == name->vertex[0]);
        if (same && 3 * index + i < name->lowest) {
            name->lowest = 3 * index + i;
        }
    }
    return true;
}

abut_feature mesh_distance_name(const abut_shape *mesh, abut_feature feature) {
    if (feature.kind == ABUT_FEATURE_EDGE) {
        abut_triangle t;
        trimesh_triangle(mesh->mesh, feature.index / 3, &t);
        int side = feature.index % 3;
        edge_name name = {{t.vertex[side], t.vertex[(side + 1) % 3]}, feature.index};
        abut_vec3 middle = abut_lerp(t.corner[side], t.corner[(side + 1) % 3], 0.5);
        double near = 1e-12 * (mesh->size + fabs(middle.x) + fabs(middle.y) + fabs(middle.z));
        trimesh_in_ball(mesh->mesh, middle, near, has_edge, &name);
        feature.index = name.lowest;
    }
    return feature;
}

/* ---- decided by the contact generator ---- */

/* Whether the pair touches. Sets the separation if it does. */
static bool touches(const collide_pair *pair, abut_separation *separation, bool *out_of_memory) {
    collide_pair at_touch = *pair;
    at_touch.normal.margin = 0.0;
    return separation_deepest(&at_touch, separation, out_of_memory);
}

/* ---- a convex body ---- */

abut_separation mesh_distance_along(const convex *body, const triangle_body *flat, const mesh_triangle *triangle,
                                    const contact_normal *normal) {
    const double exact_sine = 1e-7; /* the same angle as for contacts */
    contact_normal settled = *normal;
    abut_separation s = separation_along(body, &flat->body, &settled);
    abut_feature on_mesh = normal->feature_b;
    if (on_mesh.kind == ABUT_FEATURE_NONE) {
        on_mesh = feature_pick(&flat->body, abut_neg(normal->direction), exact_sine);
    }
    s.feature_b = triangle_body_feature(flat, triangle, on_mesh);
    if (s.gap <= 0.0) {
        s.on_a = s.on_b; /* a common point of both; which one is arbitrary */
        s.feature_b = (abut_feature){ABUT_FEATURE_FACE, triangle->index, triangle->part};
    }
    return s;
}

static void search(const placed_mesh *mesh, const convex_parts *parts, const normal_settings *settings, bool only_apart, mesh_near *near) {
    *near = mesh_near_nothing();
    for (int32_t i = 0; i < parts->count && !(only_apart && near->close); ++i) {
        mesh_near_find(mesh, &parts->part[i], settings, only_apart, near);
    }
}

static abut_separation told_of(const abut_shape *shape, const placed_mesh *mesh, const convex_parts *parts, const mesh_near *near) {
    abut_triangle corners;
    mesh_triangle triangle;
    triangle_body flat;
    trimesh_triangle(mesh->mesh, near->index, &corners);
    mesh_set_place(&triangle, mesh, near->index, &corners);
    triangle_body_set_any(&flat, &triangle);
    abut_separation s = mesh_distance_along(&parts->part[near->part], &flat, &triangle, &near->normal);
    s.gap = real_max(s.gap, DBL_MIN); /* the body is apart, or behind the one-sided surface that it crosses */
    s.feature_b = mesh_distance_name(shape, s.feature_b);
    return s;
}

static abut_status with_parts(const collide_pair *pair, bool mesh_is_a, bool apart, abut_separation *separation) {
    abut_vec3 centre = mesh_is_a ? pair->position_b : abut_vec3_make(0.0, 0.0, 0.0);
    placed_mesh mesh = mesh_distance_place(pair, mesh_is_a, centre);
    convex_parts parts;
    abut_mat3 rotation = mesh_is_a ? pair->rotation_b : abut_mat3_identity();
    if (!convex_parts_place(mesh_is_a ? pair->b : pair->a, rotation, abut_vec3_make(0.0, 0.0, 0.0), &parts)) {
        convex_parts_free(&parts);
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    mesh_near near;
    search(&mesh, &parts, &pair->normal, !apart, &near);
    bool touching = false, out_of_memory = false;
    if (!apart && near.close) {
        touching = touches(pair, separation, &out_of_memory);
        if (!touching && !out_of_memory) {
            search(&mesh, &parts, &pair->normal, false, &near);
        }
    }
    if (!touching && !out_of_memory) {
        abut_separation s = told_of(mesh_is_a ? pair->a : pair->b, &mesh, &parts, &near);
        s.on_a = abut_add(s.on_a, centre);
        s.on_b = abut_add(s.on_b, centre);
        *separation = mesh_is_a ? separation_swapped(s) : s;
    }
    convex_parts_free(&parts);
    return out_of_memory ? ABUT_ERROR_OUT_OF_MEMORY : ABUT_OK;
}

/* ---- a plane ---- */

static abut_separation above_plane(const collide_pair *pair, bool mesh_is_a, double *doubt) {
    const abut_shape *mesh = mesh_is_a ? pair->a : pair->b, *plane = mesh_is_a ? pair->b : pair->a;
    abut_vec3 outward = mesh_is_a ? abut_mat3_apply(pair->rotation_b, plane->normal) : plane->normal; /* in the pair's frame */
    abut_vec3 down = abut_neg(mesh_is_a ? outward : abut_mat3_apply_transposed(pair->rotation_b, outward));
    int32_t vertex = trimesh_farthest(mesh->mesh, down);
    abut_vec3 lowest = trimesh_vertex(mesh->mesh, vertex);
    lowest = mesh_is_a ? lowest : abut_add(abut_mat3_apply(pair->rotation_b, lowest), pair->position_b);
    double offset = plane->offset + (mesh_is_a ? abut_dot(outward, pair->position_b) : 0.0);
    double height = abut_dot(outward, lowest) - offset;
    *doubt = 1e-6 * mesh->size + 1e-14 * (fabs(offset) + spread(lowest) + spread(pair->position_b));
    return (abut_separation){.gap = height,
                             .on_a = lowest,
                             .on_b = abut_add_scaled(lowest, -height, outward),
                             .normal = outward,
                             .feature_a = {.kind = ABUT_FEATURE_VERTEX, .index = vertex},
                             .feature_b = {.kind = ABUT_FEATURE_FACE}};
}

static abut_status with_plane(const collide_pair *pair, bool mesh_is_a, bool apart, abut_separation *separation) {
    double doubt;
    bool out_of_memory = false;
    abut_separation s = above_plane(pair, mesh_is_a, &doubt);
    if (!apart && s.gap <= doubt && touches(pair, separation, &out_of_memory)) {
        return ABUT_OK;
    }
    s.gap = real_max(s.gap, DBL_MIN);
    *separation = mesh_is_a ? s : separation_swapped(s);
    return out_of_memory ? ABUT_ERROR_OUT_OF_MEMORY : ABUT_OK;
}

/* ---- two meshes ---- */

/* Places both meshes as for contacts, so that the same coordinates decide. */
static abut_vec3 place_both(const collide_pair *pair, placed_mesh *a, placed_mesh *b) {
    abut_vec3 about = mesh_pair_origin(pair->a->mesh);
    *a = mesh_distance_place(pair, true, about);
    *b = mesh_distance_place(pair, false, about);
    return about;
}

/* Surfaces touch where they share a point, up to rounding errors. A solid may also hold the other surface inside. */
static bool may_touch(const collide_pair *pair, const mesh_nearest *found) {
    bool inside = trimesh_has_inside(pair->a->mesh) || trimesh_has_inside(pair->b->mesh);
    return found->distance <= found->doubt || (inside && found->boxes_meet);
}

/* Apart, or behind the one-sided surface that crosses. */
static abut_separation told_of_nearest(const mesh_nearest *found, abut_vec3 about, const abut_shape *a, const abut_shape *b) {
    triangles_gap gap = found->gap;
    triangles_set_direction(found->a.corner, found->b.corner, &gap);
    return (abut_separation){.gap = real_max(found->distance, DBL_MIN),
                             .on_a = abut_add(gap.on_p, about),
                             .on_b = abut_add(gap.on_q, about),
                             .normal = gap.normal,
                             .feature_a = mesh_distance_name(a, mesh_nearest_feature(&found->a, gap.weight_p)),
                             .feature_b = mesh_distance_name(b, mesh_nearest_feature(&found->b, gap.weight_q))};
}

static abut_status with_mesh(const collide_pair *pair, bool apart, abut_separation *separation) {
    placed_mesh a, b;
    mesh_nearest found;
    bool out_of_memory = false;
    abut_vec3 about = place_both(pair, &a, &b);
    bool swapped = mesh_nearest_b_first(&a, &b, pair->order, pair->aside);
    mesh_nearest_find(swapped ? &b : &a, swapped ? &a : &b, INFINITY, &found);
    if (!apart && may_touch(pair, &found) && touches(pair, separation, &out_of_memory)) {
        return ABUT_OK;
    }
    abut_separation told = told_of_nearest(&found, about, swapped ? pair->b : pair->a, swapped ? pair->a : pair->b);
    *separation = swapped ? separation_swapped(told) : told;
    return out_of_memory ? ABUT_ERROR_OUT_OF_MEMORY : ABUT_OK;
}

/* ---- any pair ---- */

abut_status mesh_distance_find(const collide_pair *pair, bool apart, abut_separation *separation) {
    bool mesh_is_a = pair->a->kind == ABUT_SHAPE_TRIMESH;
    const abut_shape *other = mesh_is_a ? pair->b : pair->a;
    if (other->kind == ABUT_SHAPE_TRIMESH) {
        return with_mesh(pair, apart, separation);
    }
    if (other->kind == ABUT_SHAPE_PLANE) {
        return with_plane(pair, mesh_is_a, apart, separation);
    }
    return with_parts(pair, mesh_is_a, apart, separation);
}
