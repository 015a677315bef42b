/*
 * If a body is static, the plane lies on that body, and the cost F(n) has kinks where the plane turns about an edge or a face of it. The
 * global minimum is therefore among these candidates: for each static vertex p and each set L of pushed vertices q, the smallest
 * eigenvector of
 *
 *     share (sum d d^T + (sum d)(sum d)^T / (m + 1 - l)),  d = p - q over L;
 *
 * for each static edge, the same within the plane perpendicular to it; and each static face. Singular forms give no candidate.
 */
#include "tetra/free_static.h"

#include "geom/eigen.h"
#include "tetra/lanes.h"

enum { SETS = 16 };

typedef struct search {
    const pair *p;
    int fixed; /* the static body */
    along best;
} search;

static void take(search *s, abut_vec3 n) { along_take_less(s->p, n, &s->best); }

static int members_of(unsigned set) { return (int)((set & 1u) + (set >> 1 & 1u) + (set >> 2 & 1u) + (set >> 3 & 1u)); }

/* The forms of one static vertex with every set of pushed vertices. */
static void make_forms(const search *s, abut_vec3 contact, sym3 form[SETS]) {
    const pair_body *body = &s->p->body[1 - s->fixed];
    double share = s->p->cost[1 - s->fixed].share;
    abut_vec3 sum[SETS] = {{0.0, 0.0, 0.0}};
    sym3 squares[SETS] = {{0.0, 0.0, 0.0, 0.0, 0.0, 0.0}};
    for (int i = 0; i < body->count; ++i) {
        abut_vec3 d = abut_sub(contact, body->vertex[i]);
        for (unsigned set = 1u << i; set < 1u << (i + 1); ++set) {
            unsigned without = set & ~(1u << i);
            sum[set] = abut_add(sum[without], d);
            squares[set] = sym3_add_outer(squares[without], share, d);
            form[set] = sym3_add_outer(squares[set], share / (body->count + 1 - members_of(set)), sum[set]);
        }
    }
}

static void try_vertex(search *s, const sym3 form[SETS]) {
    enum { FEWEST = 3 };
    for (unsigned set = 1u; set < 1u << s->p->body[1 - s->fixed].count; ++set) {
        if (members_of(set) >= FEWEST && !eigen_is_above(form[set], s->best.cost)) {
            take(s, eigen_smallest(form[set]));
        }
    }
}

/* Minimises the form within the plane of two unit vectors. */
static void try_across(search *s, sym3 m, abut_vec3 u, abut_vec3 v) {
    double uu = abut_dot(u, sym3_mul(m, u)), vv = abut_dot(v, sym3_mul(m, v)), uv = abut_dot(u, sym3_mul(m, v));
    double half = 0.5 * (uu - vv), root = sqrt(half * half + uv * uv), least = 0.5 * (uu + vv) - root;
    if (least > s->best.cost + 1e-14 * (uu + vv)) {
        return;
    }
    /* Rows of the form minus the eigenvalue. The longer row is perpendicular to the eigenvector. */
    double x = half <= 0.0 ? root - half : -uv, y = half <= 0.0 ? -uv : root + half;
    x = root > 0.0 ? x : 1.0; /* all directions are equal */
    take(s, abut_unit(abut_add(abut_scale(x, u), abut_scale(y, v))));
}

static void try_edge(search *s, int edge, const sym3 form[SETS]) {
    enum { FEWEST = 2 };
    abut_vec3 along_edge = abut_unit(s->p->body[s->fixed].edge[edge]), u, v;
    if (!(abut_length_squared(along_edge) > 0.0)) {
        return;
    }
    abut_tangent_frame(along_edge, &u, &v);
    for (unsigned set = 1u; set < 1u << s->p->body[1 - s->fixed].count; ++set) {
        if (members_of(set) >= FEWEST) {
            try_across(s, form[set], u, v);
        }
    }
}

static void try_face(search *s, int face) {
    int corner[3];
    const pair_body *body = &s->p->body[s->fixed];
    if (lanes_face(body, face, corner) == 3) {
        const abut_vec3 *v = body->vertex;
        abut_vec3 n = abut_unit(abut_cross(abut_sub(v[corner[1]], v[corner[0]]), abut_sub(v[corner[2]], v[corner[0]])));
        if (abut_length_squared(n) > 0.0) {
            take(s, n);
        }
    }
}

along free_static_least(const pair *p, along from) {
    search s = {p, p->cost[PAIR_A].share > 0.0 ? PAIR_B : PAIR_A, from};
    const pair_body *body = &p->body[s.fixed];
    sym3 form[4][SETS];
    /* Tries the most frequent winners first, which leaves less to test. */
    for (int face = 0; face < 4; ++face) {
        try_face(&s, face);
    }
    for (int i = 0; i < body->count; ++i) {
        make_forms(&s, body->vertex[i], form[i]);
    }
    for (int e = 0; e < 6; ++e) {
        if (pair_edge_ends[e][1] < body->count) {
            try_edge(&s, e, form[pair_edge_ends[e][0]]);
        }
    }
    for (int i = 0; i < body->count; ++i) {
        try_vertex(&s, form[i]);
    }
    return s.best;
}
