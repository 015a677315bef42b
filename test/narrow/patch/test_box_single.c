/* One contact of two boxes: it is that of polytopes with the same vertices, to the last bit. Frame of A. */
#include "narrow/patch/box_single.h"

#include <stdio.h>

#include "support/check.h"
#include "support/twin_boxes.h"

/* Boxes in random poses that overlap or are near: most meet in one point. */
static void same_as_polytopes(void **state) {
    (void)state;
    static tally t;
    static twin_patches patches;
    random_state random = random_make(random_seed("same_as_polytopes", 821));
    int32_t samples = random_samples("same_as_polytopes", 200000), vertices = 0, edges = 0;
    for (int32_t i = 0; i < samples; i++) {
        const double margins[3] = {0.0, 0.01, 0.1}, welds[4] = {1e-6, 0.0, 0.01, 1e-9};
        twin_box a, b;
        twin_box_make(random_vec3(&random, 0.2, 0.6), &a);
        twin_box_make(random_vec3(&random, 0.2, 0.6), &b);
        abut_mat3 rotation = abut_mat3_from_quat(random_rotation(&random));
        abut_vec3 position = abut_scale(random_range(&random, 0.5, 1.3), random_direction(&random));
        patch_settings settings = {margins[random_below(&random, 3)], 0.0349, welds[random_below(&random, 4)],
                                   random_below(&random, 8) == 0};
        tally_sample(&t, "sample %d", (int)i);
        if (twin_boxes_meet(&a, &b, rotation, position, &settings, &patches)) {
            if (!twin_patches_agree(&patches)) {
                tally_fail(&t, "contacts", "%d, not the %d of polytopes", (int)patches.of_boxes.count, (int)patches.of_polytopes.count);
            }
            const abut_contact *contact = &patches.of_boxes.items[0];
            bool single = patches.of_boxes.count == 1;
            vertices += single && (contact->feature_a.kind == ABUT_FEATURE_VERTEX || contact->feature_b.kind == ABUT_FEATURE_VERTEX);
            edges += single && contact->feature_a.kind == ABUT_FEATURE_EDGE && contact->feature_b.kind == ABUT_FEATURE_EDGE;
        }
        abut_shape_release(a.box);
        abut_shape_release(b.box);
    }
    tally_end(&t);
    printf("same_as_polytopes: %d with a vertex, %d of two edges\n", (int)vertices, (int)edges);
    assert_true(vertices > samples / 8 && edges > samples / 40);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_as_polytopes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
