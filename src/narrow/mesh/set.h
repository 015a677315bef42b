#pragma once

#include <abut/contact.h>

#include "geom/closest.h"
#include "shape/trimesh.h"

/*
 * The triangles of meshes near a body, gathered before any contact is made: whether they come from one mesh or from several is of no account then.
 * They are seen from the body's centre, with the axes of the pair's frame, so that nothing depends on how far away from everything the bodies are.
 */

#define FLAT_SINE 1e-6 /* as much as rounding makes of a flat place */

typedef struct mesh_triangle {
    abut_vec3 corner[3]; /* counter-clockwise seen from outside */
    abut_vec3 across;    /* twice its area along its normal, but for one without a face */
    abut_vec3 normal;    /* unit; zero for a triangle without a face */
    int32_t vertex[3];   /* in its mesh */
    int32_t index;       /* in its mesh */
    int32_t part;        /* which mesh */
    bool flat;           /* it has no face, and stands for its longest side */
    bool two_sided;
} mesh_triangle;

/* A mesh placed about the body. */
typedef struct placed_mesh {
    const trimesh *mesh;
    abut_mat3 rotation; /* mesh frame to the set's */
    abut_vec3 centre;   /* of the body, mesh frame */
    bool aligned;       /* the rotation is none */
    int32_t part;
} placed_mesh;

enum { MESH_SET_FEW = 48 };

typedef struct mesh_set {
    mesh_triangle *items;
    int32_t count, capacity;
    bool out_of_memory; /* something was left out: the set is useless */
    mesh_triangle few[MESH_SET_FEW];
} mesh_set;

void mesh_set_init(mesh_set *set);
void mesh_set_free(mesh_set *set);

/* Triangle `index` of the mesh, mesh frame, as it lies in the set's. */
void mesh_set_place(mesh_triangle *placed, const placed_mesh *mesh, int32_t index, const abut_triangle *triangle);

/* Adds the triangles whose bounds meet the box: seen from the body's centre, along the axes of the mesh's own frame. */
void mesh_set_gather(mesh_set *set, const placed_mesh *mesh, abut_aabb near);

/* Adds those that may be no farther from the centre than that, and perhaps some more. */
void mesh_set_gather_ball(mesh_set *set, const placed_mesh *mesh, double reach);

/* The point of a triangle that is closest to another point, by its barycentric weights. */
static inline abut_vec3 mesh_set_closest(const mesh_triangle *t, abut_vec3 to, double weight[3]) {
    if (t->flat) {
        const abut_vec3 corner[3] = {t->corner[0], t->corner[1], t->corner[2]};
        closest_on_longest_edge(to, corner, weight);
    } else {
        closest_on_wide_triangle(to, t->corner[0], t->corner[1], t->corner[2], t->across, weight);
    }
    abut_vec3 closest = abut_scale(weight[0], t->corner[0]);
    return abut_add_scaled(abut_add_scaled(closest, weight[1], t->corner[1]), weight[2], t->corner[2]);
}

/* Whether a point lies on a triangle, up to that distance. Mostly it is not even in its plane. */
static inline bool mesh_set_holds(const mesh_triangle *t, abut_vec3 point, double same) {
    double weight[3];
    if (fabs(abut_dot(t->normal, abut_sub(point, t->corner[0]))) > same) {
        return false;
    }
    return abut_length_squared(abut_sub(point, mesh_set_closest(t, point, weight))) <= same * same;
}

/* Whether something of the triangle, seen from a point that it has, rises above the plane with that normal, by more than a distance and a sine. */
static inline bool mesh_set_rises(const mesh_triangle *t, abut_vec3 point, abut_vec3 normal, double same, double sine) {
    for (int i = 0; i < 3; ++i) {
        abut_vec3 way = abut_sub(t->corner[i], point);
        double height = abut_dot(normal, way);
        if (height > same && height * height > sine * sine * abut_length_squared(way)) {
            return true;
        }
    }
    return false;
}

/* How high a point lies over a triangle's plane. */
static inline double mesh_set_height(const mesh_triangle *t, abut_vec3 point) { return abut_dot(t->normal, abut_sub(point, t->corner[0])); }

/* What rounding may do to such a height: that of coordinates near the point, and the triangle's own. */
static inline double mesh_set_rounding(const mesh_triangle *t, abut_vec3 point, double rounding) {
    const double each = 8.0 * 2.220446049250313e-16;
    abut_vec3 p = abut_sub(t->corner[0], point), q = abut_sub(t->corner[1], point), r = abut_sub(t->corner[2], point);
    double x = real_max(fabs(p.x), real_max(fabs(q.x), fabs(r.x))), y = real_max(fabs(p.y), real_max(fabs(q.y), fabs(r.y)));
    double z = real_max(fabs(p.z), real_max(fabs(q.z), fabs(r.z)));
    return rounding + each * (x + y + z);
}

/* Whether a point is seen from behind, at that height. In the plane it is not. */
static inline bool mesh_set_is_behind(const mesh_triangle *t, abut_vec3 point, double height, double rounding) {
    return height < -rounding && height < -mesh_set_rounding(t, point, rounding);
}

/* Which edge of the set it is that a triangle's side belongs to: of the triangles of the same mesh with those two vertices the lowest one. */
abut_feature mesh_set_edge(const mesh_set *set, const mesh_triangle *triangle, int side);
