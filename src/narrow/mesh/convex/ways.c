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

#include "base/real.h"
#include "narrow/normal/feature.h"
#include "narrow/normal/normal.h"

enum { LISTED_MOST = 512 };

/* Normals with the body's point that is extreme along each. They do not depend on the point through which the way leads. */
typedef struct way_list {
    abut_vec3 normal[LISTED_MOST], extreme[LISTED_MOST];
    int32_t count;
    bool full; /* some were left out */
} way_list;

typedef struct way_search {
    const convex *body;
    const mesh_triangle *triangle;
    abut_vec3 point; /* of the edge, or the corner */
    double from, below;
    mesh_way_out *ways;
    int32_t count;
    way_list *list; /* where normals are put for several points; NULL: they are tried for `point` */
} way_search;

/* The depth along a normal, where the body's point `extreme` is the lowest. */
static double depth_of(const way_search *search, abut_vec3 normal, abut_vec3 extreme) {
    return abut_dot(normal, abut_sub(search->point, extreme)) + search->body->radius;
}

/* The depth along a normal, and the body's vertex that is extreme along it. */
static double depth_along(const way_search *search, abut_vec3 normal, abut_vec3 *extreme) {
    convex_support(search->body, abut_neg(normal), extreme);
    return depth_of(search, normal, *extreme);
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

static void offer(way_search *search, abut_vec3 normal) {
    abut_vec3 extreme;
    double depth = depth_along(search, normal, &extreme);
    if (search->list != NULL) {
        put(search->list, normal, extreme);
    } else {
        add(search, normal, depth);
    }
}

/* ---- along an arc ---- */

/* One end of a piece of an arc, with the body's vertex that is extreme there. */
typedef struct arc_end {
    abut_vec3 normal, extreme;
    int32_t vertex;
} arc_end;

static arc_end end_of_arc(const way_search *search, abut_vec3 normal) {
    arc_end end = {.normal = normal};
    end.vertex = convex_support(search->body, abut_neg(normal), &end.extreme);
    return end;
}

/* Finds the normals within the arc at which two vertices of the body tie. left: how many more normals may be tried, which rounding error
 * does not exhaust. */
static void find_ties(way_search *search, const arc_end *from, const arc_end *to, int *left) {
    abut_vec3 apart = abut_sub(from->extreme, to->extreme);
    double at_from = -abut_dot(from->normal, apart), at_to = abut_dot(to->normal, apart), rounding = 1e-13 * search->body->size;
    if (from->vertex == to->vertex || !(at_from > rounding && at_to > rounding) || *left == 0) {
        return;
    }
    abut_vec3 normal = abut_unit(abut_add_scaled(abut_scale(at_to, from->normal), at_from, to->normal));
    arc_end middle = end_of_arc(search, normal);
    --*left;
    offer(search, normal); /* also where a third vertex is extreme: it may tie there with a fourth one */
    if (middle.vertex == from->vertex || middle.vertex == to->vertex ||
        abut_dot(normal, abut_sub(from->extreme, middle.extreme)) <= rounding) {
        return;
    }
    find_ties(search, from, &middle, left);
    find_ties(search, &middle, to, left);
}

static abut_vec3 between(const abut_vec3 end[2], double part) { return abut_unit(abut_lerp(end[0], end[1], part)); }

static double depth_between(const way_search *search, const abut_vec3 end[2], double part) {
    abut_vec3 extreme;
    return depth_along(search, between(end, part), &extreme);
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

static void sample_arc(way_search *search, const abut_vec3 end[2]) {
    enum { SAMPLES = 24 };
    double depth[SAMPLES + 1];
    for (int i = 0; i <= SAMPLES; ++i) {
        depth[i] = depth_between(search, end, (double)i / SAMPLES);
    }
    for (int i = 1; i < SAMPLES; ++i) {
        if (depth[i] <= depth[i - 1] && depth[i] <= depth[i + 1]) {
            refine(search, end, (double)(i - 1) / SAMPLES, (double)(i + 1) / SAMPLES);
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

/* Searches a quarter of a circle. */
static void along_arc(way_search *search, abut_vec3 from, abut_vec3 to) {
    enum { MOST_TIES = 1024 };
    if (search->body->radius > 0.0) {
        by_round_ends(search, from, to);
    }
    if (search->body->core == CORE_SMOOTH) {
        sample_arc(search, (abut_vec3[2]){from, to});
    } else {
        arc_end first = end_of_arc(search, from), last = end_of_arc(search, to);
        int left = MOST_TIES;
        find_ties(search, &first, &last, &left);
    }
    offer(search, to);
}

/* ---- edges and corners ---- */

/* Ways for which a face of the body lies on the corner. */
static void by_faces(way_search *search) {
    const convex *body = search->body;
    for (int32_t f = 0; f < body->surface->face_count; ++f) {
        abut_vec3 normal = abut_neg(feature_face_normal(body, f));
        if (abut_dot(normal, search->triangle->normal) > 0.0) {
            offer(search, normal);
        }
    }
}

/* The way along which a round body's surface is nearest to the corner. */
static void by_nearest(way_search *search) {
    static const abut_shape point_shape = {.kind = ABUT_SHAPE_SPHERE};
    const convex point = {
        .core = CORE_POINT, .shape = &point_shape, .rotation = abut_mat3_identity(), .aligned = true, .position = search->point};
    contact_normal normal;
    normal_settings settings = {.minimum = true};
    if (contact_normal_find(search->body, &point, &settings, &normal)) {
        offer(search, abut_neg(normal.direction));
    }
}

static void along_plane(way_search *search) {
    const mesh_triangle *t = search->triangle;
    abut_vec3 along = abut_unit(abut_sub(t->corner[1], t->corner[0])), across = abut_cross(along, t->normal);
    along_arc(search, across, along);
    along_arc(search, along, abut_neg(across));
    along_arc(search, abut_neg(across), abut_neg(along));
    along_arc(search, abut_neg(along), across);
}

static void at_corner(way_search *search, int corner) {
    search->point = search->triangle->corner[corner];
    if (search->body->core == CORE_POLYTOPE) {
        by_faces(search);
    } else {
        by_nearest(search);
    }
    along_plane(search);
}

static bool is_outer(int sides, int corner) { return (sides >> corner & 1) || (sides >> (corner + 2) % 3 & 1); }

/* The normals at the corners are the same for all three where the body is a polytope. False if there are too many for a list. */
static bool at_listed_corners(way_search *search, int sides) {
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
        for (int32_t k = 0; k < list.count && is_outer(sides, i); ++k) {
            add(search, list.normal[k], depth_of(search, list.normal[k], list.extreme[k]));
        }
    }
    return !list.full;
}

static void at_corners(way_search *search, int sides) {
    if (sides == 0 || (search->body->core == CORE_POLYTOPE && at_listed_corners(search, sides))) {
        return;
    }
    for (int i = 0; i < 3; ++i) {
        if (is_outer(sides, i)) {
            at_corner(search, i);
        }
    }
}

static void at_edge(way_search *search, int side) {
    const mesh_triangle *t = search->triangle;
    search->point = t->corner[side];
    abut_vec3 along = abut_sub(t->corner[(side + 1) % 3], search->point);
    along_arc(search, t->normal, abut_unit(abut_cross(along, t->normal)));
}

int32_t mesh_ways_find(const convex *body, const mesh_triangle *t, int sides, double from, double below, mesh_way_out *ways) {
    way_search search = {.body = body, .triangle = t, .from = from, .below = below, .ways = ways};
    for (int i = 0; i < 3; ++i) {
        if (sides >> i & 1) {
            at_edge(&search, i);
        }
    }
    at_corners(&search, sides);
    return search.count;
}
