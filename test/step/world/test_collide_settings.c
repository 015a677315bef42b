/* A world refuses the settings of contacts that abut_collide() refuses, with the same status: its steps would fail over them. It ignores the margin, for which
 * it has a setting of its own. */
#include <math.h>

#include <abut/world.h>

#include "support/check.h"

static abut_status collide_with(const abut_collide_settings *settings) {
    abut_shape *box = NULL;
    int32_t count;
    assert_ok(abut_shape_create_box(abut_vec3_make(1, 1, 1), &box));
    abut_pose there = abut_pose_identity();
    there.position.x = 1.5;
    abut_status status = abut_collide(&(abut_pair){box, abut_pose_identity(), box, there}, settings, NULL, NULL, 0, &count);
    abut_shape_release(box);
    return status == ABUT_ERROR_CAPACITY ? ABUT_OK : status;
}

static abut_status create_with(const abut_collide_settings *settings) {
    abut_world_def def = abut_world_def_default();
    def.collide = *settings;
    abut_world *world = NULL;
    abut_status status = abut_world_create(&def, &world);
    assert_true((status == ABUT_OK) == (world != NULL));
    abut_world_destroy(world);
    return status;
}

static void check(const abut_collide_settings *settings, abut_status expected, const char *what) {
    abut_status collide = collide_with(settings), create = create_with(settings);
    if (collide != expected || create != expected) {
        fail_msg("%s: abut_collide() gives %d, abut_world_create() %d, not %d", what, (int)collide, (int)create, (int)expected);
    }
}

static void test_numbers(void **state) {
    (void)state;
    abut_collide_settings s = abut_collide_settings_default();
    double *const numbers[] = {&s.feature_angle, &s.weld, &s.previous_normal.x, &s.previous_normal.y, &s.previous_normal.z};
    static const char *const names[] = {"feature_angle", "weld", "previous_normal.x", "previous_normal.y", "previous_normal.z"};
    static const double beyond[] = {0.79, 0.11, INFINITY, INFINITY, INFINITY};
    for (int i = 0; i < 5; i++) {
        double right = *numbers[i];
        *numbers[i] = NAN;
        check(&s, ABUT_ERROR_NOT_FINITE, names[i]);
        *numbers[i] = beyond[i];
        check(&s, isfinite(beyond[i]) ? ABUT_ERROR_INVALID_ARGUMENT : ABUT_ERROR_NOT_FINITE, names[i]);
        *numbers[i] = -1e-3;
        check(&s, i < 2 ? ABUT_ERROR_INVALID_ARGUMENT : ABUT_OK, names[i]);
        *numbers[i] = right;
        check(&s, ABUT_OK, names[i]);
    }
}

static void test_choices(void **state) {
    (void)state;
    for (int field = 0; field < 5; field++) {
        for (int value = -1; value <= 7; value++) {
            abut_collide_settings s = abut_collide_settings_default();
            int most = 1;
            switch (field) {
            case 0:
                s.normal = (abut_normal_policy)value;
                break;
            case 1:
                s.contraction = (abut_contraction)value;
                break;
            case 2:
                s.baseline.growth = (abut_growth_method)value;
                break;
            case 3:
                s.baseline.mesh_rule = (abut_mesh_rule)value;
                most = ABUT_MESH_VORONOI;
                break;
            default:
                s.baseline.mesh_identity = (abut_mesh_identity)value;
                most = ABUT_MESH_BY_POSITION;
            }
            static const char *const names[] = {"normal", "contraction", "method", "mesh_rule", "mesh_identity"};
            check(&s, value >= 0 && value <= most ? ABUT_OK : ABUT_ERROR_INVALID_ARGUMENT, names[field]);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_numbers), cmocka_unit_test(test_choices)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
