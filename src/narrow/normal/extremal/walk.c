/*
 * Extremal pairs of a polytope or segment with a smooth body. The search walks from feature to neighbouring feature until the pair's normal lies in the
 * feature's Gauss cell and its point lies in the feature. A face leaves no unknown, an edge leaves an angle, and a vertex leaves a direction.
 *
 * For separated bodies every step comes nearer, so the walk ends. For overlapping bodies the walk is given up after a number of features.
 */

#include "narrow/normal/extremal/extremal.h"

#include "base/elementary.h"
#include "base/real.h"
#include "narrow/normal/feature.h"

typedef struct walker {
    const convex *p, *s;
    extremal_search search; /* for a vertex of p against s */
    abut_feature at;
    abut_vec3 direction;
    extremal *found;
} walker;

static bool is_segment(const convex *body) { return body->core == CORE_SEGMENT; }

/* An edge of the polytope, or the segment. Its direction and length are those of the core's frame: there the ends of a short edge differ, and in the pair's
 * frame, away from the origin, they may be rounded to one point. */
typedef struct walk_edge {
    int32_t vertex[2];
    abut_vec3 along; /* unit, pair's frame, from the first vertex to the second */
    double length;
} walk_edge;

static walk_edge edge_of(const convex *p, int32_t edge) {
    if (is_segment(p)) {
        return (walk_edge){{0, 1}, p->rotation.z, 2.0 * p->half_length};
    }
    const int32_t *vertex = p->surface->edges[edge].vertex;
    abut_vec3 side = abut_sub(convex_vertex(p, vertex[1]), convex_vertex(p, vertex[0])), along = abut_unit(side);
    return (walk_edge){{vertex[0], vertex[1]}, convex_direction_to_pair(p, along), abut_dot(side, along)};
}

static abut_feature feature(abut_feature_kind kind, int32_t index) { return (abut_feature){.kind = kind, .index = index}; }

/* Near the border of two features both may give the answer, each with its own last bits. This is the relative width of that border. */
#define TIE 1e-6

/* The edge at the vertex that rises most along the direction; -1 when none rises. *steepest receives its sine, which is negative when all edges fall. */
static int32_t rising_edge(const convex *p, int32_t vertex, abut_vec3 direction, double *steepest) {
    const double sine = 1e-12;
    int32_t first = is_segment(p) ? 0 : p->surface->vertex_first[vertex], last = is_segment(p) ? 1 : p->surface->vertex_first[vertex + 1];
    int32_t best = -1;
    *steepest = -1.0;
    for (int32_t i = first; i < last; ++i) {
        int32_t edge = is_segment(p) ? 0 : p->surface->vertex_edges[i];
        walk_edge at = edge_of(p, edge);
        double rise = abut_dot(direction, at.vertex[0] == vertex ? at.along : abut_neg(at.along));
        if (rise > *steepest) {
            *steepest = rise;
            best = edge;
        }
    }
    return *steepest > sine ? best : -1;
}

/* Each of the following functions finds the pair of one feature. It returns true when this is the pair of the bodies. Otherwise walker->at is the feature
 * with which the walk continues. */

/* Takes only a few Newton steps at a time. The vertex's own pair may not exist, and it does not matter once another part of the polytope is higher. */
static bool stop_at_vertex(walker *w) {
    enum { MOST_LEGS = 10 };
    abut_vec3 pin = convex_to_pair(w->p, convex_vertex(w->p, w->at.index));
    extremal_search search = w->search;
    search.a.pin = &pin;
    search.most_steps = 4;
    for (int leg = 0; leg < MOST_LEGS; ++leg) {
        extremal_descend(&search, w->direction, w->found);
        w->found->feature_a = w->at;
        w->direction = w->found->direction;
        /* For separated bodies the vertex has a pair, which is nearer than any feature before. So the walk cannot run in circles. */
        bool ask = w->found->settled || w->found->apart || w->found->height > 0.0;
        double steepest = -1.0;
        int32_t edge = ask ? rising_edge(w->p, w->at.index, w->direction, &steepest) : -1;
        if (edge >= 0) {
            w->at = feature(ABUT_FEATURE_EDGE, edge);
            return false;
        }
        if (w->found->settled || w->found->apart) {
            w->found->repeated = w->found->repeated && steepest < -TIE;
            return true;
        }
    }
    return true;
}

/* Moves the direction into the arc of the edge's normals. Returns the face at whose end it stopped, or -1. */
static int32_t into_arc(const convex *p, int32_t edge, abut_vec3 along, abut_vec3 *direction) {
    if (is_segment(p)) {
        return -1;
    }
    int32_t left = p->surface->edges[edge].face[0], right = p->surface->edges[edge].face[1];
    abut_vec3 n = feature_face_normal(p, left), m = feature_face_normal(p, right);
    bool past_left = abut_dot(abut_cross(n, *direction), along) < 0.0, past_right = abut_dot(abut_cross(*direction, m), along) < 0.0;
    if (!past_left && !past_right) {
        return -1;
    }
    int32_t face = past_left && (!past_right || abut_dot(n, *direction) >= abut_dot(m, *direction)) ? left : right;
    *direction = face == left ? n : m;
    return face;
}

/* The distance from a feature's border within which a neighbouring feature's pair may be the same. Where the smooth body is flat, its point moves far for a
 * very small turn. */
static double room_of(const walker *w, abut_vec3 direction) {
    const double turn = 1e-9;
    smooth_place place;
    abut_vec3 u, v;
    abut_tangent_frame(direction, &u, &v);
    convex_place_find(w->s, abut_neg(direction), u, v, &place);
    return TIE * w->p->size + turn * (place.r11 + place.r22);
}

/* Whether the direction lies between the edge's two face normals, and not within TIE of either. */
static bool is_inside_arc(const convex *p, int32_t edge, abut_vec3 direction) {
    for (int side = 0; side < 2 && !is_segment(p); ++side) {
        abut_vec3 n = feature_face_normal(p, p->surface->edges[edge].face[side]);
        if (abut_length_squared(abut_cross(n, direction)) < TIE * TIE) {
            return false;
        }
    }
    return true;
}

typedef struct arc_view {
    abut_vec3 across; /* the tangent along the arc */
    abut_vec3 on_s;
    double slope, bend; /* first and second derivative of h along the arc */
} arc_view;

static void look_at_arc(const walker *w, abut_vec3 along, abut_vec3 end, abut_vec3 direction, arc_view *at) {
    smooth_place place;
    at->across = abut_cross(along, direction);
    convex_place_find(w->s, abut_neg(direction), at->across, along, &place);
    at->on_s = place.point;
    abut_vec3 apart = abut_sub(end, place.point);
    at->slope = abut_dot(at->across, apart);
    at->bend = place.r11 - abut_dot(direction, apart);
}

/* Newton's method along the arc. Returns the face at the arc's end if h still falls there, or -1. */
static int32_t settle_on_arc(const walker *w, int32_t edge, abut_vec3 along, abut_vec3 end, abut_vec3 *direction, int steps,
                             bool *settled) {
    const double longest = 0.6, last = 1e-8;
    int32_t face = into_arc(w->p, edge, along, direction);
    double low = -INFINITY, high = INFINITY, at = 0.0; /* angles between which the slope changes sign */
    *settled = false;
    for (int i = 0; i < steps; ++i) {
        arc_view view;
        look_at_arc(w, along, end, *direction, &view);
        if (view.slope > 0.0) {
            high = real_min(high, at);
        } else {
            low = real_max(low, at);
        }
        double step = view.bend > 0.0 ? -view.slope / view.bend : view.slope > 0.0 ? -longest : longest;
        step = real_max(-longest, real_min(longest, step));
        if (at + step > high || at + step < low) {
            step = 0.5 * (low + high) - at;
        }
        *settled = fabs(step) <= last && view.bend > 0.0;
        double sine, cosine;
        elementary_sin_cos(step, &sine, &cosine);
        *direction = abut_unit(abut_add_scaled(*direction, sine / cosine, view.across));
        at += step;
        int32_t stopped = into_arc(w->p, edge, along, direction);
        if (stopped >= 0 && stopped == face) {
            return face; /* second stop at this end: h falls beyond it */
        }
        face = stopped;
        if (face >= 0) {
            low = -INFINITY;
            high = INFINITY;
        }
        if (*settled) {
            return -1;
        }
    }
    return -1;
}

static void report_edge(walker *w, const walk_edge *edge, const abut_vec3 end[2], abut_vec3 direction, bool settled, double *part) {
    abut_vec3 on_s;
    convex_support(w->s, abut_neg(direction), &on_s);
    *part = abut_dot(abut_sub(on_s, end[0]), edge->along) / edge->length;
    double inside = real_max(0.0, real_min(1.0, *part));
    *w->found = (extremal){.direction = direction,
                           .on_a = abut_lerp(end[0], end[1], inside),
                           .on_b = on_s,
                           .feature_a = w->at,
                           .feature_b = {.kind = ABUT_FEATURE_VERTEX},
                           .settled = settled};
    w->found->height = abut_dot(direction, abut_sub(w->found->on_a, on_s));
    /* On a flat place the direction does not determine the point. The other body's point does. */
    abut_vec3 facing = abut_add_scaled(w->found->on_a, -w->found->height, direction);
    double way = abut_distance_between(facing, on_s);
    w->found->moved = way > EXTREMAL_UNMOVED * w->search.scale;
    if (settled && way > 1e-9 * w->search.scale) {
        w->found->settled = extremal_is_on_surface(w->s, facing, w->search.scale);
    }
    w->found->on_b = w->found->settled ? facing : on_s;
}

/* The component of the direction orthogonal to the edge. For a direction along the edge, the middle of the arc. */
static abut_vec3 square_to(const convex *p, int32_t edge, abut_vec3 along, abut_vec3 direction) {
    abut_vec3 square = abut_add_scaled(direction, -abut_dot(direction, along), along), second;
    if (abut_length_squared(square) > 1e-12) {
        return abut_unit(square);
    }
    if (is_segment(p)) {
        abut_tangent_frame(along, &square, &second);
        return square;
    }
    const polytope_edge *e = &p->surface->edges[edge];
    return abut_unit(abut_add(feature_face_normal(p, e->face[0]), feature_face_normal(p, e->face[1])));
}

static bool stop_at_edge(walker *w) {
    enum { MOST_STEPS = 40 };
    int32_t edge = w->at.index;
    const walk_edge whole = edge_of(w->p, edge);
    const abut_vec3 along = whole.along;
    const abut_vec3 end[2] = {convex_to_pair(w->p, convex_vertex(w->p, whole.vertex[0])),
                              convex_to_pair(w->p, convex_vertex(w->p, whole.vertex[1]))};
    double part;
    bool settled;
    abut_vec3 direction = square_to(w->p, edge, along, w->direction);
    int32_t face = settle_on_arc(w, edge, along, end[0], &direction, MOST_STEPS, &settled);
    w->direction = direction;
    report_edge(w, &whole, end, direction, settled && face < 0, &part);
    if (face >= 0) {
        w->at = feature(ABUT_FEATURE_FACE, face);
        return false;
    }
    if (part < 0.0 || part > 1.0) {
        w->at = feature(ABUT_FEATURE_VERTEX, whole.vertex[part > 1.0]);
        return false;
    }
    if (settled) {
        /* Repeats the last steps from a grid point, as for smooth bodies. */
        bool clear, again;
        abut_vec3 repeated = square_to(w->p, edge, along, extremal_snap(direction, &clear));
        if (settle_on_arc(w, edge, along, end[0], &repeated, 2, &again) < 0 && again) {
            report_edge(w, &whole, end, repeated, true, &part);
            double room = room_of(w, repeated) / whole.length;
            w->found->repeated = clear && part > room && part < 1.0 - room && is_inside_arc(w->p, edge, repeated);
        }
    }
    return true;
}

/* The border that the point crosses by the largest distance; -1 inside the face. *clear: the point is farther than `room` from all borders. */
static int32_t crossed_border(const convex *p, int32_t face, abut_vec3 point, double room, bool *clear) {
    const polytope *surface = p->surface;
    abut_vec3 normal = surface->normals[face], local = convex_to_local(p, point);
    int32_t first = surface->face_first[face], count = surface->face_first[face + 1] - first, worst = -1;
    double farthest = 0.0;
    *clear = true;
    for (int32_t i = 0; i < count; ++i) {
        abut_vec3 from = convex_vertex(p, surface->face_vertices[first + i]);
        abut_vec3 to = convex_vertex(p, surface->face_vertices[first + (i + 1) % count]), side = abut_sub(to, from);
        double beyond = -abut_dot(normal, abut_cross(side, abut_sub(local, from))) / abut_length(side);
        *clear = *clear && beyond < -room;
        if (beyond > farthest) {
            farthest = beyond;
            worst = surface->face_edges[first + i];
        }
    }
    return worst;
}

static bool stop_at_face(walker *w) {
    abut_vec3 normal = feature_face_normal(w->p, w->at.index), on_s;
    abut_vec3 corner = convex_to_pair(w->p, convex_vertex(w->p, w->p->surface->face_vertices[w->p->surface->face_first[w->at.index]]));
    convex_support(w->s, abut_neg(normal), &on_s);
    double height = abut_dot(normal, abut_sub(corner, on_s));
    *w->found = (extremal){.direction = normal,
                           .on_a = abut_add_scaled(on_s, height, normal),
                           .on_b = on_s,
                           .height = height,
                           .feature_a = w->at,
                           .feature_b = {.kind = ABUT_FEATURE_VERTEX},
                           .settled = true};
    w->direction = normal;
    int32_t edge = crossed_border(w->p, w->at.index, w->found->on_a, room_of(w, normal), &w->found->repeated);
    if (edge < 0) {
        return true;
    }
    w->at = feature(ABUT_FEATURE_EDGE, edge);
    return false;
}

void extremal_walk(const convex *p, const convex *s, abut_vec3 start, double enough, double near, extremal *found) {
    enum { MOST_FEATURES = 24 };
    walker w = {.p = p, .s = s, .search = {.a = {p, NULL}, .b = {s, NULL}, .enough = enough, .scale = extremal_scale(p, s)}};
    w.at = feature_pick(p, start, near);
    w.direction = start;
    w.found = found;
    bool stopped = false;
    for (int i = 0; i < MOST_FEATURES && !stopped; ++i) {
        stopped = w.at.kind == ABUT_FEATURE_VERTEX ? stop_at_vertex(&w)
                  : w.at.kind == ABUT_FEATURE_EDGE ? stop_at_edge(&w)
                                                   : stop_at_face(&w);
    }
    if (!stopped || !found->settled) {
        bool apart = found->apart;
        extremal_look(p, s, found->direction, found);
        found->apart = apart && found->height < -enough;
    }
}
