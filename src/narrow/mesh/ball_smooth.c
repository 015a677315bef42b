/*
 * The place of a triangle's smooth surface whose normal goes through the centre of a ball: see ball_smooth.h. With x and m of shape/edges/mesh_smooth.h this is
 * x(w) x m(w) = 0, two equations for two weights, by Newton's method.
 */
#include "narrow/mesh/ball_smooth.h"

#include "base/real.h"
#include "shape/edges/mesh_smooth.h"

typedef struct smooth_patch {
    abut_vec3 corner[3], normal[3];
    double rise[3][3];   /* of corner k over the tangent plane of corner i */
    abut_vec3 across[2]; /* two directions in the triangle's plane */
} smooth_patch;

static smooth_patch patch_of(const placed_mesh *mesh, const mesh_triangle *t) {
    smooth_patch s;
    const abut_vec3 *normal = &mesh->mesh->smooth->normal[3 * (size_t)t->index];
    for (int i = 0; i < 3; ++i) {
        s.corner[i] = t->corner[i];
        s.normal[i] = mesh->aligned ? normal[i] : abut_mat3_apply(mesh->rotation, normal[i]);
    }
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            s.rise[i][k] = abut_dot(abut_sub(s.corner[k], s.corner[i]), s.normal[i]);
        }
    }
    s.across[0] = abut_unit(abut_sub(s.corner[1], s.corner[0]));
    s.across[1] = abut_cross(t->normal, s.across[0]);
    return s;
}

/* ---- the surface ---- */

/* The rise of the triangle's point over the tangent plane of corner i. */
static double rise_at(const smooth_patch *s, const double w[3], int i) {
    return w[0] * s->rise[i][0] + w[1] * s->rise[i][1] + w[2] * s->rise[i][2];
}

static abut_vec3 weighed(const abut_vec3 v[3], const double w[3]) {
    return abut_add_scaled(abut_add_scaled(abut_scale(w[0], v[0]), w[1], v[1]), w[2], v[2]);
}

static abut_vec3 point_at(const smooth_patch *s, const double w[3]) {
    abut_vec3 x = weighed(s->corner, w);
    for (int i = 0; i < 3; ++i) {
        x = abut_add_scaled(x, -0.5 * w[i] * rise_at(s, w, i), s->normal[i]);
    }
    return x;
}

/* Derivative of the point by the weight k, the others fixed. */
static abut_vec3 point_by(const smooth_patch *s, const double w[3], int k) {
    abut_vec3 by = abut_add_scaled(s->corner[k], -0.5 * rise_at(s, w, k), s->normal[k]);
    for (int i = 0; i < 3; ++i) {
        by = abut_add_scaled(by, -0.5 * w[i] * s->rise[i][k], s->normal[i]);
    }
    return by;
}

/* ---- the search ---- */

/* Derivative of x x m along the way from corner 0 to corner k. */
static abut_vec3 product_by(const smooth_patch *s, const double w[3], int k, abut_vec3 x, abut_vec3 m) {
    abut_vec3 x_by = abut_sub(point_by(s, w, k), point_by(s, w, 0)), m_by = abut_sub(s->normal[k], s->normal[0]);
    return abut_add(abut_cross(x_by, m), abut_cross(x, m_by));
}

/* A step of Newton's method. False where the equations have no single solution, as in the centre of a sphere's curvature. */
static bool step(const smooth_patch *s, const double w[3], double to[2]) {
    abut_vec3 x = point_at(s, w), m = weighed(s->normal, w), f = abut_cross(x, m);
    abut_vec3 u = product_by(s, w, 1, x, m), v = product_by(s, w, 2, x, m);
    const abut_vec3 *e = s->across;
    double a = abut_dot(u, e[0]), b = abut_dot(v, e[0]), c = abut_dot(u, e[1]), d = abut_dot(v, e[1]);
    double p = abut_dot(f, e[0]), q = abut_dot(f, e[1]), det = a * d - b * c;
    const double singular = 1e-12;
    if (!(fabs(det) > singular * (fabs(a * d) + fabs(b * c)))) {
        return false;
    }
    to[0] = (b * q - d * p) / det;
    to[1] = (c * p - a * q) / det;
    return isfinite(to[0]) && isfinite(to[1]);
}

/* w: at first the triangle's closest point. False when the search does not converge. */
static bool search(const smooth_patch *s, double w[3]) {
    enum { MOST_STEPS = 24 };
    const double longest = 1.0, done = 1e-14, doubt = 1e-9;
    double size = INFINITY;
    for (int i = 0; i < MOST_STEPS && size > done; ++i) {
        double by[2];
        if (!step(s, w, by)) {
            return false;
        }
        size = real_max(fabs(by[0]), fabs(by[1]));
        double part = size > longest ? longest / size : 1.0;
        w[1] += part * by[0];
        w[2] += part * by[1];
        w[0] = 1.0 - w[1] - w[2];
    }
    return size <= doubt;
}

/* ---- the answer ---- */

/* Beyond which kinds of sides the weights lie. The side opposite to a corner is the next corner's. */
static smooth_answer answer_of(unsigned sides, const double w[3]) {
    const double outside = 1e-9; /* weights of the same place from both sides of an edge */
    bool smooth = false, sharp = false;
    for (int i = 0; i < 3; ++i) {
        bool is_smooth = (sides >> (i + 1) % 3 & 1U) != 0;
        smooth = smooth || (w[i] < -outside && is_smooth);
        sharp = sharp || (w[i] < -outside && !is_smooth);
    }
    return smooth && sharp ? SMOOTH_BOTH : smooth ? SMOOTH_BEYOND : sharp ? SMOOTH_BORDER : SMOOTH_TOUCHES;
}

static void clip(double w[3]) {
    double sum = 0.0;
    for (int i = 0; i < 3; ++i) {
        w[i] = real_max(w[i], 0.0);
        sum += w[i];
    }
    for (int i = 0; i < 3; ++i) {
        w[i] /= sum;
    }
}

smooth_answer ball_smooth_find(const placed_mesh *mesh, const mesh_triangle *t, smooth_foot *foot) {
    const mesh_smooth *smooth = mesh->mesh->smooth;
    if (smooth == NULL || t->flat || smooth->sides[t->index] == 0) {
        return SMOOTH_NONE;
    }
    smooth_patch s = patch_of(mesh, t);
    double w[3];
    (void)mesh_set_closest(t, abut_vec3_make(0.0, 0.0, 0.0), w);
    if (!search(&s, w)) {
        return SMOOTH_NOWHERE;
    }
    smooth_answer answer = answer_of(smooth->sides[t->index], w);
    clip(w);
    foot->point = point_at(&s, w);
    foot->normal = abut_unit(weighed(s.normal, w));
    foot->height = -abut_dot(foot->normal, foot->point);
    return answer;
}

bool ball_smooth_joins(const placed_mesh *mesh, const mesh_triangle *t, int place, bool is_edge) {
    unsigned sides = mesh->mesh->smooth->sides[t->index];
    bool first = (sides >> place & 1U) != 0, other = (sides >> (place + 2) % 3 & 1U) != 0;
    return first && (is_edge || other);
}
