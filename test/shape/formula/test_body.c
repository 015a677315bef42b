/*
 * Bodies given by formulas: an ellipsoid by formula touches as the built-in one, a torus by formula is met by rays where its closed form says and has the mass
 * and curvature of one, checks of derivatives pass, and every refusal has its words.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <abut/formula.h>
#include <abut/query.h>

#include "shape/digest.h"
#include "shape/formula/body.h"
#include "shape/shape.h"
#include "shape/user.h"
#include "support/allocator.h"
#include "support/check.h"
#include "support/random.h"

static abut_implicit_formula_def ellipsoid_def(const abut_formula_parameter half[3]) {
    abut_vec3 room = {1.1 * half[0].value, 1.2 * half[1].value, 1.3 * half[2].value};
    return (abut_implicit_formula_def){.formula = "(x / a)^2 + (y / b)^2 + (z / c)^2 - 1",
                                       .parameters = half,
                                       .parameter_count = 3,
                                       .bounds = {abut_neg(room), room},
                                       .convex = true};
}

static abut_parametric_formula_def ellipsoid_surface(const abut_formula_parameter half[3]) {
    return (abut_parametric_formula_def){.x = "a * cos(2 * pi * u) * cos(v)",
                                         .y = "b * sin(2 * pi * u) * cos(v)",
                                         .z = "c * sin(v)",
                                         .parameters = half,
                                         .parameter_count = 3,
                                         .u_range = {0.0, 1.0},
                                         .v_range = {-0.5 * PI, 0.5 * PI},
                                         .u_periodic = true,
                                         .convex = true};
}

/* Deep overlaps have several nearly equal ways out, so bodies are near each other or touch lightly. */
static abut_pose beside(random_state *random, const abut_shape *a, const abut_shape *b, abut_pose pose_a) {
    abut_pose pose = {abut_vec3_make(0, 0, 0), random_rotation(random)};
    abut_vec3 way = random_direction(random), on_a, on_b;
    assert_ok(abut_shape_support(a, abut_quat_rotate_inverse(pose_a.rotation, way), &on_a, NULL));
    assert_ok(abut_shape_support(b, abut_quat_rotate_inverse(pose.rotation, abut_neg(way)), &on_b, NULL));
    abut_vec3 touching = abut_sub(abut_pose_apply(pose_a, on_a), abut_quat_rotate(pose.rotation, on_b));
    pose.position = abut_add_scaled(touching, random_range(random, -0.03, 0.005), way);
    return pose;
}

static void compare_contacts(const abut_pair *mine, const abut_pair *own, tally *t) {
    abut_contact c[8], d[8];
    int32_t count = 0, own_count = 0;
    assert_ok(abut_collide(mine, NULL, NULL, c, 8, &count));
    assert_ok(abut_collide(own, NULL, NULL, d, 8, &own_count));
    if (count != own_count) {
        tally_fail(t, "count", "%d instead of %d", (int)count, (int)own_count);
        return;
    }
    for (int32_t i = 0; i < count; ++i) {
        double off = fabs(c[i].gap - d[i].gap), aside = abut_distance_between(c[i].on_a, d[i].on_a),
               turn = abut_distance_between(c[i].normal, d[i].normal);
        if (!(off <= 1e-12)) {
            tally_fail(t, "gap", "off by %.3g", off);
        }
        if (!(aside <= 1e-12) || !(turn <= 1e-12)) {
            tally_fail(t, "point or normal", "point off by %.3g, normal by %.3g", aside, turn);
        }
    }
}

static void ellipsoid_touches_as_the_built_in(void **ignored) {
    (void)ignored;
    random_state random = random_make(random_seed("ellipsoid", 7721));
    abut_shape *others[4];
    assert_ok(abut_shape_create_sphere(0.4, &others[0]));
    assert_ok(abut_shape_create_box(abut_vec3_make(0.4, 0.6, 0.5), &others[1]));
    assert_ok(abut_shape_create_ellipsoid(abut_vec3_make(0.7, 0.3, 0.5), &others[2]));
    assert_ok(abut_shape_create_capsule(0.2, 0.5, &others[3]));
    int32_t samples = random_samples("ellipsoid", 10), touching = 0;
    tally t = {.kinds = 0};
    for (int32_t i = 0; i < samples; ++i) {
        const abut_formula_parameter half[] = {
            {"a", random_range(&random, 0.4, 1)}, {"b", random_range(&random, 0.4, 1)}, {"c", random_range(&random, 0.4, 1)}};
        const abut_implicit_formula_def implicit = ellipsoid_def(half);
        const abut_parametric_formula_def parametric = ellipsoid_surface(half);
        abut_shape *mine[2], *own;
        abut_formula_error error;
        assert_ok(abut_shape_create_implicit_formula(&implicit, &error, &mine[0]));
        assert_ok(abut_shape_create_parametric_formula(&parametric, NULL, &mine[1]));
        assert_ok(abut_shape_create_ellipsoid(abut_vec3_make(half[0].value, half[1].value, half[2].value), &own));
        for (int k = 0; k < 8; ++k) {
            const abut_shape *other = others[k % 4];
            abut_pose pose_a = random_pose(&random, 0.5), pose_b = beside(&random, own, other, pose_a);
            for (int m = 0; m < 2; ++m) {
                tally_sample(&t, "sample %d, other %d, %s", (int)i, k % 4, m == 0 ? "implicit" : "parametric");
                compare_contacts(&(abut_pair){mine[m], pose_a, other, pose_b}, &(abut_pair){own, pose_a, other, pose_b}, &t);
            }
            touching++;
        }
        for (int m = 0; m < 2; ++m) {
            assert_near(mine[m]->unit_mass.volume, own->unit_mass.volume, 1e-11 * own->unit_mass.volume);
            assert_near(mine[m]->unit_mass.inertia.y.y, own->unit_mass.inertia.y.y, 1e-11);
            abut_shape_release(mine[m]);
        }
        abut_shape_release(own);
    }
    assert_true(touching > 0);
    for (int k = 0; k < 4; ++k) {
        abut_shape_release(others[k]);
    }
    tally_end(&t);
}

static abut_implicit_formula_def torus_def(const abut_formula_parameter radii[2]) {
    double wide = 1.01 * (radii[0].value + radii[1].value), high = 1.01 * radii[1].value;
    return (abut_implicit_formula_def){.formula = "(hypot(x, y) - R)^2 + z^2 - r^2",
                                       .parameters = radii,
                                       .parameter_count = 2,
                                       .bounds = {abut_vec3_make(-wide, -wide, -high), abut_vec3_make(wide, wide, high)},
                                       .inside = abut_vec3_make(radii[0].value, 0.0, 0.0)};
}

static abut_implicit_point value_of(const abut_shape *shape, abut_vec3 point) {
    abut_implicit_def def;
    abut_implicit_point at;
    assert_ok(abut_shape_implicit(shape, &def));
    def.function(def.context, point, &at);
    return at;
}

/* The quartic of a ray o + t d and a torus: (|p|^2 + R^2 - r^2)^2 - 4 R^2 (p_x^2 + p_y^2), in long double. */
static long double quartic(abut_vec3 o, abut_vec3 d, double R, double r, long double t) {
    long double x = o.x + t * d.x, y = o.y + t * d.y, z = o.z + t * d.z,
                k = x * x + y * y + z * z + (long double)R * R - (long double)r * r;
    return k * k - 4.0L * R * R * (x * x + y * y);
}

/* Along a ray the formula changes its sign where the quartic does, and the slope along the ray is the derivative there. */
static void check_along_rays(const abut_shape *torus) {
    enum { STEPS = 400 };
    random_state random = random_make(random_seed("rays", 7722));
    int crossings = 0;
    for (int i = 0; i < 100; ++i) {
        abut_vec3 from = abut_scale(4.0, random_direction(&random)), to = random_vec3(&random, -2.0, 2.0),
                  d = abut_unit(abut_sub(to, from));
        for (int k = 0; k < STEPS; ++k) {
            long double low = 8.0L * k / STEPS, high = 8.0L * (k + 1) / STEPS;
            long double at_low = quartic(from, d, 2.0, 0.5, low);
            if ((at_low > 0.0L) == (quartic(from, d, 2.0, 0.5, high) > 0.0L)) {
                continue;
            }
            for (int n = 0; n < 70; ++n) {
                long double middle = 0.5L * (low + high);
                bool same = (quartic(from, d, 2.0, 0.5, middle) > 0.0L) == (at_low > 0.0L);
                low = same ? middle : low;
                high = same ? high : middle;
            }
            abut_vec3 point = abut_add_scaled(from, (double)low, d);
            abut_implicit_point at = value_of(torus, point);
            assert_near(at.value, 0.0, 1e-14);
            double little = 1e-6, ahead = value_of(torus, abut_add_scaled(point, little, d)).value,
                   behind = value_of(torus, abut_add_scaled(point, -little, d)).value, steep = abut_dot(at.gradient, d);
            assert_near((ahead - behind) / (2.0 * little), steep, 1e-8);
            assert_near((ahead - 2.0 * at.value + behind) / (little * little), abut_dot(d, abut_mat3_apply(at.hessian, d)), 1e-2);
            assert_true(fabs(steep) < 1e-3 || (steep < 0.0) == (at_low > 0.0L));
            crossings++;
        }
    }
    assert_true(crossings > 40);
}

/* V = 2 pi^2 R r^2; about the axis I = V (R^2 + 3/4 r^2). Curvatures 1/r and -1/(R - r) inside the ring. */
static void tori(void **ignored) {
    (void)ignored;
    const double R = 2.0, r = 0.5, volume = 2.0 * PI * PI * R * r * r;
    const abut_formula_parameter radii[] = {{"R", R}, {"r", r}};
    const abut_implicit_formula_def implicit = torus_def(radii);
    const abut_parametric_formula_def parametric = {.x = "(R + r * cos(v)) * cos(u)",
                                                    .y = "(R + r * cos(v)) * sin(u)",
                                                    .z = "r * sin(v)",
                                                    .parameters = radii,
                                                    .parameter_count = 2,
                                                    .u_range = {0.0, 2.0 * PI},
                                                    .v_range = {0.0, 2.0 * PI},
                                                    .u_periodic = true,
                                                    .v_periodic = true};
    abut_shape *shapes[3];
    assert_ok(abut_shape_create_implicit_formula(&implicit, NULL, &shapes[0]));
    assert_ok(abut_shape_create_parametric_formula(&parametric, NULL, &shapes[1]));
    assert_ok(abut_shape_create_torus(R, r, &shapes[2]));
    for (int i = 0; i < 3; ++i) {
        double exactly = i == 0 ? 1e-4 : 1e-12;
        abut_mass m;
        abut_curvature c;
        assert_ok(abut_shape_mass(shapes[i], 1.0, &m));
        assert_near(m.volume, volume, exactly * volume);
        assert_near(m.inertia.z.z, volume * (R * R + 0.75 * r * r), exactly * volume * R * R);
        assert_ok(abut_shape_curvature_at(shapes[i], abut_vec3_make(R - r, 0.0, 0.0), &c));
        assert_vec3_near(c.normal, abut_vec3_make(-1, 0, 0), 1e-9);
        assert_near(c.curvature[0], -1.0 / (R - r), 1e-9);
        assert_near(c.curvature[1], 1.0 / r, 1e-9);
    }
    /* The formula and the built-in torus are the same surface. */
    abut_parametric_def def, own;
    abut_implicit_def none;
    assert_ok(abut_shape_parametric(shapes[1], &def));
    assert_ok(abut_shape_parametric(shapes[2], &own));
    assert_status(abut_shape_implicit(shapes[1], &none), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_parametric(shapes[0], &own), ABUT_ERROR_INVALID_ARGUMENT);
    for (int i = 0; i < 200; ++i) {
        abut_parametric_point p, q;
        double u = 0.0314 * i, v = 0.17 * i;
        def.function(def.context, u, v, &p);
        own.function(own.context, u, v, &q);
        assert_vec3_near(p.s, q.s, 1e-15 * 4);
        assert_vec3_near(p.su, q.su, 1e-14);
        assert_vec3_near(p.sv, q.sv, 1e-14);
        assert_vec3_near(p.suu, q.suu, 1e-14);
        assert_vec3_near(p.suv, q.suv, 1e-14);
        assert_vec3_near(p.svv, q.svv, 1e-14);
        assert_near(value_of(shapes[0], q.s).value, 0.0, 1e-14);
    }
    assert_ok(abut_parametric_check(&def, NULL));
    assert_ok(abut_parametric_check(&own, NULL));
    abut_derivative_report report;
    assert_ok(abut_shape_implicit(shapes[0], &none));
    assert_ok(abut_implicit_check(&none, &report));
    check_along_rays(shapes[0]);
    for (int i = 0; i < 3; ++i) {
        abut_shape_release(shapes[i]);
    }
    abut_shape *unmade = NULL;
    assert_status(abut_shape_create_torus(0.5, 0.5, &unmade), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_create_torus(1.0, 0.0, &unmade), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_create_torus(NAN, 0.5, &unmade), ABUT_ERROR_NOT_FINITE);
    assert_status(abut_shape_create_torus(1e200, 1e-200, &unmade), ABUT_ERROR_INVALID_ARGUMENT);
    assert_null(unmade);
}

/* A saved state belongs to the formulas, not only to samples of the surface. */
static void digests(void **ignored) {
    (void)ignored;
    const abut_formula_parameter half[] = {{"a", 0.5}, {"b", 0.6}, {"c", 0.7}};
    abut_implicit_formula_def def = ellipsoid_def(half);
    abut_shape *shapes[3];
    assert_ok(abut_shape_create_implicit_formula(&def, NULL, &shapes[0]));
    assert_ok(abut_shape_create_implicit_formula(&def, NULL, &shapes[1]));
    def.formula = "(z / c)^2 + (y / b)^2 + (x / a)^2 - 1";
    assert_ok(abut_shape_create_implicit_formula(&def, NULL, &shapes[2]));
    uint64_t digest[3];
    for (int i = 0; i < 3; ++i) {
        digest[i] = formula_digest(1, shapes[i]->user->formula);
    }
    assert_true(digest[0] == digest[1] && digest[0] != digest[2]);
    assert_true(shape_digest(shapes[0]) == shape_digest(shapes[1]) && shape_digest(shapes[0]) != shape_digest(shapes[2]));
    for (int i = 0; i < 3; ++i) {
        abut_shape_release(shapes[i]);
    }
}

typedef struct refusal {
    const char *formula;
    abut_status status;
    int column;
    const char *words;
} refusal;

static void refused_formulas(void **ignored) {
    (void)ignored;
    static const refusal cases[] = {
        {"x^2 + y^2 + z^2 - k", ABUT_ERROR_INVALID_ARGUMENT, 19, "unknown name 'k'"},
        {"", ABUT_ERROR_INVALID_ARGUMENT, 1, "found the end"},
        {NULL, ABUT_ERROR_INVALID_ARGUMENT, 0, "formula is NULL"},
        {"x^2 + y^2 + z^2 + 1", ABUT_ERROR_INVALID_ARGUMENT, 0, "function at inside is 1: it must be below 0"},
        {"log(x - 1) + y^2 + z^2", ABUT_ERROR_NOT_FINITE, 0, "function at inside is NaN: it must be finite"},
        {"1 / x - y", ABUT_ERROR_NOT_FINITE, 0, "function at inside is infinite: it must be finite"},
        {"x^2 + y^2 - 1", ABUT_ERROR_INVALID_ARGUMENT, 0, "a ray from inside leaves bounds before it meets the surface"},
        {"x^2 + y^2 + z^2 - 100", ABUT_ERROR_INVALID_ARGUMENT, 0, "a ray from inside leaves bounds"},
        /* a zero of third order: the gradient is zero too, up to noise */
        {"(x^2 + y^2 + z^2 - 1)^3", ABUT_ERROR_NOT_CONVEX, 0, "the surface is not convex, although convex is set"},
        {"x^4 - 1.8 * x^2 + y^2 + z^2 - 0.2", ABUT_ERROR_NOT_CONVEX, 0, "the surface is not convex, although convex is set"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const abut_implicit_formula_def def = {.formula = cases[i].formula, .bounds = {{-2, -2, -2}, {2, 2, 2}}, .convex = true};
        abut_formula_error error = {.column = -1};
        abut_shape *none = NULL;
        abut_status status = abut_shape_create_implicit_formula(&def, &error, &none);
        if (status != cases[i].status || error.column != cases[i].column || strstr(error.message, cases[i].words) == NULL) {
            fail_msg("'%s': %s, column %d: %s", cases[i].formula, abut_status_name(status), (int)error.column, error.message);
        }
        assert_status(abut_shape_create_implicit_formula(&def, NULL, &none), cases[i].status);
        assert_null(none);
    }
}

static void refused_parameters(void **ignored) {
    (void)ignored;
    static const struct {
        abut_formula_parameter parameters[2];
        int32_t count;
        abut_status status;
        const char *words;
    } cases[] = {{{{"r", 1.0}, {"q", 1.0}}, 2, ABUT_ERROR_INVALID_ARGUMENT, "the parameter 'q' is in no formula"},
                 {{{"r", 1.0}, {"r", 1.0}}, 2, ABUT_ERROR_INVALID_ARGUMENT, "two parameters 'r'"},
                 {{{"r", 1.0}, {"sin", 1.0}}, 2, ABUT_ERROR_INVALID_ARGUMENT, "'sin' has the name of a function"},
                 {{{"r", 1.0}, {"x", 1.0}}, 2, ABUT_ERROR_INVALID_ARGUMENT, "'x' has the name of a function, a variable"},
                 {{{"r", 1.0}, {"2r", 1.0}}, 2, ABUT_ERROR_INVALID_ARGUMENT, "no name of a letter"},
                 {{{"r", 1.0}, {"", 1.0}}, 2, ABUT_ERROR_INVALID_ARGUMENT, "no name of a letter"},
                 {{{"r", 1.0}, {NULL, 1.0}}, 2, ABUT_ERROR_INVALID_ARGUMENT, "parameters[1].name is NULL"},
                 {{{"r", NAN}}, 1, ABUT_ERROR_NOT_FINITE, "'r' is not finite"},
                 {{{"r", 0.0}}, 1, ABUT_ERROR_INVALID_ARGUMENT, "division by zero"},
                 {{{"r", 1.0}}, -1, ABUT_ERROR_INVALID_ARGUMENT, "parameter_count is -1: it must be from 0 to 64"},
                 {{{"r", 1.0}}, 65, ABUT_ERROR_INVALID_ARGUMENT, "parameter_count is 65"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const abut_implicit_formula_def def = {.formula = "x^2 + y^2 + z^2 / r - 1",
                                               .parameters = cases[i].parameters,
                                               .parameter_count = cases[i].count,
                                               .bounds = {{-2, -2, -2}, {2, 2, 2}},
                                               .convex = true};
        abut_formula_error error;
        abut_shape *none = NULL;
        abut_status status = abut_shape_create_implicit_formula(&def, &error, &none);
        if (status != cases[i].status || strstr(error.message, cases[i].words) == NULL) {
            fail_msg("case %zu: %s: %s", i, abut_status_name(status), error.message);
        }
        assert_null(none);
    }
    const abut_implicit_formula_def def = {.formula = "x", .parameter_count = 1};
    assert_status(abut_shape_create_implicit_formula(&def, NULL, &(abut_shape *){NULL}), ABUT_ERROR_INVALID_ARGUMENT);
}

static void refused_surfaces(void **ignored) {
    (void)ignored;
    static const struct {
        const char *x, *y, *z;
        double v_end;
        int formula, column;
        const char *words;
    } cases[] = {{"cos(u) * cos(v)", "sin(u) * cos(w)", "sin(v)", 1.5707963267948966, 1, 14, "unknown name 'w'; expected u, v, pi"},
                 {"cos(u) * cos(v)", "sin(u) * cos(v)", "x", 1.5707963267948966, 2, 1, "unknown name 'x'"},
                 {"cos(u) * cos(v)", NULL, "sin(v)", 1.5707963267948966, 0, 0, "y is NULL"},
                 {"cos(u) * cos(v)", "sin(u) * cos(v)", "sin(v)", -1.5707963267948966, 0, 0, "the range of u or v is empty"},
                 {"cos(u) * cos(v)", "sin(u) * cos(v)", "0", 1.5707963267948966, 0, 0, ""},
                 {"cos(u) / v", "sin(u) * cos(v)", "sin(v)", 1.5707963267948966, 0, 0, ""},
                 {"1", "2", "3", 1.5707963267948966, 0, 0, ""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const abut_parametric_formula_def def = {.x = cases[i].x,
                                                 .y = cases[i].y,
                                                 .z = cases[i].z,
                                                 .u_range = {0.0, 2.0 * PI},
                                                 .v_range = {-0.5 * PI, cases[i].v_end},
                                                 .u_periodic = true,
                                                 .convex = true};
        abut_formula_error error;
        abut_shape *none = NULL;
        abut_status status = abut_shape_create_parametric_formula(&def, &error, &none);
        if (status == ABUT_OK || error.formula != cases[i].formula || error.column != cases[i].column ||
            strstr(error.message, cases[i].words) == NULL || error.message[0] == '\0') {
            fail_msg("case %zu: %s: formula %d, column %d: %s", i, abut_status_name(status), (int)error.formula, (int)error.column,
                     error.message);
        }
        assert_null(none);
    }
}

/* Surfaces with a hole or with ends that do not join, and the same surfaces closed. */
static void closed_surfaces(void **ignored) {
    (void)ignored;
    static const struct {
        const char *x, *y, *z;
        double u_end, v_begin, v_end;
        bool closed;
    } cases[] = {
        {"cos(u) * cos(v)", "sin(u) * cos(v)", "sin(v)", 2 * PI, -PI / 2, PI / 2, true},
        {"cos(u) * cos(v)", "sin(u) * cos(v)", "sin(v)", 2 * PI, -PI / 2, 0, false},
        {"cos(u) * cos(v)", "sin(u) * cos(v)", "sin(v)", 2 * PI, -PI / 2, 1.45, false},
        {"cos(u) * cos(v)", "sin(u) * cos(v)", "sin(v)", 2 * PI, -1.45, 1.45, false}, /* two holes */
        {"cos(u) * cos(v)", "sin(u) * cos(v)", "sin(v)", 6.1, -PI / 2, PI / 2, false},
        {"cos(u)", "sin(u)", "v", 2 * PI, -1, 1, false}, /* a cylinder without its discs */
        {"(2 + cos(v)) * cos(u)", "(2 + cos(v)) * sin(u)", "sin(v)", 2 * PI, 0, 2 * PI, true},
        {"(2 + cos(v)) * cos(u)", "(2 + cos(v)) * sin(u)", "sin(v)", 6.0, 0, 2 * PI, false},
        {"(2 + cos(v)) * cos(u)", "(2 + cos(v)) * sin(u)", "sin(v)", 2 * PI, 0, 6.0, false},
        /* a crease, where derivatives jump, is no hole */
        {"cos(u) * cos(v)", "sin(u) * cos(v)", "abs(sin(v)) * sin(v) + 0.3 * sin(v) + 0.2 * abs(v)", 2 * PI, -PI / 2, PI / 2, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const abut_parametric_formula_def def = {.x = cases[i].x,
                                                 .y = cases[i].y,
                                                 .z = cases[i].z,
                                                 .u_range = {0.0, cases[i].u_end},
                                                 .v_range = {cases[i].v_begin, cases[i].v_end}};
        abut_formula_error error;
        abut_shape *shape = NULL;
        abut_status status = abut_shape_create_parametric_formula(&def, &error, &shape);
        if (status != (cases[i].closed ? ABUT_OK : ABUT_ERROR_NOT_CLOSED) || (shape == NULL) == cases[i].closed) {
            fail_msg("case %zu: %s %s", i, abut_status_name(status), cases[i].closed ? "" : error.message);
        }
        assert_true(cases[i].closed || strcmp(error.message, "the surface is not closed over the ranges of u and v") == 0);
        abut_shape_release(shape);
    }
}

static void no_memory(void **ignored) {
    (void)ignored;
    const abut_formula_parameter half[] = {{"a", 0.5}, {"b", 0.6}, {"c", 0.7}};
    const abut_implicit_formula_def implicit = ellipsoid_def(half);
    const abut_parametric_formula_def parametric = ellipsoid_surface(half);
    for (int which = 0; which < 3; ++which) {
        counting_allocator memory;
        int64_t refused_at = 0;
        do {
            abut_shape *shape = NULL;
            memory = (counting_allocator){.refuse_at = refused_at++};
            counting_allocator_install(&memory);
            abut_status status = which == 0   ? abut_shape_create_implicit_formula(&implicit, NULL, &shape)
                                 : which == 1 ? abut_shape_create_parametric_formula(&parametric, NULL, &shape)
                                              : abut_shape_create_torus(2.0, 0.5, &shape);
            abut_shape_release(shape);
            counting_allocator_remove();
            assert_status(status, memory.refused ? ABUT_ERROR_OUT_OF_MEMORY : ABUT_OK);
            assert_int_equal(memory.live, 0);
        } while (memory.refused);
        assert_in_range(refused_at, 4, which < 2 ? 12 : 100);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(ellipsoid_touches_as_the_built_in),
                                       cmocka_unit_test(tori),
                                       cmocka_unit_test(digests),
                                       cmocka_unit_test(refused_formulas),
                                       cmocka_unit_test(refused_parameters),
                                       cmocka_unit_test(refused_surfaces),
                                       cmocka_unit_test(closed_surfaces),
                                       cmocka_unit_test(no_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
