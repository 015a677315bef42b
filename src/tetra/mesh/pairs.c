/* Pairs of elements of tetrahedral meshes: abut_tetra_mesh_candidates(), abut_tetra_mesh_intersections(). */
#include <abut/tetra_mesh.h>

#include <float.h>

#include "base/argument.h"
#include "tetra/mesh/search.h"
#include "tetra/mesh/view.h"

static abut_status search_pairs(const char *call, mesh_search search, abut_element_pair *pairs, int64_t capacity, int64_t *count) {
    if (argument_is_null(call, "count", count)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    *count = 0;
    if (argument_is_no_buffer(call, "pairs", pairs, capacity)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    mesh_found found;
    double most = search.kind == MESH_SEARCH_BOXES ? DBL_MAX : mesh_most_to_subtract;
    abut_status status = mesh_check(call, search.a, search.b);
    status = status == ABUT_OK ? mesh_check_finite(call, search.a, search.b, most) : status;
    status = status == ABUT_OK ? mesh_search_into(&search, pairs, capacity, &found) : status;
    if (status != ABUT_OK) {
        return status;
    }
    *count = found.count;
    return found.count > capacity ? ABUT_ERROR_CAPACITY : ABUT_OK;
}

abut_status abut_tetra_mesh_candidates(const abut_tetra_mesh *a, const abut_tetra_mesh *b, const abut_parallel *parallel,
                                       abut_element_pair *pairs, int64_t capacity, int64_t *count) {
    return search_pairs(CALL_NAME, (mesh_search){.a = a, .b = b, .kind = MESH_SEARCH_BOXES, .parallel = parallel}, pairs, capacity, count);
}

abut_status abut_tetra_mesh_intersections(const abut_tetra_mesh *a, const abut_tetra_mesh *b, const abut_parallel *parallel,
                                          abut_element_pair *pairs, int64_t capacity, int64_t *count) {
    return search_pairs(CALL_NAME, (mesh_search){.a = a, .b = b, .kind = MESH_SEARCH_INTERSECTIONS, .parallel = parallel}, pairs, capacity,
                        count);
}
