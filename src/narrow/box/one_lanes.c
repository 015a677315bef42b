/* One pair of boxes, with axes and sides in vector lanes: see one.h. Four lanes are enough for it, and where there are fewer, the kernel of several pairs takes
 * one pair. So a build has this code once. */
#include "narrow/box/one.h"

#include <string.h>

#include "base/simd.h"

#if SIMD_LEVEL == SIMD_AVX512

void box_one_avx512(const box_one *in, box_answers *answers) { box_one_avx2(in, answers); }

#elif SIMD_LEVEL != SIMD_AVX2

/* One pair fills one lane, and wider vectors are slower. */
#if SIMD_HAS_SCALAR
enum { HAS_IDLE_LANES = 0 };
#define KERNEL box_kernel_scalar
#else
enum { HAS_IDLE_LANES = 1 };
#define KERNEL SIMD_VARIANT(box_kernel)
#endif

void SIMD_VARIANT(box_one)(const box_one *in, box_answers *answers) {
    box_block block;
    if (HAS_IDLE_LANES) {
        memset(&block, 0, sizeof block);
    }
    block.count = 1;
    box_one_put(in, 0, &block);
    if (HAS_IDLE_LANES) {
        box_one_fill(&block);
    }
    answers->at = box_kernel_at;
    KERNEL(&block, answers);
}

#else

#include "narrow/box/one_faces.h"

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

void box_one_avx2(const box_one *in, box_answers *answers) {
    static const int8_t by_kinds[BOX_PLACES] = {0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15};
    one_pair p;
    one_rows rows;
    one_products products;
    answers->at = by_kinds;
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
