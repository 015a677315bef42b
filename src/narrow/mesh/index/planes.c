/* Planes in a hashed grid over their normal and their height over the origin: see planes.h. */
#include "narrow/mesh/index/planes.h"

#include "narrow/mesh/set.h"

bool mesh_planes_init(mesh_planes *planes, double same, double far, int32_t capacity) {
    /* Normals that are parallel differ by FLAT_SINE. The heights of two points of one plane then differ by `same`, by FLAT_SINE times their
     * distance, and by FLAT_SINE times that of one of them from the origin. */
    const double turn = 1.001 * FLAT_SINE, reach[4] = {turn, turn, turn, 1.001 * (same + 3.0 * FLAT_SINE * far)};
    const double extent[4] = {1.0, 1.0, 1.0, far};
    planes->far = far;
    return cells_init(&planes->in, 4, reach, extent, capacity);
}

void mesh_planes_free(mesh_planes *planes) { cells_free(&planes->in); }

static void set_point(abut_vec3 normal, abut_vec3 point, double at[4]) {
    at[0] = normal.x;
    at[1] = normal.y;
    at[2] = normal.z;
    at[3] = abut_dot(normal, point);
}

void mesh_planes_add(mesh_planes *planes, abut_vec3 normal, abut_vec3 point, int32_t item) {
    double at[4];
    set_point(normal, point, at);
    cells_add(&planes->in, at, item);
}

void mesh_planes_begin(cells_walk *walk, mesh_planes *planes, abut_vec3 normal, abut_vec3 point) {
    double at[4];
    set_point(normal, point, at);
    cells_begin(walk, &planes->in, at);
}
