/* The polytope of a closed convex mesh: see the header. Mesh frame. */

#include "shape/closed/convex_mesh.h"

#include <float.h>

#include "base/memory.h"
#include "base/real.h"
#include "geom/area.h"
#include "shape/bounds.h"
#include "shape/build/build.h"
#include "shape/lifecycle.h"
#include "shape/shape.h"

/* Larger meshes stay meshes: the search for the least depth of polytopes grows with the square of the faces that are equally deep. */
enum { MOST_TRIANGLES = 8192 };

/* ---- whether it is worth a try ---- */

static abut_vec3 corner_of(const trimesh *mesh, int32_t triangle, int k) {
    return mesh->vertices[mesh->corners[3 * (size_t)triangle + (size_t)k]];
}

/* Whether a vertex lies clearly beyond a triangle's plane. */
static bool is_beyond(const trimesh *mesh, int32_t triangle, abut_vec3 point, double rounding) {
    abut_vec3 p = corner_of(mesh, triangle, 0);
    abut_vec3 area = triangle_area(p, corner_of(mesh, triangle, 1), corner_of(mesh, triangle, 2));
    abut_vec3 arm = abut_sub(point, p);
    double height = abut_dot(area, arm), length = abut_length(area);
    return height > 64.0 * rounding * length + 64.0 * DBL_EPSILON * length * abut_length(arm) && length > rounding * mesh->flat;
}

/* Rejects most meshes that are not convex, by some triangles and all vertices. */
static bool may_be_convex(const trimesh *mesh) {
    const int32_t asked = 12;
    double rounding = mesh->flat; /* some rounding errors of the largest coordinate */
    for (int32_t i = 0; i < asked; i++) {
        int32_t t = (int32_t)((int64_t)i * mesh->triangle_count / asked);
        abut_vec3 p = corner_of(mesh, t, 0), q = corner_of(mesh, t, 1), r = corner_of(mesh, t, 2), across;
        const abut_vec3 corner[3] = {p, q, r};
        double longest = real_max(abut_distance_between(p, q), real_max(abut_distance_between(q, r), abut_distance_between(r, p)));
        bool sliver = trimesh_is_flat(mesh, corner, &across) || abut_length(across) < 1e-3 * longest * longest;
        for (int32_t v = 0; v < mesh->vertex_count && !sliver; v++) {
            if (is_beyond(mesh, t, mesh->vertices[v], 1e3 * rounding)) {
                return false;
            }
        }
    }
    return true;
}

/* ---- making ---- */

static bool count_triangles(convex_mesh *made, const int32_t *face, int32_t triangle_count) {
    int32_t faces = made->solid->surface.face_count;
    made->first = memory_allocate((size_t)faces + 1, sizeof *made->first);
    made->triangle = memory_allocate((size_t)triangle_count, sizeof *made->triangle);
    if (made->first == NULL || made->triangle == NULL) {
        return false;
    }
    for (int32_t t = 0; t < triangle_count; t++) {
        if (face[t] >= 0) {
            ++made->first[face[t] + 1];
        }
    }
    for (int32_t f = 0; f < faces; f++) {
        made->first[f + 1] += made->first[f];
    }
    for (int32_t t = triangle_count - 1; t >= 0; t--) {
        if (face[t] >= 0) {
            made->triangle[--made->first[face[t] + 1]] = t; /* afterwards first[f + 1] is where face f begins */
        }
    }
    for (int32_t f = 0; f < faces; f++) {
        made->first[f] = made->first[f + 1];
    }
    made->first[faces] = made->triangles = 0;
    for (int32_t t = 0; t < triangle_count; t++) {
        made->first[faces] += face[t] >= 0;
    }
    made->triangles = made->first[faces];
    return true;
}

/* Whether every face has a triangle, so that it has a name. */
static bool is_named(const convex_mesh *made) {
    for (int32_t f = 0; f < made->solid->surface.face_count; f++) {
        if (made->first[f] == made->first[f + 1]) {
            return false;
        }
    }
    return true;
}

static bool is_thick(const abut_shape *solid) {
    return solid->surface.inradius > 1e3 * DBL_EPSILON * solid->surface.size && isfinite(solid->surface.inradius);
}

static void finish(abut_shape *solid) {
    solid->size = solid->surface.size;
    solid->bounds = bounds_of_points(solid->surface.vertices, solid->surface.vertex_count);
}

/* first: [triangle_count + 1] scratch. */
static abut_status build(const trimesh *mesh, convex_mesh *made, int32_t *first, build_origin *origin) {
    for (int32_t t = 0; t < mesh->triangle_count; t++) {
        first[t + 1] = first[t] + 3;
    }
    const build_source source = {.vertices = mesh->vertices,
                                 .vertex_count = mesh->vertex_count,
                                 .face_first = first,
                                 .face_vertices = mesh->corners,
                                 .face_count = mesh->triangle_count,
                                 .tolerance = DBL_EPSILON,
                                 .origin = origin};
    abut_polytope_report unread;
    abut_status status = build_polytope(&source, &unread, &made->solid->surface, &made->solid->unit_mass);
    if (status != ABUT_OK) {
        return status;
    }
    finish(made->solid);
    made->vertex = origin->vertex;
    made->face = origin->face;
    *origin = (build_origin){.face = NULL};
    return count_triangles(made, made->face, mesh->triangle_count) ? ABUT_OK : ABUT_ERROR_OUT_OF_MEMORY;
}

bool convex_mesh_make(const trimesh *mesh, convex_mesh **result) {
    *result = NULL;
    if (mesh->vertices == NULL || mesh->two_sided || mesh->triangle_count > MOST_TRIANGLES || !may_be_convex(mesh)) {
        return true;
    }
    convex_mesh *made = memory_allocate(1, sizeof *made);
    int32_t *first = memory_allocate((size_t)mesh->triangle_count + 1, sizeof *first);
    build_origin origin = {.face = memory_allocate((size_t)mesh->triangle_count, sizeof *origin.face),
                           .vertex = memory_allocate((size_t)mesh->vertex_count, sizeof *origin.vertex)};
    abut_status status = ABUT_ERROR_OUT_OF_MEMORY;
    if (made != NULL && first != NULL && origin.face != NULL && origin.vertex != NULL) {
        made->solid = shape_allocate(ABUT_SHAPE_POLYTOPE);
        status = made->solid != NULL ? build(mesh, made, first, &origin) : status;
    }
    memory_release(first);
    memory_release(origin.face);
    memory_release(origin.vertex);
    if (status == ABUT_OK && is_named(made) && is_thick(made->solid)) {
        *result = made;
    } else {
        convex_mesh_release(made);
    }
    return status != ABUT_ERROR_OUT_OF_MEMORY;
}

/* ---- memory ---- */

size_t convex_mesh_bytes(const convex_mesh *mesh) {
    if (mesh == NULL) {
        return 0;
    }
    const polytope *surface = &mesh->solid->surface;
    size_t vertices = (size_t)surface->vertex_count, faces = (size_t)surface->face_count, edges = (size_t)surface->edge_count;
    size_t by_vertex = 2 * sizeof(abut_vec3) + 2 * sizeof(int32_t), by_edge = sizeof(polytope_edge) + 12 * sizeof(int32_t);
    size_t by_corner = sizeof(polytope_corner) + sizeof(polytope_spoke), by_face = sizeof(polytope_face) + 12 * sizeof(double);
    return sizeof *mesh + sizeof *mesh->solid + vertices * by_vertex + edges * (by_edge + 2 * by_corner) + faces * by_face +
           2 * (size_t)mesh->triangles * sizeof(int32_t);
}

void convex_mesh_release(convex_mesh *mesh) {
    if (mesh == NULL) {
        return;
    }
    shape_free(mesh->solid);
    memory_release(mesh->first);
    memory_release(mesh->triangle);
    memory_release(mesh->vertex);
    memory_release(mesh->face);
    memory_release(mesh);
}
