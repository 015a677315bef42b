/*
 * The gap of two curved facets as a quadratic function over their contact plane. The sphere of a facet has its mean curvature and passes through its corners.
 * The surface itself also has a saddle, which vanishes at the corners. Over the triangle with the barycentric coordinates l_i it is
 *
 *     1/2 sum over the sides ij of l_i l_j e_ij' S e_ij,
 *
 * where S is the matrix of the saddle and e_ij a side: that is the quadratic function with the second derivative -S that is 0 at the corners. The gap of both
 * surfaces is the gap of the spheres minus both saddles. Its least value and the place of it, the summit, are those of the disc of contact; its second
 * derivative gives the shape of the disc (H. Hertz, 1881). All pairs of facets of two quadrics find the same summit.
 */
#include "narrow/facet/quadric.h"

#include "base/real.h"
#include "shape/facet/saddle.h"

/* The largest part of the mean curvature that a saddle may have: principal curvatures then have the ratio 1/100. Discs of surfaces that differ by more, or
 * that are no longer convex to each other, are as slender as that. */
#define MOST_SADDLE (99.0 / 101.0)

/* xx x^2 / 2 + xy x y - xx y^2 / 2 + x along x + y along y + level */
typedef struct quadric {
    double xx, xy, x, y, level;
} quadric;

/* Adds what the saddle of a facet adds to the gap. */
static void add_saddle(const facet_side *side, abut_vec3 centre, abut_vec3 u, abut_vec3 v, quadric *q) {
    double size = abut_length(side->saddle);
    if (!(size > 0.0)) {
        return;
    }
    const abut_vec3 *corner = side->corner;
    abut_vec3 slope = {0.0, 0.0, 0.0};
    double height = 0.0, twice_area = abut_length(abut_cross(abut_sub(corner[1], corner[0]), abut_sub(corner[2], corner[0])));
    for (int k = 0; k < 3; ++k) {
        const abut_vec3 edge = abut_sub(corner[(k + 2) % 3], corner[(k + 1) % 3]);
        const double along = abut_dot(side->saddle, edge), square = 2.0 * along * (along / size) - size * abut_length_squared(edge);
        height += square / 18.0;
        slope = abut_add_scaled(slope, -square / (6.0 * twice_area), abut_cross(side->normal, edge));
    }
    /* Around the middle of the triangle, at m: height + slope . (z - m) - 1/2 (z - m)' S (z - m). */
    const abut_vec3 middle = abut_scale(1.0 / 3.0, abut_add(abut_add(corner[0], corner[1]), corner[2])), way = abut_sub(middle, centre);
    const double mx = abut_dot(u, way), my = abut_dot(v, way), sx = abut_dot(u, slope), sy = abut_dot(v, slope);
    double xx, xy;
    facet_saddle_split(side->saddle, u, v, &xx, &xy);
    q->xx += xx;
    q->xy += xy;
    q->x -= xx * mx + xy * my + sx;
    q->y -= xy * mx - xx * my + sy;
    q->level += 0.5 * (xx * (mx * mx - my * my)) + xy * mx * my + sx * mx + sy * my - height;
}

void facet_fit_quadric(const facet_side *a, const facet_side *b, abut_facet_contact *c) {
    if (facet_is_round(a) && facet_is_round(b)) {
        return;
    }
    abut_vec3 u, v;
    abut_tangent_frame(c->normal, &u, &v);
    quadric q = {.level = 0.0};
    add_saddle(a, c->centre, u, v, &q);
    add_saddle(b, c->centre, u, v, &q);
    const double mean = 1.0 / c->radius, size = abut_length(abut_vec3_make(q.xx, q.xy, 0.0));
    if (!(size > 0.0)) {
        return; /* both saddles cancel */
    }
    const double part = size > MOST_SADDLE * mean ? MOST_SADDLE * mean / size : 1.0;
    const double xx = part * q.xx, xy = part * q.xy, x = part * q.x, y = part * q.y;
    /* The summit is where the gap has no slope. In units of the mean radius. */
    const double r = c->radius, p = r * xx, s = r * xy, determinant = (1.0 - p) * (1.0 + p) - s * s;
    const double zx = -r * ((1.0 - p) * x - s * y) / determinant, zy = -r * ((1.0 + p) * y - s * x) / determinant;
    c->saddle = facet_saddle_make(xx, xy, u, v);
    c->summit = abut_add(c->centre, abut_add(abut_scale(zx, u), abut_scale(zy, v)));
    c->summit_gap = c->sphere_gap + part * q.level + 0.5 * (x * zx + y * zy);
}
