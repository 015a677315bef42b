/*
 * The springs against rolling and twisting: their stiffness, their limit, reversal, contacts that turn, no gain of energy, and their share in the forces of two
 * bodies.
 */
#include "solve/pressure/pressure.h"

#include <math.h>

#include "support/check.h"
#include "support/random.h"

static const abut_vec3 up = {0, 0, 1};

static abut_pressure_law make_law(double rolling, double twisting, double damping) {
    return (abut_pressure_law){
        .modulus = 1e6, .shear_modulus = 4e5, .damping = damping, .rolling_resistance = rolling, .twisting_resistance = twisting};
}

/* Turned by the same angle again and again: the moment grows to its limit, stays there, and falls again when the bodies turn back. */
static void test_yields_and_turns_back(void **state) {
    (void)state;
    for (int twists = 0; twists < 2; ++twists) {
        abut_pressure_law law = make_law(0.1, 0.1, 0.0);
        pressure_roll roll = {.normal = up,
                              .turning = twists ? abut_vec3_make(0, 0, 2.0) : abut_vec3_make(2.0, 0, 0),
                              .radius = 0.5,
                              .stiffness = 100.0,
                              .force = 3.0,
                              .mass = 1.0,
                              .time_step = 1e-3}; /* 1 mm in a step: a force of 0.1, of at most 0.3 */
        pressure_turned memory;
        double lost = 0.0;
        for (int i = 1; i <= 12; ++i) {
            roll.turning = i == 7 ? abut_scale(-1.0, roll.turning) : roll.turning;
            pressure_rolled now = pressure_roll_on(&law, i > 1 ? &memory : NULL, &roll);
            double force = i <= 6 ? fmin(0.1 * i, 0.3) : fmax(0.3 - 0.1 * (i - 6), -0.3);
            abut_vec3 moment = abut_scale(-0.5 * force, twists ? up : abut_vec3_make(1, 0, 0));
            assert_vec3_near(now.moment, moment, 1e-15);
            assert_near(pressure_roll_energy(now.roll, roll.stiffness), 0.5 * force * force / roll.stiffness, 1e-15);
            lost += now.lost;
            memory = (pressure_turned){up, now.roll, roll.stiffness};
        }
        assert_near(lost, 0.3 * 3e-3, 1e-15);
    }
}

/* Each coefficient has its own spring. */
static void test_one_without_the_other(void **state) {
    (void)state;
    pressure_roll roll = {
        .normal = up, .turning = {1, 2, 3}, .radius = 0.5, .stiffness = 100.0, .force = 3.0, .mass = 1.0, .time_step = 1e-3};
    abut_pressure_law law = make_law(1.0, 0.0, 0.0);
    abut_vec3 moment = pressure_roll_on(&law, NULL, &roll).moment;
    assert_vec3_near(moment, abut_vec3_make(-0.025, -0.05, 0), 1e-16);
    law = make_law(0.0, 1.0, 0.0);
    moment = pressure_roll_on(&law, NULL, &roll).moment;
    assert_vec3_near(moment, abut_vec3_make(0, 0, -0.075), 1e-16);
    roll.force = 0.0;
    moment = pressure_roll_on(&law, NULL, &roll).moment;
    assert_near(abut_length(moment), 0.0, 0.0);
}

/* Power of the moment = energy stored, yielded and damped, for random motions in a frame that turns. The dampers never gain. */
static void test_energy(void **state) {
    (void)state;
    random_state random = random_make(random_seed("energy", 773));
    for (int sample = 0; sample < 50; ++sample) {
        abut_pressure_law law = make_law(random_range(&random, 0.01, 0.5), random_range(&random, 0.01, 0.5), random_range(&random, 0, 1));
        pressure_roll roll = {.radius = 0.5, .stiffness = 100.0, .force = 3.0, .mass = 1.0, .time_step = 1e-6};
        pressure_turned memory = {.stiffness = 0.0};
        abut_vec3 axis = random_direction(&random), common = random_vec3(&random, -3, 3), sway = random_vec3(&random, -20, 20);
        double work = 0.0, lost = 0.0, most = 0.0;
        roll.normal = random_direction(&random);
        for (int i = 0; i < 20000; ++i) {
            roll.turning = abut_add_scaled(axis, sin(2e-3 * i), sway);
            roll.normal = abut_unit(abut_add_scaled(roll.normal, roll.time_step, abut_cross(common, roll.normal)));
            roll.spin = roll.time_step * abut_dot(common, roll.normal);
            pressure_rolled now = pressure_roll_on(&law, &memory, &roll);
            work -= roll.time_step * abut_dot(now.moment, roll.turning);
            assert_true(now.damping >= 0.0 && now.lost >= -1e-18);
            lost += now.lost + roll.time_step * now.damping;
            memory = (pressure_turned){roll.normal, now.roll, roll.stiffness};
            most = fmax(most, work);
        }
        assert_near(work, lost + pressure_roll_energy(memory.roll, memory.stiffness), 2e-3 * most);
    }
}

/* Bodies that turn together do not roll: the springs turn along, and keep their energy. */
static void test_turning_together(void **state) {
    (void)state;
    abut_pressure_law law = make_law(1.0, 1.0, 0.5);
    pressure_roll roll = {.normal = up, .radius = 0.5, .stiffness = 100.0, .force = 3.0, .mass = 1.0, .time_step = 1e-3};
    const abut_vec3 first = {3e-3, -1e-3, 2e-3}, common = {0.4, -0.8, 1.3};
    pressure_turned memory = {up, first, 100.0};
    for (int i = 0; i < 1000; ++i) {
        roll.normal = abut_unit(abut_add_scaled(memory.normal, roll.time_step, abut_cross(common, memory.normal)));
        roll.spin = roll.time_step * abut_dot(common, roll.normal);
        pressure_rolled now = pressure_roll_on(&law, &memory, &roll);
        assert_near(now.lost, 0.0, 1e-18);
        memory = (pressure_turned){roll.normal, now.roll, 100.0};
    }
    assert_near(abut_length(memory.roll), abut_length(first), 1e-12);
    assert_near(abut_dot(memory.roll, memory.normal), first.z, 1e-12);
}

/* Neither a stiffness that grows nor one that shrinks gains energy. */
static void test_changes_of_stiffness(void **state) {
    (void)state;
    for (int i = 0; i < 40; ++i) {
        double k = 100.0 * exp2(0.25 * (i - 20));
        abut_pressure_law law = make_law(10.0, 10.0, 0.0);
        pressure_roll roll = {.normal = up, .radius = 0.5, .stiffness = k, .force = 3.0, .mass = 1.0, .time_step = 1e-3};
        pressure_turned before = {up, {3e-3, -1e-3, 2e-3}, 100.0};
        pressure_rolled now = pressure_roll_on(&law, &before, &roll);
        double old = pressure_roll_energy(before.roll, 100.0), energy = pressure_roll_energy(now.roll, k);
        assert_near(energy + now.lost, old, 1e-15);
        assert_near(energy, old * fmin(k, 100.0) / fmax(k, 100.0), 1e-15);
    }
}

/* ---- two bodies ---- */

static abut_pressure_result press(const abut_pressure_law *law, const abut_pressure_body bodies[2], const abut_pressure_history *before,
                                  abut_pressure_history *after) {
    abut_facet_contact contact = {
        .relation = ABUT_FACET_CONTACT, .normal = up, .radius = 0.5, .gap = -0.01, .sphere_gap = -0.01, .circle_radius = 0.0707};
    abut_pressure_result result;
    assert_ok(abut_pressure_pair(&contact, NULL, 1, law, bodies, 1e-4, before, after, &result));
    return result;
}

/* The moments of two bodies that roll and twist are equal and opposite, reach their limits, and bear no force. */
static void test_two_bodies(void **state) {
    (void)state;
    abut_pressure_law law = make_law(0.1, 0.05, 0.0);
    abut_pressure_body bodies[2] = {{.centre = {0, 0, 1}, .inverse_mass = 1.0}, {.centre = {0, 0, -1}, .inverse_mass = 1.0}};
    bodies[0].motion.angular = abut_vec3_make(0, 3, 4);
    bodies[1].motion.angular = abut_vec3_make(0, -3, -4);
    abut_pressure_memory memory[2];
    abut_pressure_history history[2] = {{&memory[0], 0, 1}, {&memory[1], 0, 1}};
    abut_pressure_result r = {.contacts = 0};
    double normal = 4.0 / 3.0 * 1e6 * sqrt(0.5) * 1e-3;
    for (int i = 0; i < 4000; ++i) {
        r = press(&law, bodies, i > 0 ? &history[i % 2] : NULL, &history[1 - i % 2]);
        assert_vec3_near(abut_add(r.moment_a, r.moment_b), abut_vec3_make(0, 0, 0), 1e-12 * normal);
    }
    assert_vec3_near(r.force, abut_vec3_make(0, 0, normal), 1e-9 * normal);
    assert_vec3_near(r.moment_a, abut_vec3_make(0, -0.1 * 0.5 * normal, -0.05 * 0.5 * normal), 1e-9 * normal);
    assert_true(r.friction_work > 0.0);
    /* A contact that ends, and a law without resistance, lose the energy of the springs. */
    abut_pressure_result none;
    assert_ok(abut_pressure_pair(NULL, NULL, 0, &law, bodies, 1e-4, &history[0], NULL, &none));
    assert_near(none.friction_work, r.spring_energy, 1e-12 * r.spring_energy);
    law.rolling_resistance = law.twisting_resistance = 0.0;
    none = press(&law, bodies, &history[0], NULL);
    assert_near(none.friction_work, r.spring_energy, 1e-12 * r.spring_energy);
    assert_near(abut_length(none.moment_a), 0.0, 1e-12 * normal);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_yields_and_turns_back), cmocka_unit_test(test_one_without_the_other), cmocka_unit_test(test_energy),
        cmocka_unit_test(test_turning_together),      cmocka_unit_test(test_changes_of_stiffness),  cmocka_unit_test(test_two_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
