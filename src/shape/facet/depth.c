/*
 * The thickness of a body behind each of its facets. A sphere of a large radius reaches far behind its facet: out of the body on the other
 * side, and into bodies there. For two coins side by side, the far sides would touch. Therefore surfaces that overlap by more than half of
 * the body's thickness behind a facet are not in contact. Where the ray leaves through no facet, the thickness is the size of the body.
 */
#include "base/real.h"
#include "shape/facet/mesh.h"
#include "shape/shape.h"

typedef struct look {
    abut_vec3 origin, way; /* from a facet into the body; the end is outside */
    int32_t from;
    int32_t met; /* the facet through which the ray leaves; -1 for none */
    double fraction;
} look;

/* A ray through an edge belongs to both triangles. The thickness is the same for both. */
static void approach(void *context, int32_t index, const abut_triangle *triangle, double *limit) {
    const double rounding = 1e-9;
    look *l = context;
    const abut_vec3 *p = triangle->corner;
    abut_vec3 across = abut_cross(abut_sub(p[1], p[0]), abut_sub(p[2], p[0]));
    double slope = abut_dot(across, l->way), square = abut_length_squared(across);
    if (index == l->from || !(slope > 0.0)) {
        return;
    }
    double fraction = abut_dot(across, abut_sub(p[0], l->origin)) / slope;
    abut_vec3 at = abut_add_scaled(l->origin, fraction, l->way);
    for (int i = 0; i < 3; ++i) {
        abut_vec3 a = p[i], b = p[(i + 1) % 3];
        if (abut_dot(across, abut_cross(abut_sub(b, a), abut_sub(at, a))) < -rounding * square) {
            return;
        }
    }
    if (fraction > 0.0 && fraction < *limit) {
        *limit = l->fraction = fraction;
        l->met = index;
    }
}

/* From the middle of the triangle along its inward normal to the other side, between the tops of both caps. */
static double thickness_behind(const abut_shape *shape, int32_t facet, double far) {
    const facet_side *side = &shape->facets->side[facet];
    const abut_vec3 *p = side->corner, middle = abut_scale(1.0 / 3.0, abut_add(p[0], abut_add(p[1], p[2])));
    look l = {.origin = middle, .way = abut_scale(-far, side->normal), .from = facet, .met = -1};
    trimesh_along(shape->mesh, l.origin, l.way, 1.0, approach, &l);
    if (l.met < 0) {
        return INFINITY;
    }
    const facet_side *other = &shape->facets->side[l.met];
    return l.fraction * far + facet_sagitta(side->radius, side->foot_radius * side->foot_radius) +
           facet_sagitta(other->radius, other->foot_radius * other->foot_radius);
}

void facetmesh_find_depths(abut_shape *shape) {
    facetmesh *facets = shape->facets;
    facets->deepest = 0.0;
    for (int32_t i = 0; i < facets->topology->triangle_count; ++i) {
        facets->side[i].depth = real_min(0.5 * thickness_behind(shape, i, 4.0 * shape->size), facets->reach);
        facets->deepest = real_max(facets->deepest, facets->side[i].depth);
    }
}
