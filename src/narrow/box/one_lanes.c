/* One pair of boxes, with axes and sides in vector lanes: see one.h. Four lanes are enough for it, and where there are fewer, the kernel of several pairs takes
 * one pair. So a build has this code once. */
#include "narrow/box/one.h"

#include "base/simd.h"

#if SIMD_LEVEL == SIMD_AVX512

void box_one_avx512(const box_task *in, box_answers *answers) { box_one_avx2(in, answers); }

#elif SIMD_LEVEL != SIMD_AVX2

/* One pair fills one lane, and wider vectors are slower. */
#if SIMD_HAS_SCALAR
#define KERNEL box_kernel_scalar
#else
#define KERNEL SIMD_VARIANT(box_kernel)
#endif

void SIMD_VARIANT(box_one)(const box_task *in, box_answers *answers) {
    answers->at = box_kernel_at;
    KERNEL(in, 1, answers);
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

static inline void tell_apart(const box_task *in, const one_pair *p, box_verdict verdict, int axis, box_answers *answers) {
    tell(verdict, axis, answers);
    if (in->cache != NULL) {
        store_pair(p, answers);
    }
}

/* See is_unfit() in kernel_axes.h. The size of a box is not thin. */
static inline bool is_unfit(const box_task *in, const one_pair *p) {
    four thin = spread(1e-9 * p->scale);
    double volume = p->far * p->far * p->far;
    unsigned thick = exceeds(simd_four_load(&in->a.shape->half.x), thin) & exceeds(simd_four_load(&in->b.shape->half.x), thin);
    return thick != 15u || !(volume * volume < INFINITY);
}

void box_one_avx2(const box_task *in, box_answers *answers) {
    static const int8_t by_kinds[BOX_PLACES] = {0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15};
    one_pair p;
    one_rows rows;
    one_products products;
    answers->at = by_kinds;
    p.scale = in->a.shape->size + in->b.shape->size;
    p.rounding = 4e-16 * p.scale;
    p.apart = in->terms->margin + 1e-14 * p.scale;
    find_rows(in, &p, &rows);
    if (is_unfit(in, &p)) {
        tell(BOX_UNDECIDED, 0, answers);
        return;
    }
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
