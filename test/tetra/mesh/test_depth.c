/* abut_tetra_mesh_depth() equals abut_simplex_depth() of the elements bit for bit, on any threads. Also invalid pairs, settings, and positions that are not
 * finite. */
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/tetra_grid.h"
#include "support/threads.h"
#include "tetra/mesh/view.h"

enum { PAIRS = 400 };

static void as_single_pairs(void **state) {
    (void)state;
    tetra_grid p = tetra_grid_ball(6, 1.0), q = tetra_grid_ball(5, 1.0);
    tetra_grid_place(&q, abut_quat_about(abut_unit(abut_vec3_make(1, 2, 3)), 0.4), abut_vec3_make(0.7, 0.1, 0.2));
    abut_tetra_mesh a = tetra_grid_mesh(&p), b = tetra_grid_mesh(&q);
    abut_element_pair *pairs = check_memory(PAIRS, sizeof *pairs);
    abut_depth *depths = check_memory(PAIRS, sizeof *depths);
    three_threads own = {0};
    const abut_parallel parallel[] = {{.threads = 1}, {.threads = 2}, three_threads_parallel(&own)};
    for (int self = 0; self < 2; self++) {
        const abut_tetra_mesh *other = self ? NULL : &b;
        int64_t count;
        (void)abut_tetra_mesh_candidates(&a, other, NULL, pairs, PAIRS, &count);
        int32_t asked = count < PAIRS ? (int32_t)count : PAIRS, deep = 0;
        for (size_t k = 0; k < sizeof parallel / sizeof *parallel; k++) {
            abut_depth_settings settings = abut_depth_settings_default();
            settings.mode = k == 1 ? ABUT_DEPTH_FREE_LOCAL : ABUT_DEPTH_EXACT44;
            settings.weight_a = 3.0;
            assert_ok(abut_tetra_mesh_depth(&a, other, pairs, asked, &settings, &parallel[k], depths));
            for (int32_t i = 0; i < asked; i++) {
                abut_simplex u = mesh_element(&a, pairs[i].a), v = mesh_element(self ? &a : &b, pairs[i].b);
                abut_depth single;
                assert_ok(abut_simplex_depth(&u, &v, &settings, &single));
                assert_true(single.depth == depths[i].depth && single.relation == depths[i].relation && single.offset == depths[i].offset);
                assert_memory_equal(single.displacement_a, depths[i].displacement_a, sizeof single.displacement_a);
                assert_memory_equal(single.displacement_b, depths[i].displacement_b, sizeof single.displacement_b);
                deep += single.relation == ABUT_DEPTH_INTERSECTING;
            }
        }
        assert_true(self || deep > 50);
    }
    free(pairs);
    free(depths);
    tetra_grid_release(&p);
    tetra_grid_release(&q);
}

static void errors(void **state) {
    (void)state;
    tetra_grid p = tetra_grid_block(1, 1, 1, abut_vec3_make(1, 1, 1));
    abut_tetra_mesh a = tetra_grid_mesh(&p), none = {NULL, 0, NULL, 0};
    abut_element_pair pairs[2] = {{0, 1}, {2, 2}};
    abut_depth depths[2];
    memset(depths, 0xa5, sizeof depths);
    abut_depth_settings settings = abut_depth_settings_default();
    settings.weight_a = -1.0;
    assert_status(abut_tetra_mesh_depth(NULL, &a, pairs, 2, NULL, NULL, depths), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_tetra_mesh_depth(&a, &a, NULL, 2, NULL, NULL, depths), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_tetra_mesh_depth(&a, &a, pairs, -1, NULL, NULL, depths), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_tetra_mesh_depth(&a, &a, pairs, 2, NULL, NULL, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_tetra_mesh_depth(&a, &a, pairs, 2, &settings, NULL, depths), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_tetra_mesh_depth(&a, &none, pairs, 2, NULL, NULL, depths), ABUT_ERROR_INVALID_ARGUMENT);
    for (int bad = 0; bad < 4; bad++) {
        abut_element_pair odd[2] = {{0, 1}, {bad == 0 ? -1 : bad == 1 ? 6 : 0, bad == 2 ? -1 : bad == 3 ? 6 : 0}};
        assert_status(abut_tetra_mesh_depth(&a, &a, odd, 2, NULL, NULL, depths), ABUT_ERROR_INVALID_ARGUMENT);
    }
    for (size_t i = 0; i < sizeof depths; i++) {
        assert_int_equal(((unsigned char *)depths)[i], 0xa5);
    }
    assert_ok(abut_tetra_mesh_depth(&none, NULL, NULL, 0, NULL, NULL, NULL));
    p.vertices[p.elements[4 * 2]].x = NAN; /* a vertex shared by all elements */
    assert_ok(abut_tetra_mesh_depth(&a, NULL, pairs, 2, NULL, NULL, depths));
    assert_status(depths[1].status, ABUT_ERROR_NOT_FINITE);
    assert_true(depths[1].depth == 0.0);
    tetra_grid_release(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_single_pairs), cmocka_unit_test(errors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
