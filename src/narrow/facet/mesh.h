#pragma once

#include "narrow/facet/facet.h"
#include "narrow/pair.h"
#include "shape/shape.h"

/*
 * Contacts of a body of rounded triangles with another one, with a sphere or with a plane: all pairs of facets for which facet_meet() finds
 * a contact. The bodies' hierarchies select the pairs. Normals point from B into A.
 */

enum { FACET_FOUND_FEW = 32 };

/* Pairs in contact, in the frame of the search. Grows as needed. */
typedef struct facet_found {
    abut_facetmesh_contact *items; /* the array `few`, or an allocated block */
    int32_t count, capacity;
    bool out_of_memory;
    bool not_finite;
    abut_facetmesh_contact few[FACET_FOUND_FEW];
} facet_found;

void facet_found_init(facet_found *found);
void facet_found_free(facet_found *found);
void facet_found_add(facet_found *found, int32_t facet_a, int32_t facet_b, const abut_facet_contact *contact);
/* Sorts by facet_a, then facet_b. order: [count], receives the indices of the items in ascending order. */
void facet_found_sort(const facet_found *found, int32_t *order);

/* Pose of B in A's frame. */
typedef struct facet_placement {
    abut_mat3 rotation;
    abut_vec3 position;
} facet_placement;

/* A facet of B in A's frame, without its corners. */
static inline facet_side facet_side_placed(const facet_side *own, const facet_placement *at) {
    facet_side side = *own;
    side.normal = abut_mat3_apply(at->rotation, own->normal);
    side.foot = abut_add(abut_mat3_apply(at->rotation, own->foot), at->position);
    side.centre = abut_add(abut_mat3_apply(at->rotation, own->centre), at->position);
    side.saddle = abut_mat3_apply(at->rotation, own->saddle);
    return side;
}

/* A point of A's frame in B's. */
static inline abut_vec3 facet_point_back(const facet_placement *at, abut_vec3 p) {
    return abut_mat3_apply_transposed(at->rotation, abut_sub(p, at->position));
}

/* The pose of A in B's frame. */
static inline facet_placement facet_placement_back(const facet_placement *b_in_a) {
    return (facet_placement){abut_mat3_transpose(b_in_a->rotation),
                             abut_neg(abut_mat3_apply_transposed(b_in_a->rotation, b_in_a->position))};
}

/* The corners of a facet of B in A's frame. */
static inline void facet_corners_placed(const facet_side *own, const facet_placement *at, abut_vec3 corner[3]) {
    for (int k = 0; k < 3; ++k) {
        corner[k] = abut_add(abut_mat3_apply(at->rotation, own->corner[k]), at->position);
    }
}

/* Adds all contacts, in A's frame and in no particular order. The facet index of a whole sphere or plane is -1. */
void facetmesh_meet(const abut_shape *a, const abut_shape *b, const facet_placement *b_in_a, facet_found *found);
void facetmesh_meet_sphere(const abut_shape *a, abut_vec3 centre, double radius, facet_found *found);
/* The half-space normal . x <= offset; normal unit. */
void facetmesh_meet_plane(const abut_shape *a, abut_vec3 normal, double offset, facet_found *found);

/* Spheres and planes are whole surfaces; every other shape is its skin. */
static inline bool facet_is_whole(const abut_shape *shape) { return shape->kind == ABUT_SHAPE_SPHERE || shape->kind == ABUT_SHAPE_PLANE; }

/* The feature of a shape that a facet of its skin belongs to; facet: -1 for a whole surface. The skin has been made. */
abut_feature facet_feature_of(const abut_shape *shape, int32_t facet);

/* The contacts of a pair, whichever of the two is the mesh, in the pair's frame and in ascending order: contact i is
 * found.items[order[i]]. */
typedef struct facet_contacts {
    facet_found found;
    int32_t *order; /* few_order, or an allocated block */
    int32_t few_order[FACET_FOUND_FEW];
} facet_contacts;

/* Returns ABUT_OK, ABUT_ERROR_UNSUPPORTED_PAIR, ABUT_ERROR_NOT_FINITE or ABUT_ERROR_OUT_OF_MEMORY. Call facet_contacts_free() in every
 * case. */
abut_status facet_contacts_make(const collide_pair *pair, facet_contacts *contacts);
void facet_contacts_free(facet_contacts *contacts);
