/* Names of a polytope's features in its closed convex mesh: see the header. The mesh's tree finds the triangles at the point. Few triangles, and those of
 * points that rounding has moved off the surface, are asked one by one. Mesh frame. */

#include "shape/closed/convex_names.h"

#include "base/real.h"
#include "geom/closest.h"
#include "shape/closed/convex_mesh.h"
#include "shape/shape.h"
#include "shape/trimesh.h"

enum { FEW = 16 }; /* triangles */

typedef struct naming {
    const trimesh *mesh;
    int32_t face[2]; /* the face, or those beside the edge; -1: there is no second one */
    abut_vec3 point;
    abut_vec3 along; /* of the edge; zero for a face */
    double same;     /* squared distance within which rounding lets a triangle hold the point */
    double least;    /* squared distance of the best one; only of those asked one by one */
    int32_t best;    /* triangle, or 3 times the triangle plus the side; -1 for none */
} naming;

static bool is_far(const naming *of, int32_t triangle) {
    int32_t face = of->mesh->convex->face[triangle];
    return face < 0 || (face != of->face[0] && face != of->face[1]);
}

static int32_t count_of(const naming *of, int side) {
    const convex_mesh *c = of->mesh->convex;
    return of->face[side] < 0 ? 0 : c->first[of->face[side] + 1] - c->first[of->face[side]];
}

/* ---- distances ---- */

static double square_from_triangle(const naming *of, const abut_triangle *t) {
    double w[3];
    abut_vec3 across;
    if (trimesh_is_flat(of->mesh, t->corner, &across)) {
        closest_on_longest_edge(of->point, t->corner, w);
    } else {
        closest_on_triangle(of->point, t->corner[0], t->corner[1], t->corner[2], w);
    }
    abut_vec3 closest = abut_add_scaled(abut_add_scaled(abut_scale(w[0], t->corner[0]), w[1], t->corner[1]), w[2], t->corner[2]);
    return abut_length_squared(abut_sub(of->point, closest));
}

/* Distance of the point from a mesh edge, as if the edge were far away when it does not run along the polytope's edge. */
static double square_from_side(const naming *of, const abut_triangle *t, int side) {
    const double parallel = 1e-6;
    abut_vec3 from = t->corner[side], to = t->corner[(side + 1) % 3], way = abut_sub(to, from);
    double sine = abut_length_squared(abut_cross(way, of->along)), both = abut_length_squared(way) * abut_length_squared(of->along);
    double far = both > 0.0 && sine <= parallel * parallel * both ? 0.0 : abut_length_squared(of->along);
    return far + abut_length_squared(abut_sub(of->point, abut_lerp(from, to, closest_on_segment(of->point, from, to))));
}

/* ---- at the point ---- */

static void keep_lowest(naming *of, double square, int32_t index) {
    of->best = square <= of->same && (of->best < 0 || index < of->best) ? index : of->best;
}

static bool meet_triangle(void *context, int32_t index, const abut_triangle *triangle) {
    naming *of = context;
    if (!is_far(of, index)) {
        keep_lowest(of, square_from_triangle(of, triangle), index);
    }
    return true;
}

static bool meet_sides(void *context, int32_t index, const abut_triangle *triangle) {
    naming *of = context;
    for (int side = 0; side < 3 && !is_far(of, index); side++) {
        keep_lowest(of, square_from_side(of, triangle, side), 3 * index + side);
    }
    return true;
}

/* Looks at the triangles that hold the point. */
static void look_there(naming *of, trimesh_visit *meet) {
    if (count_of(of, 0) + count_of(of, 1) > FEW) {
        trimesh_in_ball(of->mesh, of->point, sqrt(of->same), meet, of);
    }
}

/* ---- one by one ---- */

static void offer(naming *of, double square, int32_t index) {
    if (square < of->least - of->same || (square <= of->least + of->same && (of->best < 0 || index < of->best))) {
        of->least = real_min(square, of->least);
        of->best = index;
    }
}

static void look_at_all(naming *of, bool sides) {
    const convex_mesh *c = of->mesh->convex;
    for (int k = 0; k < 2; k++) {
        for (int32_t i = 0; i < count_of(of, k); i++) {
            abut_triangle t;
            int32_t index = c->triangle[c->first[of->face[k]] + i];
            trimesh_triangle(of->mesh, index, &t);
            for (int side = 0; side < 3 && sides; side++) {
                offer(of, square_from_side(of, &t, side), 3 * index + side);
            }
            if (!sides) {
                offer(of, square_from_triangle(of, &t), index);
            }
        }
    }
}

/* ---- names ---- */

static int32_t name_face(naming *of, int32_t face) {
    of->face[0] = face;
    of->best = count_of(of, 0) == 1 ? of->mesh->convex->triangle[of->mesh->convex->first[face]] : -1;
    look_there(of, meet_triangle);
    if (of->best < 0) {
        look_at_all(of, false);
    }
    return of->best;
}

static int32_t name_edge(naming *of, int32_t edge) {
    const polytope *surface = &of->mesh->convex->solid->surface;
    const polytope_edge *e = &surface->edges[edge];
    of->along = abut_sub(surface->vertices[e->vertex[1]], surface->vertices[e->vertex[0]]);
    of->face[0] = e->face[0];
    of->face[1] = e->face[1];
    look_there(of, meet_sides);
    if (of->best < 0) {
        look_at_all(of, true);
    }
    return of->best;
}

abut_feature convex_mesh_name(const trimesh *mesh, abut_feature feature, abut_vec3 point) {
    naming of = {.mesh = mesh, .face = {-1, -1}, .point = point, .same = mesh->flat * mesh->flat, .least = INFINITY, .best = -1};
    if (feature.kind == ABUT_FEATURE_FACE) {
        feature.index = name_face(&of, feature.index);
    } else if (feature.kind == ABUT_FEATURE_EDGE) {
        feature.index = name_edge(&of, feature.index);
    } else if (feature.kind == ABUT_FEATURE_VERTEX) {
        feature.index = mesh->convex->vertex[feature.index];
    }
    return feature;
}

abut_feature convex_mesh_name_any(const trimesh *mesh, abut_feature feature) {
    const convex_mesh *c = mesh->convex;
    if (feature.kind == ABUT_FEATURE_FACE) {
        feature.index = c->triangle[c->first[feature.index]];
        return feature;
    }
    const polytope *surface = &c->solid->surface;
    abut_vec3 start = feature.kind == ABUT_FEATURE_EDGE ? surface->vertices[surface->edges[feature.index].vertex[0]] : surface->vertices[0];
    return convex_mesh_name(mesh, feature, start);
}
