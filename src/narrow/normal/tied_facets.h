#pragma once

#include "narrow/normal/contact_normal.h"

/*
 * The facets of A - B that are as little deep as can be, and which of them gives the normal.
 *
 * Facets are offered in any order, together with others; the choice depends only on those that are equally good up to a tie. A face is
 * preferred to two edges: with parallel edges it is the better conditioned one.
 */

enum { TIED_FACETS_MOST = 16 };

typedef struct tied_facet {
    double depth;
    abut_vec3 direction; /* from A to B, pair frame */
    bool is_face;
    abut_feature feature_a, feature_b; /* of the cores: face and vertex, or two edges */
} tied_facet;

typedef struct tied_facets {
    const normal_settings *settings; /* the rule */
    double rounding; /* absolute part of what counts as equal */
    double least;    /* depth so far */
    double limit;    /* a facet deeper than this is none of them */
    bool face_found; /* one of those that are as little deep as any so far is a face */
    tied_facet facet[TIED_FACETS_MOST + 1]; /* the last one is room for the next */
    int32_t count;
} tied_facets;

static inline double tied_facets_width(const tied_facets *t, double depth) {
    return 1e-10 * fabs(depth) + t->rounding;
}

/* No facet yet, but it is known that one of at most this depth will come. scale: the bodies' sizes together. */
static inline void tied_facets_begin(tied_facets *t, const normal_settings *settings, double depth, double scale) {
    t->settings = settings;
    t->rounding = 4e-16 * scale;
    t->least = depth;
    t->limit = depth + 2.0 * tied_facets_width(t, depth);
    t->count = 0;
    t->face_found = false;
}

/* Where the next facet is to be written: in place, for what has just been written in small pieces is slow to read in larger ones. */
static inline tied_facet *tied_facets_room(tied_facets *t) {
    return &t->facet[t->count];
}

/* Writes a feature of the core. Field by field, because a record that was just written whole is slow to read back in pieces of another size. */
static inline void tied_facet_name(abut_feature *feature, abut_feature_kind kind, int32_t index) {
    feature->kind = kind;
    feature->index = index;
    feature->part = 0;
}

/* Takes in the facet that was written there, if it is no deeper than the limit, which it may lower. */
void tied_facets_offer(tied_facets *t);

/* The one that gives the normal; NULL when none came. *chosen: others with another direction are as good. */
const tied_facet *tied_facets_pick(const tied_facets *t, bool *chosen);
