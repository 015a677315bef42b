/* Validation of tetrahedral meshes: counts, indices, numbers. */
#include "tetra/mesh/view.h"

static bool well_formed(const abut_tetra_mesh *mesh) {
    if (mesh->vertex_count < 0 || mesh->element_count < 0 || mesh->element_count > MESH_MOST_ELEMENTS ||
        (mesh->vertex_count > 0 && mesh->vertices == NULL) || (mesh->element_count > 0 && mesh->elements == NULL)) {
        return false;
    }
    for (int64_t i = 0; i < 4 * (int64_t)mesh->element_count; i++) {
        if (mesh->elements[i] < 0 || mesh->elements[i] >= mesh->vertex_count) {
            return false;
        }
    }
    return true;
}

static bool all_within(const abut_tetra_mesh *mesh, double most) {
    for (int32_t i = 0; i < mesh->vertex_count; i++) {
        abut_vec3 v = mesh->vertices[i];
        if (!(fabs(v.x) <= most && fabs(v.y) <= most && fabs(v.z) <= most)) {
            return false;
        }
    }
    return true;
}

abut_status mesh_check(const abut_tetra_mesh *a, const abut_tetra_mesh *b) {
    return a != NULL && well_formed(a) && (b == NULL || well_formed(b)) ? ABUT_OK : ABUT_ERROR_INVALID_ARGUMENT;
}

abut_status mesh_check_finite(const abut_tetra_mesh *a, const abut_tetra_mesh *b, double most) {
    return all_within(a, most) && (b == NULL || all_within(b, most)) ? ABUT_OK : ABUT_ERROR_NOT_FINITE;
}
