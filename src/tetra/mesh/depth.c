/* Depths of pairs of elements over threads; each by abut_simplex_depth(). */
#include <abut/tetra_mesh.h>

#include "base/argument.h"
#include "tetra/answer.h"
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
        abut_status status = answer_simplices(&p, &q, work->settings, &depth);
        if (status != ABUT_OK) {
            (void)refused("abut_tetra_mesh_depth", "pairs[%d]: %s (elements %d of a and %d of b)", (int)i, abut_status_message(status),
                          (int)work->pairs[i].a, (int)work->pairs[i].b);
        }
        work->depths[i] = status == ABUT_OK ? depth : (abut_depth){.status = status};
    }
}

static bool pairs_exist(const char *call, const depth_work *work, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        abut_element_pair pair = work->pairs[i];
        if (pair.a < 0 || pair.a >= work->a->element_count || pair.b < 0 || pair.b >= work->b->element_count) {
            return !refused(call, "pairs[%d] is (%d, %d): the meshes have %d and %d elements", (int)i, (int)pair.a, (int)pair.b,
                            (int)work->a->element_count, (int)work->b->element_count);
        }
    }
    return true;
}

abut_status abut_tetra_mesh_depth(const abut_tetra_mesh *a, const abut_tetra_mesh *b, const abut_element_pair *pairs, int32_t count,
                                  const abut_depth_settings *settings, const abut_parallel *parallel, abut_depth *depths) {
    const abut_depth_settings defaults = abut_depth_settings_default();
    depth_work work = {a, b != NULL ? b : a, pairs, settings != NULL ? settings : &defaults, depths};
    if (mesh_check(CALL_NAME, a, b) != ABUT_OK || argument_is_below(CALL_NAME, "count", count, 0)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (count > 0 && (argument_is_null(CALL_NAME, "pairs", pairs) || argument_is_null(CALL_NAME, "depths", depths))) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (!pairs_exist(CALL_NAME, &work, count)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (pair_check_settings(settings) != ABUT_OK) {
        return pair_refuse_settings(CALL_NAME, settings);
    }
    enum { GRAIN = 32 };
    abut_parallel_for(parallel, count, GRAIN, depth_of_pairs, &work);
    return ABUT_OK;
}
