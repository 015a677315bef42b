/* The cone of normals of a triangle surface at a point of one of its triangles. Set frame; normals point out of the surface. */
#include "narrow/mesh/convex/cone.h"

#define SAME_DIRECTION 0.017452406437283512 /* sine of one degree: a normal closer than this to the triangle's counts as the triangle's */

bool mesh_cone_is_behind(const mesh_triangle *t, abut_vec3 normal) {
    return !t->two_sided && abut_dot(normal, t->normal) < -SAME_DIRECTION;
}

bool mesh_cone_is_own(const mesh_triangle *t, abut_vec3 normal) {
    return abut_dot(normal, t->normal) > 0.0 && abut_length_squared(abut_cross(normal, t->normal)) <= SAME_DIRECTION * SAME_DIRECTION;
}

bool mesh_cone_admits(const mesh_set *set, mesh_near *near, abut_vec3 p, abut_vec3 normal, double same) {
    if (near->risen >= 0 && mesh_set_rises_at(&set->items[near->risen], p, normal, same, same)) {
        return false;
    }
    mesh_near_walk walk;
    mesh_near_begin(&walk, near, p, set->count);
    for (int32_t i = mesh_near_next(&walk); i >= 0; i = mesh_near_next(&walk)) {
        if (mesh_set_rises_at(&set->items[i], p, normal, same, same)) {
            near->risen = i;
            return false;
        }
    }
    return true;
}
