/*
 * The table that picks the generator for a pair of shape kinds.
 */

#include "narrow/box/collide.h"
#include "narrow/curved/curved.h"
#include "narrow/generators.h"
#include "narrow/normal/box_sat.h"
#include "narrow/normal/facet_memory.h"
#include "narrow/normal/normal.h"
#include "narrow/patch/patch.h"
#include "narrow/seam/mend.h"

#include "base/real.h"

void collide_convex(const collide_pair *pair, contact_list *list) {
    convex a, b;
    collide_place_convex(pair, &a, &b);
    patch_settings patch = collide_patch_settings(pair, real_min(a.size, b.size));
    contact_normal normal;
    bool touching = contact_normal_find(&a, &b, &pair->normal, &normal);
    if (touching) {
        patch_build(&a, &b, &normal, &patch, 0, list);
    }
    facet_memory_write(pair->normal.cache, &normal, touching);
}

void collide_round(const collide_pair *pair, contact_list *list) {
    if (collide_is_a_smaller(pair)) {
        collide_exchanged(pair, collide_convex, list);
    } else {
        collide_convex(pair, list);
    }
}

/* Separating axes alone decide for boxes that are apart, as most neighbours are. */
void collide_boxes_generally(const collide_pair *pair, contact_list *list) {
    const abut_shape *a = pair->a, *b = pair->b;
    double scale = a->size + b->size, touching = CONTACT_ROUNDING * scale;
    contact_normal normal;
    box_placement where = {&a->half, &b->half, &pair->rotation_b, &pair->position_b};
    if (!box_sat_normal(&where, &pair->normal, scale, pair->normal.margin + touching, &normal)) {
        facet_memory_write(pair->normal.cache, &normal, false);
        return;
    }
    if (!box_sat_gives_normal(a, b, pair->normal.minimum, pair->normal.refine)) {
        collide_convex(pair, list);
        return;
    }
    convex body_a, body_b;
    collide_place_convex(pair, &body_a, &body_b);
    bool meets = normal.gap <= -touching || contact_normal_of_near_boxes(&body_a, &body_b, &pair->normal, &normal);
    if (meets) {
        patch_settings patch = collide_patch_settings(pair, real_min(a->size, b->size));
        patch_build(&body_a, &body_b, &normal, &patch, 0, list);
    }
    facet_memory_write(pair->normal.cache, &normal, meets);
}

void collide_boxes(const collide_pair *pair, contact_list *list) {
    static const abut_mat3 aligned = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const abut_pose origin = {{0, 0, 0}, {0, 0, 0, 1}};
    abut_contact contacts[BOX_CONTACTS];
    const box_terms terms = {.margin = pair->normal.margin,
                             .sine = collide_sine(pair->feature_angle),
                             .weld = pair->weld,
                             .follow = abut_length_squared(pair->normal.previous) > 0.0,
                             .previous = abut_neg(pair->normal.previous),
                             .aside = pair->aside};
    box_task task = {.a = {pair->a, &aligned, &origin.position},
                     .b = {pair->b, &pair->rotation_b, &pair->position_b},
                     .terms = &terms,
                     .cache = pair->normal.cache,
                     .contacts = contacts,
                     .capacity = BOX_CONTACTS};
    if (box_tasks_are_fit(pair->a, pair->b, pair->normal.minimum, pair->normal.refine)) {
        box_tasks_run(&task, 1);
    }
    for (int32_t i = 0; i < task.count; ++i) {
        contact_list_add(list, &contacts[i]);
    }
    if (!task.decided) {
        collide_boxes_generally(pair, list);
    }
}

void collide_plane(const collide_pair *pair, contact_list *list) {
    bool plane_is_a = pair->a->kind == ABUT_SHAPE_PLANE;
    if (plane_is_a) {
        convex body = convex_place(pair->b, pair->rotation_b, pair->position_b, 0);
        patch_settings patch = collide_patch_settings(pair, body.size);
        patch_build_plane(&body, pair->a->normal, pair->a->offset, true, &patch, 0, list);
    } else {
        convex body = convex_place(pair->a, abut_mat3_identity(), abut_vec3_make(0, 0, 0), 0);
        patch_settings patch = collide_patch_settings(pair, body.size);
        abut_vec3 outward = abut_mat3_apply(pair->rotation_b, pair->b->normal);
        patch_build_plane(&body, outward, pair->b->offset + abut_dot(outward, pair->position_b), false, &patch, 0, list);
    }
}

/* The row of a kind that is treated as any bounded convex shape. */
#define ROW_OF_CONVEX                                                                                                                      \
    {[S] = collide_convex, [C] = collide_convex, [B] = collide_convex, [P] = collide_convex, [F] = collide_plane,                          \
     [U] = collide_compound, [M] = collide_mesh, [E] = collide_convex, [Q] = collide_convex, [I] = collide_convex, [R] = collide_convex,     \
     [T] = collide_facetmesh, [Y] = collide_round, [K] = collide_round}

/* The row of a cylinder or a cone. */
#define ROW_OF_ROUND                                                                                                                       \
    {[S] = collide_round, [C] = collide_round, [B] = collide_round, [P] = collide_round, [F] = collide_plane,                              \
     [U] = collide_compound, [M] = collide_mesh, [E] = collide_round, [Q] = collide_round, [I] = collide_round, [R] = collide_round,       \
     [T] = collide_facetmesh, [Y] = collide_round, [K] = collide_round}

collide_generator *collide_find_generator(const abut_shape *a, const abut_shape *b) {
    enum { S = ABUT_SHAPE_SPHERE, C = ABUT_SHAPE_CAPSULE, B = ABUT_SHAPE_BOX, P = ABUT_SHAPE_POLYTOPE, F = ABUT_SHAPE_PLANE,
           U = ABUT_SHAPE_COMPOUND, M = ABUT_SHAPE_TRIMESH, E = ABUT_SHAPE_ELLIPSOID, Q = ABUT_SHAPE_SUPERQUADRIC,
           I = ABUT_SHAPE_IMPLICIT, R = ABUT_SHAPE_PARAMETRIC, T = ABUT_SHAPE_FACETMESH,
           Y = ABUT_SHAPE_CYLINDER, K = ABUT_SHAPE_CONE, KINDS };
    static collide_generator *const table[KINDS][KINDS] = {
        [S] = {[S] = collide_convex, [C] = collide_convex, [B] = collide_convex, [P] = collide_convex, [F] = collide_plane,
               [U] = collide_compound, [M] = collide_mesh, [E] = collide_convex, [Q] = collide_convex, [I] = collide_convex,
               [R] = collide_convex, [T] = collide_facetmesh, [Y] = collide_round, [K] = collide_round},
        [C] = ROW_OF_CONVEX, [P] = ROW_OF_CONVEX, [E] = ROW_OF_CONVEX, [Q] = ROW_OF_CONVEX,
        [I] = ROW_OF_CONVEX, [R] = ROW_OF_CONVEX, [Y] = ROW_OF_ROUND, [K] = ROW_OF_ROUND,
        [B] = {[S] = collide_convex, [C] = collide_convex, [B] = collide_boxes, [P] = collide_convex, [F] = collide_plane,
               [U] = collide_compound, [M] = collide_mesh, [E] = collide_convex, [Q] = collide_convex,
               [I] = collide_convex, [R] = collide_convex, [T] = collide_facetmesh, [Y] = collide_round, [K] = collide_round},
        [F] = {[S] = collide_plane, [C] = collide_plane, [B] = collide_plane, [P] = collide_plane, [U] = collide_compound,
               [E] = collide_plane, [Q] = collide_plane, [I] = collide_plane, [R] = collide_plane, [M] = collide_mesh_plane,
               [T] = collide_facetmesh, [Y] = collide_plane, [K] = collide_plane},
        [U] = {[S] = collide_compound, [C] = collide_compound, [B] = collide_compound, [P] = collide_compound, [F] = collide_compound,
               [U] = collide_compound, [M] = collide_mesh, [E] = collide_compound, [Q] = collide_compound,
               [I] = collide_compound, [R] = collide_compound, [T] = collide_facetmesh, [Y] = collide_compound, [K] = collide_compound},
        [M] = {[S] = collide_mesh, [C] = collide_mesh, [B] = collide_mesh, [P] = collide_mesh, [U] = collide_mesh, [E] = collide_mesh,
               [Q] = collide_mesh, [I] = collide_mesh, [R] = collide_mesh, [F] = collide_mesh_plane, [M] = collide_mesh,
               [T] = collide_facetmesh, [Y] = collide_mesh, [K] = collide_mesh},
        [T] = {[S] = collide_facetmesh, [C] = collide_facetmesh, [B] = collide_facetmesh, [P] = collide_facetmesh, [F] = collide_facetmesh,
               [U] = collide_facetmesh, [M] = collide_facetmesh, [E] = collide_facetmesh, [Q] = collide_facetmesh, [I] = collide_facetmesh,
               [R] = collide_facetmesh, [T] = collide_facetmesh, [Y] = collide_facetmesh, [K] = collide_facetmesh},
    };
    bool skins = a->kind == ABUT_SHAPE_FACETMESH || b->kind == ABUT_SHAPE_FACETMESH;
    bool known = skins ? curved_stand_in(a) != NULL && curved_stand_in(b) != NULL : !smooth_is_unknown(a) && !smooth_is_unknown(b);
    return known ? table[a->kind][b->kind] : NULL;
}

#undef ROW_OF_CONVEX
#undef ROW_OF_ROUND

bool collide_is_supported(const abut_shape *a, const abut_shape *b) {
    const abut_shape *seen_a = curved_stand_in(a), *seen_b = curved_stand_in(b);
    return seen_a != NULL && seen_b != NULL && collide_find_generator(seen_a, seen_b) != NULL;
}

void collide_generate(const collide_pair *pair, contact_list *list) {
    collide_pair seen;
    if (!curved_any(pair->a, pair->b)) {
        collide_find_generator(pair->a, pair->b)(pair, list);
    } else if (curved_pair(pair, &seen)) {
        collide_find_generator(seen.a, seen.b)(&seen, list);
        seam_mend_pair(&seen, NULL, false, list);
        curved_settle(pair, list);
    }
}
