/* Pairs of boxes in vector lanes: see kernel.h. */
#include "narrow/box/kernel.h"

#include "narrow/box/kernel_faces.h"

static inline void store_pair(const lane_pair *p, int32_t at, box_answers *answers) {
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            simd_store(answers->turn[3 * i + j] + at, p->r[i][j]);
        }
        simd_store(answers->centre[i] + at, p->t[i]);
        simd_store(answers->edges[i] + at, p->across[i]);
    }
    simd_store(answers->depth + at, p->least);
}

/* sharp: where the normal is certain, but no two faces meet; its axis. */
static inline void store_verdict(const lane_pair *p, const lane_edges *edges, simd_mask sharp, simd axis, int32_t at,
                                 box_answers *answers) {
    simd verdict = simd_select(p->undecided, simd_select(sharp, simd_set(BOX_NORMAL), simd_set(BOX_UNDECIDED)), simd_set(BOX_FACES));
    verdict = simd_select(p->far, simd_set(BOX_APART_FACE), simd_select(edges->apart, simd_set(BOX_APART_EDGES), verdict));
    simd named = simd_select(edges->apart, edges->axis, simd_select(p->undecided, axis, p->axis));
    simd_store(answers->verdict + at, simd_select(p->unfit, simd_set(BOX_UNDECIDED), verdict));
    simd_store(answers->axis + at, simd_select(p->far, p->axis, named));
}

static inline void run(const box_task *tasks, int32_t count, int32_t at, box_answers *answers) {
    lane_pair p;
    lane_tasks lanes;
    lane_edges edges;
    edges.axis = simd_set(0.0);
    edges.apart = never();
    set_lanes(tasks + at, count - at, &lanes);
    load_pair(&lanes, count - at, &p);
    find_faces(&p);
    simd_mask sharp = never(), closed = p.far;
    simd axis = p.axis;
    lane_products products;
    if (is_any_open(&p, closed)) {
        find_products(&p, &products, &edges);
        closed = simd_either(closed, edges.apart);
    }
    if (is_any_open(&p, closed)) {
        pick_face(&lanes, &p);
        if ((simd_bits(simd_without(products.close, closed)) & p.real) != 0u) {
            find_edges(&p, &products, &edges);
            pick_edges(&edges, products.close, &p);
        }
        sharp = simd_without(always(), p.undecided);
        axis = p.axis;
        find_contacts(at, closed, &p, answers);
        store_pair(&p, at, answers);
    } else if (lanes.with_caches) {
        store_pair(&p, at, answers);
    }
    store_verdict(&p, &edges, sharp, axis, at, answers);
}

void SIMD_VARIANT(box_kernel)(const box_task *tasks, int32_t count, box_answers *answers) {
    for (int32_t at = 0; at < count; at += SIMD_WIDTH) {
        run(tasks, count, at, answers);
    }
}
