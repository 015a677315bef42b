/*
 * Gradients of depths compared with central differences, in every mode. Gradients must balance as forces and torques.
 */
#include <abut/tetra.h>

#include <stdio.h>
#include <string.h>

#include "support/check.h"
#include "support/tetra_case.h"

static double *coordinate(tetra_case *c, int32_t i, int32_t axis) {
    abut_vec3 *v = i < 4 ? &c->a.vertex[i] : &c->b.vertex[i - 4];
    return axis == 0 ? &v->x : axis == 1 ? &v->y : &v->z;
}

static bool is_there(const tetra_case *c, int32_t i) { return i < 4 ? i < c->a.count : i - 4 < c->b.count; }

/* True if the normals are nearly equal and belong to the same direction and features. Otherwise, and where other vertices begin to be displaced, differences
 * are meaningless. */
static bool is_smooth(const abut_depth *d, const abut_depth *low, const abut_depth *high) {
    bool same = low->direction == d->direction && high->direction == d->direction && low->feature_a == d->feature_a &&
                high->feature_a == d->feature_a && low->feature_b == d->feature_b && high->feature_b == d->feature_b;
    return same && low->relation == d->relation && high->relation == d->relation && abut_dot(low->normal, high->normal) > 0.999;
}

typedef struct record {
    int32_t compared, skipped;
    double worst;
} record;

/* The difference over two step lengths shows its own accuracy. */
static void compare(tally *t, record *r, const tetra_case *c, const abut_depth_settings *s, const abut_depth *d,
                    const abut_vec3 *gradient) {
    for (int32_t i = 0; i < 8; ++i) {
        for (int32_t axis = 0; axis < 3 && is_there(c, i); ++axis) {
            double difference[2];
            bool smooth = true;
            for (int k = 0; k < 2; ++k) {
                double step = k == 0 ? 2e-5 : 1e-5;
                tetra_case near = *c;
                abut_depth low, high;
                *coordinate(&near, i, axis) -= step;
                assert_ok(abut_simplex_depth(&near.a, &near.b, s, &low));
                *coordinate(&near, i, axis) = *coordinate((tetra_case *)c, i, axis) + step;
                assert_ok(abut_simplex_depth(&near.a, &near.b, s, &high));
                smooth = smooth && is_smooth(d, &low, &high);
                difference[k] = (high.depth - low.depth) / (2.0 * step);
            }
            double actual = axis == 0 ? gradient[i].x : axis == 1 ? gradient[i].y : gradient[i].z;
            double error = fabs(actual - difference[1]), spread = fabs(difference[0] - difference[1]);
            if (!smooth || spread > 1e-6) {
                ++r->skipped;
            } else if (!(error <= 1e-8 + 4.0 * spread)) {
                tally_fail(t, "gradient", "vertex %d, axis %d: %.10g, differences %.10g and %.10g", (int)i, (int)axis, actual,
                           difference[0], difference[1]);
            } else {
                ++r->compared;
                r->worst = fmax(r->worst, error);
            }
        }
    }
}

/* A depth does not change when both bodies are translated or rotated together. */
static void check_balance(tally *t, const tetra_case *c, const abut_vec3 *gradient) {
    abut_vec3 force = {0.0, 0.0, 0.0}, torque = {0.0, 0.0, 0.0};
    double most = 0.0;
    for (int32_t i = 0; i < 8; ++i) {
        if (is_there(c, i)) {
            abut_vec3 x = i < 4 ? c->a.vertex[i] : c->b.vertex[i - 4];
            force = abut_add(force, gradient[i]);
            torque = abut_add(torque, abut_cross(x, gradient[i]));
            most = fmax(most, abut_length(gradient[i]));
        }
    }
    if (!(abut_length(force) <= 1e-12 * most) || !(abut_length(torque) <= 1e-8 * most)) {
        tally_fail(t, "balance", "force %g, torque %g of %g", abut_length(force), abut_length(torque), most);
    }
}

static void check_mode(abut_depth_mode mode, double weight_a, double weight_b, double ratio, tetra_kind kind, uint64_t seed) {
    abut_depth_settings s = {.mode = mode, .best_k = 6, .weight_a = weight_a, .weight_b = weight_b, .volume_ratio = ratio};
    random_state random = random_make(random_seed("gradient", seed));
    static tally t;
    memset(&t, 0, sizeof t);
    record r = {0, 0, 0.0};
    int32_t full = mode >= ABUT_DEPTH_FREE_LOCAL && ratio > -INFINITY ? 200 : 1000; /* these search longer */
    for (int32_t i = 0, count = random_samples("gradient", full); i < count; ++i) {
        tetra_case c = tetra_case_intersecting(&random, kind);
        abut_depth d;
        abut_vec3 gradient[8];
        assert_ok(abut_simplex_depth(&c.a, &c.b, &s, &d));
        assert_ok(abut_depth_gradient(&c.a, &c.b, &s, &d, gradient, gradient + 4));
        tally_sample(&t, "sample %d, mode %d, weights %g %g, ratio %g", (int)i, (int)mode, weight_a, weight_b, ratio);
        if (d.depth < 1e-2) {
            continue; /* the depth has a kink within the steps */
        }
        compare(&t, &r, &c, &s, &d, gradient);
        check_balance(&t, &c, gradient);
    }
    printf("mode %d, weights %g %g, ratio %g: %d compared, worst %.2g, %d at bends\n", (int)mode, weight_a, weight_b, ratio,
           (int)r.compared, r.worst, (int)r.skipped);
    tally_end(&t);
    assert_true(r.compared > 10 * r.skipped);
}

static void test_modes(void **state) {
    (void)state;
    for (int mode = 0; mode <= ABUT_DEPTH_FREE; ++mode) {
        check_mode((abut_depth_mode)mode, 2.5, 1.0, -INFINITY, TETRA_UNIFORM, 21);
        check_mode((abut_depth_mode)mode, INFINITY, 1.0, -INFINITY, TETRA_UNIFORM, 22);
        check_mode((abut_depth_mode)mode, 1.0, INFINITY, -INFINITY, TETRA_UNIFORM, 23);
    }
}

/* A valley in which the local search made small steps from wall to wall, and stopped before its end. */
static void test_narrow_valley(void **state) {
    (void)state;
    abut_depth_settings s = abut_depth_settings_default();
    s.mode = ABUT_DEPTH_FREE_LOCAL;
    s.weight_a = 2.5;
    random_state random = random_make(3);
    tetra_case c = tetra_case_intersecting(&random, TETRA_UNIFORM);
    for (int32_t i = 0; i < 776; ++i) {
        c = tetra_case_intersecting(&random, TETRA_UNIFORM);
    }
    abut_depth d;
    abut_vec3 gradient[8];
    static tally t;
    record r = {0, 0, 0.0};
    assert_ok(abut_simplex_depth(&c.a, &c.b, &s, &d));
    assert_ok(abut_depth_gradient(&c.a, &c.b, &s, &d, gradient, gradient + 4));
    tally_sample(&t, "the valley");
    compare(&t, &r, &c, &s, &d, gradient);
    check_balance(&t, &c, gradient);
    tally_end(&t);
    assert_int_equal(r.compared, 24);
}

/* No normal next to that of the local search is better. Weights far apart bend F the most. */
static void test_local_is_a_minimum(void **state) {
    (void)state;
    random_state random = random_make(random_seed("minimum", 30));
    static tally t;
    for (int32_t i = 0, samples = random_samples("minimum", 20000); i < samples; ++i) {
        tetra_kind kind = (tetra_kind)random_below(&random, TETRA_KINDS);
        tetra_case c = tetra_case_intersecting(&random, kind);
        abut_depth_settings s = {ABUT_DEPTH_FREE_LOCAL, 6, random_log_range(&random, 1e-6, 1e6), 1.0, -INFINITY};
        abut_depth d, near;
        assert_ok(abut_simplex_depth(&c.a, &c.b, &s, &d));
        abut_vec3 u, v;
        abut_tangent_frame(d.normal, &u, &v);
        tally_sample(&t, "sample %d, kind %d, weight %g: %s", (int)i, (int)kind, s.weight_a, tetra_case_text(&c));
        for (int32_t k = 0; k < 16; ++k) {
            double angle = k * 0.125 * acos(-1.0), step = k % 2 == 0 ? 1e-4 : 1e-6;
            abut_vec3 n = abut_add_scaled(abut_add_scaled(d.normal, step * cos(angle), u), step * sin(angle), v);
            assert_ok(abut_simplex_depth_along(&c.a, &c.b, n, &s, &near));
            if (!(near.depth >= d.depth * (1.0 - 1e-9))) {
                tally_fail(&t, "minimum", "%.17g beside %.17g, at %g", near.depth, d.depth, step);
            }
        }
    }
    tally_end(&t);
}

static void test_volume_ratio(void **state) {
    (void)state;
    for (int mode = 0; mode <= ABUT_DEPTH_FREE; ++mode) {
        if (mode != ABUT_DEPTH_PAPER) {
            check_mode((abut_depth_mode)mode, 1.0, 1.0, 0.3, TETRA_UNIFORM, 24);
            check_mode((abut_depth_mode)mode, INFINITY, 1.0, 0.3, TETRA_UNIFORM, 25);
        }
    }
}

static void test_other_simplices(void **state) {
    (void)state;
    check_mode(ABUT_DEPTH_EXACT44, 1.0, 1.0, -INFINITY, TETRA_MIXED, 26);
    check_mode(ABUT_DEPTH_FREE, 1.0, 1.0, -INFINITY, TETRA_MIXED, 27);
    check_mode(ABUT_DEPTH_FREE, INFINITY, 1.0, -INFINITY, TETRA_MIXED, 28);
}

/* A face of B with an edge so short that it is lost in coordinates relative to A: its normal, and how that turns, must not depend on which body is A. */
static void test_needle_exchanged(void **state) {
    (void)state;
    random_state random = random_make(random_seed("needle", 45));
    static tally t;
    int32_t compared = 0, samples = random_samples("needle", 200000);
    double worst = 0.0;
    for (int32_t i = 0; i < samples; ++i) {
        tetra_case c = tetra_case_make(&random, TETRA_UNIFORM);
        abut_vec3 inside = abut_scale(0.25, abut_add(abut_add(c.a.vertex[0], c.a.vertex[1]), abut_add(c.a.vertex[2], c.a.vertex[3])));
        for (int32_t k = 0; k < 4; ++k) {
            c.a.vertex[k] = abut_sub(c.a.vertex[k], inside);
            c.b.vertex[k] = abut_sub(c.b.vertex[k], inside);
        }
        c.b.vertex[0] = abut_vec3_make(0, 0, 0);
        c.b.vertex[1] = abut_scale(random_log_range(&random, 1e-16, 1e-9), random_direction(&random));
        abut_depth d, e;
        abut_vec3 gradient[8], exchanged[8];
        assert_ok(abut_simplex_depth(&c.a, &c.b, NULL, &d));
        assert_ok(abut_simplex_depth(&c.b, &c.a, NULL, &e));
        if (d.direction != ABUT_DEPTH_BY_FACE_B || e.feature_a != d.feature_b || !(d.depth > 1e-3)) {
            continue;
        }
        assert_ok(abut_depth_gradient(&c.a, &c.b, NULL, &d, gradient, gradient + 4));
        assert_ok(abut_depth_gradient(&c.b, &c.a, NULL, &e, exchanged + 4, exchanged));
        double most = 0.0, off = 0.0;
        for (int32_t k = 0; k < 8; ++k) {
            most = fmax(most, abut_length(gradient[k]));
            off = fmax(off, abut_distance_between(gradient[k], exchanged[k]));
        }
        tally_sample(&t, "sample %d: %s", (int)i, tetra_case_text(&c));
        ++compared;
        worst = fmax(worst, off / most);
        if (!(off <= 1e-9 * most)) {
            tally_fail(&t, "exchanged", "off by %g of %g", off, most);
        }
    }
    printf("needle: %d compared, off by at most %.2g\n", (int)compared, worst);
    assert_true(compared > 100);
    tally_end(&t);
}

static void test_refusals(void **state) {
    (void)state;
    random_state random = random_make(29);
    tetra_case c = tetra_case_intersecting(&random, TETRA_UNIFORM);
    abut_depth d, wrong;
    abut_vec3 gradient[8], before[8];
    memset(gradient, 5, sizeof gradient);
    memcpy(before, gradient, sizeof gradient);
    assert_ok(abut_simplex_depth(&c.a, &c.b, NULL, &d));
    assert_status(abut_depth_gradient(&c.a, &c.b, NULL, NULL, gradient, gradient + 4), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_depth_gradient(&c.a, &c.b, NULL, &d, NULL, gradient + 4), ABUT_ERROR_INVALID_ARGUMENT);
    wrong = d;
    wrong.feature_a = 99;
    wrong.direction = ABUT_DEPTH_BY_EDGES;
    assert_status(abut_depth_gradient(&c.a, &c.b, NULL, &wrong, gradient, gradient + 4), ABUT_ERROR_INVALID_ARGUMENT);
    wrong = d;
    wrong.normal = abut_vec3_make(NAN, 0, 0);
    assert_status(abut_depth_gradient(&c.a, &c.b, NULL, &wrong, gradient, gradient + 4), ABUT_ERROR_INVALID_ARGUMENT);
    wrong = d;
    wrong.displacement_a[1].y = NAN;
    assert_status(abut_depth_gradient(&c.a, &c.b, NULL, &wrong, gradient, gradient + 4), ABUT_ERROR_NOT_FINITE);
    assert_memory_equal(gradient, before, sizeof before);
    /* For bodies apart, the depth is zero and has no gradient. */
    wrong = d;
    wrong.relation = ABUT_DEPTH_DISJOINT;
    assert_ok(abut_depth_gradient(&c.a, &c.b, NULL, &wrong, gradient, gradient + 4));
    assert_vec3_near(gradient[5], abut_vec3_make(0, 0, 0), 0.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_modes),        cmocka_unit_test(test_narrow_valley),   cmocka_unit_test(test_local_is_a_minimum),
        cmocka_unit_test(test_volume_ratio), cmocka_unit_test(test_other_simplices), cmocka_unit_test(test_needle_exchanged),
        cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
