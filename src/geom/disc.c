/*
 * Integrals over the part of a polygon inside a disc of radius a, for weights that depend only on the distance r from the origin (disc.h).
 *
 * For a weight p let Phi(r) be the integral of p(s) s ds from 0 to r, constant beyond a. In polar coordinates, the integral of p over the
 * polygon is the sum over its sides of the integral of Phi d theta. Because grad Phi = p x, the integral of p x is the sum over the sides
 * of the outward normal times the integral of Phi ds. In both sums we may replace Phi by its difference from the value at the border,
 * K = Phi(a) - Phi, which is 0 outside the disc. Each side then counts with its piece inside the disc, and the first sum gets Phi(a) times
 * the angle of the whole polygon in addition. Let d be the distance of the side's line, s the coordinate along it from the foot,
 * w^2 = a^2 - d^2 and q = sqrt(w^2 - s^2):
 *
 *     weight 1:            K = q^2 / 2
 *     sqrt(1 - r^2/a^2):   K = q^3 / (3 a)
 *     its inverse:         K = a q
 *
 * and d theta = d ds / (d^2 + s^2), d^2 + s^2 = a^2 - q^2. A side that enters the disc may run through the origin within rounding error, or
 * end there; its angle is then arbitrary. We compute this angle from d and s, as the integrals do, so it cancels.
 */
#include "geom/disc.h"

#include <math.h>
#include <stdbool.h>

#include "base/elementary.h"
#include "base/real.h"

/* Integrals along a piece of a side: */
typedef struct along_side {
    double angle, sweep;    /* of d theta; of q d theta */
    double q, square, cube; /* of q, q^2, q^3 ds */
} along_side;

/* The angle from the direction (x0, y0) to (x1, y1), at most half a turn. */
static double angle_between(double x0, double y0, double x1, double y1) { return elementary_atan2(x0 * y1 - x1 * y0, x0 * x1 + y0 * y1); }

static double root(double square) { return sqrt(square > 0.0 ? square : 0.0); }

/* Integrals from s0 to s1, both within -w and w. The antiderivatives are the angles of (d, s), (q, s) and (d q, a s); each difference is
 * one angle. */
static along_side between(double d, double s0, double s1, double a, double w2) {
    double u0 = w2 - s0 * s0, u1 = w2 - s1 * s1, q0 = root(u0), q1 = root(u1), turn = angle_between(q0, s0, q1, s1);
    along_side v;
    v.angle = angle_between(d, s0, d, s1);
    v.sweep = a * angle_between(d * q0, a * s0, d * q1, a * s1) - d * turn;
    v.q = 0.5 * (s1 * q1 - s0 * q0 + w2 * turn);
    v.square = s1 * (w2 - s1 * s1 / 3.0) - s0 * (w2 - s0 * s0 / 3.0);
    v.cube = 0.25 * (s1 * q1 * u1 - s0 * q0 * u0) + 0.75 * w2 * v.q;
    return v;
}

static void add(disc_integral *sum, double whole, double nx, double ny, double border) {
    sum->whole -= whole;
    sum->moment.x -= nx * border;
    sum->moment.y -= ny * border;
}

/* Subtracts the piece of a side inside the disc from the three integrals. d >= 0 is the distance of its line; the origin is on its left if
 * `sign` is 1. */
static void add_inside(disc_integrals *sum, double d, double sign, double s0, double s1, double nx, double ny, double a) {
    double w2 = a * a - d * d, w = root(w2);
    s0 = real_max(s0, -w);
    s1 = real_min(s1, w);
    along_side v = between(d, s0, s1, a, w2);
    /* q^2 d theta = a^2 d theta - d ds, and q^3 d theta = a^2 q d theta - d q ds */
    add(&sum->area, sign * 0.5 * (a * a * v.angle - d * (s1 - s0)), nx, ny, 0.5 * v.square);
    add(&sum->dome, sign * (a * a * v.sweep - d * v.q) / (3.0 * a), nx, ny, v.cube / (3.0 * a));
    add(&sum->brim, sign * a * v.sweep, nx, ny, a * v.q);
}

/* True when a side enters the disc. */
static bool comes_inside(disc_point p, disc_point q, double a) {
    double ux = q.x - p.x, uy = q.y - p.y, square = ux * ux + uy * uy, along = -(p.x * ux + p.y * uy);
    double t = along <= 0.0 ? 0.0 : along >= square ? 1.0 : along / square, x = p.x + t * ux, y = p.y + t * uy;
    return x * x + y * y < a * a;
}

/* The angle of the polygon when all its sides are outside the disc: 2 pi when the origin is inside the polygon, else 0. -1 when a side
 * enters the disc. Most facets that meet are either much larger than the disc or beside it. */
static double angle_outside(const disc_point *corner, int32_t count, double a) {
    bool inside = true;
    for (int32_t i = 0; i < count; ++i) {
        disc_point p = corner[i], q = corner[i + 1 < count ? i + 1 : 0];
        if (comes_inside(p, q, a)) {
            return -1.0;
        }
        inside = inside && p.x * q.y - p.y * q.x >= 0.0;
    }
    return inside ? 2.0 * REAL_PI : 0.0;
}

/* A side of the polygon: unit direction (ux, uy), outward normal (uy, -ux), signed distance of its line from the origin along that normal,
 * and its ends along the line from the foot. */
typedef struct disc_side {
    disc_point p, q;
    double ux, uy, distance, s0, s1;
} disc_side;

/* False for a side without length. */
static bool side_from(const disc_point *corner, int32_t count, int32_t i, disc_side *side) {
    disc_point p = corner[i], q = corner[i + 1 < count ? i + 1 : 0];
    double ux = q.x - p.x, uy = q.y - p.y, length = sqrt(ux * ux + uy * uy);
    if (!(length > 0.0)) {
        return false;
    }
    ux /= length;
    uy /= length;
    double s0 = p.x * ux + p.y * uy;
    *side = (disc_side){.p = p, .q = q, .ux = ux, .uy = uy, .distance = p.x * uy - p.y * ux, .s0 = s0, .s1 = s0 + length};
    return true;
}

disc_integrals disc_integrate(const disc_point *corner, int32_t count, double radius) {
    disc_integrals sum = {{0.0, {0.0, 0.0}}, {0.0, {0.0, 0.0}}, {0.0, {0.0, 0.0}}};
    if (count < 3) {
        return sum;
    }
    double a = radius, whole_angle = angle_outside(corner, count, a);
    bool crossed = whole_angle < 0.0;
    whole_angle = crossed ? 0.0 : whole_angle;
    for (int32_t i = 0; crossed && i < count; ++i) {
        disc_side t;
        if (!side_from(corner, count, i, &t)) {
            continue;
        }
        double d = fabs(t.distance), w2 = a * a - d * d, sign = t.distance < 0.0 ? -1.0 : 1.0;
        if (w2 > 0.0 && t.s1 > -sqrt(w2) && t.s0 < sqrt(w2)) {
            whole_angle += sign * angle_between(d, t.s0, d, t.s1);
            add_inside(&sum, d, sign, t.s0, t.s1, t.uy, -t.ux, a);
        } else {
            whole_angle += angle_between(t.p.x, t.p.y, t.q.x, t.q.y);
        }
    }
    sum.area.whole += 0.5 * a * a * whole_angle;
    sum.dome.whole += a * a / 3.0 * whole_angle;
    sum.brim.whole += a * a * whole_angle;
    return sum;
}

/* The angle between two points of a line, seen from the origin. The points are given along the line from its foot, which is `distance`
 * away. */
static double angle_along(double distance, double from, double to) {
    return elementary_atan2(distance * (to - from), distance * distance + from * to);
}

/* The border of the area consists of the pieces of sides inside the disc and of arcs of the circle. Each piece adds a triangle with the
 * origin, each arc adds a sector. Only sides outside the disc need an angle, and most polygons of fine meshes have none. */
double disc_area(const disc_point *corner, int32_t count, double radius) {
    double triangles = 0.0, sectors = 0.0, a = radius;
    for (int32_t i = 0; i < count && count >= 3; ++i) {
        disc_side t;
        if (!side_from(corner, count, i, &t)) {
            continue;
        }
        double w2 = a * a - t.distance * t.distance, w = sqrt(real_max(w2, 0.0));
        if (!(w2 > 0.0 && t.s1 > -w && t.s0 < w)) {
            sectors += angle_between(t.p.x, t.p.y, t.q.x, t.q.y);
            continue;
        }
        triangles += t.distance * (real_min(t.s1, w) - real_max(t.s0, -w));
        sectors += t.s0 < -w ? angle_along(t.distance, t.s0, -w) : 0.0;
        sectors += t.s1 > w ? angle_along(t.distance, w, t.s1) : 0.0;
    }
    return 0.5 * (triangles + a * a * sectors);
}
