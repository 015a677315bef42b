/* Directions that no triangle faces, beside a look at all triangles. */
#include "narrow/mesh/index/facing.h"

#include <stdlib.h>

#include "support/check.h"
#include "support/random.h"

/* Normals within a cone, so that some directions face none of them. Few triangles have no face, or two sides. */
static mesh_set random_set(random_state *random) {
    mesh_set set;
    mesh_set_init(&set);
    int32_t count = MESH_SET_FEW - 10 + random_below(random, 200);
    double width = random_range(random, 0.0, 2.0);
    abut_vec3 middle = random_direction(random);
    bool two_sided = random_below(random, 10) == 0;
    set.items = check_memory((size_t)count, sizeof *set.items);
    for (; set.count < count; set.count++) {
        bool flat = random_below(random, 10) == 0;
        abut_vec3 normal = abut_unit(abut_add_scaled(middle, width, random_vec3(random, -1.0, 1.0)));
        set.items[set.count] = (mesh_triangle){.normal = flat ? abut_vec3_make(0, 0, 0) : normal, .flat = flat};
        set.items[set.count].two_sided = two_sided && set.count == count / 2;
    }
    return set;
}

static void test_facing(void **state) {
    (void)state;
    random_state random = random_make(random_seed("facing", 1));
    int32_t none = 0, some = 0, samples = random_samples("facing", 2000);
    for (int32_t sample = 0; sample < samples; sample++) {
        mesh_set set = random_set(&random);
        mesh_facing facing;
        mesh_facing_init(&facing, &set);
        for (int question = 0; question < 60; question++) {
            abut_vec3 direction = random_direction(&random);
            double most = -1.0;
            for (int32_t i = 0; i < set.count; i++) {
                most = set.items[i].two_sided ? 1.0 : set.items[i].flat ? most : fmax(most, abut_dot(direction, set.items[i].normal));
            }
            bool is = mesh_facing_is_none(&facing, direction);
            assert_true(!is || most <= -1e-3);
            assert_true(is || most > -1e-3 - 1e-12 || question < 20 || set.count <= MESH_SET_FEW);
            none += is;
            some += !is;
        }
        mesh_facing_free(&facing);
        free(set.items);
    }
    assert_true(2 * none > samples && 2 * some > samples);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_facing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
