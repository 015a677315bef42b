/* The best of all normals for two bodies that both deform (free.h). */
#include "tetra/free.h"

#include "base/real.h"
#include "geom/eigen.h"
#include "tetra/free_static.h"

static bool both_give_way(const pair *p) { return p->cost[PAIR_A].share > 0.0 && p->cost[PAIR_B].share > 0.0; }

/* The contribution of a set of vertices of one body. */
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

/* The vertices of a body that the plane pushes. A separating plane pushes at least one. */
static unsigned pushed(const pair *p, const along *at, int b) {
    double c = b == PAIR_A ? -at->plane : at->plane;
    unsigned members = 0u;
    for (int i = 0; i < p->body[b].count; ++i) {
        members |= c - at->height[b][i] <= at->pull[b] ? 1u << i : 0u;
    }
    return members != 0u ? members : 1u;
}

/* ---- descent ---- */

/* The piece that contains a normal. */
typedef struct piece {
    unsigned pushed[2];
    sym3 form;
} piece;

static piece piece_at(const pair *p, const along *at) {
    piece here;
    subset of[2];
    for (int b = 0; b < 2; ++b) {
        here.pushed[b] = pushed(p, at, b);
        of[b] = make_subset(&p->body[b], p->cost[b].share, here.pushed[b]);
    }
    here.form = form_of(p, &of[PAIR_A], &of[PAIR_B]);
    return here;
}

static bool same_piece(const piece *a, const piece *b) {
    return a->pushed[PAIR_A] == b->pushed[PAIR_A] && a->pushed[PAIR_B] == b->pushed[PAIR_B];
}

/* The step against one component g of the slope, where the curvature is bend. It goes at most 45 degrees. */
static double step_against(double g, double bend) { return g == 0.0 ? 0.0 : -g / real_max(fabs(bend), fabs(g)); }

/* A step tangent to the sphere by Newton's method. Where the form is concave, along each axis of its curvature by the size of the curvature:
 * against the gradient alone, steps in a narrow valley would go from wall to wall and hardly along it. */
static abut_vec3 newton_step(sym3 m, abut_vec3 n, double cost) {
    abut_vec3 u, v;
    abut_tangent_frame(n, &u, &v);
    abut_vec3 mn = sym3_mul(m, n), mu = sym3_mul(m, u), mv = sym3_mul(m, v);
    double gu = abut_dot(u, mn), gv = abut_dot(v, mn);
    double uu = abut_dot(u, mu) - cost, vv = abut_dot(v, mv) - cost, uv = abut_dot(u, mv);
    double determinant = uu * vv - uv * uv, trace = m.xx + m.yy + m.zz;
    if (uu + vv > 0.0 && determinant > 1e-12 * trace * trace) {
        return abut_add(abut_scale((uv * gv - vv * gu) / determinant, u), abut_scale((uv * gu - uu * gv) / determinant, v));
    }
    double half = 0.5 * (uu - vv), middle = 0.5 * (uu + vv), root = sqrt(half * half + uv * uv);
    double x = half >= 0.0 ? root + half : uv, y = half >= 0.0 ? uv : root - half, size = sqrt(x * x + y * y);
    x = size > 0.0 ? x / size : 1.0; /* (x, y): the axis of the larger curvature */
    y = size > 0.0 ? y / size : 0.0;
    double across = step_against(x * gu + y * gv, middle + root), along = step_against(x * gv - y * gu, middle - root);
    return abut_add(abut_scale(x * across - y * along, u), abut_scale(y * across + x * along, v));
}

static along step_from(const pair *p, const along *at, double length, abut_vec3 step) {
    return along_solve(p, abut_unit(abut_add_scaled(at->normal, length, step)), NULL);
}

/* Moves along a step as far as F falls: halves the step until it falls, else doubles it while it falls. False when F does not fall. */
static bool walk(const pair *p, abut_vec3 step, along *at) {
    const int most_halvings = 30, most_doublings = 10;
    double length = 1.0;
    along next = step_from(p, at, length, step);
    for (int i = 0; i < most_halvings && !(next.cost < at->cost); ++i) {
        length *= 0.5;
        next = step_from(p, at, length, step);
    }
    if (!(next.cost < at->cost)) {
        return false;
    }
    for (int i = 0; i < most_doublings && length >= 1.0; ++i) {
        length *= 2.0;
        along farther = step_from(p, at, length, step);
        if (!(farther.cost < next.cost)) {
            break;
        }
        next = farther;
    }
    *at = next;
    return true;
}

/* True: ends at the eigenvector of its own form, a local minimum. Else the last place: weights that differ by many powers of ten bend F so
 * much that it nearly has a kink, and small steps along that do not end. */
static bool descend(const pair *p, along *at) {
    const int most_steps = 60;
    const double rounding = 1e-15;
    for (int i = 0; i < most_steps; ++i) {
        piece here = piece_at(p, at);
        abut_vec3 n = eigen_smallest(here.form);
        along next = along_solve(p, abut_dot(n, at->normal) < 0.0 ? abut_neg(n) : n, NULL);
        piece there = piece_at(p, &next);
        if (same_piece(&here, &there) && next.cost <= at->cost * (1.0 + rounding)) {
            *at = next;
            return true;
        }
        if (next.cost < at->cost) {
            *at = next;
        } else if (!walk(p, newton_step(here.form, at->normal, at->cost), at)) {
            return false;
        }
    }
    return false;
}

/* ---- enumeration ---- */

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
                along_take_less(p, eigen_smallest(m), &best);
            }
        }
    }
    return best;
}

along free_descend(const pair *p, along from) {
    if (!both_give_way(p)) {
        return free_static_least(p, from);
    }
    return descend(p, &from) ? from : enumerate(p, from);
}

along free_least(const pair *p, along from) {
    if (!both_give_way(p)) {
        return free_static_least(p, from);
    }
    (void)descend(p, &from);
    return enumerate(p, from);
}
