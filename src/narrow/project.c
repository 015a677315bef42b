/*
 * abut_mesh_project: the nearest triangle by the hierarchy, and on which side of the surface the point lies by all triangles that have the closest point.
 */

#include <abut/mesh.h>

#include <float.h>

#include "geom/closest.h"
#include "narrow/pair.h"
#include "shape/trimesh.h"

typedef struct projecting {
    const trimesh *mesh;
    abut_vec3 point;
    double square; /* of the distance to the best */
    abut_vec3 closest;
    double weight[3];
    abut_triangle triangle;
    int32_t index;
    double same;        /* places nearer than this are one [length] */
    abut_vec3 outwards; /* sum of weighted normals */
} projecting;

static abut_vec3 closest_of(const projecting *p, const abut_triangle *t, double weight[3], bool *flat) {
    abut_vec3 across;
    *flat = trimesh_is_flat(p->mesh, t->corner, &across);
    if (*flat) {
        closest_on_longest_edge(p->point, t->corner, weight);
    } else {
        closest_on_triangle(p->point, t->corner[0], t->corner[1], t->corner[2], weight);
    }
    abut_vec3 closest = abut_scale(weight[0], t->corner[0]);
    return abut_add_scaled(abut_add_scaled(closest, weight[1], t->corner[1]), weight[2], t->corner[2]);
}

static void approach(void *context, int32_t index, const abut_triangle *t, double *limit) {
    projecting *p = context;
    double weight[3];
    bool flat;
    abut_vec3 closest = closest_of(p, t, weight, &flat);
    double square = abut_length_squared(abut_sub(p->point, closest));
    if (square > p->square || (square == p->square && index > p->index)) {
        return;
    }
    p->square = square;
    p->closest = closest;
    p->triangle = *t;
    p->index = index;
    for (int i = 0; i < 3; ++i) {
        p->weight[i] = weight[i];
    }
    *limit = sqrt(square);
}

/* The angle at which a triangle meets a point of it: all around, half, or that of its corner. */
static double angle_at(const projecting *p, const abut_triangle *t, const double weight[3]) {
    const double turn = 6.283185307179586;
    double size = abut_length(abut_sub(t->corner[1], t->corner[0])) + abut_length(abut_sub(t->corner[2], t->corner[0]));
    int far = 0, corner = 0;
    for (int i = 0; i < 3; ++i) {
        bool away = weight[i] * size > p->same;
        far += away;
        corner = away ? i : corner;
    }
    if (far != 1) {
        return far == 3 ? turn : 0.5 * turn;
    }
    abut_vec3 u = abut_sub(t->corner[(corner + 1) % 3], t->corner[corner]), v = abut_sub(t->corner[(corner + 2) % 3], t->corner[corner]);
    return atan2(abut_length(abut_cross(u, v)), abut_dot(u, v));
}

static bool weigh(void *context, int32_t index, const abut_triangle *t) {
    (void)index;
    projecting *p = context;
    projecting at = {.mesh = p->mesh, .point = p->closest, .same = p->same};
    double weight[3];
    bool flat;
    abut_vec3 closest = closest_of(&at, t, weight, &flat);
    if (!flat && abut_distance_between(closest, p->closest) <= p->same) {
        abut_vec3 across = abut_cross(abut_sub(t->corner[1], t->corner[0]), abut_sub(t->corner[2], t->corner[0]));
        p->outwards = abut_add_scaled(p->outwards, angle_at(p, t, weight), abut_unit(across));
    }
    return true;
}

static abut_feature feature_of(const projecting *p) {
    const double *w = p->weight;
    int zeros = (w[0] == 0.0) + (w[1] == 0.0) + (w[2] == 0.0);
    if (zeros == 0) {
        return (abut_feature){.kind = ABUT_FEATURE_FACE, .index = p->index};
    }
    if (zeros == 1) {
        return (abut_feature){.kind = ABUT_FEATURE_EDGE, .index = 3 * p->index + (w[2] == 0.0 ? 0 : w[0] == 0.0 ? 1 : 2)};
    }
    return (abut_feature){.kind = ABUT_FEATURE_VERTEX, .index = p->triangle.vertex[w[0] > 0.0 ? 0 : w[1] > 0.0 ? 1 : 2]};
}

abut_status abut_mesh_project(const abut_shape *shape, abut_pose pose, abut_vec3 point, abut_projection *projection) {
    if (projection == NULL || shape == NULL || shape->kind != ABUT_SHAPE_TRIMESH) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    abut_status status = collide_check_poses(&pose, &pose);
    if (status != ABUT_OK) {
        return status;
    }
    projecting p = {.mesh = shape->mesh, .point = abut_transform_inverse(pose, point), .square = INFINITY};
    if (!isfinite(abut_length_squared(p.point))) {
        return ABUT_ERROR_NOT_FINITE;
    }
    trimesh_near(p.mesh, p.point, INFINITY, approach, &p);
    p.same = 1e-9 * shape->size + 4.0 * DBL_EPSILON * (fabs(p.closest.x) + fabs(p.closest.y) + fabs(p.closest.z));
    trimesh_in_ball(p.mesh, p.closest, p.same, weigh, &p);
    abut_vec3 away = abut_sub(p.point, p.closest);
    double distance = sqrt(p.square);
    bool on_surface = !(distance > 4.0 * DBL_EPSILON * (abut_length(p.point) + abut_length(p.closest)));
    abut_vec3 normal = abut_unit(on_surface ? p.outwards : away);
    *projection = (abut_projection){.point = abut_transform(pose, p.closest),
                                    .normal = abut_unit(abut_rotate(pose.rotation, normal)),
                                    .distance = distance,
                                    .feature = feature_of(&p),
                                    .behind = !on_surface && abut_dot(p.outwards, away) < 0.0};
    return ABUT_OK;
}
