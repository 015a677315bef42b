/*
 * Capillary bridges in the dem stepper: what an impact loses, which balls stick together, the pull along the way of two balls, balls that hang and slide,
 * meshed balls, energy and momentum of wet grains, and states that are restored while bridges are stretched.
 */
#include <abut/world.h>

#include <stdio.h>
#include <stdlib.h>

#include "support/bodies.h"
#include "support/check.h"
#include "support/facet_body.h"
#include "support/random.h"
#include "support/shapes.h"

/* Millimetres of water. */
static const double radius = 1e-3, volume = 1e-12, tension = 0.072, angle = 0.3;

static abut_world *make_world(double gravity, int32_t threads) {
    abut_world_def def = abut_world_def_default();
    def.stepper = ABUT_STEPPER_DEM;
    def.gravity = abut_vec3_make(0, 0, -gravity);
    def.parallel.threads = threads;
    def.dem.step_share = 0.05;
    return open_world(def);
}

static abut_body_def wet_body(double restitution) {
    abut_body_def body = abut_body_def_default();
    body.density = 2500.0;
    body.restitution = restitution;
    body.friction = 0.0;
    body.liquid_volume = volume;
    body.surface_tension = tension;
    body.contact_angle = angle;
    return body;
}

static abut_shape *make_ball(bool meshed, double size) { return meshed ? facet_body_meshed_ball(1, size) : sphere(size); }

static void add_plane(abut_world *world, double up, double offset, abut_body_def def) {
    def.kind = ABUT_BODY_STATIC;
    def.mass = 0.0;
    def.density = 1.0;
    put_as(world, def, plane(abut_vec3_make(0, 0, up), offset));
}

static double mass_of(const abut_world *world, abut_body_id id) {
    abut_body_info info;
    assert_ok(abut_world_body_info(world, id, &info));
    return info.mass;
}

static double energy_of(const abut_step_report *r) { return r->kinetic_energy + r->dem.elastic_energy + r->dem.spring_energy; }

/* Of two surfaces with this effective radius: pull at the touch, and the work up to the end of the bridge, by Simpson's rule. */
static double first_pull(double effective) { return 4.0 * PI * effective * tension * cos(angle); }
static double last_gap(void) { return (1.0 + 0.5 * angle) * cbrt(volume); }
static double pull_at(double effective, double gap) {
    double s = gap * sqrt(2.0 * effective / volume);
    return first_pull(effective) / (1.0 + 1.05 * s + 2.5 * s * s);
}
static double whole_work(double effective) {
    enum { PARTS = 1000 };
    double sum = 0.0, h = last_gap() / PARTS;
    for (int i = 0; i < PARTS; ++i) {
        sum += h / 6.0 * (pull_at(effective, i * h) + 4.0 * pull_at(effective, (i + 0.5) * h) + pull_at(effective, (i + 1) * h));
    }
    return sum;
}

/* ---- two bodies ---- */

/* Two balls, or a ball and a floor, that meet without damping lose the work of their bridge, and the speed of rebound is sqrt(v^2 - 2 W / m). Below that speed
 * they stick together. */
static void test_impact_loses_the_bridge(void **state) {
    (void)state;
    for (int kind = 0; kind < 4; ++kind) {
        const bool floor = kind == 1, meshed = kind == 2 || kind == 3;
        const double size = kind == 3 ? 0.6e-3 : radius, effective = floor ? radius : radius * size / (radius + size);
        for (int fast = 0; fast < 3; ++fast) {
            abut_world *world = make_world(0.0, 1);
            abut_body_def body = wet_body(1.0);
            abut_body_id b = {0}, a = put_moving(world, make_ball(meshed, radius), abut_vec3_make(0, 0, 1.01 * radius),
                                                 abut_vec3_make(0, 0, 0), body);
            double mass = mass_of(world, a), critical;
            if (floor) {
                add_plane(world, 1.0, 0.0, body);
            } else {
                b = put_moving(world, make_ball(kind == 2, size), abut_vec3_make(0, 0, -size), abut_vec3_make(0, 0, 0), body);
                mass = 1.0 / (1.0 / mass + 1.0 / mass_of(world, b));
            }
            critical = sqrt(2.0 * whole_work(effective) / mass);
            double speed = (fast == 0 ? 0.9 : fast == 1 ? 1.2 : 4.0) * critical;
            assert_ok(abut_world_set_body_motion(world, a, (abut_motion){{0, 0, -speed}, {0, 0, 0}}));
            abut_step_report r;
            double lost = 0.0;
            for (int i = 0; i < 60; ++i) {
                assert_ok(abut_world_step(world, 0.01 * radius / critical, &r));
                lost += r.dem.friction_work + r.dem.damping_work;
            }
            double parting = state_of(world, a).motion.linear.z - (floor ? 0.0 : state_of(world, b).motion.linear.z);
            double expected = fast == 0 ? 0.0 : sqrt(speed * speed - critical * critical);
            if (fast > 0) {
                printf("speed %.4g, rebound %.5g, by the work of the bridge %.5g\n", speed, parting, expected);
                assert_near(parting, expected, 4e-3 * speed);
                assert_int_equal(r.contacts, 0);
            } else {
                assert_int_equal(r.contacts, 1);
                double gap = state_of(world, a).centre.z - (floor ? 0.0 : state_of(world, b).centre.z + size) - radius;
                assert_true(gap < last_gap());
            }
            assert_near(lost, whole_work(effective), 1e-3 * lost);
            abut_world_destroy(world);
        }
    }
}

/* The force of a contact is that of the closed form at its gap, while two balls part. */
static void test_pull_along_the_way(void **state) {
    (void)state;
    for (int meshed = 0; meshed < 2; ++meshed) {
        abut_world *world = make_world(0.0, 1);
        abut_body_def body = wet_body(1.0);
        put_moving(world, make_ball(meshed == 1, radius), abut_vec3_make(0, 0, 1.001 * radius), abut_vec3_make(0, 0, -0.05), body);
        put_moving(world, make_ball(false, radius), abut_vec3_make(0, 0, -radius), abut_vec3_make(0, 0, 0.05), body);
        int seen = 0;
        double most = 0.0;
        for (int i = 0; i < 400; ++i) {
            assert_ok(abut_world_step(world, 5e-6, NULL));
            int32_t count;
            const abut_world_contact *c;
            assert_ok(abut_world_contacts(world, &c, &count));
            if (count == 1 && c->contact.gap > 0.0) {
                assert_near(c->normal_force, -pull_at(0.5 * radius, c->contact.gap), 1e-6 * first_pull(0.5 * radius));
                most = fmax(most, c->contact.gap);
                ++seen;
            }
        }
        printf("%d stretched bridges, up to %.4f of the last gap\n", seen, most / last_gap());
        assert_true(seen > 20 && most > 0.9 * last_gap() && most <= last_gap());
        abut_step_report r;
        assert_ok(abut_world_report(world, &r));
        assert_int_equal(r.contacts, 0);
        abut_world_destroy(world);
    }
}

/* A ball hangs below a ceiling while its weight is less than the pull, at the depth at which Hertz's force is the difference, and falls when it is more. */
static void test_hanging_ball(void **state) {
    (void)state;
    for (int heavy = 0; heavy < 2; ++heavy) {
        for (int meshed = 0; meshed < 2; ++meshed) {
            abut_world *world = make_world(9.81, 1);
            abut_body_def body = wet_body(0.3);
            double first = first_pull(radius), weight = (heavy ? 1.05 : 0.6) * first, depth = 1e-6;
            body.density = 0.0;
            body.mass = weight / 9.81;
            add_plane(world, -1.0, 0.0, body);
            abut_body_id id =
                put_moving(world, make_ball(meshed == 1, radius), abut_vec3_make(0, 0, -radius + depth), abut_vec3_make(0, 0, 0), body);
            for (int i = 0; i < 40; ++i) {
                assert_ok(abut_world_step(world, 1e-3, NULL));
            }
            double z = state_of(world, id).centre.z;
            if (heavy) {
                assert_true(z < -2.0 * radius);
            } else {
                double modulus = 0.5 * body.material.young / (1.0 - body.material.poisson * body.material.poisson);
                double deep = pow((first - weight) / (4.0 / 3.0 * modulus * sqrt(radius)), 2.0 / 3.0);
                assert_near(z + radius, deep, 1e-6 * radius);
            }
            abut_world_destroy(world);
        }
    }
}

/* Friction holds a wet ball with the whole force of its disc: the weight and the pull. The ball is kept from turning by
 * rolling resistance, and slides when the push is above the limit. */
static void test_friction_of_the_pull(void **state) {
    (void)state;
    for (int steep = 0; steep < 2; ++steep) {
        abut_world *world = make_world(9.81, 1);
        abut_body_def body = wet_body(0.3);
        body.friction = 0.2;
        body.rolling_resistance = 10.0;
        double weight = 0.5 * first_pull(radius), limit = 0.2 * (weight + first_pull(radius)), push = (steep ? 1.2 : 0.9) * limit;
        body.density = 0.0;
        body.mass = weight / 9.81;
        add_plane(world, 1.0, 0.0, body);
        abut_body_id id = put_moving(world, make_ball(false, radius), abut_vec3_make(0, 0, 0.999 * radius), abut_vec3_make(0, 0, 0), body);
        for (int i = 0; i < 50; ++i) {
            assert_ok(abut_world_apply_force(world, id, abut_vec3_make(push, 0, 0), state_of(world, id).centre));
            assert_ok(abut_world_step(world, 1e-3, NULL));
        }
        double expected = steep ? (push - limit) / body.mass * 0.05 : 0.0;
        assert_near(state_of(world, id).motion.linear.x, expected, 0.02 * expected + 1e-6);
        abut_world_destroy(world);
    }
}

/* A dry body has no bridges; and of two contact angles the mean cosine counts. */
static void test_pairs(void **state) {
    (void)state;
    for (int i = 0; i < 4; ++i) {
        abut_world *world = make_world(0.0, 1);
        abut_body_def body = wet_body(0.3);
        body.liquid_volume = i == 0 ? 0.0 : volume;
        body.surface_tension = i == 1 ? 0.0 : tension;
        body.contact_angle = i == 3 ? 1.2 : angle;
        add_plane(world, 1.0, 0.0, body);
        body = wet_body(0.3);
        put_moving(world, make_ball(false, radius), abut_vec3_make(0, 0, radius - 1e-9), abut_vec3_make(0, 0, 0), body);
        assert_ok(abut_world_step(world, 1e-9, NULL));
        int32_t count;
        const abut_world_contact *c;
        assert_ok(abut_world_contacts(world, &c, &count));
        assert_int_equal(count, 1);
        double cosine = i == 3 ? 0.5 * (cos(1.2) + cos(angle)) : cos(angle), pull = i < 2 ? 0.0 : 4.0 * PI * radius * tension * cosine;
        assert_near(c->normal_force, -pull, 1e-3 * first_pull(radius));
        abut_world_destroy(world);
    }
}

/* ---- many bodies ---- */

enum { GRAINS = 60 };

/* A cloud of wet grains that fly towards its middle, some of them meshes, some with the linear law. */
static abut_world *make_cloud(int32_t threads, bool elastic, abut_body_id ids[GRAINS]) {
    abut_world *world = make_world(0.0, threads);
    random_state random = random_make(random_seed("cloud", 71));
    for (int i = 0; i < GRAINS; ++i) {
        abut_body_def body = wet_body(elastic ? 1.0 : 0.6);
        body.friction = elastic ? 0.0 : 0.4;
        body.rolling_resistance = elastic ? 0.0 : 0.05;
        body.contact_stiffness = i % 5 == 1 ? 2000.0 : 0.0;
        double size = radius * random_range(&random, 0.6, 1.0);
        abut_vec3 place = abut_scale(2.3 * radius, abut_vec3_make(i % 4 - 1.5, i / 4 % 4 - 1.5, i / 16 - 1.5));
        abut_vec3 way = abut_scale(-30.0, place);
        ids[i] = put_moving(world, make_ball(i % 7 == 3, size), place, abut_add(way, random_vec3(&random, -0.01, 0.01)), body);
    }
    return world;
}

static void sum_momenta(const abut_world *world, const abut_body_id ids[GRAINS], abut_vec3 *linear, abut_vec3 *angular) {
    *linear = *angular = abut_vec3_make(0, 0, 0);
    for (int i = 0; i < GRAINS; ++i) {
        abut_body_info info;
        assert_ok(abut_world_body_info(world, ids[i], &info));
        abut_body_state s = state_of(world, ids[i]);
        abut_mat3 turn = abut_mat3_from_quat(s.pose.rotation);
        abut_vec3 spin = abut_mat3_apply(turn, abut_mat3_apply(info.inertia, abut_mat3_apply_transposed(turn, s.motion.angular)));
        *linear = abut_add_scaled(*linear, info.mass, s.motion.linear);
        *angular = abut_add(*angular, abut_add(spin, abut_scale(info.mass, abut_cross(s.centre, s.motion.linear))));
    }
}

/* Momentum and angular momentum stay; energy and the work that was absorbed add up, also where bridges form and break. */
static void test_cloud(void **state) {
    (void)state;
    for (int elastic = 0; elastic < 2; ++elastic) {
        abut_body_id ids[GRAINS];
        abut_world *world = make_cloud(1, elastic == 1, ids);
        abut_vec3 linear[2], angular[2];
        sum_momenta(world, ids, &linear[0], &angular[0]);
        abut_step_report r;
        assert_ok(abut_world_report(world, &r));
        double first = energy_of(&r), work = 0.0, off = 0.0, whole = 0.0;
        int32_t most = 0;
        for (int i = 0; i < GRAINS; ++i) {
            whole += mass_of(world, ids[i]) * abut_length(state_of(world, ids[i]).motion.linear);
        }
        for (int i = 0; i < 70; ++i) {
            assert_ok(abut_world_step(world, 2e-4, &r));
            work += r.dem.damping_work + r.dem.friction_work;
            off = fmax(off, fabs(energy_of(&r) + work - first));
            most = r.contacts > most ? r.contacts : most;
            assert_true(r.dem.friction_work >= 0.0 && r.dem.damping_work >= 0.0);
            abut_step_report again;
            assert_ok(abut_world_report(world, &again));
            assert_near(energy_of(&again), energy_of(&r), 1e-9 * first);
        }
        sum_momenta(world, ids, &linear[1], &angular[1]);
        printf("%d contacts, lost %.3g of %.3g, balance off by %.2g\n", (int)most, work, first, off);
        assert_true(most > GRAINS / 2 && work > 0.05 * first);
        assert_true(off <= 0.02 * first);
        assert_vec3_near(linear[1], linear[0], 1e-12 * whole);
        assert_vec3_near(angular[1], angular[0], 1e-12 * whole * radius * 4.0);
        abut_world_destroy(world);
    }
}

/* Any number of threads gives the same bits, and so does a state that was saved while bridges were stretched. */
static void test_threads_and_saved_states(void **state) {
    (void)state;
    abut_body_id ids[GRAINS];
    abut_world *worlds[3] = {make_cloud(1, false, ids), make_cloud(2, false, ids), make_cloud(1, false, ids)};
    int stretched = 0;
    for (int i = 0; i < 50; ++i) {
        assert_ok(abut_world_step(worlds[0], 2e-4, NULL));
        assert_ok(abut_world_step(worlds[1], 2e-4, NULL));
        int32_t count;
        const abut_world_contact *c;
        assert_ok(abut_world_contacts(worlds[0], &c, &count));
        for (int k = 0; k < count; ++k) {
            stretched += c[k].contact.gap > 0.0;
        }
        if (i % 10 == 5) {
            size_t size = 0;
            assert_int_equal(abut_world_save(worlds[0], NULL, 0, &size), ABUT_ERROR_CAPACITY);
            unsigned char *saved = malloc(size);
            assert_non_null(saved);
            assert_ok(abut_world_save(worlds[0], saved, size, &size));
            assert_ok(abut_world_restore(worlds[2], saved, size));
            free(saved);
        } else if (i > 5) {
            assert_ok(abut_world_step(worlds[2], 2e-4, NULL));
            assert_true(abut_world_hash(worlds[0]) == abut_world_hash(worlds[2]));
        }
        assert_true(abut_world_hash(worlds[0]) == abut_world_hash(worlds[1]));
    }
    printf("%d contacts were stretched bridges\n", stretched);
    assert_true(stretched > 50);
    for (int i = 0; i < 3; ++i) {
        abut_world_destroy(worlds[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_impact_loses_the_bridge),
        cmocka_unit_test(test_pull_along_the_way),
        cmocka_unit_test(test_hanging_ball),
        cmocka_unit_test(test_friction_of_the_pull),
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_cloud),
        cmocka_unit_test(test_threads_and_saved_states),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
