/* Normals of two baselines for a ball: see ball_normal.h. */
#include "narrow/mesh/ball_normal.h"

#include "base/elementary.h"
#include "base/real.h"
#include "narrow/mesh/corner.h"
#include "shape/trimesh.h"

/* ---- smoothed ---- */

/* The triangles of all meshes about one corner of a triangle. */
typedef struct about_corner {
    const placed_mesh *mesh; /* the one that is asked */
    const mesh_triangle *of;
    int corner;
    abut_mesh_identity identity;
    abut_vec3 sum;
} about_corner;

static double angle_at(const mesh_triangle *t, int corner) {
    abut_vec3 p = abut_sub(t->corner[(corner + 1) % 3], t->corner[corner]), q = abut_sub(t->corner[(corner + 2) % 3], t->corner[corner]);
    return elementary_atan2(abut_length(abut_cross(p, q)), abut_dot(p, q));
}

static bool add_normal(void *context, int32_t index, const abut_triangle *triangle) {
    about_corner *q = context;
    mesh_triangle t;
    mesh_set_place(&t, q->mesh, index, triangle);
    int corner = mesh_corner_at(q->of, q->corner, &t, q->identity);
    if (corner >= 0 && !t.flat) {
        q->sum = abut_add_scaled(q->sum, angle_at(&t, corner), t.normal);
    }
    return true;
}

static abut_vec3 vertex_normal(const ball_settings *s, const mesh_triangle *t, int corner) {
    about_corner q = {.of = t, .corner = corner, .identity = s->identity};
    for (int32_t i = 0; i < s->mesh_count; ++i) {
        q.mesh = &s->mesh[i];
        abut_vec3 at = abut_add(abut_mat3_apply_transposed(q.mesh->rotation, t->corner[corner]), q.mesh->centre);
        (void)trimesh_in_ball(q.mesh->mesh, at, s->same, add_normal, &q);
    }
    return abut_length_squared(q.sum) > 0.0 ? abut_unit(q.sum) : q.sum;
}

abut_vec3 ball_smoothed_normal(const ball_settings *settings, const mesh_triangle *t, abut_vec3 facing) {
    double weight[3];
    abut_vec3 sum = {0.0, 0.0, 0.0};
    (void)mesh_set_closest(t, abut_vec3_make(0.0, 0.0, 0.0), weight);
    for (int i = 0; i < 3; ++i) {
        sum = weight[i] > 0.0 ? abut_add_scaled(sum, weight[i], vertex_normal(settings, t, i)) : sum;
    }
    sum = abut_dot(facing, t->normal) < 0.0 ? abut_neg(sum) : sum;
    return abut_length_squared(sum) > 1e-12 ? abut_unit(sum) : facing; /* opposite normals cancel */
}

/* ---- Voronoi regions ---- */

/* The normal of the triangle across a side, on the side of the surface that faces the ball. False: there is no other triangle with a face. */
static bool normal_beyond(const mesh_set *set, abut_mesh_identity identity, const mesh_triangle *t, int side, abut_vec3 *normal) {
    for (int32_t i = 0; i < set->count; ++i) {
        const mesh_triangle *other = &set->items[i];
        bool is_self = other->index == t->index && other->part == t->part;
        if (!is_self && !other->flat && mesh_corner_at(t, side, other, identity) >= 0 &&
            mesh_corner_at(t, (side + 1) % 3, other, identity) >= 0) {
            *normal = other->normal;
            return true;
        }
    }
    return false;
}

/* Turns a direction about an axis (unit) until it has the direction of `to`, across the axis. */
static abut_vec3 turned_to(abut_vec3 direction, abut_vec3 axis, abut_vec3 to) {
    double along = abut_dot(direction, axis), across = real_max(0.0, 1.0 - along * along);
    return abut_add_scaled(abut_scale(along, axis), sqrt(across), to);
}

/* Turns a direction into the region of a side. False: the side is flat or concave. */
static bool turn_into(const mesh_triangle *t, int side, abut_vec3 facing, abut_vec3 beyond, abut_vec3 *direction) {
    const double planar = 1e-4; /* angle [rad] */
    double front = abut_dot(facing, t->normal) < 0.0 ? -1.0 : 1.0;
    abut_vec3 axis = abut_scale(front, abut_unit(abut_sub(t->corner[(side + 1) % 3], t->corner[side])));
    beyond = abut_scale(front, beyond);
    if (abut_dot(abut_cross(facing, beyond), axis) <= planar) {
        return false;
    }
    if (abut_dot(abut_cross(facing, *direction), axis) < 0.0) {
        *direction = turned_to(*direction, axis, facing);
    } else if (abut_dot(abut_cross(*direction, beyond), axis) < 0.0) {
        *direction = turned_to(*direction, axis, beyond);
    }
    return true;
}

abut_vec3 ball_voronoi_normal(const mesh_set *set, const ball_settings *settings, const mesh_triangle *t, int side, int other,
                              abut_vec3 facing) {
    double weight[3];
    abut_vec3 from = mesh_set_closest(t, abut_vec3_make(0.0, 0.0, 0.0), weight);
    const double nothing = 1e-150; /* of this length no direction is left: its square has lost its digits */
    if (t->flat || abut_length(from) <= nothing) {
        return facing;
    }
    abut_vec3 direction = abut_neg(abut_unit(from));
    const int sides[2] = {side, other};
    for (int i = 0; i < (side == other ? 1 : 2); ++i) {
        abut_vec3 beyond;
        if (normal_beyond(set, settings->identity, t, sides[i], &beyond) && !turn_into(t, sides[i], facing, beyond, &direction)) {
            return facing;
        }
    }
    return direction;
}
