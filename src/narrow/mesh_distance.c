/*
 * How far a convex body is from a mesh: triangle by triangle, nearly the nearest first, as long as the ball about the body could be nearer.
 * Mesh frame.
 */

#include "narrow/mesh_distance.h"

#include "base/real.h"
#include "geom/closest.h"
#include "narrow/triangle_body.h"

typedef struct nearing {
    const trimesh *mesh;
    const convex *body;
    const normal_settings *settings;
    abut_vec3 middle;
    double reach; /* of the body from its middle */
    abut_separation *best;
} nearing;

/* A triangle without a face is its longest side: a segment. */
static convex longest_side(const abut_vec3 corner[3], int *first) {
    static const abut_shape bare = {.kind = ABUT_SHAPE_CAPSULE};
    *first = 0;
    for (int i = 1; i < 3; ++i) {
        double square = abut_length_squared(abut_sub(corner[(i + 1) % 3], corner[i]));
        *first = square > abut_length_squared(abut_sub(corner[(*first + 1) % 3], corner[*first])) ? i : *first;
    }
    abut_vec3 p = corner[*first], q = corner[(*first + 1) % 3], z = abut_unit(abut_sub(q, p)), x, y;
    z = abut_length_squared(z) > 0.5 ? z : abut_make_vec3(0.0, 0.0, 1.0);
    abut_tangent_frame(z, &x, &y);
    double length = abut_distance_between(p, q);
    return (convex){.core = length > 0.0 ? CORE_SEGMENT : CORE_POINT,
                    .shape = &bare,
                    .half_length = 0.5 * length,
                    .rotation = abut_make_mat3(x, y, z),
                    .position = abut_lerp(p, q, 0.5),
                    .size = length};
}

/* From the features of the flat body to those of the mesh. */
static abut_feature name(abut_feature feature, int32_t index, const abut_triangle *t) {
    if (feature.kind == ABUT_FEATURE_EDGE) {
        feature.index = 3 * index + triangle_body_side(feature.index);
    } else if (feature.kind == ABUT_FEATURE_VERTEX) {
        feature.index = t->vertex[feature.index];
    } else {
        feature = (abut_feature){.kind = ABUT_FEATURE_FACE, .index = index};
    }
    feature.part = 0;
    return feature;
}

static void approach(void *context, int32_t index, const abut_triangle *t, double *limit) {
    nearing *n = context;
    double weight[3];
    closest_on_triangle(n->middle, t->corner[0], t->corner[1], t->corner[2], weight);
    abut_vec3 closest =
        abut_add_scaled(abut_add_scaled(abut_scale(weight[0], t->corner[0]), weight[1], t->corner[1]), weight[2], t->corner[2]);
    if (abut_distance_between(n->middle, closest) - n->reach >= n->best->distance) {
        return;
    }
    abut_vec3 across;
    int first = 0;
    bool flat = trimesh_is_flat(n->mesh, t->corner, &across);
    mesh_triangle triangle = {.index = index, .normal = abut_unit(across)};
    triangle_body made;
    convex side;
    if (flat) {
        side = longest_side(t->corner, &first);
    } else {
        for (int i = 0; i < 3; ++i) {
            triangle.corner[i] = t->corner[i];
        }
        triangle_body_set(&made, &triangle);
    }
    abut_separation s = separation_of_bodies(n->body, flat ? &side : &made.body, n->settings);
    if (s.distance < n->best->distance) {
        s.feature_b = flat ? (abut_feature){.kind = ABUT_FEATURE_EDGE, .index = 3 * index + first} : name(s.feature_b, index, t);
        *n->best = s;
        *limit = real_max(s.distance, 0.0) + n->reach;
    }
}

/* The farthest corner of the box about the body. */
static double reach_of(const convex *body, abut_vec3 middle) {
    const abut_aabb *box = &body->shape->bounds;
    double reach = 0.0;
    for (int i = 0; i < 8; ++i) {
        abut_vec3 corner = {i & 1 ? box->upper.x : box->lower.x, i & 2 ? box->upper.y : box->lower.y, i & 4 ? box->upper.z : box->lower.z};
        reach = real_max(reach, abut_distance_between(convex_to_pair(body, corner), middle));
    }
    return reach;
}

void mesh_distance(const trimesh *mesh, const convex *body, const normal_settings *settings, abut_separation *nearest) {
    nearing n = {.mesh = mesh, .body = body, .settings = settings, .middle = convex_centroid(body), .best = nearest};
    n.reach = reach_of(body, n.middle);
    trimesh_near(mesh, n.middle, nearest->distance + n.reach, approach, &n);
}
