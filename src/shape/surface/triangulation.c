/* The triangles that stand for a smooth surface, and how far they are from it. */
#include "shape/surface/triangulation.h"

#include <abut/mesh.h>

#include "base/argument.h"
#include "base/memory.h"
#include "base/real.h"
#include "shape/shape.h"
#include "shape/smooth.h"
#include "shape/surface/level_set.h"
#include "shape/surface/parameter_grid.h"
#include "shape/surface/thickness.h"
#include "shape/trimesh_data.h"
#include "shape/user.h"

/* ---- the triangles ---- */

typedef struct soup {
    abut_vec3 *vertices;
    int32_t *corners;
    double *parameters;
    int32_t vertex_count, triangle_count;
} soup;

static bool reserve(soup *s, bool parametric) {
    s->vertices = memory_allocate((size_t)s->vertex_count, sizeof *s->vertices);
    s->corners = memory_allocate((size_t)s->triangle_count, 3 * sizeof *s->corners);
    s->parameters = parametric ? memory_allocate((size_t)s->triangle_count, 2 * sizeof *s->parameters) : NULL;
    return s->vertices != NULL && s->corners != NULL && (s->parameters != NULL || !parametric);
}

/* False when there is no memory. */
static bool fill(const abut_shape *shape, soup *s) {
    if (shape->kind == ABUT_SHAPE_PARAMETRIC) {
        const parameter_grid grid = parameter_grid_plan(&shape->user->parametric);
        s->vertex_count = grid.vertex_count;
        s->triangle_count = grid.triangle_count;
        if (!reserve(s, true)) {
            return false;
        }
        parameter_grid_make(&grid, s->vertices, s->corners);
        parameter_grid_middles(&grid, s->parameters);
        return true;
    }
    const abut_implicit_def *def = &shape->user->implicit;
    level_set_make(def, NULL, NULL, &s->vertex_count, &s->triangle_count);
    if (s->triangle_count == 0) {
        return true;
    }
    if (!reserve(s, false)) {
        return false;
    }
    level_set_make(def, s->vertices, s->corners, &s->vertex_count, &s->triangle_count);
    return true;
}

static bool is_finite(const soup *s) {
    bool finite = true;
    for (int32_t v = 0; v < s->vertex_count; ++v) {
        finite = finite && abut_vec3_is_finite(s->vertices[v]);
    }
    return finite;
}

/* ---- the distance of the surface ---- */

/* Of an implicit surface, to first order. */
static double offset_of_implicit(const abut_shape *shape, abut_vec3 point) {
    const abut_implicit_point at = implicit_at(&shape->user->implicit, point);
    double steep = abut_length(at.gradient);
    return steep > 0.0 ? fabs(at.value) / steep : 0.0;
}

/* Of a parametric surface at the middle of a cell: over the middle of the diagonal that both of its triangles share. */
static double offset_of_parametric(const abut_shape *shape, const soup *s, int32_t t) {
    const int32_t *c = s->corners + 3 * (size_t)t;
    const abut_vec3 from = s->vertices[c[0]];
    abut_vec3 across = abut_unit(abut_cross(abut_sub(s->vertices[c[1]], from), abut_sub(s->vertices[c[2]], from)));
    return fabs(
        abut_dot(across, abut_sub(parametric_at(&shape->user->parametric, s->parameters[2 * t], s->parameters[2 * t + 1]).s, from)));
}

/* At the middle of a triangle and of its sides, where flat triangles are farthest from a curved surface. */
static double offset_of(const abut_shape *shape, const soup *s, int32_t t) {
    static const double share[4][3] = {{1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0}, {0.5, 0.5, 0.0}, {0.0, 0.5, 0.5}, {0.5, 0.0, 0.5}};
    const int32_t *c = s->corners + 3 * (size_t)t;
    double most = 0.0;
    if (s->parameters != NULL) {
        return offset_of_parametric(shape, s, t);
    }
    for (int i = 0; i < 4; ++i) {
        abut_vec3 point = abut_scale(share[i][0], s->vertices[c[0]]);
        point = abut_add_scaled(abut_add_scaled(point, share[i][1], s->vertices[c[1]]), share[i][2], s->vertices[c[2]]);
        most = real_max(most, offset_of_implicit(shape, point));
    }
    return most;
}

static void measure(const abut_shape *shape, const soup *s, triangulation *of) {
    const double safety = 1.5; /* between the samples */
    for (int32_t t = 0; t < s->triangle_count; ++t) {
        of->error = real_max(of->error, safety * offset_of(shape, s, t));
        for (int k = 0; k < 3; ++k) {
            const int32_t *c = s->corners + 3 * (size_t)t;
            of->cell = real_max(of->cell, abut_distance_between(s->vertices[c[k]], s->vertices[c[(k + 1) % 3]]));
        }
    }
}

/* ---- making ---- */

/* The mesh; NULL where the triangles enclose no body. */
static abut_status make_mesh(const soup *s, abut_shape **mesh) {
    abut_trimesh_def def = abut_trimesh_def_default();
    abut_trimesh_report report;
    def.vertices = s->vertices;
    def.vertex_count = s->vertex_count;
    def.triangles = s->corners;
    def.triangle_count = s->triangle_count;
    abut_status status = abut_shape_create_trimesh(&def, &report, mesh);
    if (status == ABUT_OK && !report.closed) {
        abut_shape_release(*mesh);
        *mesh = NULL;
    }
    return status == ABUT_ERROR_OUT_OF_MEMORY ? status : ABUT_OK;
}

/* False when there is no memory. */
static bool find_triangles_at_vertices(triangulation *of) {
    const trimesh *mesh = of->mesh->mesh;
    of->at_vertex = memory_allocate((size_t)mesh->vertex_count, sizeof *of->at_vertex);
    for (int32_t v = 0; v < mesh->vertex_count && of->at_vertex != NULL; ++v) {
        of->at_vertex[v] = -1;
    }
    for (int32_t k = 3 * mesh->triangle_count - 1; k >= 0 && of->at_vertex != NULL; --k) {
        of->at_vertex[mesh->corners[k]] = k / 3;
    }
    return of->at_vertex != NULL;
}

/* Whether the triangles enclose the whole body. A grid loses what is thinner than its cells. */
static bool is_whole(const abut_shape *shape, const abut_shape *mesh) {
    const double most = 0.15; /* flat triangles in a curved surface enclose a few hundredths less or more */
    double volume = shape->unit_mass.volume;
    return fabs(mesh->unit_mass.volume - volume) <= most * volume;
}

abut_status triangulation_make(const abut_shape *shape, triangulation **made) {
    soup s = {.vertices = NULL};
    triangulation *of = memory_allocate(1, sizeof *of);
    *made = NULL;
    abut_status status = of != NULL && fill(shape, &s) ? ABUT_OK : ABUT_ERROR_OUT_OF_MEMORY;
    if (of != NULL) {
        *of = (triangulation){.mesh = NULL};
    }
    if (status == ABUT_OK && s.triangle_count > 0 && is_finite(&s)) {
        status = make_mesh(&s, &of->mesh);
    }
    bool whole = status == ABUT_OK && of->mesh != NULL && is_whole(shape, of->mesh);
    if (whole && !find_triangles_at_vertices(of)) {
        status = ABUT_ERROR_OUT_OF_MEMORY;
    }
    if (status == ABUT_OK && whole) {
        measure(shape, &s, of);
        const double cells = 4.0;
        of->thickness = mesh_thickness(of->mesh, cells * of->cell);
        of->parameters = s.parameters;
        s.parameters = NULL;
        *made = of;
    } else {
        abut_shape_release(of != NULL ? of->mesh : NULL);
        memory_release(of);
    }
    memory_release(s.vertices);
    memory_release(s.corners);
    memory_release(s.parameters);
    return status;
}

abut_status abut_shape_surface_mesh(const abut_shape *shape, const abut_shape **mesh, double *error) {
    if (argument_is_null(CALL_NAME, "shape", shape) || argument_is_null(CALL_NAME, "mesh", mesh)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (!smooth_is_unknown(shape)) {
        return shape_refuse_kind(CALL_NAME, "shape", shape, "a smooth body that is not convex");
    }
    const triangulation *of = shape->user->triangles;
    if (of == NULL) {
        return refuse(ABUT_ERROR_NOT_CLOSED, CALL_NAME,
                      "shape: the triangles of its surface do not enclose it; it is too thin for their grid");
    }
    *mesh = of->mesh;
    if (error != NULL) {
        *error = of->error;
    }
    return ABUT_OK;
}
