/*
 * Extremal pairs of thousands of random bodies, separated, touching and overlapping, against a dense minimisation that uses only their
 * support functions.
 */
#include <string.h>

#include <abut/query.h>

#include "support/check.h"
#include "support/smooth_body.h"

typedef struct sample {
    smooth_body a, b;
    abut_shape *shape_a, *shape_b;
    double scale;
} sample;

/* A third overlap deeply; the others nearly touch. */
static sample draw(random_state *state, smooth_kind kind_a, smooth_kind kind_b, double aspect) {
    sample s = {.a = smooth_body_random(state, kind_a, aspect, 0.25), .b = smooth_body_random(state, kind_b, aspect, 0.25)};
    abut_vec3 way = random_direction(state);
    double touching = smooth_body_depth(&s.a, &s.b, way);
    double part = random_below(state, 3) == 0 ? random_range(state, 0.0, 0.9) : random_range(state, 0.9, 1.5);
    s.b.pose.position = abut_scale(part * touching, way);
    s.shape_a = smooth_body_shape(&s.a);
    s.shape_b = smooth_body_shape(&s.b);
    s.scale = smooth_body_scale(&s.a, &s.b);
    return s;
}

static void release(sample *s) {
    abut_shape_release(s->shape_a);
    abut_shape_release(s->shape_b);
}

/* Properties that need no reference: the gap along the normal, and points on the bodies with opposite normals. Bodies apart have no other
 * such pair, so this proves the answer. */
static void check_pair_of_points(tally *t, const sample *s, const abut_separation *found) {
    double along = -smooth_body_depth(&s->a, &s->b, abut_neg(found->normal));
    abut_vec3 between = abut_sub(found->on_a, found->on_b);
    double aside = abut_length(abut_add_scaled(between, -found->gap, found->normal));
    if (!(fabs(abut_length(found->normal) - 1.0) <= 1e-14)) {
        tally_fail(t, "normal not unit", "%.17g", abut_length(found->normal));
    }
    if (!(fabs(along - found->gap) <= 1e-12 * s->scale)) {
        tally_fail(t, "not the gap along the normal", "%.17g, not %.17g", found->gap, along);
    }
    if (!(aside <= 1e-6 * s->scale) && (found->flags & ABUT_CONTACT_WITNESS) == 0) {
        tally_fail(t, "points not face to face", "%g aside", aside);
    }
    if (!(smooth_body_outside(&s->a, found->on_a) <= 1e-9 * s->scale) || !(smooth_body_outside(&s->b, found->on_b) <= 1e-9 * s->scale)) {
        tally_fail(t, "point not on its body", "%g %g", smooth_body_outside(&s->a, found->on_a), smooth_body_outside(&s->b, found->on_b));
    }
}

static void check_sample(tally *t, const sample *s, int32_t *overlapping) {
    abut_separation found;
    abut_status status = abut_distance(&(abut_pair){s->shape_a, s->a.pose, s->shape_b, s->b.pose}, NULL, NULL, &found);
    if (status != ABUT_OK) {
        tally_fail(t, "status", "%s", abut_status_name(status));
        return;
    }
    check_pair_of_points(t, s, &found);
    double least = smooth_body_least(&s->a, &s->b);
    *overlapping += least > 0.0;
    if (!(-found.gap <= least + 1e-9 * s->scale)) {
        tally_fail(t, "deeper than the least", "%.17g, not %.17g", found.gap, -least);
    }
}

static void check_samples(const char *name, uint64_t seed, int32_t full, smooth_kind kind_a, smooth_kind first_b, smooth_kind last_b) {
    random_state state = random_make(random_seed(name, seed));
    int32_t count = random_samples(name, full), overlapping = 0;
    tally t = {0};
    for (int32_t i = 0; i < count; ++i) {
        smooth_kind kind_b = (smooth_kind)((int)first_b + random_below(&state, (int32_t)(last_b - first_b) + 1));
        double aspect = i % 2 == 0 ? 20.0 : 3.0;
        sample s = draw(&state, kind_a, kind_b, aspect);
        tally_sample(&t, "%d, kinds %d and %d", i, (int)kind_a, (int)kind_b);
        check_sample(&t, &s, &overlapping);
        release(&s);
    }
    tally_end(&t);
    assert_in_range(10 * overlapping, 2 * count, 8 * count); /* both kinds of answers were asked for */
}

static void ellipsoids(void **state) {
    (void)state;
    check_samples("ellipsoids", 911, 5000, SMOOTH_ELLIPSOID, SMOOTH_ELLIPSOID, SMOOTH_ELLIPSOID);
}

static void superquadrics(void **state) {
    (void)state;
    check_samples("superquadrics", 912, 5000, SMOOTH_SUPERQUADRIC, SMOOTH_ELLIPSOID, SMOOTH_SUPERQUADRIC);
}

static void ellipsoids_and_others(void **state) {
    (void)state;
    check_samples("ellipsoids_and_others", 913, 3000, SMOOTH_ELLIPSOID, SMOOTH_BALL, ABUT_TEST_HAS_HULL ? SMOOTH_CLOUD : SMOOTH_BOX);
}

static void superquadrics_and_others(void **state) {
    (void)state;
    check_samples("superquadrics_and_others", 914, 2000, SMOOTH_SUPERQUADRIC, SMOOTH_BALL, ABUT_TEST_HAS_HULL ? SMOOTH_CLOUD : SMOOTH_BOX);
}

/* Two bodies in the same place or nearly so, and as often one body twice, or bodies of revolution: many directions are as good as the best. */
static void at_one_place(void **ignored) {
    (void)ignored;
    random_state state = random_make(random_seed("at_one_place", 916));
    int32_t count = random_samples("at_one_place", 1000), overlapping = 0;
    tally t = {0};
    for (int32_t i = 0; i < count; ++i) {
        sample s = {.a = smooth_body_random(&state, (smooth_kind)random_below(&state, 2), i % 3 == 0 ? 1.2 : 4.0, 0.5)};
        s.a.half.y = random_below(&state, 3) == 0 ? s.a.half.x : s.a.half.y;
        abut_quat turned = s.a.pose.rotation;
        s.b = random_below(&state, 2) == 0 ? s.a : smooth_body_random(&state, (smooth_kind)random_below(&state, SMOOTH_CLOUD), 4.0, 0.5);
        s.b.pose.rotation = random_below(&state, 2) == 0 ? turned : random_rotation(&state);
        s.b.pose.position = abut_scale(random_below(&state, 2) == 0 ? 0.0 : 1e-2, random_direction(&state));
        s.shape_a = smooth_body_shape(&s.a);
        s.shape_b = smooth_body_shape(&s.b);
        s.scale = smooth_body_scale(&s.a, &s.b);
        tally_sample(&t, "%d, kinds %d and %d", i, (int)s.a.kind, (int)s.b.kind);
        check_sample(&t, &s, &overlapping);
        release(&s);
    }
    tally_end(&t);
    assert_int_equal(overlapping, count);
}

/* The answer depends on the bodies and their poses only, not on the cache and not on their order. */
static void caches_and_order_change_nothing(void **ignored) {
    (void)ignored;
    random_state state = random_make(random_seed("caches_and_order_change_nothing", 915));
    int32_t count = random_samples("caches_and_order_change_nothing", 3000);
    tally t = {0};
    for (int32_t i = 0; i < count; ++i) {
        sample s = draw(&state, (smooth_kind)random_below(&state, 2), (smooth_kind)random_below(&state, SMOOTH_CLOUD), 5.0);
        tally_sample(&t, "%d, kinds %d and %d", i, (int)s.a.kind, (int)s.b.kind);
        abut_contact cold, warm, swapped;
        int32_t n_cold, n_warm, n_swapped;
        abut_cache cache = {.axis = random_direction(&state), .feature_a = {.kind = ABUT_FEATURE_EDGE, .index = 3}};
        abut_collide_settings settings = abut_collide_settings_default();
        settings.margin = 0.1;
        abut_collide(&(abut_pair){s.shape_a, s.a.pose, s.shape_b, s.b.pose}, &settings, NULL, &cold, 1, &n_cold);
        for (int k = 0; k < 3; ++k) { /* a cache of another pair, then its own */
            abut_collide(&(abut_pair){s.shape_a, s.a.pose, s.shape_b, s.b.pose}, &settings, &cache, &warm, 1, &n_warm);
            if (n_warm != n_cold || (n_cold > 0 && memcmp(&warm, &cold, sizeof cold) != 0)) {
                tally_fail(&t, "a cache changed it", "%d and %d contacts", n_cold, n_warm);
            }
        }
        abut_collide(&(abut_pair){s.shape_b, s.b.pose, s.shape_a, s.a.pose}, &settings, NULL, &swapped, 1, &n_swapped);
        if (n_swapped != n_cold || (n_cold > 0 && !(fabs(swapped.gap - cold.gap) <= 1e-9 * s.scale))) {
            tally_fail(&t, "exchanged", "%d and %d contacts, gaps %.17g %.17g", n_cold, n_swapped, cold.gap, swapped.gap);
        }
        bool overlap = false;
        abut_overlap(&(abut_pair){s.shape_a, s.a.pose, s.shape_b, s.b.pose}, NULL, &overlap);
        abut_collide(&(abut_pair){s.shape_a, s.a.pose, s.shape_b, s.b.pose}, NULL, NULL, &cold, 1, &n_cold);
        if (overlap != (n_cold > 0)) {
            tally_fail(&t, "overlap disagrees", "%d contacts", n_cold);
        }
        release(&s);
    }
    tally_end(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(ellipsoids),
                                       cmocka_unit_test(superquadrics),
                                       cmocka_unit_test(ellipsoids_and_others),
                                       cmocka_unit_test(superquadrics_and_others),
                                       cmocka_unit_test(at_one_place),
                                       cmocka_unit_test(caches_and_order_change_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
