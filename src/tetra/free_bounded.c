/*
 * The local search of free_bounded.h. The slope of F by the normal n follows from the multipliers (gradient.c): with lambda_i of vertex i and
 * nu of the volume, a body contributes
 *
 *     dF / dn = sum lambda_i x_i - nu sum u_i grad b_i,
 *
 * with the sense of the body. A vertex of a static body contributes the force of the other body. The search is a quasi-Newton method (BFGS)
 * in the plane tangent to the sphere. Where a body is static, F has kinks: the plane turns about an edge, or lies on a face. So the search
 * goes on within the normals perpendicular to each edge, and tries each face.
 */
#include "tetra/free_bounded.h"

#include "base/real.h"
#include "tetra/lanes.h"

/* ---- the slope ---- */

static abut_vec3 slope_of_deforming(const pair *p, const along *at, int b, double *force) {
    const pair_body *body = &p->body[b];
    abut_vec3 towards = along_towards(b, at->normal), grad[4], slope = {0.0, 0.0, 0.0};
    double nu = at->force[b];
    bool held = nu > 0.0 && along_gradients(body, grad);
    for (int i = 0; i < body->count; ++i) {
        double lambda = 2.0 * p->cost[b].share * (at->pull[b] - at->move[b][i]);
        if (held) {
            lambda += nu * abut_dot(towards, grad[i]);
            slope = abut_add_scaled(slope, -nu * at->move[b][i], grad[i]);
        }
        slope = abut_add_scaled(slope, lambda, body->vertex[i]);
        *force += lambda;
    }
    return slope;
}

static abut_vec3 highest_of(const pair *p, const along *at, int b) {
    int highest = 0;
    for (int i = 1; i < p->body[b].count; ++i) {
        highest = at->height[b][i] > at->height[b][highest] ? i : highest;
    }
    return p->body[b].vertex[highest];
}

/* dF / dn, without the component along n. */
static abut_vec3 slope_at(const pair *p, const along *at) {
    double force[2] = {0.0, 0.0};
    abut_vec3 part[2] = {slope_of_deforming(p, at, PAIR_A, &force[PAIR_A]), slope_of_deforming(p, at, PAIR_B, &force[PAIR_B])};
    for (int b = 0; b < 2; ++b) {
        if (!(p->cost[b].share > 0.0)) {
            part[b] = abut_scale(force[1 - b], highest_of(p, at, b));
        }
    }
    abut_vec3 slope = abut_sub(part[PAIR_B], part[PAIR_A]);
    return abut_add_scaled(slope, -abut_dot(slope, at->normal), at->normal);
}

/* ---- the descent ---- */

/* Two directions tangent to the sphere, the slope along them, and an estimate of the inverse of the curvature. Around an axis there is one
 * direction: the second one is zero. */
typedef struct frame {
    abut_vec3 u, v;
    double gu, gv;
    double uu, uv, vv;
} frame;

static void set_frame(frame *f, const pair *p, const along *at, const abut_vec3 *axis) {
    abut_vec3 n = at->normal, slope = slope_at(p, at);
    if (axis != NULL) {
        f->u = abut_unit(abut_cross(*axis, n));
        f->v = abut_vec3_make(0.0, 0.0, 0.0);
    } else {
        f->u = abut_unit(abut_add_scaled(f->u, -abut_dot(f->u, n), n));
        f->v = abut_cross(n, f->u);
    }
    f->gu = abut_dot(slope, f->u);
    f->gv = abut_dot(slope, f->v);
}

/* BFGS: the step (s, t) changed the slope by (y, z). */
static void learn(frame *f, double s, double t, double y, double z) {
    double product = s * y + t * z;
    if (!(product > 1e-12 * sqrt((s * s + t * t) * (y * y + z * z)))) {
        return;
    }
    double hy = f->uu * y + f->uv * z, hz = f->uv * y + f->vv * z, more = 1.0 + (y * hy + z * hz) / product;
    f->uu += (more * s * s - 2.0 * hy * s) / product;
    f->uv += (more * s * t - hy * t - hz * s) / product;
    f->vv += (more * t * t - 2.0 * hz * t) / product;
}

static along go(const pair *p, const along *at, const frame *f, double s, double t) {
    return along_solve_bounded(p, abut_unit(abut_add_scaled(abut_add_scaled(at->normal, s, f->u), t, f->v)));
}

/* The steepest direction at first, and where the estimate does not lead down; at most 0.3 long. */
static void choose_step(frame *f, double cost, double *s, double *t) {
    *s = -(f->uu * f->gu + f->uv * f->gv);
    *t = -(f->uv * f->gu + f->vv * f->gv);
    double slope = sqrt(f->gu * f->gu + f->gv * f->gv);
    if (!(*s * f->gu + *t * f->gv < 0.0)) {
        double inverse = real_min(cost / (slope * slope), 1.0 / slope);
        f->uu = f->vv = inverse;
        f->uv = 0.0;
        *s = -inverse * f->gu;
        *t = -inverse * f->gv;
    }
    double length = sqrt(*s * *s + *t * *t), most = real_min(1.0, 0.3 / length);
    *s *= most;
    *t *= most;
}

/* One step down: halves it while F does not fall enough, doubles it while the slope along it stays steep. False when F does not fall. */
static bool step_down(const pair *p, const abut_vec3 *axis, frame *f, along *at) {
    enum { MOST = 40 };
    double s, t, low = 0.0, high = INFINITY, part = 1.0;
    choose_step(f, at->cost, &s, &t);
    double slope = s * f->gu + t * f->gv;
    along best = *at;
    frame there = *f;
    for (int i = 0; i < MOST; ++i) {
        along next = go(p, at, f, part * s, part * t);
        if (!(next.cost <= at->cost + 1e-4 * part * slope)) {
            high = part;
        } else {
            best = next;
            there = *f;
            set_frame(&there, p, &best, axis);
            double left = s * there.gu + t * there.gv;
            if (left < 0.9 * slope) {
                low = part;
            } else {
                break;
            }
        }
        part = high < INFINITY ? 0.5 * (low + high) : 2.0 * part;
        if (high - low < 1e-12 * high) {
            break;
        }
    }
    if (!(best.cost < at->cost)) {
        return false;
    }
    abut_vec3 moved = abut_sub(best.normal, at->normal);
    learn(&there, abut_dot(moved, f->u), abut_dot(moved, f->v), there.gu - f->gu, there.gv - f->gv);
    *f = there;
    *at = best;
    return true;
}

static double steepness(const frame *f) { return sqrt(f->gu * f->gu + f->gv * f->gv); }

/* Where rounding error hides whether F falls, steps that halve the slope still find its root. */
static void polish(const pair *p, const abut_vec3 *axis, frame f, along *at) {
    enum { MOST = 20 };
    const double rounding = 1e-12;
    for (int i = 0; i < MOST && steepness(&f) > 0.0; ++i) {
        double s = -(f.uu * f.gu + f.uv * f.gv), t = -(f.uv * f.gu + f.vv * f.gv);
        along next = go(p, at, &f, s, t);
        frame there = f;
        set_frame(&there, p, &next, axis);
        if (!(next.cost <= at->cost * (1.0 + rounding) && steepness(&there) < 0.5 * steepness(&f))) {
            return;
        }
        learn(&there, s, t, there.gu - f.gu, there.gv - f.gv);
        f = there;
        *at = next;
    }
}

static along descend(const pair *p, along at, const abut_vec3 *axis) {
    enum { MOST = 100 };
    const double enough = 1e-10;
    frame f = {.uu = 0.0, .uv = 0.0, .vv = 0.0};
    abut_tangent_frame(at.normal, &f.u, &f.v);
    set_frame(&f, p, &at, axis);
    double before = INFINITY;
    for (int i = 0; i < MOST && at.cost < before * (1.0 - enough) && steepness(&f) > 0.0; ++i) {
        before = at.cost;
        if (!step_down(p, axis, &f, &at)) {
            break;
        }
    }
    polish(p, axis, f, &at);
    return at;
}

/* ---- a static body ---- */

/* Differences within rounding error do not count: they would replace a place where the slope is zero by one where it is only small. */
static void take_less(along *best, along other) {
    const double clearly = 1e-12;
    *best = other.cost < best->cost * (1.0 - clearly) ? other : *best;
}

/* An edge on which the plane lies, or nearly does. */
static bool is_near(const along *at, int fixed, int edge) {
    const double *height = at->height[fixed], near = 0.01;
    double highest = real_max(real_max(height[0], height[1]), real_max(height[2], height[3]));
    double lowest = real_min(real_min(height[0], height[1]), real_min(height[2], height[3]));
    double least = highest - near * (highest - lowest);
    return height[pair_edge_ends[edge][0]] >= least && height[pair_edge_ends[edge][1]] >= least;
}

static void try_edges(const pair *p, int fixed, along *best) {
    const pair_body *body = &p->body[fixed];
    const along from = *best;
    for (int e = 0; e < 6; ++e) {
        if (!is_near(&from, fixed, e)) {
            continue;
        }
        abut_vec3 axis = abut_unit(body->edge[e]), n = abut_unit(abut_add_scaled(from.normal, -abut_dot(from.normal, axis), axis));
        if (abut_length_squared(axis) > 0.0 && abut_length_squared(n) > 0.0) {
            take_less(best, descend(p, along_solve_bounded(p, n), &axis));
        }
    }
}

static void try_faces(const pair *p, int fixed, along *best) {
    const abut_vec3 *v = p->body[fixed].vertex;
    int corner[3];
    for (int face = 0; face < 4; ++face) {
        if (lanes_face(&p->body[fixed], face, corner) == 3) {
            abut_vec3 n = abut_unit(abut_cross(abut_sub(v[corner[1]], v[corner[0]]), abut_sub(v[corner[2]], v[corner[0]])));
            n = abut_dot(n, best->normal) < 0.0 ? abut_neg(n) : n;
            if (abut_length_squared(n) > 0.0) {
                take_less(best, along_solve_bounded(p, n));
            }
        }
    }
}

/* In turns until nothing falls: the plane may turn from one edge to another. */
static void settle_on_static(const pair *p, int fixed, along *best) {
    enum { MOST = 8 };
    try_faces(p, fixed, best);
    double before = INFINITY;
    for (int i = 0; i < MOST && best->cost < before; ++i) {
        before = best->cost;
        try_edges(p, fixed, best);
        take_less(best, descend(p, *best, NULL));
    }
}

static along least_of(const pair *p, const abut_vec3 *starts, int count) {
    along best = {.cost = INFINITY};
    for (int i = 0; i < count; ++i) {
        take_less(&best, descend(p, along_solve_bounded(p, starts[i]), NULL));
    }
    for (int b = 0; b < 2; ++b) {
        if (!(p->cost[b].share > 0.0)) {
            settle_on_static(p, b, &best);
        }
    }
    return best;
}

along free_bounded_least(const pair *p, const abut_vec3 *starts, int count) {
    along best = least_of(p, starts, 1);
    if (count > 1) {
        take_less(&best, least_of(p, starts + 1, count - 1));
    }
    return best;
}
