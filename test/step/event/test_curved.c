/*
 * Smooth bodies that are not convex in the event stepper. The oracles: the same body as one that is known to be convex, a pendulum in a hollow ball, closed
 * forms of a ball that meets a torus, the energy, and closed forms of rings and balls that slide and roll.
 */
#include <abut/abut.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

#define RING 0.4
#define TUBE 0.15
#define RIM (RING + TUBE)

static abut_shape *shell, *ring; /* made once, because their masses take a second */

static int make_shapes(void **state) {
    (void)state;
    static user_torus of = {RING, TUBE};
    const abut_implicit_def form = user_torus_implicit(&of);
    assert_ok(abut_shape_create_implicit(&form, &ring));
    abut_implicit_def def = {
        .function = shell_function, .bounds = {{-1.3, -1.3, -1.3}, {1.3, 1.3, 1.3}}, .inside = {0.0, 0.0, 1.0}, .convex = false};
    return abut_shape_create_implicit(&def, &shell) == ABUT_OK ? 0 : 1;
}

static int release_shapes(void **state) {
    (void)state;
    abut_shape_release(shell);
    abut_shape_release(ring);
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

/* ---- friction ---- */

static abut_world *make_rough_world(abut_vec3 gravity) {
    abut_world_def def = abut_world_def_default();
    def.stepper = ABUT_STEPPER_EVENT;
    def.event.friction = true;
    def.event.tolerance = 1e-9;
    def.gravity = gravity;
    return open_world(def);
}

static void add_rough(abut_world *world, abut_shape *shape, abut_pose pose, double mu) {
    abut_body_def def = abut_body_def_default();
    def.kind = ABUT_BODY_STATIC;
    def.shape = shape;
    def.pose = pose;
    def.friction = mu;
    put_as(world, def, shape);
}

/* A ring on a floor. upright: its axis lies along y, so that it rolls along x. It lies flat on four contacts. */
static abut_body_id put_ring(abut_world *world, bool upright, double heading, abut_motion motion, double mu, abut_mass *mass) {
    assert_ok(abut_shape_mass(ring, 1000.0, mass));
    add_rough(world, plane(abut_vec3_make(0, 0, 1), 0.0), at(0, 0, 0), mu);
    abut_body_def def = abut_body_def_default();
    def.pose =
        upright ? turned(at(0, 0, RIM), abut_vec3_make(1, 0, 0), 0.5 * PI) : turned(at(0, 0, TUBE), abut_vec3_make(0, 0, 1), heading);
    def.motion = motion;
    def.friction = mu;
    def.shape = ring;
    return put_shared(world, def);
}

/* The ring of the library lies flat on 64 contacts, and holds with few of them: it stops like a block, and stays on a slope or slides down. */
static void test_flat_torus_holds(void **state) {
    (void)state;
    const double mu = 0.3, v0 = 0.6, stop = v0 / (mu * G), angle = atan(0.95 * mu), steep = atan(1.3 * mu);
    const abut_vec3 gravity[3] = {{0, 0, -G}, {G * sin(angle), 0, -G * cos(angle)}, {G * sin(steep), 0, -G * cos(steep)}};
    for (int k = 0; k < 3; k++) {
        abut_shape *torus = NULL;
        assert_ok(abut_shape_create_torus(0.5, 0.15, &torus));
        abut_world *world = make_rough_world(gravity[k]);
        add_rough(world, plane(abut_vec3_make(0, 0, 1), 0.0), at(0, 0, 0), mu);
        abut_body_def def = abut_body_def_default();
        def.pose = at(0, 0, 0.15);
        def.friction = mu;
        def.motion.linear = abut_vec3_make(0, k == 0 ? v0 : 0.0, 0);
        abut_body_id id = put_as(world, def, torus);
        run_for(world, 0.5);
        double down = G * (sin(steep) - mu * cos(steep));
        abut_vec3 place = {k == 2 ? 0.125 * down : 0.0, k == 0 ? 0.5 * v0 * stop : 0.0, 0.15};
        assert_vec3_near(state_of(world, id).pose.position, place, 1e-6);
        assert_vec3_near(state_of(world, id).motion.linear, abut_vec3_make(k == 2 ? 0.5 * down : 0.0, 0, 0), 1e-6);
        abut_world_destroy(world);
    }
}

/* A ring that lies flat slows down by mu g and stops; on a slope it stays below the angle of friction, and slides with g (sin - mu cos) above it. */
static void test_flat_ring_slides(void **state) {
    (void)state;
    const double mu = 0.3, v0 = 0.6, stop = v0 / (mu * G);
    abut_mass mass;
    for (int k = 0; k < 2; k++) {
        abut_vec3 way = {cos(0.9 * k), sin(0.9 * k), 0};
        abut_world *world = make_rough_world(abut_vec3_make(0, 0, -G));
        abut_body_id id = put_ring(world, false, 0.3 * k, (abut_motion){abut_scale(v0, way), {0, 0, 0}}, mu, &mass);
        run_for(world, 0.1);
        assert_vec3_near(state_of(world, id).motion.linear, abut_scale(v0 - mu * G * 0.1, way), 1e-8);
        run_for(world, 0.15);
        abut_vec3 rest = abut_add(abut_vec3_make(0, 0, TUBE), abut_scale(0.5 * v0 * stop, way));
        assert_vec3_near(state_of(world, id).pose.position, rest, 1e-7);
        assert_vec3_near(state_of(world, id).motion.linear, abut_vec3_make(0, 0, 0), 1e-8);
        abut_world_destroy(world);
    }
    for (int k = 0; k < 2; k++) {
        double angle = atan((k == 0 ? 0.99 : 1.3) * mu), down = k == 0 ? 0.0 : G * (sin(angle) - mu * cos(angle));
        abut_world *world = make_rough_world(abut_vec3_make(G * sin(angle), 0, -G * cos(angle)));
        abut_body_id id = put_ring(world, false, 0.3, (abut_motion){{0, 0, 0}, {0, 0, 0}}, mu, &mass);
        run_for(world, 0.125);
        assert_vec3_near(state_of(world, id).motion.linear, abut_vec3_make(0.125 * down, 0, 0), 1e-7);
        abut_world_destroy(world);
    }
}

/* A ring that lies flat and spins is slowed down by mu m g times the radius of the circle on which it lies. */
static void test_flat_ring_spins(void **state) {
    (void)state;
    const double mu = 0.3;
    abut_mass mass;
    abut_world *world = make_rough_world(abut_vec3_make(0, 0, -G));
    abut_body_id id = put_ring(world, false, 0.2, (abut_motion){{0, 0, 0}, {0, 0, 1}}, mu, &mass);
    double rate = mu * mass.mass * G * RING / mass.inertia.z.z;
    run_for(world, 0.1);
    assert_vec3_near(state_of(world, id).motion.angular, abut_vec3_make(0, 0, 1 - 0.1 * rate), 1e-7);
    run_for(world, 0.1);
    assert_vec3_near(state_of(world, id).motion.angular, abut_vec3_make(0, 0, 0), 1e-7);
    assert_vec3_near(state_of(world, id).pose.position, abut_vec3_make(0, 0, TUBE), 1e-7);
    abut_world_destroy(world);
}

enum { ON_CIRCLE = 64 };

/* The accelerations of a thin flat ring with its middle at a height, for velocities along x and y and about z. Friction tilts the load to the side to which
 * the ring moves; the load is linear in the place. */
static void brake(const double u[3], double mu, double radius, double height, double inertia, double rate[3]) {
    rate[0] = rate[1] = rate[2] = 0.0;
    for (int turn = 0; turn < 20; turn++) {
        double sum[3] = {0.0, 0.0, 0.0};
        for (int k = 0; k < ON_CIRCLE; k++) {
            double x = cos(2.0 * PI * k / ON_CIRCLE), y = sin(2.0 * PI * k / ON_CIRCLE);
            double slip[2] = {u[0] - u[2] * radius * y, u[1] + u[2] * radius * x}, speed = hypot(slip[0], slip[1]);
            double load = (G - 2.0 * height / radius * (rate[0] * x + rate[1] * y)) / ON_CIRCLE, f = -mu * load / speed;
            sum[0] += f * slip[0];
            sum[1] += f * slip[1];
            sum[2] += f * radius * (x * slip[1] - y * slip[0]) / inertia;
        }
        memcpy(rate, sum, sizeof sum);
    }
}

/* A ring that slides and spins is pushed aside: its load is larger in front, and friction there points more to one side. */
static void test_flat_torus_slides_and_spins(void **state) {
    (void)state;
    const double mu = 0.3, dt = 1e-3;
    abut_shape *torus = NULL;
    abut_mass mass;
    assert_ok(abut_shape_create_torus(0.5, 0.15, &torus));
    assert_ok(abut_shape_mass(torus, 1.0, &mass));
    abut_world *world = make_rough_world(abut_vec3_make(0, 0, -G));
    add_rough(world, plane(abut_vec3_make(0, 0, 1), 0.0), at(0, 0, 0), mu);
    abut_body_def def = abut_body_def_default();
    def.pose = at(0, 0, 0.15);
    def.friction = mu;
    def.motion = (abut_motion){{1, 0, 0}, {0, 0, 3}};
    abut_body_id id = put_as(world, def, torus);
    double u[3] = {1.0, 0.0, 3.0}, place[2] = {0.0, 0.0};
    for (int i = 0; i < 250; i++) {
        double rate[3], half[3];
        brake(u, mu, 0.5, 0.15, mass.inertia.z.z / mass.mass, rate);
        for (int k = 0; k < 3; k++) {
            half[k] = u[k] + 0.5 * dt * rate[k];
        }
        brake(half, mu, 0.5, 0.15, mass.inertia.z.z / mass.mass, rate);
        for (int k = 0; k < 3; k++) {
            place[k % 2] += k < 2 ? dt * half[k] : 0.0;
            u[k] += dt * rate[k];
        }
    }
    run_for(world, 0.25);
    abut_body_state s = state_of(world, id);
    assert_true(place[1] < -1e-3);
    assert_vec3_near(s.pose.position, abut_vec3_make(place[0], place[1], 0.15), 2e-6);
    assert_vec3_near(s.motion.linear, abut_vec3_make(u[0], u[1], 0.0), 2e-6);
    assert_near(s.motion.angular.z, u[2], 2e-5);
    abut_world_destroy(world);
}

/* A ring on its rim slides and then rolls with v0 / (1 + I / m r^2), from the time at which mu g has taken the rest. Down a slope it rolls with g sin divided
 * by the same. */
static void test_ring_rolls(void **state) {
    (void)state;
    const double mu = 0.3, v0 = 0.8, angle = 0.2;
    abut_mass mass;
    abut_world *world = make_rough_world(abut_vec3_make(0, 0, -G));
    abut_body_id id = put_ring(world, true, 0.0, (abut_motion){{v0, 0, 0}, {0, 0, 0}}, mu, &mass);
    double share = mass.inertia.z.z / (mass.mass * RIM * RIM), speed = v0 / (1.0 + share), roll = (v0 - speed) / (mu * G);
    run_for(world, 0.5 * roll);
    assert_near(state_of(world, id).motion.linear.x, 0.5 * (v0 + speed), 1e-7);
    assert_near(state_of(world, id).motion.angular.y, 0.5 * (v0 - speed) / (share * RIM), 1e-7);
    run_for(world, 0.5 * roll + 0.125);
    abut_body_state s = state_of(world, id);
    assert_near(s.motion.linear.x, speed, 1e-7);
    assert_near(s.motion.angular.y, speed / RIM, 1e-6);
    assert_near(s.pose.position.x, 0.5 * (v0 + speed) * roll + 0.125 * speed, 1e-7);
    abut_world_destroy(world);
    world = make_rough_world(abut_vec3_make(G * sin(angle), 0, -G * cos(angle)));
    id = put_ring(world, true, 0.0, (abut_motion){{0, 0, 0}, {0, 0, 0}}, mu, &mass);
    run_for(world, 0.125);
    assert_near(state_of(world, id).motion.linear.x, 0.125 * G * sin(angle) / (1.0 + share), 1e-7);
    abut_world_destroy(world);
}

/* A ball that spins on the hole of a ring touches it along a circle, with a normal force that is larger than its weight. */
static void test_ball_spins_on_a_ring(void **state) {
    (void)state;
    const double mu = 0.25, r = 0.3, far = r + TUBE, high = sqrt(far * far - RING * RING),
                 rate = mu * G * (far / high) * (r * RING / far) / (0.4 * r * r);
    abut_shape *seat = NULL;
    assert_ok(abut_shape_create_torus(RING, TUBE, &seat));
    abut_world *world = make_rough_world(abut_vec3_make(0, 0, -G));
    add_rough(world, seat, at(0, 0, 0), mu);
    abut_body_def def = abut_body_def_default();
    def.pose = at(0, 0, high);
    def.motion.angular.z = 10.0;
    def.friction = mu;
    abut_body_id id = put_as(world, def, sphere(r));
    run_for(world, 0.15);
    assert_vec3_near(state_of(world, id).motion.angular, abut_vec3_make(0, 0, 10.0 - 0.15 * rate), 1e-6);
    assert_vec3_near(state_of(world, id).pose.position, abut_vec3_make(0, 0, high), 1e-7);
    abut_world_destroy(world);
}

/* A ball in a bowl: the angle from the bottom, the speed along the bowl, and the spin with which it would roll at that speed. */
typedef struct bowl_state {
    double angle, speed, spin;
} bowl_state;

typedef struct bowl {
    double length, radius, mu;
    double slides; /* the sign of the slip; 0: it rolls */
} bowl;

static double pressing(const bowl *b, bowl_state s) { return G * cos(s.angle) + s.speed * s.speed / b->length; }
static double holding(bowl_state s) { return 2.0 / 7.0 * G * sin(s.angle); } /* the friction with which it rolls */

static bowl_state slope_of(const bowl *b, bowl_state s) {
    double friction = b->slides != 0.0 ? -b->slides * b->mu * pressing(b, s) : holding(s);
    return (bowl_state){s.speed / b->length, friction - G * sin(s.angle), -friction / (0.4 * b->radius)};
}

static bowl_state moved(bowl_state s, double h, bowl_state slope) {
    return (bowl_state){s.angle + h * slope.angle, s.speed + h * slope.speed, s.spin + h * slope.spin};
}

static bowl_state after(const bowl *b, bowl_state s, double h) {
    bowl_state k1 = slope_of(b, s), k2 = slope_of(b, moved(s, 0.5 * h, k1)), k3 = slope_of(b, moved(s, 0.5 * h, k2)),
               k4 = slope_of(b, moved(s, h, k3));
    return moved(moved(moved(moved(s, h / 6.0, k1), h / 3.0, k2), h / 3.0, k3), h / 6.0, k4);
}

static double slip_of(const bowl *b, bowl_state s) { return s.speed - b->radius * s.spin; }

/* Slides or rolls, by small steps that end where a slip ends. */
static bowl_state in_bowl(bowl b, bowl_state s, double time) {
    enum { STEPS = 20000 };
    const double h = time / STEPS;
    double done = 0.0;
    b.slides = slip_of(&b, s) == 0.0 ? 0.0 : copysign(1.0, slip_of(&b, s));
    while (done < time) {
        if (b.slides == 0.0 && fabs(holding(s)) > b.mu * pressing(&b, s)) {
            b.slides = s.angle > 0.0 ? -1.0 : 1.0;
        }
        double step = fmin(h, time - done), before = slip_of(&b, s);
        bowl_state next = after(&b, s, step);
        if (b.slides * slip_of(&b, next) < 0.0 && before != 0.0) {
            step *= before / (before - slip_of(&b, next));
            next = after(&b, s, step);
            next.spin = next.speed / b.radius;
            b.slides = 0.0;
        }
        s = next;
        done += fmax(step, 1e-15);
    }
    return s;
}

/* It rolls as a pendulum that is 7/5 times as long, slides at first and then rolls, or slides all the time. */
static void test_ball_rolls_in_a_bowl(void **state) {
    (void)state;
    static const struct {
        bowl_state begin;
        double mu;
    } cases[] = {{{1.2, 0, 0}, 2.0}, {{1.2, 0, 0}, 0.1}, {{0.3, 2, 0}, 0.3}, {{0.5, -1, 8}, 0.2}, {{0.2, 0.5, 2.5}, 0.5}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const bowl b = {.length = INNER - 0.2, .radius = 0.2, .mu = cases[i].mu};
        const bowl_state begin = cases[i].begin;
        abut_world *world = make_rough_world(abut_vec3_make(0, 0, -G));
        abut_shape_retain(shell);
        add_rough(world, shell, at(0.3, -0.2, 0.1), b.mu);
        abut_body_def def = abut_body_def_default();
        def.pose = at(0.3 + b.length * sin(begin.angle), -0.2, 0.1 - b.length * cos(begin.angle));
        def.motion = (abut_motion){{begin.speed * cos(begin.angle), 0, begin.speed * sin(begin.angle)}, {0, begin.spin, 0}};
        def.friction = b.mu;
        abut_body_id id = put_as(world, def, sphere(b.radius));
        run_for(world, 0.5);
        abut_body_state s = state_of(world, id);
        bowl_state expected = in_bowl(b, begin, 0.5);
        abut_vec3 p = abut_sub(s.pose.position, abut_vec3_make(0.3, -0.2, 0.1));
        assert_near(atan2(p.x, -p.z), expected.angle, 1e-7);
        assert_near(s.motion.angular.y, expected.spin, 1e-6);
        assert_near(abut_length(p), b.length, 1e-8);
        abut_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_as_the_convex_body),
        cmocka_unit_test(test_ball_in_a_shell),
        cmocka_unit_test(test_save_and_restore),
        cmocka_unit_test(test_ball_on_a_torus),
        cmocka_unit_test(test_hanging_ring),
        cmocka_unit_test(test_flat_torus_holds),
        cmocka_unit_test(test_flat_torus_slides_and_spins),
        cmocka_unit_test(test_flat_ring_slides),
        cmocka_unit_test(test_flat_ring_spins),
        cmocka_unit_test(test_ring_rolls),
        cmocka_unit_test(test_ball_spins_on_a_ring),
        cmocka_unit_test(test_ball_rolls_in_a_bowl),
    };
    return cmocka_run_group_tests(tests, make_shapes, release_shapes);
}
