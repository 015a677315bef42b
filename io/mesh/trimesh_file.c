/*
 * Makes one triangle mesh from a mesh file.
 */
#include "io/mesh/trimesh_file.h"

#include "io/mesh/triangles.h"

abut_trimesh_options abut_trimesh_options_default(void) { return (abut_trimesh_options){.scale = {1.0, 1.0, 1.0}}; }

static abut_status refused(const char *path, abut_status status, abut_error *error) {
    switch (status) {
    case ABUT_ERROR_OUT_OF_MEMORY:
        return mesh_no_memory(path, error);
    case ABUT_ERROR_DEGENERATE:
        return abut_fail(error, status, "%s: all vertices are at one point", path);
    default:
        /* Indices and numbers were checked before, so only the range of double precision remains as the reason. */
        return abut_fail(error, ABUT_ERROR_FORMAT, "%s: its sizes are outside the range of double precision; change its scale", path);
    }
}

static abut_status create(const char *path, const abut_trimesh_options *options, const mesh_triangles *made, abut_trimesh_report *report,
                          abut_shape **shape, abut_error *error) {
    abut_trimesh_def def = abut_trimesh_def_default();
    def.vertices = made->vertices;
    def.vertex_count = made->vertex_count;
    def.triangles = made->triangles;
    def.triangle_count = made->triangle_count;
    def.scale = options->scale;
    def.two_sided = options->two_sided;
    def.smooth_angle = options->smooth_angle;
    if (def.vertex_count < 3) { /* a face may name one vertex several times */
        return abut_fail(error, ABUT_ERROR_FORMAT, "%s: no face has three different corners", path);
    }
    abut_trimesh_report found;
    abut_shape *created = NULL;
    abut_status status = abut_shape_create_trimesh(&def, &found, &created);
    if (status != ABUT_OK) {
        return refused(path, status, error);
    }
    if (report) {
        *report = found;
    }
    *shape = created;
    return ABUT_OK;
}

abut_status abut_trimesh_load(const char *path, const abut_trimesh_options *options, abut_trimesh_report *report, abut_shape **shape,
                              abut_error *error) {
    abut_trimesh_options defaults = abut_trimesh_options_default();
    const abut_trimesh_options *used = options ? options : &defaults;
    if (!path || !shape) {
        return abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT, "abut_trimesh_load: path or shape is NULL");
    }
    mesh_triangles made;
    abut_status status = mesh_triangles_read(path, used->piece, used->scale, &made, error);
    if (status == ABUT_OK) {
        status = create(path, used, &made, report, shape, error);
        mesh_triangles_release(&made);
    }
    return status;
}
