/* Small islands that the quick solver gets wrong are solved again: the step is that of the exact solver, whose contacts are watched. */
#include "step/fixed/stepper.h"
#include "support/check.h"
#include "support/random.h"
#include "support/staging.h"

#include <string.h>

enum { MOST = 48 };

typedef struct blow {
    staging s;
    abut_body_id ids[MOST];
    int32_t count;
} blow;

/* A tower that is struck from above in the first step. */
static void open_blow(blow *b, bool exact, double gravity, int32_t count, random_state random) {
    abut_world_def def = staging_def(gravity);
    def.fixed.exact = exact;
    b->s = staging_make_with(&def);
    b->count = count;
    staging_ground(&b->s, 0.5);
    double z = 0.5;
    for (int32_t i = 0; i < count; i++) {
        abut_vec3 at = abut_vec3_make(random_range(&random, -0.2, 0.2), random_range(&random, -0.2, 0.2), z);
        abut_body_def body = staging_body(ABUT_BODY_DYNAMIC, b->s.box, at);
        if (i == count - 1) {
            body.motion.linear = abut_vec3_make(random_range(&random, -1.0, 1.0), random_range(&random, -1.0, 1.0), -3.0);
            body.motion.angular = random_vec3(&random, -1.0, 1.0);
            body.pose.rotation = abut_quat_about(abut_unit(random_vec3(&random, -1.0, 1.0)), 0.01);
        }
        b->ids[i] = staging_put(&b->s, &body);
        z += i == count - 2 ? 1.02 : 1.0;
    }
}

/* Kinetic and potential energy. */
static double energy_of(const blow *b, double gravity) {
    double energy = staging_momenta_of(&b->s, b->ids, b->count).energy;
    for (int32_t i = 0; i < b->count; i++) {
        abut_body_info info;
        assert_ok(abut_world_body_info(b->s.world, b->ids[i], &info));
        energy += info.mass * gravity * staging_state(&b->s, b->ids[i]).centre.z;
    }
    return energy;
}

static void test_a_struck_island_is_solved_exactly(void **state) {
    (void)state;
    random_state random = random_make(random_seed("blows", 31));
    int32_t again = 0, equal = 0;
    for (int sample = 0; sample < 40; sample++) {
        blow quick, exact;
        int32_t count = 2 + random_below(&random, 9);
        random_state same = random;
        open_blow(&quick, false, 9.81, count, same);
        open_blow(&exact, true, 9.81, count, same);
        (void)random_rotation(&random); /* other numbers for the next sample */
        double before = energy_of(&quick, 9.81);
        staging_run(&quick.s, STAGING_STEP, 1);
        staging_run(&exact.s, STAGING_STEP, 1);
        double gained = energy_of(&quick, 9.81) - before;
        const island_layout *layout = &quick.s.world->fixed->layout;
        assert_int_equal(layout->island_count, 1);
        again += !layout->quick[0];
        bool same_bits = true;
        for (int32_t i = 0; i < count; i++) {
            abut_body_state p = staging_state(&quick.s, quick.ids[i]), q = staging_state(&exact.s, exact.ids[i]);
            same_bits = same_bits && memcmp(&p.pose, &q.pose, sizeof p.pose) == 0 && memcmp(&p.motion, &q.motion, sizeof p.motion) == 0;
        }
        equal += same_bits;
        assert_true(layout->quick[0] || gained <= 0.0); /* in a quick world the work of contacts is watched in every substep */
        staging_close(&quick.s);
        staging_close(&exact.s);
    }
    print_message("%d of 40 solved again, %d to the same bits as with the exact solver alone\n", again, equal);
    assert_true(equal >= 10 && again >= 30); /* in the others, of two or three boxes, the passes agree */
}

static void test_a_large_island_stays_quick(void **state) {
    (void)state;
    blow b;
    open_blow(&b, false, 9.81, 40, random_make(32));
    staging_run(&b.s, STAGING_STEP, 1);
    assert_int_equal(b.s.world->fixed->layout.island_count, 1);
    assert_true(b.s.world->fixed->layout.quick[0]);
    staging_close(&b.s);
}

/* At rest nothing is solved again. */
static void test_what_rests_stays_quick(void **state) {
    (void)state;
    abut_world_def def = staging_def(9.81);
    def.fixed.exact = false;
    staging s = staging_make_with(&def);
    staging_ground(&s, 0.5);
    for (int i = 0; i < 10; i++) {
        staging_add(&s, ABUT_BODY_DYNAMIC, s.box, abut_vec3_make(0.02 * (i % 3), 0.01 * (i % 4), 0.5 + i));
    }
    for (int i = 0; i < 100; i++) {
        staging_run(&s, STAGING_STEP, 1);
        assert_true(i == 0 || s.world->fixed->layout.quick[0]);
    }
    staging_close(&s);
}

/* Without gravity every gain is seen. */
static void test_a_quick_step_brings_in_no_energy(void **state) {
    (void)state;
    random_state random = random_make(random_seed("blows without gravity", 33));
    for (int sample = 0; sample < 40; sample++) {
        blow b;
        open_blow(&b, false, 0.0, 2 + random_below(&random, 9), random);
        (void)random_rotation(&random);
        double before = energy_of(&b, 0.0);
        for (int i = 0; i < 30; i++) {
            staging_run(&b.s, STAGING_STEP, 1);
            double now = energy_of(&b, 0.0);
            assert_true(!b.s.world->fixed->layout.quick[0] || now <= before * (1.0 + 1e-7));
            before = now;
        }
        staging_close(&b.s);
    }
}

/* What a body that forces do not move does to others is no gain of energy. */
static void test_a_lift_carries_quickly(void **state) {
    (void)state;
    abut_world_def def = staging_def(9.81);
    def.fixed.exact = false;
    staging s = staging_make_with(&def);
    abut_body_def lift = staging_body(ABUT_BODY_KINEMATIC, staging_box(&s, 2, 2, 0.5), abut_vec3_make(0, 0, -0.5));
    lift.motion.linear = abut_vec3_make(0.3, 0, 1.0);
    staging_put(&s, &lift);
    for (int i = 0; i < 3; i++) {
        abut_body_def body = staging_body(ABUT_BODY_DYNAMIC, s.box, abut_vec3_make(0, 0, 0.5 + i));
        body.motion.linear = lift.motion.linear;
        staging_put(&s, &body);
    }
    for (int i = 0; i < 60; i++) {
        staging_run(&s, STAGING_STEP, 1);
        const island_layout *layout = &s.world->fixed->layout;
        for (int32_t k = 0; k < layout->island_count; k++) {
            assert_true(i == 0 || layout->islands[k].pair_count == 0 || layout->quick[k]);
        }
    }
    staging_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_a_struck_island_is_solved_exactly),
                                       cmocka_unit_test(test_a_large_island_stays_quick), cmocka_unit_test(test_what_rests_stays_quick),
                                       cmocka_unit_test(test_a_quick_step_brings_in_no_energy),
                                       cmocka_unit_test(test_a_lift_carries_quickly)};
    return cmocka_run_group_tests_name("step/fixed/again", tests, NULL, NULL);
}
