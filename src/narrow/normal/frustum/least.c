/* The least depth of a frustum in another body, over all pairs of features: see least.h. */
#include "narrow/normal/frustum/least.h"

#include "base/elementary.h"
#include "base/real.h"
#include "narrow/normal/feature.h"
#include "narrow/normal/frustum/turning.h"

/* Directions are equally deep up to this fraction of the depth, and up to rounding error of the sizes. */
#define TIE 1e-10
#define TIE_OF_ROUNDING 4e-15
#define SLOPE_ROUNDING 2e-16
/* An angle. A direction whose points are aside of each other by s is on a slope of the height, s per angle. If the local minimum is farther away than this and
 * equally deep, s is at most about 2 TIE / VALLEY = 1e-8 of the depth. */
#define VALLEY 2e-2
#define NEARLY 1e-6 /* of the sizes: the last steps to a stationary direction gain less */

enum { MOST_TIED = 64 };

typedef struct least_search {
    const convex *a, *b;
    abut_vec3 wish;
    double scale;
    double best; /* the least height so far */
    abut_vec3 best_direction;
    abut_vec3 tied[MOST_TIED]; /* directions that are as good, up to rounding error */
    double height[MOST_TIED];
    int tied_count;
} least_search;

static double limit_of(const least_search *search) { return search->best + TIE * fabs(search->best) + TIE_OF_ROUNDING * search->scale; }

static void keep_ties(least_search *search) {
    int kept = 0;
    for (int i = 0; i < search->tied_count; ++i) {
        if (search->height[i] <= limit_of(search)) {
            search->tied[kept] = search->tied[i];
            search->height[kept++] = search->height[i];
        }
    }
    search->tied_count = kept;
}

/* Where all directions of a circle are as deep, there is no room for all that are offered: those closest to the wish stay. */
static int place_of_tie(const least_search *search, abut_vec3 direction) {
    if (search->tied_count < MOST_TIED) {
        return search->tied_count;
    }
    int farthest = 0;
    for (int i = 1; i < search->tied_count; ++i) {
        farthest = abut_dot(search->tied[i], search->wish) < abut_dot(search->tied[farthest], search->wish) ? i : farthest;
    }
    return abut_dot(direction, search->wish) > abut_dot(search->tied[farthest], search->wish) ? farthest : -1;
}

static void offer(least_search *search, abut_vec3 direction) {
    double height = frustum_pair_height(search->a, search->b, direction);
    if (!(height <= limit_of(search))) {
        return;
    }
    if (height < search->best) {
        search->best = height;
        search->best_direction = direction;
        keep_ties(search);
    }
    int place = place_of_tie(search, direction);
    if (place >= 0) {
        search->tied[place] = direction;
        search->height[place] = height;
        search->tied_count = place == search->tied_count ? place + 1 : search->tied_count;
    }
}

/* Offers the stationary direction of two features near one. */
static void offer_near(least_search *search, const stratum *a, const stratum *b, abut_vec3 direction) {
    abut_vec3 settled = direction;
    double height = frustum_pair_height(search->a, search->b, direction);
    if (height > limit_of(search) + NEARLY * search->scale) {
        return;
    }
    offer(search, direction);
    if (stratum_settle(a, b, &settled)) {
        offer(search, settled);
    }
}

/* A body in the search, and its side: 1 for A, -1 for B. */
typedef struct least_side {
    const convex *body;
    double side;
} least_side;

static stratum feature_of(const least_side *s, abut_feature_kind kind, int32_t index) {
    return stratum_of(s->body, s->side, (abut_feature){.kind = kind, .index = index});
}

/* Offers a direction unless a point of one body and the extent of the other prove that it is deeper than the best one. */
static void offer_with_point(least_search *search, const least_side *of, abut_vec3 point, const least_side *other, abut_vec3 direction) {
    double at_least = of->side * abut_dot(direction, point) + convex_extent(other->body, abut_scale(other->side, direction));
    if (at_least <= limit_of(search)) {
        offer(search, direction);
    }
}

static void offer_of(least_search *search, const stratum *p, const stratum *q, abut_vec3 direction) {
    offer_near(search, p->side > 0.0 ? p : q, p->side > 0.0 ? q : p, direction);
}

static abut_vec3 middle_of_end(const convex *body, int32_t end) {
    return convex_to_pair(body, abut_vec3_make(0.0, 0.0, body->shape->round.z[end]));
}

/* ---- stationary directions on a circle ---- */

/* Directions along * axis + radius (cos t first + sin t second). */
typedef struct circle {
    abut_vec3 axis, first, second;
    double along, radius;
    double size; /* of the body */
} circle;

/* It begins where the circle is next to the best direction so far, which may be the least depth on it. */
static circle circle_of(const least_search *search, const stratum *s) {
    circle c = {.axis = s->axis, .along = s->along, .radius = 1.0, .size = s->body->size};
    if (s->body->core == CORE_FRUSTUM) {
        c.radius = s->body->shape->round.normal_rho;
    }
    if (stratum_across(search->best_direction, s->axis, STRATUM_SMALL, &c.first)) {
        c.second = abut_cross(s->axis, c.first);
    } else {
        abut_tangent_frame(s->axis, &c.first, &c.second);
    }
    return c;
}

static abut_vec3 direction_at(const circle *c, double angle) {
    double sine, cosine;
    elementary_sin_cos(angle, &sine, &cosine);
    abut_vec3 out = abut_add(abut_scale(cosine, c->first), abut_scale(sine, c->second));
    return abut_unit(abut_add(abut_scale(c->along, c->axis), abut_scale(c->radius, out)));
}

static void set_wave(const circle *c, abut_vec3 v, double wave[3]) {
    wave[0] = c->along * abut_dot(v, c->axis);
    wave[1] = c->radius * abut_dot(v, c->first);
    wave[2] = c->radius * abut_dot(v, c->second);
}

/* The height along the circle, from an edge, the side of a frustum or a circle of it, to the rim: difference . d + r sqrt(x^2 + y^2), with x and y across the
 * axis of the rim. difference: from the rim's middle on B to the edge on A, or the other way round. */
static turning height_on(const circle *c, const least_side *rim, int32_t end, abut_vec3 difference) {
    turning f = {.factor = rim->body->shape->round.radius[end], .rounding = SLOPE_ROUNDING * (c->size + rim->body->size)};
    double wave[3];
    set_wave(c, difference, wave);
    f.slope[0] = wave[2];
    f.slope[1] = -wave[1];
    set_wave(c, convex_direction_to_pair(rim->body, abut_vec3_make(1.0, 0.0, 0.0)), f.x);
    set_wave(c, convex_direction_to_pair(rim->body, abut_vec3_make(0.0, 1.0, 0.0)), f.y);
    return f;
}

/* The part of a circle of normals from `middle - half` to `middle + half`. */
typedef struct arc {
    double middle, half;
} arc;

/* A direction of a circle, and a support point of the difference along it. */
typedef struct circle_look {
    abut_vec3 out, w; /* out: the unit direction from the circle's middle */
} circle_look;

/* point: of the body to which the circle belongs; rim: the other body. */
static circle_look look_on(const stratum *on, abut_vec3 point, const least_side *rim, const circle *c, double angle) {
    double sine, cosine;
    abut_vec3 own = point, other;
    elementary_sin_cos(angle, &sine, &cosine);
    circle_look l = {.out = abut_add(abut_scale(cosine, c->first), abut_scale(sine, c->second))};
    abut_vec3 direction = abut_unit(abut_add(abut_scale(c->along, c->axis), abut_scale(c->radius, l.out)));
    if (on->body->core == CORE_FRUSTUM) {
        (void)convex_support(on->body, abut_scale(on->side, direction), &own);
    }
    (void)convex_support(rim->body, abut_scale(rim->side, direction), &other);
    l.w = abut_scale(on->side, abut_sub(own, other));
    return l;
}

/*
 * A lower bound of the height along all directions of a circle between two: it is at least w . d for every point w of the difference, and so for the mean of
 * two of them that is as high along both directions. Between both, `out` is a sum of both with weights >= 0 whose sum is at least 1 and at most 1 / cosine of
 * half the angle.
 */
static double bound_on_arc(const circle *c, const circle_look *p, const circle_look *q) {
    double pp = abut_dot(p->w, p->out), pq = abut_dot(p->w, q->out), qp = abut_dot(q->w, p->out), qq = abut_dot(q->w, q->out);
    double p_along = c->along * abut_dot(p->w, c->axis), q_along = c->along * abut_dot(q->w, c->axis);
    double sum = pp - pq + qq - qp, share = sum > 0.0 ? real_max(0.0, real_min(1.0, (qq - qp) / sum)) : 0.5, bound = -INFINITY;
    const double shares[3] = {share, 0.0, 1.0};
    double cosine = sqrt(real_max(0.5 * (1.0 + abut_dot(p->out, q->out)), 1e-30));
    for (int i = 0; i < 3; ++i) {
        double t = shares[i], least = real_min(t * pp + (1.0 - t) * qp, t * pq + (1.0 - t) * qq);
        bound = real_max(bound, t * p_along + (1.0 - t) * q_along + c->radius * (least >= 0.0 ? least : least / cosine));
    }
    return bound;
}

static void offer_on_arc(least_search *search, const stratum *on, const circle *c, arc part, abut_vec3 point, const least_side *rim,
                         int32_t end) {
    if (!(rim->body->shape->round.radius[end] > 0.0)) {
        return;
    }
    abut_vec3 apart = abut_sub(middle_of_end(rim->body, end), point);
    turning f = height_on(c, rim, end, rim->side > 0.0 ? apart : abut_neg(apart));
    stratum at = feature_of(rim, ABUT_FEATURE_VERTEX, end);
    double angle[TURNING_MOST];
    int32_t count = turning_find(&f, part.middle, part.half, angle);
    for (int32_t k = 0; k < count; ++k) {
        offer_of(search, on, &at, direction_at(c, angle[k]));
    }
}

/* An edge or a side with both rims of a frustum, on all pieces of the arc that may be less deep than the best direction so far. */
static void offer_with_rims(least_search *search, const stratum *on, const circle *c, arc part, abut_vec3 point, const least_side *rim) {
    const double room = 1e-9, widest = 0.4;
    int pieces = (int)(part.half / widest) + 1;
    double half = part.half / pieces;
    circle_look from = look_on(on, point, rim, c, part.middle - part.half);
    for (int i = 0; i < pieces; ++i) {
        double middle = part.middle - part.half + (2 * i + 1) * half;
        circle_look to = look_on(on, point, rim, c, middle + half);
        if (bound_on_arc(c, &from, &to) < search->best) {
            for (int32_t end = 0; end < 2; ++end) {
                offer_on_arc(search, on, c, (arc){middle, half + room}, point, rim, end);
            }
        }
        from = to;
    }
}

/* ---- the side of a frustum ---- */

/* With a vertex: the height is a constant and difference . d, least where d turns away from the difference. */
static void offer_side_with_vertex(least_search *search, const least_side *of, const circle *c, abut_vec3 vertex, const least_side *other) {
    abut_vec3 apart = abut_sub(middle_of_end(of->body, 0), vertex), difference = abut_scale(of->side, apart);
    double x = abut_dot(difference, c->first), y = abut_dot(difference, c->second), length = elementary_hypot(x, y);
    abut_vec3 out = length > 0.0 ? abut_add(abut_scale(-x / length, c->first), abut_scale(-y / length, c->second)) : c->first;
    offer_with_point(search, other, vertex, of, abut_unit(abut_add(abut_scale(c->along, c->axis), abut_scale(c->radius, out))));
}

/* The direction of the circle that is closest to the wish, for heights that are equal all around. */
static void offer_wish(least_search *search, const circle *c) {
    abut_vec3 out;
    if (stratum_across(search->wish, c->axis, STRATUM_SMALL, &out)) {
        offer(search, abut_unit(abut_add(abut_scale(c->along, c->axis), abut_scale(c->radius, out))));
    }
}

/* The directions square to an edge, of which a point is given, and to a line of the side of a frustum. */
static void offer_crossings(least_search *search, const stratum *edge, abut_vec3 point, const stratum *side) {
    const least_side of = {edge->body, edge->side}, other = {side->body, side->side};
    abut_vec3 direction[2];
    int count = stratum_cross(edge, side, direction);
    for (int i = 0; i < count; ++i) {
        offer_with_point(search, &of, point, &other, direction[i]);
    }
}

static void offer_side(least_search *search, const least_side *of, const least_side *other) {
    stratum side = feature_of(of, ABUT_FEATURE_EDGE, 0);
    circle c = circle_of(search, &side);
    offer_wish(search, &c);
    if (other->body->core == CORE_FRUSTUM) {
        stratum beyond = feature_of(other, ABUT_FEATURE_EDGE, 0);
        offer_crossings(search, &side, middle_of_end(of->body, 0), &beyond);
        for (int32_t end = 0; end < 2; ++end) {
            if (other->body->shape->round.radius[end] == 0.0) {
                offer_side_with_vertex(search, of, &c, middle_of_end(other->body, end), other);
            }
        }
        offer_with_rims(search, &side, &c, (arc){0.0, REAL_PI}, middle_of_end(of->body, 0), other);
        return;
    }
    int32_t count = other->body->core == CORE_POLYTOPE ? other->body->surface->vertex_count : other->body->core == CORE_SEGMENT ? 2 : 1;
    for (int32_t i = 0; i < count; ++i) {
        offer_side_with_vertex(search, of, &c, convex_to_pair(other->body, convex_vertex(other->body, i)), other);
    }
}

/* ---- rim and rim ---- */

/* The rim of a body: its middle, and two unit vectors across its axis. */
typedef struct rim {
    stratum at;
    abut_vec3 middle, first, second;
    double radius;
} rim;

static rim rim_of(const least_side *s, int32_t end) {
    return (rim){.at = feature_of(s, ABUT_FEATURE_VERTEX, end),
                 .middle = middle_of_end(s->body, end),
                 .first = convex_direction_to_pair(s->body, abut_vec3_make(1.0, 0.0, 0.0)),
                 .second = convex_direction_to_pair(s->body, abut_vec3_make(0.0, 1.0, 0.0)),
                 .radius = s->body->shape->round.radius[end]};
}

static abut_vec3 on_circle(abut_vec3 first, abut_vec3 second, double cosine, double sine) {
    return abut_add(abut_scale(cosine, first), abut_scale(sine, second));
}

/* The point of rim p at an angle, and the closest point of rim q. */
static void closest_on_rims(const rim *p, const rim *q, double angle, abut_vec3 *between, abut_vec3 *across) {
    double sine, cosine;
    elementary_sin_cos(angle, &sine, &cosine);
    abut_vec3 out = abut_add_scaled(abut_sub(p->middle, q->middle), p->radius, on_circle(p->first, p->second, cosine, sine));
    double x = abut_dot(out, q->first), y = abut_dot(out, q->second), rho = frustum_rho(x, y);
    double c = rho > 0.0 ? x / rho : 1.0, s = rho > 0.0 ? y / rho : 0.0;
    *between = abut_add_scaled(out, -q->radius, on_circle(q->first, q->second, c, s));
    *across = abut_cross(on_circle(p->first, p->second, -sine, cosine), on_circle(q->first, q->second, -s, c));
}

static void offer_rims_at(least_search *search, const rim *p, const rim *q, double angle) {
    abut_vec3 between, across;
    closest_on_rims(p, q, angle, &between, &across);
    if (abut_length(between) > 1e-2 * p->radius) {
        between = abut_scale(p->at.side, between);
        offer_of(search, &p->at, &q->at, abut_unit(between));
    }
    across = abut_unit(across);
    if (abut_length_squared(across) > 0.5) { /* where the rims nearly meet, the difference of their points says little */
        offer_of(search, &p->at, &q->at, across);
        offer_of(search, &p->at, &q->at, abut_neg(across));
    }
}

/*
 * The closest points of two circles: u runs on the smaller one, and the distance squared from the other is |u|^2 - 2 r sqrt(x^2 + y^2) + const. A pair of
 * points is as deep as they are apart, and no point is nearer by more than its way on the circle.
 */
static void offer_rims(least_search *search, const rim *one, const rim *other) {
    enum { PIECES = 16 };
    const double half = REAL_PI / PIECES, room = 1e-9;
    const rim *p = one->radius <= other->radius ? one : other, *q = p == one ? other : one;
    if (!(p->radius > 0.0)) {
        return;
    }
    abut_vec3 apart = abut_sub(p->middle, q->middle);
    const double r = p->radius;
    turning f = {.rounding = SLOPE_ROUNDING * search->scale * r,
                 .slope = {r * abut_dot(apart, p->second), -r * abut_dot(apart, p->first)},
                 .factor = q->radius,
                 .x = {abut_dot(apart, q->first), r * abut_dot(p->first, q->first), r * abut_dot(p->second, q->first)},
                 .y = {abut_dot(apart, q->second), r * abut_dot(p->first, q->second), r * abut_dot(p->second, q->second)}};
    for (int i = 0; i < PIECES; ++i) {
        double middle = 2.0 * half * i, angle[TURNING_MOST];
        abut_vec3 between, across;
        closest_on_rims(p, q, middle, &between, &across);
        if (abut_length(between) - r * (half + room) > limit_of(search)) {
            continue;
        }
        int32_t count = turning_find(&f, middle, half + room, angle);
        for (int32_t k = 0; k < count; ++k) {
            offer_rims_at(search, p, q, angle[k]);
        }
    }
}

/* ---- edges of polytopes and segments ---- */

/* The arc of the normals of an edge, about the circle's frame. */
static arc arc_of(const stratum *edge, const circle *c) {
    const convex *body = edge->body;
    if (body->core == CORE_SEGMENT) {
        return (arc){0.0, REAL_PI};
    }
    const polytope_edge *e = &body->surface->edges[edge->feature.index];
    abut_vec3 p = abut_scale(edge->side, feature_face_normal(body, e->face[0])),
              q = abut_scale(edge->side, feature_face_normal(body, e->face[1]));
    double from = elementary_atan2(abut_dot(p, c->second), abut_dot(p, c->first)),
           to = elementary_atan2(abut_dot(q, c->second), abut_dot(q, c->first));
    double turn = to - from; /* less than half a turn, either way; a flat body's edge may have exactly half a turn on either side */
    turn = turn > REAL_PI ? turn - 2.0 * REAL_PI : turn < -REAL_PI ? turn + 2.0 * REAL_PI : turn;
    double room = 1e-9;
    return fabs(turn) > 3.1 ? (arc){0.0, REAL_PI} : (arc){from + 0.5 * turn, 0.5 * fabs(turn) + room};
}

static abut_vec3 end_of_edge(const stratum *edge) {
    abut_vec3 end[2];
    feature_edge(edge->body, edge->feature.index, end);
    return end[0];
}

static void offer_edge(least_search *search, const least_side *of, int32_t index, const least_side *round) {
    stratum edge = feature_of(of, ABUT_FEATURE_EDGE, index), side = feature_of(round, ABUT_FEATURE_EDGE, 0);
    circle c = circle_of(search, &edge);
    arc part = arc_of(&edge, &c);
    if (of->body->core == CORE_SEGMENT) {
        offer_wish(search, &c);
    }
    offer_crossings(search, &edge, end_of_edge(&edge), &side);
    offer_with_rims(search, &edge, &c, part, end_of_edge(&edge), round);
}

/* ---- all ---- */

static void offer_discs(least_search *search, const least_side *of) {
    for (int32_t end = 0; end < 2; ++end) {
        if (of->body->shape->round.radius[end] > 0.0) {
            offer(search, abut_scale(of->side, feature_face_normal(of->body, end)));
        }
    }
}

/* A support point of the difference along the normal of a face. The polytope's is a vertex of the face. */
typedef struct face_look {
    abut_vec3 direction, w;
} face_look;

static face_look look_along(const least_side *of, const least_side *other, int32_t face) {
    const polytope *surface = of->body->surface;
    abut_vec3 outward = feature_face_normal(of->body, face), on_other;
    abut_vec3 own = convex_to_pair(of->body, convex_vertex(of->body, surface->corner[surface->face[face].first].vertex));
    (void)convex_support(other->body, abut_neg(outward), &on_other);
    return (face_look){abut_scale(of->side, outward), abut_scale(of->side, abut_sub(own, on_other))};
}

/* A lower bound of the height along all directions between two, less than half a turn apart: the height is at least w . d for every point w of the difference,
 * and so for the mean of two of them that is as high along both directions. */
static double bound_between(const face_look *p, const face_look *q) {
    double pp = abut_dot(p->w, p->direction), pq = abut_dot(p->w, q->direction), qp = abut_dot(q->w, p->direction),
           qq = abut_dot(q->w, q->direction);
    double sum = pp - pq + qq - qp, share = sum > 0.0 ? (qq - qp) / sum : 0.5;
    share = real_max(0.0, real_min(1.0, share));
    return real_min(share * pp + (1.0 - share) * qp, share * pq + (1.0 - share) * qq);
}

static void offer_faces(least_search *search, const least_side *of, const least_side *round) {
    const polytope *surface = of->body->surface;
    for (int32_t f = 0; f < surface->face_count; ++f) {
        face_look p = look_along(of, round, f);
        if (abut_dot(p.w, p.direction) <= limit_of(search)) {
            offer(search, p.direction);
        }
    }
}

static void offer_edges(least_search *search, const least_side *of, const least_side *round) {
    const polytope *surface = of->body->surface;
    for (int32_t e = 0; e < surface->edge_count; ++e) {
        const int32_t *face = surface->edges[e].face;
        face_look p = look_along(of, round, face[0]), q = look_along(of, round, face[1]);
        double bound = bound_between(&p, &q);
        if (!(bound > 0.0 && bound >= search->best)) {
            offer_edge(search, of, e, round);
        }
    }
}

static void offer_all(least_search *search) {
    const least_side side[2] = {{search->a, 1.0}, {search->b, -1.0}};
    for (int i = 0; i < 2; ++i) {
        if (side[i].body->core == CORE_FRUSTUM) {
            offer_discs(search, &side[i]);
        } else if (side[i].body->core == CORE_POLYTOPE) {
            offer_faces(search, &side[i], &side[1 - i]);
        }
    }
    for (int i = 0; i < 2; ++i) {
        const least_side *of = &side[i], *other = &side[1 - i];
        if (of->body->core == CORE_FRUSTUM) {
            offer_side(search, of, other);
        } else if (of->body->core == CORE_POLYTOPE) {
            offer_edges(search, of, other);
        } else if (of->body->core == CORE_SEGMENT) {
            offer_edge(search, of, 0, other);
        }
    }
    if (side[0].body->core == CORE_FRUSTUM && side[1].body->core == CORE_FRUSTUM) {
        for (int32_t i = 0; i < 4; ++i) {
            rim p = rim_of(&side[0], i & 1), q = rim_of(&side[1], i >> 1);
            offer_rims(search, &p, &q);
        }
    }
}

/* The least deep of the equally deep directions that are next to one of them. */
static int lowest_near(const least_search *search, int tied) {
    int lowest = tied;
    for (int i = 0; i < search->tied_count; ++i) {
        bool next = abut_distance_between(search->tied[i], search->tied[tied]) <= VALLEY;
        lowest = next && search->height[i] < search->height[lowest] ? i : lowest;
    }
    return lowest;
}

/* Of equally deep directions, the one that is closest to the wish. */
static void choose(const least_search *search, frustum_pair *pair, frustum_pair *lowest, bool *chosen) {
    const double same = 1e-6;
    int best = 0;
    for (int i = 1; i < search->tied_count; ++i) {
        double gain = abut_dot(search->tied[i], search->wish) - abut_dot(search->tied[best], search->wish);
        bool apart = abut_distance_between(search->tied[i], search->tied[best]) > same;
        best = (apart ? gain > 0.0 : search->height[i] < search->height[best]) ? i : best;
    }
    pair->direction = search->tied[best];
    pair->height = search->height[best];
    int low = lowest_near(search, best);
    lowest->direction = search->tied[low];
    lowest->height = search->height[low];
    *chosen = false;
    for (int i = 0; i < search->tied_count; ++i) {
        *chosen = *chosen || abut_distance_between(search->tied[i], pair->direction) > same;
    }
}

void frustum_least(const convex *a, const convex *b, abut_vec3 wish, frustum_pair *pair, frustum_pair *lowest, bool *chosen) {
    least_search search = {.a = a, .b = b, .wish = wish, .scale = a->size + b->size, .best = INFINITY};
    offer(&search, pair->direction);
    offer_all(&search);
    choose(&search, pair, lowest, chosen);
}
