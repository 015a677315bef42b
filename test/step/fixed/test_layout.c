/* Islands as the solver gets them: who is in which, and that none knows of another. */
#include "support/staging.h"

#include "step/fixed/stepper.h"

static const double step = 1.0 / 60.0;

static abut_body_id put(staging *stage, const abut_shape *shape, double x, double z) {
    return staging_add(stage, ABUT_BODY_DYNAMIC, shape, abut_vec3_make(x, 0, z));
}

/* The island of a body; it must be where its place says. */
static int32_t island_of(const abut_world *world, abut_body_id id) {
    const island_layout *layout = &world->fixed->layout;
    int32_t slot = (int32_t)id.index - 1, island = layout->island_of[slot];
    if (island >= 0) {
        assert_in_range(layout->place_of[slot], 0, layout->islands[island].moving - 1);
        assert_int_equal(layout->slots[layout->islands[island].body + layout->place_of[slot]], slot);
    }
    return island;
}

static void test_who_is_solved_with_whom(void **state) {
    (void)state;
    staging stage = staging_open(NULL);
    const abut_shape *box = staging_box(&stage, 0.5, 0.5, 0.5), *slab = staging_box(&stage, 2, 2, 0.5);
    abut_body_id ground = staging_ground(&stage, 0.5);
    abut_body_def def = staging_body(ABUT_BODY_KINEMATIC, slab, abut_vec3_make(10, 0, -0.5));
    def.motion.linear = abut_vec3_make(0.1, 0, 0);
    abut_body_id belt = staging_put(&stage, &def);
    abut_body_id free = put(&stage, box, 30, 20), low = put(&stage, box, 0, 0.5), carried = put(&stage, box, 10, 0.5);
    abut_body_id high = put(&stage, box, 0.2, 1.5), other = put(&stage, box, -5, 0.5), top = put(&stage, box, 0.1, 2.5);
    abut_spring_def spring = abut_spring_def_default();
    spring.body = high;
    spring.target = abut_vec3_make(0.2, 0, 1.5);
    assert_ok(abut_world_add_spring(stage.world, &spring, NULL));
    staging_run(&stage, step, 1);
    const island_layout *layout = &stage.world->fixed->layout;
    /* The belt, the free body, the tower, what the belt carries, and the lonely box. */
    assert_int_equal(layout->island_count, 5);
    assert_int_equal(island_of(stage.world, ground), -1);
    int32_t tower = island_of(stage.world, low);
    assert_true(island_of(stage.world, high) == tower && island_of(stage.world, top) == tower);
    const abut_body_id alone[] = {belt, free, carried, other};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(layout->islands[island_of(stage.world, alone[i])].moving, 1);
        assert_int_equal(layout->islands[island_of(stage.world, alone[i])].spring_count, 0);
    }
    /* The ground is the tower's guest; the belt and the ground under it that of the box it carries. */
    assert_int_equal(layout->islands[tower].moving, 3);
    assert_int_equal(layout->islands[tower].body_count, 4);
    assert_int_equal(layout->islands[tower].pair_count, 3);
    assert_int_equal(layout->islands[tower].spring_count, 1);
    assert_int_equal(layout->springs[layout->islands[tower].spring].body, layout->place_of[high.index - 1]);
    const layout_island *on_belt = &layout->islands[island_of(stage.world, carried)];
    assert_int_equal(on_belt->body_count - on_belt->moving, on_belt->pair_count);
    bool guest = false;
    for (int32_t i = on_belt->moving; i < on_belt->body_count; i++) {
        guest = guest || layout->slots[on_belt->body + i] == (int32_t)belt.index - 1;
    }
    assert_true(guest);
    assert_int_equal(layout->islands[island_of(stage.world, free)].pair_count, 0);
    assert_int_equal(layout->islands[island_of(stage.world, belt)].body_count, 1);
    staging_close(&stage);
}

/* A tower that is pushed, beside nothing or beside a heap. */
static void run_tower(bool exact, bool heap, abut_body_state states[4]) {
    abut_world_def def = abut_world_def_default();
    def.fixed.exact = exact;
    staging stage = staging_open(&def);
    const abut_shape *box = staging_box(&stage, 0.5, 0.5, 0.5);
    staging_ground(&stage, 0.5);
    abut_body_id ids[4];
    for (int i = 0; i < 4; i++) {
        ids[i] = put(&stage, box, 0.05 * i, 0.5 + i);
    }
    for (int i = 0; i < 30 && heap; i++) {
        put(&stage, box, 20 + 0.9 * (i % 5), 0.5 + 1.1 * i);
    }
    assert_ok(abut_world_set_body_motion(stage.world, ids[3], (abut_motion){abut_vec3_make(0.5, 0.2, 0), abut_vec3_make(0, 0, 1)}));
    staging_run(&stage, step, 100);
    for (int i = 0; i < 4; i++) {
        states[i] = staging_state(&stage, ids[i]);
    }
    staging_close(&stage);
}

static void test_islands_do_not_know_each_other(void **state) {
    (void)state;
    for (int exact = 0; exact < 2; exact++) {
        abut_body_state alone[4], beside[4];
        run_tower(exact, false, alone);
        run_tower(exact, true, beside);
        for (int i = 0; i < 4; i++) {
            assert_memory_equal(&alone[i].pose, &beside[i].pose, sizeof(abut_pose));
            assert_memory_equal(&alone[i].motion.linear, &beside[i].motion.linear, sizeof(abut_vec3));
            assert_memory_equal(&alone[i].motion.angular, &beside[i].motion.angular, sizeof(abut_vec3));
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_who_is_solved_with_whom),
        cmocka_unit_test(test_islands_do_not_know_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
