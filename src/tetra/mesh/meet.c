/*
 * Intersection test of two tetrahedra. Most candidates of a hierarchy of boxes do not intersect, and most of those are separated along the
 * line between their middles or by a face. Only the others are measured along all their directions.
 */
#include "tetra/mesh/meet.h"

#include "base/real.h"
#include "tetra/rigid.h"

/* Margin above the rounding error of the products below. For numbers too large or too small to be squared, the quick tests decide nothing. */
static const double doubt = 1e-13;

static double highest(const abut_vec3 v[4], abut_vec3 n) {
    return real_max(real_max(abut_dot(n, v[0]), abut_dot(n, v[1])), real_max(abut_dot(n, v[2]), abut_dot(n, v[3])));
}

static double lowest(const abut_vec3 v[4], abut_vec3 n) {
    return real_min(real_min(abut_dot(n, v[0]), abut_dot(n, v[1])), real_min(abut_dot(n, v[2]), abut_dot(n, v[3])));
}

static double size_of(abut_vec3 v) { return fabs(v.x) + fabs(v.y) + fabs(v.z); }

/* True when q lies beyond a face of p: beyond the plane through `on` with the normal n, on the side opposite to the vertex `inner`. */
static bool beyond_face(const abut_vec3 q[4], abut_vec3 n, abut_vec3 on, abut_vec3 inner, double size) {
    double level = abut_dot(n, on), margin = doubt * size * size_of(n);
    return abut_dot(n, inner) < level ? lowest(q, n) > level + margin : highest(q, n) < level - margin;
}

static bool beyond_some_face(const abut_vec3 p[4], const abut_vec3 q[4], double size) {
    abut_vec3 e = abut_sub(p[1], p[0]), f = abut_sub(p[2], p[0]), g = abut_sub(p[3], p[0]);
    return beyond_face(q, abut_cross(e, f), p[0], p[3], size) || beyond_face(q, abut_cross(f, g), p[0], p[1], size) ||
           beyond_face(q, abut_cross(g, e), p[0], p[2], size) ||
           beyond_face(q, abut_cross(abut_sub(f, e), abut_sub(g, e)), p[1], p[0], size);
}

static abut_vec3 middle_sum(const abut_vec3 v[4]) { return abut_add(abut_add(v[0], v[1]), abut_add(v[2], v[3])); }

static bool clearly_apart(const abut_simplex *a, const abut_simplex *b) {
    abut_vec3 p[4], q[4];
    double size = 0.0;
    for (int i = 0; i < 4; i++) {
        p[i] = abut_sub(a->vertex[i], a->vertex[0]);
        q[i] = abut_sub(b->vertex[i], a->vertex[0]);
        size = real_max(size, real_max(size_of(p[i]), size_of(q[i])));
    }
    abut_vec3 way = abut_sub(middle_sum(q), middle_sum(p));
    return lowest(q, way) > highest(p, way) + doubt * size * size_of(way) || beyond_some_face(p, q, size) || beyond_some_face(q, p, size);
}

bool mesh_elements_intersect(const abut_simplex *a, const abut_simplex *b) {
    if (clearly_apart(a, b)) {
        return false;
    }
    pair p;
    lanes l;
    return pair_make(a, b, NULL, &p) == ABUT_OK && rigid_find(&p, &l).relation == ABUT_DEPTH_INTERSECTING;
}
