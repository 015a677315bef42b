/* The rows of each kind of joint: rates are the derivatives of positions, by central differences, and the graph of a row is what its law says. */
#include "solve/joint/joint.h"

#include "support/check.h"
#include "support/random.h"

static solver_body moved_by(solver_body body, abut_vec3 velocity, abut_vec3 spin, double time) {
    double angle = abut_length(spin) * time;
    body.moved = abut_add_scaled(body.moved, time, velocity);
    body.rotation = abut_quat_unit(abut_quat_mul(abut_quat_about(abut_unit(spin), angle), body.rotation));
    body.axes = abut_mat3_from_quat(body.rotation);
    return body;
}

static solver_body random_body(random_state *r) {
    solver_body body = {.rotation = random_rotation(r), .inverse_mass = 1.0, .inverse_inertia = abut_mat3_identity()};
    body.axes = abut_mat3_from_quat(body.rotation);
    body.velocity = random_vec3(r, -1.0, 1.0);
    body.angular_velocity = random_vec3(r, -1.0, 1.0);
    return body;
}

/* A joint at whose place both frames are at zero, but for the coordinate. */
static solver_joint random_joint(random_state *r, const abut_joint_def *def, const solver_body *a, const solver_body *b) {
    abut_vec3 r_a = random_vec3(r, -1.0, 1.0), r_b = random_vec3(r, -1.0, 1.0);
    abut_quat frame = random_rotation(r), other = frame;
    double way = random_range(r, -1.0, 1.0);
    abut_vec3 d = {0, 0, 0};
    if (def->kind == ABUT_JOINT_REVOLUTE || def->kind == ABUT_JOINT_WHEEL) {
        other = abut_quat_mul(frame, abut_quat_about(abut_vec3_make(0, 0, 1), 2.0 * way));
    } else if (def->kind == ABUT_JOINT_SPHERICAL) {
        other = abut_quat_mul(frame, abut_quat_about(random_direction(r), 1.0));
    }
    if (def->kind == ABUT_JOINT_PRISMATIC || def->kind == ABUT_JOINT_WHEEL) {
        bool wheel = def->kind == ABUT_JOINT_WHEEL;
        d = abut_quat_rotate(frame, abut_vec3_make(wheel ? way : 0, 0, wheel ? 0 : way));
    } else if (def->kind == ABUT_JOINT_DISTANCE) {
        d = abut_scale(def->rest, random_direction(r));
    }
    solver_joint joint = {.b = 1, .def = def, .lever = 1.0};
    joint.local_a = abut_mat3_apply_transposed(a->axes, r_a);
    joint.local_b = abut_mat3_apply_transposed(b->axes, r_b);
    joint.offset = abut_add(d, abut_sub(r_a, r_b));
    joint.frame_a = abut_quat_mul(abut_quat_conjugate(a->rotation), frame);
    joint.frame_b = abut_quat_mul(abut_quat_conjugate(b->rotation), other);
    joint.begun_a = frame;
    joint.begun_b = other;
    return joint;
}

static void test_rates_are_derivatives(void **state) {
    (void)state;
    random_state r = random_make(random_seed("test_rates_are_derivatives", 71));
    const double step = 1e-5;
    for (int k = 0; k < 400; k++) {
        abut_joint_def def = abut_joint_def_default((abut_joint_kind)(k % (ABUT_JOINT_GEAR + 1)));
        def.rest = 1.5;
        def.ratio = -0.7;
        def.limited = k % 2 == 0;
        solver_body bodies[2] = {random_body(&r), random_body(&r)};
        solver_joint joint = random_joint(&r, &def, &bodies[0], &bodies[1]);
        joint_refresh(&joint, bodies);
        joint_row rows[2][JOINT_ROWS];
        for (int side = 0; side < 2; side++) {
            double turned[2] = {joint.turned[0], joint.turned[1]}, time = side == 0 ? -step : step;
            solver_body a = moved_by(bodies[0], bodies[0].velocity, bodies[0].angular_velocity, time),
                        b = moved_by(bodies[1], bodies[1].velocity, bodies[1].angular_velocity, time);
            assert_int_equal(joint_rows(&joint, &a, &b, turned, rows[side]), joint.row_count);
        }
        for (int i = 0; i < joint.row_count; i++) {
            if (joint.rows[i].role == JOINT_HOLDS) {
                assert_near(joint.rows[i].at, 0.0, 1e-14);
            }
            double rate = joint_rate(&joint.rows[i], &bodies[0], &bodies[1]);
            assert_near(rate, (rows[1][i].at - rows[0][i].at) / (2.0 * step), 1e-8);
        }
    }
}

/* After a pass over a single row, rate and impulse are a point of its graph. */
static void test_a_pass_ends_on_the_graph(void **state) {
    (void)state;
    random_state r = random_make(random_seed("test_a_pass_ends_on_the_graph", 72));
    abut_joint_def def = abut_joint_def_default(ABUT_JOINT_DISTANCE);
    def.rest = 1.0;
    def.limited = true;
    for (int k = 0; k < 2000; k++) {
        solver_body bodies[2] = {random_body(&r), random_body(&r)};
        solver_joint joint = random_joint(&r, &def, &bodies[0], &bodies[1]);
        joint_refresh(&joint, bodies);
        joint_row *row = &joint.rows[0];
        double low = random_range(&r, -1.0, 0.5), high = random_range(&r, low, 1.0);
        row->law = (joint_law){random_range(&r, -0.2, 0.2), random_range(&r, 0.0, 0.5), random_range(&r, -1.0, 1.0), 0.0, low, high};
        row->law.most = k % 5 == 0 ? INFINITY : random_range(&r, 0.0, 0.5);
        joint_pass(&joint, bodies);
        const joint_law *law = &row->law;
        double u = joint_rate(row, &bodies[0], &bodies[1]), p = row->impulse, spring = law->constant - law->weight * u;
        double pushed = p - spring, least = u < law->target - 1e-12 ? law->most : -law->most,
               most = u > law->target + 1e-12 ? -law->most : law->most;
        assert_true(u >= low - 1e-12 && u <= high + 1e-12);
        assert_true(pushed >= least - 1e-12 || u >= high - 1e-12);
        assert_true(pushed <= most + 1e-12 || u <= low + 1e-12);
        joint_piece piece = joint_piece_at(row, u, p);
        assert_near(piece.holds ? u : p, piece.holds ? piece.at : piece.at - law->weight * u, 1e-12);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rates_are_derivatives), cmocka_unit_test(test_a_pass_ends_on_the_graph)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
