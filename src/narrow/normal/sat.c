/*
 * The least depth of two overlapping polytopes over all facets of A - B: the face normals of A, the reversed face normals of B, and the cross products of edges
 * whose arcs cross on the Gauss sphere. It is an exhaustive separating axis test (SAT), made fast by bounds.
 *
 * For any point q of the other body, the depth along a face's normal is at least the distance of q below the face's plane, offset - n . q. Along the arc of
 * normals of an edge, the same point gives at least the smaller bound of the edge's two faces, because n . w is a cosine along an arc. So a few points near the
 * deepest place rule out most faces and edges. A facet that ties with the best one is never ruled out. So the answer does not depend on where the search began.
 */

#include "narrow/normal/sat.h"

#include "base/memory.h"
#include "geom/exact.h"
#include "narrow/normal/facet_memory.h"
#include "narrow/normal/feature.h"
#include "narrow/normal/gauge.h"
#include "narrow/normal/guess/search.h"
#include "narrow/normal/tied_facets.h"

enum { MOST_WITNESSES = 5, MOST_NEAR = 96, MOST_EDGES = 64, MOST_CELLS = 128 };

/* The faces of one body, and the points of the other body that bound them. */
typedef struct side {
    const convex *body, *other;
    double sign;                       /* the direction from A to B is sign times the body's outward normal */
    abut_vec3 witness[MOST_WITNESSES]; /* of the other body, in this body's frame */
    scan_probe probe[MOST_WITNESSES];  /* the same, as points that ask for near faces */
    double probe_reach;                /* see scan_depth_of() */
    int32_t witness_count;
    int32_t near[MOST_NEAR];         /* faces that the first witness does not rule out */
    uint8_t ruled_out_by[MOST_NEAR]; /* of each near face: a bit for every other witness that rules it out */
    int32_t near_count;
    int32_t edge[MOST_EDGES];       /* edges of near faces that no witness rules out */
    polytope_edge ends[MOST_EDGES]; /* what these edges join */
    int32_t edge_count;
    bool all; /* too many faces or edges: all edges are looked at, each with a witness of its own */
} side;

typedef struct search {
    side side[2]; /* of A, of B */
    tied_facets best;
} search;

/* An edge of A - B on the Gauss sphere: the arc from normal[0] to normal[1]. Pair's frame. */
typedef struct edge_arc {
    int32_t edge;
    abut_vec3 point, end; /* ends of the edge */
    abut_vec3 along;      /* from point to end */
    abut_vec3 normal[2];  /* reversed for body B */
} edge_arc;

/* The bound above which a face or an edge is ruled out. The bound of an arc by its ends is valid only above zero, so separated bodies leave more to try. */
static double enough(const search *s) { return s->best.limit > 0.0 ? s->best.limit : 0.0; }

/* The same for edges. A face is preferred to edges that tie with it. So once a face has the least depth, only edges that are less deep by the width of a tie
 * can matter. Half of this width is left for rounding error. */
static double enough_of_edges(const search *s) {
    double least = s->best.least, bound = least - 0.5 * tied_facets_width(&s->best, least);
    return !s->best.face_found ? enough(s) : bound > 0.0 ? bound : 0.0;
}

/* ---- what is read after the search ---- */

/* Where the edges at a vertex begin, when the vertex may be an answer. */
static void fetch_vertex(const convex *body, int32_t vertex) {
    const polytope *surface = body->surface;
    if (!surface->is_small) {
        memory_fetch(&surface->vertex_first[vertex], 2 * sizeof(int32_t));
    }
}

static void fetch_edge(const convex *body, int32_t edge) {
    const polytope *surface = body->surface;
    if (!surface->is_small) {
        memory_fetch(&surface->edges[edge], sizeof(polytope_edge));
    }
}

/* The edges at the vertex where a feature of the answer is named. */
static void fetch_spokes(const convex *body, abut_feature feature) {
    const polytope *surface = body->surface;
    if (!surface->is_small && feature.kind != ABUT_FEATURE_FACE) {
        int32_t vertex = feature.kind == ABUT_FEATURE_EDGE ? surface->edges[feature.index].vertex[0] : feature.index;
        memory_fetch(&surface->spoke[surface->vertex_first[vertex]], 5 * sizeof(polytope_spoke));
    }
}

/* ---- faces ---- */

static double bound_of_face(const side *side, int32_t face, abut_vec3 witness) {
    return convex_face_offset(side->body, face) - abut_dot(side->body->surface->face[face].normal, witness);
}

static void try_face(search *s, const side *side, int32_t face) {
    abut_vec3 outward = feature_face_normal(side->body, face), point;
    int32_t vertex = convex_support(side->other, abut_neg(outward), &point);
    double depth = convex_face_offset(side->body, face) - abut_dot(outward, abut_sub(point, side->body->position));
    if (!(depth <= s->best.limit)) {
        return;
    }
    tied_facet *facet = tied_facets_room(&s->best);
    facet->depth = depth;
    facet->direction = abut_scale(side->sign, outward);
    facet->is_face = true;
    bool of_a = side->sign > 0.0;
    tied_facet_name(of_a ? &facet->feature_a : &facet->feature_b, ABUT_FEATURE_FACE, face);
    tied_facet_name(of_a ? &facet->feature_b : &facet->feature_a, ABUT_FEATURE_VERTEX, vertex);
    tied_facets_offer(&s->best);
    fetch_vertex(side->other, vertex);
}

/* The depth with which witnesses ask for faces that are not deeper than the limit. */
static float near_depth(const search *s, const side *side) {
    return scan_depth_of(enough(s) / side->body->surface->size, side->probe_reach);
}

/* A bit for each witness, except the first, that shows the face to be deeper than the limit. All coarse planes are in the cache. */
static unsigned ruling_witnesses(const side *side, int32_t face, float depth) {
    const scan_coarse *planes = &side->body->surface->coarse_planes;
    unsigned bits = 0;
    for (int32_t k = 1; k < side->witness_count; ++k) {
        bits |= (unsigned)!scan_is_near(planes, face, &side->probe[k], depth) << k;
    }
    return bits;
}

static void try_all_faces(search *s, const side *side) {
    for (int32_t f = 0; f < side->body->surface->face_count; ++f) {
        if (bound_of_face(side, f, side->witness[0]) < enough(s) && ruling_witnesses(side, f, near_depth(s, side)) == 0u) {
            try_face(s, side, f);
        }
    }
}

/* The records of the near faces, and then their corners, come together and not one after the other. */
static void fetch_near_faces(const side *side) {
    for (int32_t i = 0; i < side->near_count; ++i) {
        memory_fetch(&side->body->surface->face[side->near[i]], sizeof(polytope_face));
    }
}

static void fetch_corners(const side *side) {
    const polytope *surface = side->body->surface;
    for (int32_t i = 0; i < side->near_count; ++i) {
        memory_fetch(&surface->corner[surface->face[side->near[i]].first], 3 * sizeof(polytope_corner));
    }
}

static void try_faces(search *s, side *side) {
    float depth = near_depth(s, side);
    side->near_count = scan_near(&side->body->surface->coarse_planes, &side->probe[0], depth, side->near, MOST_NEAR);
    side->all = side->near_count > MOST_NEAR;
    if (side->all) {
        try_all_faces(s, side);
        return;
    }
    if (!side->body->surface->is_small) {
        fetch_near_faces(side);
    }
    for (int32_t i = 0; i < side->near_count; ++i) {
        unsigned bits = ruling_witnesses(side, side->near[i], depth);
        side->ruled_out_by[i] = (uint8_t)bits;
        if (bits == 0u) {
            try_face(s, side, side->near[i]);
        }
    }
    if (!side->body->surface->is_small) {
        fetch_corners(side);
    }
}

/* ---- edges ---- */

static double bound_of_arc(const side *side, const polytope_edge *edge, abut_vec3 witness) {
    double p = bound_of_face(side, edge->face[0], witness), q = bound_of_face(side, edge->face[1], witness);
    return p < q ? p : q;
}

static bool is_listed(const side *side, int32_t edge) {
    for (int32_t i = 0; i < side->edge_count; ++i) {
        if (side->edge[i] == edge) {
            return true;
        }
    }
    return false;
}

/* The edge from a corner of a face to the next one. */
static polytope_edge edge_between(const polytope_corner *from, const polytope_corner *to, int32_t face) {
    return from->vertex < to->vertex ? (polytope_edge){{from->vertex, to->vertex}, {face, from->beyond}}
                                     : (polytope_edge){{to->vertex, from->vertex}, {from->beyond, face}};
}

/* Lists the edges of near faces. An edge is ruled out when one witness rules out both its faces. */
static void list_edges(const search *s, side *side) {
    const polytope *surface = side->body->surface;
    const float depth = near_depth(s, side);
    side->edge_count = 0;
    for (int32_t i = 0; i < side->near_count && !side->all; ++i) {
        const polytope_face *face = &surface->face[side->near[i]];
        unsigned bits = side->ruled_out_by[i];
        const polytope_corner *first = &surface->corner[face->first], *end = first + face->count;
        for (const polytope_corner *at = first; at < end; ++at) {
            if ((bits != 0u && (bits & ruling_witnesses(side, at->beyond, depth)) != 0u) || is_listed(side, at->edge)) {
                continue;
            }
            if (side->edge_count == MOST_EDGES) {
                side->all = true;
                return;
            }
            side->ends[side->edge_count] = edge_between(at, at + 1 < end ? at + 1 : first, side->near[i]);
            side->edge[side->edge_count++] = at->edge;
            if (!surface->is_small) {
                memory_fetch(&surface->face[at->beyond], sizeof(abut_vec3));
            }
        }
    }
}

/* Whether the bodies are at least as deep as the bound along a whole arc of normals at a point of the edge (this body's frame). The witness is the support
 * point along the middle. Where it does not decide, each half of a wide arc has its own. */
static bool is_arc_deep(const side *side, abut_vec3 point, abut_vec3 from, abut_vec3 to, double bound, int halvings) {
    const double narrow = 0.98; /* the cosine */
    abut_vec3 middle = abut_add(from, to), own;
    convex_support(side->other, convex_direction_to_pair(side->body, abut_neg(middle)), &own);
    abut_vec3 apart = abut_sub(point, convex_to_local(side->body, own));
    if (abut_dot(from, apart) >= bound && abut_dot(to, apart) >= bound) {
        return true;
    }
    if (halvings == 0 || abut_dot(from, to) > narrow) {
        return false;
    }
    middle = abut_unit(middle);
    return is_arc_deep(side, point, from, middle, bound, halvings - 1) && is_arc_deep(side, point, middle, to, bound, halvings - 1);
}

/* The same for any edge, with witnesses of its own. */
static bool is_arc_ruled_out(const search *s, const side *side, int32_t index) {
    enum { MOST_HALVINGS = 5 };
    const polytope_edge *edge = &side->body->surface->edges[index];
    const polytope_face *face = side->body->surface->face;
    double bound = enough_of_edges(s);
    for (int32_t k = 0; k < side->witness_count; ++k) {
        if (bound_of_arc(side, edge, side->witness[k]) >= bound) {
            return true;
        }
    }
    return is_arc_deep(side, convex_vertex(side->body, edge->vertex[0]), face[edge->face[0]].normal, face[edge->face[1]].normal, bound,
                       MOST_HALVINGS);
}

/* The next edge that is not ruled out; -1 after the last one. *at is 0 at the start, and is the place to continue. */
static int32_t next_edge(const search *s, const side *side, int32_t *at) {
    if (!side->all) {
        return *at < side->edge_count ? side->edge[(*at)++] : -1;
    }
    while (*at < side->body->surface->edge_count) {
        int32_t index = (*at)++;
        if (!is_arc_ruled_out(s, side, index)) {
            return index;
        }
    }
    return -1;
}

static void set_arc(edge_arc *arc, const side *side, int32_t index, const polytope_edge *edge) {
    arc->edge = index;
    arc->point = convex_to_pair(side->body, convex_vertex(side->body, edge->vertex[0]));
    arc->end = convex_to_pair(side->body, convex_vertex(side->body, edge->vertex[1]));
    arc->along = abut_sub(arc->end, arc->point);
    arc->normal[0] = abut_scale(side->sign, feature_face_normal(side->body, edge->face[0]));
    arc->normal[1] = abut_scale(side->sign, feature_face_normal(side->body, edge->face[1]));
}

static bool opposite(double p, double q) { return (p > 0.0 && q < 0.0) || (p < 0.0 && q > 0.0); }

/* Whether the arcs of two edges cross on the same side of the sphere, given the cross product of the edges. *sense receives the sign that makes it point out
 * of A. */
static bool arcs_cross(const edge_arc *p, const edge_arc *q, abut_vec3 across, double *sense) {
    double on_p = abut_dot(across, abut_add(p->normal[0], p->normal[1])), on_q = abut_dot(across, abut_add(q->normal[0], q->normal[1]));
    *sense = on_p < 0.0 ? -1.0 : 1.0;
    return !opposite(on_p, on_q); /* otherwise the great circles cross on both sides, and the arcs lie on different sides */
}

static bool near_parallel(const edge_arc *p, const edge_arc *q, double square, double sine) {
    return square <= sine * sine * abut_length_squared(p->along) * abut_length_squared(q->along);
}

/* Offers the facet of two edges. When the direction has an error, another vertex is the farthest, and the depth at that vertex counts. It takes two support
 * searches, which are skipped when a face is as good. */
static void offer_edges(search *s, const edge_arc *p, const edge_arc *q, abut_vec3 direction) {
    double plain = abut_dot(direction, abut_sub(p->point, q->point));
    double worth = s->best.face_found ? s->best.least - tied_facets_width(&s->best, s->best.least) : s->best.limit;
    if (!(plain <= worth)) {
        return;
    }
    tied_facet *facet = tied_facets_room(&s->best);
    facet->depth = gauge_support(s->side[0].body, s->side[1].body, direction);
    facet->direction = direction;
    facet->is_face = false;
    tied_facet_name(&facet->feature_a, ABUT_FEATURE_EDGE, p->edge);
    tied_facet_name(&facet->feature_b, ABUT_FEATURE_EDGE, q->edge);
    tied_facets_offer(&s->best);
    fetch_edge(s->side[0].body, p->edge);
    fetch_edge(s->side[1].body, q->edge);
}

/* Tries the facet of two edges, whose great circles separate each other's normals. */
static void try_crossing(search *s, const edge_arc *p, const edge_arc *q) {
    const double nearly = 1e-3, parallel = 1e-14; /* sines; below the second one, the edges' own digits do not determine a direction */
    abut_vec3 across = abut_cross(p->along, q->along);
    double square = abut_length_squared(across), sense;
    bool close = near_parallel(p, q, square, nearly);
    if (close) {
        across = exact_cross(p->point, p->end, q->point, q->end);
        square = abut_length_squared(across);
    }
    if (!arcs_cross(p, q, across, &sense) || (close && near_parallel(p, q, square, parallel)) || !(square > 0.0)) {
        return;
    }
    abut_vec3 direction = close ? abut_scale(sense, abut_unit(across)) : abut_scale(sense / sqrt(square), across);
    offer_edges(s, p, q, direction);
}

/* Tries the facet of two edges if their arcs cross. Arcs that only touch do so at a face normal, which was tried before. */
static inline void try_edges(search *s, const edge_arc *p, const edge_arc *q) {
    if (opposite(abut_dot(q->normal[0], p->along), abut_dot(q->normal[1], p->along)) &&
        opposite(abut_dot(p->normal[0], q->along), abut_dot(p->normal[1], q->along))) {
        try_crossing(s, p, q);
    }
}

/* The edges of A and B that no witness rules out, few of each. */
static void try_listed_edges(search *s) {
    edge_arc arcs[MOST_EDGES];
    for (int32_t i = 0; i < s->side[0].edge_count; ++i) {
        set_arc(&arcs[i], &s->side[0], s->side[0].edge[i], &s->side[0].ends[i]);
    }
    for (int32_t k = 0; k < s->side[1].edge_count; ++k) {
        edge_arc arc;
        set_arc(&arc, &s->side[1], s->side[1].edge[k], &s->side[1].ends[k]);
        for (int32_t i = 0; i < s->side[0].edge_count; ++i) {
            try_edges(s, &arcs[i], &arc);
        }
    }
}

/* ---- edges of large bodies: each arc of one body is followed over the Gauss map of the other ---- */

/* A walk over the Gauss map of one body along an arc of the other. It meets the vertices whose cells the arc crosses. */
typedef struct walk {
    search *s;
    const side *over;
    edge_arc arc;
    abut_vec3 from, to, along; /* ends of the arc, and its edge, in the frame of the body that is walked over; the sign does not matter */
    int32_t vertex[MOST_CELLS];
    int32_t count;
} walk;

static void start_walk(walk *w, search *s, const side *from, const side *over, int32_t edge) {
    abut_vec3 point;
    set_arc(&w->arc, from, edge, &from->body->surface->edges[edge]);
    w->s = s;
    w->over = over;
    w->from = convex_direction_to_local(over->body, w->arc.normal[0]);
    w->to = convex_direction_to_local(over->body, w->arc.normal[1]);
    w->along = convex_direction_to_local(over->body, w->arc.along);
    w->vertex[0] = convex_support(over->body, abut_scale(over->sign, w->arc.normal[0]), &point);
    w->count = 1;
}

/* The place of a vertex in the list of those met; the length of the list for others. */
static int32_t place_of(const walk *w, int32_t vertex) {
    for (int32_t i = w->count - 1; i >= 0; --i) {
        if (w->vertex[i] == vertex) {
            return i;
        }
    }
    return w->count;
}

/* Whether two products with a vector have different signs, up to a small angle. */
static bool parts(abut_vec3 p, abut_vec3 q, abut_vec3 along) {
    double at_p = abut_dot(p, along), at_q = abut_dot(q, along), nearly = 1e-7 * (fabs(along.x) + fabs(along.y) + fabs(along.z));
    return (at_p >= -nearly && at_q <= nearly) || (at_p <= nearly && at_q >= -nearly);
}

/* Whether the walk's arc crosses or nearly touches that of an edge, or its opposite. */
static bool arcs_meet(const walk *w, const polytope_edge *edge) {
    const convex *body = w->over->body;
    const polytope_face *face = body->surface->face;
    return parts(w->from, w->to, abut_sub(convex_vertex(body, edge->vertex[1]), convex_vertex(body, edge->vertex[0]))) &&
           parts(face[edge->face[0]].normal, face[edge->face[1]].normal, w->along);
}

static void try_met(const walk *w, int32_t edge) {
    edge_arc arc;
    set_arc(&arc, w->over, edge, &w->over->body->surface->edges[edge]);
    bool over_a = w->over->sign > 0.0;
    try_edges(w->s, over_a ? &arc : &w->arc, over_a ? &w->arc : &arc);
}

/* Tries the edges at a vertex that the arc crosses, and meets the vertices at their other ends. False when there are too many. */
static bool walk_from(walk *w, int32_t at) {
    const polytope *surface = w->over->body->surface;
    for (int32_t i = surface->vertex_first[w->vertex[at]]; i < surface->vertex_first[w->vertex[at] + 1]; ++i) {
        const polytope_spoke *spoke = &surface->spoke[i];
        if (!arcs_meet(w, &surface->edges[spoke->edge])) {
            continue;
        }
        int32_t place = place_of(w, spoke->far);
        if (place == MOST_CELLS) {
            return false;
        }
        if (place == w->count) {
            w->vertex[w->count++] = spoke->far;
        }
        if (place > at) { /* else it was tried from the other end */
            try_met(w, spoke->edge);
        }
    }
    return true;
}

/* Tries an edge of one body with all edges of the other whose arcs cross its own. */
static void walk_along(search *s, const side *from, const side *over, int32_t edge) {
    walk w;
    start_walk(&w, s, from, over, edge);
    bool few = true;
    for (int32_t i = 0; i < w.count && few; ++i) {
        few = walk_from(&w, i);
    }
    for (int32_t i = 0; i < over->body->surface->edge_count && !few; ++i) {
        try_met(&w, i);
    }
}

static void try_all_edges(search *s) {
    list_edges(s, &s->side[0]);
    list_edges(s, &s->side[1]);
    if (!s->side[0].all && !s->side[1].all) {
        try_listed_edges(s);
        return;
    }
    const polytope *a = s->side[0].body->surface, *b = s->side[1].body->surface;
    bool from_a = s->side[0].all == s->side[1].all ? a->edge_count <= b->edge_count : !s->side[0].all;
    const side *from = &s->side[from_a ? 0 : 1], *over = &s->side[from_a ? 1 : 0];
    int32_t at = 0;
    for (int32_t edge; (edge = next_edge(s, from, &at)) >= 0;) {
        walk_along(s, from, over, edge);
    }
}

/* ---- the search ---- */

static void add_witnesses(side *side, const abut_vec3 *point, int32_t count) {
    const double unit = 1.0 / side->body->surface->size;
    const abut_vec3 origin = convex_vertex(side->body, 0);
    side->witness_count = count;
    for (int32_t i = 0; i < count; ++i) {
        side->witness[i] = convex_to_local(side->body, point[i]);
        side->probe[i] = scan_probe_of(abut_scale(unit, abut_sub(side->witness[i], origin)));
    }
    /* The others are points of the same body. */
    const scan_probe *p = &side->probe[0];
    side->probe_reach = fabs((double)p->x) + fabs((double)p->y) + fabs((double)p->z) + 3.0 * unit * side->other->size;
}

static void set_search(search *s, const convex *a, const convex *b, const sat_start *start, double depth, const normal_settings *settings) {
    s->side[0].body = s->side[1].other = a;
    s->side[1].body = s->side[0].other = b;
    s->side[0].sign = 1.0;
    s->side[1].sign = -1.0;
    tied_facets_begin(&s->best, settings, abut_sub(convex_centroid(b), convex_centroid(a)), depth, a->size + b->size);
    add_witnesses(&s->side[0], start->on_b, start->count_b);
    add_witnesses(&s->side[1], start->on_a, start->count_a);
}

void sat_least_depth(const convex *a, const convex *b, const sat_start *start, const normal_settings *settings, contact_normal *normal) {
    search s;
    const tied_facet *facet = NULL;
    /* One pass is enough, unless rounding error made the start slightly less deep than any facet. */
    for (double depth = start->depth; facet == NULL && depth < INFINITY; depth = 2.0 * depth + 1e-9 * (a->size + b->size)) {
        set_search(&s, a, b, start, depth, settings);
        try_faces(&s, &s.side[0]);
        try_faces(&s, &s.side[1]);
        try_all_edges(&s);
        facet = tied_facets_pick(&s.best, &normal->chosen);
    }
    normal->between = false;
    normal->pair = NORMAL_FEATURES;
    normal->extreme = facet != NULL;
    if (facet == NULL) { /* the coordinates are so large that all depths overflow */
        normal->direction = abut_unit(settings->aside);
        normal->gap = -gauge_support(a, b, normal->direction);
        return;
    }
    normal->direction = facet->direction;
    normal->gap = -facet->depth;
    normal->feature_a = facet->feature_a;
    normal->feature_b = facet->feature_b;
    fetch_spokes(a, normal->feature_a);
    fetch_spokes(b, normal->feature_b);
}

static bool is_told(const normal_settings *settings, abut_feature *feature_a, abut_feature *feature_b) {
    *feature_a = settings->start_a;
    *feature_b = settings->start_b;
    return feature_a->kind != ABUT_FEATURE_NONE || feature_b->kind != ABUT_FEATURE_NONE;
}

/* False when the bodies are farther apart; the normal has the direction and the gap. */
static bool find_start(const convex *a, const convex *b, double apart, contact_normal *normal, sat_start *start) {
    guess_ray cast = {abut_sub(convex_inner_centre(b), convex_inner_centre(a)), convex_inradius(a) + convex_inradius(b), apart};
    abut_vec3 direction;
    bool concentric = !(abut_length_squared(cast.ray) > 1e-18 * cast.inside * cast.inside);
    polytope_fetch_lanes(a->surface);
    polytope_fetch_lanes(b->surface);
    if (!concentric && guess_cast(a, b, &cast, &direction, start)) {
        normal->direction = direction;
        normal->gap = -start->depth;
        return false;
    }
    polytope_fetch_records(a->surface);
    polytope_fetch_records(b->surface);
    if (concentric || !(start->depth < INFINITY)) {
        sat_start_along(a, b, feature_face_normal(a, 0), start);
    }
    return true;
}

void sat_normal(const convex *a, const convex *b, const normal_settings *settings, double apart, contact_normal *normal) {
    double touching = CONTACT_ROUNDING * (a->size + b->size);
    sat_start start;
    abut_feature feature_a, feature_b;
    if ((facet_memory_read(a, b, settings->cache, &feature_a, &feature_b) || is_told(settings, &feature_a, &feature_b)) &&
        sat_start_at(a, b, feature_a, feature_b, &start) && start.depth > touching) {
        sat_least_depth(a, b, &start, settings, normal);
        return;
    }
    if (!find_start(a, b, apart, normal, &start)) {
        return;
    }
    start.depth = start.depth > touching ? start.depth : touching;
    sat_least_depth(a, b, &start, settings, normal);
}
