/*
 * The event stepper against closed forms: times of collisions, forces of resting contacts, impulses, conserved quantities; tumbling boxes;
 * failures.
 */
#include <abut/abut.h>

#include <stdlib.h>

#include "support/allocator.h"
#include "support/bodies.h"
#include "support/check.h"
#include "support/meshes.h"
#include "support/refusal.h"
#include "support/shapes.h"

#define G 9.81

static const abut_vec3 still = {0, 0, 0};

static abut_world *make_world(abut_impulses impulses, abut_vec3 gravity) {
    abut_world_def def = abut_world_def_default();
    def.stepper = ABUT_STEPPER_EVENT;
    def.event.impulses = impulses;
    def.gravity = gravity;
    return open_world(def);
}

static abut_world *make_earth(void) { return make_world(ABUT_IMPULSES_SIMULTANEOUS, abut_vec3_make(0, 0, -G)); }

static abut_body_id add(abut_world *world, abut_body_kind kind, abut_shape *shape, abut_pose pose, abut_vec3 velocity, double restitution) {
    abut_body_def def = abut_body_def_default();
    def.kind = kind;
    def.pose = pose;
    def.motion.linear = velocity;
    def.restitution = restitution;
    return put_as(world, def, shape);
}

static void add_floor(abut_world *world) { put(world, ABUT_BODY_STATIC, plane(abut_vec3_make(0, 0, 1), 0.0), abut_pose_identity()); }

/* ---- collisions at their times ---- */

/* A ball falls by 1 onto the floor and bounces: each flight determines, by its height and speed, when it began and will end. */
static void bouncing_ball(void **state) {
    (void)state;
    abut_world *world = make_earth();
    add_floor(world);
    abut_body_id id = add(world, ABUT_BODY_DYNAMIC, sphere(0.5), at(0, 0, 1.5), still, 0.5);
    const double first = sqrt(2.0 / G), speed = sqrt(2.0 * G);
    assert_near(first, 0.451523641, 1e-9);
    assert_near(speed, 4.429446918, 1e-9);
    double impact = first, up = 0.5 * speed, time = 0.0;
    while (time < 1.30) {
        assert_ok(abut_world_step(world, 0.013, NULL));
        time += 0.013;
        while (time > impact + 2.0 * up / G) {
            impact += 2.0 * up / G;
            up *= 0.5;
        }
        abut_body_state s = state_of(world, id);
        if (time > first) {
            assert_near(time - (up - s.motion.linear.z) / G, impact, 1e-10);
            assert_near(s.pose.position.z - 0.5, up * (time - impact) - 0.5 * G * (time - impact) * (time - impact), 1e-9);
        } else {
            assert_near(s.motion.linear.z, -G * time, 1e-12);
        }
    }
    /* the impacts accumulate at 1.354570923; those too slow to bounce are left out */
    for (int i = 0; i < 10; i++) {
        assert_ok(abut_world_step(world, 0.013, NULL));
    }
    assert_near(state_of(world, id).pose.position.z, 0.5, 1e-9);
    assert_near(state_of(world, id).motion.linear.z, 0.0, 1e-9);
    abut_world_destroy(world);
}

/* Thrown down and up at 2 from a height of 1: the roots of the parabola, to the printed digits and beyond. */
static void thrown_ball(void **state) {
    (void)state;
    const double speed[2] = {-2.0, 2.0}, printed[2] = {0.291543440580, 0.699290637318};
    for (int k = 0; k < 2; k++) {
        abut_world *world = make_earth();
        add_floor(world);
        abut_body_id id = add(world, ABUT_BODY_DYNAMIC, sphere(0.5), at(0, 0, 1.5), abut_vec3_make(0, 0, speed[k]), 1.0);
        abut_step_report report;
        assert_ok(abut_world_step(world, 0.8, &report));
        double up = sqrt(4.0 + 2.0 * G), impact = 0.8 - (up - state_of(world, id).motion.linear.z) / G;
        assert_near(impact, (up + speed[k]) / G, 1e-11);
        assert_near(impact, printed[k], 1e-11);
        assert_int_equal(report.event.impulses, 1);
        abut_world_destroy(world);
    }
}

/* Two equal ellipsoids with the same rotation pass each other and collide off centre. Their difference is an ellipsoid of twice the size,
 * so the time is the root of a quadratic equation. Checks the linear and angular velocities after it, and that they part as fast as they
 * met. */
static void glancing_ellipsoids(void **state) {
    (void)state;
    random_state random = random_make(random_seed("glancing_ellipsoids", 525));
    int met = 0;
    for (int sample = 0; sample < 40; sample++) {
        const abut_vec3 half = random_vec3(&random, 0.2, 0.6);
        abut_world *world = make_world(ABUT_IMPULSES_SIMULTANEOUS, still);
        abut_pose pose[2] = {random_pose(&random, 0.0), {{0, 0, 0}, {0, 0, 0, 1}}};
        pose[0].position = abut_scale(2.0, random_direction(&random));
        pose[1].rotation = pose[0].rotation;
        abut_vec3 velocity[2] = {abut_add(abut_scale(-1.5, pose[0].position), random_vec3(&random, -0.5, 0.5)),
                                 random_vec3(&random, -0.3, 0.3)};
        abut_body_id id[2];
        abut_mass mass;
        for (int i = 0; i < 2; i++) {
            abut_shape *shape = NULL;
            assert_ok(abut_shape_create_ellipsoid(half, &shape));
            assert_ok(abut_shape_mass(shape, 1000.0, &mass));
            id[i] = add(world, ABUT_BODY_DYNAMIC, shape, pose[i], velocity[i], 1.0);
        }
        abut_vec3 p = abut_quat_rotate_inverse(pose[0].rotation, pose[0].position);
        abut_vec3 v = abut_quat_rotate_inverse(pose[0].rotation, abut_sub(velocity[0], velocity[1]));
        abut_vec3 q = {p.x / half.x, p.y / half.y, p.z / half.z}, w = {v.x / half.x, v.y / half.y, v.z / half.z};
        double b = abut_dot(q, w), ww = abut_dot(w, w), inside = b * b - ww * (abut_dot(q, q) - 4.0);
        double time = 0.0;
        abut_step_report report = {.step = 0};
        while (time < 1.6 && report.event.impulses == 0) { /* they may meet again: they spin */
            assert_ok(abut_world_step(world, 0.05, &report));
            time += 0.05;
        }
        abut_body_state end[2] = {state_of(world, id[0]), state_of(world, id[1])};
        abut_vec3 jump = abut_sub(end[0].motion.linear, velocity[0]);
        if (inside > 0.0) {
            double when = (-b - sqrt(inside)) / ww;
            abut_vec3 z = abut_add_scaled(q, when, w),
                      n = abut_quat_rotate(pose[0].rotation, abut_unit(abut_vec3_make(z.x / half.x, z.y / half.y, z.z / half.z)));
            assert_vec3_near(abut_cross(jump, n), still, 1e-9 * (1.0 + abut_length(jump)));
            abut_vec3 flown = abut_sub(end[0].centre, abut_add_scaled(pose[0].position, time, velocity[0]));
            assert_near(time - abut_dot(flown, jump) / abut_length_squared(jump), when, 1e-10);
            met++;
        }
        abut_vec3 momentum = still, spin = still, was = still;
        double energy[2] = {0.0, 0.0};
        for (int i = 0; i < 2; i++) {
            abut_mat3 r = abut_mat3_from_quat(end[i].pose.rotation);
            abut_vec3 turning = abut_mat3_apply(r, abut_mat3_apply(mass.inertia, abut_mat3_apply_transposed(r, end[i].motion.angular)));
            momentum = abut_add_scaled(momentum, mass.mass, abut_sub(end[i].motion.linear, velocity[i]));
            spin = abut_add(abut_add_scaled(spin, mass.mass, abut_cross(end[i].centre, end[i].motion.linear)), turning);
            was = abut_add_scaled(was, mass.mass, abut_cross(pose[i].position, velocity[i]));
            energy[0] += 0.5 * mass.mass * abut_length_squared(velocity[i]);
            energy[1] += 0.5 * mass.mass * abut_length_squared(end[i].motion.linear) + 0.5 * abut_dot(turning, end[i].motion.angular);
        }
        double scale = mass.mass * (abut_length(velocity[0]) + abut_length(velocity[1]));
        assert_vec3_near(momentum, still, 1e-12 * scale);
        assert_vec3_near(spin, was, 1e-12 * 4.0 * scale);
        assert_near(energy[1], energy[0], 1e-9 * energy[0]);
        abut_world_destroy(world);
    }
    assert_true(met > 20);
}

/* Two balls in empty space, off centre: the time, the line of impact, and all conserved quantities. */
static void colliding_balls(void **state) {
    (void)state;
    abut_world *world = make_world(ABUT_IMPULSES_SIMULTANEOUS, still);
    abut_body_id a = add(world, ABUT_BODY_DYNAMIC, sphere(0.5), at(-2, 0.3, 0), abut_vec3_make(3, 0, 0), 1.0);
    abut_body_id b = add(world, ABUT_BODY_DYNAMIC, sphere(0.3), at(1, -0.1, 0.2), abut_vec3_make(-1, 0.2, 0), 1.0);
    /* |p + v t| = 0.8 */
    abut_vec3 p = {-3, 0.4, -0.2}, v = {4, -0.2, 0};
    double pv = abut_dot(p, v), vv = abut_dot(v, v), when = (-pv - sqrt(pv * pv - vv * (abut_dot(p, p) - 0.64))) / vv;
    abut_vec3 n = abut_unit(abut_add_scaled(p, when, v));
    double mass_a = 1000.0 * 4.0 / 3.0 * PI * 0.125, mass_b = mass_a * 0.216;
    double j = -2.0 * abut_dot(n, v) / (1.0 / mass_a + 1.0 / mass_b);
    for (int i = 0; i < 20; i++) {
        assert_ok(abut_world_step(world, 0.05, NULL));
    }
    abut_body_state end_a = state_of(world, a), end_b = state_of(world, b);
    assert_vec3_near(end_a.motion.linear, abut_add_scaled(abut_vec3_make(3, 0, 0), j / mass_a, n), 1e-10);
    assert_vec3_near(end_b.motion.linear, abut_add_scaled(abut_vec3_make(-1, 0.2, 0), -j / mass_b, n), 1e-10);
    abut_vec3 place = abut_add_scaled(abut_vec3_make(-2, 0.3, 0), when, abut_vec3_make(3, 0, 0));
    assert_vec3_near(end_a.pose.position, abut_add_scaled(place, 1.0 - when, end_a.motion.linear), 1e-10);
    abut_world_destroy(world);
}

/* Boxes that tumble into each other in empty space: momentum, angular momentum and, without loss, energy are conserved. */
static void tumbling_boxes(void **state) {
    (void)state;
    random_state random = random_make(random_seed("tumbling_boxes", 521));
    for (int sample = 0; sample < 8; sample++) {
        abut_world *world = make_world(ABUT_IMPULSES_SIMULTANEOUS, still);
        abut_body_id id[5];
        abut_mass mass[5];
        for (int i = 0; i < 5; i++) {
            abut_vec3 half = random_vec3(&random, 0.2, 0.6);
            abut_shape *shape = box(half.x, half.y, half.z);
            assert_ok(abut_shape_mass(shape, 1000.0, &mass[i]));
            abut_body_def def = abut_body_def_default();
            def.shape = shape;
            def.pose = random_pose(&random, 0.1);
            def.pose.position = abut_add(def.pose.position, abut_vec3_make(2.5 * (i % 3), 2.5 * (int)(i / 3), 0));
            def.motion.linear = abut_scale(1.5, abut_sub(abut_vec3_make(2.5, 1.2, 0), def.pose.position));
            def.motion.angular = random_vec3(&random, -3, 3);
            def.restitution = 1.0;
            assert_ok(abut_world_add_body(world, &def, &id[i]));
            abut_shape_release(shape);
        }
        abut_vec3 momentum[2] = {still, still}, spin[2] = {still, still};
        abut_step_report report = {0};
        double energy = 0.0;
        int64_t impulses = 0;
        for (int end = 0; end < 2; end++) {
            for (int i = 0; i < 5; i++) {
                abut_body_state s = state_of(world, id[i]);
                abut_mat3 r = abut_mat3_from_quat(s.pose.rotation);
                abut_vec3 turning = abut_mat3_apply(r, abut_mat3_apply(mass[i].inertia, abut_mat3_apply_transposed(r, s.motion.angular)));
                momentum[end] = abut_add_scaled(momentum[end], mass[i].mass, s.motion.linear);
                spin[end] = abut_add(abut_add_scaled(spin[end], mass[i].mass, abut_cross(s.centre, s.motion.linear)), turning);
            }
            for (int step = 0; step < 120 && end == 0; step++) {
                assert_ok(abut_world_step(world, 1.0 / 60.0, &report));
                energy = step == 0 ? report.kinetic_energy : energy;
                impulses += report.event.impulses;
                assert_true(report.max_penetration < 1e-6);
                assert_near(report.kinetic_energy, energy, 1e-6 * energy);
            }
        }
        assert_true(impulses > 0);
        double scale = abut_length(momentum[0]) + sqrt(energy * mass[0].mass);
        assert_vec3_near(momentum[1], momentum[0], 1e-12 * scale);
        assert_vec3_near(spin[1], spin[0], 1e-12 * (10.0 * scale + abut_length(spin[0])));
        abut_world_destroy(world);
    }
}

/* Within one step of the world a heavy ball hits a light resting one. It flies against a wall that was far from all moving bodies, and back
 * again. */
static void struck_within_a_step(void **state) {
    (void)state;
    abut_world *world = make_world(ABUT_IMPULSES_SIMULTANEOUS, still);
    abut_body_def def = abut_body_def_default();
    abut_shape *shape = sphere(0.5);
    def.shape = shape;
    def.restitution = 1.0;
    def.mass = 1e6;
    def.pose = at(-1.0, 0, 0);
    def.motion.linear = abut_vec3_make(1.0, 0, 0);
    assert_ok(abut_world_add_body(world, &def, NULL));
    abut_shape_release(shape);
    shape = sphere(0.1);
    def.shape = shape;
    def.mass = 1e-6;
    def.pose = at(-0.3, 0, 0);
    def.motion.linear = still;
    abut_body_id light;
    assert_ok(abut_world_add_body(world, &def, &light));
    abut_shape_release(shape);
    add(world, ABUT_BODY_STATIC, box(0.1, 1, 1), at(1.0, 0, 0), still, 1.0);
    assert_ok(abut_world_step(world, 0.9, NULL));
    /* hit after 0.1, it flies at 2 over 1.1 to the wall and back until it meets the heavy one again; the loop repeats this */
    double time = 0.1, heavy = -0.4, speed = 2.0, place = -0.3;
    while (true) {
        double to_wall = (0.8 - place) / speed, back = (0.8 - (heavy + to_wall) - 0.1) / (speed + 1.0);
        if (time + to_wall + back > 0.9) {
            place = time + to_wall > 0.9 ? place + speed * (0.9 - time) : 0.8 - speed * (0.9 - time - to_wall);
            speed = time + to_wall > 0.9 ? speed : -speed;
            break;
        }
        time += to_wall + back;
        heavy += to_wall + back;
        place = heavy + 0.1;
        speed += 2.0;
    }
    assert_near(state_of(world, light).pose.position.x, place, 1e-8);
    assert_near(state_of(world, light).motion.linear.x, speed, 1e-8);
    abut_world_destroy(world);
}

/* ---- impulses ---- */

/* Three equal balls in a row without loss: simultaneous -1/3, 2/3, 2/3; sequential 0, 0, 1. */
static void three_balls_in_a_row(void **state) {
    (void)state;
    const double wanted[2][3] = {{-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0}, {0.0, 0.0, 1.0}};
    for (int k = 0; k < 2; k++) {
        abut_world *world = make_world((abut_impulses)k, still);
        abut_body_id id[3];
        for (int i = 0; i < 3; i++) {
            id[i] = add(world, ABUT_BODY_DYNAMIC, sphere(0.5), at(i == 0 ? -0.5 : i, 0, 0), abut_vec3_make(i == 0 ? 1.0 : 0.0, 0, 0), 1.0);
        }
        for (int step = 0; step < 10; step++) {
            assert_ok(abut_world_step(world, 0.1, NULL));
        }
        for (int i = 0; i < 3; i++) {
            assert_vec3_near(state_of(world, id[i]).motion.linear, abut_vec3_make(wanted[k][i], 0, 0), 1e-10);
        }
        abut_world_destroy(world);
    }
}

/* A cube that falls flat at 1 m/s on the edge of a ledge under its left face: j = 0.4 (1 + e) for mass 1. */
static void cube_on_one_edge(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        double e = k;
        abut_world *world = make_world(ABUT_IMPULSES_SIMULTANEOUS, still);
        add(world, ABUT_BODY_STATIC, box(1.0, 2.0, 0.5), at(1.5 - 1e-7, 0, -1.0 - 0.01), still, e);
        abut_body_def def = abut_body_def_default();
        abut_shape *cube = box(0.5, 0.5, 0.5);
        def.shape = cube;
        def.mass = 1.0;
        def.motion.linear = abut_vec3_make(0, 0, -1);
        def.restitution = e;
        abut_body_id id;
        assert_ok(abut_world_add_body(world, &def, &id));
        abut_shape_release(cube);
        assert_ok(abut_world_step(world, 0.01 + 2e-8, NULL));
        abut_body_state s = state_of(world, id);
        assert_near(s.motion.linear.z, -1.0 + 0.4 * (1.0 + e), 1e-6);
        assert_near(s.motion.angular.y, -1.2 * (1.0 + e), 1e-6);
        abut_world_destroy(world);
    }
}

/* ---- forces at rest ---- */

/* Normal forces by the other body: sums over the contacts between two bodies. */
static double force_between(const abut_world *world, abut_body_id a, abut_body_id b) {
    const abut_world_contact *c;
    int32_t count;
    double sum = 0.0;
    assert_ok(abut_world_contacts(world, &c, &count));
    for (int32_t i = 0; i < count; i++) {
        bool same = (c[i].a.index == a.index && c[i].b.index == b.index) || (c[i].a.index == b.index && c[i].b.index == a.index);
        sum += same ? c[i].normal_force : 0.0;
    }
    return sum;
}

/* A box of half size 1 and mass 2 on balls: under its corners; on two pairs that share its weight by their levers; on two pairs on one
 * side, where it begins to turn about the inner one. */
static void box_on_balls(void **state) {
    (void)state;
    const double places[3][2] = {{-0.9, 0.9}, {-0.9, 0.18}, {-0.9, -0.2}};
    for (int k = 0; k < 3; k++) {
        abut_world *world = make_earth();
        abut_body_id posts[4];
        for (int i = 0; i < 4; i++) {
            posts[i] = add(world, ABUT_BODY_STATIC, sphere(0.1), at(places[k][i / 2], i % 2 ? 0.9 : -0.9, -0.1), still, 0.0);
        }
        abut_body_def def = abut_body_def_default();
        abut_shape *shape = box(1, 1, 1);
        def.shape = shape;
        def.mass = 2.0;
        def.pose = at(0, 0, 1);
        abut_body_id id;
        assert_ok(abut_world_add_body(world, &def, &id));
        abut_shape_release(shape);
        assert_ok(abut_world_step(world, 1e-7, NULL));
        double left = force_between(world, id, posts[0]) + force_between(world, id, posts[1]);
        double right = force_between(world, id, posts[2]) + force_between(world, id, posts[3]);
        double weight = 2.0 * G;
        if (k < 2) {
            double share = places[k][1] / (places[k][1] - places[k][0]);
            assert_near(left, share * weight, 1e-6);
            assert_near(right, (1.0 - share) * weight, 1e-6);
            assert_near(abut_length(state_of(world, id).motion.linear), 0.0, 1e-12);
        } else {
            assert_near(left, 0.0, 1e-6);
            assert_near(right, 0.943396226 * weight, 1e-5);
            assert_near(state_of(world, id).motion.linear.z / 1e-7, -0.555283019, 1e-5);
            assert_near(state_of(world, id).motion.angular.y / 1e-7, 2.776415094, 1e-5);
        }
        abut_world_destroy(world);
    }
}

/* Equal balls stacked: k, k - 1, ..., 1 times their weight. */
static void stack_of_balls(void **state) {
    (void)state;
    enum { COUNT = 30 };
    abut_world *world = make_earth();
    add_floor(world);
    abut_body_id id[COUNT], ground = {1, 0};
    for (int i = 0; i < COUNT; i++) {
        id[i] = add(world, ABUT_BODY_DYNAMIC, sphere(0.5), at(0, 0, 0.5 + i), still, 0.0);
    }
    for (int step = 0; step < 5; step++) {
        assert_ok(abut_world_step(world, 0.01, NULL));
    }
    double weight = 1000.0 * 4.0 / 3.0 * PI * 0.125 * G;
    for (int i = 0; i < COUNT; i++) {
        assert_near(force_between(world, id[i], i == 0 ? ground : id[i - 1]), (COUNT - i) * weight, 1e-8 * weight * COUNT);
        assert_near(state_of(world, id[i]).pose.position.z, 0.5 + i, 1e-9);
    }
    abut_world_destroy(world);
}

/* Three balls in a pyramid without friction: initially 10/7 of a weight on the floor each, 2 sqrt(3) / 7 between top and bottom, nothing
 * between the bottom two; the top accelerates at g / 7. */
static void pyramid_of_balls(void **state) {
    (void)state;
    abut_world *world = make_earth();
    add_floor(world);
    abut_body_id left = add(world, ABUT_BODY_DYNAMIC, sphere(0.5), at(-0.5, 0, 0.5), still, 0.0);
    abut_body_id right = add(world, ABUT_BODY_DYNAMIC, sphere(0.5), at(0.5, 0, 0.5), still, 0.0);
    abut_body_id top = add(world, ABUT_BODY_DYNAMIC, sphere(0.5), at(0, 0, 0.5 + 0.5 * sqrt(3.0)), still, 0.0), ground = {1, 0};
    const double dt = 1e-6;
    assert_ok(abut_world_step(world, dt, NULL));
    double weight = 1000.0 * 4.0 / 3.0 * PI * 0.125 * G;
    assert_near(force_between(world, left, ground), 10.0 / 7.0 * weight, 1e-5 * weight);
    assert_near(force_between(world, left, top), 0.494871660 * weight, 1e-5 * weight);
    assert_near(force_between(world, left, right), 0.0, 1e-9 * weight);
    assert_near(state_of(world, top).motion.linear.z / dt, -G / 7.0, 1e-5);
    assert_near(state_of(world, right).motion.linear.x / dt, sqrt(3.0) / 7.0 * G, 1e-5);
    abut_world_destroy(world);
}

/* ---- contacts that move ---- */

/* A ball slides down a fixed ball: it leaves where the cosine is 2/3, with the speed that it has there. */
static void sliding_off_a_ball(void **state) {
    (void)state;
    const double r = 0.3, big = 1.2, tilt = 0.05;
    abut_world *world = make_earth();
    add(world, ABUT_BODY_STATIC, sphere(big), abut_pose_identity(), still, 0.0);
    abut_body_id id = add(world, ABUT_BODY_DYNAMIC, sphere(r), at((big + r) * sin(tilt), 0, (big + r) * cos(tilt)), still, 0.0);
    abut_step_report report;
    double energy = NAN;
    bool left = false;
    for (int step = 0; step < 200; step++) {
        assert_ok(abut_world_step(world, 0.01, &report));
        double now = report.kinetic_energy + report.potential_energy;
        energy = isnan(energy) ? now : energy;
        assert_near(now, energy, 1e-7 * fabs(energy));
        abut_vec3 p = state_of(world, id).pose.position;
        left = left || report.contacts == 0;
        if (!left) {
            assert_near(abut_length(p), big + r, 1e-8);
            assert_true(p.z / abut_length(p) > 2.0 / 3.0 * cos(tilt) - 0.02);
        }
    }
    assert_true(left);
    double cosine = 2.0 / 3.0 * cos(tilt), speed = sqrt(2.0 * G * (big + r) * (cos(tilt) - cosine));
    assert_near(state_of(world, id).motion.linear.x, speed * cosine, 1e-6);
    abut_world_destroy(world);
}

/* A box slides off a table without friction: it leaves with its initial speed, and tilts over the edge. */
static void box_over_an_edge(void **state) {
    (void)state;
    abut_world *world = make_earth();
    add(world, ABUT_BODY_STATIC, box(2, 2, 0.5), at(0, 0, -0.5), still, 0.0);
    abut_body_id id = add(world, ABUT_BODY_DYNAMIC, box(0.3, 0.2, 0.1), at(1.0, 0, 0.1), abut_vec3_make(2.0, 0, 0), 0.0);
    abut_step_report report;
    double energy = NAN;
    for (int step = 0; step < 60; step++) {
        assert_ok(abut_world_step(world, 1.0 / 60.0, &report));
        double now = report.kinetic_energy + report.potential_energy;
        energy = isnan(energy) ? now : energy;
        assert_true(now < energy * (1.0 + 1e-6));
        assert_true(report.max_penetration < 1e-6);
        abut_body_state s = state_of(world, id);
        if (s.pose.position.x < 1.99) {
            assert_near(s.pose.position.z, 0.1, 1e-8);
            assert_near(s.motion.linear.x, 2.0, 1e-9);
        }
    }
    abut_body_state s = state_of(world, id);
    assert_true(s.pose.position.z < 0.0);
    assert_true(s.motion.angular.y > 1.0);
    abut_world_destroy(world);
}

/* ---- smooth bodies ---- */

/* An ellipsoid with the semi-axes 2, 1, 0.5 rocks on the floor about y, released at an angle: its period. */
static void rocking_ellipsoid(void **state) {
    (void)state;
    const double angle[4] = {0.002, 0.01, 0.05, 0.3}, period[4] = {0.6753956, 0.6766644, 0.7070302, 1.2599185};
    for (int k = 0; k < 4; k++) {
        abut_world *world = make_earth();
        add_floor(world);
        abut_body_def def = abut_body_def_default();
        abut_shape *shape = ellipsoid(2, 1, 0.5);
        double c = cos(angle[k]), s = sin(angle[k]);
        def.shape = shape;
        def.mass = 1.5;
        def.pose = (abut_pose){{0, 0, sqrt(4.0 * s * s + 0.25 * c * c)}, abut_quat_about(abut_vec3_make(0, 1, 0), angle[k])};
        abut_body_id id;
        assert_ok(abut_world_add_body(world, &def, &id));
        abut_shape_release(shape);
        /* upright after a quarter of the period, at the other side after a half, back after a whole period */
        abut_step_report report;
        double energy = NAN;
        for (int quarter = 0; quarter < 4; quarter++) {
            for (int step = 0; step < 10; step++) {
                assert_ok(abut_world_step(world, period[k] / 40.0, &report));
                double now = report.kinetic_energy + report.potential_energy;
                energy = isnan(energy) ? now : energy;
                assert_near(now, energy, 1e-7 * energy);
                assert_int_equal(report.contacts, 1);
                assert_true(report.max_penetration < 1e-8);
            }
            abut_body_state b = state_of(world, id);
            double wanted[4] = {0.0, -angle[k], 0.0, angle[k]}, is = 2.0 * asin(b.pose.rotation.y);
            assert_near(is, wanted[quarter], 3e-6 * fmax(1.0, angle[k] / 0.01));
            assert_true(quarter % 2 == 0 || fabs(b.motion.angular.y) < 1e-3 * angle[k] / period[k]);
        }
        abut_world_destroy(world);
    }
}

/* Smooth bodies, a box and a capsule collide in empty space without loss: conserved quantities. */
static void tumbling_smooth_bodies(void **state) {
    (void)state;
    random_state random = random_make(random_seed("tumbling_smooth_bodies", 523));
    for (int sample = 0; sample < 8; sample++) {
        abut_world *world = make_world(ABUT_IMPULSES_SIMULTANEOUS, still);
        abut_body_id id[5];
        abut_mass mass[5];
        for (int i = 0; i < 5; i++) {
            abut_shape *shape = NULL;
            abut_vec3 half = random_vec3(&random, 0.2, 0.6);
            if (i == 1) {
                assert_ok(abut_shape_create_superquadric(half, 0.7, 0.6, &shape));
            } else if (i == 3) {
                assert_ok(abut_shape_create_capsule(half.x, half.y, &shape));
            } else {
                shape = i == 4 ? box(half.x, half.y, half.z) : ellipsoid(half.x, half.y, half.z);
            }
            assert_ok(abut_shape_mass(shape, 1000.0, &mass[i]));
            abut_body_def def = abut_body_def_default();
            def.shape = shape;
            def.pose = random_pose(&random, 0.1);
            def.pose.position = abut_add(def.pose.position, abut_vec3_make(2.5 * (i % 3), 2.5 * (int)(i / 3), 0));
            def.motion.linear = abut_scale(1.5, abut_sub(abut_vec3_make(2.5, 1.2, 0), def.pose.position));
            def.motion.angular = random_vec3(&random, -3, 3);
            def.restitution = 1.0;
            assert_ok(abut_world_add_body(world, &def, &id[i]));
            abut_shape_release(shape);
        }
        abut_vec3 momentum[2] = {still, still};
        abut_step_report report = {0};
        double energy = 0.0;
        int64_t impulses = 0;
        for (int end = 0; end < 2; end++) {
            for (int i = 0; i < 5; i++) {
                momentum[end] = abut_add_scaled(momentum[end], mass[i].mass, state_of(world, id[i]).motion.linear);
            }
            for (int step = 0; step < 120 && end == 0; step++) {
                assert_ok(abut_world_step(world, 1.0 / 60.0, &report));
                energy = step == 0 ? report.kinetic_energy : energy;
                impulses += report.event.impulses;
                assert_true(report.max_penetration < 1e-6);
                assert_near(report.kinetic_energy, energy, 1e-6 * energy);
            }
        }
        assert_true(impulses > 0);
        assert_vec3_near(momentum[1], momentum[0], 1e-12 * (abut_length(momentum[0]) + sqrt(energy * mass[0].mass)));
        abut_world_destroy(world);
    }
}

/* Ellipsoids head on along an axis: the time of the collision to the last digits, and the exchange of velocities. */
static void ellipsoids_head_on(void **state) {
    (void)state;
    abut_world *world = make_world(ABUT_IMPULSES_SIMULTANEOUS, still);
    abut_body_id a = add(world, ABUT_BODY_DYNAMIC, ellipsoid(0.5, 0.3, 0.2), at(-2, 0, 0), abut_vec3_make(3, 0, 0), 1.0);
    abut_body_id b = add(world, ABUT_BODY_DYNAMIC, ellipsoid(0.5, 0.3, 0.2), at(1, 0, 0), abut_vec3_make(-1, 0, 0), 1.0);
    for (int i = 0; i < 10; i++) {
        assert_ok(abut_world_step(world, 0.1, NULL));
    }
    /* they meet after 0.5 */
    assert_vec3_near(state_of(world, a).motion.linear, abut_vec3_make(-1, 0, 0), 1e-12);
    assert_vec3_near(state_of(world, b).motion.linear, abut_vec3_make(3, 0, 0), 1e-12);
    assert_near(state_of(world, a).pose.position.x, -2.0 + 1.5 - 0.5, 1e-10);
    abut_world_destroy(world);
}

/* Smooth bodies dropped on the floor and on each other: nothing penetrates, and no energy is gained. */
static void smooth_heap(void **state) {
    (void)state;
    abut_world *world = make_earth();
    add_floor(world);
    add(world, ABUT_BODY_STATIC, box(1.0, 1.0, 0.2), at(0, 0, 0.2), still, 0.0);
    for (int i = 0; i < 4; i++) {
        abut_shape *shape = NULL;
        assert_ok(i % 2 ? abut_shape_create_superquadric(abut_vec3_make(0.3, 0.2, 0.15), 0.6, 0.5, &shape)
                        : abut_shape_create_ellipsoid(abut_vec3_make(0.3, 0.2, 0.15), &shape));
        abut_pose pose = {{0.05 * i, 0.03 * i, 0.7 + 0.5 * i}, abut_quat_about(abut_unit(abut_vec3_make(1, 2, 3)), 0.4 * i)};
        add(world, ABUT_BODY_DYNAMIC, shape, pose, still, 0.2);
    }
    abut_step_report report;
    double energy = INFINITY;
    for (int step = 0; step < 180; step++) {
        assert_ok(abut_world_step(world, 1.0 / 60.0, &report));
        double now = report.kinetic_energy + report.potential_energy;
        assert_true(now <= energy + 1e-6 * fabs(now));
        energy = now;
        assert_true(report.max_penetration <= 1e-6);
    }
    abut_world_destroy(world);
}

/* ---- dropped and at rest ---- */

/* Boxes thrown on the floor without friction come to rest flat; energy is lost at impacts and never gained. */
static void thrown_boxes(void **state) {
    (void)state;
    random_state random = random_make(random_seed("thrown_boxes", 522));
    for (int sample = 0; sample < 6; sample++) {
        abut_world *world = make_earth();
        add_floor(world);
        abut_body_def def = abut_body_def_default();
        abut_vec3 half = random_vec3(&random, 0.1, 0.4);
        abut_shape *shape = box(half.x, half.y, half.z);
        def.shape = shape;
        def.pose = random_pose(&random, 0.2);
        def.pose.position.z += 1.2;
        def.motion.angular = random_vec3(&random, -2, 2);
        def.restitution = 0.3;
        abut_body_id id;
        assert_ok(abut_world_add_body(world, &def, &id));
        abut_shape_release(shape);
        abut_step_report report;
        double energy = INFINITY;
        for (int step = 0; step < 600; step++) {
            assert_ok(abut_world_step(world, 1.0 / 60.0, &report));
            double now = report.kinetic_energy + report.potential_energy;
            assert_true(now <= energy * (1.0 + 1e-7));
            energy = now;
            assert_true(report.max_penetration <= 1e-6);
        }
        abut_body_state s = state_of(world, id);
        assert_near(s.motion.linear.z, 0.0, 1e-6);
        assert_near(hypot(s.motion.angular.x, s.motion.angular.y), 0.0, 1e-5);
        double z = s.pose.position.z;
        assert_true(fabs(z - half.x) < 1e-6 || fabs(z - half.y) < 1e-6 || fabs(z - half.z) < 1e-6);
        assert_true(report.contacts == 4);
        abut_world_destroy(world);
    }
}

/* The number of searches for a plane between two bodies depends on their motion, and hardly on the steps: bars beside each other that turn about their own axes
 * for two seconds. No axis of the world separates them. */
static void misses_are_of_the_motion(void **state) {
    (void)state;
    const double steps[3] = {0.02, 0.01, 0.005};
    int64_t tests[3] = {0}, misses[3] = {0};
    for (int k = 0; k < 3; k++) {
        random_state random = random_make(524);
        abut_world_def def = abut_world_def_default();
        def.stepper = ABUT_STEPPER_EVENT;
        def.gravity = still;
        def.event.longest_step = steps[k];
        abut_world *world = NULL;
        assert_ok(abut_world_create(&def, &world));
        for (int i = 0; i < 120; i++) {
            abut_body_def body = abut_body_def_default();
            abut_shape *shape = box(0.8, 0.1, 0.1);
            const abut_vec3 x = {1, 0, 0}, along = {cos(0.7), sin(0.7), 0};
            const double beside = i % 2 == 1 ? 0.285 : 0.0; /* their circumcircles have a diameter of 0.283 */
            body.shape = shape;
            body.pose = turned(turned(at(0, 0, 0), x, random_range(&random, 0, 3)), abut_vec3_make(0, 0, 1), 0.7);
            body.pose.position = abut_vec3_make(10.0 * (int)(i / 2) - beside * along.y, beside * along.x, 0);
            body.motion.angular = abut_scale(random_range(&random, -3, 3), along);
            assert_ok(abut_world_add_body(world, &body, NULL));
            abut_shape_release(shape);
        }
        for (int step = 0; step < 100; step++) {
            abut_step_report report;
            assert_ok(abut_world_step(world, 0.02, &report));
            tests[k] += report.event.tests;
            misses[k] += report.event.misses;
            assert_true(report.event.tests == report.event.hits + report.event.repeats + report.event.misses);
            assert_int_equal(report.event.impulses, 0);
        }
        abut_world_destroy(world);
    }
    for (int k = 0; k < 2; k++) {
        print_message("%d tests, %d misses; half the step: %d, %d\n", (int)tests[k], (int)misses[k], (int)tests[k + 1], (int)misses[k + 1]);
        assert_true(misses[k] > 100);
        assert_true((double)tests[k + 1] > 1.4 * (double)tests[k]);
        assert_true(fabs((double)(misses[k + 1] - misses[k])) < 0.1 * (double)misses[k]);
    }
}

/* A pair of boxes that touches is searched in each test. That is no hit, although it finds the contact of before. A box on a plane needs no search. */
static void searches_are_no_hits(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        abut_world *world = make_earth();
        if (k == 0) {
            add(world, ABUT_BODY_STATIC, box(1.0, 1.0, 0.5), at(0, 0, -0.5), still, 0.0);
        } else {
            add_floor(world);
        }
        add(world, ABUT_BODY_DYNAMIC, box(0.5, 0.5, 0.5), at(0, 0, 0.5), still, 0.0);
        abut_step_report report;
        assert_ok(abut_world_step(world, 0.01, &report));
        for (int step = 0; step < 10; step++) {
            assert_ok(abut_world_step(world, 0.01, &report));
            assert_true(report.event.tests > 0);
            assert_true(report.event.tests == (k == 0 ? report.event.repeats : report.event.hits));
        }
        abut_world_destroy(world);
    }
}

/* ---- reproducibility and failures ---- */

static abut_world *make_heap(void) {
    abut_world *world = make_earth();
    add_floor(world);
    for (int i = 0; i < 4; i++) {
        abut_pose pose = {{0.1 * i, 0.05 * i, 0.4 + 0.7 * i}, abut_quat_about(abut_unit(abut_vec3_make(1, 2, 3)), 0.3 * i)};
        add(world, ABUT_BODY_DYNAMIC, box(0.3, 0.25, 0.2), pose, still, 0.2);
    }
    return world;
}

static void same_again(void **state) {
    (void)state;
    uint64_t hash[2];
    for (int k = 0; k < 2; k++) {
        abut_world *world = make_heap();
        for (int step = 0; step < 60; step++) {
            assert_ok(abut_world_step(world, 1.0 / 60.0, NULL));
        }
        hash[k] = abut_world_hash(world);
        abut_world_destroy(world);
    }
    assert_true(hash[0] == hash[1]);
}

static void wrong_settings(void **state) {
    (void)state;
    abut_world *world = NULL;
    for (int k = 0; k < 12; k++) {
        abut_world_def def = abut_world_def_default();
        def.stepper = ABUT_STEPPER_EVENT;
        double *number[6] = {&def.event.tolerance,         &def.event.touching,   &def.event.resting_speed,
                             &def.event.restitution_speed, &def.event.drift_rate, &def.event.longest_step};
        if (k < 6) {
            *number[k] = -1.0;
        } else {
            *number[k - 6] = NAN;
        }
        assert_status(abut_world_create(&def, &world), k < 6 ? ABUT_ERROR_INVALID_ARGUMENT : ABUT_ERROR_NOT_FINITE);
    }
    abut_world_def def = abut_world_def_default();
    def.stepper = (abut_stepper)7;
    assert_status(abut_world_create(&def, &world), ABUT_ERROR_INVALID_ARGUMENT);
    def.stepper = ABUT_STEPPER_EVENT;
    def.event.event_limit = 0;
    assert_status(abut_world_create(&def, &world), ABUT_ERROR_INVALID_ARGUMENT);
    def.event.event_limit = 1;
    def.event.impulses = (abut_impulses)7;
    assert_status(abut_world_create(&def, &world), ABUT_ERROR_INVALID_ARGUMENT);
}

/* A world whose step fails is unchanged. */
static void failed_steps(void **state) {
    (void)state;
    abut_world *world = make_heap();
    for (int step = 0; step < 10; step++) {
        assert_ok(abut_world_step(world, 1.0 / 60.0, NULL));
    }
    uint64_t before = abut_world_hash(world);
    counting_allocator memory = {.refuse_at = 0};
    abut_status status = ABUT_OK;
    for (int64_t refused = 0; refused < 200; refused++) {
        memory = (counting_allocator){.refuse_at = refused};
        counting_allocator_install(&memory);
        status = abut_world_step(world, 1.0 / 60.0, NULL);
        counting_allocator_remove();
        if (status == ABUT_OK) {
            break;
        }
        assert_status(status, ABUT_ERROR_OUT_OF_MEMORY);
        assert_true(abut_world_hash(world) == before);
    }
    assert_ok(status);
    abut_shape *solid = box(0.2, 0.2, 0.2);
    add(world, ABUT_BODY_DYNAMIC, meshes_surface_of(solid, 1), at(-2, -2, 5), still, 0.0);
    abut_shape_release(solid);
    before = abut_world_hash(world);
    assert_status(abut_world_step(world, 1.0 / 60.0, NULL), ABUT_ERROR_UNSUPPORTED_PAIR);
    assert_true(abut_world_hash(world) == before);
    abut_world_destroy(world);
}

/* A motion that no step follows leaves the finite numbers. The step says so, and the world is as before. */
static void motion_without_end(void **state) {
    (void)state;
    abut_world *world = make_earth();
    abut_body_def def = abut_body_def_default();
    def.shape = capsule(1.0, 0.25);
    def.motion.angular = abut_vec3_make(0.2, -8.0, -6.0);
    def.angular_damping = def.gravity_scale = 1e25;
    assert_ok(abut_world_add_body(world, &def, NULL));
    abut_shape_release((abut_shape *)def.shape);
    uint64_t before = abut_world_hash(world);
    assert_status(abut_world_step(world, 0.1, NULL), ABUT_ERROR_NOT_FINITE);
    assert_true(abut_world_hash(world) == before);
    abut_world_destroy(world);
}

/* A body that falls 1e200 times faster than on earth has no digits for its place, and steps that follow it have no end. */
static void body_too_fast_to_be_followed(void **state) {
    (void)state;
    abut_world_def world_def = abut_world_def_default();
    world_def.stepper = ABUT_STEPPER_EVENT;
    world_def.event.event_limit = 20;
    world_def.gravity = abut_vec3_make(0, 0, -G);
    abut_world *world = NULL;
    assert_ok(abut_world_create(&world_def, &world));
    abut_body_def def = abut_body_def_default();
    def.shape = capsule(1.0, 0.25);
    def.motion = (abut_motion){{-8, 7, 4}, {0.2, -8, -6}};
    def.gravity_scale = 1e200;
    assert_ok(abut_world_add_body(world, &def, NULL));
    abut_shape_release((abut_shape *)def.shape);
    uint64_t before = abut_world_hash(world);
    assert_status(abut_world_step(world, 1.0 / 60.0, NULL), ABUT_ERROR_ITERATION_LIMIT);
    assert_true(abut_world_hash(world) == before);
    abut_world_destroy(world);
}

/* A step so long that its limit of integration steps is far too low for it ends soon. Bodies at rest without gravity are followed through any time. */
static void durations_out_of_reach(void **state) {
    (void)state;
    const double durations[3] = {1e9, 1e30, 1e150};
    refusal_listen();
    for (int k = 0; k < 6; k++) {
        abut_world *world = k < 3 ? make_earth() : make_world(ABUT_IMPULSES_SIMULTANEOUS, still);
        add_floor(world);
        add(world, ABUT_BODY_DYNAMIC, sphere(0.5), at(0, 0, 0.5), still, 0.0);
        add(world, ABUT_BODY_DYNAMIC, box(0.1, 0.2, 0.3), at(0, 3, 0.3), still, 0.0);
        abut_step_report report;
        if (k < 3) {
            REFUSES(ABUT_ERROR_ITERATION_LIMIT, "dt is too long", abut_world_step(world, durations[k], &report));
        } else {
            ACCEPTS(ABUT_OK, abut_world_step(world, durations[k - 3], &report));
            assert_true(report.event.steps < 1000);
        }
        abut_world_destroy(world);
    }
    refusal_silence();
}

/* The limit of a long step that can be made is the limit of its integration steps. */
static void a_long_step_is_made(void **state) {
    (void)state;
    abut_world_def def = abut_world_def_default();
    def.stepper = ABUT_STEPPER_EVENT;
    def.event.event_limit = 100;
    abut_world *world = open_world(def);
    add_floor(world);
    abut_body_id id = add(world, ABUT_BODY_DYNAMIC, box(0.1, 0.2, 0.3), at(0, 3, 0.3), still, 0.0);
    abut_step_report report;
    assert_ok(abut_world_step(world, 500.0, &report));
    assert_true(report.event.steps > 1000);
    assert_vec3_near(state_of(world, id).pose.position, abut_vec3_make(0, 3, 0.3), 1e-6);
    abut_world_destroy(world);
}

/* A speed of which the square overflows lets no candidates suffice. */
static void speed_without_a_square(void **state) {
    (void)state;
    for (int turns = 0; turns < 2; turns++) {
        abut_world *world = make_earth();
        add_floor(world);
        abut_body_def def = abut_body_def_default();
        def.shape = capsule(1.0, 0.25);
        def.pose = at(0, 0, 3);
        def.motion = turns ? (abut_motion){{0, 0, 0}, {0, 1e151, 6e292}} : (abut_motion){{0, 0, -1e200}, {0, 0, 0}};
        assert_ok(abut_world_add_body(world, &def, NULL));
        def.pose = at(-3, -3, 3);
        def.motion = (abut_motion){{0, 0, 0}, {0, 0, 0}};
        assert_ok(abut_world_add_body(world, &def, NULL));
        abut_shape_release((abut_shape *)def.shape);
        uint64_t before = abut_world_hash(world);
        abut_status status = abut_world_step(world, 1e-3, NULL);
        assert_true(status == ABUT_ERROR_NOT_FINITE || status == ABUT_ERROR_ITERATION_LIMIT);
        assert_true(abut_world_hash(world) == before);
        abut_world_destroy(world);
    }
}

/* Rows follow points, straight edges and planes. A rim is none of them. */
static void cylinders_and_cones_are_refused(void **state) {
    (void)state;
    for (int i = 0; i < 2; ++i) {
        abut_world *world = make_heap();
        abut_shape *shape;
        assert_ok(i == 0 ? abut_shape_create_cylinder(0.5, 0.5, &shape) : abut_shape_create_cone(0.5, 1.0, &shape));
        add(world, ABUT_BODY_DYNAMIC, shape, at(0, 0, 50), still, 0.0);
        uint64_t before = abut_world_hash(world);
        assert_status(abut_world_step(world, 1.0 / 60.0, NULL), ABUT_ERROR_UNSUPPORTED_PAIR);
        assert_true(abut_world_hash(world) == before);
        abut_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bouncing_ball),
        cmocka_unit_test(motion_without_end),
        cmocka_unit_test(body_too_fast_to_be_followed),
        cmocka_unit_test(durations_out_of_reach),
        cmocka_unit_test(a_long_step_is_made),
        cmocka_unit_test(speed_without_a_square),
        cmocka_unit_test(cylinders_and_cones_are_refused),
        cmocka_unit_test(thrown_ball),
        cmocka_unit_test(glancing_ellipsoids),
        cmocka_unit_test(colliding_balls),
        cmocka_unit_test(tumbling_boxes),
        cmocka_unit_test(struck_within_a_step),
        cmocka_unit_test(three_balls_in_a_row),
        cmocka_unit_test(cube_on_one_edge),
        cmocka_unit_test(box_on_balls),
        cmocka_unit_test(stack_of_balls),
        cmocka_unit_test(pyramid_of_balls),
        cmocka_unit_test(sliding_off_a_ball),
        cmocka_unit_test(rocking_ellipsoid),
        cmocka_unit_test(tumbling_smooth_bodies),
        cmocka_unit_test(ellipsoids_head_on),
        cmocka_unit_test(smooth_heap),
        cmocka_unit_test(box_over_an_edge),
        cmocka_unit_test(thrown_boxes),
        cmocka_unit_test(misses_are_of_the_motion),
        cmocka_unit_test(searches_are_no_hits),
        cmocka_unit_test(same_again),
        cmocka_unit_test(wrong_settings),
        cmocka_unit_test(failed_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
