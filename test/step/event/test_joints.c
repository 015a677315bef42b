/*
 * Joints in the event stepper. The oracles: the bend of rows from differences, pendulums by elliptic integration and by Lagrange's equations, an oscillator,
 * a rod that strikes a wall, statics, momenta and energy of random linkages.
 */
#include <abut/abut.h>
#include <abut/joint.h>

#include <stdio.h>
#include <stdlib.h>

#include "solve/joint/joint.h"
#include "support/bodies.h"
#include "support/check.h"
#include "support/random.h"
#include "support/shapes.h"

#define G 9.81

static const abut_vec3 still = {0, 0, 0};

static abut_world *make_world(abut_vec3 gravity) {
    abut_world_def def = abut_world_def_default();
    def.stepper = ABUT_STEPPER_EVENT;
    def.event.tolerance = 1e-9;
    def.gravity = gravity;
    return open_world(def);
}

static abut_body_id add_base(abut_world *world) { return put(world, ABUT_BODY_STATIC, sphere(0.01), at(0, 0, -50)); }

static abut_pose seen_from(abut_pose body, abut_pose where) {
    return (abut_pose){abut_pose_apply_inverse(body, where.position), abut_quat_mul(abut_quat_conjugate(body.rotation), where.rotation)};
}

/* At a point of the world, with frames along a rotation. */
static abut_joint_def joint_at(const abut_world *world, abut_joint_kind kind, abut_body_id a, abut_body_id b, abut_pose where) {
    abut_joint_def def = abut_joint_def_default(kind);
    def.a = a;
    def.b = b;
    def.frame_a = seen_from(state_of(world, a).pose, where);
    def.frame_b = seen_from(state_of(world, b).pose, where);
    return def;
}

static abut_joint_id join(abut_world *world, abut_joint_def def) {
    abut_joint_id id;
    assert_ok(abut_world_add_joint(world, &def, &id));
    return id;
}

static abut_joint_state joint_state(const abut_world *world, abut_joint_id id) {
    abut_joint_state state;
    assert_ok(abut_world_joint_state(world, id, &state));
    return state;
}

/* About the y axis. */
static abut_quat hinge(void) { return abut_quat_about(abut_vec3_make(1, 0, 0), -0.5 * PI); }

/* ---- the bend of rows ---- */

static solver_body random_motion(random_state *r) {
    return (solver_body){.velocity = random_vec3(r, -1, 1),
                         .angular_velocity = random_vec3(r, -2, 2),
                         .moved = random_vec3(r, -1, 1),
                         .rotation = random_rotation(r)};
}

static solver_body moved_by(const solver_body *from, double t) {
    solver_body b = *from;
    b.moved = abut_add_scaled(from->moved, t, from->velocity);
    double w = abut_length(from->angular_velocity);
    b.rotation = abut_quat_mul(abut_quat_about(abut_unit(from->angular_velocity), w * t), from->rotation);
    b.axes = abut_mat3_from_quat(b.rotation);
    return b;
}

/* Rows turn; their rates with the same velocities change by the bend. */
static void test_bends(void **state) {
    (void)state;
    random_state random = random_make(random_seed("bends", 91));
    const double h = 1e-5;
    double worst = 0.0;
    for (int i = 0; i < 400; i++) {
        abut_joint_def def = abut_joint_def_default((abut_joint_kind)(i % 8));
        solver_joint joint = {.def = &def,
                              .local_a = random_vec3(&random, -1, 1),
                              .local_b = random_vec3(&random, -1, 1),
                              .frame_a = random_rotation(&random),
                              .frame_b = random_rotation(&random),
                              .lever = 1.0};
        joint.begun_a = joint.begun_b = abut_quat_identity();
        solver_body a = random_motion(&random), b = random_motion(&random);
        joint_row at[JOINT_ROWS], rows[3][JOINT_ROWS];
        double turned[2] = {0, 0};
        a = moved_by(&a, 0.0);
        b = moved_by(&b, 0.0);
        int32_t count = joint_rows_bent(&joint, &a, &b, turned, at);
        for (int k = 0; k < 2; k++) {
            solver_body then_a = moved_by(&a, k == 0 ? -h : h), then_b = moved_by(&b, k == 0 ? -h : h);
            assert_int_equal(joint_rows(&joint, &then_a, &then_b, turned, rows[k]), count);
        }
        for (int32_t k = 0; k < count; k++) {
            assert_near(rows[0][k].curve, 0.0, 0.0);
            if (at[k].role == JOINT_SLIDES && def.kind == ABUT_JOINT_SPHERICAL) {
                continue; /* the way to a limit */
            }
            double bend = (joint_rate(&rows[1][k], &a, &b) - joint_rate(&rows[0][k], &a, &b)) / (2.0 * h);
            worst = fmax(worst, fabs(bend - at[k].curve) / (1.0 + fabs(bend)));
        }
    }
    printf("bends: %.2g\n", worst);
    assert_true(worst < 1e-6);
}

/* ---- pendulums ---- */

/* Integrates theta'' = -k sin(theta) by Runge and Kutta in long double. */
static double swing(double theta, double k, double time) {
    const int steps = 20000;
    long double q = theta, v = 0.0L, h = (long double)time / steps;
    for (int i = 0; i < steps; i++) {
        long double a1 = -k * sinl(q), v2 = v + h / 2 * a1, a2 = -k * sinl(q + h / 2 * v), v3 = v + h / 2 * a2;
        long double a3 = -k * sinl(q + h / 2 * v2), v4 = v + h * a3, a4 = -k * sinl(q + h * v3);
        q += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
        v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
    return (double)q;
}

static void test_pendulum(void **state) {
    (void)state;
    const double l = 0.7, start = 1.2, time = 3.0;
    const abut_joint_kind kinds[] = {ABUT_JOINT_REVOLUTE, ABUT_JOINT_SPHERICAL, ABUT_JOINT_UNIVERSAL};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        abut_world *world = make_world(abut_vec3_make(0, 0, -G));
        abut_body_id base = add_base(world);
        abut_quat turn = abut_quat_about(abut_vec3_make(0, 1, 0), -start);
        abut_body_id rod =
            put(world, ABUT_BODY_DYNAMIC, box(0.1, 0.05, 0.6), (abut_pose){abut_quat_rotate(turn, abut_vec3_make(0, 0, -l)), turn});
        abut_pose pivot = {{0, 0, 0}, hinge()};
        abut_joint_id id = join(world, joint_at(world, kinds[k], base, rod, pivot));
        abut_body_info info;
        assert_ok(abut_world_body_info(world, rod, &info));
        run_for(world, time);
        abut_vec3 centre = state_of(world, rod).centre;
        double inertia = info.inertia.y.y + info.mass * l * l, expected = swing(start, info.mass * G * l / inertia, time);
        double theta = atan2(centre.x, -centre.z);
        abut_joint_state s = joint_state(world, id);
        printf("pendulum of kind %d: angle off by %.2g, joint by %.2g and %.2g\n", (int)kinds[k], theta - expected, s.error, s.turn_error);
        assert_near(theta, expected, 2e-7);
        assert_true(s.error < 1e-9 && s.turn_error < 1e-9);
        abut_world_destroy(world);
    }
}

/* Two rods that hang on each other in a plane. q: angles from the vertical. */
typedef struct rods {
    long double m, l, inertia; /* of each rod: mass, half length, moment about its centre */
} rods;

static void rods_accelerate(const rods *r, const long double q[2], const long double v[2], long double a[2]) {
    long double m = r->m, l = r->l, c = cosl(q[0] - q[1]), s = sinl(q[0] - q[1]);
    long double m11 = r->inertia + m * l * l + m * 4 * l * l, m12 = m * 2 * l * l * c, m22 = r->inertia + m * l * l;
    long double f1 = -m * 2 * l * l * s * v[1] * v[1] - 3 * m * (long double)G * l * sinl(q[0]);
    long double f2 = m * 2 * l * l * s * v[0] * v[0] - m * (long double)G * l * sinl(q[1]);
    long double det = m11 * m22 - m12 * m12;
    a[0] = (m22 * f1 - m12 * f2) / det;
    a[1] = (m11 * f2 - m12 * f1) / det;
}

static void rods_move(const rods *r, long double q[2], long double time) {
    const int steps = 20000;
    long double v[2] = {0, 0}, h = time / steps;
    for (int i = 0; i < steps; i++) {
        long double k[4][2], p[4][2];
        for (int stage = 0; stage < 4; stage++) {
            long double w = stage == 0 ? 0 : stage == 3 ? h : h / 2, at[2], speed[2];
            for (int j = 0; j < 2; j++) {
                at[j] = q[j] + (stage > 0 ? w * p[stage - 1][j] : 0);
                speed[j] = v[j] + (stage > 0 ? w * k[stage - 1][j] : 0);
                p[stage][j] = speed[j];
            }
            rods_accelerate(r, at, speed, k[stage]);
        }
        for (int j = 0; j < 2; j++) {
            q[j] += h / 6 * (p[0][j] + 2 * p[1][j] + 2 * p[2][j] + p[3][j]);
            v[j] += h / 6 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]);
        }
    }
}

static void test_double_pendulum(void **state) {
    (void)state;
    const double l = 0.5, time = 2.0, start[2] = {1.5, 2.5};
    abut_world *world = make_world(abut_vec3_make(0, 0, -G));
    abut_body_id base = add_base(world), rod[2];
    abut_joint_id joint[2];
    abut_vec3 pivot = {0, 0, 0};
    for (int i = 0; i < 2; i++) {
        abut_quat turn = abut_quat_about(abut_vec3_make(0, 1, 0), -start[i]);
        abut_vec3 half = abut_quat_rotate(turn, abut_vec3_make(0, 0, -l));
        rod[i] = put(world, ABUT_BODY_DYNAMIC, box(0.05, 0.05, l), (abut_pose){abut_add(pivot, half), turn});
        joint[i] = join(world, joint_at(world, ABUT_JOINT_REVOLUTE, i == 0 ? base : rod[0], rod[i], (abut_pose){pivot, hinge()}));
        pivot = abut_add_scaled(pivot, 2.0, half);
    }
    abut_body_info info;
    assert_ok(abut_world_body_info(world, rod[0], &info));
    abut_step_report report = {0};
    double energy = NAN, drift = 0.0;
    for (int i = 0; i < 100; i++) {
        assert_ok(abut_world_step(world, time / 100, &report));
        double now = report.kinetic_energy;
        for (int k = 0; k < 2; k++) {
            now += info.mass * G * state_of(world, rod[k]).centre.z;
        }
        energy = isnan(energy) ? now : energy;
        drift = fmax(drift, fabs(now - energy));
    }
    rods r = {info.mass, l, info.inertia.y.y};
    long double q[2] = {start[0], start[1]};
    rods_move(&r, q, time);
    abut_vec3 first = state_of(world, rod[0]).centre, second = state_of(world, rod[1]).centre;
    double off[2] = {fabs(first.x - l * (double)sinl(q[0])), fabs(second.x - l * (double)(2 * sinl(q[0]) + sinl(q[1])))};
    printf("double pendulum: off by %.2g and %.2g, energy by %.2g of %.3g\n", off[0], off[1], drift, info.mass * G * l);
    assert_true(off[0] < 1e-6 && off[1] < 1e-6 && drift < 1e-6 * info.mass * G * l);
    assert_true(joint_state(world, joint[0]).error < 1e-9 && joint_state(world, joint[1]).error < 1e-9);
    abut_world_destroy(world);
}

/* ---- springs, statics, impacts ---- */

static void test_slider_with_a_spring(void **state) {
    (void)state;
    const double frequency = 3.0, damping = 0.4, time = 1.3;
    abut_world *world = make_world(abut_vec3_make(0, 0, -G));
    abut_body_id base = add_base(world), cart = put(world, ABUT_BODY_DYNAMIC, box(0.2, 0.2, 0.2), at(0, 0, 0));
    abut_body_info info;
    assert_ok(abut_world_body_info(world, cart, &info));
    abut_joint_def def = joint_at(world, ABUT_JOINT_PRISMATIC, base, cart, at(0, 0, 0)); /* along z */
    def.stiffness = info.mass * frequency * frequency;
    def.damping = 2.0 * info.mass * damping;
    abut_joint_id id = join(world, def);
    run_for(world, time);
    double rest = -G / (frequency * frequency), w = sqrt(frequency * frequency - damping * damping);
    double expected = rest - rest * exp(-damping * time) * (cos(w * time) + damping / w * sin(w * time));
    assert_near(joint_state(world, id).coordinate, expected, 1e-8);
    assert_near(state_of(world, cart).centre.z, expected, 1e-8);
    abut_world_destroy(world);
}

/* A beam, welded to a wall, with a box that lies on it: force and torque of the weld. */
static void test_weld_bears_its_load(void **state) {
    (void)state;
    abut_world *world = make_world(abut_vec3_make(0, 0, -G));
    abut_body_id base = add_base(world), beam = put(world, ABUT_BODY_DYNAMIC, box(1.0, 0.2, 0.1), at(1, 0, 0));
    abut_body_id load = put(world, ABUT_BODY_DYNAMIC, box(0.1, 0.1, 0.1), at(1.5, 0.05, 0.2));
    abut_joint_id id = join(world, joint_at(world, ABUT_JOINT_WELD, base, beam, at(0, 0, 0)));
    abut_body_info of_beam, of_load;
    assert_ok(abut_world_body_info(world, beam, &of_beam));
    assert_ok(abut_world_body_info(world, load, &of_load));
    run_for(world, 0.5);
    abut_joint_state s = joint_state(world, id);
    assert_vec3_near(s.force, abut_vec3_make(0, 0, G * (of_beam.mass + of_load.mass)), 1e-6);
    assert_vec3_near(s.torque, abut_vec3_make(0.05 * of_load.mass * G, -(of_beam.mass + 1.5 * of_load.mass) * G, 0), 1e-6);
    assert_true(s.error < 1e-9 && s.turn_error < 1e-9);
    abut_world_destroy(world);
}

/* A rod on a hinge strikes a peg. It has one degree of freedom, so both models of impulses reverse its angular velocity, times the restitution. */
static void test_hinged_rod_strikes(void **state) {
    (void)state;
    for (int k = 0; k < 4; k++) {
        abut_world_def def = abut_world_def_default();
        def.stepper = ABUT_STEPPER_EVENT;
        def.gravity = still;
        def.event.impulses = k % 2 == 0 ? ABUT_IMPULSES_SIMULTANEOUS : ABUT_IMPULSES_SEQUENTIAL;
        const double restitution = k < 2 ? 0.6 : 1.0, speed = 1.5;
        abut_world *world = open_world(def);
        abut_body_id base = add_base(world);
        abut_body_def body = abut_body_def_default();
        body.restitution = restitution;
        body.pose = at(0, 0, -0.6);
        body.motion = (abut_motion){{-0.6 * speed, 0, 0}, {0, speed, 0}}; /* about the origin */
        abut_body_id rod = put_as(world, body, capsule(0.05, 0.5));
        body.kind = ABUT_BODY_STATIC;
        body.motion = (abut_motion){{0, 0, 0}, {0, 0, 0}};
        body.pose = at(-0.3, 0, -0.9);
        put_as(world, body, sphere(0.05));
        abut_joint_id id = join(world, joint_at(world, ABUT_JOINT_REVOLUTE, base, rod, (abut_pose){{0, 0, 0}, hinge()}));
        run_for(world, 0.5);
        abut_motion after = state_of(world, rod).motion;
        assert_vec3_near(after.angular, abut_vec3_make(0, -restitution * speed, 0), 1e-8);
        assert_true(joint_state(world, id).error < 1e-9);
        abut_world_destroy(world);
    }
}

/* Velocities that a joint does not allow are stopped at once, as by an impact without restitution; what is conserved stays. */
static void test_velocities_that_do_not_fit(void **state) {
    (void)state;
    abut_world *world = make_world(still);
    abut_body_def def = abut_body_def_default();
    def.motion.linear = abut_vec3_make(1, 2, -3);
    abut_body_id a = put_as(world, def, box(0.2, 0.3, 0.4)), b = put(world, ABUT_BODY_DYNAMIC, box(0.2, 0.3, 0.4), at(1, 0, 0));
    abut_joint_id id = join(world, joint_at(world, ABUT_JOINT_WELD, a, b, at(0.5, 0, 0)));
    run_for(world, 1.0);
    abut_vec3 mean = abut_lerp(state_of(world, a).motion.linear, state_of(world, b).motion.linear, 0.5);
    assert_vec3_near(mean, abut_vec3_make(0.5, 1, -1.5), 1e-12);
    assert_vec3_near(state_of(world, a).motion.angular, state_of(world, b).motion.angular, 1e-8);
    assert_true(joint_state(world, id).error < 1e-8);
    abut_world_destroy(world);
}

/* ---- linkages ---- */

typedef struct total {
    double energy;
    abut_vec3 momentum, turning;
} total;

static total total_of(const abut_world *world, const abut_body_id *ids, int count) {
    total t = {0.0, {0, 0, 0}, {0, 0, 0}};
    for (int i = 0; i < count; i++) {
        abut_body_info info;
        assert_ok(abut_world_body_info(world, ids[i], &info));
        abut_body_state s = state_of(world, ids[i]);
        abut_mat3 axes = abut_mat3_from_quat(s.pose.rotation);
        abut_vec3 w = s.motion.angular, spin = abut_mat3_apply(axes, abut_mat3_apply(info.inertia, abut_mat3_apply_transposed(axes, w)));
        t.energy += 0.5 * info.mass * abut_length_squared(s.motion.linear) + 0.5 * abut_dot(w, spin);
        t.momentum = abut_add_scaled(t.momentum, info.mass, s.motion.linear);
        t.turning = abut_add(t.turning, abut_add(spin, abut_cross(s.centre, abut_scale(info.mass, s.motion.linear))));
    }
    return t;
}

/* Trees of random bodies and joints that float: momenta and, after the first moment, energy stay; the joints hold. */
static void test_random_linkages(void **state) {
    (void)state;
    random_state random = random_make(random_seed("linkages", 92));
    double worst[4] = {0, 0, 0, 0};
    const int samples = random_samples("linkages", 64);
    for (int i = 0; i < samples; i++) {
        enum { BODIES = 4 };
        abut_world *world = make_world(still);
        abut_body_id ids[BODIES];
        abut_joint_id joints[BODIES];
        for (int k = 0; k < BODIES; k++) {
            abut_body_def def = abut_body_def_default();
            def.pose = (abut_pose){{3.0 * k, random_range(&random, -1, 1), random_range(&random, -1, 1)}, random_rotation(&random)};
            def.motion = (abut_motion){random_vec3(&random, -1, 1), random_vec3(&random, -2, 2)};
            def.density = 10.0;
            ids[k] =
                put_as(world, def, box(random_range(&random, 0.2, 0.5), random_range(&random, 0.2, 0.5), random_range(&random, 0.2, 0.5)));
        }
        for (int k = 1; k < BODIES; k++) {
            abut_joint_kind kind = (abut_joint_kind)random_below(&random, ABUT_JOINT_GEAR); /* a gear needs bearings */
            abut_pose where = {abut_lerp(state_of(world, ids[k - 1]).centre, state_of(world, ids[k]).centre, 0.5),
                               random_rotation(&random)};
            abut_joint_def def = joint_at(world, kind, ids[k - 1], ids[k], where);
            if (kind == ABUT_JOINT_DISTANCE) {
                def.frame_a.position = def.frame_b.position = still;
                def.rest = abut_distance_between(state_of(world, ids[k - 1]).centre, state_of(world, ids[k]).centre);
            }
            joints[k] = join(world, def);
        }
        total begun = total_of(world, ids, BODIES);
        assert_ok(abut_world_step(world, 0.01, NULL));
        total first = total_of(world, ids, BODIES);
        run_for(world, 1.0);
        total last = total_of(world, ids, BODIES);
        worst[0] = fmax(worst[0], abut_distance_between(begun.momentum, last.momentum));
        worst[1] = fmax(worst[1], abut_distance_between(begun.turning, last.turning));
        worst[2] = fmax(worst[2], fabs(last.energy - first.energy) / first.energy);
        for (int k = 1; k < BODIES; k++) {
            abut_joint_state s = joint_state(world, joints[k]);
            worst[3] = fmax(worst[3], fmax(s.error, s.turn_error));
        }
        abut_world_destroy(world);
    }
    printf("linkages: momentum %.2g, angular momentum %.2g, energy %.2g, joints %.2g\n", worst[0], worst[1], worst[2], worst[3]);
    assert_true(worst[0] < 1e-9 && worst[1] < 1e-7 && worst[2] < 1e-6 && worst[3] < 1e-7);
}

/* Four bars in a loop: 20 rows for 18 degrees of freedom, of which one is left. The crank turns the coupler as geometry says. */
static void test_four_bars(void **state) {
    (void)state;
    const abut_vec3 corner[4] = {{0, 0, 0}, {0, 0, 0.5}, {1.2, 0, 1.0}, {1.0, 0, 0}};
    abut_world *world = make_world(still);
    abut_body_id base = add_base(world), bar[3];
    abut_joint_id joint[4];
    for (int i = 0; i < 3; i++) {
        abut_vec3 way = abut_sub(corner[i + 1], corner[i]);
        abut_quat turn = abut_quat_about(abut_vec3_make(0, 1, 0), atan2(way.x, way.z));
        abut_body_def def = abut_body_def_default();
        def.pose = (abut_pose){abut_lerp(corner[i], corner[i + 1], 0.5), turn};
        if (i == 0) {
            def.motion.angular = abut_vec3_make(0, 3.0, 0);
            def.motion.linear = abut_cross(def.motion.angular, def.pose.position);
        }
        bar[i] = put_as(world, def, box(0.05, 0.03, 0.4 * abut_length(way)));
    }
    for (int i = 0; i < 4; i++) {
        joint[i] = join(world, joint_at(world, ABUT_JOINT_REVOLUTE, i == 0 ? base : bar[i - 1], i == 3 ? base : bar[i],
                                        (abut_pose){corner[i], hinge()}));
    }
    assert_ok(abut_world_step(world, 0.01, NULL));
    total first = total_of(world, bar, 3);
    run_for(world, 2.0);
    total last = total_of(world, bar, 3);
    double worst = 0.0;
    for (int i = 0; i < 4; i++) {
        worst = fmax(worst, fmax(joint_state(world, joint[i]).error, joint_state(world, joint[i]).turn_error));
    }
    printf("four bars: energy %.2g of %.2g, joints %.2g\n", fabs(last.energy - first.energy), first.energy, worst);
    assert_true(fabs(last.energy - first.energy) < 1e-6 * first.energy && worst < 1e-8);
    abut_world_destroy(world);
}

/* Two wheels on bearings, of which one turns at first: angular velocities after the gear has caught are those of its closed form. */
static void test_gear(void **state) {
    (void)state;
    const double ratio = 2.5, begun = 4.0;
    abut_world *world = make_world(still);
    abut_body_id base = add_base(world), wheel[2];
    for (int i = 0; i < 2; i++) {
        abut_body_def def = abut_body_def_default();
        def.pose = at(2.0 * i, 0, 0);
        def.motion.angular = abut_vec3_make(0, 0, i == 0 ? begun : 0.0);
        wheel[i] = put_as(world, def, box(0.5, 0.4, 0.1 + 0.1 * i));
        join(world, joint_at(world, ABUT_JOINT_REVOLUTE, base, wheel[i], at(2.0 * i, 0, 0)));
    }
    abut_joint_def gear = abut_joint_def_default(ABUT_JOINT_GEAR);
    gear.a = wheel[0];
    gear.b = wheel[1];
    gear.ratio = ratio;
    abut_joint_id id = join(world, gear);
    abut_body_info a, b;
    assert_ok(abut_world_body_info(world, wheel[0], &a));
    assert_ok(abut_world_body_info(world, wheel[1], &b));
    run_for(world, 5.0);
    /* w_a = -ratio w_b, and the gear's impulse changes both: I_a (w_a - begun) = -p, I_b w_b = ratio p. */
    double of_b = -begun * ratio * a.inertia.z.z / (b.inertia.z.z + ratio * ratio * a.inertia.z.z);
    assert_near(state_of(world, wheel[1]).motion.angular.z, of_b, 1e-8);
    assert_near(state_of(world, wheel[0]).motion.angular.z, -ratio * of_b, 1e-8);
    assert_true(joint_state(world, id).turn_error < 1e-8);
    abut_world_destroy(world);
}

/* A superquadric that rocks over its flat place, with a speck of dust welded to it or without: the moments in which its contact point runs across the flat
 * place are passed over, and the weld with them. */
static void test_rocking_over_a_flat_place(void **state) {
    (void)state;
    abut_vec3 centre[2], dust = still;
    for (int k = 0; k < 2; k++) {
        abut_world *world = make_world(abut_vec3_make(0, 0, -G));
        put(world, ABUT_BODY_STATIC, plane(abut_vec3_make(0, 0, 1), 0.0), at(0, 0, 0));
        abut_shape *shape = NULL;
        assert_ok(abut_shape_create_superquadric(abut_vec3_make(0.5, 0.5, 0.3), 0.3, 0.3, &shape));
        abut_quat turn = abut_quat_about(abut_vec3_make(0, 1, 0), 20.0 * PI / 180.0);
        abut_vec3 down = abut_quat_rotate_inverse(turn, abut_vec3_make(0, 0, -1)), lowest;
        assert_ok(abut_shape_support(shape, down, &lowest, NULL));
        abut_pose pose = {{0, 0, abut_dot(lowest, down)}, turn};
        abut_body_id body = put(world, ABUT_BODY_DYNAMIC, shape, pose);
        if (k == 1) {
            abut_body_def def = abut_body_def_default();
            def.mass = 1e-9;
            def.pose = (abut_pose){abut_add(pose.position, abut_quat_rotate(turn, abut_vec3_make(0.1, 0, 0.1))), turn};
            abut_body_id speck = put_as(world, def, sphere(0.01));
            abut_joint_id id = join(world, joint_at(world, ABUT_JOINT_WELD, body, speck, def.pose));
            run_for(world, 0.5);
            assert_true(joint_state(world, id).error < 1e-6);
            dust = state_of(world, speck).centre;
        } else {
            run_for(world, 0.5);
        }
        centre[k] = state_of(world, body).centre;
        abut_world_destroy(world);
    }
    printf("rocking: with dust %.2g off, the dust %.3g away\n", abut_distance_between(centre[0], centre[1]),
           abut_distance_between(centre[1], dust));
    assert_true(abut_distance_between(centre[0], centre[1]) < 1e-6);
    assert_near(abut_distance_between(centre[1], dust), sqrt(0.02), 1e-6);
}

/* ---- the world ---- */

static void test_saved_states(void **state) {
    (void)state;
    abut_world *world[2];
    for (int k = 0; k < 2; k++) {
        world[k] = make_world(abut_vec3_make(0, 0, -G));
        put(world[k], ABUT_BODY_STATIC, plane(abut_vec3_make(0, 0, 1), 0.0), at(0, 0, 0));
        abut_body_id last = put(world[k], ABUT_BODY_STATIC, sphere(0.01), at(0, 0, 2));
        for (int i = 0; i < 3; i++) {
            abut_body_id link = put(world[k], ABUT_BODY_DYNAMIC, capsule(0.05, 0.3),
                                    (abut_pose){{0.4 + 0.8 * i, 0, 2}, abut_quat_about(abut_vec3_make(0, 1, 0), 0.5 * PI)});
            join(world[k], joint_at(world[k], ABUT_JOINT_SPHERICAL, last, link, at(0.8 * i, 0, 2)));
            last = link;
        }
    }
    run_for(world[0], 0.6);
    size_t size = 0;
    assert_int_equal(abut_world_save(world[0], NULL, 0, &size), ABUT_ERROR_CAPACITY);
    void *saved = check_memory(size, 1);
    assert_ok(abut_world_save(world[0], saved, size, &size));
    assert_ok(abut_world_restore(world[1], saved, size));
    free(saved);
    for (int i = 0; i < 30; i++) {
        assert_ok(abut_world_step(world[0], 1.0 / 60, NULL));
        assert_ok(abut_world_step(world[1], 1.0 / 60, NULL));
        assert_true(abut_world_hash(world[0]) == abut_world_hash(world[1]));
    }
    abut_world_destroy(world[0]);
    abut_world_destroy(world[1]);
}

static void test_what_it_lacks(void **state) {
    (void)state;
    abut_world_def rubs = abut_world_def_default();
    rubs.stepper = ABUT_STEPPER_EVENT;
    rubs.event.friction = true;
    abut_world *world = make_world(still), *with_friction = open_world(rubs);
    abut_body_id base = add_base(world), b = put(world, ABUT_BODY_DYNAMIC, sphere(0.1), at(0, 0, 0));
    abut_joint_def good = joint_at(world, ABUT_JOINT_REVOLUTE, base, b, at(0, 0, 0)), def = good;
    def.limited = true;
    assert_int_equal(abut_world_add_joint(world, &def, NULL), ABUT_ERROR_UNSUPPORTED);
    def = good;
    def.motor.mode = ABUT_MOTOR_SPEED;
    assert_int_equal(abut_world_add_joint(world, &def, NULL), ABUT_ERROR_UNSUPPORTED);
    abut_joint_motor motor = def.motor;
    def = good;
    def.break_torque = 5.0;
    assert_int_equal(abut_world_add_joint(world, &def, NULL), ABUT_ERROR_UNSUPPORTED);
    abut_joint_id id = join(world, good);
    assert_int_equal(abut_world_set_joint_motor(world, id, &motor), ABUT_ERROR_UNSUPPORTED);
    motor.mode = ABUT_MOTOR_OFF;
    assert_ok(abut_world_set_joint_motor(world, id, &motor));
    base = add_base(with_friction);
    b = put(with_friction, ABUT_BODY_DYNAMIC, sphere(0.1), at(0, 0, 0));
    good = joint_at(with_friction, ABUT_JOINT_REVOLUTE, base, b, at(0, 0, 0));
    assert_int_equal(abut_world_add_joint(with_friction, &good, NULL), ABUT_ERROR_UNSUPPORTED);
    abut_world_destroy(world);
    abut_world_destroy(with_friction);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bends),
        cmocka_unit_test(test_pendulum),
        cmocka_unit_test(test_double_pendulum),
        cmocka_unit_test(test_slider_with_a_spring),
        cmocka_unit_test(test_weld_bears_its_load),
        cmocka_unit_test(test_hinged_rod_strikes),
        cmocka_unit_test(test_velocities_that_do_not_fit),
        cmocka_unit_test(test_random_linkages),
        cmocka_unit_test(test_four_bars),
        cmocka_unit_test(test_gear),
        cmocka_unit_test(test_rocking_over_a_flat_place),
        cmocka_unit_test(test_saved_states),
        cmocka_unit_test(test_what_it_lacks),
    };
    return cmocka_run_group_tests_name("step/event/joints", tests, NULL, NULL);
}
