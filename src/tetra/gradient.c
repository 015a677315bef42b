/*
 * Derivatives of a depth by the vertices. A vertex that is pushed with the multiplier lambda = 2 share (t - u) + nu a adds lambda to
 * d(depth^2) per unit that it moves towards the other body. (J. Kim, Y. J. Kim give no derivatives; this is the envelope theorem.) The
 * derivative by the normal is added: normals of features turn with the vertices of the features. Normals that are optimal over all normals
 * need no such term, and normals given by a caller are fixed.
 *
 * Notation: depth is D, F = D^2; nu is the multiplier of the volume ratio, and a_i = d . grad b_i is the derivative of the ratio by the
 * move of vertex i.
 */
#include <stddef.h>

#include "base/argument.h"
#include "base/real.h"
#include "geom/exact.h"
#include "tetra/along.h"
#include "tetra/lanes.h"

typedef struct slope {
    const pair *p;
    along at;
    abut_vec3 gradient[2][4]; /* of F, scaled */
    abut_vec3 by_normal;      /* dF / dn, for all heights */
    double force[2];          /* sum of the multipliers */
} slope;

/* One deforming body: the direct part of its vertices, and its part of dF / dn. */
static void add_body(slope *s, int b) {
    const pair_body *body = &s->p->body[b];
    abut_vec3 towards = along_towards(b, s->at.normal), grad[4], turned = {0.0, 0.0, 0.0}, strain = {0.0, 0.0, 0.0};
    double nu = s->at.force[b], share = s->p->cost[b].share;
    bool held = nu > 0.0 && along_gradients(body, grad);
    for (int i = 0; i < body->count && held; ++i) {
        strain = abut_add_scaled(strain, s->at.move[b][i], grad[i]);
    }
    for (int i = 0; i < body->count; ++i) {
        double a = held ? abut_dot(towards, grad[i]) : 0.0;
        double lambda = 2.0 * share * (s->at.pull[b] - s->at.move[b][i]) + nu * a;
        s->gradient[b][i] = abut_add(abut_scale(lambda, towards), abut_scale(nu * a, strain));
        turned = abut_add_scaled(turned, lambda, body->vertex[i]);
        s->force[b] += lambda;
    }
    turned = abut_add_scaled(turned, -nu, strain);
    s->by_normal = b == PAIR_A ? abut_sub(s->by_normal, turned) : abut_add(s->by_normal, turned);
}

/* ---- a static body ---- */

/* Distributes a force over up to three vertices on the plane, so that it acts as near as possible to a point of the plane. The weights are
 * those of the nearest point of the vertices' hull. */
static void share_force(const abut_vec3 *corner, int count, abut_vec3 at, abut_vec3 normal, double weight[3]) {
    abut_vec3 u = count > 1 ? abut_sub(corner[1], corner[0]) : at, v = count > 2 ? abut_sub(corner[2], corner[0]) : at;
    abut_vec3 way = abut_sub(at, corner[0]);
    weight[0] = 1.0;
    weight[1] = weight[2] = 0.0;
    if (count == 2 && abut_length_squared(u) > 0.0) {
        weight[1] = abut_dot(way, u) / abut_length_squared(u);
    } else if (count == 3) {
        double area = abut_dot(normal, abut_cross(u, v));
        if (area != 0.0) {
            weight[1] = abut_dot(normal, abut_cross(way, v)) / area;
            weight[2] = abut_dot(normal, abut_cross(u, way)) / area;
        }
    }
    weight[0] = 1.0 - weight[1] - weight[2];
}

/* Puts the force of the other body on the static vertices that carry the plane. */
static void add_static(slope *s, int b, bool balanced) {
    const pair_body *body = &s->p->body[b];
    double most = -INFINITY, force = s->force[1 - b], weight[3];
    abut_vec3 corner[3] = {body->vertex[0]}, towards = along_towards(b, s->at.normal);
    int index[3], count = 0;
    for (int i = 0; i < body->count; ++i) {
        most = real_max_number(most, s->at.height[b][i]);
    }
    double slack = balanced ? 64.0 * pair_rounding(s->p) : 0.0;
    for (int i = 0; i < body->count && count < (balanced ? 3 : 1); ++i) {
        if (s->at.height[b][i] >= most - slack) {
            corner[count] = body->vertex[i];
            index[count++] = i;
        }
    }
    /* The point where the other body's force acts, in the directions of the plane. */
    abut_vec3 at = abut_scale((b == PAIR_A ? 1.0 : -1.0) / force, s->by_normal);
    share_force(corner, count, force > 0.0 ? at : corner[0], s->at.normal, weight);
    for (int i = 0; i < count; ++i) {
        s->gradient[b][index[i]] = abut_scale(force * weight[i], towards);
        abut_vec3 part = abut_scale(force * weight[i], corner[i]);
        s->by_normal = b == PAIR_A ? abut_sub(s->by_normal, part) : abut_add(s->by_normal, part);
    }
}

/* ---- normals of features ---- */

/* For n = u x v with u = vertex[to] - vertex[from]: dF / du = v x g, with g = dF / dn. */
static void turn_edge(abut_vec3 *gradient, int from, int to, abut_vec3 pull) {
    gradient[to] = abut_add(gradient[to], pull);
    gradient[from] = abut_sub(gradient[from], pull);
}

/* The face's normal as lanes_set_directions() finds it, with all its digits: needles have few in the pair's coordinates. */
static void turn_by_face(slope *s, int b, int face, abut_vec3 g) {
    int corner[3];
    if (lanes_face(&s->p->body[b], face, corner) != 3) {
        return;
    }
    const abut_vec3 *x = s->p->given[b]->vertex;
    abut_vec3 p = x[corner[0]], q = x[corner[1]], r = x[corner[2]];
    abut_vec3 u = abut_scale(s->p->scale, abut_sub(q, p)), v = abut_scale(s->p->scale, abut_sub(r, p));
    double length = abut_dot(exact_cross_scaled(s->p->scale, p, q, p, r), s->at.normal);
    turn_edge(s->gradient[b], corner[0], corner[1], abut_scale(1.0 / length, abut_cross(v, g)));
    turn_edge(s->gradient[b], corner[0], corner[2], abut_scale(1.0 / length, abut_cross(g, u)));
}

static void turn_by_edges(slope *s, int edge_a, int edge_b, abut_vec3 g) {
    abut_vec3 u = s->p->body[PAIR_A].edge[edge_a], v = s->p->body[PAIR_B].edge[edge_b], across = abut_cross(u, v);
    double length = abut_dot(across, s->at.normal);
    if (!(fabs(length) > 1e-10 * abut_length(u) * abut_length(v))) {
        return; /* parallel edges: the depth has a kink here */
    }
    turn_edge(s->gradient[PAIR_A], pair_edge_ends[edge_a][0], pair_edge_ends[edge_a][1], abut_scale(1.0 / length, abut_cross(v, g)));
    turn_edge(s->gradient[PAIR_B], pair_edge_ends[edge_b][0], pair_edge_ends[edge_b][1], abut_scale(1.0 / length, abut_cross(g, u)));
}

static void add_turning(slope *s, const abut_depth *depth) {
    /* Only the component perpendicular to the normal, which stays unit. */
    abut_vec3 n = s->at.normal, g = abut_add_scaled(s->by_normal, -abut_dot(s->by_normal, n), n);
    switch (depth->direction) {
    case ABUT_DEPTH_BY_FACE_A:
        turn_by_face(s, PAIR_A, depth->feature_a, g);
        break;
    case ABUT_DEPTH_BY_FACE_B:
        turn_by_face(s, PAIR_B, depth->feature_b, g);
        break;
    case ABUT_DEPTH_BY_EDGES:
        turn_by_edges(s, depth->feature_a, depth->feature_b, g);
        break;
    default:
        break;
    }
}

/* ---- all ---- */

/* The data of the result in the pair's units. */
static along recall(const pair *p, const abut_depth *depth) {
    along at = {.normal = depth->normal};
    const abut_vec3 *displacement[2] = {depth->displacement_a, depth->displacement_b};
    double unit = p->scale * p->scale / p->weight;
    at.force[PAIR_A] = depth->volume_force_a * unit;
    at.force[PAIR_B] = depth->volume_force_b * unit;
    for (int b = 0; b < 2; ++b) {
        abut_vec3 towards = along_towards(b, at.normal);
        for (int i = 0; i < p->body[b].count; ++i) {
            at.height[b][i] = abut_dot(towards, p->body[b].vertex[i]);
            at.move[b][i] = p->scale * abut_dot(towards, displacement[b][i]);
            at.pull[b] -= at.move[b][i];
        }
    }
    return at;
}

static bool is_feature(abut_depth_direction direction, int32_t a, int32_t b) {
    bool face_a = direction == ABUT_DEPTH_BY_FACE_A && a >= 0 && a < 4, face_b = direction == ABUT_DEPTH_BY_FACE_B && b >= 0 && b < 4;
    bool edges = direction == ABUT_DEPTH_BY_EDGES && a >= 0 && a < 6 && b >= 0 && b < 6;
    return face_a || face_b || edges;
}

static abut_status check(const char *call, const abut_simplex *a, const abut_simplex *b, const abut_depth_settings *settings,
                         const abut_depth *depth) {
    abut_status status = pair_check(a, b);
    if (status != ABUT_OK) {
        return pair_refuse(status, call, -1, a, b);
    }
    if (pair_check_settings(settings) != ABUT_OK) {
        return pair_refuse_settings(call, settings);
    }
    if (depth->relation != ABUT_DEPTH_INTERSECTING) {
        return ABUT_OK;
    }
    bool free = depth->direction == ABUT_DEPTH_BY_SEARCH || depth->direction == ABUT_DEPTH_BY_CALLER;
    bool sound = fabs(abut_length_squared(depth->normal) - 1.0) < 1e-9 && depth->depth >= 0.0 &&
                 (free || is_feature(depth->direction, depth->feature_a, depth->feature_b));
    return sound ? ABUT_OK
                 : refuse(ABUT_ERROR_INVALID_ARGUMENT, call,
                          "depth is no result of these simplices: its normal, its depth or its features are out of range");
}

static abut_status tell(const slope *s, const abut_depth *depth, abut_vec3 *gradient_a, abut_vec3 *gradient_b) {
    abut_vec3 *gradient[2] = {gradient_a, gradient_b};
    abut_vec3 told[2][4];
    /* dD = dF / (2 D) */
    double factor = depth->depth > 0.0 ? 0.5 * s->p->weight / (depth->depth * s->p->scale) : 0.0;
    for (int b = 0; b < 2; ++b) {
        for (int i = 0; i < s->p->body[b].count; ++i) {
            told[b][i] = abut_scale(factor, s->gradient[b][i]);
            if (!abut_vec3_is_finite(told[b][i])) {
                return ABUT_ERROR_NOT_FINITE;
            }
        }
    }
    for (int b = 0; b < 2; ++b) {
        for (int i = 0; i < s->p->body[b].count; ++i) {
            gradient[b][i] = told[b][i];
        }
    }
    return ABUT_OK;
}

abut_status abut_depth_gradient(const abut_simplex *a, const abut_simplex *b, const abut_depth_settings *settings, const abut_depth *depth,
                                abut_vec3 *gradient_a, abut_vec3 *gradient_b) {
    if (argument_is_null(CALL_NAME, "a", a) || argument_is_null(CALL_NAME, "b", b) || argument_is_null(CALL_NAME, "depth", depth) ||
        argument_is_null(CALL_NAME, "gradient_a", gradient_a) || argument_is_null(CALL_NAME, "gradient_b", gradient_b)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    pair p;
    abut_status status = check(CALL_NAME, a, b, settings, depth);
    if (status != ABUT_OK) {
        return status;
    }
    status = pair_make(a, b, settings, &p);
    if (status != ABUT_OK) {
        return pair_refuse(status, CALL_NAME, -1, a, b);
    }
    slope s = {.p = &p};
    if (depth->relation == ABUT_DEPTH_INTERSECTING) {
        s.at = recall(&p, depth);
        for (int k = 0; k < 2; ++k) {
            if (p.cost[k].share > 0.0) {
                add_body(&s, k);
            }
        }
        for (int k = 0; k < 2; ++k) {
            if (!(p.cost[k].share > 0.0)) {
                add_static(&s, k, depth->direction == ABUT_DEPTH_BY_SEARCH);
            }
        }
        add_turning(&s, depth);
    }
    status = tell(&s, depth, gradient_a, gradient_b);
    return status == ABUT_OK ? ABUT_OK : pair_refuse(status, CALL_NAME, -1, a, b);
}
