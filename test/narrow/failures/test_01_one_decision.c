/*
 * Failure mode 1: two tests of the same fact disagree. One says touching, the next apart, and a zero or undefined normal results.
 *
 * Every kind of shape stands upright on every other. The gap goes from zero through rounding error to visible. The heights are binary
 * fractions, so the gap is exact: touching must be an ordinary result with a unit normal, and all queries must agree.
 */
#include "support/figure.h"

typedef struct standing {
    figure figure;
    double below, above; /* how far it reaches from its frame's origin */
} standing;

/* Upright, with the highest point above the frame's origin. */
static const standing kinds[] = {
    {{.kind = FIGURE_SPHERE, .p = 0.5}, 0.5, 0.5},
    {{.kind = FIGURE_CAPSULE, .p = 0.25, .q = 0.25}, 0.5, 0.5},
    {{.kind = FIGURE_BOX, .p = 0.25, .q = 0.375, .r = 0.5}, 0.5, 0.5},
    {{.kind = FIGURE_PRISM, .p = 0.5, .q = 0.5, .r = 32}, 0.5, 0.5},
    {{.kind = FIGURE_CONE, .p = 0.5, .q = 2.0, .r = 7}, 0.5, 1.5},
    {{.kind = FIGURE_WEDGE, .p = 0.5, .q = 0.5, .r = 0.5}, 0.0, 0.5},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static const abut_vec3 up = {0, 0, 1};

static abut_status collide(const check_pair *pair, abut_normal_policy policy, double margin, check_answer *answer) {
    abut_collide_settings settings = abut_collide_settings_default();
    settings.normal = policy;
    settings.margin = margin;
    return abut_collide(&(abut_pair){pair->a, pair->pose_a, pair->b, pair->pose_b}, &settings, NULL, answer->contacts, CHECK_CAPACITY,
                        &answer->count);
}

/* Both policies and both orders agree whether there is contact. Within a margin there is always one, with a vertical normal. */
static void check_decisions(tally *t, const check_pair *pair, double gap) {
    static check_answer answer;
    check_pair swapped = {.a = pair->b, .b = pair->a, .pose_a = pair->pose_b, .pose_b = pair->pose_a};
    int32_t touching = 0;
    for (int i = 0; i < 4; i++) {
        const check_pair *order = i % 2 ? &swapped : pair;
        abut_normal_policy policy = i / 2 ? ABUT_NORMAL_MINIMUM : ABUT_NORMAL_GROWTH;
        if (collide(order, policy, 0.0, &answer) != ABUT_OK) {
            tally_fail(t, "status", "margin 0");
        }
        touching += answer.count > 0;
        if (answer.count > 0 && gap > 1e-13) {
            tally_fail(t, "contact of bodies apart", "gap %.17g", check_deepest(&answer));
        }
        if (answer.count == 0 && gap < -1e-13) {
            tally_fail(t, "missed overlap", "gap %.17g", gap);
        }
        if (collide(order, policy, fmax(2.0 * gap, 1e-6), &answer) != ABUT_OK || answer.count == 0) {
            tally_fail(t, "no contact within the margin", "gap %.17g", gap);
            continue;
        }
        abut_vec3 expected = i % 2 ? abut_neg(up) : up;
        for (int32_t k = 0; k < answer.count; k++) {
            if (!(abut_distance_between(answer.contacts[k].normal, expected) <= 1e-7)) {
                tally_fail(t, "normal", "(%.12f, %.12f, %.12f)", answer.contacts[k].normal.x, answer.contacts[k].normal.y,
                           answer.contacts[k].normal.z);
            }
        }
        if (!(fabs(check_deepest(&answer) - gap) <= 1e-13)) {
            tally_fail(t, "gap", "%.17g, expected %.17g", check_deepest(&answer), gap);
        }
    }
    if (touching != 0 && touching != 4) {
        tally_fail(t, "policies or orders disagree whether they touch", "%d of 4", (int)touching);
    }
}

/* The growth distance is on the same side of 1, and its gap is the true gap. */
static void check_growth(tally *t, const check_pair *pair, double gap) {
    abut_growth growth;
    abut_status status = abut_growth_distance(&(abut_pair){pair->a, pair->pose_a, pair->b, pair->pose_b}, NULL, &growth);
    if (status != ABUT_OK || !(fabs(abut_length(growth.normal) - 1.0) <= 1e-12)) {
        tally_fail(t, "growth distance", "%s, normal of length %g", abut_status_name(status), abut_length(growth.normal));
    } else if ((gap > 1e-11 && growth.alpha <= 1.0) || (gap < -1e-11 && growth.alpha >= 1.0)) {
        tally_fail(t, "growth distance on the other side of 1", "alpha %.17g, gap %.17g", growth.alpha, gap);
    } else if (!(growth.gap <= gap + 1e-13)) {
        tally_fail(t, "growth distance separates by more than the gap", "%.17g, gap %.17g", growth.gap, gap);
    }
}

static void standing_on(const standing *a, const standing *b, double x, tally *t) {
    static const double gaps[] = {0.0,     0x1p-52,  -0x1p-52, 0x1p-50,  -0x1p-50, 0x1p-47,  -0x1p-47, 0x1p-44, -0x1p-44,
                                  0x1p-40, -0x1p-40, 0x1p-36,  -0x1p-36, 0x1p-30,  -0x1p-30, 0x1p-20,  -0x1p-20};
    check_pair pair = {.a = figure_shape(&a->figure, 1.0), .b = figure_shape(&b->figure, 1.0)};
    for (size_t i = 0; i < sizeof gaps / sizeof *gaps; i++) {
        pair.pose_a = figure_pose(&a->figure, 1.0);
        pair.pose_b = figure_pose(&b->figure, 1.0);
        double touching = a->below + b->above;
        /* Puts the middle of a wedge's base over the point below. */
        pair.pose_a.position.x = a->figure.kind == FIGURE_WEDGE ? x - 0.125 : x;
        pair.pose_a.position.y = a->figure.kind == FIGURE_WEDGE ? -0.125 : 0.0;
        pair.pose_a.position.z = touching + gaps[i];
        double gap = pair.pose_a.position.z - touching; /* the width that is left at this height */
        tally_sample(t, "%s on %s, x %g, gap %.17g", abut_kind_name(abut_shape_kind(pair.a)), abut_kind_name(abut_shape_kind(pair.b)), x,
                     gap);
        check_decisions(t, &pair, gap);
        check_growth(t, &pair, gap);
    }
    abut_shape_release(pair.a);
    abut_shape_release(pair.b);
}

static void every_kind_on_every_kind(void **state) {
    (void)state;
    static tally t;
    for (int i = 0; i < KINDS; i++) {
        for (int k = 0; k < KINDS; k++) {
            standing_on(&kinds[i], &kinds[k], 0.0, &t);
            if (kinds[k].figure.kind == FIGURE_BOX || kinds[k].figure.kind == FIGURE_PRISM) {
                standing_on(&kinds[i], &kinds[k], 0.125, &t);
            }
        }
    }
    tally_end(&t);
}

/* Cubes that touch in a face, an edge or a corner only: the gap is zero and the normal is unit, everywhere. */
static void touching_cubes(void **state) {
    (void)state;
    static tally t;
    static check_answer answer;
    figure cube = {.kind = FIGURE_BOX, .p = 0.5, .q = 0.5, .r = 0.5};
    check_pair pair = {
        .a = figure_shape(&cube, 1.0), .b = figure_shape(&cube, 1.0), .pose_a = abut_pose_identity(), .pose_b = abut_pose_identity()};
    for (int i = 0; i < 27 * 5; i++) {
        double far = i / 27 ? 0x1p10 * (i / 27) : 0.0;
        abut_vec3 place = {(double)(i % 3 - 1), (double)(i / 3 % 3 - 1), (double)(i / 9 % 3 - 1)};
        if (abut_length(place) == 0.0) {
            continue;
        }
        pair.pose_b.position = abut_vec3_make(far, -far, 3.0 * far);
        pair.pose_a.position = abut_add(pair.pose_b.position, place);
        for (int policy = 0; policy < 2; policy++) {
            tally_sample(&t, "cube at (%g, %g, %g), %g from the origin, policy %d", place.x, place.y, place.z, far, policy);
            if (collide(&pair, policy ? ABUT_NORMAL_MINIMUM : ABUT_NORMAL_GROWTH, 0.0, &answer) != ABUT_OK || answer.count == 0) {
                tally_fail(&t, "no contact of cubes that touch", "%d", (int)answer.count);
                continue;
            }
            abut_vec3 n = answer.contacts[0].normal;
            /* A supporting direction of the common face, edge or corner: a mean of its axes. */
            if (!(fabs(abut_length(n) - 1.0) <= 1e-12) || n.x * place.x < -1e-9 || n.y * place.y < -1e-9 || n.z * place.z < -1e-9) {
                tally_fail(&t, "normal of cubes that touch", "(%g, %g, %g)", n.x, n.y, n.z);
            }
            if (!(fabs(check_deepest(&answer)) <= 1e-15)) {
                tally_fail(&t, "gap of cubes that touch", "%.17g", check_deepest(&answer));
            }
        }
    }
    abut_shape_release(pair.a);
    abut_shape_release(pair.b);
    tally_end(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_kind_on_every_kind), cmocka_unit_test(touching_cubes)};
    return cmocka_run_group_tests_name("narrow/failures/one_decision", tests, NULL, NULL);
}
