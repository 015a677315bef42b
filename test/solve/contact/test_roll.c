/* Moments against rolling and spinning, one record at a time: either the spin is gone, or the moment is at its bound and against the spin. */
#include "heap.h"

#include "solve/contact/patch.h"
#include "solve/contact/roll.h"

static abut_mat3 random_inertia(random_state *r) {
    abut_mat3 axes = abut_mat3_from_quat(random_rotation(r));
    abut_mat3 scaled = {abut_scale(random_log_range(r, 0.1, 10.0), axes.x), abut_scale(random_log_range(r, 0.1, 10.0), axes.y),
                        abut_scale(random_log_range(r, 0.1, 10.0), axes.z)};
    return abut_mat3_mul(scaled, abut_mat3_transpose(axes));
}

typedef struct rolling {
    solver_body a, b;
    solver_patch patch;
    solver_roll roll;
} rolling;

static rolling random_rolling(random_state *r) {
    rolling of = {.patch = {.normal = random_direction(r), .count = 1}};
    abut_tangent_frame(of.patch.normal, &of.patch.tangent[0], &of.patch.tangent[1]);
    of.a = (solver_body){.inverse_mass = 1.0, .inverse_inertia = random_inertia(r), .angular_velocity = random_vec3(r, -5.0, 5.0)};
    of.b = (solver_body){.inverse_mass = random_below(r, 2) ? 0.5 : 0.0, .angular_velocity = random_vec3(r, -5.0, 5.0)};
    of.b.inverse_inertia = of.b.inverse_mass > 0.0 ? random_inertia(r) : of.b.inverse_inertia;
    of.patch.arm_a = random_vec3(r, -1.0, 1.0);
    of.roll = (solver_roll){.rolling = random_log_range(r, 1e-3, 10.0), .spinning = random_log_range(r, 1e-3, 10.0)};
    roll_refresh(&of.a, &of.b, &of.patch, &of.roll);
    return of;
}

/* Rolling and spinning are solved one after the other, so passes are repeated until nothing changes. */
static void test_laws(void **state) {
    (void)state;
    random_state r = random_make(random_seed("roll laws", 3));
    int stopped = 0, slid = 0;
    for (int round = 0; round < 500; round++) {
        rolling of = random_rolling(&r);
        double load = random_log_range(&r, 0.1, 10.0), change = 1.0;
        for (int pass = 0; pass < 400 && change > 1e-14; pass++) {
            change = roll_solve(&of.a, &of.b, &of.patch, &of.roll, load);
        }
        abut_vec3 spin = solver_patch_spin(&of.a, &of.b, &of.patch), l = of.roll.impulse;
        double held = hypot(l.x, l.y), bound = of.roll.rolling * load, spins = of.roll.spinning * load;
        assert_true(held <= bound * (1.0 + 1e-9) && fabs(l.z) <= spins * (1.0 + 1e-12));
        if (held < bound * (1.0 - 1e-6)) {
            assert_true(hypot(spin.x, spin.y) < 1e-9);
            stopped++;
        } else {
            assert_true(fabs(spin.x * l.y - spin.y * l.x) < 1e-6 * (1.0 + bound) && spin.x * l.x + spin.y * l.y <= 1e-9);
            slid++;
        }
        assert_true(fabs(l.z) < spins * (1.0 - 1e-9) ? fabs(spin.z) < 1e-9 : spin.z * l.z <= 1e-9);
        assert_true(of.a.velocity.x == 0.0 && of.a.velocity.y == 0.0 && of.a.velocity.z == 0.0);
    }
    assert_true(stopped > 50 && slid > 50);
}

/* Without a load there are no moments, whatever was expected. */
static void test_no_load(void **state) {
    (void)state;
    random_state r = random_make(5);
    rolling of = random_rolling(&r);
    abut_vec3 before = of.a.angular_velocity;
    of.roll.warm = abut_vec3_make(0.2, -0.1, 0.3);
    roll_warm_start(&of.a, &of.b, &of.patch, &of.roll);
    assert_true(abut_distance_between(of.a.angular_velocity, before) > 1e-3);
    (void)roll_solve(&of.a, &of.b, &of.patch, &of.roll, 0.0);
    assert_vec3_near(of.roll.impulse, abut_vec3_make(0, 0, 0), 0.0);
    assert_vec3_near(of.a.angular_velocity, before, 1e-12);
}

/* The mobility is that of the bodies: a moment changes the spin by it. */
static void test_mobility(void **state) {
    (void)state;
    random_state r = random_make(7);
    for (int round = 0; round < 100; round++) {
        rolling of = random_rolling(&r);
        abut_vec3 before = solver_patch_spin(&of.a, &of.b, &of.patch), moment = random_vec3(&r, -1.0, 1.0);
        roll_apply(&of.a, &of.b, &of.patch, &of.roll, moment);
        abut_vec3 gained = abut_sub(solver_patch_spin(&of.a, &of.b, &of.patch), before);
        assert_vec3_near(gained, solver_symmetric_mul(of.roll.mobility, moment), 1e-11);
        assert_vec3_near(of.roll.impulse, moment, 0.0);
    }
}

/* A pass that goes on in its direction: the impulse follows, and the change is that of the pass alone. */
static void test_going_on(void **state) {
    (void)state;
    random_state r = random_make(9);
    rolling of = random_rolling(&r);
    of.roll.impulse = abut_vec3_make(1, 2, 3);
    of.roll.change = abut_vec3_make(0.1, 0.2, 0.3);
    of.roll.direction = abut_vec3_make(1, 0, -1);
    roll_go_on(&of.roll, 0.5);
    assert_vec3_near(of.roll.impulse, abut_vec3_make(1.5, 2, 2.5), 1e-15);
    assert_vec3_near(of.roll.direction, abut_vec3_make(0.6, 0.2, -0.2), 1e-15);
    of.roll.impulse = abut_add(of.roll.impulse, abut_vec3_make(0.25, 0, 0));
    assert_near(roll_note_change(&of.roll), 0.0625 * of.roll.mobility[0], 1e-12);
    assert_vec3_near(of.roll.change, abut_vec3_make(0.25, 0, 0), 1e-15);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_laws),
        cmocka_unit_test(test_no_load),
        cmocka_unit_test(test_mobility),
        cmocka_unit_test(test_going_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
