/* One pair of boxes, with axes and sides in vector lanes: see one.h. Four lanes are enough for it, and two gain nothing over one. So a build has this code for
 * one set of lanes or two, and the others call those. */
#include "narrow/box/one_faces.h"

#if SIMD_LEVEL == SIMD_AVX512

void box_one_avx512(const box_one *in, box_answers *answers) { box_one_avx2(in, answers); }

#elif SIMD_LEVEL == SIMD_SSE2 && SIMD_HAS_SCALAR

void box_one_sse2(const box_one *in, box_answers *answers) { box_one_scalar(in, answers); }

#else

static inline void store_pair(const one_pair *p, box_answers *answers) {
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            answers->turn[3 * i + j][0] = p->r[i][j];
        }
        answers->centre[i][0] = p->t[i];
    }
}

static inline void store_normal(const one_pair *p, box_answers *answers) {
    store_pair(p, answers);
    for (int i = 0; i < 3; ++i) {
        answers->edges[i][0] = p->across[i];
    }
    answers->depth[0] = p->least;
}

static inline void tell(box_verdict verdict, int axis, box_answers *answers) {
    answers->verdict[0] = (double)verdict;
    answers->axis[0] = axis;
}

static inline void tell_apart(const box_one *in, const one_pair *p, box_verdict verdict, int axis, box_answers *answers) {
    tell(verdict, axis, answers);
    if (in->wants_axis) {
        store_pair(p, answers);
    }
}

void SIMD_VARIANT(box_one)(const box_one *in, box_answers *answers) {
    one_pair p;
    one_rows rows;
    one_products products;
    p.scale = in->scale;
    p.rounding = 4e-16 * p.scale;
    p.apart = in->margin + 1e-14 * p.scale;
    find_rows(in, &p, &rows);
    find_least(&rows, &p);
    if (-p.apart > p.least) {
        tell_apart(in, &p, BOX_APART_FACE, p.axis, answers);
        return;
    }
    find_products(&rows, &p, &products);
    if (products.far != 0u) {
        tell_apart(in, &p, BOX_APART_EDGES, bits_highest(products.far), answers);
        return;
    }
    pick_face(in, &rows, &p);
    if (products.close != 0u) {
        one_edges edges;
        find_edges(&p, &products, &edges);
        pick_edges(&edges, &p);
    }
    bool sharp = !p.undecided;
    int axis = p.axis;
    if (sharp) {
        find_contacts(in, &p, answers);
    }
    if (!p.undecided) {
        tell(BOX_FACES, p.axis, answers);
        return;
    }
    tell(sharp ? BOX_NORMAL : BOX_UNDECIDED, axis, answers);
    if (sharp) {
        store_normal(&p, answers);
    }
}

#endif
