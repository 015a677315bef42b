/* Thin bodies on joints that hit things fast: the guard for fast bodies stops them, and their joints hold all the same. */
#include <stdio.h>

#include <abut/joint.h>

#include "support/check.h"
#include "support/random.h"
#include "support/staging.h"

enum { MOST = 5, MANY = 1000, STEPS = 30 };

/* A limb: thin bodies in a row, each on the one before. */
typedef struct limb {
    abut_body_id bodies[MOST];
    abut_joint_id joints[MOST];
    double thick; /* half of the least side */
    int32_t count;
} limb;

static const abut_shape *thin(staging *s, random_state *random, double thick, double half) {
    if (random_below(random, 2) == 0) {
        return staging_box(s, thick, random_range(random, thick, 3.0 * thick), half);
    }
    abut_shape *made = NULL;
    assert_ok(abut_shape_create_capsule(thick, half - thick, &made));
    return staging_keep(s, made);
}

/* Flies at the floor, and turns as one body. meet: its bodies may meet each other */
static limb fling(staging *s, random_state *random, double speed, bool meet) {
    limb made = {.thick = random_range(random, 0.005, 0.03), .count = 2 + random_below(random, MOST - 1)};
    abut_quat rotation = random_rotation(random);
    abut_vec3 along = abut_quat_rotate(rotation, abut_vec3_make(0, 0, 1)),
              spin = abut_scale(random_range(random, 0, 10), random_direction(random));
    abut_vec3 begin = {0.0, 0.0, 1.5}, velocity = abut_scale(speed, abut_unit(abut_vec3_make(random_range(random, -1, 1), 0.0, -1.0)));
    double before = 0.0, way = 0.0;
    for (int32_t i = 0; i < made.count; i++) {
        double half = random_range(random, 3.0 * made.thick, 0.15);
        way += i > 0 ? before + half : 0.0;
        abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, thin(s, random, made.thick, half), abut_add_scaled(begin, way, along));
        def.pose.rotation = rotation;
        def.motion.linear = abut_add(velocity, abut_cross(spin, abut_scale(way, along)));
        def.motion.angular = spin;
        def.filter.group = meet ? 0 : -1;
        def.mass = random_range(random, 0.5, 3.0);
        made.bodies[i] = staging_put(s, &def);
        if (i > 0) {
            abut_joint_def joint = abut_joint_def_default(random_below(random, 3) == 0 ? ABUT_JOINT_REVOLUTE : ABUT_JOINT_SPHERICAL);
            joint.a = made.bodies[i - 1];
            joint.b = made.bodies[i];
            joint.frame_a.position = abut_vec3_make(0, 0, before);
            joint.frame_b.position = abut_vec3_make(0, 0, -half);
            assert_ok(abut_world_add_joint(s->world, &joint, &made.joints[i]));
        }
        before = half;
    }
    return made;
}

typedef struct seen {
    double apart, below, energy;
} seen;

/* The worst joint, the lowest centre, and the largest energy relative to that at the start. */
static seen watch(staging *s, const limb *of, double dt) {
    abut_step_report report;
    assert_ok(abut_world_report(s->world, &report));
    double begin = report.kinetic_energy + report.potential_energy;
    seen worst = {0.0, 0.0, 0.0};
    for (int step = 0; step < STEPS; step++) {
        report = staging_run(s, dt, 1);
        worst.energy = fmax(worst.energy, (report.kinetic_energy + report.potential_energy) / begin - 1.0);
        for (int32_t i = 0; i < of->count; i++) {
            abut_joint_state joint = {.error = 0.0};
            if (i > 0) {
                assert_ok(abut_world_joint_state(s->world, of->joints[i], &joint));
            }
            worst.apart = fmax(worst.apart, joint.error);
            worst.below = fmin(worst.below, staging_state(s, of->bodies[i]).pose.position.z);
        }
    }
    return worst;
}

static void test_joints_hold_where_thin_bodies_are_stopped(void **state) {
    (void)state;
    const int32_t samples = random_runs("thrown joints", MANY);
    random_state random = random_make(random_seed("thrown joints", 23));
    double apart[2] = {0.0, 0.0}, below = 0.0, energy = 0.0; /* apart: of bodies that do not meet each other, and of those that do */
    for (int32_t i = 0; i < samples; i++) {
        bool meet = i % 2 == 1;
        staging s = staging_make(9.81);
        (void)staging_ground(&s, random_range(&random, 0.0, 1.0));
        limb made = fling(&s, &random, random_range(&random, 2.0, 15.0), meet);
        seen worst = watch(&s, &made, 1.0 / 60.0);
        apart[meet] = fmax(apart[meet], worst.apart);
        below = fmin(below, worst.below);
        energy = fmax(energy, worst.energy);
        staging_close(&s);
    }
    printf("joints apart by %.2g m at most, %.2g m of bodies that meet each other; lowest centre %.2g m; energy gained %.2g\n", apart[0],
           apart[1], below, energy);
    assert_true(apart[0] < 1e-4 && apart[1] < 1e-4); /* bodies that jam between others of their limb do not tear it */
    assert_true(below >= 0.0);
    assert_true(energy < 1e-6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_joints_hold_where_thin_bodies_are_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
