/* The thinnest place of a closed mesh: see thickness.h. */
#include "shape/surface/thickness.h"

#include "base/real.h"
#include "geom/closest.h"
#include "shape/shape.h"
#include "shape/trimesh.h"

/* From the middle of one triangle. */
typedef struct across {
    abut_vec3 middle, outward;
    double least;
} across;

static abut_vec3 outward_of(const abut_triangle *t) {
    return abut_unit(abut_cross(abut_sub(t->corner[1], t->corner[0]), abut_sub(t->corner[2], t->corner[0])));
}

static bool look(void *context, int32_t index, const abut_triangle *t) {
    across *c = context;
    (void)index;
    if (!(abut_dot(outward_of(t), c->outward) < 0.0)) {
        return true;
    }
    double weight[3];
    closest_on_triangle(c->middle, t->corner[0], t->corner[1], t->corner[2], weight);
    abut_vec3 there = abut_scale(weight[0], t->corner[0]);
    there = abut_add_scaled(abut_add_scaled(there, weight[1], t->corner[1]), weight[2], t->corner[2]);
    abut_vec3 way = abut_sub(there, c->middle);
    if (abut_dot(way, c->outward) < 0.0) {
        c->least = real_min(c->least, abut_length(way));
    }
    return true;
}

double mesh_thickness(const abut_shape *mesh, double most) {
    const int32_t samples = 2048; /* the thickness changes little from triangle to triangle */
    int32_t stride = mesh->mesh->triangle_count / samples + 1;
    across c = {.least = most};
    for (int32_t i = 0; i < mesh->mesh->triangle_count; i += stride) {
        abut_triangle t;
        trimesh_triangle(mesh->mesh, i, &t);
        c.outward = outward_of(&t);
        c.middle = abut_scale(1.0 / 3.0, abut_add(abut_add(t.corner[0], t.corner[1]), t.corner[2]));
        (void)trimesh_in_ball(mesh->mesh, c.middle, c.least, look, &c);
    }
    return c.least;
}
