/* Points of a patch in vector lanes: see points.h. Areas and distances are those of narrow/patch/patch.c, with the same rounding. Most patches have four to
 * eight points, and eight lanes gain nothing over four. The library has no room for one more copy for two lanes. */
#include "narrow/box/points.h"

#include "base/simd.h"

#if SIMD_LEVEL == SIMD_AVX512

void box_points_avx512(const box_frame *frame, box_points *points) { box_points_avx2(frame, points); }

#elif SIMD_LEVEL == SIMD_SSE2 && SIMD_HAS_SCALAR

void box_points_sse2(const box_frame *frame, box_points *points) { box_points_scalar(frame, points); }

#else

/* Some points that follow each other, and the place of each on both bodies. */
typedef struct lane_points {
    simd x, y, height; /* reference frame */
    simd across;       /* x as seen along the normal */
    simd corner;       /* box_corner */
} lane_points;

static inline simd magnitude(simd v) { return simd_max(v, -v); }

static inline simd_mask at_most(simd a, simd b) { return simd_either(simd_greater(b, a), simd_equal(a, b)); }

static inline void note(unsigned *bits, int32_t at, simd_mask mask) { *bits |= simd_bits(mask) << at; }

/* Returns where a feature within the weld distance gives its name. is_corner: of this face; is_other: of the other one, and so inside this one. */
static inline simd_mask note_spot(const simd off[2], simd from_corner, simd_mask right, simd_mask upper, simd_mask is_corner,
                                  simd_mask is_other, double weld, int32_t at, box_spots *spots) {
    const simd limit = simd_set(weld);
    simd_mask corner = at_most(from_corner, limit * limit), inside = simd_both(simd_greater(off[0], limit), simd_greater(off[1], limit));
    note(&spots->corner, at, corner);
    note(&spots->inside, at, inside);
    note(&spots->up[0], at, right);
    note(&spots->up[1], at, upper);
    note(&spots->nearer, at, at_most(off[0], off[1]));
    return simd_either(simd_without(corner, is_corner), simd_without(is_other, inside));
}

static inline simd_mask is_a(const lane_points *p, box_corner corner) { return simd_equal(p->corner, simd_set(corner)); }

static inline simd_mask find_on_own(const box_frame *f, const lane_points *p, int32_t at, box_spots *spots) {
    const simd zero = simd_set(0.0), off[2] = {simd_set(f->h[0]) - magnitude(p->x), simd_set(f->h[1]) - magnitude(p->y)};
    return note_spot(off, off[0] * off[0] + off[1] * off[1], simd_greater(p->x, zero), simd_greater(p->y, zero), is_a(p, BOX_OWN_CORNER),
                     is_a(p, BOX_INCIDENT_CORNER), f->weld, at, spots);
}

static inline simd_mask find_on_incident(const box_frame *f, const lane_points *p, int32_t at, box_spots *spots) {
    simd dx = p->x - simd_set(f->middle[0]), dy = p->y - simd_set(f->middle[1]), zero = simd_set(0.0);
    simd along_u = simd_set(f->across_u[0]) * dx + simd_set(f->across_u[1]) * dy;
    simd along_v = simd_set(f->across_v[0]) * dx + simd_set(f->across_v[1]) * dy;
    const simd off[2] = {simd_set(f->most_u) - magnitude(along_u), simd_set(f->most_v) - magnitude(along_v)};
    simd_mask right = simd_greater(along_u, zero), upper = simd_greater(along_v, zero);
    simd from[2];
    for (int c = 0; c < 2; ++c) {
        simd u = simd_set(f->u[c]), v = simd_set(f->v[c]);
        from[c] = (c == 0 ? dx : dy) - simd_select(right, u, -u) - simd_select(upper, v, -v);
    }
    return note_spot(off, from[0] * from[0] + from[1] * from[1], right, upper, is_a(p, BOX_INCIDENT_CORNER), is_a(p, BOX_OWN_CORNER),
                     f->weld, at, spots);
}

static inline lane_points load_points(const box_frame *f, const double *const point[SIMD_WIDTH]) {
    simd numbers[4];
    simd_load_rows(point, numbers);
    return (lane_points){numbers[0], numbers[1], numbers[2], simd_set(f->shrink) * numbers[0], numbers[3]};
}

/* on[0]: of the reference box, on[1]: of the other one. */
static inline void place_points(const box_frame *f, const lane_points *p, int c, simd on[2]) {
    simd position = simd_set(f->position[c]), own = simd_set(f->base[c]) + p->x * simd_set(f->x[c]) + p->y * simd_set(f->y[c]);
    on[0] = own + position;
    on[1] = own + p->height * simd_set(f->out[c]) + position;
}

/* The mean of all points, as seen along the normal. */
static inline void find_middle(const box_frame *f, const box_points *points, simd middle[2]) {
    double part_x[BOX_PLACES], part_y[BOX_PLACES], x = 0.0, y = 0.0;
    simd whole = simd_set(points->count);
    for (int32_t at = 0; at < points->count; at += SIMD_WIDTH) {
        const lane_points p = load_points(f, points->point + 1 + at);
        simd_store(part_x + at, p.across / whole);
        simd_store(part_y + at, p.y / whole);
    }
    for (int32_t i = 0; i < points->count; ++i) {
        x += part_x[i];
        y += part_y[i];
    }
    middle[0] = simd_set(x);
    middle[1] = simd_set(y);
}

/* Half of the area of the triangle of two points and the middle. */
static inline simd half_triangle(const simd middle[2], const lane_points *p, const lane_points *q) {
    simd ux = p->across - middle[0], uy = p->y - middle[1], vx = q->across - middle[0], vy = q->y - middle[1];
    simd half = simd_set(0.5), zero = simd_set(0.0);
    return simd_max(half * (half * (zero + (ux * vy - uy * vx))), zero);
}

static inline void write_rows(const simd on_a[3], const simd on_b[3], const box_frame *f, simd gap, simd area, int32_t at,
                              box_points *points) {
    double *rows[3][SIMD_WIDTH];
    for (int i = 0; i < SIMD_WIDTH; ++i) {
        for (int part = 0; part < 3; ++part) {
            rows[part][i] = points->row[at + i] + 4 * part;
        }
    }
    const simd first[4] = {on_a[0], on_a[1], on_a[2], on_b[0]};
    const simd second[4] = {on_b[1], on_b[2], simd_set(f->normal[0]), simd_set(f->normal[1])};
    const simd third[4] = {simd_set(f->normal[2]), gap, area, simd_set(0.0)};
    simd_store_rows(rows[0], first);
    simd_store_rows(rows[1], second);
    simd_store_rows(rows[2], third);
}

/* Everything about the points from one on. Returns bits of those within the weld distance of the next one, as seen on B. */
static inline unsigned make_points(const box_frame *f, const simd middle[2], int32_t at, box_points *points) {
    const double *const *from = points->point + 1 + at;
    const lane_points p = load_points(f, from), next = load_points(f, from + 1);
    simd on[2][3], square = simd_set(0.0), area = simd_set(0.0);
    note(&points->renamed, at, simd_either(find_on_own(f, &p, at, &points->own), find_on_incident(f, &p, at, &points->incident)));
    for (int c = 0; c < 3; ++c) {
        simd here[2], there[2];
        place_points(f, &p, c, here);
        place_points(f, &next, c, there);
        on[f->of_b][c] = here[0];
        on[1 - f->of_b][c] = here[1];
        simd off = here[1 - f->of_b] - there[1 - f->of_b];
        square = c == 0 ? off * off : square + off * off;
    }
    if (points->count > 2) {
        const lane_points before = load_points(f, from - 1);
        area = half_triangle(middle, &before, &p) + half_triangle(middle, &p, &next);
    }
    write_rows(on[0], on[1], f, p.height, area, at, points);
    return simd_bits(at_most(simd_sqrt(square), simd_set(f->weld))) << at;
}

void SIMD_VARIANT(box_points)(const box_frame *frame, box_points *points) {
    int32_t count = points->count, pairs = count > 2 ? count : count - 1; /* of points that follow each other */
    const box_spots nowhere = {0u, 0u, {0u, 0u}, 0u};
    simd middle[2] = {simd_set(0.0), simd_set(0.0)};
    unsigned close = 0u;
    points->own = points->incident = nowhere;
    points->renamed = 0u;
    if (count > 2) {
        find_middle(frame, points, middle);
    }
    for (int32_t at = 0; at < count; at += SIMD_WIDTH) {
        close |= make_points(frame, middle, at, points);
    }
    points->renamed &= (1u << count) - 1u;
    points->close = (close & ((1u << pairs) - 1u)) != 0u;
}

#endif
