/* Triangles that touch up to rounding errors: see flush.h. */
#include "narrow/mesh/pair/flush.h"

#include "geom/closest.h"

static bool has_corner_on(const mesh_triangle *t, const mesh_triangle *other, double same) {
    for (int k = 0; k < 3; ++k) {
        if (!other->flat && mesh_set_holds(other, t->corner[k], same)) {
            return true;
        }
    }
    return false;
}

/* Whether two segments are no farther apart than that. Most pairs are told apart by the distance of their lines. */
static bool are_close(abut_vec3 a0, abut_vec3 a1, abut_vec3 b0, abut_vec3 b1, double same) {
    abut_vec3 across = abut_cross(abut_sub(a1, a0), abut_sub(b1, b0));
    double along = abut_dot(across, abut_sub(b0, a0)), s, t;
    if (along * along > 4.0 * same * same * abut_length_squared(across)) {
        return false;
    }
    closest_of_segments(a0, a1, b0, b1, &s, &t);
    return abut_distance_between(abut_lerp(a0, a1, s), abut_lerp(b0, b1, t)) <= same;
}

static bool have_sides_that_meet(const mesh_triangle *a, const mesh_triangle *b, double same) {
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            if (are_close(a->corner[i], a->corner[(i + 1) % 3], b->corner[k], b->corner[(k + 1) % 3], same)) {
                return true;
            }
        }
    }
    return false;
}

bool mesh_lie_flush(const mesh_triangle *a, const mesh_triangle *b, double same) {
    return has_corner_on(a, b, same) || has_corner_on(b, a, same) || have_sides_that_meet(a, b, same);
}
