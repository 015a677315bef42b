/*
 * abut_growth_distance() by both of its methods: from inside (a simplex method over the Minkowski difference) and by the paper's ray cast
 * from outside. The same alpha to 1e-9 on pairs of all convex kinds and on the acceptance cases of [SNE] in closed form, each with its own
 * certificate. World frame, normal from B into A.
 */
#include "support/figure.h"

#include <float.h>
#include <stdio.h>

/* A body of any convex kind: a figure, or the hull of a cloud. */
typedef struct specimen {
    figure figure;
    solid cloud; /* empty for standard shapes */
    abut_shape *shape;
    abut_vec3 centroid;
    double size, inradius; /* reach, and a ball inside about the centroid */
} specimen;

static oracle_body place(const specimen *x, abut_pose pose) {
    return x->cloud.vertex_count > 0 ? oracle_solid(&x->cloud, pose) : figure_oracle(&x->figure, pose, 1.0);
}

static specimen make_specimen(random_state *random, int32_t kind) {
    double p = random_log_range(random, 0.05, 1.0), q = random_log_range(random, 0.05, 1.0), r = random_log_range(random, 0.05, 1.0);
    specimen x = {.figure = {.kind = (figure_kind)kind, .p = p, .q = q, .r = r}};
    if (kind == FIGURE_PRISM || kind == FIGURE_CONE) {
        x.figure.r = 3 + random_below(random, 30);
    }
    if (kind > FIGURE_WEDGE) {
        x.cloud = solid_cloud(random, 5 + random_below(random, 120), abut_vec3_make(p, q, r));
        x.shape = solid_shape(&x.cloud);
    } else {
        x.shape = figure_shape(&x.figure, 1.0);
    }
    abut_mass mass;
    assert_ok(abut_shape_mass(x.shape, 1.0, &mass));
    x.centroid = mass.centre;
    oracle_body body = place(&x, abut_pose_identity());
    x.inradius = -oracle_outside(&body, x.centroid);
    for (int32_t i = 0; i < body.vertex_count; i++) {
        x.size = fmax(x.size, abut_length(body.vertices[i]) + body.radius);
    }
    oracle_free(&body);
    return x;
}

static void free_specimen(specimen *x) {
    abut_shape_release(x->shape);
    if (x->cloud.vertex_count > 0) {
        solid_free(&x->cloud);
    }
}

static abut_status solve(const abut_shape *a, abut_pose pose_a, const abut_shape *b, abut_pose pose_b, abut_growth_method method,
                         abut_contraction contraction, abut_growth *growth) {
    abut_collide_settings settings = abut_collide_settings_default();
    settings.baseline.growth = method;
    settings.contraction = contraction;
    return abut_growth_distance(&(abut_pair){a, pose_a, b, pose_b}, &settings, growth);
}

/* The growth distance about centroids is proportional to the distance of the centroids, so one solution places A at any alpha. */
static abut_pose place_at(random_state *random, const specimen *x, const specimen *y, abut_pose pose_y, double alpha) {
    abut_pose pose = {.rotation = random_rotation(random)};
    abut_vec3 direction = random_direction(random),
              together = abut_sub(abut_pose_apply(pose_y, y->centroid), abut_quat_rotate(pose.rotation, x->centroid));
    abut_growth growth;
    pose.position = abut_add_scaled(together, x->size + y->size, direction);
    assert_ok(solve(x->shape, pose, y->shape, pose_y, ABUT_GROWTH_EXPANSION, ABUT_CONTRACTION_CENTROID, &growth));
    pose.position = abut_add_scaled(together, (x->size + y->size) * alpha / growth.alpha, direction);
    return pose;
}

/* Checks what a growth distance claims. */
static void check_proof(tally *t, const char *method, const abut_growth *g, const oracle_body *a, const oracle_body *b, double size,
                        double rounding) {
    char what[80];
    snprintf(what, sizeof what, "%s: does not prove itself", method);
    double scale = fmax(1.0, g->alpha) * size,
           along = g->alpha > 0.0 ? oracle_growth_along(a, b, g->contraction_a, g->contraction_b, g->normal) : 0.0;
    abut_vec3 from_a = abut_add_scaled(g->contraction_a, g->alpha, abut_sub(g->on_a, g->contraction_a));
    abut_vec3 from_b = abut_add_scaled(g->contraction_b, g->alpha, abut_sub(g->on_b, g->contraction_b));
    if (!(fabs(abut_length(g->normal) - 1.0) <= 1e-12)) {
        tally_fail(t, what, "normal of length %.17g", abut_length(g->normal));
    } else if (!(g->alpha_lower <= g->alpha && g->alpha - g->alpha_lower <= 1e-9 * g->alpha)) {
        tally_fail(t, what, "alpha %.17g, lower bound %.17g", g->alpha, g->alpha_lower);
    } else if (!(along >= g->alpha_lower * (1.0 - 1e-11) - rounding)) {
        tally_fail(t, what, "along the normal %.17g, lower bound %.17g", along, g->alpha_lower);
    } else if (!(fabs(oracle_outside(a, g->on_a)) <= 1e-9 * size && fabs(oracle_outside(b, g->on_b)) <= 1e-9 * size)) {
        tally_fail(t, what, "points off the surfaces by %.3g and %.3g", oracle_outside(a, g->on_a), oracle_outside(b, g->on_b));
    } else if (!(fmax(abut_distance_between(from_a, g->touch), abut_distance_between(from_b, g->touch)) <= 1e-8 * scale)) {
        tally_fail(t, what, "scaled points off the touching point by %.3g and %.3g", abut_distance_between(from_a, g->touch),
                   abut_distance_between(from_b, g->touch));
    } else if (!(fabs(g->gap - oracle_gap_along(a, b, g->normal)) <= 1e-12 * size + 16.0 * DBL_EPSILON * fabs(g->gap))) {
        tally_fail(t, what, "gap %.17g, along the normal %.17g", g->gap, oracle_gap_along(a, b, g->normal));
    }
}

static double worst;

static void compare_methods(tally *t, const specimen *x, abut_pose pose_x, const specimen *y, abut_pose pose_y,
                            abut_contraction contraction) {
    abut_growth inside, outside;
    abut_status first = solve(x->shape, pose_x, y->shape, pose_y, ABUT_GROWTH_EXPANSION, contraction, &inside);
    abut_status second = solve(x->shape, pose_x, y->shape, pose_y, ABUT_GROWTH_RAY_CAST, contraction, &outside);
    if (first != ABUT_OK || second != ABUT_OK) {
        tally_fail(t, "status", "expansion %s, ray cast %s", abut_status_name(first), abut_status_name(second));
        return;
    }
    /* The contraction points have the rounding error of differences of the bodies' coordinates. */
    double size = fmax(x->size, y->size), rounding = 16.0 * DBL_EPSILON * fmax(1.0, inside.alpha) * size / fmin(x->inradius, y->inradius);
    double off = fabs(outside.alpha - inside.alpha);
    worst = inside.alpha > 1e-3 ? fmax(worst, off / inside.alpha) : worst;
    if (!(off <= 1e-9 * inside.alpha + rounding)) {
        tally_fail(t, "alpha", "expansion %.17g, ray cast %.17g", inside.alpha, outside.alpha);
    }
    oracle_body a = place(x, pose_x), b = place(y, pose_y);
    check_proof(t, "expansion", &inside, &a, &b, size, rounding);
    check_proof(t, "ray cast", &outside, &a, &b, size, rounding);
    oracle_free(&a);
    oracle_free(&b);
}

static void random_pairs(void **state) {
    (void)state;
    enum { KINDS = FIGURE_WEDGE + 2 };
    random_state random = random_make(random_seed("random_pairs", 201));
    int32_t pairs = random_samples("random_pairs", 20000);
    static tally t;
    t = (tally){0};
    worst = 0.0;
    for (int32_t i = 0; i < pairs; i++) {
        int32_t kind_x = random_below(&random, KINDS), kind_y = random_below(&random, KINDS);
        specimen x = make_specimen(&random, kind_x), y = make_specimen(&random, kind_y);
        double alpha = i % 6 == 0   ? 1.0 - random_log_range(&random, 1e-12, 1e-3)
                       : i % 6 == 1 ? 1.0 + random_log_range(&random, 1e-12, 1e-3)
                       : i % 6 == 2 ? random_log_range(&random, 1.0, 1e3)
                       : i % 6 == 3 ? random_log_range(&random, 1e-9, 1e-2)
                                    : random_range(&random, 0.01, 2.0);
        abut_pose pose_y = random_pose(&random, 1.0), pose_x = place_at(&random, &x, &y, pose_y, alpha);
        for (int contraction = 0; contraction < 2; contraction++) {
            tally_sample(&t, "sample %d: kinds %d and %d, alpha about %.9g, %s", (int)i, (int)kind_x, (int)kind_y, alpha,
                         contraction ? "centroid" : "core");
            compare_methods(&t, &x, pose_x, &y, pose_y, contraction ? ABUT_CONTRACTION_CENTROID : ABUT_CONTRACTION_CORE);
        }
        free_specimen(&x);
        free_specimen(&y);
    }
    printf("random_pairs: worst relative difference of alpha %.2g\n", worst);
    tally_end(&t);
}

/* Contacts made with either method are valid, and both find some or none. */
static void contacts_by_either_method(void **state) {
    (void)state;
    static check_answer answers[2];
    random_state random = random_make(random_seed("contacts_by_either_method", 202));
    int32_t pairs = random_samples("contacts_by_either_method", 10000);
    static tally t;
    t = (tally){0};
    for (int32_t i = 0; i < pairs; i++) {
        specimen x = make_specimen(&random, random_below(&random, 7)), y = make_specimen(&random, random_below(&random, 7));
        double alpha = random_range(&random, 0.5, 1.2);
        abut_pose pose_y = random_pose(&random, 1.0), pose_x = place_at(&random, &x, &y, pose_y, alpha);
        oracle_body a = place(&x, pose_x), b = place(&y, pose_y);
        check_pair pair = {x.shape, y.shape, pose_x, pose_y, &a, &b, .size = fmax(x.size, y.size)};
        tally_sample(&t, "sample %d, alpha about %.9g", (int)i, alpha);
        for (int method = 0; method < 2; method++) {
            abut_collide_settings settings = abut_collide_settings_default();
            settings.baseline.growth = method ? ABUT_GROWTH_RAY_CAST : ABUT_GROWTH_EXPANSION;
            settings.refine_normal = i % 2;
            check_collide(&t, &pair, &settings, &answers[method]);
            check_contacts(&t, &pair, &answers[method], 0.0, false);
            if (settings.refine_normal) { /* otherwise the features need not overlap along the normal */
                check_certificate(&t, &pair, &answers[method], 0.0);
            }
        }
        if ((answers[0].count > 0) != (answers[1].count > 0)) {
            tally_fail(&t, "contact by one method only", "%d and %d contacts", (int)answers[0].count, (int)answers[1].count);
        }
        oracle_free(&a);
        oracle_free(&b);
        free_specimen(&x);
        free_specimen(&y);
    }
    tally_end(&t);
}

typedef struct growth_case {
    const char *name;
    figure a, b;
    abut_contraction contraction;
    double alpha, tolerance;
    abut_vec3 normal;
} growth_case;

#define CUBE_AT(x, y, z)                                                    \
    {                                                                       \
        .kind = FIGURE_BOX, .p = 0.5, .q = 0.5, .r = 0.5, .at = { x, y, z } \
    }
#define CUBE_TURNED(x, y, z, a, b, c)                                                          \
    {                                                                                          \
        .kind = FIGURE_BOX, .p = 0.5, .q = 0.5, .r = 0.5, .at = {x, y, z}, .turn = { a, b, c } \
    }
#define BOX_AT(hx, hy, hz, x, y, z)                                      \
    {                                                                    \
        .kind = FIGURE_BOX, .p = hx, .q = hy, .r = hz, .at = { x, y, z } \
    }
#define CENTROID ABUT_CONTRACTION_CENTROID
#define CORE ABUT_CONTRACTION_CORE

/* S1 to S11 of the acceptance cases, by both methods. */
static void acceptance_cases(void **state) {
    (void)state;
    const double half_degree = PI / 360.0, up_the_corner = atan(sqrt(0.5)), third = 1.0 / sqrt(3.0), edge = sqrt(0.5);
    const double sunk = 0.495 + 0.5 * cos(half_degree) + 0.5 * sin(half_degree);
    const figure slab = BOX_AT(2, 2, 0.5, 0, 0, 0), wide = BOX_AT(5, 5, 0.5, 0, 0, 0);
    const growth_case cases[] = {
        {"S1 x", BOX_AT(0.5, 0.4, 0.3, 0.9, 0.2, -0.1), BOX_AT(0.6, 0.7, 0.8, 0, 0, 0), CENTROID, 0.9 / 1.1, 1e-13, {1, 0, 0}},
        {"S1 y", BOX_AT(0.5, 0.4, 0.3, 0.9, -1.6, 0.1), BOX_AT(0.6, 0.7, 0.8, 0, 0, 0), CENTROID, 1.6 / 1.1, 1e-13, {0, -1, 0}},
        {"S1 z", BOX_AT(0.5, 0.4, 0.3, 0.2, 0.2, 1.1), BOX_AT(0.6, 0.7, 0.8, 0, 0, 0), CENTROID, 1.0, 1e-13, {0, 0, 1}},
        {"S2",
         {.kind = FIGURE_WEDGE, .p = 1, .q = 1, .r = 1},
         {.kind = FIGURE_WEDGE, .p = 1, .q = 1, .r = 1, .at = {0.3, 0.3, 0.3}},
         CENTROID,
         0.9,
         1e-13,
         {-third, -third, -third}},
        {"S3",
         {.kind = FIGURE_SPHERE, .p = 0.7, .at = {0, 0.6, 0.8}},
         {.kind = FIGURE_SPHERE, .p = 1.4},
         CENTROID,
         1.0 / 2.1,
         1e-13,
         {0, 0.6, 0.8}},
        {"S4", CUBE_AT(0.3, -0.2, 0.99), slab, CENTROID, 0.99, 1e-13, {0, 0, 1}},
        {"S4 core", CUBE_AT(0.3, -0.2, 0.99), slab, CORE, 0.99, 1e-13, {0, 0, 1}},
        {"S5", CUBE_AT(0.4, 0.25, 0.99), CUBE_AT(0, 0, 0), CENTROID, 0.99, 1e-13, {0, 0, 1}},
        {"S6", CUBE_TURNED(0, 0, 0.99, 0, 0, PI / 4), CUBE_AT(0, 0, 0), CENTROID, 0.99, 1e-13, {0, 0, 1}},
        {"S7", CUBE_TURNED(0.3, 0, 0.49 + edge, PI / 4, 0, 0), slab, CENTROID, (0.49 + edge) / (0.5 + edge), 1e-13, {0, 0, 1}},
        {"S8",
         {.kind = FIGURE_BOX, .p = 0.5, .q = 0.5, .r = 0.5, .at = {0.1, 0.2, 0.49 + sqrt(0.75)}, .turn = {PI / 4, up_the_corner, 0}},
         slab,
         CENTROID,
         (0.49 + sqrt(0.75)) / (0.5 + sqrt(0.75)),
         1e-13,
         {0, 0, 1}},
        {"S9",
         CUBE_TURNED(0.1, 0.2, 2 * edge - 0.02, PI / 4, 0, 0),
         CUBE_TURNED(0, 0, 0, 0, PI / 4, 0),
         CENTROID,
         (2 * edge - 0.02) / (2 * edge),
         1e-13,
         {0, 0, 1}},
        {"S10", CUBE_TURNED(0, 0, sunk, 0, half_degree, 0), slab, CENTROID, sunk / (sunk + 0.005), 1e-13, {0, 0, 1}},
        {"S11 centroids", CUBE_AT(5.45, 0, 0.99), wide, CENTROID, 5.45 / 5.5, 1e-13, {1, 0, 0}},
        {"S11 cores", CUBE_AT(5.45, 0, 0.99), wide, CORE, 0.99, 1e-13, {0, 0, 1}},
    };
    static tally t;
    t = (tally){0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const growth_case *c = &cases[i];
        abut_shape *a = figure_shape(&c->a, 1.0), *b = figure_shape(&c->b, 1.0);
        abut_pose pose_a = figure_pose(&c->a, 1.0), pose_b = figure_pose(&c->b, 1.0);
        for (int k = 0; k < 4; k++) {
            abut_growth_method method = k / 2 ? ABUT_GROWTH_RAY_CAST : ABUT_GROWTH_EXPANSION;
            abut_growth g;
            abut_status status =
                k % 2 ? solve(b, pose_b, a, pose_a, method, c->contraction, &g) : solve(a, pose_a, b, pose_b, method, c->contraction, &g);
            tally_sample(&t, "%s%s, %s", c->name, k % 2 ? " swapped" : "", k / 2 ? "ray cast" : "expansion");
            double allowed = method == ABUT_GROWTH_RAY_CAST ? 1e-9 * c->alpha : c->tolerance;
            if (status != ABUT_OK || !(fabs(g.alpha - c->alpha) <= allowed)) {
                tally_fail(&t, "alpha", "%s, %.17g, expected %.17g", abut_status_name(status), g.alpha, c->alpha);
                continue;
            }
            abut_vec3 normal = k % 2 ? abut_neg(c->normal) : c->normal;
            /* A direction with an error of e makes the lower bound smaller by about e. The ray cast's direction is as exact as its
             * alpha. */
            if (!(abut_distance_between(g.normal, normal) <= (method == ABUT_GROWTH_RAY_CAST ? 1e-8 : 1e-12))) {
                tally_fail(&t, "normal", "(%.12f, %.12f, %.12f)", g.normal.x, g.normal.y, g.normal.z);
            }
        }
        abut_shape_release(a);
        abut_shape_release(b);
    }
    tally_end(&t);
}

/* A ball beside the end of a capsule that is rotated so little that the end, and the point of its axis beside the ball, are equally near to
 * the last digit. */
static void ball_beside_the_end_of_a_capsule(void **state) {
    (void)state;
    const double half = 6.25e-5; /* the turn's */
    const abut_pose pose_ball = {.position = {0.125, 0.125, 0.125}, .rotation = abut_quat_identity()};
    const abut_pose pose_capsule = {.position = {0.375, 0.125, 0.0}, .rotation = abut_quat_about(abut_vec3_make(1, 0, 0), 2.0 * half)};
    abut_shape *ball, *capsule;
    assert_ok(abut_shape_create_sphere(0.125, &ball));
    assert_ok(abut_shape_create_capsule(0.125, 0.125, &capsule));
    double expected = hypot(0.25, 0.125 * sin(2.0 * half)) / 0.25;
    for (int k = 0; k < 4; k++) {
        abut_growth g;
        abut_contraction contraction = k / 2 ? ABUT_CONTRACTION_CENTROID : ABUT_CONTRACTION_CORE;
        assert_ok(solve(ball, pose_ball, capsule, pose_capsule, k % 2 ? ABUT_GROWTH_RAY_CAST : ABUT_GROWTH_EXPANSION, contraction, &g));
        assert_near(g.alpha, expected, 1e-12);
        assert_near(g.alpha_lower, expected, 1e-12);
    }
    abut_shape_release(ball);
    abut_shape_release(capsule);
}

/*
 * Flakes as thin as 1e-11 of their width, far from other bodies compared with their thickness: alpha is 1e9 and more. The growth centre
 * must lie in the flake, although points are known to 1e-10 of the size only, and rounding errors of the weights must not pass for an
 * answer. Where a method claims alpha, it is right; otherwise both bounds are returned, with alpha as the upper one.
 */
static void flakes(void **state) {
    (void)state;
    random_state random = random_make(random_seed("flakes", 203));
    int32_t pairs = random_samples("flakes", 20000), known = 0;
    static tally t;
    t = (tally){0};
    for (int32_t i = 0; i < pairs; i++) {
        double thickness = random_log_range(&random, 1e-11, 1e-6), far = random_log_range(&random, 0.5, 100.0);
        solid cloud = solid_cloud(&random, 5 + random_below(&random, 20), abut_vec3_make(1.0, i % 3 ? thickness : 1.0, 1.0));
        abut_shape *b = solid_shape(&cloud), *a;
        assert_ok(abut_shape_create_box(abut_vec3_make(0.7, 0.7, i % 3 == 1 ? 0.7 : thickness), &a));
        abut_pose pose_a = random_pose(&random, 1.0), pose_b = random_pose(&random, 1.0);
        pose_b.position = abut_add_scaled(pose_a.position, far, random_direction(&random));
        /* The rounding error of the method and of its input: that of a coordinate over the width of the bodies. */
        double rounding = 64.0 * DBL_EPSILON * (4.0 + far) / thickness;
        for (int k = 0; k < 2; k++) {
            abut_growth g[2];
            abut_status status[2];
            for (int method = 0; method < 2; method++) {
                status[method] = solve(a, pose_a, b, pose_b, method ? ABUT_GROWTH_RAY_CAST : ABUT_GROWTH_EXPANSION,
                                       k ? ABUT_CONTRACTION_CENTROID : ABUT_CONTRACTION_CORE, &g[method]);
            }
            tally_sample(&t, "pair %d: thickness %.3g, %.3g apart, %s: alpha %.17g and %.17g", (int)i, thickness, far,
                         k ? "centroid" : "core", g[0].alpha, g[1].alpha);
            bool both = status[0] == ABUT_OK && status[1] == ABUT_OK;
            known += both;
            if (both && !(fabs(g[1].alpha - g[0].alpha) <= (2e-9 + rounding) * g[0].alpha)) {
                tally_fail(&t, "two alphas", "off by %.3g, allowed %.3g", g[1].alpha / g[0].alpha - 1.0, 2e-9 + rounding);
            }
            for (int method = 0; method < 2; method++) {
                bool proven = g[method].alpha - g[method].alpha_lower <= 1e-9 * g[method].alpha;
                if ((status[method] != ABUT_OK && status[method] != ABUT_ERROR_ITERATION_LIMIT) || proven != (status[method] == ABUT_OK)) {
                    tally_fail(&t, "status", "%s, lower bound %.17g", abut_status_name(status[method]), g[method].alpha_lower);
                }
            }
        }
        abut_shape_release(a);
        abut_shape_release(b);
        solid_free(&cloud);
    }
    printf("flakes: alpha known by both methods in %d of %d\n", (int)known, (int)(2 * pairs));
    assert_true(known > pairs / 2);
    tally_end(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(acceptance_cases),
        cmocka_unit_test(random_pairs),
        cmocka_unit_test(contacts_by_either_method),
        cmocka_unit_test(ball_beside_the_end_of_a_capsule),
        cmocka_unit_test(flakes),
    };
    return cmocka_run_group_tests_name("narrow/growth_methods", tests, NULL, NULL);
}
