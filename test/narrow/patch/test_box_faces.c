/* Faces of boxes on each other: the contacts are those of polytopes with the same vertices, to the last bit. Frame of A. */
#include "narrow/patch/box_faces.h"

#include <stdio.h>

#include "support/check.h"
#include "support/twin_boxes.h"

typedef struct placement {
    abut_mat3 rotation;
    abut_vec3 position;
} placement;

/* B on a side of A, a depth below it, beside its middle, turned about the normal and leaning a little. */
static placement draw_placement(random_state *random, abut_vec3 half_a, abut_vec3 half_b) {
    const double shifts[6] = {0.0, 0.5, 1.0, -1.0, random_range(random, -1.0, 1.0), random_range(random, -1.5, 1.5)};
    const double depths[5] = {0.0, 1e-4, 1e-12, -1e-3, random_range(random, 0.0, 0.05)};
    abut_quat turn = random_below(random, 2) == 0
                         ? abut_quat_identity()
                         : abut_quat_about(abut_vec3_make(0, 0, 1), 0.39269908169872414 * random_range(random, 0.0, 16.0));
    abut_quat lean = abut_quat_about(random_direction(random), random_below(random, 3) == 0 ? 0.0 : random_log_range(random, 1e-15, 2e-2));
    double side = random_below(random, 2) == 0 ? 1.0 : -1.0, depth = depths[random_below(random, 5)];
    double x = shifts[random_below(random, 6)], y = shifts[random_below(random, 6)];
    abut_vec3 position = abut_vec3_make(x * half_a.x, y * half_a.y, side * (half_a.z + half_b.z - depth));
    return (placement){abut_mat3_from_quat(abut_quat_mul(lean, turn)), position};
}

static void same_as_polytopes(void **state) {
    (void)state;
    static tally t;
    static twin_patches patches;
    random_state random = random_make(random_seed("same_as_polytopes", 811));
    int32_t samples = random_samples("same_as_polytopes", 200000), with[9] = {0};
    for (int32_t i = 0; i < samples; i++) {
        const double margins[3] = {0.0, 0.01, 0.1}, welds[4] = {1e-6, 0.0, 0.01, 1e-9};
        abut_vec3 half_a = random_vec3(&random, 0.2, 0.6), half_b = random_below(&random, 3) == 0 ? half_a : random_vec3(&random, 0.2, 0.6);
        twin_box a, b;
        twin_box_make(half_a, &a);
        twin_box_make(half_b, &b);
        placement where = draw_placement(&random, half_a, half_b);
        patch_settings settings = {margins[random_below(&random, 3)], 0.0349, welds[random_below(&random, 4)],
                                   random_below(&random, 8) == 0};
        tally_sample(&t, "sample %d", (int)i);
        if (twin_boxes_meet(&a, &b, where.rotation, where.position, &settings, &patches)) {
            int32_t count = patches.of_boxes.count, expected = patches.of_polytopes.count;
            bool faces =
                count > 2 || expected > 2; /* of points and lines, the two ways may pick different features that are equally good */
            if (count != expected || (faces && !twin_patches_agree(&patches))) {
                tally_fail(&t, "contacts", "%d, not the %d of polytopes", (int)count, (int)expected);
            }
            ++with[count < 8 ? count : 8];
        }
        abut_shape_release(a.box);
        abut_shape_release(b.box);
    }
    tally_end(&t);
    printf("same_as_polytopes: points or lines %d, quadrilaterals %d, more %d\n", (int)(with[1] + with[2]), (int)with[4],
           (int)(with[5] + with[6] + with[7] + with[8]));
    assert_true(with[3] > 0 && with[4] > samples / 4 && with[5] > 0 && with[6] > 0 && with[7] > 0 && with[8] > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_as_polytopes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
