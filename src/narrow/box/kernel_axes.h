#pragma once

#include <stdbool.h>

#include "base/simd.h"
#include "narrow/box/kernel.h"

/*
 * Separating axes of two boxes, one pair in each lane; part of kernel_lanes.c. The axes are those of narrow/normal/box_sat.h, with the same rounding. Frame of
 * A.
 */

static inline simd_mask never(void) { return simd_greater(simd_set(0.0), simd_set(0.0)); }
static inline simd_mask always(void) { return simd_equal(simd_set(0.0), simd_set(0.0)); }
/* A lane's value is 1 where the mask holds, else 0. */
static inline simd one_where(simd_mask m) { return simd_select(m, simd_set(1.0), simd_set(0.0)); }
static inline simd magnitude(simd v) { return simd_max(v, -v); }
static inline simd dot3(const simd a[3], const simd b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
static inline simd sign_of(simd v) { return simd_select(simd_greater(simd_set(0.0), v), simd_set(-1.0), simd_set(1.0)); }

typedef struct lane_pair {
    simd a[3], b[3];             /* half sizes */
    simd r[3][3], size[3][3];    /* r[i][j]: component i of B's axis j; and its absolute value */
    simd t[3], t_b[3];           /* the centre of B, along the axes of A and of B */
    simd deep[6];                /* overlap along the faces */
    simd least, axis;            /* the least of these, and its axis */
    simd apart, rounding, scale; /* boxes farther apart than `apart` have no contact */
    simd_mask far;               /* a face axis separates them by more than that */
    simd across[3];              /* unit, from A to B: the normal where its axis is number 6 */
    simd_mask undecided;         /* the general path decides */
    simd smaller, sine;          /* the smaller size; of the feature angle */
    simd_mask unfit;             /* the general path decides, whatever the rest says */
    unsigned real;               /* bits of the lanes that hold a pair that is fit */
} lane_pair;

static inline unsigned real_lanes(int32_t count) { return count < SIMD_WIDTH ? (1u << count) - 1u : (1u << SIMD_WIDTH) - 1u; }

/* The tasks of the lanes. Idle lanes have the first one again. */
typedef struct lane_tasks {
    const box_task *task[SIMD_WIDTH];
    bool with_caches; /* some have one */
} lane_tasks;

static inline void set_lanes(const box_task *tasks, int32_t count, lane_tasks *lanes) {
    lanes->with_caches = false;
    for (int i = 0; i < SIMD_WIDTH; ++i) {
        lanes->task[i] = tasks + (i < count ? i : 0);
        lanes->with_caches |= lanes->task[i]->cache != NULL;
    }
}

static inline void load_turn(const double *const turn[SIMD_WIDTH], simd axes[3][3]) {
    static const int starts[3] = {0, 4, 5};
    simd part[3][4];
    for (int n = 0; n < 3; ++n) {
        const double *rows[SIMD_WIDTH];
        for (int i = 0; i < SIMD_WIDTH; ++i) {
            rows[i] = turn[i] + starts[n];
        }
        simd_load_rows(rows, part[n]);
    }
    const simd all[9] = {part[0][0], part[0][1], part[0][2], part[0][3], part[1][0], part[1][1], part[1][2], part[1][3], part[2][3]};
    for (int c = 0; c < 9; ++c) {
        axes[c / 3][c % 3] = all[c];
    }
}

static inline void load_turns(const lane_tasks *lanes, simd axes_a[3][3], simd axes_b[3][3]) {
    const double *turn_a[SIMD_WIDTH], *turn_b[SIMD_WIDTH];
    for (int i = 0; i < SIMD_WIDTH; ++i) {
        turn_a[i] = (const double *)(const void *)lanes->task[i]->a.rotation;
        turn_b[i] = (const double *)(const void *)lanes->task[i]->b.rotation;
    }
    load_turn(turn_a, axes_a);
    load_turn(turn_b, axes_b);
}

static inline void load_sizes(const lane_tasks *lanes, lane_pair *p) {
    const double *half_a[SIMD_WIDTH], *half_b[SIMD_WIDTH], *terms[SIMD_WIDTH];
    simd a[4], b[4], numbers[4];
    for (int i = 0; i < SIMD_WIDTH; ++i) {
        half_a[i] = &lanes->task[i]->a.shape->half.x;
        half_b[i] = &lanes->task[i]->b.shape->half.x;
        terms[i] = &lanes->task[i]->terms->margin;
    }
    simd_load_rows(half_a, a);
    simd_load_rows(half_b, b);
    simd_load_rows(terms, numbers);
    for (int c = 0; c < 3; ++c) {
        p->a[c] = a[c];
        p->b[c] = b[c];
    }
    p->scale = a[3] + b[3];
    p->smaller = simd_min(a[3], b[3]);
    p->rounding = simd_set(4e-16) * p->scale;
    p->apart = numbers[0] + simd_set(1e-14) * p->scale;
    p->sine = numbers[1];
}

static inline void load_apart(const lane_tasks *lanes, simd apart[3]) {
    const double *place_a[SIMD_WIDTH], *place_b[SIMD_WIDTH];
    simd a[4], b[4];
    for (int i = 0; i < SIMD_WIDTH; ++i) {
        place_a[i] = &lanes->task[i]->a.position->x;
        place_b[i] = &lanes->task[i]->b.position->x;
    }
    simd_load_rows(place_a, a);
    simd_load_rows(place_b, b);
    for (int c = 0; c < 3; ++c) {
        apart[c] = b[c] - a[c];
    }
}

/* Boxes much thinner or smaller than the other one are left to the general path, because rounding error is a large part of them; and lengths whose products
 * overflow: see collide_is_within_arithmetic(). */
static inline simd_mask is_unfit(const lane_pair *p, const simd apart[3]) {
    const simd thin = simd_set(1e-9) * p->scale;
    simd far = magnitude(apart[0]) + magnitude(apart[1]) + magnitude(apart[2]), volume = far * far * far;
    simd_mask fit = simd_greater(simd_set(INFINITY), volume * volume);
    for (int c = 0; c < 3; ++c) {
        fit = simd_both(fit, simd_both(simd_greater(p->a[c], thin), simd_greater(p->b[c], thin)));
    }
    return simd_without(always(), fit);
}

static inline void load_pair(const lane_tasks *lanes, int32_t count, lane_pair *p) {
    simd axes_a[3][3], axes_b[3][3], apart[3];
    load_turns(lanes, axes_a, axes_b);
    load_sizes(lanes, p);
    load_apart(lanes, apart);
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            p->r[i][j] = dot3(axes_a[i], axes_b[j]);
            p->size[i][j] = magnitude(p->r[i][j]);
        }
        p->t[i] = dot3(axes_a[i], apart);
    }
    p->across[0] = p->across[1] = p->across[2] = simd_set(0.0);
    p->undecided = never();
    p->unfit = is_unfit(p, apart);
    p->real = real_lanes(count) & ~simd_bits(p->unfit);
}

static inline void take_least(lane_pair *p, int axis) {
    simd_mask less = simd_greater(p->least, p->deep[axis]);
    p->least = simd_select(less, p->deep[axis], p->least);
    p->axis = simd_select(less, simd_set(axis), p->axis);
}

static inline void find_faces(lane_pair *p) {
    for (int i = 0; i < 3; ++i) {
        const simd column[3] = {p->r[0][i], p->r[1][i], p->r[2][i]}, size[3] = {p->size[0][i], p->size[1][i], p->size[2][i]};
        p->t_b[i] = dot3(p->t, column);
        p->deep[i] = p->a[i] + dot3(p->b, p->size[i]) - magnitude(p->t[i]);
        p->deep[3 + i] = p->b[i] + dot3(p->a, size) - magnitude(p->t_b[i]);
    }
    p->least = p->deep[0];
    p->axis = simd_set(0.0);
    for (int i = 1; i < 6; ++i) {
        take_least(p, i);
    }
    p->far = simd_greater(-p->apart, p->least);
}

/* The width of ties about an overlap: see tied_facets.h. Of boxes apart, the axis that separates them most is the normal, up to rounding error. */
static inline simd tie_width(const lane_pair *p, simd depth) { return simd_set(1e-10) * simd_max(depth, simd_set(0.0)) + p->rounding; }

/* What the edge axes say. */
typedef struct lane_edges {
    simd_mask apart;   /* an edge axis separates the boxes by more than `apart` */
    simd axis;         /* which one */
    simd across[3];    /* unit: the axis of the least overlap */
    simd length;       /* of the cross product */
    simd depth, doubt; /* the overlap along it, and its rounding error */
    simd second;       /* a lower bound of the overlap along the other edge axes */
} lane_edges;

/* The edge axes before they have unit length. */
typedef struct lane_products {
    simd square[9], deep[9]; /* of A's axis i and B's axis j at 3 i + j: the squared length; the overlap times the length */
    simd_mask close;         /* an edge axis may have less overlap than the faces and does not tie with them */
} lane_products;

/* The cross products of A's axis i and B's axis j. Most pairs meet with faces and need no roots. */
static inline void find_products(const lane_pair *p, lane_products *products, lane_edges *edges) {
    const simd zero = simd_set(0.0), parallel = simd_set(1e-18);
    simd limit = simd_max(p->least - tie_width(p, p->least), zero), most = limit * limit, margin = p->apart * p->apart;
    edges->axis = zero;
    edges->apart = products->close = never();
    for (int i = 0; i < 3; ++i) {
        int k = (i + 1) % 3, l = (i + 2) % 3;
        for (int j = 0; j < 3; ++j) {
            simd square = p->r[k][j] * p->r[k][j] + p->r[l][j] * p->r[l][j];
            simd towards = p->t[l] * p->r[k][j] - p->t[k] * p->r[l][j];
            simd reach = p->a[k] * p->size[l][j] + p->a[l] * p->size[k][j] + p->b[(j + 1) % 3] * p->size[i][(j + 2) % 3] +
                         p->b[(j + 2) % 3] * p->size[i][(j + 1) % 3];
            simd deep = reach - magnitude(towards), gap = -deep - p->rounding, sure = simd_max(deep - p->rounding, zero);
            simd_mask askew = simd_greater(square, parallel);
            simd_mask far = simd_both(simd_both(askew, simd_greater(gap, zero)), simd_greater(gap * gap, margin * square));
            edges->axis = simd_select(far, simd_set(3 * i + j), edges->axis);
            edges->apart = simd_either(edges->apart, far);
            simd_mask close = simd_both(askew, simd_either(simd_equal(sure, zero), simd_greater(most * square, sure * sure)));
            products->close = simd_either(products->close, close);
            products->square[3 * i + j] = square;
            products->deep[3 * i + j] = deep;
        }
    }
}

static inline void take_edges(const lane_pair *p, const lane_products *products, int i, int j, lane_edges *edges) {
    int k = (i + 1) % 3, l = (i + 2) % 3;
    simd square = products->square[3 * i + j], far = simd_set(INFINITY), none = simd_set(0.0), inverse = simd_set(1.0) / simd_sqrt(square);
    simd_mask askew = simd_greater(square, simd_set(1e-18));
    simd depth = simd_select(askew, products->deep[3 * i + j] * inverse, far), doubt = simd_select(askew, p->rounding * inverse, none);
    simd_mask less = simd_greater(edges->depth, depth);
    edges->second = simd_min(edges->second, simd_select(less, edges->depth - edges->doubt, depth - doubt));
    edges->across[i] = simd_select(less, none, edges->across[i]);
    edges->across[k] = simd_select(less, -p->r[l][j], edges->across[k]);
    edges->across[l] = simd_select(less, p->r[k][j], edges->across[l]);
    edges->length = simd_select(less, square, edges->length);
    edges->depth = simd_select(less, depth, edges->depth);
    edges->doubt = simd_select(less, doubt, edges->doubt);
}

static inline void find_edges(const lane_pair *p, const lane_products *products, lane_edges *edges) {
    const simd zero = simd_set(0.0), infinite = simd_set(INFINITY);
    edges->across[0] = edges->across[1] = edges->across[2] = edges->doubt = zero;
    edges->length = simd_set(1.0);
    edges->depth = edges->second = infinite;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            take_edges(p, products, i, j, edges);
        }
    }
    edges->length = simd_sqrt(edges->length);
    for (int c = 0; c < 3; ++c) {
        edges->across[c] = edges->across[c] / edges->length;
    }
}

/* Whether a lane holds a pair that is neither closed nor undecided. */
static inline bool is_any_open(const lane_pair *p, simd_mask closed) {
    return (~simd_bits(simd_either(closed, p->undecided)) & p->real) != 0u;
}

/* Takes the edge axis of the least overlap as the normal where it is less deep than the face that was picked. Faces win ties. */
static inline void pick_edges(const lane_edges *edges, simd_mask close, lane_pair *p) {
    simd reach = simd_set(0.0), towards = dot3(p->t, edges->across);
    for (int j = 0; j < 3; ++j) {
        const simd column[3] = {p->r[0][j], p->r[1][j], p->r[2][j]};
        reach = reach + p->a[j] * magnitude(edges->across[j]) + p->b[j] * magnitude(dot3(column, edges->across));
    }
    simd depth = reach - magnitude(towards), width = tie_width(p, depth), twice = width + width;
    simd_mask taken = simd_both(simd_greater(p->least, depth + width), simd_without(close, p->far));
    simd_mask doubt = simd_either(simd_greater(depth + twice + edges->doubt, edges->second),
                                  simd_greater(twice, magnitude(towards) + magnitude(towards)));
    /* Another edge axis may be less deep than this one where its rounding error is large. The contacts of boxes apart prove their normal instead. */
    simd_mask hidden = simd_both(close, simd_greater(p->least - tie_width(p, p->least), edges->second));
    simd_mask overlapping = simd_greater(depth, simd_set(1e-14) * p->scale);
    p->undecided = simd_either(simd_both(taken, simd_both(doubt, overlapping)),
                               simd_without(simd_either(p->undecided, simd_both(hidden, overlapping)), taken));
    p->least = simd_select(taken, depth, p->least);
    p->axis = simd_select(taken, simd_set(6.0), p->axis);
    for (int c = 0; c < 3; ++c) {
        p->across[c] = sign_of(towards) * edges->across[c];
    }
}

/* The direction of a face axis, from A to B. */
static inline void face_direction(const lane_pair *p, int axis, simd direction[3]) {
    simd sense = sign_of(axis < 3 ? p->t[axis] : p->t_b[axis - 3]);
    for (int k = 0; k < 3; ++k) {
        direction[k] = simd_set(0.0);
        if (axis >= 3) {
            direction[k] = sense * p->r[k][axis - 3];
        } else if (k == axis) {
            direction[k] = sense;
        }
    }
}

/* The direction that decides between faces that tie: aside, and apart where there is no normal to follow. In the world. */
static inline void load_wish(const lane_tasks *lanes, simd world[3], simd *follow) {
    double wish[3][SIMD_WIDTH], follows[SIMD_WIDTH];
    for (int i = 0; i < SIMD_WIDTH; ++i) {
        const abut_vec3 of = box_task_wish(lanes->task[i]);
        wish[0][i] = of.x;
        wish[1][i] = of.y;
        wish[2][i] = of.z;
        follows[i] = lanes->task[i]->terms->follow;
    }
    for (int c = 0; c < 3; ++c) {
        world[c] = simd_load(wish[c]);
    }
    *follow = simd_load(follows);
}

/* Of the faces that tie, the one along the wish gives the normal. Where they have different directions, the general path decides and says that it chose. */
static inline void pick_tied(const lane_tasks *lanes, simd limit, lane_pair *p) {
    simd wish[3], world[3], axes[3][3], axes_b[3][3], direction[3], follow, best = simd_set(-INFINITY), chosen[3] = {best, best, best};
    load_wish(lanes, world, &follow);
    load_turns(lanes, axes, axes_b);
    simd between = simd_set(1.0) - follow;
    for (int c = 0; c < 3; ++c) {
        wish[c] = between * p->t[c] + dot3(axes[c], world);
    }
    for (int i = 0; i < 6; ++i) {
        face_direction(p, i, direction);
        simd along = simd_select(simd_greater(p->deep[i], limit), simd_set(-INFINITY), dot3(direction, wish));
        simd_mask better = simd_without(simd_greater(along, best), p->far);
        best = simd_select(better, along, best);
        p->axis = simd_select(better, simd_set(i), p->axis);
        p->least = simd_select(better, p->deep[i], p->least);
        for (int k = 0; k < 3; ++k) {
            chosen[k] = simd_select(better, direction[k], chosen[k]);
        }
    }
    for (int i = 0; i < 6; ++i) {
        face_direction(p, i, direction);
        const simd off[3] = {direction[0] - chosen[0], direction[1] - chosen[1], direction[2] - chosen[2]};
        simd_mask differs = simd_greater(dot3(off, off), simd_set(1e-12));
        p->undecided = simd_either(p->undecided, simd_without(differs, simd_greater(p->deep[i], limit)));
    }
}

/* Picks the face that gives the normal. Its depth becomes the least one. */
static inline void pick_face(const lane_tasks *lanes, lane_pair *p) {
    simd width = tie_width(p, p->least), limit = p->least + width, other = limit + width;
    simd_mask one = never(), several = never();
    for (int i = 0; i < 6; ++i) {
        simd off = magnitude(i < 3 ? p->t[i] : p->t_b[i - 3]);
        simd_mask ties = simd_without(always(), simd_greater(p->deep[i], limit));
        several = simd_either(several, simd_both(one, ties));
        one = simd_either(one, ties);
        /* The other side of the box is as near. */
        p->undecided = simd_either(p->undecided, simd_without(always(), simd_greater(p->deep[i] + simd_set(2.0) * off, other)));
    }
    if ((simd_bits(several) & p->real) != 0u) {
        pick_tied(lanes, limit, p);
    }
}
