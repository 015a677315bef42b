/*
 * Clipping by Sutherland and Hodgman (polygons) and by Cyrus and Beck (segments), with feature names: every corner of the result knows on
 * which vertex, edge or interior of either figure it lies. Where a vertex of the clipping polygon is inside the other one, the result takes
 * that vertex itself, not the computed crossing of two nearly parallel lines.
 */

#include "geom/planar.h"

#include "base/real.h"

/* Without the care of hypot() for squares that overflow: lengths of shapes do not overflow. */
static double length_of(double x, double y) { return sqrt(x * x + y * y); }

/* Signed distance from the line, positive to the left. */
static double side_of(const planar_corner *from, const planar_corner *to, double x, double y) {
    double dx = to->x - from->x, dy = to->y - from->y, length = length_of(dx, dy);
    return length > 0.0 ? (dx * (y - from->y) - dy * (x - from->x)) / length : 0.0;
}

/* True when the point lies to the right of the line by more than the tolerance. */
static bool is_right_of(const planar_corner *from, const planar_corner *to, double x, double y, double tolerance) {
    double dx = to->x - from->x, dy = to->y - from->y, turn = dx * (y - from->y) - dy * (x - from->x);
    return turn < 0.0 && turn * turn > tolerance * tolerance * (dx * dx + dy * dy);
}

static bool is_on_line(const planar_corner *from, const planar_corner *to, double x, double y, double tolerance) {
    double dx = to->x - from->x, dy = to->y - from->y, turn = dx * (y - from->y) - dy * (x - from->x);
    return turn * turn <= tolerance * tolerance * (dx * dx + dy * dy);
}

static const planar_corner *next_corner(planar_figure figure, int32_t i) { return &figure.corner[i + 1 < figure.count ? i + 1 : 0]; }

static void swap_names(planar_point *points, int32_t count) {
    for (int32_t i = 0; i < count; ++i) {
        planar_point p = points[i];
        points[i] = (planar_point){p.x, p.y, p.vertex_b, p.edge_b, p.vertex_a, p.edge_a, p.side, !p.side_of_b};
    }
}

/* ---- polygon and polygon ---- */

typedef struct clip_line {
    planar_figure a, b;
    int32_t side; /* of b: clip by the line through it */
    int32_t capacity;
    double tolerance;
} clip_line;

/* The corner where the side that starts at `from` crosses the clipping line. */
static planar_point crossing_point(const clip_line *line, const planar_point *from, const planar_point *to, double s_from, double s_to) {
    double t = s_from / (s_from - s_to);
    planar_point p = {.x = from->x + t * (to->x - from->x),
                      .y = from->y + t * (to->y - from->y),
                      .vertex_a = -1,
                      .edge_a = -1,
                      .vertex_b = -1,
                      .edge_b = line->b.corner[line->side].edge};
    if (!from->side_of_b) {
        p.edge_a = line->a.corner[from->side].edge;
        return p;
    }
    int32_t count = line->b.count;
    bool follows = from->side == (line->side + count - 1) % count, precedes = from->side == (line->side + 1) % count;
    if (follows || precedes) {
        const planar_corner *shared = &line->b.corner[follows ? line->side : from->side];
        p.x = shared->x;
        p.y = shared->y;
        p.vertex_b = shared->vertex;
        p.edge_b = -1;
    }
    return p;
}

static int32_t clip_by_line(const clip_line *line, const planar_point *in, int32_t count, planar_point *out) {
    const planar_corner *from = &line->b.corner[line->side], *to = next_corner(line->b, line->side);
    double dx = to->x - from->x, dy = to->y - from->y, length = length_of(dx, dy), eps = line->tolerance;
    double left_x = length > 0.0 ? -dy / length : 0.0, left_y = length > 0.0 ? dx / length : 0.0;
    double s_next = left_x * (in[0].x - from->x) + left_y * (in[0].y - from->y), s_first = s_next;
    int32_t kept = 0;
    /* A convex figure gains at most one corner. A figure that is concave within tolerance, as faces may be, could gain more; those are
     * dropped. */
    for (int32_t i = 0; i < count && kept < line->capacity; ++i) {
        const planar_point *here = &in[i], *next = &in[i + 1 < count ? i + 1 : 0];
        double s_here = s_next;
        s_next = i + 1 < count ? left_x * (next->x - from->x) + left_y * (next->y - from->y) : s_first;
        bool leaves = s_here >= -eps && s_next < -eps;
        if (s_here >= -eps) {
            out[kept] = *here;
            if (leaves && s_here <= eps) {
                out[kept].side = line->side;
                out[kept].side_of_b = true;
            }
            ++kept;
        }
        bool crosses = (s_here > eps && s_next < -eps) || (s_here < -eps && s_next > eps);
        if (crosses && kept < line->capacity) {
            out[kept] = crossing_point(line, here, next, s_here, s_next);
            out[kept].side = leaves ? line->side : here->side;
            out[kept].side_of_b = leaves || here->side_of_b;
            ++kept;
        }
    }
    return kept;
}

static int32_t polygon_polygon(planar_figure a, planar_figure b, double tolerance, planar_point *out, planar_point *scratch) {
    int32_t count = a.count;
    planar_point *current = out, *next = scratch;
    for (int32_t i = 0; i < a.count; ++i) {
        current[i] = (planar_point){a.corner[i].x, a.corner[i].y, a.corner[i].vertex, -1, -1, -1, i, false};
    }
    clip_line line = {.a = a, .b = b, .capacity = planar_capacity(a, b), .tolerance = 1e-3 * tolerance};
    for (line.side = 0; line.side < b.count && count > 0; ++line.side) {
        count = clip_by_line(&line, current, count, next);
        planar_point *swap = current;
        current = next;
        next = swap;
    }
    if (current != out) {
        for (int32_t i = 0; i < count; ++i) {
            out[i] = current[i];
        }
    }
    return count;
}

/* ---- polygon and segment or point ---- */

static bool is_on_polygon(planar_figure polygon, double x, double y, double tolerance) {
    for (int32_t i = 0; i < polygon.count; ++i) {
        if (is_right_of(&polygon.corner[i], next_corner(polygon, i), x, y, tolerance)) {
            return false;
        }
    }
    return true;
}

/* The point of the segment b at the parameter t; at t = 0 or 1 it takes the name of the end. */
static planar_point point_of_segment(planar_figure b, double t) {
    const planar_corner *p = &b.corner[0], *q = &b.corner[1];
    planar_point point = {
        .x = p->x + t * (q->x - p->x), .y = p->y + t * (q->y - p->y), .vertex_a = -1, .edge_a = -1, .vertex_b = -1, .edge_b = -1};
    if (t <= 0.0) {
        point.vertex_b = p->vertex;
    } else if (t >= 1.0) {
        point.vertex_b = q->vertex;
    } else {
        point.edge_b = p->edge;
    }
    return point;
}

static int32_t polygon_segment(planar_figure a, planar_figure b, double tolerance, planar_point *out) {
    double lower = 0.0, upper = 1.0;
    int32_t edge_lower = -1, edge_upper = -1;
    for (int32_t i = 0; i < a.count; ++i) {
        const planar_corner *from = &a.corner[i], *to = next_corner(a, i);
        double s0 = side_of(from, to, b.corner[0].x, b.corner[0].y), s1 = side_of(from, to, b.corner[1].x, b.corner[1].y);
        if (s0 < -tolerance && s1 < -tolerance) {
            return 0;
        }
        double t = s0 / (s0 - s1);
        if (s0 < -tolerance && s1 >= -tolerance && t > lower) {
            lower = real_min(t, 1.0);
            edge_lower = from->edge;
        } else if (s0 >= -tolerance && s1 < -tolerance && t < upper) {
            upper = real_max(t, 0.0);
            edge_upper = from->edge;
        }
    }
    double length = length_of(b.corner[1].x - b.corner[0].x, b.corner[1].y - b.corner[0].y);
    if ((lower - upper) * length > tolerance) {
        return 0;
    }
    out[0] = point_of_segment(b, lower);
    out[0].edge_a = edge_lower;
    if ((upper - lower) * length <= tolerance) {
        return 1;
    }
    out[1] = point_of_segment(b, upper);
    out[1].edge_a = edge_upper;
    return 2;
}

/* ---- segments and points ---- */

/* Overlapping parts along the first segment. */
static int32_t parallel_to_first(planar_figure a, planar_figure b, double tolerance, planar_point *out) {
    double ux = a.corner[1].x - a.corner[0].x, uy = a.corner[1].y - a.corner[0].y, length = length_of(ux, uy);
    double t[2];
    for (int i = 0; i < 2; ++i) {
        double wx = b.corner[i].x - a.corner[0].x, wy = b.corner[i].y - a.corner[0].y;
        t[i] = (wx * ux + wy * uy) / (length * length);
        if (fabs(wx * uy - wy * ux) / length > real_max(tolerance, 1e-3 * length)) {
            return 0; /* side by side, without overlap */
        }
    }
    int32_t low = t[0] <= t[1] ? 0 : 1;
    double lower = real_max(0.0, t[low]), upper = real_min(1.0, t[1 - low]);
    if ((lower - upper) * length > tolerance) {
        return 0;
    }
    for (int i = 0; i < 2; ++i) {
        double s = i == 0 ? lower : upper, end = i == 0 ? t[low] : t[1 - low];
        const planar_corner *corner_b = &b.corner[i == 0 ? low : 1 - low];
        bool from_b = s == end;
        out[i] = (planar_point){
            .x = a.corner[0].x + s * ux, .y = a.corner[0].y + s * uy, .vertex_a = -1, .edge_a = -1, .vertex_b = -1, .edge_b = -1};
        if (s <= 0.0 || s >= 1.0) {
            out[i].vertex_a = a.corner[s <= 0.0 ? 0 : 1].vertex;
        } else {
            out[i].edge_a = a.corner[0].edge;
        }
        if (from_b) {
            out[i].vertex_b = corner_b->vertex;
        } else {
            out[i].edge_b = b.corner[0].edge;
        }
    }
    return (upper - lower) * length <= tolerance ? 1 : 2;
}

/* How far apart the two may be depends on which one is the first. It is the longer one, so that exchanging them changes nothing. */
static int32_t parallel_segments(planar_figure a, planar_figure b, bool b_is_longer, double tolerance, planar_point *out) {
    if (!b_is_longer) {
        return parallel_to_first(a, b, tolerance, out);
    }
    int32_t count = parallel_to_first(b, a, tolerance, out);
    swap_names(out, count);
    return count;
}

static double clamp_near_unit(double t, double slack, bool *outside) {
    *outside = *outside || t < -slack || t > 1.0 + slack;
    return t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
}

static int32_t segment_segment(planar_figure a, planar_figure b, double tolerance, double parallel, planar_point *out) {
    double ux = a.corner[1].x - a.corner[0].x, uy = a.corner[1].y - a.corner[0].y;
    double vx = b.corner[1].x - b.corner[0].x, vy = b.corner[1].y - b.corner[0].y;
    double wx = b.corner[0].x - a.corner[0].x, wy = b.corner[0].y - a.corner[0].y;
    double length_u = length_of(ux, uy), length_v = length_of(vx, vy), across = ux * vy - uy * vx;
    if (!(length_u > 0.0 && length_v > 0.0)) {
        return 0;
    }
    const double rounding = 1e-9; /* below this sine, rounding error makes the crossing point meaningless */
    if (fabs(across) <= real_max(parallel, rounding) * length_u * length_v) {
        int32_t count = parallel_segments(a, b, length_v > length_u, tolerance, out);
        if (count > 0 || fabs(across) <= rounding * length_u * length_v) {
            return count;
        }
    }
    bool outside = false;
    double s = clamp_near_unit((wx * vy - wy * vx) / across, tolerance / length_u, &outside);
    double t = clamp_near_unit((wx * uy - wy * ux) / across, tolerance / length_v, &outside);
    if (outside) {
        return 0;
    }
    out[0] = point_of_segment(b, t);
    if (s <= 0.0 || s >= 1.0) {
        out[0].vertex_a = a.corner[s <= 0.0 ? 0 : 1].vertex;
    } else {
        out[0].edge_a = a.corner[0].edge;
    }
    return 1;
}

/* A point and any figure: the point, if it lies on the figure. */
static int32_t figure_point(planar_figure a, planar_figure b, double tolerance, planar_point *out) {
    const planar_corner *p = &b.corner[0];
    out[0] = (planar_point){.x = p->x, .y = p->y, .vertex_a = -1, .edge_a = -1, .vertex_b = p->vertex, .edge_b = -1};
    if (a.count == 1) {
        out[0].vertex_a = a.corner[0].vertex;
        return length_of(a.corner[0].x - p->x, a.corner[0].y - p->y) <= tolerance ? 1 : 0;
    }
    if (a.count == 2) {
        double ux = a.corner[1].x - a.corner[0].x, uy = a.corner[1].y - a.corner[0].y, uu = ux * ux + uy * uy;
        double t = uu > 0.0 ? ((p->x - a.corner[0].x) * ux + (p->y - a.corner[0].y) * uy) / uu : 0.0;
        t = real_min(1.0, real_max(0.0, t));
        out[0].edge_a = a.corner[0].edge;
        return length_of(a.corner[0].x + t * ux - p->x, a.corner[0].y + t * uy - p->y) <= tolerance ? 1 : 0;
    }
    return is_on_polygon(a, p->x, p->y, tolerance) ? 1 : 0;
}

/* ---- all of them ---- */

static int32_t whole_plane(planar_figure b, planar_point *out) {
    for (int32_t i = 0; i < b.count; ++i) {
        out[i] = (planar_point){b.corner[i].x, b.corner[i].y, -1, -1, b.corner[i].vertex, -1, i, true};
    }
    return b.count;
}

/* Whether the point lies to the left of the line by more than the room. */
static bool is_left_of(const planar_corner *from, const planar_corner *to, double x, double y, double room) {
    double dx = to->x - from->x, dy = to->y - from->y, turn = dx * (y - from->y) - dy * (x - from->x);
    return turn > 0.0 && turn * turn > room * room * (dx * dx + dy * dy);
}

bool planar_is_wide_triangle(planar_figure t, double room) {
    const planar_corner *c = t.corner;
    return t.count == 3 && is_left_of(&c[0], &c[1], c[2].x, c[2].y, room) && is_left_of(&c[1], &c[2], c[0].x, c[0].y, room) &&
           is_left_of(&c[2], &c[0], c[1].x, c[1].y, room);
}

bool planar_is_triangle_inside(planar_figure polygon, planar_figure t, double room) {
    for (int32_t i = 0; i < polygon.count; ++i) {
        const planar_corner *from = &polygon.corner[i], *to = next_corner(polygon, i);
        for (int32_t k = 0; k < t.count; ++k) {
            if (!is_left_of(from, to, t.corner[k].x, t.corner[k].y, room)) {
                return false;
            }
        }
    }
    return polygon.count > 2 && planar_is_wide_triangle(t, room);
}

int32_t planar_intersect(planar_figure a, planar_figure b, double tolerance, double parallel, planar_point *out, planar_point *scratch) {
    bool swapped = a.count != 0 && (b.count == 0 || (a.count < 3 && a.count < b.count));
    if (swapped) {
        planar_figure swap = a;
        a = b;
        b = swap;
    }
    int32_t count;
    if (a.count == 0) {
        count = whole_plane(b, out);
    } else if (b.count == 1) {
        count = figure_point(a, b, tolerance, out);
    } else if (b.count == 2) {
        count = a.count == 2 ? segment_segment(a, b, tolerance, parallel, out) : polygon_segment(a, b, tolerance, out);
    } else {
        count = polygon_polygon(a, b, tolerance, out, scratch);
    }
    if (swapped) {
        swap_names(out, count);
    }
    return count;
}

static inline bool is_at(const planar_corner *corner, double x, double y, double tolerance) {
    double dx = corner->x - x, dy = corner->y - y;
    return dx * dx + dy * dy <= tolerance * tolerance;
}

/* Names a point of this side: one of its ends, or the side. */
static void name_on_side(planar_figure figure, int32_t side, double x, double y, double tolerance, int32_t *vertex, int32_t *edge) {
    const planar_corner *from = &figure.corner[side], *to = next_corner(figure, side);
    *vertex = is_at(from, x, y, tolerance) ? from->vertex : is_at(to, x, y, tolerance) ? to->vertex : -1;
    *edge = *vertex < 0 ? from->edge : -1;
}

/* Looks for the corner at the ends of the other sides of that name, of which `first` is the first. They follow each other. A disc has several between two
 * fixed corners if it has crossings there. */
static void name_on_namesakes(planar_figure figure, int32_t first, double x, double y, double tolerance, int32_t *vertex, int32_t *edge) {
    const int32_t name = *edge;
    for (int32_t i = first + 1; i < figure.count && figure.corner[i].edge == name && *vertex < 0; ++i) {
        name_on_side(figure, i, x, y, tolerance, vertex, edge);
    }
    for (int32_t i = figure.count - 1; first == 0 && i > 0 && figure.corner[i].edge == name && *vertex < 0; --i) {
        name_on_side(figure, i, x, y, tolerance, vertex, edge);
    }
}

void planar_name(planar_figure figure, double x, double y, double tolerance, int32_t *vertex, int32_t *edge) {
    if (*vertex >= 0) {
        *edge = -1;
        return;
    }
    for (int32_t i = 0; i < figure.count && figure.count > 2 && *edge >= 0; ++i) {
        if (figure.corner[i].edge == *edge) {
            name_on_side(figure, i, x, y, tolerance, vertex, edge);
            if (*vertex < 0) {
                name_on_namesakes(figure, i, x, y, tolerance, vertex, edge);
            }
            return;
        }
    }
    *edge = -1;
    for (int32_t i = 0; i < figure.count; ++i) {
        if (is_at(&figure.corner[i], x, y, tolerance)) {
            *vertex = figure.corner[i].vertex;
            return;
        }
    }
    for (int32_t i = 0; i < figure.count && figure.count > 1; ++i) {
        const planar_corner *from = &figure.corner[i], *to = next_corner(figure, i);
        double dx = to->x - from->x, dy = to->y - from->y, along = (x - from->x) * dx + (y - from->y) * dy;
        if (along >= 0.0 && along <= dx * dx + dy * dy && is_on_line(from, to, x, y, tolerance)) {
            *edge = figure.corner[figure.count == 2 ? 0 : i].edge;
            return;
        }
    }
}

double planar_area(const planar_point *corner, int32_t count) {
    double twice = 0.0;
    for (int32_t i = 1; i + 1 < count; ++i) {
        double ux = corner[i].x - corner[0].x, uy = corner[i].y - corner[0].y;
        double vx = corner[i + 1].x - corner[0].x, vy = corner[i + 1].y - corner[0].y;
        twice += ux * vy - uy * vx;
    }
    return 0.5 * twice;
}
