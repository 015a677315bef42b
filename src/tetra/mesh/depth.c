/* Depths of pairs of elements over threads; each by abut_simplex_depth(). */
#include <abut/tetra_mesh.h>

#include "tetra/mesh/view.h"
#include "tetra/pair.h"

typedef struct depth_work {
    const abut_tetra_mesh *a, *b;
    const abut_element_pair *pairs;
    const abut_depth_settings *settings;
    abut_depth *depths;
} depth_work;

static void depth_of_pairs(void *argument, int32_t begin, int32_t end) {
    const depth_work *work = argument;
    for (int32_t i = begin; i < end; i++) {
        abut_simplex p = mesh_element(work->a, work->pairs[i].a), q = mesh_element(work->b, work->pairs[i].b);
        abut_depth depth = {.status = ABUT_OK};
        abut_status status = abut_simplex_depth(&p, &q, work->settings, &depth);
        work->depths[i] = status == ABUT_OK ? depth : (abut_depth){.status = status};
    }
}

static bool pairs_exist(const depth_work *work, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        abut_element_pair pair = work->pairs[i];
        if (pair.a < 0 || pair.a >= work->a->element_count || pair.b < 0 || pair.b >= work->b->element_count) {
            return false;
        }
    }
    return true;
}

abut_status abut_tetra_mesh_depth(const abut_tetra_mesh *a, const abut_tetra_mesh *b, const abut_element_pair *pairs, int32_t count,
                                  const abut_depth_settings *settings, const abut_parallel *parallel, abut_depth *depths) {
    depth_work work = {a, b != NULL ? b : a, pairs, settings, depths};
    if (mesh_check(a, b) != ABUT_OK || count < 0 || (count > 0 && (pairs == NULL || depths == NULL)) || !pairs_exist(&work, count) ||
        pair_check_settings(settings) != ABUT_OK) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    enum { GRAIN = 32 };
    abut_parallel_for(parallel, count, GRAIN, depth_of_pairs, &work);
    return ABUT_OK;
}
