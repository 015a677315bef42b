/* Faces of boxes in the contact plane: see rectangle.h. Clipping by Sutherland and Hodgman, as in geom/planar.c. */
#include "narrow/patch/rectangle.h"

enum { LAST = RECTANGLE_CORNERS - 1 };

static inline int32_t next_of(int32_t corner) { return (corner + 1) & LAST; }

static inline int32_t previous_of(int32_t corner) { return (corner + LAST) & LAST; }

void rectangle_of_face(const contact_plane *plane, const convex *box, int32_t face, bool backwards, rectangle *r) {
    const polytope_corner *loop = &box->surface->corner[box->surface->face[face].first];
    for (int32_t i = 0; i < RECTANGLE_CORNERS; ++i) {
        int32_t at = backwards ? LAST - i : i, leaving = backwards ? previous_of(at) : at;
        abut_vec3 point = convex_to_pair(box, convex_vertex(box, loop[at].vertex));
        r->vertex[i] = loop[at].vertex;
        r->edge[i] = loop[leaving].edge;
        r->corner[i] = point;
        r->x[i] = abut_dot(plane->first, point);
        r->y[i] = abut_dot(plane->second, point);
    }
}

/* ---- intersection ---- */

/* The lines through the sides of the rectangle that clips, and their unit normals to the left. */
typedef struct side_lines {
    double left_x[RECTANGLE_CORNERS], left_y[RECTANGLE_CORNERS];
} side_lines;

static inline void set_lines(const rectangle *b, side_lines *line) {
    for (int32_t i = 0; i < RECTANGLE_CORNERS; ++i) {
        double dx = b->x[next_of(i)] - b->x[i], dy = b->y[next_of(i)] - b->y[i], length = sqrt(dx * dx + dy * dy);
        line->left_x[i] = length > 0.0 ? -dy / length : 0.0;
        line->left_y[i] = length > 0.0 ? dx / length : 0.0;
    }
}

/* The corner where the side that starts at `from` crosses a side of B. Where this side of B meets the next one, the corner is that of B and not a computed
 * crossing. */
static rectangle_point crossing_point(const rectangle *b, int32_t side, const rectangle_point *from, const rectangle_point *to,
                                      double s_from, double s_to) {
    double t = s_from / (s_from - s_to);
    rectangle_point p = {.x = from->x + t * (to->x - from->x),
                         .y = from->y + t * (to->y - from->y),
                         .on_a = RECTANGLE_INSIDE,
                         .on_b = RECTANGLE_SIDE + side};
    if (from->side < RECTANGLE_SIDE) {
        p.on_a = RECTANGLE_SIDE + from->side;
        return p;
    }
    int32_t other = from->side - RECTANGLE_SIDE;
    if (other == previous_of(side) || other == next_of(side)) {
        int32_t shared = other == previous_of(side) ? side : other;
        p.x = b->x[shared];
        p.y = b->y[shared];
        p.on_b = shared;
    }
    return p;
}

/* Keeps the part on the left of a side of B. s: the points' distances from its line. */
static int32_t clip_by_side(const rectangle *b, int32_t side, double eps, const rectangle_point *in, const double *s, int32_t count,
                            rectangle_point *out) {
    enum { CAPACITY = RECTANGLES_MOST + 2 };
    int32_t kept = 0;
    for (int32_t i = 0; i < count && kept < CAPACITY; ++i) {
        int32_t k = i + 1 < count ? i + 1 : 0;
        bool leaves = s[i] >= -eps && s[k] < -eps;
        if (s[i] >= -eps) {
            out[kept] = in[i];
            out[kept].side = leaves && s[i] <= eps ? RECTANGLE_SIDE + side : in[i].side;
            ++kept;
        }
        bool crosses = (s[i] > eps && s[k] < -eps) || (s[i] < -eps && s[k] > eps);
        if (crosses && kept < CAPACITY) {
            out[kept] = crossing_point(b, side, &in[i], &in[k], s[i], s[k]);
            out[kept].side = leaves ? RECTANGLE_SIDE + side : in[i].side;
            ++kept;
        }
    }
    return kept;
}

int32_t rectangles_intersect(const rectangle *a, const rectangle *b, double tolerance, rectangle_point point[RECTANGLES_MOST + 2]) {
    rectangle_point spare[RECTANGLES_MOST + 2], *current = point, *next = spare;
    double s[RECTANGLES_MOST + 2], eps = 1e-3 * tolerance;
    int32_t count = RECTANGLE_CORNERS;
    side_lines line;
    set_lines(b, &line);
    for (int32_t i = 0; i < RECTANGLE_CORNERS; ++i) {
        point[i] = (rectangle_point){a->x[i], a->y[i], i, RECTANGLE_INSIDE, i};
    }
    for (int32_t side = 0; side < RECTANGLE_CORNERS && count > 0; ++side) {
        bool all = true;
        for (int32_t i = 0; i < count; ++i) {
            s[i] = line.left_x[side] * (current[i].x - b->x[side]) + line.left_y[side] * (current[i].y - b->y[side]);
            all = all && s[i] >= -eps;
        }
        if (!all) {
            count = clip_by_side(b, side, eps, current, s, count, next);
            rectangle_point *swap = current;
            current = next;
            next = swap;
        }
    }
    for (int32_t i = 0; i < count && current != point; ++i) {
        point[i] = current[i];
    }
    return count;
}

/* ---- places ---- */

static inline bool is_at(const rectangle *r, int32_t corner, const rectangle_point *point, double tolerance) {
    double dx = r->x[corner] - point->x, dy = r->y[corner] - point->y;
    return dx * dx + dy * dy <= tolerance * tolerance;
}

/* Whether the point is clearly farther from the line of each side, and so from each corner. */
static inline bool is_clear(const rectangle *r, const rectangle_point *point, double tolerance) {
    const double clearly = 1.0 + 1e-6;
    double most = clearly * tolerance * tolerance;
    bool clear = true;
    for (int32_t i = 0; i < RECTANGLE_CORNERS; ++i) {
        double dx = r->x[next_of(i)] - r->x[i], dy = r->y[next_of(i)] - r->y[i];
        double turn = dx * (point->y - r->y[i]) - dy * (point->x - r->x[i]);
        clear &= turn * turn > most * (dx * dx + dy * dy);
    }
    return clear;
}

/* The first corner that holds the point, else the first side, else the inside. */
static int32_t search_place(const rectangle *r, const rectangle_point *point, double tolerance) {
    for (int32_t i = 0; i < RECTANGLE_CORNERS; ++i) {
        if (is_at(r, i, point, tolerance)) {
            return i;
        }
    }
    for (int32_t i = 0; i < RECTANGLE_CORNERS; ++i) {
        double dx = r->x[next_of(i)] - r->x[i], dy = r->y[next_of(i)] - r->y[i], x = point->x - r->x[i], y = point->y - r->y[i];
        double along = x * dx + y * dy, turn = dx * y - dy * x, square = dx * dx + dy * dy;
        if (along >= 0.0 && along <= square && turn * turn <= tolerance * tolerance * square) {
            return RECTANGLE_SIDE + i;
        }
    }
    return RECTANGLE_INSIDE;
}

int32_t rectangle_place(const rectangle *r, const rectangle_point *point, int32_t on, double tolerance) {
    if (on < RECTANGLE_SIDE) {
        return on;
    }
    if (on < RECTANGLE_INSIDE) {
        int32_t from = on - RECTANGLE_SIDE;
        return is_at(r, from, point, tolerance) ? from : is_at(r, next_of(from), point, tolerance) ? next_of(from) : on;
    }
    return is_clear(r, point, tolerance) ? RECTANGLE_INSIDE : search_place(r, point, tolerance);
}
