/* Bodies that the guard turns aside: how far they get, and what it costs them. */
#include <abut/abut.h>

#include "support/bodies.h"
#include "support/check.h"
#include "support/meshes.h"
#include "support/random.h"
#include "support/shapes.h"

static const abut_vec3 nothing = {0, 0, 0};

static abut_body_id throw(abut_world * world, abut_shape *shape, abut_vec3 place, abut_motion motion, double restitution) {
    abut_body_def def = abut_body_def_default();
    abut_body_id id;
    def.shape = shape;
    def.pose.position = place;
    def.motion = motion;
    def.friction = 0.0;
    def.restitution = restitution;
    assert_ok(abut_world_add_body(world, &def, &id));
    abut_shape_release(shape);
    return id;
}

/* The two walls of a groove along y, one mesh. steep: their slope */
static abut_shape *groove(double steep) {
    const double far = 1e4;
    const abut_vec3 corners[6] = {
        {0, -far, 0}, {0, far, 0}, {far, far, steep * far}, {far, -far, steep * far}, {-far, far, steep * far}, {-far, -far, steep * far}};
    const int32_t triangles[12] = {0, 3, 2, 0, 2, 1, 0, 1, 4, 0, 4, 5};
    return meshes_make(corners, 6, triangles, 4);
}

/* A ball that is shot into a groove without friction goes on along it as fast as before, and meets both walls in one step. */
static void test_a_groove(void **state) {
    (void)state;
    random_state random = random_make(random_seed("groove", 64));
    for (int i = 0; i < 200; i++) {
        double steep = random_range(&random, 0.3, 4.0), speed = random_log_range(&random, 30.0, 300.0), along = 0.3 * speed;
        abut_world *world = world_of(ABUT_STEPPER_FIXED);
        assert_ok(abut_world_set_gravity(world, nothing));
        put(world, ABUT_BODY_STATIC, groove(steep), abut_pose_identity());
        const double radius = 0.1, lowest = radius * sqrt(1.0 + steep * steep);
        abut_vec3 place = {0.0, 0.0, lowest + random_range(&random, 0.2, 2.0)};
        place.x = random_range(&random, -0.5, 0.5) * (place.z - lowest) / steep;
        const abut_motion motion = {{0.2 * speed * random_range(&random, -1.0, 1.0), along, -speed}, nothing};
        abut_body_id id = throw(world, sphere(radius), place, motion, 0.0);
        for (int step = 1; step <= 12; step++) {
            abut_body_state s;
            assert_ok(abut_world_step(world, 1.0 / 60.0, NULL));
            assert_ok(abut_world_body_state(world, id, &s));
            if (!(fabs(s.centre.y - along * step / 60.0) < 0.01 * along * step / 60.0)) {
                fail_msg("groove %d, steep %g, %g m/s, step %d: at %g instead of %g", i, steep, speed, step, s.centre.y,
                         along * step / 60.0);
            }
        }
        abut_world_destroy(world);
    }
}

/* A ramp and a wall, and a body that is shot at them. Returns its energy after some steps, relative to that of the shot. */
static double energy_after(uint64_t seed, abut_body_kind kind) {
    random_state random = random_make(seed);
    abut_world *world = world_of(ABUT_STEPPER_FIXED);
    double slope = random_range(&random, 0.1, 1.4), speed = random_log_range(&random, 3.0, 100.0);
    assert_ok(abut_world_set_gravity(world, abut_vec3_make(0, 0, -random_log_range(&random, 1.0, 1000.0))));
    abut_pose tilted = {{0, 0, 0}, abut_quat_about(abut_vec3_make(0, 1, 0), -slope)};
    put(world, kind, box(1e3, 1e3, 0.005), at(0, 0, -0.005));
    put(world, kind, box(1e3, 1e3, 0.005), tilted);
    put(world, kind, box(0.005, 1e3, 1e3), at(20, 0, 0));
    const abut_motion motion = {{speed, 0.1 * speed, -random_range(&random, 0.0, 0.5) * speed}, nothing};
    abut_vec3 place = {-3.0, 0.0, random_range(&random, 0.06, 2.0)};
    throw(world, random_below(&random, 2) == 0 ? sphere(0.05) : box(0.05, 0.04, 0.03), place, motion, 0.0);
    abut_step_report report;
    assert_ok(abut_world_report(world, &report));
    double before = report.kinetic_energy + report.potential_energy, most = 0.0;
    for (int step = 0; step < 30; step++) {
        assert_ok(abut_world_step(world, 1.0 / 60.0, &report));
        most = fmax(most, (report.kinetic_energy + report.potential_energy) / before);
    }
    abut_world_destroy(world);
    return most;
}

/* A kinematic body that stands still gives no energy, like a static one. */
static void test_bodies_at_rest_lift_nothing(void **state) {
    (void)state;
    int32_t wrong = 0;
    for (uint64_t seed = 65000; seed < 65400; seed++) {
        double by_static = energy_after(seed, ABUT_BODY_STATIC), by_kinematic = energy_after(seed, ABUT_BODY_KINEMATIC);
        if (!(by_static <= 1.0 + 1e-7 && by_kinematic <= 1.0 + 1e-7)) {
            print_error("seed %llu: %.9g of the energy on static bodies, %.9g on kinematic ones\n", (unsigned long long)seed, by_static,
                        by_kinematic);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_groove),
        cmocka_unit_test(test_bodies_at_rest_lift_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
