/* The best normal of all for two bodies that both give way (free.h). */
#include "tetra/free.h"

#include "geom/eigen.h"
#include "tetra/free_static.h"

static bool both_give_way(const pair *p) { return p->cost[PAIR_A].share > 0.0 && p->cost[PAIR_B].share > 0.0; }

/* What the vertices of one body in a set contribute. */
typedef struct subset {
    int count;
    abut_vec3 mean;
    sym3 scatter; /* times the body's share */
} subset;

static subset make_subset(const pair_body *body, double share, unsigned members) {
    subset s = {0, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 0.0, 0.0, 0.0}};
    for (int i = 0; i < body->count; ++i) {
        if ((members >> i & 1u) != 0u) {
            s.mean = abut_add(s.mean, body->vertex[i]);
            ++s.count;
        }
    }
    s.mean = abut_scale(1.0 / s.count, s.mean);
    for (int i = 0; i < body->count; ++i) {
        if ((members >> i & 1u) != 0u) {
            s.scatter = sym3_add_outer(s.scatter, share, abut_sub(body->vertex[i], s.mean));
        }
    }
    return s;
}

static sym3 form_of(const pair *p, const subset *a, const subset *b) {
    return sym3_add_outer(sym3_add(a->scatter, b->scatter), p->coupling[a->count - 1][b->count - 1], abut_sub(a->mean, b->mean));
}

/* The vertices of a body that the plane pushes; never none, for a plane that separates. */
static unsigned pushed(const pair *p, const along *at, int b) {
    double c = b == PAIR_A ? -at->plane : at->plane;
    unsigned members = 0u;
    for (int i = 0; i < p->body[b].count; ++i) {
        members |= c - at->height[b][i] <= at->pull[b] ? 1u << i : 0u;
    }
    return members != 0u ? members : 1u;
}

/* ---- downhill ---- */

static double form_at(sym3 m, abut_vec3 n) { return abut_dot(n, sym3_mul(m, n)); }

/* Against the gradient of the quadratic form, as far as F falls. */
static bool slide(const pair *p, sym3 m, along *at) {
    const int most_halvings = 12;
    abut_vec3 n = at->normal, gradient = abut_add_scaled(sym3_mul(m, n), -form_at(m, n), n);
    double step = 1.0 / (m.xx + m.yy + m.zz);
    for (int i = 0; i < most_halvings; ++i, step *= 0.5) {
        along next = along_solve(p, abut_unit(abut_add_scaled(n, -step, gradient)), NULL);
        if (next.cost < at->cost) {
            *at = next;
            return true;
        }
    }
    return false;
}

static along descend(const pair *p, along at) {
    const int most_steps = 50;
    unsigned last_a = 0u, last_b = 0u;
    for (int i = 0; i < most_steps; ++i) {
        unsigned a = pushed(p, &at, PAIR_A), b = pushed(p, &at, PAIR_B);
        if (a == last_a && b == last_b) {
            break; /* the eigenvector of its own form */
        }
        subset of_a = make_subset(&p->body[PAIR_A], p->cost[PAIR_A].share, a);
        subset of_b = make_subset(&p->body[PAIR_B], p->cost[PAIR_B].share, b);
        sym3 m = form_of(p, &of_a, &of_b);
        abut_vec3 n = eigen_smallest(m);
        along next = along_solve(p, abut_dot(n, at.normal) < 0.0 ? abut_neg(n) : n, NULL);
        last_a = last_b = 0u;
        if (next.cost < at.cost) {
            at = next;
            last_a = a;
            last_b = b;
        } else if (!slide(p, m, &at)) {
            break;
        }
    }
    return at;
}

/* ---- every case ---- */

static void take_least(const pair *p, abut_vec3 n, along *best) {
    for (int sense = 0; sense < 2; ++sense) {
        along found = along_solve(p, sense == 0 ? n : abut_neg(n), NULL);
        if (found.cost < best->cost) {
            *best = found;
        }
    }
}

/* All pairs of subsets whose forms are not singular. */
static along enumerate(const pair *p, along best) {
    enum { SUBSETS = 16, FEWEST = 4 };
    subset of[2][SUBSETS];
    for (int b = 0; b < 2; ++b) {
        for (unsigned members = 1u; members < 1u << p->body[b].count; ++members) {
            of[b][members] = make_subset(&p->body[b], p->cost[b].share, members);
        }
    }
    for (unsigned k = 1u; k < 1u << p->body[PAIR_A].count; ++k) {
        for (unsigned l = 1u; l < 1u << p->body[PAIR_B].count; ++l) {
            if (of[PAIR_A][k].count + of[PAIR_B][l].count < FEWEST) {
                continue;
            }
            sym3 m = form_of(p, &of[PAIR_A][k], &of[PAIR_B][l]);
            if (!eigen_is_above(m, best.cost)) {
                take_least(p, eigen_smallest(m), &best);
            }
        }
    }
    return best;
}

along free_descend(const pair *p, along from) { return both_give_way(p) ? descend(p, from) : free_static_least(p, from); }

along free_least(const pair *p, along from) { return both_give_way(p) ? enumerate(p, descend(p, from)) : free_static_least(p, from); }
