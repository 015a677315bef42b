/* Axes along slender triangles: see along.h. */
#include "narrow/mesh/index/along.h"

#include "geom/eigen.h"

static abut_vec3 longest_side(const mesh_triangle *t) {
    abut_vec3 longest = {0.0, 0.0, 0.0};
    for (int i = 0; i < 3; ++i) {
        abut_vec3 side = abut_sub(t->corner[(i + 1) % 3], t->corner[i]);
        longest = abut_length_squared(side) > abut_length_squared(longest) ? side : longest;
    }
    return abut_unit(longest);
}

/* A direction near that which a positive semidefinite matrix stretches most. */
static abut_vec3 stretched_most(sym3 m) {
    enum { ROUNDS = 24 };
    abut_vec3 way = abut_unit(abut_vec3_make(0.6, 0.7, 0.8));
    for (int round = 0; round < ROUNDS; ++round) {
        way = abut_unit(sym3_mul(m, way));
    }
    return way;
}

abut_mat3 mesh_axes_along(mesh_near_triangle *triangle, const void *context, int32_t count) {
    const double most = 0.7; /* of the squared cosines; 0.5 for the two directions of a grid's sides */
    abut_mat3 axes = abut_mat3_identity();
    sym3 sum = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    for (int32_t i = 0; i < count; ++i) {
        sum = sym3_add_outer(sum, 1.0, longest_side(triangle(context, i)));
    }
    abut_vec3 along = stretched_most(sum);
    if (abut_dot(along, sym3_mul(sum, along)) > most * count) {
        axes.z = along;
        abut_tangent_frame(axes.z, &axes.x, &axes.y);
    }
    return axes;
}
