/* Validation of tetrahedral meshes: counts, indices, numbers. */
#include "tetra/mesh/view.h"

#include "base/argument.h"

static bool is_short_of(const char *call, const char *mesh, const char *what, int32_t count, int64_t most, const void *array) {
    return (count < 0 && refused(call, "%s->%s_count is %d: it must be at least 0", mesh, what, (int)count)) ||
           (count > most && refused(call, "%s->%s_count is %d: it must be at most %d", mesh, what, (int)count, (int)most)) ||
           (count > 0 && array == NULL && refused(call, "%s->%s is NULL", mesh, what[0] == 'v' ? "vertices" : "elements"));
}

static bool well_formed(const char *call, const char *name, const abut_tetra_mesh *mesh) {
    if (is_short_of(call, name, "vertex", mesh->vertex_count, INT32_MAX, mesh->vertices) ||
        is_short_of(call, name, "element", mesh->element_count, MESH_MOST_ELEMENTS, mesh->elements)) {
        return false;
    }
    for (int64_t i = 0; i < 4 * (int64_t)mesh->element_count; i++) {
        if (mesh->elements[i] < 0 || mesh->elements[i] >= mesh->vertex_count) {
            return !refused(call, "%s->elements[%lld] is %d: it must be an index of %d vertices", name, (long long)i,
                            (int)mesh->elements[i], (int)mesh->vertex_count);
        }
    }
    return true;
}

static bool all_within(const char *call, const char *name, const abut_tetra_mesh *mesh, double most) {
    for (int32_t i = 0; i < mesh->vertex_count; i++) {
        abut_vec3 v = mesh->vertices[i];
        if (!(fabs(v.x) <= most && fabs(v.y) <= most && fabs(v.z) <= most)) {
            return !refused(call, "%s->vertices[%d] is not finite, or above %.3g", name, (int)i, most);
        }
    }
    return true;
}

abut_status mesh_check(const char *call, const abut_tetra_mesh *a, const abut_tetra_mesh *b) {
    bool fine = !argument_is_null(call, "a", a) && well_formed(call, "a", a) && (b == NULL || well_formed(call, "b", b));
    return fine ? ABUT_OK : ABUT_ERROR_INVALID_ARGUMENT;
}

abut_status mesh_check_finite(const char *call, const abut_tetra_mesh *a, const abut_tetra_mesh *b, double most) {
    return all_within(call, "a", a, most) && (b == NULL || all_within(call, "b", b, most)) ? ABUT_OK : ABUT_ERROR_NOT_FINITE;
}
