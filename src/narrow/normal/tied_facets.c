#include "narrow/normal/tied_facets.h"

/* Drops facets above the limit. The new facet, which is stored behind the others, moves up. */
static void forget_deeper(tied_facets *t, const tied_facet *facet) {
    int32_t kept = 0;
    t->face_found = false;
    for (int32_t i = 0; i < t->count; ++i) {
        if (t->facet[i].depth <= t->limit) {
            t->face_found = t->face_found || (t->facet[i].is_face && t->facet[i].depth <= t->least + tied_facets_width(t, t->least));
            t->facet[kept++] = t->facet[i];
        }
    }
    if (kept < t->count) {
        t->facet[kept] = *facet;
    }
    t->count = kept;
}

static uint64_t name_of(const tied_facet *facet) {
    return (uint64_t)(uint32_t)facet->feature_a.index << 32 | (uint32_t)facet->feature_b.index;
}

/* The rule for ties. */
static bool is_better(const tied_facet *p, const tied_facet *q, abut_vec3 wish) {
    if (p->is_face != q->is_face) {
        return p->is_face;
    }
    double along_p = abut_dot(p->direction, wish), along_q = abut_dot(q->direction, wish);
    return along_p != along_q ? along_p > along_q : name_of(p) < name_of(q);
}

/* Too many facets tie: drops the worst one by the rule. */
static void forget_worst(tied_facets *t) {
    int32_t worst = 0;
    for (int32_t i = 1; i < t->count; ++i) {
        worst = is_better(&t->facet[worst], &t->facet[i], t->wish) ? i : worst;
    }
    t->facet[worst] = t->facet[--t->count];
}

void tied_facets_offer(tied_facets *t) {
    const tied_facet *facet = tied_facets_room(t);
    double depth = facet->depth;
    if (!(depth <= t->limit)) {
        return;
    }
    if (depth < t->least) {
        t->least = depth;
        t->limit = depth + 2.0 * tied_facets_width(t, depth);
        forget_deeper(t, facet);
        facet = tied_facets_room(t);
    }
    t->face_found = t->face_found || (facet->is_face && depth <= t->least + tied_facets_width(t, t->least));
    if (++t->count > TIED_FACETS_MOST) {
        forget_worst(t);
    }
}

const tied_facet *tied_facets_pick(const tied_facets *t, bool *chosen) {
    const double same = 1e-6;
    if (t->count == 1) {
        *chosen = false; /* the usual case */
        return &t->facet[0];
    }
    double least = INFINITY;
    for (int32_t i = 0; i < t->count; ++i) {
        least = t->facet[i].depth < least ? t->facet[i].depth : least;
    }
    double deepest = least + tied_facets_width(t, least);
    const tied_facet *best = NULL;
    for (int32_t i = 0; i < t->count; ++i) {
        const tied_facet *facet = &t->facet[i];
        if (facet->depth <= deepest && (best == NULL || is_better(facet, best, t->wish))) {
            best = facet;
        }
    }
    *chosen = false;
    for (int32_t i = 0; i < t->count && best != NULL; ++i) {
        const tied_facet *facet = &t->facet[i];
        *chosen = *chosen || (facet->depth <= deepest && abut_distance_between(facet->direction, best->direction) > same);
    }
    return best;
}
