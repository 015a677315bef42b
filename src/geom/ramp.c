/* Integrals of a linear function over a polygon: see ramp.h. The part where the function is positive is cut into triangles from its first corner, over which
 * polynomials of the second degree have exact rules. */
#include "geom/ramp.h"

#include "base/real.h"

typedef struct ramp_corner {
    disc_point at;
    double value;
    double sign; /* of the side to the next corner */
} ramp_corner;

static ramp_corner crossing(const ramp_corner *p, const ramp_corner *q, double sign) {
    double t = p->value / (p->value - q->value);
    return (ramp_corner){{p->at.x + t * (q->at.x - p->at.x), p->at.y + t * (q->at.y - p->at.y)}, 0.0, sign};
}

/* Keeps the part where the function is positive. Its new side has the value 0, so its sign does not matter. */
static int32_t cut(const ramp_corner *corner, int32_t count, ramp_corner *part) {
    int32_t kept = 0;
    for (int32_t i = 0; i < count; ++i) {
        const ramp_corner *p = &corner[i], *q = &corner[i + 1 < count ? i + 1 : 0];
        if (p->value > 0.0) {
            part[kept++] = *p;
        }
        if ((p->value > 0.0) != (q->value > 0.0)) {
            part[kept++] = crossing(p, q, p->sign);
        }
    }
    return kept;
}

static void add_triangle(const ramp_corner *p, const ramp_corner *q, const ramp_corner *r, ramp_integrals *sum) {
    double area = 0.5 * ((q->at.x - p->at.x) * (r->at.y - p->at.y) - (q->at.y - p->at.y) * (r->at.x - p->at.x));
    double a = p->value, b = q->value, c = r->value, all = a + b + c, twelfth = area / 12.0;
    sum->area += area;
    sum->whole += area / 3.0 * all;
    sum->moment.x += twelfth * (p->at.x * (all + a) + q->at.x * (all + b) + r->at.x * (all + c));
    sum->moment.y += twelfth * (p->at.y * (all + a) + q->at.y * (all + b) + r->at.y * (all + c));
    sum->square += twelfth * (all * all + a * a + b * b + c * c);
}

static void add_side(const ramp_corner *p, const ramp_corner *q, ramp_integrals *sum) {
    double a = p->value, b = q->value, dx = q->at.x - p->at.x, dy = q->at.y - p->at.y;
    double whole = p->sign * (a * a + a * b + b * b) / 3.0, later = p->sign * (a * a + 2.0 * a * b + 3.0 * b * b) / 12.0;
    sum->push.x += whole * dy;
    sum->push.y -= whole * dx;
    /* The position on the side is p + t d, and its cross product with (d_y, -d_x) is -(p . d) - t d^2. */
    sum->twist -= whole * (p->at.x * dx + p->at.y * dy) + later * (dx * dx + dy * dy);
}

ramp_integrals ramp_integrate(const disc_point *corner, int32_t count, uint32_t minus, ramp f) {
    ramp_corner all[RAMP_CORNERS], part[2 * RAMP_CORNERS];
    ramp_integrals sum = {.largest = -INFINITY};
    for (int32_t i = 0; i < count; ++i) {
        double value = f.value + f.slope.x * corner[i].x + f.slope.y * corner[i].y;
        all[i] = (ramp_corner){corner[i], value, (minus >> i & 1U) != 0U ? -1.0 : 1.0};
        sum.largest = real_max(sum.largest, value);
    }
    int32_t kept = cut(all, count, part);
    for (int32_t i = 2; i < kept; ++i) {
        add_triangle(&part[0], &part[i - 1], &part[i], &sum);
    }
    for (int32_t i = 0; i < kept; ++i) {
        add_side(&part[i], &part[i + 1 < kept ? i + 1 : 0], &sum);
    }
    return sum;
}
