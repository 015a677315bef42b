/* The lists of facet pairs of two bodies: how long they last. */
#include <string.h>

#include "support/check.h"
#include "support/shapes.h"

#include "shape/facet/mesh.h"
#include "step/dem/system.h"

typedef struct two_skins {
    const abut_shape *skin;
    dem_body bodies[2];
    dem_sphere spheres[2];
    dem_mesh meshes[2];
    dem_system system;
    dem_facet_pair pair;
} two_skins;

static void begin(two_skins *t, const abut_shape *shape) {
    memset(t, 0, sizeof *t);
    assert_ok(facetmesh_skin_of(shape, &t->skin));
    for (int i = 0; i < 2; i++) {
        t->meshes[i].shape = t->skin;
    }
    t->system.bodies = t->bodies;
    t->system.spheres = t->spheres;
    t->system.facets.meshes = t->meshes;
    t->system.body_count = t->system.round_count = 2;
    t->pair.guest = 1;
}

static facet_placement placed_at(double z) { return (facet_placement){abut_mat3_from_quat(abut_quat_identity()), abut_vec3_make(0, 0, z)}; }

/* Steps a guest that moves along z; returns how many of the steps made a list. */
static int32_t count_lists(two_skins *t, double from, double velocity, double h, int32_t steps) {
    int32_t lists = 0;
    t->bodies[1].velocity = abut_vec3_make(0, 0, velocity);
    for (int32_t i = 0; i < steps; i++) {
        const facet_placement at = placed_at(from + i * h * velocity);
        double before = t->pair.listed_at.position.z;
        dem_keep_near(&t->system, &t->pair, &at, h);
        lists += i == 0 || t->pair.listed_at.position.z != before;
    }
    return lists;
}

/* Two equal drums in each other: more facet pairs may touch than a list with the usual margin may hold. The list was made again in every step. */
static void deep_skins_were_listed_in_every_step(void **state) {
    (void)state;
    enum { STEPS = 12 };
    abut_shape *drum = cylinder(0.53125, 0.53125);
    two_skins t;
    begin(&t, drum);
    int32_t facets = 2 * t.skin->facets->topology->triangle_count;
    (void)count_lists(&t, 0.0, 0.0, 0.0, 1);
    assert_true(t.pair.near.count > 16 * facets);
    int32_t lists = count_lists(&t, 1e-7, 1e-6, 0.1, STEPS);
    print_message("%d facet pairs, %d lists in %d steps\n", (int)t.pair.near.count, (int)lists, STEPS);
    assert_in_range(lists, 1, STEPS / 4);
    facet_candidates_release(&t.pair.near);
    abut_shape_release(drum);
}

/* A guest that flies by needs no margin: its list is of no use in the next step. */
static void lists_of_one_step_have_no_margin(void **state) {
    (void)state;
    abut_shape *egg = ellipsoid(0.4, 0.5, 0.5);
    two_skins t;
    begin(&t, egg);
    assert_int_equal(count_lists(&t, 1.08, 10.0, 0.1, 1), 1);
    assert_near(t.pair.margin, 0.0, 0.0);
    facet_candidates_release(&t.pair.near);
    begin(&t, egg);
    assert_int_equal(count_lists(&t, 1.08, 0.01, 0.1, 4), 1);
    assert_true(t.pair.margin > 0.0);
    facet_candidates_release(&t.pair.near);
    abut_shape_release(egg);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(deep_skins_were_listed_in_every_step),
        cmocka_unit_test(lists_of_one_step_have_no_margin),
    };
    return cmocka_run_group_tests_name("step/dem/facet_near", tests, NULL, NULL);
}
