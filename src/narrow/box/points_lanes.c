/* Points of a patch in vector lanes: see points.h. Areas and distances are those of narrow/patch/patch.c, with the same rounding. */
#include "narrow/box/points.h"

#include "base/simd.h"

/* The numbers of all points, by coordinates. */
typedef struct point_table {
    double on[2][3][BOX_PLACES + BOX_POINT_LANES]; /* of A and of B; the first point follows the last one again */
    double x[BOX_PLACES + BOX_POINT_LANES];        /* across the normal; likewise */
    double y[BOX_PLACES + BOX_POINT_LANES];
    double half[BOX_PLACES + BOX_POINT_LANES]; /* half + 1: of the triangle from a point to the next one */
    double area[BOX_PLACES];
} point_table;

static inline simd magnitude(simd v) { return simd_max(v, -v); }

static inline simd_mask at_most(simd a, simd b) { return simd_either(simd_greater(b, a), simd_equal(a, b)); }

static inline void note(unsigned *bits, int32_t at, simd_mask mask) { *bits |= simd_bits(mask) << at; }

static inline void note_spot(const simd off[2], simd from_corner, simd_mask right, simd_mask upper, double weld, int32_t at,
                             box_spots *spots) {
    const simd limit = simd_set(weld);
    note(&spots->corner, at, at_most(from_corner, limit * limit));
    note(&spots->inside, at, simd_both(simd_greater(off[0], limit), simd_greater(off[1], limit)));
    note(&spots->up[0], at, right);
    note(&spots->up[1], at, upper);
    note(&spots->nearer, at, at_most(off[0], off[1]));
}

static inline void find_on_own(const box_frame *f, simd x, simd y, int32_t at, box_spots *spots) {
    const simd zero = simd_set(0.0), off[2] = {simd_set(f->h[0]) - magnitude(x), simd_set(f->h[1]) - magnitude(y)};
    note_spot(off, off[0] * off[0] + off[1] * off[1], simd_greater(x, zero), simd_greater(y, zero), f->weld, at, spots);
}

static inline void find_on_incident(const box_frame *f, simd x, simd y, int32_t at, box_spots *spots) {
    simd dx = x - simd_set(f->middle[0]), dy = y - simd_set(f->middle[1]), zero = simd_set(0.0);
    simd along_u = simd_set(f->across_u[0]) * dx + simd_set(f->across_u[1]) * dy;
    simd along_v = simd_set(f->across_v[0]) * dx + simd_set(f->across_v[1]) * dy;
    const simd off[2] = {simd_set(f->most_u) - magnitude(along_u), simd_set(f->most_v) - magnitude(along_v)};
    simd_mask right = simd_greater(along_u, zero), upper = simd_greater(along_v, zero);
    simd from[2];
    for (int c = 0; c < 2; ++c) {
        simd u = simd_set(f->u[c]), v = simd_set(f->v[c]);
        from[c] = (c == 0 ? dx : dy) - simd_select(right, u, -u) - simd_select(upper, v, -v);
    }
    note_spot(off, from[0] * from[0] + from[1] * from[1], right, upper, f->weld, at, spots);
}

static inline void place_points(const box_frame *f, simd x, simd y, simd height, int32_t at, point_table *table) {
    for (int c = 0; c < 3; ++c) {
        simd position = simd_set(f->position[c]);
        simd own = simd_set(f->base[c]) + x * simd_set(f->x[c]) + y * simd_set(f->y[c]), other = own + height * simd_set(f->out[c]);
        simd_store(table->on[f->of_b][c] + at, own + position);
        simd_store(table->on[1 - f->of_b][c] + at, other + position);
    }
}

static inline void share_area(int32_t count, point_table *table) {
    double middle_x = 0.0, middle_y = 0.0, part_x[BOX_PLACES], part_y[BOX_PLACES];
    simd whole = simd_set(count), half = simd_set(0.5), zero = simd_set(0.0);
    for (int32_t at = 0; at < count; at += SIMD_WIDTH) {
        simd_store(part_x + at, simd_load(table->x + at) / whole);
        simd_store(part_y + at, simd_load(table->y + at) / whole);
    }
    for (int32_t i = 0; i < count; ++i) {
        middle_x += part_x[i];
        middle_y += part_y[i];
    }
    simd to_x = simd_set(middle_x), to_y = simd_set(middle_y);
    for (int32_t at = 0; at < count; at += SIMD_WIDTH) {
        simd ux = simd_load(table->x + at) - to_x, uy = simd_load(table->y + at) - to_y;
        simd vx = simd_load(table->x + at + 1) - to_x, vy = simd_load(table->y + at + 1) - to_y;
        simd_store(table->half + at + 1, simd_max(half * (half * (zero + (ux * vy - uy * vx))), zero));
    }
    table->half[0] = table->half[count];
    for (int32_t at = 0; at < count; at += SIMD_WIDTH) {
        simd_store(table->area + at, simd_load(table->half + at) + simd_load(table->half + at + 1));
    }
}

/* A bit for each point that is within the weld distance of the next one, as seen on B. */
static inline unsigned find_close(const point_table *table, int32_t count, double weld) {
    unsigned close = 0u, all = (1u << (count > 2 ? count : count - 1)) - 1u;
    for (int32_t at = 0; at < count; at += SIMD_WIDTH) {
        simd d[3];
        for (int c = 0; c < 3; ++c) {
            d[c] = simd_load(table->on[1][c] + at) - simd_load(table->on[1][c] + at + 1);
        }
        simd distance = simd_sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        note(&close, at, at_most(distance, simd_set(weld)));
    }
    return close & all;
}

static inline void write_rows(const box_frame *f, const point_table *table, int32_t at, box_points *points) {
    double *rows[3][SIMD_WIDTH];
    for (int i = 0; i < SIMD_WIDTH; ++i) {
        for (int part = 0; part < 3; ++part) {
            rows[part][i] = points->row[at + i] + 4 * part;
        }
    }
    simd a[3], b[3];
    for (int c = 0; c < 3; ++c) {
        a[c] = simd_load(table->on[0][c] + at);
        b[c] = simd_load(table->on[1][c] + at);
    }
    const simd first[4] = {a[0], a[1], a[2], b[0]}, second[4] = {b[1], b[2], simd_set(f->normal[0]), simd_set(f->normal[1])};
    const simd third[4] = {simd_set(f->normal[2]), simd_load(points->height + at), simd_load(table->area + at), simd_set(0.0)};
    simd_store_rows(rows[0], first);
    simd_store_rows(rows[1], second);
    simd_store_rows(rows[2], third);
}

/* The first point behind the last one. */
static inline void close_ring(int32_t count, point_table *table) {
    for (int c = 0; c < 3; ++c) {
        table->on[1][c][count] = table->on[1][c][0];
    }
    table->x[count] = table->x[0];
    table->y[count] = table->y[0];
}

void SIMD_VARIANT(box_points)(const box_frame *frame, box_points *points) {
    point_table table;
    int32_t count = points->count;
    const box_spots nowhere = {0u, 0u, {0u, 0u}, 0u};
    points->own = points->incident = nowhere;
    for (int32_t at = 0; at < count; at += SIMD_WIDTH) {
        simd x = simd_load(points->x + at), y = simd_load(points->y + at);
        find_on_own(frame, x, y, at, &points->own);
        find_on_incident(frame, x, y, at, &points->incident);
        place_points(frame, x, y, simd_load(points->height + at), at, &table);
        simd_store(table.x + at, simd_set(frame->shrink) * x);
        simd_store(table.y + at, y);
        simd_store(table.area + at, simd_set(0.0));
    }
    close_ring(count, &table);
    if (count > 2) {
        share_area(count, &table);
    }
    points->close = find_close(&table, count, frame->weld) != 0u;
    for (int32_t at = 0; at < count; at += SIMD_WIDTH) {
        write_rows(frame, &table, at, points);
    }
}
