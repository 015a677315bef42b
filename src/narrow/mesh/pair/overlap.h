#pragma once

#include "narrow/mesh/set.h"

/*
 * Where the surfaces of two closed meshes go through each other, decided exactly for the placed vertices, and the zones that their solids
 * share. A zone is connected. The surface of A inside it has inner vertices, and sides that run inside it, and so has that of B. Set frame.
 */

/* Part of a zone. */
typedef struct overlap_part {
    int32_t zone, index;
} overlap_part;

typedef struct overlap_parts {
    overlap_part *items; /* sorted by zone and index, without repetitions */
    int32_t count, capacity;
} overlap_parts;

typedef struct overlap_pair {
    int32_t zone, index[2]; /* triangles of A and B */
} overlap_pair;

typedef struct overlap {
    const placed_mesh *mesh[2];
    overlap_pair *pair; /* triangles that go through each other, sorted by zone */
    int32_t pair_count, pair_capacity;
    overlap_parts triangle[2]; /* of A, of B: triangles with a part inside */
    overlap_parts side[2];     /* sides with a part inside, each by the lower of its two corners (3 triangle + k) */
    overlap_parts vertex[2];   /* inner vertices, each by one of its corners */
    overlap_parts name[2];     /* the same by the mesh's numbers, of which one vertex can have several */
    abut_aabb *box;            /* [zone_count] about the points where a side goes through a triangle */
    int32_t zone_count;
    double lean;   /* crossings no deeper than this do not keep a zone from its end: solids that were shrunk lean at saddles */
    bool touching; /* some triangles touch, and do not go through each other: the zones are certain only without that */
    bool flush;    /* some touch, up to `same`: rounding errors decide whether they go through each other */
    bool out_of_memory;
} overlap;

/* Finds the zones. Both meshes have `twin`. Bodies of which one is inside the other without a crossing have no zone. same: places closer than this are one. */
void overlap_find(overlap *found, const placed_mesh *a, const placed_mesh *b, double same);
void overlap_free(overlap *found);

/* The range of a zone. */
void overlap_range(const overlap_parts *parts, int32_t zone, int32_t *first, int32_t *end);
bool overlap_has(const overlap_parts *parts, int32_t zone, int32_t index);

/* A corner of a triangle, set frame. */
static inline abut_vec3 overlap_corner(const placed_mesh *mesh, int32_t corner) {
    abut_vec3 seen = abut_sub(mesh->mesh->vertices[mesh->mesh->corners[corner]], mesh->centre);
    return mesh->aligned ? seen : abut_mat3_apply(mesh->rotation, seen);
}
static inline int32_t overlap_next(int32_t corner) { return corner % 3 == 2 ? corner - 2 : corner + 1; }
static inline int32_t overlap_previous(int32_t corner) { return corner % 3 == 0 ? corner + 2 : corner - 1; }
