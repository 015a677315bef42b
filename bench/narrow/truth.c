/*
 * The true answer for two bodies. The depth is the smallest extent of A - B over all its facets. The distance is the minimum over all pairs
 * of vertex and face, and of edge and edge. Pairs that provably lie farther apart than a pair already seen are skipped: with n the axis of
 * largest separation, two features are at least as far apart as their extents along n. World frame, n from B into A.
 */
#include "truth.h"

#include <float.h>
#include <stdlib.h>

#include "support/check.h"

static oracle_body place(const body *b, abut_pose pose) {
    switch (b->kind) {
    case BODY_SPHERE:
        return oracle_sphere(b->radius, pose);
    case BODY_CAPSULE:
        return oracle_capsule(b->radius, b->half_length, pose);
    case BODY_BOX:
    case BODY_HULL:
        break;
    }
    return oracle_solid(&b->surface, pose);
}

truth truth_make(const body *a, abut_pose pose_a, const body *b, abut_pose pose_b) {
    truth t;
    t.a = place(a, pose_a);
    t.b = place(b, pose_b);
    t.facets = oracle_minkowski(&t.a, &t.b);
    return t;
}

void truth_free(truth *t) {
    oracle_free(&t->a);
    oracle_free(&t->b);
    oracle_free_facets(&t->facets);
}

/* One of two bodies apart: its posed vertices, and their reach towards the other body along the axis. Two features are at least
 * -(reach + reach) apart. */
typedef struct side {
    const oracle_body *body;
    abut_vec3 *vertices;
    double *reach;
    double farthest;
} side;

static side make_side(const oracle_body *body, abut_vec3 shift, abut_vec3 towards) {
    size_t count = (size_t)body->vertex_count;
    side s = {body, check_memory(count, sizeof *s.vertices), check_memory(count, sizeof *s.reach), -DBL_MAX};
    for (int32_t i = 0; i < body->vertex_count; i++) {
        s.vertices[i] = abut_add(body->vertices[i], shift);
        s.reach[i] = abut_dot(towards, s.vertices[i]);
        s.farthest = fmax(s.farthest, s.reach[i]);
    }
    return s;
}

static void free_side(side *s) {
    free(s->vertices);
    free(s->reach);
}

static double edge_reach(const side *s, int32_t edge) {
    const int32_t *v = s->body->edges[edge].vertex;
    return fmax(s->reach[v[0]], s->reach[v[1]]);
}

static double face_distance(const side *s, int32_t face, abut_vec3 p, double reach, double best) {
    const int32_t *loop = s->body->face_vertices + s->body->face_first[face];
    int32_t size = s->body->face_first[face + 1] - s->body->face_first[face];
    double farthest = -DBL_MAX;
    for (int32_t i = 0; i < size; i++) {
        farthest = fmax(farthest, s->reach[loop[i]]);
    }
    for (int32_t i = 1; i + 1 < size && -(reach + farthest) < best; i++) {
        abut_vec3 q = oracle_on_triangle(p, s->vertices[loop[0]], s->vertices[loop[i]], s->vertices[loop[i + 1]]);
        best = fmin(best, abut_distance_between(p, q));
    }
    return best;
}

/* The minimum of `best` and the distances of all vertices of `from` to all vertices, edges and faces of `to`. */
static double vertex_distance(const side *from, const side *to, double best) {
    for (int32_t i = 0; i < from->body->vertex_count; i++) {
        abut_vec3 p = from->vertices[i];
        double reach = from->reach[i];
        if (-(reach + to->farthest) >= best) {
            continue;
        }
        for (int32_t j = 0; j < to->body->vertex_count; j++) {
            best = fmin(best, abut_distance_between(p, to->vertices[j]));
        }
        for (int32_t e = 0; e < to->body->edge_count; e++) {
            const int32_t *v = to->body->edges[e].vertex;
            if (-(reach + edge_reach(to, e)) < best) {
                best = fmin(best, abut_distance_between(p, oracle_on_segment(p, to->vertices[v[0]], to->vertices[v[1]])));
            }
        }
        for (int32_t f = 0; f < to->body->face_count; f++) {
            best = face_distance(to, f, p, reach, best);
        }
    }
    return best;
}

static double edge_distance(const side *a, const side *b, double best) {
    for (int32_t i = 0; i < a->body->edge_count; i++) {
        const int32_t *p = a->body->edges[i].vertex;
        double reach = edge_reach(a, i);
        if (-(reach + b->farthest) >= best) {
            continue;
        }
        for (int32_t j = 0; j < b->body->edge_count; j++) {
            const int32_t *q = b->body->edges[j].vertex;
            if (-(reach + edge_reach(b, j)) < best) {
                best = fmin(best, oracle_segment_distance(a->vertices[p[0]], a->vertices[p[1]], b->vertices[q[0]], b->vertices[q[1]]));
            }
        }
    }
    return best;
}

/* For the bodies without their radii. */
static double core_distance(const truth *t, abut_vec3 shift, abut_vec3 axis) {
    side a = make_side(&t->a, shift, abut_neg(axis)), b = make_side(&t->b, abut_vec3_make(0, 0, 0), axis);
    double best = vertex_distance(&a, &b, DBL_MAX);
    best = vertex_distance(&b, &a, best);
    best = edge_distance(&a, &b, best);
    free_side(&a);
    free_side(&b);
    return best;
}

/* The bound by facets: the separation when the bodies without radii overlap, else a lower bound. Pairs of spheres and capsules have no
 * useful facets. */
static oracle_axis facet_axis(const truth *t, abut_vec3 shift) {
    oracle_axis axis = {-DBL_MAX, {0, 0, 0}, -1};
    return t->a.face_count > 0 || t->b.face_count > 0 ? oracle_separation(&t->facets, shift) : axis;
}

static double separation_along(const truth *t, abut_vec3 shift, oracle_axis axis) {
    double radius = t->a.radius + t->b.radius;
    if (axis.facet >= 0 && axis.separation + radius <= 0.0) {
        return axis.separation;
    }
    return core_distance(t, shift, axis.normal) - radius;
}

double truth_separation(const truth *t, abut_vec3 shift) { return separation_along(t, shift, facet_axis(t, shift)); }

/* When the separation exceeds the target, a lower bound may be returned instead, which is cheaper: the bound by facets often decides
 * without the distance. */
static double separation_or_bound(const truth *t, abut_vec3 shift, double target) {
    oracle_axis axis = facet_axis(t, shift);
    return axis.separation > target ? axis.separation : separation_along(t, shift, axis);
}

double truth_place(const truth *t, abut_vec3 direction, double target) {
    double near = 0.0, far = 1.0;
    while (separation_or_bound(t, abut_scale(far, direction), target) <= target) {
        near = far;
        far *= 2.0;
    }
    for (;;) {
        double way = 0.5 * (near + far), separation = separation_or_bound(t, abut_scale(way, direction), target);
        if (fabs(separation - target) <= 1e-3 * fabs(target) || way == near || way == far) {
            return way;
        }
        if (separation > target) {
            far = way;
        } else {
            near = way;
        }
    }
}
