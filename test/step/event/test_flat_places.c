/*
 * Smooth bodies that rock over flat places ([B90] appendix E), in the event stepper. The oracle is a quadrature: without friction a body that rocks in a plane
 * has one degree of freedom, the angle f. Its centre is at the height h(f), its speed follows from the energy,
 *     (I + m h'^2) f'^2 / 2 + m g h = m g h(f0),
 * and the time from rest to upright is the integral of df / f'. It uses closed forms of h and I, in long double.
 */
#define _GNU_SOURCE
#include <abut/abut.h>

#include <math.h>

#include "support/bodies.h"
#include "support/check.h"
#include "support/random.h"
#include "support/shapes.h"

#define G 9.81

/* ---- the oracle ---- */

typedef struct rocker {
    long double a, c, power;   /* half sizes along x and z; the power of the support function in their plane */
    long double mass, inertia; /* about y */
    long double released;      /* the angle of release */
} rocker;

/* h and its derivative; angle >= 0. */
static long double height(const rocker *r, long double angle, long double *slope) {
    long double x = r->a * sinl(angle), z = r->c * cosl(angle), major = fmaxl(x, z);
    long double h = major * powl(powl(x / major, r->power) + powl(z / major, r->power), 1.0L / r->power);
    *slope = powl(x / h, r->power - 1.0L) * r->a * cosl(angle) - powl(z / h, r->power - 1.0L) * r->c * sinl(angle);
    return h;
}

static long double speed_squared(const rocker *r, long double angle, long double left, long double *slope) {
    long double top, rise = height(r, r->released, &top) - height(r, angle, slope);
    rise = left < 1e-8L ? top * r->released * left : rise; /* without cancellation at the end */
    return 2.0L * r->mass * (long double)G * rise / (r->inertia + r->mass * *slope * *slope);
}

/* The time from rest to upright, by the double exponential rule. It is exact although the integrand has a pole at one end and a power at the other. */
static long double time_to_upright(const rocker *r) {
    const long double step = 0.01L, half_pi = 1.5707963267948966192313217L;
    long double sum = 0.0L;
    for (int k = -450; k <= 450; k++) {
        long double way = half_pi * sinhl(step * k), share = 1.0L / (1.0L + expl(-2.0L * way)), left = 1.0L / (1.0L + expl(2.0L * way));
        long double weight = step * half_pi * coshl(step * k) / (coshl(way) * coshl(way)), slope;
        if (left > 1e-28L && share > 1e-28L) {
            sum += 0.5L * weight * r->released / sqrtl(speed_squared(r, r->released * share, left, &slope));
        }
    }
    return sum;
}

/* Whether the body gets upright, and the plane presses on it all the way: its acceleration, by differences of the speed h' f' over the angle, exceeds -g. */
static bool stays_on(const rocker *r) {
    const int count = 400;
    for (int i = 1; i < count; i++) {
        long double speed[2], angle[2];
        for (int k = 0; k < 2; k++) {
            long double slope;
            angle[k] = r->released * ((long double)i + (k == 0 ? -1e-3L : 1e-3L)) / count;
            long double rate = sqrtl(speed_squared(r, angle[k], 1.0L, &slope));
            speed[k] = -slope * rate; /* downwards */
        }
        long double slope, square = speed_squared(r, 0.5L * (angle[0] + angle[1]), 1.0L, &slope), rate = sqrtl(square);
        if (!(square > 0.0L) || -rate * (speed[1] - speed[0]) / (angle[1] - angle[0]) < -0.99L * (long double)G) {
            return false;
        }
    }
    return true;
}

static void quadrature_of_known_times(void **state) {
    (void)state;
    /* a half circle of a thin disc would be a closed form of another shape; an ellipsoid's small oscillations have one of this */
    rocker r = {.a = 2.0L, .c = 0.5L, .power = 2.0L, .mass = 1.5L, .inertia = 0.3L * 4.25L, .released = 1e-4L};
    assert_near((double)time_to_upright(&r), 0.6753427 / 4.0, 1e-7);
    rocker flat = {.a = 0.5L, .c = 0.3L, .power = 2.0L / 1.7L, .released = 3.14159265358979323846L / 9.0L};
    abut_shape *shape = NULL;
    abut_mass mass;
    assert_ok(abut_shape_create_superquadric(abut_vec3_make(0.5, 0.5, 0.3), 0.3, 0.3, &shape));
    assert_ok(abut_shape_mass(shape, 1.0, &mass));
    flat.mass = mass.mass;
    flat.inertia = mass.inertia.y.y;
    assert_near((double)time_to_upright(&flat), 0.2142, 5e-5);
    abut_shape_release(shape);
}

/* ---- worlds ---- */

typedef struct scene {
    abut_world *world;
    abut_body_id id;
    double lowest; /* energy at rest */
} scene;

static abut_shape *superquadric(abut_vec3 half, double e1, double e2) {
    abut_shape *shape = NULL;
    assert_ok(abut_shape_create_superquadric(half, e1, e2, &shape));
    return shape;
}

/* A world with a body that touches the plane z = 0 of the support from above, at rest. */
static scene make(abut_shape *support, abut_pose of_support, abut_shape *body, abut_quat turn) {
    scene s;
    abut_world_def def = abut_world_def_default();
    def.stepper = ABUT_STEPPER_EVENT;
    def.gravity = abut_vec3_make(0, 0, -G);
    s.world = open_world(def);
    put(s.world, ABUT_BODY_STATIC, support, of_support);
    abut_vec3 down = abut_quat_rotate_inverse(turn, abut_vec3_make(0, 0, -1)), lowest;
    assert_ok(abut_shape_support(body, down, &lowest, NULL));
    s.id = put(s.world, ABUT_BODY_DYNAMIC, body, (abut_pose){{0, 0, abut_dot(lowest, down)}, turn});
    return s;
}

static abut_shape *ground(void) { return plane(abut_vec3_make(0, 0, 1), 0.0); }

/* Runs for `time`. Until an impulse acts, the energy must be kept. Returns whether none acted. */
static bool keeps_energy(scene *s, double time, double size) {
    const int steps = 20;
    double energy = NAN;
    for (int i = 0; i < steps; i++) {
        abut_step_report report;
        assert_ok(abut_world_step(s->world, time / steps, &report));
        double now = report.kinetic_energy + report.potential_energy;
        energy = isnan(energy) ? now : energy;
        if (report.event.impulses > 0) {
            return false;
        }
        assert_near(now, energy, 1e-7 * fabs(energy));
        assert_true(report.max_penetration < 1e-7 * size);
    }
    return true;
}

/* ---- rocking in a plane ---- */

/* Periods, energy and impulses over the class: exponents, sizes from millimetres to a hundred metres, tilts. */
static void rocks_in_a_plane(void **state) {
    (void)state;
    const double exponents[9] = {0.3, 0.2, 0.25, 0.5, 0.7, 0.9, 1.2, 1.5, 1.8};
    random_state random = random_make(random_seed("rocks_in_a_plane", 901));
    int done = 0;
    for (int k = 0; k < 9; k++) {
        double e = exponents[k], size = k == 0 ? 1.0 : random_log_range(&random, 3e-3, 100.0),
               flat = k == 0 ? 0.3 : random_range(&random, 0.2, 0.4);
        double tilt = k == 0 ? PI / 9.0 : random_range(&random, 0.05, 0.4);
        abut_vec3 half = abut_vec3_make(0.5 * size, (k == 0 ? 0.5 : 0.4) * size, flat * size);
        abut_shape *body = superquadric(half, e, k == 0 ? e : random_range(&random, 0.2, 1.8));
        abut_mass mass;
        assert_ok(abut_shape_mass(body, 1000.0, &mass));
        rocker r = {.a = half.x, .c = half.z, .power = 2.0L / (2.0L - e), .mass = mass.mass, .inertia = mass.inertia.y.y, .released = tilt};
        scene s = make(ground(), abut_pose_identity(), body, abut_quat_about(abut_vec3_make(0, 1, 0), tilt));
        if (!stays_on(&r)) { /* with exponents far above 1, the body does not get upright, because its end is sharp */
            assert_true(e > 1.0);
            (void)keeps_energy(&s, 0.3 * sqrt(size), size); /* it may hop */
            abut_world_destroy(s.world);
            continue;
        }
        done++;
        long double slope;
        double quarter = (double)time_to_upright(&r), sink = (double)height(&r, tilt, &slope) - half.z;
        double energy = mass.mass * G * (sink + half.z), available = mass.mass * G * sink, worst = 0.0, off = 0.0;
        for (int step = 1; step <= 40; step++) {
            abut_step_report report;
            assert_ok(abut_world_step(s.world, quarter / 8.0, &report));
            worst = fmax(worst, fabs(report.kinetic_energy + report.potential_energy - energy) / available);
            assert_int_equal(report.contacts, 1);
            assert_int_equal(report.event.impulses, 0);
            assert_true(report.max_penetration < 1e-7 * size);
            abut_body_state b;
            assert_ok(abut_world_body_state(s.world, s.id, &b));
            if (step % 16 == 8) { /* upright after one, three and five quarters of the period */
                off = fmax(off, fabs(2.0 * b.pose.rotation.y / b.motion.angular.y) / quarter);
            } else if (step % 16 == 0) {
                assert_near(fabs(2.0 * asin(b.pose.rotation.y)), tilt, 1e-5 * tilt);
            }
        }
        print_message(
            "exponent %.2f, size %.3g, tilt %.2f: quarter of the period %.8g, times off by %.1e of it, energy by %.1e of the available\n",
            e, size, tilt, quarter, off, worst);
        assert_true(worst < 1e-6 || worst * available < 1e-8 * energy);
        assert_true(off < 1e-6);
        abut_world_destroy(s.world);
    }
    assert_true(done >= 6);
}

/* ---- any rocking ---- */

/* Any exponents, any tilt, on a plane and on a box. A body may hop; then it lands with an impulse. */
static void rocks_in_space(void **state) {
    (void)state;
    random_state random = random_make(random_seed("rocks_in_space", 902));
    int kept = 0;
    for (int sample = 0; sample < 12; sample++) {
        abut_vec3 half = random_vec3(&random, 0.2, 0.5);
        abut_vec3 axis = abut_vec3_make(random_range(&random, -1, 1), random_range(&random, -1, 1), 0.1);
        abut_quat turn = abut_quat_about(abut_unit(axis), random_range(&random, 0.05, 0.4));
        abut_shape *body = superquadric(half, random_range(&random, 0.2, 1.8), random_range(&random, 0.2, 1.8));
        scene s = sample % 3 == 2 ? make(box(2, 2, 0.5), (abut_pose){{0, 0, -0.5}, {0, 0, 0, 1}}, body, turn)
                                  : make(ground(), abut_pose_identity(), body, turn);
        kept += keeps_energy(&s, 0.4, 0.4);
        abut_world_destroy(s.world);
    }
    assert_true(kept >= 6);
}

/* A turn about the vertical leaves rounding errors across the rocking, which the flat direction must not amplify. */
static void rocks_turned(void **state) {
    (void)state;
    const double exponents[3] = {0.5, 0.7, 0.3};
    for (int k = 0; k < 3; k++) {
        abut_quat turn = abut_quat_mul(abut_quat_about(abut_vec3_make(0, 0, 1), 0.2 + k), abut_quat_about(abut_vec3_make(0, 1, 0), 0.3));
        scene s = make(ground(), abut_pose_identity(), superquadric(abut_vec3_make(0.5, 0.5, 0.3), exponents[k], exponents[k]), turn);
        assert_true(keeps_energy(&s, 0.3, 1.0));
        abut_world_destroy(s.world);
    }
}

/* A box on the flat top of a superquadric. */
static void box_on_a_flat_top(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        abut_shape *top = superquadric(abut_vec3_make(0.5, 0.4, 0.3), 0.6 + 0.1 * k, 0.6 + 0.1 * k);
        scene s = make(top, (abut_pose){{0, 0, -0.3}, {0, 0, 0, 1}}, box(0.2, 0.15, 0.1), abut_quat_make(0, 0, 0, 1));
        assert_true(keeps_energy(&s, 0.3, 0.4));
        abut_world_destroy(s.world);
    }
}

/* Two flat places on each other: the energy is kept or the step says that it cannot. */
static void flat_on_flat(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        double e = k == 0 ? 0.3 : 0.7;
        scene s = make(superquadric(abut_vec3_make(0.5, 0.4, 0.3), e, e), (abut_pose){{0, 0, -0.3}, {0, 0, 0, 1}},
                       superquadric(abut_vec3_make(0.2, 0.15, 0.1), e, e), abut_quat_make(0, 0, 0, 1));
        abut_step_report report;
        double energy = NAN;
        abut_status status = ABUT_OK;
        for (int i = 0; i < 10 && status == ABUT_OK; i++) {
            status = abut_world_step(s.world, 0.01, &report);
            double now = status == ABUT_OK ? report.kinetic_energy + report.potential_energy : energy;
            energy = isnan(energy) ? now : energy;
            assert_true(status != ABUT_OK || fabs(now - energy) < 1e-7 * fabs(energy));
        }
        assert_true(status == ABUT_OK || status == ABUT_ERROR_ITERATION_LIMIT);
        abut_world_destroy(s.world);
    }
}

/* ---- capsules ---- */

/* A capsule that falls over comes to lie on its side and sinks no deeper than `touching`. */
static void capsule_falls_over(void **state) {
    (void)state;
    random_state random = random_make(random_seed("capsule_falls_over", 903));
    double deepest = 0.0;
    for (int sample = 0; sample < 6; sample++) {
        double radius = random_range(&random, 0.05, 0.2), half = random_range(&random, 0.05, 0.5), size = 2.0 * (radius + half);
        abut_shape *capsule = NULL;
        assert_ok(abut_shape_create_capsule(radius, half, &capsule));
        abut_quat turn = abut_quat_about(abut_vec3_make(0, 1, 0), PI / 2.0 - random_range(&random, 0.0, 0.8));
        scene s = sample % 2 ? make(ground(), abut_pose_identity(), capsule, turn)
                             : make(box(2, 2, 0.5), (abut_pose){{0, 0, -0.5}, {0, 0, 0, 1}}, capsule, turn);
        for (int i = 0; i < 60; i++) {
            abut_step_report report;
            assert_ok(abut_world_step(s.world, 0.02, &report));
            deepest = fmax(deepest, report.max_penetration / size);
        }
        abut_world_destroy(s.world);
    }
    print_message("deepest: %.2e of the size\n", deepest);
    assert_true(deepest <= 1e-6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quadrature_of_known_times),
        cmocka_unit_test(rocks_in_a_plane),
        cmocka_unit_test(rocks_in_space),
        cmocka_unit_test(rocks_turned),
        cmocka_unit_test(box_on_a_flat_top),
        cmocka_unit_test(flat_on_flat),
        cmocka_unit_test(capsule_falls_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
