#pragma once

#include "narrow/mesh/pair/least.h"
#include "narrow/mesh/surface.h"
#include "narrow/patch/contact_list.h"

/*
 * The contacts of two closed meshes, judged by what is exact: whether the surfaces cross, and how far they are apart. Set frame; A is the first
 * surface.
 *
 * Apart: the least gap is the distance, and no gap is smaller. Overlapping: every contact with a gap below 0 belongs to a zone, every zone has
 * one, and where both surfaces are convex its depth is the least.
 */

/* A piece of one mesh that is inside the other, and does not cross it. */
typedef struct contained_piece {
    abut_vec3 outwards; /* the way of A to the nearest surface, unit */
    bool hollow;        /* the piece is turned inside out */
} contained_piece;

/* All of them: see contained.h. */
typedef struct contained_pieces {
    contained_piece *piece;
    int32_t count;
    int32_t *stack;                   /* of triangles, while they are found */
    int32_t *triangle[2], *vertex[2]; /* of A, of B: the piece of each, from 1 on; 0: none. NULL where there are no pieces */
} contained_pieces;

typedef struct closed_pair {
    const mesh_surface *side[2]; /* of one mesh each, which has `twin` */
    double margin, weld;
    double rounding; /* error of a coordinate */
    double loose;    /* contacts may be deeper by this than the least depth: solids that were shrunk lean */
    double lean;     /* crossings no deeper than this do not keep a zone from its end */
    overlap in;
    placed_mesh moved;       /* A, a little aside, where triangles touch */
    least_way *way;          /* [in.zone_count]; of depth 0 where the surfaces are not convex */
    double deepest;          /* no contact is deeper; INFINITY: not known */
    bool flush;              /* some triangles touch, up to rounding errors */
    contained_pieces inside; /* what follows is without them */
    bool near;               /* there are contacts: an overlap, or a distance within the margin */
    abut_contact nearest;    /* where the two are apart: the closest points */
    bool out_of_memory;
} closed_pair;

/* Heights and gaps up to this are equal. */
static inline double closed_pair_same(const closed_pair *pair) { return 8.0 * pair->rounding; }

/* Whether the pair can be judged. */
bool closed_pair_fits(const mesh_surface *a, const mesh_surface *b);

/* Finds what is exact. `side`, `margin`, `weld` and `rounding` are set. */
void closed_pair_examine(closed_pair *pair);
void closed_pair_free(closed_pair *pair);

/* Computes the normals again from the features, without the rounding error that the difference of two near points has; and the gaps of vertices over faces. */
void closed_pair_refine(closed_pair *pair, contact_list *list);

/* Measures contacts anew that were found between slightly other surfaces of the same features. Drops those that are beyond the margin. */
void closed_pair_measure(closed_pair *pair, contact_list *list);

/* Finds the zones that are flat: contacts whose depths are lost in rounding errors lead out. Deeper ones cannot be there. */
void closed_pair_find_flat(closed_pair *pair, const contact_list *list);

/* Drops contacts that cannot be. */
void closed_pair_filter(const closed_pair *pair, contact_list *list);

/*
 * Whether the contacts that are left lead out of every zone. They do not where each of them is the shortest way out of its own features, and the surfaces still
 * cross after all these ways together. There the shortest way that ends the zone becomes known, and the contacts must be filtered again.
 */
bool closed_pair_leads_out(closed_pair *pair, const contact_list *list);

/*
 * Whether contacts of slightly larger solids with the same features lead out of every zone: each zone has one, and those that oppose each other count. Contacts
 * that are not deeper than rounding errors lead nowhere.
 */
bool closed_pair_is_left(const closed_pair *pair, const contact_list *list);

/* Whether two contacts below 0 are of one zone or of one piece inside the other solid. A way out of another one can take out a corner, and leaves the rest. */
bool closed_pair_are_together(const closed_pair *pair, const abut_contact *p, const abut_contact *q);

/* Adds contacts that are missing. */
void closed_pair_complete(const closed_pair *pair, contact_list *list);
