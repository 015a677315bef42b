/* The reach of rounded triangles: of the piece of the encompassing sphere above the triangle, and of the whole cap above the circle of its
 * corners. */
#include "base/real.h"
#include "shape/bounds.h"
#include "shape/facet/mesh.h"
#include "shape/shape.h"

/* ---- the cap ---- */

/* The sphere's pole if it lies on the cap, else the rim. n: component of the normal along the direction. */
static double cap_reach(const facet_side *side, double centre, double foot, double n) {
    return n * side->radius >= side->height ? centre + side->radius : foot + side->foot_radius * sqrt(real_max(1.0 - n * n, 0.0));
}

abut_aabb facet_cap_bounds(const facet_side *side) {
    abut_aabb box = bounds_of_points(side->corner, 3);
    if (!(side->radius < INFINITY)) {
        return box;
    }
    const abut_vec3 *c = &side->centre, *f = &side->foot, *n = &side->normal;
    abut_aabb cap = {{-cap_reach(side, -c->x, -f->x, -n->x), -cap_reach(side, -c->y, -f->y, -n->y), -cap_reach(side, -c->z, -f->z, -n->z)},
                     {cap_reach(side, c->x, f->x, n->x), cap_reach(side, c->y, f->y, n->y), cap_reach(side, c->z, f->z, n->z)}};
    return bounds_join(box, cap);
}

/* A cap lies inside its sphere, and inside the ball about the circle of its corners. */
double facetmesh_reach_from(const facetmesh *facets, abut_vec3 point) {
    double reach = 0.0;
    for (int32_t i = 0; i < facets->topology->triangle_count; ++i) {
        const facet_side *side = &facets->side[i];
        double within = abut_distance_between(point, side->foot) + side->foot_radius,
               of_sphere = abut_distance_between(point, side->centre) + side->radius;
        reach = real_max(reach, real_min(within, of_sphere));
    }
    return reach;
}

double facetmesh_find_highest(const facetmesh *facets) {
    double highest = 0.0;
    for (int32_t i = 0; i < facets->topology->triangle_count; ++i) {
        const facet_side *side = &facets->side[i];
        highest = real_max(highest, facet_sagitta(side->radius, side->foot_radius * side->foot_radius));
    }
    return highest;
}

double facetmesh_overhang(const abut_shape *shape) {
    bool exact = shape->kind == ABUT_SHAPE_SPHERE || shape->kind == ABUT_SHAPE_PLANE || shape->kind == ABUT_SHAPE_BOX ||
                 shape->kind == ABUT_SHAPE_POLYTOPE || shape->kind == ABUT_SHAPE_TRIMESH;
    const abut_shape *skin;
    return exact ? 0.0 : facetmesh_skin_of(shape, &skin) == ABUT_OK ? skin->facets->highest : INFINITY;
}

/* ---- the piece over the triangle ---- */

/* The reach of the arc above an edge, in the plane through the edge along the normal. */
static double arc_reach(const facet_side *side, abut_vec3 p, abut_vec3 q, abut_vec3 d) {
    abut_vec3 along = abut_sub(q, p), across = abut_unit(abut_cross(along, side->normal));
    double off = abut_dot(across, abut_sub(p, side->centre)), square = side->radius * side->radius - off * off;
    abut_vec3 centre = abut_add_scaled(side->centre, off, across), way = abut_unit(abut_add_scaled(d, -abut_dot(d, across), across));
    abut_vec3 pole = abut_add_scaled(centre, sqrt(real_max(square, 0.0)), way);
    double t = abut_dot(abut_sub(pole, p), along);
    bool on_arc = t >= 0.0 && t <= abut_length_squared(along) && abut_dot(abut_sub(pole, p), side->normal) >= 0.0;
    return on_arc ? abut_dot(d, pole) : -INFINITY;
}

static bool is_over(const facet_side *side, abut_vec3 point) {
    bool over = abut_dot(abut_sub(point, side->corner[0]), side->normal) >= 0.0;
    for (int i = 0; i < 3; ++i) {
        abut_vec3 p = side->corner[i], q = side->corner[(i + 1) % 3];
        over = over && abut_dot(abut_cross(side->normal, abut_sub(q, p)), abut_sub(point, p)) >= 0.0;
    }
    return over;
}

double facet_reach(const facet_side *side, abut_vec3 d) {
    const abut_vec3 *p = side->corner;
    double reach = real_max(abut_dot(d, p[0]), real_max(abut_dot(d, p[1]), abut_dot(d, p[2])));
    if (!(side->radius < INFINITY)) {
        return reach;
    }
    abut_vec3 pole = abut_add_scaled(side->centre, side->radius, d);
    if (is_over(side, pole)) {
        return abut_dot(d, pole);
    }
    for (int i = 0; i < 3; ++i) {
        reach = real_max(reach, arc_reach(side, p[i], p[(i + 1) % 3], d));
    }
    return reach;
}
