/*
 * Ways of a convex body out of a triangle at its edges and corners: see ways.h.
 *
 * The normals of an edge are an arc: from the triangle's normal to the direction that leads over the edge in the triangle's plane. Along it
 * the depth is that of the edge in the body's shadow, seen along the edge. While one vertex of the body is extreme, the depth is a sine,
 * concave where it is positive. So its minima lie at the ends of the arc and where two vertices of the body tie. A radius adds to the
 * depth; then they may also lie where the edge is nearest to a vertex. For a smooth body the arc is sampled and the minima are refined.
 *
 * The normals of a corner are bounded by such arcs and by an arc in the triangle's plane. Within these bounds a minimum belongs to a face
 * of the body, or, for a round body, to its surface point nearest to the corner.
 */
#include "narrow/mesh/convex/ways.h"

#include <string.h>

#include "base/real.h"
#include "narrow/normal/feature.h"
#include "narrow/normal/normal.h"

enum { LISTED_MOST = 512, SAMPLES = 24 };

/* Normals with the body's point that is extreme along each. They do not depend on the point through which the way leads. */
typedef struct way_list {
    abut_vec3 normal[LISTED_MOST], extreme[LISTED_MOST];
    int32_t count;
    bool full; /* some were left out */
} way_list;

/* One end of a piece of an arc, with the body's vertex that is extreme there. */
typedef struct arc_end {
    abut_vec3 normal, extreme;
    int32_t vertex;
} arc_end;

/* A quarter of a circle, with normals at equal distances on its chord. */
typedef struct arc {
    arc_end from, to;
    arc_end sample[SAMPLES + 1];
    bool known[SAMPLES + 1];
} arc;

typedef struct way_search {
    const convex *body;
    const mesh_triangle *triangle;
    int sides;       /* that may be outer, as bits */
    abut_vec3 point; /* of the edge, or the corner */
    double from, below;
    double slack; /* of depths that may be in range: more than a corner may rise */
    mesh_way_out *ways;
    int32_t count;
    way_list *list; /* where normals are put for all corners of outer sides; NULL: they are tried for `point` */
    arc *plane;     /* [4] in the triangle's plane */
    mesh_ways_known *known;
    const mesh_ways_beside *beside;
    int at; /* the corner or the side, unless `list` is used */
    bool at_side;
} way_search;

/* The depth along a normal, where the body's point `extreme` is the lowest. */
static double depth_of(const way_search *search, abut_vec3 normal, abut_vec3 extreme) {
    return abut_dot(normal, abut_sub(search->point, extreme)) + search->body->radius;
}

/* Whether the triangle lies below the plane through the point with that normal, and is seen from its front along it. */
static bool is_normal(const way_search *search, abut_vec3 normal) {
    const double sine = 1e-9;
    const mesh_triangle *t = search->triangle;
    bool is = abut_dot(normal, t->normal) >= -sine;
    for (int i = 0; i < 3 && is; ++i) {
        abut_vec3 way = abut_sub(t->corner[i], search->point);
        double height = abut_dot(normal, way);
        is = height <= 0.0 || height * height <= sine * sine * abut_length_squared(way);
    }
    return is;
}

/* Inserts a way by its depth. */
static void add(way_search *search, abut_vec3 normal, double depth) {
    if (depth < search->from || !(depth < search->below) || !is_normal(search, normal)) {
        return;
    }
    int32_t at = search->count < MESH_WAYS_OUT ? search->count++ : MESH_WAYS_OUT - 1;
    for (; at > 0 && search->ways[at - 1].depth > depth; --at) {
        search->ways[at] = search->ways[at - 1];
    }
    search->ways[at] = (mesh_way_out){normal, depth};
    if (search->count == MESH_WAYS_OUT) {
        search->below = search->ways[MESH_WAYS_OUT - 1].depth;
    }
}

static void put(way_list *list, abut_vec3 normal, abut_vec3 extreme) {
    list->full = list->full || list->count == LISTED_MOST;
    if (!list->full) {
        list->normal[list->count] = normal;
        list->extreme[list->count++] = extreme;
    }
}

static arc_end end_of_arc(const way_search *search, abut_vec3 normal) {
    arc_end end = {.normal = normal};
    end.vertex = convex_support(search->body, abut_neg(normal), &end.extreme);
    return end;
}

static void offer_end(way_search *search, const arc_end *end) {
    if (search->list != NULL) {
        put(search->list, end->normal, end->extreme);
    } else {
        add(search, end->normal, depth_of(search, end->normal, end->extreme));
    }
}

static void offer(way_search *search, abut_vec3 normal) {
    arc_end end = end_of_arc(search, normal);
    offer_end(search, &end);
}

/* ---- which arcs hold no way ---- */

static bool is_outer(int sides, int corner) { return (sides >> corner & 1) || (sides >> (corner + 2) % 3 & 1); }

/* Whether the triangle rises above the plane through a point along all normals between two that are at most at right angles: a corner that rises at both ends
 * rises between them. */
static bool rises_between(const mesh_triangle *t, abut_vec3 point, abut_vec3 from, abut_vec3 to) {
    const double sine = 4e-9;
    for (int i = 0; i < 3; ++i) {
        abut_vec3 way = abut_sub(t->corner[i], point);
        double height = real_min(abut_dot(from, way), abut_dot(to, way));
        if (height > 0.0 && height * height > sine * sine * abut_length_squared(way)) {
            return true;
        }
    }
    return false;
}

/* Whether a depth over a point may be in range along a normal between two. The point of the body that is extreme at an end bounds it from below: the height over
 * that point is a sine, which is not less between than at the ends where it is positive. The core's depth is convex in the direction, whose weights have a
 * sum of 1 to `sum`. */
static bool may_be_in_range(const way_search *search, abut_vec3 point, const arc_end *from, const arc_end *to) {
    const double slack = 1e-6 * search->body->size, radius = search->body->radius;
    abut_vec3 over_first = abut_sub(point, from->extreme), over_last = abut_sub(point, to->extreme);
    double first = abut_dot(from->normal, over_first), last = abut_dot(to->normal, over_last);
    double sum = sqrt(2.0 / (1.0 + real_max(0.0, abut_dot(from->normal, to->normal))));
    double lower = real_max(real_min(first, abut_dot(to->normal, over_first)), real_min(last, abut_dot(from->normal, over_last)));
    double upper = real_max(first, last);
    return (lower < 0.0 ? sum * lower : lower) + radius < search->below + slack &&
           (upper > 0.0 ? sum * upper : upper) + radius > search->from - slack;
}

/* Whether a height over a point is clearly one by which a triangle rises. */
static bool is_clearly_up(const way_search *search, double height, abut_vec3 way) {
    const double times = 4.0;
    return height > times * search->beside->level && height * height > times * times * FLAT_SINE * FLAT_SINE * abut_length_squared(way);
}

/* Whether the way between two normals clearly leads over a corner, and not over a side that ends there. */
static bool leads_over_corner(const mesh_triangle *t, int corner, abut_vec3 from, abut_vec3 to) {
    const double clearly = 1e-5; /* sine */
    for (int i = 1; i < 3; ++i) {
        abut_vec3 side = abut_sub(t->corner[(corner + i) % 3], t->corner[corner]);
        double height = real_max(abut_dot(from, side), abut_dot(to, side));
        if (!(height < 0.0 && height * height > clearly * clearly * abut_length_squared(side))) {
            return false;
        }
    }
    return true;
}

/* Whether a triangle beside this one rises at a corner, along all normals between two. */
static bool is_closed_at_corner(const way_search *search, int corner, abut_vec3 from, abut_vec3 to) {
    const mesh_ways_beside *beside = search->beside;
    for (int i = 0; i < beside->count[corner]; ++i) {
        abut_vec3 way = beside->way[corner][i];
        if (is_clearly_up(search, real_min(abut_dot(from, way), abut_dot(to, way)), way)) {
            return leads_over_corner(search->triangle, corner, from, to);
        }
    }
    return false;
}

/* The same at all points of a side. */
static bool is_closed_at_side(const way_search *search, int side, abut_vec3 from, abut_vec3 to) {
    bool closed = search->beside->has_across[side];
    for (int i = 0; i < 2 && closed; ++i) {
        abut_vec3 way = abut_sub(search->beside->across[side], search->triangle->corner[(side + i) % 3]);
        closed = is_clearly_up(search, real_min(abut_dot(from, way), abut_dot(to, way)), way);
    }
    return closed;
}

static bool may_hold_way_at(const way_search *search, int corner, const arc_end *from, const arc_end *to) {
    abut_vec3 point = search->triangle->corner[corner];
    return may_be_in_range(search, point, from, to) && !rises_between(search->triangle, point, from->normal, to->normal) &&
           !is_closed_at_corner(search, corner, from->normal, to->normal);
}

/* Whether there may be a way along the normals between two that are at most at right angles. */
static bool may_hold_way(const way_search *search, const arc_end *from, const arc_end *to) {
    if (search->list == NULL && search->at_side) {
        return may_be_in_range(search, search->point, from, to) &&
               !rises_between(search->triangle, search->point, from->normal, to->normal) &&
               !is_closed_at_side(search, search->at, from->normal, to->normal);
    }
    if (search->list == NULL) {
        return may_hold_way_at(search, search->at, from, to);
    }
    for (int i = 0; i < 3; ++i) {
        if (is_outer(search->sides, i) && may_hold_way_at(search, i, from, to)) {
            return true;
        }
    }
    return false;
}

/* ---- along an arc ---- */

/* Finds the normals within the arc at which two vertices of the body tie. left: how many more normals may be tried, which rounding error
 * does not exhaust. */
static void find_ties(way_search *search, const arc_end *from, const arc_end *to, int *left) {
    abut_vec3 apart = abut_sub(from->extreme, to->extreme);
    double at_from = -abut_dot(from->normal, apart), at_to = abut_dot(to->normal, apart), rounding = 1e-13 * search->body->size;
    if (from->vertex == to->vertex || !(at_from > rounding && at_to > rounding) || *left == 0 || !may_hold_way(search, from, to)) {
        return;
    }
    abut_vec3 normal = abut_unit(abut_add_scaled(abut_scale(at_to, from->normal), at_from, to->normal));
    arc_end middle = end_of_arc(search, normal);
    --*left;
    offer_end(search, &middle); /* also where a third vertex is extreme: it may tie there with a fourth one */
    if (middle.vertex == from->vertex || middle.vertex == to->vertex ||
        abut_dot(normal, abut_sub(from->extreme, middle.extreme)) <= rounding) {
        return;
    }
    find_ties(search, from, &middle, left);
    find_ties(search, &middle, to, left);
}

static abut_vec3 between(const abut_vec3 end[2], double part) { return abut_unit(abut_lerp(end[0], end[1], part)); }

static double depth_between(const way_search *search, const abut_vec3 end[2], double part) {
    arc_end at = end_of_arc(search, between(end, part));
    return depth_of(search, at.normal, at.extreme);
}

/* Golden section, about a minimum that lies between two parts of the arc. */
static void refine(way_search *search, const abut_vec3 end[2], double from, double to) {
    const double golden = 0.6180339887498949;
    enum { ROUNDS = 48 };
    double low = to - golden * (to - from), high = from + golden * (to - from);
    double at_low = depth_between(search, end, low), at_high = depth_between(search, end, high);
    for (int round = 0; round < ROUNDS; ++round) {
        if (at_low <= at_high) {
            to = high;
            high = low;
            at_high = at_low;
            low = to - golden * (to - from);
            at_low = depth_between(search, end, low);
        } else {
            from = low;
            low = high;
            at_low = at_high;
            high = from + golden * (to - from);
            at_high = depth_between(search, end, high);
        }
    }
    offer(search, between(end, 0.5 * (from + to)));
}

static const arc_end *sample_at(const way_search *search, arc *of, int i) {
    if (!of->known[i]) {
        of->sample[i] = end_of_arc(search, between((abut_vec3[2]){of->from.normal, of->to.normal}, (double)i / SAMPLES));
        of->known[i] = true;
    }
    return &of->sample[i];
}

static double depth_at(const way_search *search, arc *of, int i) {
    const arc_end *sample = sample_at(search, of, i);
    return depth_of(search, sample->normal, sample->extreme);
}

/* Marks the samples with a piece of the arc beside them that may hold a way. */
static void mark_open(const way_search *search, arc *of, int from, int to, bool open[SAMPLES + 1]) {
    if (!may_hold_way(search, sample_at(search, of, from), sample_at(search, of, to))) {
        return;
    }
    if (to - from > 1) {
        mark_open(search, of, from, (from + to) / 2, open);
        mark_open(search, of, (from + to) / 2, to, open);
    } else {
        open[from] = open[to] = true;
    }
}

static void sample_arc(way_search *search, arc *of) {
    bool open[SAMPLES + 1] = {false};
    mark_open(search, of, 0, SAMPLES / 2, open);
    mark_open(search, of, SAMPLES / 2, SAMPLES, open);
    for (int i = 1; i < SAMPLES; ++i) {
        if (open[i]) {
            double depth = depth_at(search, of, i);
            if (depth <= depth_at(search, of, i - 1) && depth <= depth_at(search, of, i + 1)) {
                refine(search, (abut_vec3[2]){of->from.normal, of->to.normal}, (double)(i - 1) / SAMPLES, (double)(i + 1) / SAMPLES);
            }
        }
    }
}

/* Offers the normals within a quarter of a circle along which the point is nearest to an end of a round body's core. */
static void by_round_ends(way_search *search, abut_vec3 from, abut_vec3 to) {
    const convex *body = search->body;
    for (int i = 0; i < 2; ++i) {
        abut_vec3 away = abut_sub(convex_to_pair(body, convex_vertex(body, i)), search->point);
        double x = abut_dot(away, from), y = abut_dot(away, to);
        if (x > 0.0 && y > 0.0) {
            offer(search, abut_unit(abut_add_scaled(abut_scale(x, from), y, to)));
        }
    }
}

static void set_arc(arc *made, const arc_end *from, const arc_end *to) {
    made->from = *from;
    made->to = *to;
    memset(made->known, 0, sizeof made->known);
}

/* Searches a quarter of a circle. */
static void along_arc(way_search *search, arc *of) {
    enum { MOST_TIES = 1024 };
    if (!may_hold_way(search, &of->from, &of->to)) {
        return;
    }
    if (search->body->radius > 0.0) {
        by_round_ends(search, of->from.normal, of->to.normal);
    }
    if (search->body->core == CORE_SMOOTH) {
        sample_arc(search, of);
    } else {
        int left = MOST_TIES;
        find_ties(search, &of->from, &of->to, &left);
    }
    offer_end(search, &of->to);
}

/* ---- edges and corners ---- */

/* Whether the depth of the triangle along a normal may be in range. It is that over the corner at which a way along the normal can be. */
static bool may_be_shallow(const way_search *search, const arc_end *end) {
    const abut_vec3 *c = search->triangle->corner;
    double p = abut_dot(end->normal, c[0]), q = abut_dot(end->normal, c[1]), r = abut_dot(end->normal, c[2]);
    double depth = real_max(p, real_max(q, r)) - abut_dot(end->normal, end->extreme) + search->body->radius;
    return depth < search->below + search->slack && depth > search->from - search->slack;
}

/* Ways for which a face of the body lies on the corner. */
static void by_faces(way_search *search) {
    const convex *body = search->body;
    for (int32_t f = 0; f < body->surface->face_count; ++f) {
        arc_end end = {.normal = abut_neg(feature_face_normal(body, f))};
        if (abut_dot(end.normal, search->triangle->normal) > 0.0) {
            end.extreme = convex_to_pair(body, convex_vertex(body, body->surface->corner[body->surface->face[f].first].vertex));
            if (may_be_shallow(search, &end) && may_hold_way(search, &end, &end)) {
                offer(search, end.normal);
            }
        }
    }
}

/* Whether a way over the point is surely shorter than those in range. The shortest one of all is, too. */
static bool is_near_surface(const way_search *search) {
    const double slack = 1e-6 * search->body->size;
    for (int i = 0; i < 4; ++i) {
        const arc_end *end = &search->plane[i].from;
        if (depth_of(search, end->normal, end->extreme) < search->from - slack) {
            return true;
        }
    }
    arc_end back = end_of_arc(search, abut_neg(search->triangle->normal));
    return depth_of(search, back.normal, back.extreme) < search->from - slack;
}

/* The same, or surely longer than those in range, by the shortest way over another point. The length changes by no more than the point. */
static bool is_surely_out(const way_search *search, abut_vec3 other, abut_vec3 normal, abut_vec3 lowest) {
    const double slack = 1e-6 * search->body->size, radius = search->body->radius;
    double there = abut_dot(normal, abut_sub(other, lowest)) + radius;
    return depth_of(search, normal, lowest) < search->from - slack ||
           there - abut_distance_between(other, search->point) > search->below + slack;
}

static int place_of(abut_vec3 point) {
    uint64_t bits[3];
    memcpy(bits, &point, sizeof bits);
    return (int)((bits[0] * 5 + bits[1] * 3 + bits[2]) * UINT64_C(0x9E3779B97F4A7C15) >> 60);
}

/* The way along which a round body's surface is nearest to the corner. */
static void by_nearest(way_search *search) {
    static const abut_shape point_shape = {.kind = ABUT_SHAPE_SPHERE};
    mesh_ways_known *known = search->known;
    abut_vec3 p = search->point;
    int at = place_of(p);
    if (!known->at[at].made || known->at[at].point.x != p.x || known->at[at].point.y != p.y || known->at[at].point.z != p.z) {
        if (known->at[known->last].found &&
            is_surely_out(search, known->at[known->last].point, known->at[known->last].normal, known->at[known->last].lowest)) {
            return;
        }
        const convex point = {.core = CORE_POINT, .shape = &point_shape, .rotation = abut_mat3_identity(), .aligned = true, .position = p};
        contact_normal normal;
        normal_settings settings = {.minimum = true};
        known->at[at].point = p;
        known->at[at].made = true;
        known->at[at].found = contact_normal_find(search->body, &point, &settings, &normal);
        if (known->at[at].found) {
            known->at[at].normal = abut_neg(normal.direction);
            convex_support(search->body, normal.direction, &known->at[at].lowest);
            known->last = at;
        }
    }
    if (known->at[at].found) {
        add(search, known->at[at].normal, depth_of(search, known->at[at].normal, known->at[at].lowest));
    }
}

static void make_plane(way_search *search) {
    const mesh_triangle *t = search->triangle;
    abut_vec3 along = abut_unit(abut_sub(t->corner[1], t->corner[0])), across = abut_cross(along, t->normal);
    const arc_end end[4] = {end_of_arc(search, across), end_of_arc(search, along), end_of_arc(search, abut_neg(across)),
                            end_of_arc(search, abut_neg(along))};
    for (int i = 0; i < 4; ++i) {
        set_arc(&search->plane[i], &end[i], &end[(i + 1) % 4]);
    }
}

static void along_plane(way_search *search) {
    for (int i = 0; i < 4; ++i) {
        along_arc(search, &search->plane[i]);
    }
}

static void at_corner(way_search *search, int corner) {
    search->point = search->triangle->corner[corner];
    search->at = corner;
    search->at_side = false;
    if (search->body->core == CORE_POLYTOPE) {
        by_faces(search);
    } else if (!is_near_surface(search)) {
        by_nearest(search);
    }
    along_plane(search);
}

/* The normals at the corners are the same for all three where the body is a polytope. False if there are too many for a list. */
static bool at_listed_corners(way_search *search) {
    way_list list;
    list.count = 0;
    list.full = search->body->surface->face_count > LISTED_MOST;
    if (!list.full) {
        search->list = &list;
        by_faces(search);
        along_plane(search);
        search->list = NULL;
    }
    for (int i = 0; i < 3 && !list.full; ++i) {
        search->point = search->triangle->corner[i];
        for (int32_t k = 0; k < list.count && is_outer(search->sides, i); ++k) {
            add(search, list.normal[k], depth_of(search, list.normal[k], list.extreme[k]));
        }
    }
    return !list.full;
}

static void at_corners(way_search *search) {
    arc plane[4];
    search->plane = plane;
    make_plane(search);
    if (search->body->core == CORE_POLYTOPE && at_listed_corners(search)) {
        return;
    }
    for (int i = 0; i < 3; ++i) {
        if (is_outer(search->sides, i)) {
            at_corner(search, i);
        }
    }
}

static void at_edge(way_search *search, int side, const arc_end *own) {
    const mesh_triangle *t = search->triangle;
    search->point = t->corner[side];
    search->at = side;
    search->at_side = true;
    abut_vec3 along = abut_sub(t->corner[(side + 1) % 3], search->point);
    arc_end out = end_of_arc(search, abut_unit(abut_cross(along, t->normal)));
    arc over;
    set_arc(&over, own, &out);
    along_arc(search, &over);
}

int32_t mesh_ways_find(const convex *body, const mesh_triangle *t, int sides, double from, double below, mesh_ways_known *known,
                       const mesh_ways_beside *beside, mesh_way_out *ways) {
    way_search search = {
        .body = body, .triangle = t, .sides = sides, .from = from, .below = below, .ways = ways, .known = known, .beside = beside};
    arc_end own = end_of_arc(&search, t->normal);
    search.slack =
        1e-6 * body->size + 1e-8 * (abut_distance_between(t->corner[0], t->corner[1]) + abut_distance_between(t->corner[0], t->corner[2]));
    for (int i = 0; i < 3; ++i) {
        if (sides >> i & 1) {
            at_edge(&search, i, &own);
        }
    }
    if (sides != 0) {
        at_corners(&search);
    }
    return search.count;
}
