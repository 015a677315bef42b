/*
 * Beside a static body the plane lies on that body, and the cost F(n) has kinks where it turns about an edge or a face of it. So the least of all
 * is among: for each static vertex p and set L of pushed vertices q the smallest eigenvector of
 *
 *     share (sum d d^T + (sum d)(sum d)^T / (m + 1 - l)),  d = p - q over L,
 *
 * for each static edge the same within the plane across it, and each static face. Forms that are singular say nothing.
 */
#include "tetra/free_static.h"

#include "geom/eigen.h"
#include "tetra/lanes.h"

typedef struct search {
    const pair *p;
    int fixed; /* the body that is static */
    along best;
} search;

static void take(search *s, abut_vec3 n) {
    for (int sense = 0; sense < 2; ++sense) {
        along found = along_solve(s->p, sense == 0 ? n : abut_neg(n), NULL);
        if (found.cost < s->best.cost) {
            s->best = found;
        }
    }
}

static sym3 form_of(const search *s, abut_vec3 contact, unsigned members, int *count) {
    const pair_body *body = &s->p->body[1 - s->fixed];
    double share = s->p->cost[1 - s->fixed].share;
    sym3 m = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    abut_vec3 sum = {0.0, 0.0, 0.0};
    *count = 0;
    for (int i = 0; i < body->count; ++i) {
        if ((members >> i & 1u) != 0u) {
            abut_vec3 d = abut_sub(contact, body->vertex[i]);
            m = sym3_add_outer(m, share, d);
            sum = abut_add(sum, d);
            ++*count;
        }
    }
    return sym3_add_outer(m, share / (body->count + 1 - *count), sum);
}

static void try_vertex(search *s, abut_vec3 contact) {
    enum { FEWEST = 3 };
    for (unsigned members = 1u; members < 1u << s->p->body[1 - s->fixed].count; ++members) {
        int count;
        sym3 m = form_of(s, contact, members, &count);
        if (count >= FEWEST && !eigen_is_above(m, s->best.cost)) {
            take(s, eigen_smallest(m));
        }
    }
}

/* The form within the plane of two unit vectors, and the direction in which it is least. */
static void try_across(search *s, sym3 m, abut_vec3 u, abut_vec3 v) {
    double uu = abut_dot(u, sym3_mul(m, u)), vv = abut_dot(v, sym3_mul(m, v)), uv = abut_dot(u, sym3_mul(m, v));
    double half = 0.5 * (uu - vv), root = sqrt(half * half + uv * uv), least = 0.5 * (uu + vv) - root;
    if (least > s->best.cost + 1e-14 * (uu + vv)) {
        return;
    }
    /* Rows of the form less the eigenvalue; the longer one is across the eigenvector. */
    double x = half <= 0.0 ? root - half : -uv, y = half <= 0.0 ? -uv : root + half;
    take(s, abut_unit(abut_add(abut_scale(x, u), abut_scale(y, v))));
}

static void try_edge(search *s, int edge) {
    enum { FEWEST = 2 };
    const pair_body *body = &s->p->body[s->fixed];
    abut_vec3 along_edge = abut_unit(body->edge[edge]), u, v;
    if (!(abut_length_squared(along_edge) > 0.0)) {
        return;
    }
    abut_tangent_frame(along_edge, &u, &v);
    for (unsigned members = 1u; members < 1u << s->p->body[1 - s->fixed].count; ++members) {
        int count;
        sym3 m = form_of(s, body->vertex[pair_edge_ends[edge][0]], members, &count);
        if (count >= FEWEST) {
            try_across(s, m, u, v);
        }
    }
}

along free_static_least(const pair *p, along from) {
    search s = {p, p->cost[PAIR_A].share > 0.0 ? PAIR_B : PAIR_A, from};
    const pair_body *body = &p->body[s.fixed];
    for (int i = 0; i < body->count; ++i) {
        try_vertex(&s, body->vertex[i]);
    }
    for (int e = 0; e < 6; ++e) {
        try_edge(&s, e);
    }
    for (int face = 0; face < 4; ++face) {
        int corner[3];
        if (lanes_face(body, face, corner) == 3) {
            const abut_vec3 *v = body->vertex;
            abut_vec3 n = abut_unit(abut_cross(abut_sub(v[corner[1]], v[corner[0]]), abut_sub(v[corner[2]], v[corner[0]])));
            if (abut_length_squared(n) > 0.0) {
                take(&s, n);
            }
        }
    }
    return s.best;
}
