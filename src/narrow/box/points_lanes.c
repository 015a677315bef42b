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

/* ---- names ---- */

/* What box_spots tells of some points. */
typedef struct lane_spots {
    simd_mask corner, inside, right, upper, nearer;
    simd_mask renamed; /* a feature within the weld distance gives its name */
} lane_spots;

/* is_corner: of this face; is_other: of the other one, and so inside this one. */
static inline lane_spots spots_of(const simd off[2], simd from_corner, simd_mask right, simd_mask upper, simd_mask is_corner,
                                  simd_mask is_other, double weld) {
    const simd limit = simd_set(weld);
    lane_spots spots = {.corner = at_most(from_corner, limit * limit),
                        .inside = simd_both(simd_greater(off[0], limit), simd_greater(off[1], limit)),
                        .right = right,
                        .upper = upper,
                        .nearer = at_most(off[0], off[1])};
    spots.renamed = simd_either(simd_without(spots.corner, is_corner), simd_without(is_other, spots.inside));
    return spots;
}

static inline simd_mask is_a(const lane_points *p, box_corner corner) { return simd_equal(p->corner, simd_set(corner)); }

static inline lane_spots spots_on_own(const box_frame *f, const lane_points *p) {
    const simd zero = simd_set(0.0), off[2] = {simd_set(f->h[0]) - magnitude(p->x), simd_set(f->h[1]) - magnitude(p->y)};
    return spots_of(off, off[0] * off[0] + off[1] * off[1], simd_greater(p->x, zero), simd_greater(p->y, zero), is_a(p, BOX_OWN_CORNER),
                    is_a(p, BOX_INCIDENT_CORNER), f->weld);
}

static inline lane_spots spots_on_incident(const box_frame *f, const lane_points *p) {
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
    return spots_of(off, from[0] * from[0] + from[1] * from[1], right, upper, is_a(p, BOX_INCIDENT_CORNER), is_a(p, BOX_OWN_CORNER),
                    f->weld);
}

static inline void note(const lane_spots *spots, int32_t at, box_spots *to) {
    to->corner |= simd_bits(spots->corner) << at;
    to->inside |= simd_bits(spots->inside) << at;
    to->up[0] |= simd_bits(spots->right) << at;
    to->up[1] |= simd_bits(spots->upper) << at;
    to->nearer |= simd_bits(spots->nearer) << at;
}

static inline void find_spots(const box_frame *f, const lane_points *p, int32_t at, box_points *points) {
    const lane_spots own = spots_on_own(f, p), incident = spots_on_incident(f, p);
    unsigned renamed = simd_bits(simd_either(own.renamed, incident.renamed));
    if (renamed != 0u) {
        points->renamed |= renamed << at;
        note(&own, at, &points->own);
        note(&incident, at, &points->incident);
    }
}

/* ---- areas ---- */

static inline lane_points load_points(const box_frame *f, const double *const point[SIMD_WIDTH]) {
    simd numbers[4];
    simd_load_rows(point, numbers);
    return (lane_points){numbers[0], numbers[1], numbers[2], simd_set(f->shrink) * numbers[0], numbers[3]};
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

/* ---- on both bodies ---- */

/* on[0]: of the reference box, on[1]: of the other one. */
static inline void place_points(const box_frame *f, const lane_points *p, int c, simd on[2]) {
    simd position = simd_set(f->position[c]), own = simd_set(f->base[c]) + p->x * simd_set(f->x[c]) + p->y * simd_set(f->y[c]);
    on[0] = own + position;
    on[1] = own + p->height * simd_set(f->out[c]) + position;
}

static inline void write_rows(const simd on_a[3], const simd on_b[3], const box_frame *f, simd gap, simd area, int32_t at,
                              const box_points *points) {
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

/* Whether any of the points whose bits are in `asked` is within the weld distance of the next one, as seen on B. Most are clear of it, which is seen in the
 * reference frame. */
static inline bool is_close_to_next(const box_frame *f, simd_mask of_b, const lane_points *p, const lane_points *next, unsigned asked) {
    simd dx = p->x - next->x, dy = p->y - next->y, square = simd_set(0.0);
    unsigned near = asked & simd_bits(at_most(dx * dx + dy * dy, simd_set(f->clear)));
    if (near == 0u) {
        return false;
    }
    for (int c = 0; c < 3; ++c) {
        simd here[2], there[2];
        place_points(f, p, c, here);
        place_points(f, next, c, there);
        simd off = simd_select(of_b, here[0] - there[0], here[1] - there[1]);
        square = c == 0 ? off * off : square + off * off;
    }
    return (near & simd_bits(at_most(simd_sqrt(square), simd_set(f->weld)))) != 0u;
}

/* Everything about the points from one on. asked: bits of those that the next one follows. Returns whether one is within the weld distance of it. */
static inline bool make_points(const box_frame *f, const simd middle[2], int32_t at, unsigned asked, box_points *points) {
    const double *const *from = points->point + 1 + at;
    const lane_points p = load_points(f, from), next = load_points(f, from + 1);
    simd_mask of_b = simd_greater(simd_set(f->of_b), simd_set(0.5));
    simd on_a[3], on_b[3], area = simd_set(0.0);
    find_spots(f, &p, at, points);
    for (int c = 0; c < 3; ++c) {
        simd here[2];
        place_points(f, &p, c, here);
        on_a[c] = simd_select(of_b, here[1], here[0]);
        on_b[c] = simd_select(of_b, here[0], here[1]);
    }
    if (points->count > 2) {
        const lane_points before = load_points(f, from - 1);
        area = half_triangle(middle, &before, &p) + half_triangle(middle, &p, &next);
    }
    write_rows(on_a, on_b, f, p.height, area, at, points);
    return is_close_to_next(f, of_b, &p, &next, asked);
}

static inline void clear_spots(box_spots *spots) { spots->corner = spots->inside = spots->up[0] = spots->up[1] = spots->nearer = 0u; }

void SIMD_VARIANT(box_points)(const box_frame *frame, box_points *points) {
    const int32_t count = points->count;
    const unsigned all = (1u << count) - 1u, pairs = count > 2 ? all : all >> 1;
    bool close = false;
    simd middle[2] = {simd_set(0.0), simd_set(0.0)};
    clear_spots(&points->own);
    clear_spots(&points->incident);
    points->renamed = 0u;
    if (count > 2) {
        find_middle(frame, points, middle);
    }
    for (int32_t at = 0; at < count; at += SIMD_WIDTH) {
        close |= make_points(frame, middle, at, pairs >> at, points);
    }
    points->close = close;
    points->renamed &= all;
}

#endif
