#pragma once

#include <abut/contact.h>

#include "geom/closest.h"
#include "shape/trimesh.h"

/*
 * The triangles near a body, gathered from one or several meshes before any contact is made. Afterwards it does not matter which mesh a
 * triangle came from.
 *
 * The set's frame has its origin at the body's centre and the axes of the pair's frame, so the results do not depend on the distance of the
 * bodies from the world's origin.
 */

#define FLAT_SINE 1e-6 /* sine of the angle that rounding error can make between coplanar triangles */

typedef struct mesh_triangle {
    abut_vec3 corner[3]; /* counter-clockwise seen from outside */
    abut_vec3 across;    /* twice the area times the normal; not usable for a triangle without a face */
    abut_vec3 normal;    /* unit; zero for a triangle without a face */
    int32_t vertex[3];   /* in its mesh */
    int32_t index;       /* in its mesh */
    int32_t part;        /* which mesh */
    bool flat;           /* it has no face and counts as its longest side */
    bool two_sided;
} mesh_triangle;

/* A mesh placed about the body. */
typedef struct placed_mesh {
    const trimesh *mesh;
    abut_mat3 rotation; /* mesh frame to set frame */
    abut_vec3 centre;   /* the body's centre in the mesh's frame */
    bool aligned;       /* the rotation is the identity */
    int32_t part;
} placed_mesh;

/*
 * Where the set of two meshes has its origin, in A's frame: at A's own origin, so that the placed vertices of A are exact, unless A is far from
 * it; then at the middle of A.
 */
static inline abut_vec3 mesh_pair_origin(const trimesh *a) {
    const double far = 64.0;
    abut_vec3 m = a->tree.middle;
    double reach = far / a->tree.scale;
    bool is_far = fabs(m.x) > reach || fabs(m.y) > reach || fabs(m.z) > reach;
    return is_far ? m : abut_vec3_make(0.0, 0.0, 0.0);
}

enum { MESH_SET_FEW = 48 };

typedef struct mesh_set {
    mesh_triangle *items;
    int32_t count, capacity;
    bool out_of_memory; /* triangles are missing: the set must not be used */
    mesh_triangle few[MESH_SET_FEW];
} mesh_set;

void mesh_set_init(mesh_set *set);
void mesh_set_free(mesh_set *set);

/* Places triangle `index` of the mesh, given in the mesh's frame, in the set's frame. */
void mesh_set_place(mesh_triangle *placed, const placed_mesh *mesh, int32_t index, const abut_triangle *triangle);

/* Adds the triangles whose bounds meet the box. The box is relative to the body's centre, along the axes of the mesh's frame. */
void mesh_set_gather(mesh_set *set, const placed_mesh *mesh, abut_aabb near);

/* Adds the triangles within `reach` of the body's centre, and possibly others. */
void mesh_set_gather_ball(mesh_set *set, const placed_mesh *mesh, double reach);

/* The point of a triangle closest to `to`. weight: its barycentric coordinates. */
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

/* Whether a point is within `same` of a triangle. The height over the plane is tested first, because it rejects most triangles.
 * foot: the triangle's point closest to it, if it is. */
static inline bool mesh_set_foot(const mesh_triangle *t, abut_vec3 point, double same, abut_vec3 *foot) {
    double weight[3];
    if (fabs(abut_dot(t->normal, abut_sub(point, t->corner[0]))) > same) {
        return false;
    }
    *foot = mesh_set_closest(t, point, weight);
    return abut_length_squared(abut_sub(point, *foot)) <= same * same;
}

static inline bool mesh_set_holds(const mesh_triangle *t, abut_vec3 point, double same) {
    abut_vec3 foot;
    return mesh_set_foot(t, point, same, &foot);
}

/* Whether the steepest way up a triangle, from a point of it, leads out over a side between two corners that is higher than the sine. */
static inline bool mesh_set_rises_between(const mesh_triangle *t, abut_vec3 point, abut_vec3 normal, double same, double sine) {
    abut_vec3 across = abut_cross(t->normal, normal), way[3];
    double side[3];
    for (int i = 0; i < 3; ++i) {
        way[i] = abut_sub(t->corner[i], point);
        side[i] = abut_dot(across, way[i]);
    }
    for (int i = 0; i < 3; ++i) {
        int k = i < 2 ? i + 1 : 0;
        if ((side[i] < 0.0 && side[k] > 0.0) || (side[i] > 0.0 && side[k] < 0.0)) {
            abut_vec3 between = abut_lerp(way[i], way[k], side[i] / (side[i] - side[k]));
            double height = abut_dot(normal, between);
            if (height > same && height * height > sine * sine * abut_length_squared(between)) {
                return true;
            }
        }
    }
    return false;
}

/* Whether a triangle rises above the plane through one of its points with that normal, by more than the length `same` and by more than the sine. */
static inline bool mesh_set_rises(const mesh_triangle *t, abut_vec3 point, abut_vec3 normal, double same, double sine) {
    for (int i = 0; i < 3; ++i) {
        abut_vec3 way = abut_sub(t->corner[i], point);
        double height = abut_dot(normal, way);
        if (height > same && height * height > sine * sine * abut_length_squared(way)) {
            return true;
        }
    }
    return sine > FLAT_SINE && !t->flat && mesh_set_rises_between(t, point, normal, same, sine);
}

/* Whether the triangle contains the point, within `same`, and rises from its own point closest to it by more than `level` and FLAT_SINE. The
 * distance between the two points counts for nothing, so `level` may be rounding alone. A long sliver that leans by little rises across
 * its width, although its corners are far away for that. */
static inline bool mesh_set_rises_at(const mesh_triangle *t, abut_vec3 point, abut_vec3 normal, double level, double same) {
    abut_vec3 foot;
    return !t->flat && mesh_set_foot(t, point, same, &foot) &&
           (mesh_set_rises(t, foot, normal, level, FLAT_SINE) || mesh_set_rises_between(t, foot, normal, level, FLAT_SINE));
}

/* Whether the point is a corner of the triangle with an angle below 60 degrees. If the triangle climbs there, it rises, too: one of its two sides leads up. */
static inline bool mesh_set_is_sharp_at(const mesh_triangle *t, abut_vec3 point, double same) {
    const double cosine = 0.5, clearly = 0.01;
    for (int i = 0; i < 3; ++i) {
        abut_vec3 p = abut_sub(t->corner[(i + 1) % 3], t->corner[i]), q = abut_sub(t->corner[(i + 2) % 3], t->corner[i]);
        double off = abut_distance_between(t->corner[i], point), first = abut_length(p), second = abut_length(q);
        if (off <= same && off <= clearly * first && off <= clearly * second && abut_dot(p, q) > cosine * first * second) {
            return true;
        }
    }
    return false;
}

/*
 * Whether a triangle that contains a point, within `same`, goes on from there up its own slope, above the plane through the point with that
 * normal. The triangle must lean clearly against that plane. How high its corners are over their distance does not matter: in a long sliver
 * that is little, however steep it is. Where a sliver ends within half of `same`, the triangle beyond it contains the point, too, and is asked.
 * At a sharp corner the sides tell, and a needle's sides are too close to tell the way up from the way down.
 */
static inline bool mesh_set_climbs(const mesh_triangle *t, abut_vec3 point, abut_vec3 normal, double same) {
    const double clearly = 1e-2, part = 0.5, slack = 1e-3;
    abut_vec3 up = abut_add_scaled(normal, -abut_dot(normal, t->normal), t->normal);
    double square = abut_length_squared(up);
    if (square <= clearly * clearly) {
        return false;
    }
    abut_vec3 above = abut_add_scaled(point, part * same / sqrt(square), up);
    for (int i = 0; i < 3; ++i) {
        abut_vec3 side = abut_sub(t->corner[(i + 1) % 3], t->corner[i]);
        double inside = abut_dot(abut_cross(t->normal, side), abut_sub(above, t->corner[i]));
        if (inside < 0.0 && inside * inside > slack * slack * same * same * abut_length_squared(side)) {
            return false;
        }
    }
    return !mesh_set_is_sharp_at(t, point, same);
}

/* The signed height of a point over a triangle's plane. */
static inline double mesh_set_height(const mesh_triangle *t, abut_vec3 point) { return abut_dot(t->normal, abut_sub(point, t->corner[0])); }

/* The rounding error of such a height, from the coordinates near the point and from the triangle itself. */
static inline double mesh_set_rounding(const mesh_triangle *t, abut_vec3 point, double rounding) {
    const double each = 8.0 * 2.220446049250313e-16;
    abut_vec3 p = abut_sub(t->corner[0], point), q = abut_sub(t->corner[1], point), r = abut_sub(t->corner[2], point);
    double x = real_max(fabs(p.x), real_max(fabs(q.x), fabs(r.x))), y = real_max(fabs(p.y), real_max(fabs(q.y), fabs(r.y)));
    double z = real_max(fabs(p.z), real_max(fabs(q.z), fabs(r.z)));
    return rounding + each * (x + y + z);
}

/* The least height of a triangle; 0 if it has no face. */
static inline double mesh_triangle_width(const mesh_triangle *t) {
    double square = 0.0;
    for (int i = 0; i < 3; ++i) {
        square = real_max(square, abut_length_squared(abut_sub(t->corner[(i + 1) % 3], t->corner[i])));
    }
    return t->flat ? 0.0 : abut_length(t->across) / sqrt(square);
}

/* Whether a point lies behind a triangle, given its height. A point in the plane, up to rounding error, is in front. */
static inline bool mesh_set_is_behind(const mesh_triangle *t, abut_vec3 point, double height, double rounding) {
    return height < -rounding && height < -mesh_set_rounding(t, point, rounding);
}

/* Turns a triangle about, so that its back becomes its front. */
static inline void mesh_triangle_turn(mesh_triangle *t) {
    abut_vec3 corner = t->corner[1];
    int32_t vertex = t->vertex[1];
    t->corner[1] = t->corner[2];
    t->corner[2] = corner;
    t->vertex[1] = t->vertex[2];
    t->vertex[2] = vertex;
    t->across = abut_neg(t->across);
    t->normal = abut_neg(t->normal);
}
