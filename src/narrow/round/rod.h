#pragma once

#include "narrow/normal/feature_overlap.h"
#include "narrow/round/brick.h"
#include "narrow/round/spot.h"

/*
 * A sphere, a capsule or a box of a pair whose normal is known, and the one contact that its extreme features make: an end of a capsule, its side, or a face,
 * an edge or a vertex of the box. Pair's frame. Every operation that rounds is that of patch.c, feature_overlap.c and planar.c.
 */
typedef struct rod {
    double half, radius;
    bool is_point;
    abut_vec3 ends[2];                  /* of the axis, -z first; of a box those of the picked edge, or the picked vertex */
    abut_vec3 along, position, outward; /* along: the axis; outward: unit, towards the other body */
    abut_feature_kind kind;             /* EDGE: its side takes part */
    int32_t end;
    const brick *box; /* of a box; NULL for others */
    int32_t index;    /* of a box: that of the picked face or edge */
    int32_t names[2]; /* of a box: those of the vertices at the ends */
} rod;

/* What a short path knows of a pair. */
typedef struct round_pair {
    const round_body *bodies[2];
    const abut_collide_settings *settings;
    round_place place;
    double scale; /* the sum of the sizes */
    brick box;    /* of a box */
    rod a, b;
} round_pair;

/* Data that were just written are read back fast only in pieces of the same size. */
static inline abut_vec3 rod_copy(const abut_vec3 *v) { return abut_vec3_make(v->x, v->y, v->z); }

/* Places both bodies. False where round_set_place() is. */
bool rod_place(const round_body *a, const round_body *b, const abut_collide_settings *settings, round_pair *pair);

/* Gives a box the feature: a face or an edge along the axis, or the vertex itself, of those that hold the vertex. */
void rod_set_feature(rod *box, abut_feature_kind kind, int axis, int32_t vertex);

static inline double rod_height(const rod *r, abut_vec3 v) { return abut_dot(r->along, v); }

/* gauge_support(): the largest direction . (a - b). */
double rod_support(const rod *a, const rod *b, const abut_vec3 *direction);

/* Finds the contact for the outward directions and the gap along them. False when the general path has to decide. */
bool rod_touch(round_pair *pair, double gap, round_answer *answer);

/* The same for any number of contacts, and slower: patch_build(). */
bool rod_patch(const round_pair *pair, double gap, round_answer *answer);
