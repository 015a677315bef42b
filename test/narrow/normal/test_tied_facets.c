/* Facets of equal depth: which one gives the normal, independent of their order. */
#include "narrow/normal/tied_facets.h"

#include "support/check.h"

static const normal_settings aside = {.aside = {0.31, 0.47, 0.83}};
static abut_vec3 between = {0, 0, 0}; /* the centres of the bodies */

static tied_facet facet_of(double depth, abut_vec3 direction, bool is_face, int32_t index) {
    tied_facet facet = {.depth = depth, .direction = direction, .is_face = is_face};
    facet.feature_a = (abut_feature){.kind = is_face ? ABUT_FEATURE_FACE : ABUT_FEATURE_EDGE, .index = index};
    facet.feature_b = (abut_feature){.kind = is_face ? ABUT_FEATURE_VERTEX : ABUT_FEATURE_EDGE, .index = index};
    return facet;
}

/* Offers them in turn, beginning with `first`. */
static const tied_facet *pick(tied_facets *t, const tied_facet *facets, int32_t count, int32_t first, const normal_settings *settings,
                              bool *chosen) {
    tied_facets_begin(t, settings, between, 1.0, 1.0);
    for (int32_t i = 0; i < count; i++) {
        *tied_facets_room(t) = facets[(first + i) % count];
        tied_facets_offer(t);
    }
    return tied_facets_pick(t, chosen);
}

static void the_least_deep_wins(void **state) {
    (void)state;
    const tied_facet facets[] = {facet_of(0.5, abut_vec3_make(1, 0, 0), true, 0), facet_of(0.3, abut_vec3_make(0, 1, 0), false, 1),
                                 facet_of(0.4, abut_vec3_make(0, 0, 1), true, 2), facet_of(2.0, abut_vec3_make(0, 0, -1), true, 3)};
    tied_facets t;
    bool chosen;
    for (int32_t first = 0; first < 4; first++) {
        const tied_facet *best = pick(&t, facets, 4, first, &aside, &chosen);
        assert_non_null(best);
        assert_near(best->depth, 0.3, 0.0);
        assert_false(chosen);
    }
    assert_null(pick(&t, &facets[3], 1, 0, &aside, &chosen)); /* deeper than the promised depth */
    assert_false(chosen);
}

static void equals_go_by_rule(void **state) {
    (void)state;
    const double half = sqrt(0.5);
    const tied_facet facets[] = {
        facet_of(0.3, abut_vec3_make(0, half, half), false, 0), facet_of(0.3 * (1.0 + 1e-12), abut_vec3_make(0, 1, 0), true, 1),
        facet_of(0.3, abut_vec3_make(1, 0, 0), true, 2), facet_of(0.3 * (1.0 + 1e-8), abut_vec3_make(0, 0, 1), true, 3)};
    const normal_settings follow_x = {.aside = aside.aside, .previous = {1, 0, 0}}, turned = {.aside = abut_neg(aside.aside)};
    tied_facets t;
    bool chosen;
    for (int32_t first = 0; first < 4; first++) {
        /* A face wins over two edges; of two faces the one more along `aside` wins; a facet deeper by 1e-8 is no tie. */
        assert_int_equal(pick(&t, facets, 4, first, &aside, &chosen)->feature_a.index, 1);
        assert_true(chosen);
        assert_int_equal(pick(&t, facets, 4, first, &turned, &chosen)->feature_a.index, 2);
        assert_int_equal(pick(&t, facets, 4, first, &follow_x, &chosen)->feature_a.index, 2); /* the previous normal has priority */
    }
}

/* Of facets that tie, the one nearest to the direction between the centres wins, also where this is short. Symmetric facets go by the fixed direction, in spite
 * of rounding error of the centres. */
static void the_centres_come_before_the_fixed_direction(void **state) {
    (void)state;
    const tied_facet facets[] = {facet_of(0.3, abut_vec3_make(1, 0, 0), true, 0), facet_of(0.3, abut_vec3_make(0, 1, 0), true, 1),
                                 facet_of(0.3, abut_vec3_make(-1, 0, 0), true, 2), facet_of(0.3, abut_vec3_make(0, -1, 0), true, 3)};
    const abut_vec3 centres[] = {{0.2, 0.1, 0},  {-1e-3, 1e-4, 0},      {0.1, -0.2, 0},       {0, 1e-12, 0},
                                 {-1e-12, 0, 0}, {0.2, 0.2 + 1e-14, 0}, {0.2 + 1e-14, 0.2, 0}};
    static const int32_t expected[] = {0, 2, 3, 1, 1, 1, 1};
    tied_facets t;
    bool chosen;
    for (int32_t i = 0; i < 28; i++) {
        between = centres[i / 4];
        assert_int_equal(pick(&t, facets, 4, i % 4, &aside, &chosen)->feature_a.index, expected[i / 4]);
        assert_true(chosen);
    }
    between = abut_vec3_make(0, 0, 0);
}

/* The same direction twice is not a choice. */
static void one_direction_by_two_names(void **state) {
    (void)state;
    const tied_facet facets[] = {facet_of(0.3, abut_vec3_make(0, 0, 1), true, 4), facet_of(0.3, abut_vec3_make(0, 0, 1), true, 2)};
    tied_facets t;
    bool chosen;
    for (int32_t first = 0; first < 2; first++) {
        assert_int_equal(pick(&t, facets, 2, first, &aside, &chosen)->feature_a.index, 2);
        assert_false(chosen);
    }
}

/* More ties than are stored, all round an axis: the result does not depend on where the sequence begins, and the opposite rule gives the
 * opposite facet. */
static void more_equals_than_are_kept(void **state) {
    (void)state;
    enum { ROUND = 64 };
    tied_facet facets[ROUND];
    for (int32_t i = 0; i < ROUND; i++) {
        double angle = 2.0 * PI * i / ROUND;
        facets[i] = facet_of(0.3, abut_vec3_make(cos(angle), sin(angle), 0), i % 2 == 0, i);
    }
    const normal_settings turned = {.aside = abut_neg(aside.aside)};
    tied_facets t;
    bool chosen;
    for (int32_t first = 0; first < ROUND; first++) {
        assert_int_equal(pick(&t, facets, ROUND, first, &aside, &chosen)->feature_a.index,
                         10); /* 56.25 degrees; the rule's way lies at 56.6 */
        assert_true(chosen);
        assert_int_equal(pick(&t, facets, ROUND, first, &turned, &chosen)->feature_a.index, 10 + ROUND / 2);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(more_equals_than_are_kept),  cmocka_unit_test(the_least_deep_wins),
        cmocka_unit_test(equals_go_by_rule),          cmocka_unit_test(the_centres_come_before_the_fixed_direction),
        cmocka_unit_test(one_direction_by_two_names),
    };
    return cmocka_run_group_tests_name("narrow/normal/tied_facets", tests, NULL, NULL);
}
