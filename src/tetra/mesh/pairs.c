/* Pairs of elements of tetrahedral meshes: abut_tetra_mesh_candidates(), abut_tetra_mesh_intersections(). */
#include <abut/tetra_mesh.h>

#include <float.h>

#include "tetra/mesh/search.h"
#include "tetra/mesh/view.h"

static abut_status search_pairs(mesh_search search, abut_element_pair *pairs, int64_t capacity, int64_t *count) {
    if (count == NULL) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    *count = 0;
    if (capacity < 0 || (capacity > 0 && pairs == NULL)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    mesh_found found;
    double most = search.kind == MESH_SEARCH_BOXES ? DBL_MAX : mesh_most_to_subtract;
    abut_status status = mesh_check(search.a, search.b);
    status = status == ABUT_OK ? mesh_check_finite(search.a, search.b, most) : status;
    status = status == ABUT_OK ? mesh_search_into(&search, pairs, capacity, &found) : status;
    if (status != ABUT_OK) {
        return status;
    }
    *count = found.count;
    return found.count > capacity ? ABUT_ERROR_CAPACITY : ABUT_OK;
}

abut_status abut_tetra_mesh_candidates(const abut_tetra_mesh *a, const abut_tetra_mesh *b, const abut_parallel *parallel,
                                       abut_element_pair *pairs, int64_t capacity, int64_t *count) {
    return search_pairs((mesh_search){.a = a, .b = b, .kind = MESH_SEARCH_BOXES, .parallel = parallel}, pairs, capacity, count);
}

abut_status abut_tetra_mesh_intersections(const abut_tetra_mesh *a, const abut_tetra_mesh *b, const abut_parallel *parallel,
                                          abut_element_pair *pairs, int64_t capacity, int64_t *count) {
    return search_pairs((mesh_search){.a = a, .b = b, .kind = MESH_SEARCH_INTERSECTIONS, .parallel = parallel}, pairs, capacity, count);
}
