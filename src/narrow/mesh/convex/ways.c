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

enum { SAMPLES = 24, FACES_MOST = 512 };

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
    abut_vec3 point; /* of the edge, or the corner */
    double from, below;
    double slack; /* of depths that may be in range: more than a corner may rise */
    mesh_way_out *ways;
    int32_t count;
    arc *plane;          /* [4] in the triangle's plane */
    const int32_t *face; /* [face_count] those of the body that may make ways over corners; NULL: not listed */
    int32_t face_count;
    mesh_ways_known *known;
    const mesh_ways_beside *beside;
    int at; /* the corner or the side */
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

static arc_end end_of_arc(const way_search *search, abut_vec3 normal) {
    arc_end end = {.normal = normal};
    end.vertex = convex_support(search->body, abut_neg(normal), &end.extreme);
    return end;
}

static void offer_end(way_search *search, const arc_end *end) { add(search, end->normal, depth_of(search, end->normal, end->extreme)); }

static void offer(way_search *search, abut_vec3 normal) {
    arc_end end = end_of_arc(search, normal);
    offer_end(search, &end);
}

/* ---- which arcs hold no way ---- */

/* Whether the triangle rises above the plane through a point along all normals between two that are at most at right angles: a corner that rises at both ends
 * rises between them. */
static bool rises_between(const way_search *search, abut_vec3 from, abut_vec3 to) {
    const double sine = 4e-9;
    for (int i = 0; i < 3; ++i) {
        abut_vec3 way = abut_sub(search->triangle->corner[i], search->point);
        double height = real_min(abut_dot(from, way), abut_dot(to, way));
        if (height > 0.0 && height * height > sine * sine * abut_length_squared(way)) {
            return true;
        }
    }
    return false;
}

/* Whether a depth over a point may be in range along a normal between two. The point of the body that is extreme at an end bounds it from below: the height
 * over that point is a sine, which is not less between than at the ends where it is positive. The core's depth is convex in the direction, whose weights
 * have a sum of 1 to `sum`. */
static bool may_be_in_range(const way_search *search, const arc_end *from, const arc_end *to) {
    const double radius = search->body->radius;
    abut_vec3 over_first = abut_sub(search->point, from->extreme), over_last = abut_sub(search->point, to->extreme);
    double first = abut_dot(from->normal, over_first), last = abut_dot(to->normal, over_last);
    double sum = sqrt(2.0 / (1.0 + real_max(0.0, abut_dot(from->normal, to->normal))));
    double lower = real_max(real_min(first, abut_dot(to->normal, over_first)), real_min(last, abut_dot(from->normal, over_last)));
    double upper = real_max(first, last);
    return (lower < 0.0 ? sum * lower : lower) + radius < search->below + search->slack &&
           (upper > 0.0 ? sum * upper : upper) + radius > search->from - search->slack;
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
static bool is_closed_at_corner(const way_search *search, abut_vec3 from, abut_vec3 to) {
    const mesh_ways_beside *beside = search->beside;
    for (int i = 0; i < beside->count[search->at]; ++i) {
        abut_vec3 way = beside->way[search->at][i];
        if (is_clearly_up(search, real_min(abut_dot(from, way), abut_dot(to, way)), way)) {
            return leads_over_corner(search->triangle, search->at, from, to);
        }
    }
    return false;
}

/* The same at all points of a side. */
static bool is_closed_at_side(const way_search *search, abut_vec3 from, abut_vec3 to) {
    int side = search->at;
    bool closed = search->beside->has_across[side];
    for (int i = 0; i < 2 && closed; ++i) {
        abut_vec3 way = abut_sub(search->beside->across[side], search->triangle->corner[(side + i) % 3]);
        closed = is_clearly_up(search, real_min(abut_dot(from, way), abut_dot(to, way)), way);
    }
    return closed;
}

/* Whether there may be a way along the normals between two that are at most at right angles. */
static bool may_hold_way(const way_search *search, const arc_end *from, const arc_end *to) {
    return may_be_in_range(search, from, to) && !rises_between(search, from->normal, to->normal) &&
           !(search->at_side ? is_closed_at_side : is_closed_at_corner)(search, from->normal, to->normal);
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

/* Whether a depth over the point is surely below those in range. */
static bool is_short(const way_search *search, abut_vec3 normal, abut_vec3 extreme) {
    return depth_of(search, normal, extreme) < search->from - search->slack;
}

/* Whether a face's way is not behind the triangle and may be in range over one of its corners: the highest one along it. */
static bool may_be_way(const way_search *search, int32_t face) {
    const convex *body = search->body;
    const abut_vec3 *c = search->triangle->corner;
    abut_vec3 normal = abut_neg(feature_face_normal(body, face));
    if (!(abut_dot(normal, search->triangle->normal) > 0.0)) {
        return false;
    }
    abut_vec3 on = convex_to_pair(body, convex_vertex(body, body->surface->corner[body->surface->face[face].first].vertex));
    double highest = real_max(abut_dot(normal, c[0]), real_max(abut_dot(normal, c[1]), abut_dot(normal, c[2])));
    double depth = highest - abut_dot(normal, on);
    return depth < search->below + search->slack && depth > search->from - search->slack;
}

/* Lists these faces, if the body has not too many. */
static void list_faces(way_search *search, int32_t face[FACES_MOST]) {
    int32_t count = search->body->core == CORE_POLYTOPE ? search->body->surface->face_count : 0;
    for (int32_t f = 0; f < count && count <= FACES_MOST; ++f) {
        if (may_be_way(search, f)) {
            face[search->face_count++] = f;
        }
    }
    search->face = count <= FACES_MOST ? face : NULL;
}

/* Ways for which a face of the body lies on the corner. */
static void by_faces(way_search *search) {
    int32_t count = search->face != NULL ? search->face_count : search->body->surface->face_count;
    for (int32_t i = 0; i < count; ++i) {
        int32_t f = search->face != NULL ? search->face[i] : i;
        if (search->face != NULL || may_be_way(search, f)) {
            arc_end end = end_of_arc(search, abut_neg(feature_face_normal(search->body, f)));
            if (may_hold_way(search, &end, &end)) {
                offer_end(search, &end);
            }
        }
    }
}

/* Whether the shortest way over the point is surely out of range: some way is too short, or the shortest one over another point is too long. It
 * changes by no more than the point. */
static bool is_surely_out(const way_search *search) {
    const mesh_ways_known *known = search->known;
    const mesh_ways_nearest *last = &known->at[known->last];
    bool out = false;
    for (int i = 0; i < 4 && !out; ++i) {
        out = is_short(search, search->plane[i].from.normal, search->plane[i].from.extreme);
    }
    if (last->found && !out) {
        double there = abut_dot(last->normal, abut_sub(last->point, last->lowest)) + search->body->radius;
        out = is_short(search, last->normal, last->lowest) ||
              there - abut_distance_between(last->point, search->point) > search->below + search->slack;
    }
    return out;
}

static void find_nearest(const way_search *search, mesh_ways_nearest *made) {
    static const abut_shape point_shape = {.kind = ABUT_SHAPE_SPHERE};
    const convex point = {
        .core = CORE_POINT, .shape = &point_shape, .rotation = abut_mat3_identity(), .aligned = true, .position = search->point};
    const normal_settings settings = {.minimum = true};
    contact_normal normal;
    made->point = search->point;
    made->made = true;
    made->found = contact_normal_find(search->body, &point, &settings, &normal);
    if (made->found) {
        made->normal = abut_neg(normal.direction);
        convex_support(search->body, normal.direction, &made->lowest);
        search->known->last = search->at;
    }
}

/* The way along which a round body's surface is nearest to the corner. */
static void by_nearest(way_search *search) {
    mesh_ways_nearest *nearest = &search->known->at[search->at];
    abut_vec3 p = search->point, q = nearest->point;
    if (!nearest->made || p.x != q.x || p.y != q.y || p.z != q.z) {
        if (is_surely_out(search)) {
            return;
        }
        find_nearest(search, nearest);
    }
    if (nearest->found) {
        add(search, nearest->normal, depth_of(search, nearest->normal, nearest->lowest));
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

static void at_corner(way_search *search, int corner) {
    search->point = search->triangle->corner[corner];
    search->at = corner;
    search->at_side = false;
    if (search->body->core == CORE_POLYTOPE) {
        by_faces(search);
    } else {
        by_nearest(search);
    }
    for (int i = 0; i < 4; ++i) {
        along_arc(search, &search->plane[i]);
    }
}

static void at_corners(way_search *search, int sides) {
    arc plane[4];
    int32_t face[FACES_MOST];
    search->plane = plane;
    make_plane(search);
    list_faces(search, face);
    for (int i = 0; i < 3; ++i) {
        if ((sides >> i & 1) || (sides >> (i + 2) % 3 & 1)) {
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
    way_search search = {.body = body, .triangle = t, .from = from, .below = below, .ways = ways, .known = known, .beside = beside};
    arc_end own = end_of_arc(&search, t->normal);
    search.slack =
        1e-6 * body->size + 1e-8 * (abut_distance_between(t->corner[0], t->corner[1]) + abut_distance_between(t->corner[0], t->corner[2]));
    for (int i = 0; i < 3; ++i) {
        if (sides >> i & 1) {
            at_edge(&search, i, &own);
        }
    }
    if (sides != 0) {
        at_corners(&search, sides);
    }
    return search.count;
}
