#include "narrow/ties.h"

static void forget_deeper(ties *t) {
    int32_t kept = 0;
    for (int32_t i = 0; i < t->count; ++i) {
        if (t->facet[i].depth <= t->limit) {
            t->facet[kept++] = t->facet[i];
        }
    }
    t->count = kept;
}

void ties_offer(ties *t, const tied_facet *facet) {
    if (!(facet->depth <= t->limit)) {
        return;
    }
    if (facet->depth < t->least) {
        t->least = facet->depth;
        t->limit = facet->depth + 2.0 * ties_width(t, facet->depth);
        forget_deeper(t);
    }
    if (t->count < MOST_TIES) {
        t->facet[t->count++] = *facet;
    }
}

static uint64_t name_of(const tied_facet *facet) {
    return (uint64_t)(uint32_t)facet->feature_a.index << 32 | (uint32_t)facet->feature_b.index;
}

/* Follows the step before where there was one; else any rule does that an exchange of the bodies turns round. */
static bool is_better(const tied_facet *p, const tied_facet *q, const normal_settings *settings) {
    if (p->is_face != q->is_face) {
        return p->is_face;
    }
    bool follow = abut_length_squared(settings->previous) > 0.0;
    abut_vec3 wish = follow ? settings->previous : settings->aside;
    double along_p = abut_dot(p->direction, wish), along_q = abut_dot(q->direction, wish);
    return along_p != along_q ? along_p > along_q : name_of(p) < name_of(q);
}

const tied_facet *ties_pick(const ties *t, const normal_settings *settings, bool *chosen) {
    const double same = 1e-6;
    double least = INFINITY;
    for (int32_t i = 0; i < t->count; ++i) {
        least = t->facet[i].depth < least ? t->facet[i].depth : least;
    }
    double deepest = least + ties_width(t, least);
    const tied_facet *best = NULL;
    for (int32_t i = 0; i < t->count; ++i) {
        const tied_facet *facet = &t->facet[i];
        if (facet->depth <= deepest && (best == NULL || is_better(facet, best, settings))) {
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
