/*
 * Whether two triangles share a point, by signs of determinants that are exact (orient.h). In general position: each has corners on both
 * sides of the other's plane, and the two intervals on the line of both planes overlap (P. Guigue and O. Devillers, "Fast and robust
 * triangle-triangle overlap test using orientation predicates", 2003). In any other position they share a point only if an edge of one
 * shares a point with the other.
 */
#include "geom/triangles_meet.h"

#include <math.h>

#include "base/real.h"
#include "geom/orient.h"

/* ---- scale ---- */

static double largest(const abut_vec3 p[3]) {
    double most = 0.0;
    for (int i = 0; i < 3; ++i) {
        most = real_max(most, real_max(fabs(p[i].x), real_max(fabs(p[i].y), fabs(p[i].z))));
    }
    return most;
}

static double scaled(double x, double scale) {
    const double least = 0x1p-280; /* products of three differences do not underflow */
    double y = x * scale;
    return fabs(y) < least ? 0.0 : y;
}

static void scale_corners(const abut_vec3 p[3], double scale, abut_vec3 to[3]) {
    for (int i = 0; i < 3; ++i) {
        to[i] = abut_vec3_make(scaled(p[i].x, scale), scaled(p[i].y, scale), scaled(p[i].z, scale));
    }
}

double triangles_scaled(const abut_vec3 p[3], const abut_vec3 q[3], abut_vec3 scaled_p[3], abut_vec3 scaled_q[3]) {
    double most = real_max(largest(p), largest(q)), unit = 1.0;
    if (most > 0x1p20 || (most < 0x1p-20 && most > 0.0)) {
        int exponent;
        (void)frexp(real_max(most, 0x1p-1000), &exponent);
        unit = ldexp(1.0, exponent > 1000 ? 1000 : exponent);
    }
    scale_corners(p, 1.0 / unit, scaled_p);
    scale_corners(q, 1.0 / unit, scaled_q);
    return unit;
}

/* ---- bounds ---- */

static bool are_apart_along(const double *p, const double *q) {
    double p_low = real_min(p[0], real_min(p[3], p[6])), p_high = real_max(p[0], real_max(p[3], p[6]));
    double q_low = real_min(q[0], real_min(q[3], q[6])), q_high = real_max(q[0], real_max(q[3], q[6]));
    return p_low > q_high || q_low > p_high;
}

static bool boxes_are_apart(const abut_vec3 p[3], const abut_vec3 q[3]) {
    return are_apart_along(&p[0].x, &q[0].x) || are_apart_along(&p[0].y, &q[0].y) || are_apart_along(&p[0].z, &q[0].z);
}

/* ---- general position ---- */

/* Signs of the corners of a triangle over a plane, and how many are above and below. */
typedef struct sides {
    int sign[3];
    int above, below;
} sides;

static sides sides_of(const abut_vec3 p[3], const abut_vec3 plane[3]) {
    sides s = {{0, 0, 0}, 0, 0};
    for (int i = 0; i < 3; ++i) {
        s.sign[i] = orient_side(plane[0], plane[1], plane[2], p[i]);
        s.above += s.sign[i] > 0;
        s.below += s.sign[i] < 0;
    }
    return s;
}

/* The corner alone on its side of the plane; of two the one above. */
static int lonely(const sides *s) {
    int sign = s->above == 1 ? 1 : -1, i = 0;
    while (s->sign[i] != sign) {
        i++;
    }
    return i;
}

/* Both triangles have corners on both sides of the other's plane. The interval of each on the common line runs from the edge of its lonely
 * corner to the next one to that to the previous one. Each triangle is turned round so that the lonely corner of the other is above it. */
static triangles_relation compare_intervals(const abut_vec3 p[3], const sides *p_sides, const abut_vec3 q[3], const sides *q_sides) {
    int i = lonely(p_sides), k = lonely(q_sides);
    bool turn_p = q_sides->sign[k] < 0, turn_q = p_sides->sign[i] < 0;
    abut_vec3 p0 = p[i], p1 = p[(i + (turn_p ? 2 : 1)) % 3], p2 = p[(i + (turn_p ? 1 : 2)) % 3];
    abut_vec3 q0 = q[k], q1 = q[(k + (turn_q ? 2 : 1)) % 3], q2 = q[(k + (turn_q ? 1 : 2)) % 3];
    int first = orient_side(p0, p1, q0, q1), second = orient_side(p0, p2, q2, q0);
    if (first > 0 || second > 0) {
        return TRIANGLES_APART;
    }
    return first < 0 && second < 0 ? TRIANGLES_CROSS : TRIANGLES_TOUCH;
}

/* ---- segments in any position ---- */

static bool intervals_meet(const double *a, const double *b, const double *c, const double *d) {
    for (int i = 0; i < 3; ++i) {
        if (real_max(a[i], b[i]) < real_min(c[i], d[i]) || real_max(c[i], d[i]) < real_min(a[i], b[i])) {
            return false;
        }
    }
    return true;
}

/* Two segments, or points. In one plane: seen along an axis from which the plane is not edge-on; on one line: by their intervals. */
static bool segments_meet(abut_vec3 a, abut_vec3 b, abut_vec3 c, abut_vec3 d) {
    if (!intervals_meet(&a.x, &b.x, &c.x, &d.x) || orient_side(a, b, c, d) != 0) {
        return false;
    }
    for (int axis = 0; axis < 3; ++axis) {
        int of_c = orient_turn(a, b, c, axis), of_d = orient_turn(a, b, d, axis);
        int of_a = orient_turn(c, d, a, axis), of_b = orient_turn(c, d, b, axis);
        if (of_a != 0 || of_b != 0 || of_c != 0 || of_d != 0) {
            return of_a * of_b <= 0 && of_c * of_d <= 0;
        }
    }
    return true;
}

/* A point in the plane of a triangle. False for a triangle without a face. */
static bool face_holds(const abut_vec3 t[3], abut_vec3 point) {
    for (int axis = 0; axis < 3; ++axis) {
        int whole = orient_turn(t[0], t[1], t[2], axis);
        if (whole != 0) {
            return orient_turn(t[0], t[1], point, axis) * whole >= 0 && orient_turn(t[1], t[2], point, axis) * whole >= 0 &&
                   orient_turn(t[2], t[0], point, axis) * whole >= 0;
        }
    }
    return false;
}

/* How a segment whose ends are not both in the plane goes through a triangle: through its face (1), through its border (0), or not (-1). */
static int passage(abut_vec3 a, abut_vec3 b, const abut_vec3 t[3]) {
    int least = 1, most = -1;
    for (int i = 0; i < 3; ++i) {
        int side = orient_side(a, b, t[i], t[(i + 1) % 3]);
        least = side < least ? side : least;
        most = side > most ? side : most;
    }
    return least < 0 && most > 0 ? -1 : least == most && least != 0 ? 1 : 0;
}

/* An edge of P against the triangle Q. */
static triangles_relation edge_meets(const abut_vec3 p[3], const sides *s, int i, const abut_vec3 q[3]) {
    int next = (i + 1) % 3;
    abut_vec3 a = p[i], b = p[next];
    if (s->sign[i] * s->sign[next] > 0) {
        return TRIANGLES_APART;
    }
    if (s->sign[i] != s->sign[next]) {
        int through = passage(a, b, q);
        bool both = s->sign[i] * s->sign[next] < 0;
        return through < 0 ? TRIANGLES_APART : through > 0 && both ? TRIANGLES_CROSS : TRIANGLES_TOUCH;
    }
    bool meets = face_holds(q, a);
    for (int k = 0; k < 3 && !meets; ++k) {
        meets = segments_meet(a, b, q[k], q[(k + 1) % 3]);
    }
    return meets ? TRIANGLES_TOUCH : TRIANGLES_APART;
}

static bool is_segment(const abut_vec3 p[3]) {
    return orient_turn(p[0], p[1], p[2], 0) == 0 && orient_turn(p[0], p[1], p[2], 1) == 0 && orient_turn(p[0], p[1], p[2], 2) == 0;
}

/* Any position. A triangle that is a segment may go through a face. Otherwise one triangle is on one side of the other's plane, and they
 * touch at most. */
static triangles_relation compare_edges(const abut_vec3 p[3], const sides *p_sides, const abut_vec3 q[3], const sides *q_sides) {
    triangles_relation relation = TRIANGLES_APART;
    for (int i = 0; i < 3; ++i) {
        triangles_relation of_p = edge_meets(p, p_sides, i, q), of_q = edge_meets(q, q_sides, i, p);
        if ((of_p == TRIANGLES_CROSS && is_segment(p)) || (of_q == TRIANGLES_CROSS && is_segment(q))) {
            return TRIANGLES_CROSS;
        }
        relation = of_p != TRIANGLES_APART || of_q != TRIANGLES_APART ? TRIANGLES_TOUCH : relation;
    }
    return relation;
}

/* ---- any two triangles ---- */

triangles_relation triangles_meet_scaled(const abut_vec3 p[3], const abut_vec3 q[3]) {
    if (boxes_are_apart(p, q)) {
        return TRIANGLES_APART;
    }
    sides p_sides = sides_of(p, q);
    if (p_sides.above == 3 || p_sides.below == 3) {
        return TRIANGLES_APART;
    }
    sides q_sides = sides_of(q, p);
    if (q_sides.above == 3 || q_sides.below == 3) {
        return TRIANGLES_APART;
    }
    bool general = p_sides.above > 0 && p_sides.below > 0 && q_sides.above > 0 && q_sides.below > 0;
    return general ? compare_intervals(p, &p_sides, q, &q_sides) : compare_edges(p, &p_sides, q, &q_sides);
}

triangles_relation triangles_meet(const abut_vec3 p[3], const abut_vec3 q[3]) {
    abut_vec3 a[3], b[3];
    triangles_scaled(p, q, a, b);
    return triangles_meet_scaled(a, b);
}
