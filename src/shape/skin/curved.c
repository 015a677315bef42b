/* The skin of a smooth body that is not convex: the triangles of its surface. Only those that bulge are round; saddles and hollows are flat. */
#include <math.h>

#include "shape/facet/saddle.h"
#include "shape/skin/soup.h"
#include "shape/surface/triangulation_data.h"
#include "shape/trimesh.h"
#include "shape/user.h"

/* The matrix of curvatures near a triangle, in the tangent directions u and v. False where there is none. */
static bool curvature_at(const abut_shape *shape, int32_t triangle, abut_vec3 middle, abut_vec3 *u, abut_vec3 *v, double k[3]) {
    const smooth_user *user = shape->user;
    const double *parameters = user->triangles->parameters;
    if (parameters == NULL) {
        const abut_implicit_point at = implicit_at(&user->implicit, middle);
        abut_tangent_frame(abut_unit(at.gradient), u, v);
        implicit_curvature(&at, *u, *v, k);
        return isfinite(k[0] + k[1] + k[2]);
    }
    const abut_parametric_point at = parametric_at(&user->parametric, parameters[2 * triangle], parameters[2 * triangle + 1]);
    abut_vec3 normal = abut_scale(user->sign, abut_unit(abut_cross(at.su, at.sv)));
    abut_tangent_frame(normal, u, v);
    return parametric_curvature(&at, normal, *u, *v, k);
}

void skin_of_curved(const abut_shape *shape, skin_soup *soup) {
    const trimesh *mesh = shape->user->triangles->mesh->mesh;
    for (int32_t i = 0; i < mesh->triangle_count && !soup->out_of_memory; ++i) {
        abut_triangle t;
        abut_vec3 u, v, saddle = {0.0, 0.0, 0.0};
        double k[3];
        trimesh_triangle(mesh, i, &t);
        abut_vec3 middle = abut_scale(1.0 / 3.0, abut_add(t.corner[0], abut_add(t.corner[1], t.corner[2])));
        bool bulges = curvature_at(shape, i, middle, &u, &v, k) && k[0] + k[2] > 0.0 && k[0] * k[2] - k[1] * k[1] >= 0.0;
        saddle = bulges ? facet_saddle_make(0.5 * (k[0] - k[2]), k[1], u, v) : saddle;
        skin_add_saddle(soup, t.corner, bulges ? 2.0 / (k[0] + k[2]) : INFINITY, saddle,
                        (abut_feature){.kind = ABUT_FEATURE_SMOOTH, .index = i});
    }
}
