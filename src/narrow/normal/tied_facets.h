#pragma once

#include "narrow/normal/contact_normal.h"

/*
 * The facets of A - B that tie for the least depth, and the rule that picks the one that gives the normal.
 *
 * Facets are offered in any order, together with deeper ones. The choice depends only on the facets that tie. A face is preferred to two edges, because it is
 * better conditioned when the edges are nearly parallel. Then the previous direction decides, if there is one; otherwise the direction between the centres of
 * the bodies. So the choice turns with the bodies and is reversed when they are exchanged. A millionth of a direction fixed in the world is added to it. This
 * decides where the centres coincide or facets lie symmetrically about their line, so that rounding error does not decide.
 */

enum { TIED_FACETS_MOST = 16 };

typedef struct tied_facet {
    double depth;
    abut_vec3 direction; /* from A to B, pair's frame */
    bool is_face;
    abut_feature feature_a, feature_b; /* of the cores: face and vertex, or two edges */
} tied_facet;

typedef struct tied_facets {
    abut_vec3 wish;                         /* of facets that tie, the one nearest to it is picked */
    double rounding;                        /* absolute part of the tolerance for ties */
    double least;                           /* least depth so far */
    double limit;                           /* deeper facets do not tie */
    bool face_found;                        /* one of the facets that tie so far is a face */
    tied_facet facet[TIED_FACETS_MOST + 1]; /* the last one is room for the next facet */
    int32_t count;
} tied_facets;

static inline double tied_facets_width(const tied_facets *t, double depth) { return 1e-10 * fabs(depth) + t->rounding; }

/* Begins without a facet. between: from the centre of A to that of B. depth: a facet of at most this depth will be offered. scale: the sum of the bodies'
 * sizes. */
static inline void tied_facets_begin(tied_facets *t, const normal_settings *settings, abut_vec3 between, double depth, double scale) {
    bool follow = abut_length_squared(settings->previous) > 0.0;
    t->wish = follow ? settings->previous : abut_add_scaled(between, 1e-6 * scale, settings->aside);
    t->rounding = 4e-16 * scale;
    t->least = depth;
    t->limit = depth + 2.0 * tied_facets_width(t, depth);
    t->count = 0;
    t->face_found = false;
}

/* Where the next facet is to be written. It is filled in place, because data written in small pieces are slow to read back in larger ones. */
static inline tied_facet *tied_facets_room(tied_facets *t) { return &t->facet[t->count]; }

/* Writes a feature of the core. It is written field by field, because a record written whole is slow to read back in pieces of another size. */
static inline void tied_facet_name(abut_feature *feature, abut_feature_kind kind, int32_t index) {
    feature->kind = kind;
    feature->index = index;
    feature->part = 0;
}

/* Takes the facet that was written there, unless it is deeper than the limit. May lower the limit. */
void tied_facets_offer(tied_facets *t);

/* The facet that gives the normal; NULL when none was offered. *chosen: another direction is as good. */
const tied_facet *tied_facets_pick(const tied_facets *t, bool *chosen);
