/*
 * What the event stepper's answers cost: bodies that pass each other closely, and bodies that meet, within steps that are long beside that. How many forces are
 * evaluated for them, and that no meeting is missed.
 */
#include <abut/abut.h>

#include "support/bodies.h"
#include "support/check.h"
#include "support/random.h"
#include "support/shapes.h"

static const abut_vec3 still = {0, 0, 0};

static abut_world *make_world(abut_vec3 gravity, double longest_step) {
    abut_world_def def = abut_world_def_default();
    def.stepper = ABUT_STEPPER_EVENT;
    def.gravity = gravity;
    def.event.longest_step = longest_step;
    return open_world(def);
}

static abut_body_id add(abut_world *world, abut_shape *shape, abut_pose pose, abut_motion motion) {
    abut_body_def def = abut_body_def_default();
    def.pose = pose;
    def.motion = motion;
    def.restitution = 1.0;
    return put_as(world, def, shape);
}

/* A ball flies past another one within one step, at a gap between a thousandth and a millionth of its size, or hits it by as much. Every hit is found, and
 * passing rejects no step. */
static void balls_that_pass(void **state) {
    (void)state;
    random_state random = random_make(31);
    for (int i = 0; i < 200; i++) {
        bool hits = i % 2 == 1;
        double miss = random_log_range(&random, 1.5e-6, 1e-3), before = random_range(&random, 0.2, 0.8);
        abut_world *world = make_world(still, INFINITY);
        add(world, sphere(0.5), at(0, 0, 0), (abut_motion){still, still});
        add(world, sphere(0.5), at(-20.0 * before, hits ? 1.0 - miss : 1.0 + miss, 0), (abut_motion){{20.0, 0, 0}, still});
        abut_step_report report;
        assert_ok(abut_world_step(world, 1.0, &report));
        assert_int_equal(report.event.impulses, hits);
        assert_true(report.event.rejected <= (hits ? 4 : 0));
        abut_world_destroy(world);
    }
}

/* Two bodies of two balls each: the first one flies by, the second one waits. Both spin. Returns the number of impulses. */
static int64_t meet(random_state random, double longest_step, abut_body_state end[2]) {
    const abut_part ball[2] = {{sphere(0.2), at(-0.5, 0, 0)}, {sphere(0.2), at(0.5, 0, 0)}};
    abut_world *world = make_world(still, longest_step);
    abut_body_id id[2];
    for (int i = 0; i < 2; i++) {
        abut_shape *shape = NULL;
        assert_ok(abut_shape_create_compound(ball, 2, &shape));
        abut_pose pose = random_pose(&random, 0.0);
        pose.position = i == 0 ? abut_vec3_make(-2.0, random_range(&random, 0.0, 1.4), 0) : still;
        id[i] = add(world, shape, pose, (abut_motion){{i == 0 ? 4.0 : 0.0, 0, 0}, random_vec3(&random, -4, 4)});
    }
    abut_shape_release(ball[0].shape);
    abut_shape_release(ball[1].shape);
    int64_t impulses = 0;
    for (int step = 0; step < 10; step++) {
        abut_step_report report;
        assert_ok(abut_world_step(world, 0.1, &report));
        impulses += report.event.impulses;
    }
    end[0] = state_of(world, id[0]);
    end[1] = state_of(world, id[1]);
    abut_world_destroy(world);
    return impulses;
}

/* Spinning bodies that pass each other or collide move as with steps that are a hundred times as short. */
static void spinning_bodies_that_meet(void **state) {
    (void)state;
    random_state random = random_make(77);
    int met = 0;
    for (int i = 0; i < 60; i++) {
        random_state seed = random_make(random_next(&random));
        abut_body_state end[2], fine[2];
        int64_t impulses = meet(seed, INFINITY, end);
        assert_int_equal(impulses, meet(seed, 1e-3, fine));
        met += impulses > 0;
        for (int k = 0; k < 2; k++) {
            assert_vec3_near(end[k].pose.position, fine[k].pose.position, 1e-6);
            assert_vec3_near(end[k].motion.linear, fine[k].motion.linear, 1e-6);
        }
    }
    assert_true(met > 15 && met < 50);
}

/* A tumbling box that bounces on a floor without loss. A step takes six evaluations and one at its beginning. Beside the step that went past a bounce, about
 * two seek its time. */
static void time_of_a_bounce(void **state) {
    (void)state;
    const int count = 600;
    abut_world *world = make_world(abut_vec3_make(0, 0, -9.81), INFINITY);
    abut_body_def floor = abut_body_def_default();
    floor.kind = ABUT_BODY_STATIC;
    floor.restitution = 1.0;
    put_as(world, floor, plane(abut_vec3_make(0, 0, 1), 0.0));
    add(world, box(0.1, 0.2, 0.3), at(0, 0, 1.0), (abut_motion){{0.3, 0, 0}, {2, 3, -1}});
    int64_t seeking = -count, events = 0;
    for (int step = 0; step < count; step++) {
        abut_step_report report;
        assert_ok(abut_world_step(world, 1.0 / 60.0, &report));
        abut_event_report r = report.event;
        seeking += r.evaluations - r.steps - 6 * (r.steps + r.rejected - r.discontinuities);
        events += r.discontinuities;
    }
    print_message("%d bounces, %.3g steps to seek each\n", (int)events, (double)seeking / (6.0 * (double)events));
    assert_true(events > 20 && seeking > 0);
    assert_true((double)seeking < 6.0 * 2.5 * (double)events);
    abut_world_destroy(world);
}

/* Two plates side by side, turned about their normal. Their bounding balls overlap, but a plane across an axis separates them, so they need no search. At the
 * beginning of a step they are known from the end of the last one: a step is one test. */
static void plates_side_by_side(void **state) {
    (void)state;
    abut_world *world = make_world(still, 0.125);
    add(world, box(1.0, 1.0, 0.02), turned(at(0, 0, 0), abut_vec3_make(0, 0, 1), 0.4), (abut_motion){still, {0, 0, 0.1}});
    add(world, box(1.0, 1.0, 0.02), turned(at(0.3, 0, 0.2), abut_vec3_make(0, 0, 1), 0.9), (abut_motion){still, {0, 0, -0.1}});
    abut_step_report report;
    assert_ok(abut_world_step(world, 1.0, &report));
    assert_int_equal(report.event.steps, 8);
    assert_int_equal(report.event.rejected, 0);
    assert_int_equal(report.event.tests, 9);
    assert_int_equal(report.event.hits, 9);
    abut_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balls_that_pass),
        cmocka_unit_test(spinning_bodies_that_meet),
        cmocka_unit_test(time_of_a_bounce),
        cmocka_unit_test(plates_side_by_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
