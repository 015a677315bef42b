/* Joints against closed forms and independent integrations: how they hold, how they move, what they carry. */
#include <stdio.h>

#include <abut/joint.h>

#include "support/check.h"
#include "support/staging.h"

static const abut_vec3 zero = {0, 0, 0};
static const double fine = 1.0 / 240.0, gravity = 9.81;

/* A frame whose z axis points along y. */
static abut_pose hinge(double x, double y, double z) {
    return (abut_pose){abut_vec3_make(x, y, z), abut_quat_about(abut_vec3_make(1, 0, 0), -PI / 2)};
}

static abut_pose at(double x, double y, double z) { return (abut_pose){abut_vec3_make(x, y, z), abut_quat_identity()}; }

/* A static body out of the way. between() takes frames on it as though it were at the origin. */
static abut_body_id anchor(staging *s) { return staging_add(s, ABUT_BODY_STATIC, s->sphere, abut_vec3_make(0, 0, -20)); }

static abut_joint_id join(staging *s, const abut_joint_def *def) {
    abut_joint_id id = {0, 0};
    assert_ok(abut_world_add_joint(s->world, def, &id));
    return id;
}

static abut_joint_def between(const staging *s, abut_joint_kind kind, abut_body_id a, abut_pose frame_a, abut_body_id b,
                              abut_pose frame_b) {
    abut_joint_def def = abut_joint_def_default(kind);
    def.a = a;
    def.b = b;
    def.frame_a = frame_a;
    def.frame_b = frame_b;
    abut_body_info info;
    assert_ok(abut_world_body_info(s->world, a, &info));
    def.frame_a.position.z += info.kind == ABUT_BODY_STATIC ? 20.0 : 0.0;
    return def;
}

static abut_joint_id connect(staging *s, abut_joint_kind kind, abut_body_id a, abut_pose frame_a, abut_body_id b, abut_pose frame_b) {
    abut_joint_def def = between(s, kind, a, frame_a, b, frame_b);
    return join(s, &def);
}

static abut_joint_state state_of(const staging *s, abut_joint_id id) {
    abut_joint_state state;
    assert_ok(abut_world_joint_state(s->world, id, &state));
    return state;
}

static double energy_of(const staging *s) {
    abut_step_report report;
    assert_ok(abut_world_report(s->world, &report));
    return report.kinetic_energy + report.potential_energy;
}

/* The largest change of the energy in some time, relative to `scale`. */
static double energy_drift(staging *s, double dt, double time, double scale) {
    double begin = energy_of(s), worst = 0.0;
    for (int i = 0; i < (int)(time / dt + 0.5); i++) {
        staging_run(s, dt, 1);
        worst = fmax(worst, fabs(energy_of(s) - begin));
    }
    return worst / scale;
}

/* ---- an independent integration: the classical Runge-Kutta method with 1e-4 s ---- */

typedef void equations(const double *y, const double *p, double *rate);

static void integrate(equations *f, int n, double *y, const double *p, double time) {
    int steps = (int)ceil(time / 1e-4);
    double h = time / steps, k[4][8], z[8];
    for (int i = 0; i < steps; i++) {
        for (int stage = 0; stage < 4; stage++) {
            double part = stage == 0 ? 0.0 : stage == 3 ? h : 0.5 * h;
            for (int j = 0; j < n; j++) {
                z[j] = y[j] + (stage > 0 ? part * k[stage - 1][j] : 0.0);
            }
            f(z, p, k[stage]);
        }
        for (int j = 0; j < n; j++) {
            y[j] += h / 6.0 * (k[0][j] + 2.0 * k[1][j] + 2.0 * k[2][j] + k[3][j]);
        }
    }
}

/* y: angle from the vertical, its rate; p: the square of the frequency of small swings. */
static void pendulum(const double *y, const double *p, double *rate) {
    rate[0] = y[1];
    rate[1] = -p[0] * sin(y[0]);
}

/* y: angles of both rods from the vertical and their rates; p: mass, half length and inertia about the centre of each of two equal rods. */
static void double_pendulum(const double *y, const double *p, double *rate) {
    double m = p[0], l = p[1], inertia = p[2], d = y[0] - y[1];
    double a = inertia + m * l * l + 4.0 * m * l * l, b = 2.0 * m * l * l * cos(d), c = inertia + m * l * l;
    double f = -2.0 * m * l * l * sin(d) * y[3] * y[3] - 3.0 * m * gravity * l * sin(y[0]);
    double g = 2.0 * m * l * l * sin(d) * y[2] * y[2] - m * gravity * l * sin(y[1]);
    double det = a * c - b * b;
    rate[0] = y[2];
    rate[1] = y[3];
    rate[2] = (c * f - b * g) / det;
    rate[3] = (a * g - b * f) / det;
}

/* Errors at 1/60, 1/120 and 1/240 s fall by four. Prints the last. */
static void check_second_order(const char *what, double (*error)(double dt), double most) {
    double e[3] = {error(1.0 / 60.0), error(1.0 / 120.0), error(fine)};
    printf("%s: error %.2e at 1/240 s; ratios %.2f %.2f\n", what, e[2], e[0] / e[1], e[1] / e[2]);
    assert_true(e[2] <= most);
    assert_true(e[0] / e[1] > 3.5 && e[0] / e[1] < 4.5 && e[1] / e[2] > 3.5 && e[1] / e[2] < 4.5);
}

/* ---- pendulums ---- */

/* A rod of 2 m and 1 kg at one end, which begins level and hangs along +x. */
static abut_body_id add_rod(staging *s, double from) {
    const abut_shape *shape = staging_box(s, 1.0, 0.05, 0.05);
    abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, shape, abut_vec3_make(from + 1.0, 0, 0));
    def.mass = 1.0;
    return staging_put(s, &def);
}

static double rod_inertia(void) { return (4.0 + 0.01) / 12.0; }

static double pendulum_error(double dt) {
    staging s = staging_make(gravity);
    abut_body_id base = anchor(&s), rod = add_rod(&s, 0.0);
    abut_joint_id id = connect(&s, ABUT_JOINT_REVOLUTE, base, hinge(0, 0, 0), rod, hinge(-1, 0, 0));
    staging_run(&s, dt, (int)(2.0 / dt + 0.5));
    double y[2] = {PI / 2, 0.0}, p = gravity / (rod_inertia() + 1.0);
    integrate(pendulum, 2, y, &p, 2.0);
    abut_joint_state j = state_of(&s, id);
    assert_true(j.error < 1e-12 && j.turn_error < 1e-12);
    staging_close(&s);
    return fabs(j.coordinate - (PI / 2 - y[0]));
}

static void test_a_pendulum_swings(void **state) {
    (void)state;
    check_second_order("pendulum", pendulum_error, 2e-4);
    staging s = staging_make(gravity);
    connect(&s, ABUT_JOINT_REVOLUTE, anchor(&s), hinge(0, 0, 0), add_rod(&s, 0.0), hinge(-1, 0, 0));
    double drift = energy_drift(&s, fine, 10.0, gravity);
    printf("pendulum: energy within %.2e of m g l in 10 s\n", drift);
    assert_true(drift < 1e-5);
    staging_close(&s);
}

/* A box whose mass is not spread evenly: its centre of mass is 1.4 from the hinge, beside the middle of the box, and its inertia is given. */
static double weighted_pendulum_error(double dt) {
    staging s = staging_make(gravity);
    const abut_mass given = {.mass = 3.0, .centre = {0.4, 0, 0}, .inertia = {{0.3, 0.02, 0.0}, {0.02, 0.5, 0.0}, {0.0, 0.0, 0.6}}};
    abut_shape *made;
    assert_ok(abut_shape_create_with_mass(staging_box(&s, 1.0, 0.05, 0.05), &given, &made));
    abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, staging_keep(&s, made), abut_vec3_make(1.0, 0, 0));
    def.mass = given.mass;
    abut_joint_id id = connect(&s, ABUT_JOINT_REVOLUTE, anchor(&s), hinge(0, 0, 0), staging_put(&s, &def), hinge(-1, 0, 0));
    staging_run(&s, dt, (int)(2.0 / dt + 0.5));
    double y[2] = {PI / 2, 0.0}, p = gravity * 1.4 / (0.5 / 3.0 + 1.4 * 1.4);
    integrate(pendulum, 2, y, &p, 2.0);
    double coordinate = state_of(&s, id).coordinate;
    staging_close(&s);
    return fabs(coordinate - (PI / 2 - y[0]));
}

static void test_a_pendulum_with_a_mass_of_its_own_swings(void **state) {
    (void)state;
    check_second_order("weighted pendulum", weighted_pendulum_error, 2e-4);
}

static double double_pendulum_error(double dt) {
    staging s = staging_make(gravity);
    abut_body_id base = anchor(&s), first = add_rod(&s, 0.0), second = add_rod(&s, 2.0);
    abut_joint_id upper = connect(&s, ABUT_JOINT_REVOLUTE, base, hinge(0, 0, 0), first, hinge(-1, 0, 0));
    abut_joint_id lower = connect(&s, ABUT_JOINT_REVOLUTE, first, hinge(1, 0, 0), second, hinge(-1, 0, 0));
    staging_run(&s, dt, (int)(1.0 / dt + 0.5));
    double y[4] = {PI / 2, PI / 2, 0.0, 0.0}, p[3] = {1.0, 1.0, rod_inertia()};
    integrate(double_pendulum, 4, y, p, 1.0);
    double one = PI / 2 - state_of(&s, upper).coordinate, two = one - state_of(&s, lower).coordinate;
    staging_close(&s);
    return fabs(one - y[0]) + fabs(two - y[1]);
}

static void test_a_double_pendulum_swings(void **state) {
    (void)state;
    check_second_order("double pendulum", double_pendulum_error, 5e-4);
    staging s = staging_make(gravity);
    abut_body_id first = add_rod(&s, 0.0);
    connect(&s, ABUT_JOINT_REVOLUTE, anchor(&s), hinge(0, 0, 0), first, hinge(-1, 0, 0));
    connect(&s, ABUT_JOINT_REVOLUTE, first, hinge(1, 0, 0), add_rod(&s, 2.0), hinge(-1, 0, 0));
    double drift = energy_drift(&s, fine, 10.0, 4.0 * gravity);
    printf("double pendulum: energy within %.2e of the fall's in 10 s\n", drift);
    assert_true(drift < 1e-3);
    staging_close(&s);
}

/* A ball on a spherical joint goes round at the angle whose cosine is g / (W^2 l). */
static double cone_error(double dt) {
    staging s = staging_make(gravity);
    double angle = 0.7, l = 1.5, w = sqrt(gravity / (l * cos(angle)));
    abut_quat turn = abut_quat_about(abut_vec3_make(0, 1, 0), -angle);
    abut_body_def ball = staging_body(ABUT_BODY_DYNAMIC, s.sphere, abut_quat_rotate(turn, abut_vec3_make(0, 0, -l)));
    ball.pose.rotation = turn;
    ball.motion.angular = abut_vec3_make(0, 0, w);
    ball.motion.linear = abut_cross(ball.motion.angular, ball.pose.position);
    abut_body_id id = staging_put(&s, &ball);
    connect(&s, ABUT_JOINT_SPHERICAL, anchor(&s), at(0, 0, 0), id, at(0, 0, l));
    staging_run(&s, dt, (int)(2.0 / dt + 0.5));
    abut_vec3 expected = abut_quat_rotate(abut_quat_about(abut_vec3_make(0, 0, 1), 2.0 * w), ball.pose.position);
    double error = abut_distance_between(staging_state(&s, id).centre, expected);
    staging_close(&s);
    return error;
}

static void test_a_conical_pendulum_goes_round(void **state) {
    (void)state;
    check_second_order("conical pendulum", cone_error, 1e-4);
}

/* ---- loads ---- */

static void test_a_welded_beam_carries_its_weight(void **state) {
    (void)state;
    staging s = staging_make(gravity);
    abut_body_id first = add_rod(&s, 0.0), second = add_rod(&s, 2.0);
    abut_joint_id wall = connect(&s, ABUT_JOINT_WELD, anchor(&s), at(0, 0, 0), first, at(-1, 0, 0));
    abut_joint_id middle = connect(&s, ABUT_JOINT_WELD, first, at(1, 0, 0), second, at(-1, 0, 0));
    staging_run(&s, fine, 240);
    abut_joint_state j = state_of(&s, wall), k = state_of(&s, middle);
    assert_true(j.error < 1e-12 && j.turn_error < 1e-12 && k.error < 1e-12 && k.turn_error < 1e-12);
    assert_vec3_near(j.force, abut_vec3_make(0, 0, 2.0 * gravity), 1e-9);
    assert_vec3_near(j.torque, abut_vec3_make(0, -4.0 * gravity, 0), 1e-9); /* 1 m and 3 m from the wall */
    assert_vec3_near(k.force, abut_vec3_make(0, 0, gravity), 1e-9);
    assert_vec3_near(k.torque, abut_vec3_make(0, -gravity, 0), 1e-9);
    staging_close(&s);
}

/* 100 links with 1,000 times the mass of one at the end: thrown sideways, and at rest. */
static void test_a_chain_bears_a_heavy_weight(void **state) {
    (void)state;
    enum { LINKS = 100 };
    staging s = staging_make(gravity);
    const abut_shape *link = staging_box(&s, 0.05, 0.05, 0.05), *weight = staging_box(&s, 0.5, 0.5, 0.5);
    abut_body_id last = anchor(&s);
    abut_joint_id ids[LINKS + 1];
    for (int i = 0; i <= LINKS; i++) {
        bool heavy = i == LINKS;
        abut_vec3 place = abut_vec3_make(0, 0, -0.1 * i - (heavy ? 0.5 : 0.05));
        abut_body_id id = staging_add(&s, ABUT_BODY_DYNAMIC, heavy ? weight : link, place);
        ids[i] = connect(&s, ABUT_JOINT_SPHERICAL, last, i == 0 ? at(0, 0, 0) : at(0, 0, -0.05), id, at(0, 0, heavy ? 0.5 : 0.05));
        last = id;
    }
    abut_motion push = {abut_vec3_make(2, 1, 0), zero};
    for (int k = 0; k < 2; k++) {
        staging_run(&s, 1.0 / 60.0, 12);
        double worst = 0.0;
        for (int i = 0; i <= LINKS; i++) {
            worst = fmax(worst, state_of(&s, ids[i]).error);
        }
        printf("chain: stretch %.2e of 10 m\n", worst);
        assert_true(worst < (k == 0 ? 1e-10 : 1e-6) * 10.0);
        if (k == 0) {
            assert_near(state_of(&s, ids[0]).force.z, 1100.0 * gravity, 1e-8 * 1100.0 * gravity);
            assert_near(state_of(&s, ids[LINKS]).force.z, 1000.0 * gravity, 1e-8 * 1000.0 * gravity);
            assert_ok(abut_world_set_body_motion(s.world, last, push));
        }
    }
    staging_close(&s);
}

/* A ball of 1 kg at a place. */
static abut_body_id add_ball(staging *s, abut_vec3 place) {
    abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, s->sphere, place);
    def.mass = 1.0;
    return staging_put(s, &def);
}

/* ---- islands that are too large for a direct solution with their contacts ---- */

static double worst_error(const staging *s, const abut_joint_id *ids, int32_t count) {
    double worst = 0.0;
    for (int32_t i = 0; i < count; i++) {
        worst = fmax(worst, state_of(s, ids[i]).error);
    }
    return worst;
}

/* A chain of 300 links that begins level and falls, as 601 bodies and joints. */
static void test_a_long_chain_holds(void **state) {
    (void)state;
    enum { LINKS = 300 };
    staging s = staging_make(gravity);
    const abut_shape *link = staging_box(&s, 0.05, 0.05, 0.05);
    abut_body_id last = anchor(&s);
    abut_joint_id ids[LINKS];
    for (int i = 0; i < LINKS; i++) {
        abut_body_id id = staging_add(&s, ABUT_BODY_DYNAMIC, link, abut_vec3_make(0.1 * i + 0.05, 0, 0));
        ids[i] = connect(&s, ABUT_JOINT_SPHERICAL, last, i == 0 ? at(0, 0, 0) : at(0.05, 0, 0), id, at(-0.05, 0, 0));
        last = id;
    }
    staging_run(&s, 1.0 / 60.0, 12);
    printf("long chain: stretch %.2e m\n", worst_error(&s, ids, LINKS));
    assert_true(worst_error(&s, ids, LINKS) < 1e-9);
    staging_close(&s);
}

/* 48 chains of eight balls in three layers, which touch: 720 bodies and joints in one island with its contacts. */
static void test_a_heap_of_chains_holds(void **state) {
    (void)state;
    enum { CHAINS = 48, BALLS = 8, JOINTS = CHAINS * (BALLS - 1) };
    staging s = staging_make(gravity);
    abut_joint_id ids[JOINTS];
    int32_t count = 0;
    staging_ground(&s, 0.5);
    for (int i = 0; i < CHAINS; i++) {
        int layer = i / 16;
        abut_body_id last = {0, 0};
        for (int k = 0; k < BALLS; k++) {
            abut_body_id id = add_ball(&s, abut_vec3_make(k + 0.5 * layer, 0.999 * (i % 16) + 0.5 * layer, 0.5 + 0.71 * layer));
            if (k > 0) {
                ids[count++] = connect(&s, ABUT_JOINT_SPHERICAL, last, at(0.5, 0, 0), id, at(-0.5, 0, 0));
            }
            last = id;
        }
    }
    abut_step_report report = staging_run(&s, 1.0 / 60.0, 12);
    printf("heap of chains: joints apart %.2e m, depth %.2e m\n", worst_error(&s, ids, JOINTS), report.max_penetration);
    assert_true(worst_error(&s, ids, JOINTS) < 1e-7);
    assert_true(report.max_penetration < 2e-3);
    staging_close(&s);
}

/* ---- loops ---- */

/* Two cranks and a coupler, all of 1 kg and 2 m: the coupler stays level, and the cranks swing like one pendulum. All four hinges hold all that hinges hold,
 * so three rows say what others say. */
static double four_bar_error(double dt) {
    staging s = staging_make(gravity);
    abut_body_id base = anchor(&s), crank[2], coupler;
    const abut_shape *bar = staging_box(&s, 1.0, 0.05, 0.05), *upright = staging_box(&s, 0.05, 0.05, 1.0);
    abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, upright, zero);
    double begin = 1.0;
    abut_quat turn = abut_quat_about(abut_vec3_make(0, 1, 0), begin);
    def.mass = 1.0;
    def.pose.rotation = turn;
    for (int i = 0; i < 2; i++) {
        def.pose.position = abut_add(abut_vec3_make(2.0 * i, 0, 0), abut_quat_rotate(turn, abut_vec3_make(0, 0, -1)));
        crank[i] = staging_put(&s, &def);
        connect(&s, ABUT_JOINT_REVOLUTE, base, hinge(2.0 * i, 0, 0), crank[i], hinge(0, 0, 1));
    }
    def.shape = bar;
    def.pose.rotation = abut_quat_identity();
    def.pose.position = abut_add(abut_vec3_make(1, 0, 0), abut_quat_rotate(turn, abut_vec3_make(0, 0, -2)));
    coupler = staging_put(&s, &def);
    abut_joint_id ids[2] = {connect(&s, ABUT_JOINT_REVOLUTE, coupler, hinge(-1, 0, 0), crank[0], hinge(0, 0, -1)),
                            connect(&s, ABUT_JOINT_REVOLUTE, coupler, hinge(1, 0, 0), crank[1], hinge(0, 0, -1))};
    staging_run(&s, dt, (int)(1.0 / dt + 0.5));
    double y[2] = {begin, 0.0}, p = 4.0 * gravity / (2.0 * (rod_inertia() + 1.0) + 4.0);
    integrate(pendulum, 2, y, &p, 1.0);
    for (int i = 0; i < 2; i++) {
        assert_true(state_of(&s, ids[i]).error < 1e-9 && state_of(&s, ids[i]).turn_error < 1e-9);
    }
    double error = fabs(staging_state(&s, coupler).centre.z + 2.0 * cos(y[0]));
    staging_close(&s);
    return error;
}

static void test_a_four_bar_loop_swings(void **state) {
    (void)state;
    check_second_order("four bars", four_bar_error, 2e-4);
}

/* ---- other kinds ---- */

/* A body on a rail that leans by 0.4 slides down it by g sin(0.4) t^2 / 2. The rail carries the rest of its weight. */
static void test_a_body_slides_down_a_rail(void **state) {
    (void)state;
    staging s = staging_make(gravity);
    abut_body_id ball = add_ball(&s, zero);
    abut_quat down = abut_quat_about(abut_vec3_make(0, 1, 0), PI / 2 + 0.4);
    abut_pose rail = {zero, down};
    abut_joint_id id = connect(&s, ABUT_JOINT_PRISMATIC, anchor(&s), rail, ball, rail);
    staging_run(&s, fine, 240);
    abut_joint_state j = state_of(&s, id);
    assert_near(j.coordinate, 0.5 * gravity * sin(0.4), 1e-12);
    assert_near(abut_length(j.force), gravity * cos(0.4), 1e-10);
    assert_near(abut_dot(j.force, abut_quat_rotate(down, abut_vec3_make(0, 0, 1))), 0.0, 1e-10);
    assert_true(j.error < 1e-12 && j.turn_error < 1e-12);
    staging_close(&s);
}

/* Hung from its centre, a ball is a pendulum without inertia. */
static double rod_error(double dt) {
    staging s = staging_make(gravity);
    abut_body_id ball = add_ball(&s, abut_vec3_make(2, 0, 0));
    abut_joint_def def = between(&s, ABUT_JOINT_DISTANCE, anchor(&s), at(0, 0, 0), ball, at(0, 0, 0));
    def.rest = 2.0;
    abut_joint_id id = join(&s, &def);
    staging_run(&s, dt, (int)(2.0 / dt + 0.5));
    assert_near(state_of(&s, id).coordinate, 2.0, 1e-12);
    double y[2] = {PI / 2, 0.0}, p = gravity / 2.0;
    integrate(pendulum, 2, y, &p, 2.0);
    abut_vec3 c = staging_state(&s, ball).centre;
    staging_close(&s);
    return abut_distance_between(c, abut_vec3_make(2.0 * sin(y[0]), 0, -2.0 * cos(y[0])));
}

static void test_a_distance_is_kept(void **state) {
    (void)state;
    check_second_order("distance", rod_error, 2e-4);
}

/* A rope of 2 m: the ball falls freely for 1 m, and then hangs. */
static void test_a_rope_stops_a_fall(void **state) {
    (void)state;
    staging s = staging_make(gravity);
    abut_body_id ball = add_ball(&s, abut_vec3_make(0, 0, -1));
    abut_joint_def def = between(&s, ABUT_JOINT_DISTANCE, anchor(&s), at(0, 0, 0), ball, at(0, 0, 0));
    def.limited = true;
    def.upper = 2.0;
    abut_joint_id id = join(&s, &def);
    staging_run(&s, fine, 60);
    assert_near(staging_state(&s, ball).centre.z, -1.0 - 0.5 * gravity / 16.0, 1e-12);
    assert_vec3_near(state_of(&s, id).force, zero, 1e-12);
    staging_run(&s, fine, 240);
    assert_near(staging_state(&s, ball).centre.z, -2.0, 1e-9);
    assert_near(staging_state(&s, ball).motion.linear.z, 0.0, 1e-12);
    assert_vec3_near(state_of(&s, id).force, abut_vec3_make(0, 0, gravity), 1e-9);
    staging_close(&s);
}

/* x'' + 2 d w x' + w^2 x = 0 with w = 6 and d = 0.2. */
static double spring_error(double dt) {
    staging s = staging_make(0.0);
    abut_body_id ball = add_ball(&s, abut_vec3_make(0, 0, 1));
    abut_joint_def def = between(&s, ABUT_JOINT_PRISMATIC, anchor(&s), at(0, 0, 0), ball, at(0, 0, 0));
    double w = 6.0, d = 0.2, wd = w * sqrt(1.0 - d * d);
    def.rest = 0.25;
    def.stiffness = w * w;
    def.damping = 2.0 * d * w;
    join(&s, &def);
    staging_run(&s, dt, (int)(1.0 / dt + 0.5));
    abut_body_state end = staging_state(&s, ball);
    double decay = 0.75 * exp(-d * w), x = decay * (cos(wd) + d * w / wd * sin(wd)), v = -decay * w * w / wd * sin(wd);
    staging_close(&s);
    return hypot(end.centre.z - 0.25 - x, (end.motion.linear.z - v) / w);
}

static void test_a_spring_swings(void **state) {
    (void)state;
    check_second_order("spring", spring_error, 1e-3);
}

/* Two shafts at an angle, a universal joint between them: tan(out) = tan(in) / cos(angle). */
static void test_a_universal_joint_turns_unevenly(void **state) {
    (void)state;
    staging s = staging_make(0.0);
    double angle = 0.6, speed = 2.0;
    abut_body_id base = anchor(&s), in = add_ball(&s, zero);
    abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, s.sphere, zero);
    /* The outgoing shaft leans about x; its z axis is its axis. */
    abut_quat lean = abut_quat_about(abut_vec3_make(1, 0, 0), angle);
    def.mass = 1.0;
    def.pose.rotation = lean;
    abut_body_id out = staging_put(&s, &def);
    abut_joint_def motor = between(&s, ABUT_JOINT_REVOLUTE, base, at(0, 0, 0), in, at(0, 0, 0));
    motor.motor = (abut_joint_motor){ABUT_MOTOR_SPEED, speed, INFINITY, INFINITY};
    abut_joint_id driven = join(&s, &motor);
    abut_pose leaning = {zero, lean};
    abut_joint_id led = connect(&s, ABUT_JOINT_REVOLUTE, base, leaning, out, at(0, 0, 0));
    /* The cross: its arm on `in` is y, and that on `out` is x. */
    abut_pose arm_in = {zero, abut_quat_about(abut_vec3_make(1, 0, 0), -PI / 2)}, arm_out = {zero, abut_quat_identity()};
    connect(&s, ABUT_JOINT_UNIVERSAL, in, arm_in, out, arm_out);
    for (int i = 0; i < 480; i++) {
        staging_run(&s, fine, 1);
        double theta = state_of(&s, driven).coordinate, phi = state_of(&s, led).coordinate;
        assert_near(theta, speed * (i + 1) * fine, 1e-9);
        /* y of the first shaft and x of the second stay at a right angle. */
        assert_near(sin(phi) * cos(angle) * cos(theta) - sin(theta) * cos(phi), 0.0, 1e-9);
    }
    staging_close(&s);
}

/* A wheel on a spring sags by m g / k, and a motor speeds it up by its torque over its moment of inertia. */
static void test_a_wheel_has_a_suspension_and_a_motor(void **state) {
    (void)state;
    staging s = staging_make(gravity);
    abut_body_id wheel = add_ball(&s, zero);
    /* x of frame a, the suspension, points up; z, the axis, along y. */
    abut_quat up = abut_quat_about(abut_unit(abut_vec3_make(1, 1, 1)), -2.0 * PI / 3.0);
    abut_pose frame = {zero, up};
    abut_joint_def def = between(&s, ABUT_JOINT_WHEEL, anchor(&s), frame, wheel, frame);
    def.stiffness = 400.0;
    def.damping = 40.0;
    def.motor = (abut_joint_motor){ABUT_MOTOR_SPEED, 50.0, INFINITY, 0.2};
    abut_joint_id id = join(&s, &def);
    staging_run(&s, fine, 240);
    double inertia = 0.4 * 0.25;
    assert_near(state_of(&s, id).spin, 0.5 * 0.2 / inertia, 1e-10);
    staging_run(&s, fine, 480);
    assert_near(state_of(&s, id).coordinate, -gravity / 400.0, 1e-9);
    assert_near(staging_state(&s, wheel).motion.angular.y, 0.2 / inertia * 3.0, 1e-10);
    staging_close(&s);
}

/* A train of five gears with a torque on the first: each turns by its ratio, and the first one's acceleration is M / sum of I r^2. */
static void test_a_gear_train_turns(void **state) {
    (void)state;
    enum { GEARS = 5 };
    staging s = staging_make(0.0);
    const double ratio[GEARS - 1] = {2.0, 0.5, -1.5, 3.0};
    abut_body_id base = anchor(&s), gear[GEARS];
    abut_joint_id hinges[GEARS];
    double inertia = 0.1, sum = 0.0, rate[GEARS] = {1.0};
    for (int i = 0; i < GEARS; i++) {
        gear[i] = add_ball(&s, abut_vec3_make(3.0 * i, 0, 0));
        hinges[i] = connect(&s, ABUT_JOINT_REVOLUTE, base, at(3.0 * i, 0, 0), gear[i], at(0, 0, 0));
        if (i > 0) {
            abut_joint_def def = between(&s, ABUT_JOINT_GEAR, gear[i - 1], at(0, 0, 0), gear[i], at(0, 0, 0));
            def.ratio = ratio[i - 1];
            join(&s, &def);
            rate[i] = -rate[i - 1] / ratio[i - 1];
        }
        sum += inertia * rate[i] * rate[i];
    }
    double torque = 3.0;
    for (int i = 0; i < 480; i++) {
        assert_ok(abut_world_apply_torque(s.world, gear[0], abut_vec3_make(0, 0, torque)));
        staging_run(&s, fine, 1);
    }
    for (int i = 0; i < GEARS; i++) {
        assert_near(state_of(&s, hinges[i]).coordinate, rate[i] * 0.5 * torque / sum * 4.0, 1e-7);
        assert_near(staging_state(&s, gear[i]).motion.angular.z, rate[i] * torque / sum * 2.0, 1e-8);
    }
    staging_close(&s);
}

/* ---- limits and motors ---- */

/* A motor of torque M turns a ball by M t^2 / (2 I) to a limit at 1 rad, where it stops and presses with M. */
static void test_a_motor_runs_against_a_limit(void **state) {
    (void)state;
    staging s = staging_make(0.0);
    abut_body_id ball = add_ball(&s, zero);
    abut_joint_def def = between(&s, ABUT_JOINT_REVOLUTE, anchor(&s), at(0, 0, 0), ball, at(0, 0, 0));
    double torque = 0.1, inertia = 0.1;
    def.limited = true;
    def.lower = -0.5;
    def.upper = 1.0;
    def.motor = (abut_joint_motor){ABUT_MOTOR_SPEED, 100.0, INFINITY, torque};
    abut_joint_id id = join(&s, &def);
    staging_run(&s, fine, 240);
    assert_near(state_of(&s, id).coordinate, 0.5 * torque / inertia, 1e-12);
    assert_near(state_of(&s, id).torque.z, torque, 1e-10);
    staging_run(&s, fine, 240);
    assert_near(state_of(&s, id).coordinate, 1.0, 1e-9);
    assert_near(staging_state(&s, ball).motion.angular.z, 0.0, 1e-12);
    assert_near(state_of(&s, id).torque.z, 0.0, 1e-10); /* motor and limit together */
    /* Backwards. */
    abut_joint_motor back = {ABUT_MOTOR_SPEED, -100.0, INFINITY, torque};
    assert_ok(abut_world_set_joint_motor(s.world, id, &back));
    staging_run(&s, fine, 240);
    assert_near(state_of(&s, id).coordinate, 1.0 - 0.5 * torque / inertia, 1e-8);
    staging_run(&s, fine, 480);
    assert_near(state_of(&s, id).coordinate, -0.5, 1e-9);
    staging_close(&s);
}

static void test_a_motor_without_bound_keeps_its_speed(void **state) {
    (void)state;
    staging s = staging_make(gravity);
    abut_body_id rod = add_rod(&s, 0.0);
    abut_joint_def def = between(&s, ABUT_JOINT_REVOLUTE, anchor(&s), hinge(0, 0, 0), rod, hinge(-1, 0, 0));
    def.limited = true;
    def.upper = 2.0;
    def.motor = (abut_joint_motor){ABUT_MOTOR_SPEED, 3.0, INFINITY, INFINITY};
    abut_joint_id id = join(&s, &def);
    for (int i = 0; i < 240; i++) {
        staging_run(&s, fine, 1);
        assert_near(state_of(&s, id).coordinate, fmin(3.0 * (i + 1) * fine, 2.0), 1e-9);
    }
    assert_near(state_of(&s, id).torque.y, gravity * cos(state_of(&s, id).coordinate) * -1.0, 1e-6);
    staging_close(&s);
}

/* A motor of position gets there, stays there against the weight, and does not swing about it. */
static void test_a_motor_takes_a_position(void **state) {
    (void)state;
    const double force[2] = {INFINITY, 40.0};
    for (int k = 0; k < 2; k++) {
        staging s = staging_make(gravity);
        abut_body_id rod = add_rod(&s, 0.0);
        abut_joint_def def = between(&s, ABUT_JOINT_REVOLUTE, anchor(&s), hinge(0, 0, 0), rod, hinge(-1, 0, 0));
        def.motor = (abut_joint_motor){ABUT_MOTOR_POSITION, -0.7, 2.0, force[k]};
        abut_joint_id id = join(&s, &def);
        for (int i = 0; i < 480; i++) {
            staging_run(&s, fine, 1);
            assert_true(state_of(&s, id).coordinate > -0.7 - 0.01);
        }
        assert_near(state_of(&s, id).coordinate, -0.7, 1e-9);
        assert_near(staging_state(&s, rod).motion.angular.y, 0.0, 1e-9);
        staging_close(&s);
    }
}

/* A cone of 0.5 rad stops a pendulum, whatever way it falls. */
static void test_a_cone_stops_a_swing(void **state) {
    (void)state;
    for (int i = 0; i < 8; i++) {
        staging s = staging_make(gravity);
        abut_vec3 way = abut_vec3_make(cos(0.8 * i), sin(0.8 * i), 0);
        abut_body_id ball = add_ball(&s, abut_vec3_make(0, 0, 1));
        abut_joint_def def = between(&s, ABUT_JOINT_SPHERICAL, anchor(&s), at(0, 0, 0), ball, at(0, 0, -1));
        def.limited = true;
        def.upper = 0.5;
        abut_joint_id id = join(&s, &def);
        abut_motion push = {abut_scale(0.5, way), abut_cross(abut_vec3_make(0, 0, 0.5), way)};
        assert_ok(abut_world_set_body_motion(s.world, ball, push));
        staging_run(&s, fine, 720);
        assert_near(state_of(&s, id).coordinate, 0.5, 1e-9);
        assert_vec3_near(staging_state(&s, ball).centre, abut_add_scaled(abut_vec3_make(0, 0, cos(0.5)), sin(0.5), way), 1e-6);
        staging_close(&s);
    }
}

/* ---- with contacts, and the rest ---- */

static void test_a_joint_breaks(void **state) {
    (void)state;
    staging s = staging_make(gravity);
    abut_body_id base = anchor(&s), ball[2] = {add_ball(&s, zero), add_ball(&s, abut_vec3_make(5, 0, 0))};
    abut_joint_id id[2];
    for (int i = 0; i < 2; i++) {
        abut_joint_def def = between(&s, ABUT_JOINT_SPHERICAL, base, at(5.0 * i, 0, 0), ball[i], at(0, 0, 0));
        def.break_force = i == 0 ? 0.99 * gravity : 1.01 * gravity;
        id[i] = join(&s, &def);
    }
    staging_run(&s, fine, 1);
    assert_true(state_of(&s, id[0]).broken && !state_of(&s, id[1]).broken);
    staging_run(&s, fine, 240);
    assert_near(staging_state(&s, ball[0]).centre.z, -0.5 * gravity, 1e-6);
    assert_near(staging_state(&s, ball[1]).centre.z, 0.0, 1e-12);
    staging_close(&s);
}

/* Two welded boxes that lie in each other on the floor, and two that collide. */
static void test_joined_bodies_collide_as_the_joint_says(void **state) {
    (void)state;
    for (int collide = 0; collide < 2; collide++) {
        staging s = staging_make(gravity);
        staging_ground(&s, 0.5);
        abut_body_id a = staging_add(&s, ABUT_BODY_DYNAMIC, s.box, abut_vec3_make(0, 0, 0.5));
        abut_body_id b = staging_add(&s, ABUT_BODY_DYNAMIC, s.box, abut_vec3_make(0, 0, 2.0));
        abut_joint_def def = between(&s, ABUT_JOINT_PRISMATIC, a, at(0, 0, 0), b, at(0, 0, 0));
        def.collide = collide == 1;
        abut_joint_id id = join(&s, &def);
        staging_run(&s, fine, 480);
        assert_near(state_of(&s, id).coordinate, collide == 1 ? 1.0 : 0.0, 1e-3);
        assert_true(state_of(&s, id).error < 1e-9);
        staging_close(&s);
    }
}

/* A table of a top and four welded legs on the floor: nothing moves, the joints hold, and the legs carry the weight. */
static void test_a_welded_table_stands(void **state) {
    (void)state;
    staging s = staging_make(gravity);
    staging_ground(&s, 0.5);
    const abut_shape *top = staging_box(&s, 1.0, 1.0, 0.1), *leg = staging_box(&s, 0.1, 0.1, 0.5);
    abut_body_id plate = staging_add(&s, ABUT_BODY_DYNAMIC, top, abut_vec3_make(0, 0, 1.1));
    abut_joint_id ids[4];
    for (int i = 0; i < 4; i++) {
        double x = i % 2 == 0 ? -0.8 : 0.8, y = i < 2 ? -0.8 : 0.8;
        abut_body_id id = staging_add(&s, ABUT_BODY_DYNAMIC, leg, abut_vec3_make(x, y, 0.5));
        ids[i] = connect(&s, ABUT_JOINT_WELD, id, at(0, 0, 0.5), plate, at(x, y, -0.1));
    }
    staging_run(&s, 1.0 / 60.0, 300);
    double weight = 2.0 * 2.0 * 0.2 * 1000.0 * gravity, sum = 0.0;
    for (int i = 0; i < 4; i++) {
        abut_joint_state j = state_of(&s, ids[i]);
        assert_true(j.error < 1e-9 && j.turn_error < 1e-9);
        assert_near(j.force.z, 0.25 * weight, 0.02 * weight); /* four legs bear more than equilibrium tells */
        sum += j.force.z;
    }
    assert_near(sum, weight, 1e-9 * weight);
    assert_vec3_near(staging_state(&s, plate).centre, abut_vec3_make(0, 0, 1.1), 1e-4);
    assert_true(abut_length(staging_state(&s, plate).motion.linear) < 1e-9);
    staging_close(&s);
}

/* A chain that falls on the floor comes to rest and falls asleep, and wakes as one. */
static void test_a_chain_on_the_floor_sleeps(void **state) {
    (void)state;
    enum { LINKS = 12 };
    abut_world_def world = staging_def(gravity);
    world.fixed.sleeping = true;
    staging s = staging_make_with(&world);
    staging_ground(&s, 0.5);
    const abut_shape *link = staging_box(&s, 0.1, 0.05, 0.05);
    abut_body_id ids[LINKS];
    abut_joint_id joints[LINKS];
    for (int i = 0; i < LINKS; i++) {
        ids[i] = staging_add(&s, ABUT_BODY_DYNAMIC, link, abut_vec3_make(0.2 * i, 0, 0.5));
        if (i > 0) {
            joints[i] = connect(&s, ABUT_JOINT_SPHERICAL, ids[i - 1], at(0.1, 0, 0), ids[i], at(-0.1, 0, 0));
        }
    }
    staging_run(&s, 1.0 / 60.0, 240);
    for (int i = 0; i < LINKS; i++) {
        assert_false(staging_awake(&s, ids[i]));
        assert_true(i == 0 || state_of(&s, joints[i]).error < 1e-9);
    }
    assert_ok(abut_world_wake_body(s.world, ids[0]));
    staging_run(&s, 1.0 / 60.0, 1);
    assert_true(staging_awake(&s, ids[LINKS - 1]));
    staging_close(&s);
}

/* Frames that do not fit are brought together, and no velocity comes of it. */
static void test_bodies_are_brought_together(void **state) {
    (void)state;
    staging s = staging_make(0.0);
    abut_body_id ball = add_ball(&s, abut_vec3_make(1, 0.2, 0));
    abut_joint_id id = connect(&s, ABUT_JOINT_WELD, anchor(&s), at(0, 0, 0), ball,
                               (abut_pose){abut_vec3_make(-0.5, 0, 0), abut_quat_about(abut_vec3_make(0, 0, 1), 0.8)});
    for (int i = 0; i < 240; i++) {
        staging_run(&s, fine, 1);
        assert_true(energy_of(&s) < 1e-18);
    }
    assert_true(state_of(&s, id).error < 1e-9 && state_of(&s, id).turn_error < 1e-9);
    staging_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_pendulum_swings),
        cmocka_unit_test(test_a_pendulum_with_a_mass_of_its_own_swings),
        cmocka_unit_test(test_a_double_pendulum_swings),
        cmocka_unit_test(test_a_conical_pendulum_goes_round),
        cmocka_unit_test(test_a_welded_beam_carries_its_weight),
        cmocka_unit_test(test_a_chain_bears_a_heavy_weight),
        cmocka_unit_test(test_a_long_chain_holds),
        cmocka_unit_test(test_a_heap_of_chains_holds),
        cmocka_unit_test(test_a_four_bar_loop_swings),
        cmocka_unit_test(test_a_body_slides_down_a_rail),
        cmocka_unit_test(test_a_distance_is_kept),
        cmocka_unit_test(test_a_rope_stops_a_fall),
        cmocka_unit_test(test_a_spring_swings),
        cmocka_unit_test(test_a_universal_joint_turns_unevenly),
        cmocka_unit_test(test_a_wheel_has_a_suspension_and_a_motor),
        cmocka_unit_test(test_a_gear_train_turns),
        cmocka_unit_test(test_a_motor_runs_against_a_limit),
        cmocka_unit_test(test_a_motor_without_bound_keeps_its_speed),
        cmocka_unit_test(test_a_motor_takes_a_position),
        cmocka_unit_test(test_a_cone_stops_a_swing),
        cmocka_unit_test(test_a_joint_breaks),
        cmocka_unit_test(test_joined_bodies_collide_as_the_joint_says),
        cmocka_unit_test(test_a_welded_table_stands),
        cmocka_unit_test(test_a_chain_on_the_floor_sleeps),
        cmocka_unit_test(test_bodies_are_brought_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
