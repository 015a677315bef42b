/*
 * Smooth bodies that are not convex in the event stepper. The oracles: the same body as one that is known to be convex, a pendulum in a hollow ball, closed
 * forms of a ball that meets a torus, and the energy.
 */
#include <abut/abut.h>

#include <math.h>
#include <stdlib.h>

#include "support/bodies.h"
#include "support/check.h"
#include "support/random.h"
#include "support/shapes.h"
#include "support/user_surface.h"

#define G 9.81

static abut_world *make_world(double tolerance) {
    abut_world_def def = abut_world_def_default();
    def.stepper = ABUT_STEPPER_EVENT;
    def.event.tolerance = tolerance;
    return open_world(def);
}

static abut_body_id add_still(abut_world *world, const abut_shape *shape, abut_pose pose) {
    abut_body_def def = abut_body_def_default();
    def.kind = ABUT_BODY_STATIC;
    def.shape = shape;
    def.pose = pose;
    return put_shared(world, def);
}

/* ---- a convex body that is not said to be one ---- */

enum { GROUNDS = 5 };

static abut_shape *ground(int kind, abut_pose *pose) {
    abut_shape *shape = NULL;
    *pose = at(0, 0, -0.5);
    switch (kind) {
    case 0:
        *pose = at(0, 0, 0);
        assert_ok(abut_shape_create_plane(abut_vec3_make(0.05, 0, 1), 0.0, &shape));
        return shape;
    case 1:
        return box(2.0, 2.0, 0.5);
    case 2:
        *pose = at(0.05, 0.02, -1.0);
        return sphere(1.0);
    case 3:
        *pose = (abut_pose){{0.02, 0, -0.4}, {0.0, sin(0.75), 0.0, cos(0.75)}};
        return capsule(0.4, 1.0);
    default:
        *pose = at(0.03, 0.05, -0.6);
        return ellipsoid(1.2, 0.9, 0.6);
    }
}

/* The largest distance of both bodies over a time. */
static double difference(abut_world *const world[2], const abut_body_id id[2], double time) {
    const double dt = 1.0 / 60.0;
    double worst = 0.0;
    for (int k = 0; k < (int)(time / dt); k++) {
        abut_body_state s[2];
        for (int i = 0; i < 2; i++) {
            assert_ok(abut_world_step(world[i], dt, NULL));
            s[i] = state_of(world[i], id[i]);
        }
        abut_quat p = s[0].pose.rotation, q = s[1].pose.rotation;
        double turned = 1.0 - fabs(p.w * q.w + p.x * q.x + p.y * q.y + p.z * q.z);
        worst = fmax(worst, abut_distance_between(s[0].pose.position, s[1].pose.position) + 0.6 * sqrt(fmax(2.0 * turned, 0.0)));
    }
    return worst;
}

/* Falls, bounces and slides of an ellipsoid by an implicit function or by parameters, and of the ellipsoid itself. */
static void test_as_the_convex_body(void **state) {
    (void)state;
    random_state random = random_make(random_seed("as_the_convex_body", 11));
    user_ellipsoid user = {.half = {0.3, 0.2, 0.25}};
    abut_implicit_def implicit = user_ellipsoid_implicit(&user);
    abut_parametric_def parametric = user_ellipsoid_parametric(&user);
    implicit.convex = parametric.convex = false;
    abut_shape *body[3] = {ellipsoid(0.3, 0.2, 0.25), NULL, NULL};
    assert_ok(abut_shape_create_implicit(&implicit, &body[1]));
    assert_ok(abut_shape_create_parametric(&parametric, &body[2]));
    abut_mass mass;
    assert_ok(abut_shape_mass(body[0], 1.0, &mass));
    for (int i = 1; i < 3; i++) { /* volumes of bodies that are not convex are not exact */
        abut_shape *weighted;
        assert_ok(abut_shape_create_with_mass(body[i], &mass, &weighted));
        abut_shape_release(body[i]);
        body[i] = weighted;
    }
    double worst = 0.0;
    int32_t samples = random_runs("as_the_convex_body", 24);
    for (int32_t sample = 0; sample < samples; sample++) {
        for (int kind = 0; kind < GROUNDS; kind++) {
            abut_pose pose;
            abut_shape *under = ground(kind, &pose);
            abut_body_def def = abut_body_def_default();
            def.pose = (abut_pose){{0, 0, 0.5}, random_rotation(&random)};
            def.motion.linear = random_vec3(&random, -1.0, 1.0);
            def.motion.angular = random_vec3(&random, -3.0, 3.0);
            def.restitution = random_range(&random, 0.0, 1.0);
            abut_world *world[2];
            abut_body_id id[2];
            for (int i = 0; i < 2; i++) {
                world[i] = make_world(1e-9);
                add_still(world[i], under, pose);
                def.shape = body[i == 0 ? 0 : 1 + (kind + sample) % 2];
                id[i] = put_shared(world[i], def);
            }
            double apart = difference(world, id, 0.5);
            if (apart > 1e-6) {
                fail_msg("ground %d, sample %d: %.2e m apart", kind, (int)sample, apart);
            }
            worst = fmax(worst, apart);
            abut_world_destroy(world[0]);
            abut_world_destroy(world[1]);
            abut_shape_release(under);
        }
    }
    print_message("%.2e m apart at most\n", worst);
    for (int i = 0; i < 3; i++) {
        abut_shape_release(body[i]);
    }
}

/* ---- hollow bodies ---- */

#define OUTER 1.2
#define INNER 0.8

/* |p| between INNER and OUTER, by a function whose only zeros are the two spheres. */
static void shell_function(void *context, abut_vec3 p, abut_implicit_point *at) {
    (void)context;
    const double middle = 0.5 * (OUTER * OUTER + INNER * INNER), half = 0.5 * (OUTER * OUTER - INNER * INNER);
    double s = (abut_length_squared(p) - middle) / half;
    double bend = 8.0 / (half * half), even = 4.0 * s / half;
    *at = (abut_implicit_point){.value = s * s - 1.0, .gradient = abut_scale(even, p)};
    at->hessian.x = abut_add(abut_scale(bend * p.x, p), abut_vec3_make(even, 0, 0));
    at->hessian.y = abut_add(abut_scale(bend * p.y, p), abut_vec3_make(0, even, 0));
    at->hessian.z = abut_add(abut_scale(bend * p.z, p), abut_vec3_make(0, 0, even));
}

static abut_shape *shell; /* made once, because its mass takes a second */

static int make_shell(void **state) {
    (void)state;
    abut_implicit_def def = {
        .function = shell_function, .bounds = {{-1.3, -1.3, -1.3}, {1.3, 1.3, 1.3}}, .inside = {0.0, 0.0, 1.0}, .convex = false};
    return abut_shape_create_implicit(&def, &shell) == ABUT_OK ? 0 : 1;
}

static int release_shell(void **state) {
    (void)state;
    abut_shape_release(shell);
    return 0;
}

/* The angle of a pendulum after a time, by many small steps of the classical method of fourth order. */
static double pendulum(double angle, double length, double time) {
    enum { STEPS = 20000 };
    double h = time / STEPS, w = 0.0, k = -G / length;
    for (int i = 0; i < STEPS; i++) {
        double a1 = w, b1 = k * sin(angle), a2 = w + 0.5 * h * b1, b2 = k * sin(angle + 0.5 * h * a1);
        double a3 = w + 0.5 * h * b2, b3 = k * sin(angle + 0.5 * h * a2), a4 = w + h * b3, b4 = k * sin(angle + h * a3);
        angle += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
        w += h / 6.0 * (b1 + 2.0 * b2 + 2.0 * b3 + b4);
    }
    return angle;
}

/* A ball that slides in the hollow of the shell moves as a pendulum. */
static void test_ball_in_a_shell(void **state) {
    (void)state;
    const double radius = 0.2, length = INNER - radius, begin = 1.2, time = 0.75;
    abut_shape *ball = sphere(radius);
    abut_world *world = make_world(1e-9);
    add_still(world, shell, at(0.3, -0.2, 0.1));
    abut_body_def def = abut_body_def_default();
    def.shape = ball;
    def.pose = at(0.3 + length * sin(begin), -0.2, 0.1 - length * cos(begin));
    abut_body_id id = put_shared(world, def);
    for (int k = 0; k < 30; k++) {
        assert_ok(abut_world_step(world, time / 30.0, NULL));
    }
    abut_vec3 p = abut_sub(state_of(world, id).pose.position, abut_vec3_make(0.3, -0.2, 0.1));
    double expected = pendulum(begin, length, time);
    print_message("angle %.9f, expected %.9f; %.2e m off the sphere\n", atan2(p.x, -p.z), expected, abut_length(p) - length);
    assert_near(atan2(p.x, -p.z), expected, 1e-6);
    assert_near(abut_length(p), length, 1e-6);
    assert_near(p.y, 0.0, 1e-9);
    abut_world_destroy(world);
    abut_shape_release(ball);
}

/* An egg slides and bounces in the hollow, in a world and in one that goes on from its saved state. */
static void test_save_and_restore(void **state) {
    (void)state;
    abut_shape *egg = ellipsoid(0.3, 0.2, 0.25);
    abut_world *world[2] = {make_world(1e-7), make_world(1e-7)};
    abut_body_def def = abut_body_def_default();
    def.shape = egg;
    def.pose = at(0.3, 0.1, -0.2);
    def.motion.angular = abut_vec3_make(1.0, 2.0, 0.5);
    def.restitution = 0.3;
    abut_body_id id = {0};
    for (int i = 0; i < 2; i++) {
        add_still(world[i], shell, at(0, 0, 0));
        id = put_shared(world[i], def);
    }
    for (int k = 0; k < 20; k++) {
        assert_ok(abut_world_step(world[0], 0.01, NULL));
    }
    size_t size = 0;
    assert_int_equal(abut_world_save(world[0], NULL, 0, &size), ABUT_ERROR_CAPACITY);
    unsigned char *bytes = malloc(size);
    assert_ok(abut_world_save(world[0], bytes, size, &size));
    assert_ok(abut_world_restore(world[1], bytes, size));
    for (int k = 0; k < 15; k++) {
        for (int i = 0; i < 2; i++) {
            assert_ok(abut_world_step(world[i], 0.01, NULL));
        }
        abut_body_state s = state_of(world[0], id), t = state_of(world[1], id);
        assert_memory_equal(&s.pose, &t.pose, sizeof s.pose);
        assert_memory_equal(&s.motion, &t.motion, sizeof s.motion);
    }
    free(bytes);
    abut_world_destroy(world[0]);
    abut_world_destroy(world[1]);
    abut_shape_release(egg);
}

/* ---- tori ---- */

/* A ball falls beside the highest circle of the tube, and bounces: the time is that of a fall, and the normal at the touch tells the new velocity. */
static void test_ball_on_a_torus(void **state) {
    (void)state;
    const double ring = 0.8, tube = 0.2, radius = 0.15, height = 1.0, aside = 0.08, bounce = 0.6;
    abut_shape *torus = NULL, *ball = sphere(radius);
    assert_ok(abut_shape_create_torus(ring, tube, &torus));
    abut_world *world = make_world(1e-9);
    add_still(world, torus, at(0, 0, 0));
    abut_body_def def = abut_body_def_default();
    def.shape = ball;
    def.pose = at(ring + aside, 0.0, height);
    def.restitution = bounce;
    abut_body_id id = put_shared(world, def);
    double reach = tube + radius, touch = sqrt(reach * reach - aside * aside), fall = sqrt(2.0 * (height - touch) / G), time = fall + 0.1;
    assert_ok(abut_world_step(world, time, NULL));
    /* The reflection of the fall's velocity, then free flight. */
    double nx = aside / reach, nz = touch / reach, speed = G * fall, push = (1.0 + bounce) * speed * nz, left = time - fall;
    abut_vec3 p = state_of(world, id).pose.position;
    assert_near(p.x, ring + aside + push * nx * left, 1e-6);
    assert_near(p.y, 0.0, 1e-9);
    assert_near(p.z, touch + (push * nz - speed) * left - 0.5 * G * left * left, 1e-6);
    abut_world_destroy(world);
    abut_shape_release(torus);
    abut_shape_release(ball);
}

/* A ring that hangs in another one stays: the touch bears its weight. */
static void test_hanging_ring(void **state) {
    (void)state;
    abut_shape *torus = NULL;
    assert_ok(abut_shape_create_torus(0.4, 0.1, &torus));
    abut_world *world = make_world(1e-7);
    add_still(world, torus, (abut_pose){{0, 0, 0}, {sqrt(0.5), 0, 0, sqrt(0.5)}});
    abut_body_def def = abut_body_def_default();
    def.shape = torus;
    def.pose = (abut_pose){{0, 0, -0.6}, {0, sqrt(0.5), 0, sqrt(0.5)}};
    abut_body_id id = put_shared(world, def);
    for (int k = 0; k < 15; k++) {
        assert_ok(abut_world_step(world, 1.0 / 60.0, NULL));
    }
    abut_vec3 p = state_of(world, id).pose.position;
    assert_near(abut_distance_between(p, def.pose.position), 0.0, 1e-6);
    abut_mass mass;
    assert_ok(abut_shape_mass(torus, def.density, &mass));
    const abut_world_contact *contacts;
    int32_t count;
    assert_ok(abut_world_contacts(world, &contacts, &count));
    assert_int_equal(count, 1);
    assert_near(contacts[0].normal_force, mass.mass * G, 1e-6 * mass.mass * G);
    abut_world_destroy(world);
    abut_shape_release(torus);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_as_the_convex_body), cmocka_unit_test(test_ball_in_a_shell), cmocka_unit_test(test_save_and_restore),
        cmocka_unit_test(test_ball_on_a_torus),    cmocka_unit_test(test_hanging_ring),
    };
    return cmocka_run_group_tests(tests, make_shell, release_shell);
}
