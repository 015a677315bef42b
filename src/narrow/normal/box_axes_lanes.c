/* Overlaps of two boxes along their axes, in vector lanes: see box_axes.h. Frame of A. */
#include "narrow/normal/box_axes.h"

#include "base/simd.h"

enum { THREE = 7 }; /* bits of the lanes that mean something */

typedef struct box_rows {
    simd_four row[3], magnitude[3]; /* components of B's axes along A's axis i, and their absolute values */
    simd_four column[3];            /* absolute values of the components of B's axis j along A's axes */
} box_rows;

static inline box_rows rows_of(const abut_mat3 *r) {
    box_rows rows = {.row = {simd_four_set(r->x.x, r->y.x, r->z.x, 0.0), simd_four_set(r->x.y, r->y.y, r->z.y, 0.0),
                             simd_four_set(r->x.z, r->y.z, r->z.z, 0.0)},
                     .column = {simd_four_abs(simd_four_set(r->x.x, r->x.y, r->x.z, 0.0)),
                                simd_four_abs(simd_four_set(r->y.x, r->y.y, r->y.z, 0.0)),
                                simd_four_abs(simd_four_set(r->z.x, r->z.y, r->z.z, 0.0))}};
    for (int i = 0; i < 3; ++i) {
        rows.magnitude[i] = simd_four_abs(rows.row[i]);
    }
    return rows;
}

/* c[0] v[0] + c[1] v[1] + c[2] v[2] */
static inline simd_four combine(const double c[3], const simd_four v[3]) {
    return simd_four_add(simd_four_add(simd_four_scale(c[0], v[0]), simd_four_scale(c[1], v[1])), simd_four_scale(c[2], v[2]));
}

/* The fourth lane is infinitely deep. */
static inline void fill_faces(const box_rows *rows, const double a[3], const double b[3], const double t[3], box_axes *axes) {
    simd_four t_b = combine(t, rows->row);
    simd_four deep_a = simd_four_sub(simd_four_add(simd_four_set(a[0], a[1], a[2], INFINITY), combine(b, rows->column)),
                                     simd_four_abs(simd_four_set(t[0], t[1], t[2], 0.0)));
    simd_four deep_b =
        simd_four_sub(simd_four_add(simd_four_set(b[0], b[1], b[2], INFINITY), combine(a, rows->magnitude)), simd_four_abs(t_b));
    simd_four_store(axes->t_b, t_b);
    simd_four_store(axes->deep, deep_a);
    simd_four_store(axes->deep + 3, deep_b);
    axes->least = simd_four_least(simd_four_min(deep_a, deep_b));
}

/* The cross products of A's axis i and the axes of B. b: half sizes of B, moved by one and by two places. */
static inline void fill_edges(const box_rows *rows, const double a[3], const simd_four b[2], const double t[3], double rounding,
                              double shallow, int i, box_axes *axes) {
    int k = (i + 1) % 3, l = (i + 2) % 3;
    simd_four once = simd_four_turn(rows->magnitude[i]), twice = simd_four_turn(once), zero = simd_four_set(0, 0, 0, 0);
    simd_four square = simd_four_add(simd_four_mul(rows->row[k], rows->row[k]), simd_four_mul(rows->row[l], rows->row[l]));
    simd_four towards = simd_four_sub(simd_four_scale(t[l], rows->row[k]), simd_four_scale(t[k], rows->row[l]));
    simd_four reach = simd_four_add(simd_four_scale(a[k], rows->magnitude[l]), simd_four_scale(a[l], rows->magnitude[k]));
    reach = simd_four_add(simd_four_add(reach, simd_four_mul(b[0], twice)), simd_four_mul(b[1], once));
    simd_four deep = simd_four_sub(reach, simd_four_abs(towards)), doubt = simd_four_set(rounding, rounding, rounding, rounding);
    simd_four less = simd_four_sub(deep, doubt), gap = simd_four_sub(simd_four_sub(zero, deep), doubt);
    unsigned askew = simd_four_greater_bits(square, simd_four_set(BOX_PARALLEL, BOX_PARALLEL, BOX_PARALLEL, BOX_PARALLEL)) & THREE;
    unsigned deeper =
        simd_four_greater_bits(less, zero) & simd_four_greater_bits(simd_four_mul(less, less), simd_four_scale(shallow * shallow, square));
    simd_four_store(axes->square + 3 * i, square);
    simd_four_store(axes->towards + 3 * i, towards);
    simd_four_store(axes->deep_across + 3 * i, deep);
    axes->separating |= (askew & simd_four_greater_bits(gap, zero)) << 3 * i;
    axes->shallow |= (askew & ~deeper) << 3 * i;
}

void SIMD_VARIANT(box_axes)(const box_placement *where, double rounding, double apart, box_axes *axes) {
    const abut_vec3 *half_a = where->half_a, *half_b = where->half_b, *centre = where->centre;
    const double a[3] = {half_a->x, half_a->y, half_a->z}, b[3] = {half_b->x, half_b->y, half_b->z},
                 t[3] = {centre->x, centre->y, centre->z};
    const box_rows rows = rows_of(where->rotation);
    fill_faces(&rows, a, b, t, axes);
    if (axes->least < -apart) {
        return;
    }
    /* Overlaps tie up to 1e-10 of the depth. Four times that, and rounding error, is the most that box_sat.c asks for. */
    double shallow = (1.0 + 1e-9) * axes->least + 8.0 * rounding;
    simd_four once = simd_four_turn(simd_four_set(b[0], b[1], b[2], 0.0));
    const simd_four turned[2] = {once, simd_four_turn(once)};
    axes->separating = axes->shallow = 0;
    for (int i = 0; i < 3; ++i) {
        fill_edges(&rows, a, turned, t, rounding, shallow, i, axes);
    }
}
