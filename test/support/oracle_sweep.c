/*
 * The facets of the Minkowski difference C = A - B of two large polytopes. Every vertex of C's Gauss map is a vertex of one body's map or a crossing of an arc
 * of A with a negated arc of B. The bounding boxes of crossing arcs overlap. So the arcs are swept along x, and each is tested against the active arcs of the
 * other body. The method does not walk between neighbours, so it cannot take a wrong turn; a tie or a degenerate face only adds candidates. World frame; see
 * oracle.h.
 */
#include "support/oracle.h"

#include <stdlib.h>

#include "support/check.h"

/* The arc on the Gauss sphere of C that belongs to an edge: part of the great circle perpendicular to the edge. */
typedef struct arc {
    abut_vec3 along;        /* the edge's direction */
    abut_vec3 from, to;     /* normals of the two faces, negated for B; zero for a segment, whose arc is the whole circle */
    abut_vec3 lower, upper; /* what holds the arc */
} arc;

static const double slack = 1e-9; /* doubts count as crossings */

static arc make_arc(const oracle_body *body, oracle_edge edge, double sign) {
    arc r = {.along = edge.direction, .lower = {-1, -1, -1}, .upper = {1, 1, 1}};
    if (edge.face[0] < 0) {
        return r;
    }
    r.from = abut_scale(sign, body->normals[edge.face[0]]);
    r.to = abut_scale(sign, body->normals[edge.face[1]]);
    /* The distance of an arc from its chord is at most the arc's height. */
    double height = 1.0 - 0.5 * abut_length(abut_add(r.from, r.to)) + slack;
    r.lower = abut_vec3_make(fmin(r.from.x, r.to.x) - height, fmin(r.from.y, r.to.y) - height, fmin(r.from.z, r.to.z) - height);
    r.upper = abut_vec3_make(fmax(r.from.x, r.to.x) + height, fmax(r.from.y, r.to.y) + height, fmax(r.from.z, r.to.z) + height);
    return r;
}

static int compare_arcs(const void *left, const void *right) {
    double p = ((const arc *)left)->lower.x, q = ((const arc *)right)->lower.x;
    return p < q ? -1 : p > q;
}

/* Sorted by where they begin. */
static arc *make_arcs(const oracle_body *body, double sign) {
    arc *arcs = check_memory((size_t)body->edge_count, sizeof *arcs);
    for (int32_t e = 0; e < body->edge_count; e++) {
        arcs[e] = make_arc(body, body->edges[e], sign);
    }
    qsort(arcs, (size_t)body->edge_count, sizeof *arcs, compare_arcs);
    return arcs;
}

/* Whether both ends of the arc lie clearly on one side of the great circle perpendicular to `along`. */
static bool on_one_side(abut_vec3 along, const arc *r) {
    double s = abut_dot(along, r->from), t = abut_dot(along, r->to);
    return (s > slack && t > slack) || (s < -slack && t < -slack);
}

static bool may_cross(const arc *p, const arc *q) {
    return p->lower.y <= q->upper.y && q->lower.y <= p->upper.y && p->lower.z <= q->upper.z && q->lower.z <= p->upper.z &&
           !on_one_side(p->along, q) && !on_one_side(q->along, p);
}

/* Whether m is on the half sphere about the arc's midpoint. */
static bool faces_arc(abut_vec3 m, const arc *r) { return abut_dot(m, abut_add(r->from, r->to)) >= -slack; }

static void add_crossing(oracle_facets *facets, const oracle_body *a, const oracle_body *b, const arc *p, const arc *q) {
    if (!may_cross(p, q)) {
        return;
    }
    abut_vec3 m = oracle_across(p->along, q->along);
    for (int sense = 0; sense < 2 && abut_length_squared(m) > 0.0; sense++) {
        if (faces_arc(m, p) && faces_arc(m, q)) {
            oracle_add_facet(facets, a, b, m);
        }
        m = abut_neg(m);
    }
}

/* Arcs that have begun and not ended during the sweep. */
typedef struct active {
    const arc **arcs;
    int32_t count;
} active;

static void drop_ended(active *list, double x) {
    int32_t kept = 0;
    for (int32_t i = 0; i < list->count; i++) {
        if (list->arcs[i]->upper.x >= x) {
            list->arcs[kept++] = list->arcs[i];
        }
    }
    list->count = kept;
}

static void sweep(oracle_facets *facets, const oracle_body *a, const oracle_body *b, const arc *arcs_a, const arc *arcs_b) {
    active of_a = {check_memory((size_t)a->edge_count, sizeof *of_a.arcs), 0};
    active of_b = {check_memory((size_t)b->edge_count, sizeof *of_b.arcs), 0};
    for (int32_t i = 0, j = 0; i < a->edge_count || j < b->edge_count;) {
        bool next_is_a = j == b->edge_count || (i < a->edge_count && arcs_a[i].lower.x <= arcs_b[j].lower.x);
        const arc *next = next_is_a ? &arcs_a[i++] : &arcs_b[j++];
        active *own = next_is_a ? &of_a : &of_b, *other = next_is_a ? &of_b : &of_a;
        own->arcs[own->count++] = next;
        drop_ended(other, next->lower.x);
        for (int32_t k = 0; k < other->count; k++) {
            const arc *p = next_is_a ? next : other->arcs[k], *q = next_is_a ? other->arcs[k] : next;
            add_crossing(facets, a, b, p, q);
        }
    }
    free(of_a.arcs);
    free(of_b.arcs);
}

oracle_facets oracle_minkowski_swept(const oracle_body *a, const oracle_body *b) {
    oracle_facets facets = oracle_no_facets(a, b);
    oracle_add_faces(&facets, a, b);
    arc *arcs_a = make_arcs(a, 1.0), *arcs_b = make_arcs(b, -1.0);
    sweep(&facets, a, b, arcs_a, arcs_b);
    free(arcs_a);
    free(arcs_b);
    return facets;
}

double oracle_least_depth(const oracle_body *a, const oracle_body *b, abut_vec3 *normal) {
    oracle_facets facets = oracle_minkowski_swept(a, b);
    oracle_axis axis = oracle_separation(&facets, abut_vec3_make(0, 0, 0));
    oracle_free_facets(&facets);
    *normal = axis.normal;
    return -axis.separation;
}
