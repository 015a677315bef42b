/* The growth distance about contraction points of the caller: alpha by its definition, with bodies scaled about these points, and by the enumeration of all
 * facets of the Minkowski difference; closed forms of balls; and that nothing else depends on the points. World frame, normal from B into A. */
#include <abut/smooth.h>

#include "support/check.h"
#include "support/shapes.h"
#include "support/specimen.h"

#include <float.h>
#include <string.h>

static abut_shape *about(const abut_shape *shape, abut_vec3 point) {
    abut_shape *made = NULL;
    assert_ok(abut_shape_create_with_contraction(shape, point, &made));
    return made;
}

/* A point inside the body: a mean of its vertices with random weights, or near the middle of a round one. */
static abut_vec3 point_inside(random_state *random, const specimen *s) {
    if (s->kind == SPECIMEN_SPHERE || s->kind == SPECIMEN_CAPSULE) {
        return abut_add_scaled(abut_vec3_make(0, 0, random_range(random, -1.0, 1.0) * s->half_length),
                               random_range(random, 0.0, 0.95) * s->radius, random_direction(random));
    }
    abut_vec3 sum = {0, 0, 0};
    double all = 0.0;
    for (int32_t i = 0; i < s->surface.vertex_count; i++) {
        double weight = random_range(random, 0.01, 1.0);
        weight *= weight * weight;
        sum = abut_add_scaled(sum, weight, s->surface.vertices[i]);
        all += weight;
    }
    return abut_scale(1.0 / all, sum);
}

/* The body scaled about a point of the world, as the oracle sees it. */
static oracle_body scaled_about(const specimen *s, abut_pose pose, abut_vec3 point, double factor) {
    specimen scaled = specimen_scaled(s, factor);
    pose.position = abut_add_scaled(point, factor, abut_sub(pose.position, point));
    oracle_body body = specimen_oracle(&scaled, pose);
    specimen_free(&scaled);
    return body;
}

/* The separation of both bodies, scaled by a factor. */
static double separation_at(const specimen *x, abut_pose pose_x, abut_vec3 px, const specimen *y, abut_pose pose_y, abut_vec3 py,
                            double factor) {
    oracle_body a = scaled_about(x, pose_x, px, factor), b = scaled_about(y, pose_y, py, factor);
    double separation = oracle_signed_distance(&a, &b);
    oracle_free(&a);
    oracle_free(&b);
    return separation;
}

/* The definition: slightly smaller bodies are apart, slightly larger ones overlap. */
static void check_definition(tally *t, double alpha, const specimen *x, abut_pose pose_x, abut_vec3 px, const specimen *y, abut_pose pose_y,
                             abut_vec3 py) {
    const double hair = 1e-7;
    double below = separation_at(x, pose_x, px, y, pose_y, py, alpha * (1.0 - hair));
    double above = separation_at(x, pose_x, px, y, pose_y, py, alpha * (1.0 + hair));
    if (!(below > 0.0 && above < 0.0)) {
        tally_fail(t, "contraction: alpha is not the least factor at which the bodies meet", "alpha %.17g, separations %.3g and %.3g",
                   alpha, below, above);
    }
}

static void check_enumeration(tally *t, const abut_growth *g, const oracle_body *a, const oracle_body *b) {
    oracle_facets facets = oracle_minkowski(a, b);
    abut_vec3 normal;
    double runner_up, alpha = oracle_growth(&facets, abut_vec3_make(0, 0, 0), g->contraction_a, g->contraction_b, &normal, &runner_up);
    oracle_free_facets(&facets);
    if (!(fabs(alpha - g->alpha) <= 1e-10 * alpha)) {
        tally_fail(t, "contraction: alpha differs from the enumeration", "alpha %.17g, enumeration %.17g", g->alpha, alpha);
    }
    if (runner_up < alpha * (1.0 - 1e-8) && !(abut_distance_between(normal, g->normal) <= 1e-6)) {
        tally_fail(t, "contraction: normal differs from the enumeration", "off by %.3g", abut_distance_between(normal, g->normal));
    }
}

static abut_collide_settings growing(abut_growth_method method) {
    abut_collide_settings settings = abut_collide_settings_default();
    settings.normal = ABUT_NORMAL_GROWTH;
    settings.refine_normal = false;
    settings.baseline.growth = method;
    return settings;
}

/* The unrefined normal of overlapping polytopes is that of the growth distance; single calls, warm caches and batches agree on it to the last bit. */
static void check_normals(tally *t, const abut_pair *pair, const abut_growth *g, const abut_collide_settings *settings) {
    abut_contact first[256], again[256];
    int32_t count = 0, count_again = 0;
    int64_t needed = 0;
    abut_cache cache = {0};
    abut_pair_result result;
    memset(first, 0, sizeof first);
    memset(again, 0, sizeof again);
    assert_ok(abut_collide(pair, settings, &cache, first, 256, &count));
    assert_true(count > 0);
    if (!(abut_distance_between(first[0].normal, g->normal) <= 1e-12)) {
        tally_fail(t, "contraction: contacts have another normal", "off by %.3g", abut_distance_between(first[0].normal, g->normal));
    }
    assert_ok(abut_collide(pair, settings, &cache, again, 256, &count_again));
    bool same = count == count_again && memcmp(first, again, sizeof first) == 0;
    memset(again, 0, sizeof again);
    assert_ok(abut_collide_batch(pair, 1, settings, NULL, NULL, again, 256, &needed, &result));
    if (!same || needed != count || memcmp(first, again, sizeof first) != 0) {
        tally_fail(t, "contraction: a warm call or a batch differs", "%d contacts", (int)count);
    }
}

static void check_sample(tally *t, random_state *random, int32_t *overlapping) {
    const bool round = random_below(random, 4) == 0;
    specimen x = round ? specimen_random(random, 1.0) : specimen_of_kind(random, SPECIMEN_BOX + random_below(random, 5), 1.0);
    specimen y = round ? specimen_random(random, 1.0) : specimen_of_kind(random, SPECIMEN_BOX + random_below(random, 5), 1.0);
    bool polytopes = x.radius == 0.0 && y.radius == 0.0;
    abut_vec3 px = point_inside(random, &x), py = point_inside(random, &y);
    abut_pose pose_x = random_pose(random, 0.7), pose_y = random_pose(random, 0.7);
    abut_shape *a = about(x.shape, px), *b = about(y.shape, py);
    px = abut_pose_apply(pose_x, px);
    py = abut_pose_apply(pose_y, py);
    tally_sample(t, "%s and %s", specimen_name(&x), specimen_name(&y));
    oracle_body oracle_a = specimen_oracle(&x, pose_x), oracle_b = specimen_oracle(&y, pose_y);
    double known = -1.0;
    for (int method = 0; method < 2; method++) {
        abut_collide_settings settings = growing(method ? ABUT_GROWTH_RAY_CAST : ABUT_GROWTH_EXPANSION);
        settings.contraction = random_below(random, 2) ? ABUT_CONTRACTION_CORE : ABUT_CONTRACTION_CENTROID; /* must not matter */
        const abut_pair pair = {a, pose_x, b, pose_y};
        abut_growth g, swapped;
        assert_ok(abut_growth_distance(&pair, &settings, &g));
        assert_ok(abut_growth_distance(&(abut_pair){b, pose_y, a, pose_x}, &settings, &swapped));
        double off = fmax(abut_distance_between(g.contraction_a, px), abut_distance_between(g.contraction_b, py));
        if (!(off <= 1e-14)) {
            tally_fail(t, "contraction: not about the given points", "off by %.3g", off);
        }
        if (!(fabs(swapped.alpha - g.alpha) <= 1e-9 * g.alpha) || !(known < 0.0 || fabs(known - g.alpha) <= 2e-9 * g.alpha)) {
            tally_fail(t, "contraction: the exchange or the method changes alpha", "%.17g, %.17g, before %.17g", g.alpha, swapped.alpha,
                       known);
        }
        known = g.alpha;
        if (polytopes) {
            check_enumeration(t, &g, &oracle_a, &oracle_b);
        }
        if (polytopes && g.alpha < 1.0 - 1e-6) {
            check_normals(t, &pair, &g, &settings);
            ++*overlapping;
        }
    }
    check_definition(t, known, &x, pose_x, px, &y, pose_y, py);
    oracle_free(&oracle_a);
    oracle_free(&oracle_b);
    abut_shape_release(a);
    abut_shape_release(b);
    specimen_free(&x);
    specimen_free(&y);
}

static void random_points(void **state) {
    (void)state;
    random_state random = random_make(random_seed("random_points", 31));
    static tally t;
    int32_t overlapping = 0, samples = random_samples("random_points", 2000);
    for (int32_t i = 0; i < samples; i++) {
        check_sample(&t, &random, &overlapping);
    }
    assert_true(overlapping > samples / 5);
    tally_end(&t);
}

/* Balls: |c + s d| = s (r + q) for c between the points and d between the centres, both seen from the points. */
static void balls(void **state) {
    (void)state;
    random_state random = random_make(random_seed("balls", 32));
    for (int i = 0; i < 300; i++) {
        double r = random_log_range(&random, 0.1, 1.0), q = random_log_range(&random, 0.1, 1.0);
        abut_shape *plain[2] = {sphere(r), i % 2 ? ellipsoid(q, q, q) : sphere(q)};
        abut_vec3 p = abut_scale(random_range(&random, 0.0, 0.9) * r, random_direction(&random));
        abut_vec3 o = abut_scale(random_range(&random, 0.0, 0.9) * q, random_direction(&random));
        abut_shape *a = about(plain[0], p), *b = about(plain[1], o);
        abut_vec3 between = abut_scale(random_range(&random, 0.1, 3.0), random_direction(&random)); /* from the centre of A to that of B */
        abut_vec3 c = abut_sub(abut_add(between, o), p), d = abut_sub(between, c);
        double u = (r + q) * (r + q) - abut_dot(d, d), v = abut_dot(c, d), w = abut_dot(c, c), root = (v + sqrt(v * v + u * w)) / u;
        abut_growth g;
        assert_ok(abut_growth_distance(&(abut_pair){a, abut_pose_identity(), b, at(between.x, between.y, between.z)}, NULL, &g));
        assert_near(g.alpha, root, 1e-9 * root);
        abut_shape_release(a);
        abut_shape_release(b);
        abut_shape_release(plain[0]);
        abut_shape_release(plain[1]);
    }
}

/* Other curved bodies: the certificate, computed again from support functions, and the points at which the scaled bodies touch. */
static void curved_bodies(void **state) {
    (void)state;
    random_state random = random_make(random_seed("curved_bodies", 33));
    for (int i = 0; i < 200; i++) {
        abut_shape *plain[4] = {cylinder(0.5, 0.4), cone(0.6, 1.0), ellipsoid(0.3, 0.5, 0.8), box(0.4, 0.3, 0.2)};
        int first = random_below(&random, 3), second = random_below(&random, 4);
        abut_vec3 p = random_vec3(&random, -0.15, 0.15), o = random_vec3(&random, -0.15, 0.15);
        abut_shape *a = about(plain[first], p), *b = about(plain[second], o);
        abut_pose pose_a = random_pose(&random, 1.0), pose_b = random_pose(&random, 1.0);
        abut_growth g;
        assert_ok(abut_growth_distance(&(abut_pair){a, pose_a, b, pose_b}, NULL, &g));
        assert_vec3_near(g.contraction_a, abut_pose_apply(pose_a, p), 1e-14);
        assert_vec3_near(g.contraction_b, abut_pose_apply(pose_b, o), 1e-14);
        abut_vec3 far_a, far_b, m = abut_neg(g.normal);
        assert_ok(abut_shape_support(a, abut_quat_rotate_inverse(pose_a.rotation, m), &far_a, NULL));
        assert_ok(abut_shape_support(b, abut_quat_rotate_inverse(pose_b.rotation, g.normal), &far_b, NULL));
        double reach = abut_dot(m, abut_sub(abut_pose_apply(pose_a, far_a), g.contraction_a)) -
                       abut_dot(m, abut_sub(abut_pose_apply(pose_b, far_b), g.contraction_b));
        assert_near(abut_dot(m, abut_sub(g.contraction_b, g.contraction_a)) / reach, g.alpha, 1e-9 * g.alpha);
        assert_vec3_near(abut_lerp(g.contraction_a, g.on_a, g.alpha), g.touch, 1e-8 * (1.0 + g.alpha));
        assert_vec3_near(abut_lerp(g.contraction_b, g.on_b, g.alpha), g.touch, 1e-8 * (1.0 + g.alpha));
        abut_shape_release(a);
        abut_shape_release(b);
        for (int k = 0; k < 4; k++) {
            abut_shape_release(plain[k]);
        }
    }
}

/* The body without a point of its own grows about its centroid, also where the settings ask for core points. */
static void one_point(void **state) {
    (void)state;
    abut_shape *slab = box(5, 5, 0.5), *cube = box(0.5, 0.5, 0.5), *off = about(cube, abut_vec3_make(0.2, 0, 0.25));
    abut_growth g;
    assert_ok(abut_growth_distance(&(abut_pair){off, at(1, 0, 0.99), slab, at(0, 0, 0)}, NULL, &g));
    assert_vec3_near(g.contraction_b, abut_vec3_make(0, 0, 0), 0.0);
    assert_near(g.alpha, 1.24 / 1.25, 1e-14); /* (0.99 + 0.25) over the half width 0.75 below the point and the slab's 0.5 */
    assert_vec3_near(g.normal, abut_vec3_make(0, 0, 1), 1e-14);
    abut_shape_release(off);
    abut_shape_release(cube);
    abut_shape_release(slab);
}

/* Points at the centroids give the same bits as ABUT_CONTRACTION_CENTROID, and no point changes a bit of the normal of least depth. */
static void nothing_else(void **state) {
    (void)state;
    random_state random = random_make(random_seed("nothing_else", 34));
    for (int i = 0; i < 200; i++) {
        specimen x = specimen_random(&random, 1.0), y = specimen_random(&random, 1.0);
        abut_pose pose_x = random_pose(&random, 0.5), pose_y = random_pose(&random, 0.5);
        abut_mass mass_x, mass_y;
        assert_ok(abut_shape_mass(x.shape, 1.0, &mass_x));
        assert_ok(abut_shape_mass(y.shape, 1.0, &mass_y));
        abut_shape *a = about(x.shape, mass_x.centre), *b = about(y.shape, mass_y.centre), *off = about(x.shape, point_inside(&random, &x));
        abut_collide_settings centroids = abut_collide_settings_default();
        centroids.contraction = ABUT_CONTRACTION_CENTROID;
        abut_growth plain, given;
        assert_ok(abut_growth_distance(&(abut_pair){x.shape, pose_x, y.shape, pose_y}, &centroids, &plain));
        assert_ok(abut_growth_distance(&(abut_pair){a, pose_x, b, pose_y}, NULL, &given));
        assert_memory_equal(&plain.alpha, &given.alpha, sizeof plain.alpha);
        assert_memory_equal(&plain.normal, &given.normal, sizeof plain.normal);
        abut_contact first[256], second[256];
        int32_t count_first, count_second;
        memset(first, 0, sizeof first);
        memset(second, 0, sizeof second);
        assert_ok(abut_collide(&(abut_pair){x.shape, pose_x, y.shape, pose_y}, NULL, NULL, first, 256, &count_first));
        assert_ok(abut_collide(&(abut_pair){off, pose_x, y.shape, pose_y}, NULL, NULL, second, 256, &count_second));
        assert_int_equal(count_first, count_second);
        assert_memory_equal(first, second, sizeof first);
        abut_shape_release(a);
        abut_shape_release(b);
        abut_shape_release(off);
        specimen_free(&x);
        specimen_free(&y);
    }
}

/* Two boxes with the refined growth normal: without points the least depth, with them the normal of the growth distance where it is accepted. */
static void refined_boxes(void **state) {
    (void)state;
    abut_shape *cube = box(0.5, 0.5, 0.5), *low = about(cube, abut_vec3_make(0, 0, -0.45));
    abut_collide_settings settings = growing(ABUT_GROWTH_EXPANSION);
    settings.refine_normal = true;
    abut_contact contacts[16];
    int32_t count;
    /* 0.05 deep along x, 0.04 along z. */
    const abut_pair pairs[2] = {{cube, at(0.95, 0, 0.96), cube, at(0, 0, 0)}, {low, at(0.95, 0, 0.96), cube, at(0, 0, 0)}};
    assert_ok(abut_collide(&pairs[0], &settings, NULL, contacts, 16, &count));
    assert_vec3_near(contacts[0].normal, abut_vec3_make(0, 0, 1), 0.0);
    /* About the low point alpha is (0.96 - 0.45) / (0.05 + 0.5) = 0.927 along z, and 0.95 along x. */
    assert_ok(abut_collide(&pairs[1], &settings, NULL, contacts, 16, &count));
    assert_vec3_near(contacts[0].normal, abut_vec3_make(1, 0, 0), 0.0);
    assert_near(contacts[0].gap, -0.05, 1e-15);
    abut_shape_release(low);
    abut_shape_release(cube);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_points), cmocka_unit_test(balls),        cmocka_unit_test(curved_bodies),
                                       cmocka_unit_test(one_point),     cmocka_unit_test(nothing_else), cmocka_unit_test(refined_boxes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
