/* The cone of normals of a triangle surface at a point of one of its triangles. Set frame; normals point out of the surface. */
#include "narrow/mesh/convex/cone.h"

#define SAME_DIRECTION 0.017452406437283512 /* sine of one degree: a normal closer than this to the triangle's counts as the triangle's */

/* Whether the neighbour lies below the triangle's plane, seen from p, so that the edge between them is an outer one. */
static bool falls_off(const mesh_triangle *of, const mesh_triangle *neighbour, abut_vec3 p, double same) {
    bool falls = false;
    for (int i = 0; i < 3; ++i) {
        abut_vec3 way = abut_sub(neighbour->corner[i], p);
        double height = abut_dot(of->normal, way);
        falls = falls || (height < -same && height * height > FLAT_SINE * FLAT_SINE * abut_length_squared(way));
    }
    return falls && !mesh_set_rises(neighbour, p, of->normal, same, FLAT_SINE);
}

bool mesh_cone_is_behind(const mesh_triangle *t, abut_vec3 normal) {
    return !t->two_sided && abut_dot(normal, t->normal) < -SAME_DIRECTION;
}

bool mesh_cone_is_own(const mesh_triangle *t, abut_vec3 normal) {
    return abut_dot(normal, t->normal) > 0.0 && abut_length_squared(abut_cross(normal, t->normal)) <= SAME_DIRECTION * SAME_DIRECTION;
}

mesh_verdict mesh_cone_judge(const mesh_set *set, mesh_near *near, const mesh_triangle *of, abut_vec3 p, abut_vec3 normal, double same) {
    mesh_verdict found = MESH_MAY_ACT;
    mesh_near_walk walk;
    mesh_near_begin(&walk, near, p, set->count);
    for (int32_t i = mesh_near_next(&walk); i >= 0; i = mesh_near_next(&walk)) {
        const mesh_triangle *t = &set->items[i];
        if (mesh_set_holds(t, p, same) && mesh_set_rises(t, p, normal, same, FLAT_SINE)) {
            if (!falls_off(of, t, p, same)) {
                return MESH_OWN_NORMAL;
            }
            found = MESH_OF_NEIGHBOURS;
        }
    }
    return found;
}
