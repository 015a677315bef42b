/*
 * Adhesion after Maugis in the dem stepper: the load at which a ball comes off a ceiling, balls and meshed balls, which law a pair has, and energy.
 */
#include <abut/pressure.h>
#include <abut/world.h>

#include <stdio.h>

#include "support/bodies.h"
#include "support/check.h"
#include "support/facet_body.h"
#include "support/shapes.h"

static const double radius = 0.1, work = 5.0;

static abut_world *make_world(void) {
    abut_world_def def = abut_world_def_default();
    def.stepper = ABUT_STEPPER_DEM;
    def.gravity = abut_vec3_make(0, 0, 0);
    return open_world(def);
}

static abut_body_def sticky(double strength) {
    abut_body_def body = abut_body_def_default();
    body.adhesion_work = work;
    body.adhesion_strength = strength;
    body.restitution = 0.2;
    body.density = 1000.0;
    return body;
}

static abut_body_id put_ball(abut_world *world, bool meshed, abut_vec3 place, abut_vec3 velocity, abut_body_def def) {
    return put_moving(world, meshed ? facet_body_meshed_ball(2, radius) : sphere(radius), place, velocity, def);
}

static void add_ceiling(abut_world *world, abut_body_def def) {
    def.kind = ABUT_BODY_STATIC;
    put_as(world, def, plane(abut_vec3_make(0, 0, -1), 0.0));
}

static abut_vec3 place_of(const abut_world *world, abut_body_id id) {
    abut_body_state state;
    assert_ok(abut_world_body_state(world, id, &state));
    return state.centre;
}

static abut_pressure_law law_of(double strength) {
    abut_body_def body = sticky(strength);
    abut_pressure_law law;
    assert_ok(abut_pressure_law_make(&body.material, &body.material, &law));
    law.adhesion = strength > 0.0 ? ABUT_ADHESION_MAUGIS : ABUT_ADHESION_JKR;
    law.adhesion_work = work;
    law.adhesion_strength = strength;
    return law;
}

/* The largest pull of a ball and a plane. */
static double largest_pull(double strength) {
    abut_pressure_law law = law_of(strength);
    double reach = abut_pressure_reach(&law, radius), most = 0.0;
    for (int i = -4000; i <= 4000; ++i) {
        abut_pressure_disc d;
        assert_ok(abut_pressure_spheres(&law, radius, reach * i / 4000.0, true, &d));
        most = fmax(most, -d.force);
    }
    return most;
}

/* A slowly growing load takes a ball off when it reaches the largest pull, between those of JKR and of DMT. */
static void test_comes_off(void **state) {
    (void)state;
    const double strengths[] = {2e4, 1e5, 4e5};
    for (int i = 0; i < 3; ++i) {
        double pull = largest_pull(strengths[i]), unit = PI * work * radius;
        printf("strength %.3g: largest pull %.4f of pi w R\n", strengths[i], pull / unit);
        assert_true(pull > 1.5 * unit && pull < 2.0 * unit);
        for (int meshed = 0; meshed < 2; ++meshed) {
            for (int over = 0; over < 2; ++over) {
                abut_world *world = make_world();
                abut_body_def body = sticky(strengths[i]);
                add_ceiling(world, body);
                body.linear_damping = 40.0;
                abut_body_id id = put_ball(world, meshed == 1, abut_vec3_make(0, 0, -radius + 1e-4), abut_vec3_make(0, 0, 0), body);
                for (int k = 0; k < 130; ++k) {
                    double load = (over ? 1.05 : 0.95) * pull * fmin(1.0, k / 60.0);
                    assert_ok(abut_world_apply_force(world, id, abut_vec3_make(0, 0, -load), place_of(world, id)));
                    assert_ok(abut_world_step(world, 5e-3, NULL));
                }
                abut_step_report r;
                assert_ok(abut_world_report(world, &r));
                assert_int_equal(r.contacts, 1 - over);
                abut_world_destroy(world);
            }
        }
    }
}

/* Both bodies need a strength; a pair of different ones has the geometric mean. */
static void test_pairs(void **state) {
    (void)state;
    const double given[][2] = {{2e4, 2e5}, {0.0, 2e5}, {0.0, 0.0}};
    for (int i = 0; i < 3; ++i) {
        abut_world *world = make_world();
        add_ceiling(world, sticky(given[i][0]));
        (void)put_ball(world, false, abut_vec3_make(0, 0, -radius + 1e-4), abut_vec3_make(0, 0, 0), sticky(given[i][1]));
        assert_ok(abut_world_step(world, 1e-9, NULL));
        abut_pressure_law law = law_of(sqrt(given[i][0] * given[i][1]));
        abut_pressure_disc d;
        assert_ok(abut_pressure_spheres(&law, radius, -1e-4, false, &d));
        const abut_world_contact *c;
        int32_t count;
        assert_ok(abut_world_contacts(world, &c, &count));
        assert_int_equal(count, 1);
        assert_near(c->normal_force, d.force, 1e-4 * PI * work * radius);
        abut_world_destroy(world);
    }
}

/* Two balls that stick: without damping, energy of motion and contact stay. */
static void test_energy(void **state) {
    (void)state;
    abut_world *world = make_world();
    abut_body_def body = sticky(1e5);
    body.restitution = 1.0;
    body.friction = 0.0;
    (void)put_ball(world, false, abut_vec3_make(0, 0, 0), abut_vec3_make(0, 0, 2e-4), body);
    (void)put_ball(world, false, abut_vec3_make(0, 0, 2.0 * radius - 1e-6), abut_vec3_make(0, 0, -2e-4), body);
    abut_step_report r;
    assert_ok(abut_world_step(world, 1e-5, &r));
    double first = r.kinetic_energy + r.dem.elastic_energy, size = r.kinetic_energy - r.dem.elastic_energy, off = 0.0, least = 1.0,
           most = 0.0;
    for (int i = 0; i < 300; ++i) {
        assert_ok(abut_world_step(world, 1e-3, &r));
        off = fmax(off, fabs(r.kinetic_energy + r.dem.elastic_energy - first));
        least = fmin(least, r.kinetic_energy);
        most = fmax(most, r.kinetic_energy);
    }
    printf("energy off by %.2g of %.3g\n", off, size);
    assert_int_equal(r.contacts, 1);
    assert_true(off <= 1e-3 * size && least < 0.1 * most);
    abut_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_comes_off),
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
