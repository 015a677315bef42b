/* Rays at smooth bodies that are not convex: see ray_curved.h. Shape frame. */
#include "narrow/query/ray_curved.h"

#include "base/real.h"
#include "geom/linear.h"
#include "shape/surface/triangulation_data.h"
#include "shape/trimesh.h"
#include "shape/user.h"

typedef struct crossing_search {
    const abut_shape *shape;
    const triangulation *triangles;
    abut_vec3 origin, along;
    double slack;
    curved_crossing *first;
    bool met;
} crossing_search;

/* ---- candidates ---- */

static double way_to(const crossing_search *of, abut_vec3 point) { return abut_dot(of->along, abut_sub(point, of->origin)); }

/* Whether a ball may be as near to the ray as the surface is to its triangles. */
static bool is_near(void *context, abut_vec3 centre, double radius) {
    const crossing_search *of = context;
    double way = real_max(0.0, way_to(of, centre)), reach = radius + of->triangles->error + of->slack;
    abut_vec3 off = abut_sub(centre, abut_add_scaled(of->origin, way, of->along));
    return abut_length_squared(off) <= reach * reach && !(of->met && way - reach > of->first->way);
}

/* ---- Newton's method ---- */

/* The unknowns: the way along the ray, and the parameters of a parametric surface. */
typedef struct ray_place {
    double way, u, v;
    abut_vec3 normal;
    double miss;
} ray_place;

static bool step_implicit(const crossing_search *of, ray_place *at) {
    const abut_implicit_point here = implicit_at(&of->shape->user->implicit, abut_add_scaled(of->origin, at->way, of->along));
    double slope = abut_dot(here.gradient, of->along);
    at->normal = abut_unit(here.gradient);
    at->miss = fabs(here.value) / abut_length(here.gradient);
    at->way -= here.value / slope;
    return isfinite(at->way);
}

static bool step_parametric(const crossing_search *of, ray_place *at) {
    const smooth_user *user = of->shape->user;
    const abut_parametric_point here = parametric_at(&user->parametric, at->u, at->v);
    abut_vec3 off = abut_sub(abut_add_scaled(of->origin, at->way, of->along), here.s), d = of->along;
    double step[3], rows[12] = {here.su.x, here.sv.x, -d.x, off.x, here.su.y, here.sv.y, -d.y, off.y, here.su.z, here.sv.z, -d.z, off.z};
    at->normal = abut_scale(user->sign, abut_unit(abut_cross(here.su, here.sv)));
    at->miss = abut_length(off);
    if (!linear_solve(3, rows, step)) {
        return false;
    }
    at->u += step[0];
    at->v += step[1];
    at->way += step[2];
    parametric_wrap(&user->parametric, &at->u, &at->v);
    return isfinite(at->way);
}

/* False where the ray meets no surface near the start. */
static bool solve(const crossing_search *of, ray_place *at) {
    enum { MOST_STEPS = 30 };
    bool parametric = of->shape->kind == ABUT_SHAPE_PARAMETRIC;
    const double enough = 1e-13 * of->shape->size, from = at->way, reach = 4.0 * of->triangles->cell;
    for (int i = 0; i < MOST_STEPS; ++i) {
        double before = at->way;
        if (!(parametric ? step_parametric(of, at) : step_implicit(of, at)) || fabs(at->way - from) > reach) {
            return false;
        }
        if (at->miss <= enough && fabs(at->way - before) <= enough) {
            return abut_length_squared(at->normal) > 0.5;
        }
    }
    return false;
}

static bool try_triangle(void *context, int32_t index, const abut_triangle *t) {
    crossing_search *of = context;
    abut_vec3 middle = abut_scale(1.0 / 3.0, abut_add(t->corner[0], abut_add(t->corner[1], t->corner[2])));
    const double *parameters = of->triangles->parameters;
    ray_place at = {.way = way_to(of, middle)};
    if (parameters != NULL) {
        at.u = parameters[2 * index];
        at.v = parameters[2 * index + 1];
    }
    if (solve(of, &at) && at.way >= -of->slack && !(of->met && at.way >= of->first->way)) {
        *of->first = (curved_crossing){real_max(at.way, 0.0), at.normal, index};
        of->met = true;
    }
    return true;
}

bool ray_cross_curved(const abut_shape *shape, abut_vec3 origin, abut_vec3 along, double slack, curved_crossing *first) {
    crossing_search search = {shape, shape->user->triangles, origin, along, slack, first, false};
    (void)trimesh_where(search.triangles->mesh->mesh, is_near, try_triangle, &search);
    return search.met;
}
