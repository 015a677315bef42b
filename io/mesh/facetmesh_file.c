/*
 * Makes a body of rounded triangles from a mesh file.
 */
#include "io/mesh/facetmesh_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/mesh/facetmesh_make.h"
#include "io/mesh/triangles.h"
#include "io/file/nearest_name.h"

abut_facetmesh_options abut_facetmesh_options_default(void) { return (abut_facetmesh_options){.scale = {1.0, 1.0, 1.0}}; }

static abut_status check_options(const char *path, const abut_facetmesh_options *options, abut_error *error) {
    bool fine = options->radius >= 0.0 && options->radii_count >= 0 && options->group_count >= 0;
    fine = fine && (options->radii || options->radii_count == 0) && (options->groups || options->group_count == 0);
    for (int32_t i = 0; fine && i < options->radii_count; i++) {
        fine = options->radii[i] >= 0.0;
    }
    for (int32_t i = 0; fine && i < options->group_count; i++) {
        fine = options->groups[i].group && options->groups[i].radius >= 0.0;
    }
    fine = fine && options->lip_radius >= 0.0 && options->lip_radius < INFINITY;
    return fine ? ABUT_OK : abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT, "%s: radii must be above 0, 0 where they are estimated", path);
}

static void scale_mesh(mesh_triangles *made, abut_vec3 s) {
    for (int32_t v = 0; v < made->vertex_count; v++) {
        abut_vec3 p = made->vertices[v];
        made->vertices[v] = abut_vec3_make(s.x * p.x, s.y * p.y, s.z * p.z);
    }
    bool mirrors = ((s.x < 0.0) != (s.y < 0.0)) != (s.z < 0.0);
    for (int32_t t = 0; mirrors && t < made->triangle_count; t++) {
        int32_t *corner = &made->triangles[3 * (size_t)t], second = corner[1];
        corner[1] = corner[2];
        corner[2] = second;
    }
}

/* ---- radii ---- */

/* Sets the radius of all triangles in the groups of that name. */
static abut_status set_group(const char *path, const mesh_triangles *made, const abut_group_radius *given, double *radii,
                             abut_error *error) {
    bool found = false;
    for (int32_t t = 0; t < made->triangle_count; t++) {
        if (strcmp(made->soup.group_names[made->groups[t]], given->group) == 0) {
            radii[t] = given->radius;
            found = true;
        }
    }
    if (found) {
        return ABUT_OK;
    }
    nearest_name nearest = {.mistyped = given->group};
    mesh_triangles_offer_groups(&made->soup, &nearest);
    char hint[128];
    return abut_fail(error, ABUT_ERROR_FORMAT, "%s: a radius is given for group '%s', but no group with faces has that name%s", path,
                     given->group, nearest_hint(&nearest, hint, sizeof hint));
}

static abut_status set_radii(const char *path, const abut_facetmesh_options *options, const mesh_triangles *made, double *radii,
                             abut_error *error) {
    if (options->radii && options->radii_count != made->triangle_count) {
        return abut_fail(error, ABUT_ERROR_FORMAT, "%s: radii are given for %d triangles, but the file has %d", path,
                         (int)options->radii_count, (int)made->triangle_count);
    }
    for (int32_t t = 0; t < made->triangle_count; t++) {
        radii[t] = options->radii ? options->radii[t] : options->radius;
    }
    abut_status status = ABUT_OK;
    for (int32_t i = 0; status == ABUT_OK && i < options->group_count; i++) {
        status = set_group(path, made, &options->groups[i], radii, error);
    }
    return status;
}

/* ---- the shape ---- */

static abut_status create(const char *path, const abut_facetmesh_options *options, const mesh_triangles *made, const double *radii,
                          abut_facetmesh_report *report, abut_shape **shape, abut_error *error) {
    if (made->vertex_count < 4 || made->triangle_count < 4) {
        return abut_fail(error, ABUT_ERROR_NOT_CLOSED, "%s: its surface is not closed: it has %d triangles over %d vertices", path,
                         (int)made->triangle_count, (int)made->vertex_count);
    }
    abut_facetmesh_def def = {.vertices = made->vertices,
                              .vertex_count = made->vertex_count,
                              .triangles = made->triangles,
                              .triangle_count = made->triangle_count,
                              .radii = radii,
                              .cross_radii = options->cross_radii,
                              .directions = options->directions,
                              .lip_radius = options->lip_radius,
                              .principal = options->principal};
    abut_facetmesh_report found;
    abut_shape *created = NULL;
    abut_status status = facetmesh_make(&def, &found, &created);
    if (status == ABUT_ERROR_OUT_OF_MEMORY) {
        return mesh_no_memory(path, error);
    }
    if (status != ABUT_OK) {
        char reason[FACETMESH_REASON_SIZE];
        status = facetmesh_reason(status, &found, reason);
        return abut_fail(error, status, "%s: %s", path, reason);
    }
    if (report) {
        *report = found;
    }
    *shape = created;
    return ABUT_OK;
}

static abut_status make(const char *path, const abut_facetmesh_options *options, mesh_triangles *made, abut_facetmesh_report *report,
                        abut_shape **shape, abut_error *error) {
    double *radii = calloc((size_t)made->triangle_count, sizeof *radii);
    if (!radii) {
        return mesh_no_memory(path, error);
    }
    scale_mesh(made, options->scale);
    abut_status status = set_radii(path, options, made, radii, error);
    if (status == ABUT_OK) {
        status = create(path, options, made, radii, report, shape, error);
    }
    free(radii);
    return status;
}

abut_status abut_facetmesh_load(const char *path, const abut_facetmesh_options *options, abut_facetmesh_report *report, abut_shape **shape,
                                abut_error *error) {
    abut_facetmesh_options defaults = abut_facetmesh_options_default();
    const abut_facetmesh_options *used = options ? options : &defaults;
    if (!path || !shape) {
        return abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT, "abut_facetmesh_load: path or shape is NULL");
    }
    abut_status status = check_options(path, used, error);
    mesh_triangles made;
    if (status == ABUT_OK) {
        status = mesh_triangles_read(path, used->piece, used->scale, &made, error);
    }
    if (status == ABUT_OK) {
        status = make(path, used, &made, report, shape, error);
        mesh_triangles_release(&made);
    }
    return status;
}
