/*
 * Failure mode 10: the right distance with wrong witnesses, and answers that depend on the query's margin or flip within the speculative
 * band. Tested: closest points in closed form where they are unique; the same contact, bit for bit, at every margin that admits it; a
 * normal that stays while a body crosses the band.
 */
#include "support/figure.h"

#include <string.h>

typedef struct witness_case {
    const char *name;
    figure a, b;
    abut_vec3 on_a, on_b;
} witness_case;

#define CUBE \
    { .kind = FIGURE_BOX, .p = 0.5, .q = 0.5, .r = 0.5 }
#define BALL_AT(radius, x, y, z)                              \
    {                                                         \
        .kind = FIGURE_SPHERE, .p = radius, .at = { x, y, z } \
    }
#define CUBE_AT(x, y, z)                                                    \
    {                                                                       \
        .kind = FIGURE_BOX, .p = 0.5, .q = 0.5, .r = 0.5, .at = { x, y, z } \
    }

static const witness_case witnesses[] = {
    {"ball over face", BALL_AT(0.25, 0.2, 0.1, 1), CUBE, {0.2, 0.1, 0.75}, {0.2, 0.1, 0.5}},
    {"ball beside edge", BALL_AT(0.25, 0.2, 0.8, 0.9), CUBE, {0.2, 0.65, 0.7}, {0.2, 0.5, 0.5}},
    {"ball beside corner",
     BALL_AT(0.25, 0.6, 0.7, 0.7),
     CUBE,
     {0.5166666666666667, 0.5333333333333333, 0.5333333333333333},
     {0.5, 0.5, 0.5}},
    {"ball in face", BALL_AT(0.25, 0.2, 0.1, 0.6), CUBE, {0.2, 0.1, 0.35}, {0.2, 0.1, 0.5}},
    {"ball sunk in", BALL_AT(0.25, 0.2, 0.1, 0.4), CUBE, {0.2, 0.1, 0.15}, {0.2, 0.1, 0.5}},
    {"balls apart", BALL_AT(0.25, 0, 0.6, 0.8), BALL_AT(0.5, 0, 0, 0), {0, 0.45, 0.6}, {0, 0.3, 0.4}},
    {"balls in each other", BALL_AT(0.75, 0, 0.6, 0.8), BALL_AT(0.5, 0, 0, 0), {0, 0.15, 0.2}, {0, 0.3, 0.4}},
    {"corner beside corner", CUBE_AT(1.1, 1.2, 1.3), CUBE, {0.6, 0.7, 0.8}, {0.5, 0.5, 0.5}},
    {"crossed edges",
     {.kind = FIGURE_BOX, .p = 0.5, .q = 0.5, .r = 0.5, .at = {0.1, 0.2, 1.6142135623730951}, .turn = {PI / 4, 0, 0}},
     {.kind = FIGURE_BOX, .p = 0.5, .q = 0.5, .r = 0.5, .turn = {0, PI / 4, 0}},
     {0, 0.2, 0.9071067811865476},
     {0, 0.2, 0.7071067811865476}},
    {"crossed edges, sunk in",
     {.kind = FIGURE_BOX, .p = 0.5, .q = 0.5, .r = 0.5, .at = {0.1, 0.2, 1.3942135623730951}, .turn = {PI / 4, 0, 0}},
     {.kind = FIGURE_BOX, .p = 0.5, .q = 0.5, .r = 0.5, .turn = {0, PI / 4, 0}},
     {0, 0.2, 0.6871067811865476},
     {0, 0.2, 0.7071067811865476}},
    {"apex under face",
     {.kind = FIGURE_CONE, .p = 0.25, .q = 1, .r = 9, .at = {0.1, 0.2, 1.5}, .turn = {PI, 0, 0}},
     CUBE,
     {0.1, 0.2, 0.75},
     {0.1, 0.2, 0.5}},
    {"apex in face",
     {.kind = FIGURE_CONE, .p = 0.25, .q = 1, .r = 9, .at = {0.1, 0.2, 1.2}, .turn = {PI, 0, 0}},
     CUBE,
     {0.1, 0.2, 0.45},
     {0.1, 0.2, 0.5}},
    {"capsule across capsule",
     {.kind = FIGURE_CAPSULE, .p = 0.25, .q = 0.5, .at = {0.1, 0.2, 0.75}, .turn = {PI / 2, 0, 0}},
     {.kind = FIGURE_CAPSULE, .p = 0.25, .q = 0.5, .turn = {0, PI / 2, 0}},
     {0.1, 0, 0.5},
     {0.1, 0, 0.25}},
    {"capsule's end over face",
     {.kind = FIGURE_CAPSULE, .p = 0.1, .q = 0.5, .at = {0.1, 0.2, 1.2}},
     CUBE,
     {0.1, 0.2, 0.6},
     {0.1, 0.2, 0.5}},
    {"capsule across edge",
     {.kind = FIGURE_CAPSULE, .p = 0.1, .q = 1, .at = {0.2, 0.8, 0.9}, .turn = {0.9272952180016122, 0, 0}},
     CUBE,
     {0.2, 0.74, 0.82},
     {0.2, 0.5, 0.5}},
    {"ball over plane", BALL_AT(0.25, 3, -2, 0.5), {.kind = FIGURE_PLANE}, {3, -2, 0.25}, {3, -2, 0}},
};
enum { WITNESSES = sizeof witnesses / sizeof *witnesses };

static check_answer answer, other;

static void collide(tally *t, const check_pair *pair, abut_normal_policy policy, double margin, check_answer *out) {
    abut_collide_settings settings = abut_collide_settings_default();
    settings.normal = policy;
    settings.margin = margin;
    check_collide(t, pair, &settings, out);
}

static void unique_witnesses(void **state) {
    (void)state;
    static tally t;
    t = (tally){0};
    for (int i = 0; i < WITNESSES * 4; i++) {
        const witness_case *w = &witnesses[i / 4];
        bool swapped = i % 2;
        abut_normal_policy policy = i / 2 % 2 ? ABUT_NORMAL_MINIMUM : ABUT_NORMAL_GROWTH;
        const figure *first = swapped ? &w->b : &w->a, *second = swapped ? &w->a : &w->b;
        check_pair pair = {.a = figure_shape(first, 1.0), .b = figure_shape(second, 1.0), .size = 1.0};
        pair.pose_a = figure_pose(first, 1.0);
        pair.pose_b = figure_pose(second, 1.0);
        tally_sample(&t, "%s%s, policy %d", w->name, swapped ? ", swapped" : "", (int)policy);
        collide(&t, &pair, policy, 0.5, &answer);
        check_contacts(&t, &pair, &answer, 0.5, false);
        abut_vec3 on_a = swapped ? w->on_b : w->on_a, on_b = swapped ? w->on_a : w->on_b;
        double least = INFINITY, deepest = check_deepest(&answer);
        for (int32_t k = 0; k < answer.count; k++) {
            const abut_contact *c = &answer.contacts[k];
            if (c->gap <= deepest + 1e-12) {
                least = fmin(least, fmax(abut_distance_between(c->on_a, on_a), abut_distance_between(c->on_b, on_b)));
            }
        }
        if (!(least <= 1e-12)) {
            tally_fail(&t, "witness", "off by %.3g, %d contacts", least, (int)answer.count);
        }
        abut_shape_release(pair.a);
        abut_shape_release(pair.b);
    }
    tally_end(&t);
}

/* The first answer's contacts are those of the second that its margin admits, bit for bit except area and patch. */
static void check_same_bits(tally *t, const check_answer *few, const check_answer *many, double margin) {
    int32_t admitted = 0;
    for (int32_t i = 0; i < many->count; i++) {
        const abut_contact *m = &many->contacts[i];
        if (m->gap > margin) {
            continue;
        }
        admitted++;
        const abut_contact *f = check_find(few, m->id);
        if (f == NULL || memcmp(&f->on_a, &m->on_a, sizeof f->on_a) != 0 || memcmp(&f->on_b, &m->on_b, sizeof f->on_b) != 0 ||
            memcmp(&f->normal, &m->normal, sizeof f->normal) != 0 || memcmp(&f->gap, &m->gap, sizeof f->gap) != 0) {
            tally_fail(t, "a contact depends on the margin", "gap %.17g, %s", m->gap, f == NULL ? "lost" : "moved");
        }
    }
    if (admitted != few->count) {
        tally_fail(t, "the number of contacts depends on the margin", "%d, of those with more margin %d", (int)few->count, (int)admitted);
    }
}

/* Gaps are no multiples of the margin, so that the margin's own rounding error does not matter. */
static void any_margin(void **state) {
    (void)state;
    static const double margins[] = {0.0, 1e-6, 0.013, 0.17, 0.51, 1.3, 13.0, 1e3, 1e6};
    static tally t;
    t = (tally){0};
    random_state random = random_make(random_seed("any_margin", 171));
    for (int i = 0; i < WITNESSES * 20; i++) {
        const witness_case *w = &witnesses[i / 20];
        check_pair pair = {.a = figure_shape(&w->a, 1.0), .b = figure_shape(&w->b, 1.0), .size = 1.0};
        pair.pose_a = figure_pose(&w->a, 1.0);
        pair.pose_b = figure_pose(&w->b, 1.0);
        if (i % 20 > 0) { /* a little off */
            pair.pose_a.rotation = abut_quat_mul(abut_quat_about(random_direction(&random), 0.1), pair.pose_a.rotation);
            pair.pose_a.position = abut_add(pair.pose_a.position, random_vec3(&random, -0.1, 0.1));
        }
        for (int policy = 0; policy < 2; policy++) {
            tally_sample(&t, "%s, sample %d, policy %d", w->name, i % 20, policy);
            collide(&t, &pair, policy ? ABUT_NORMAL_MINIMUM : ABUT_NORMAL_GROWTH, 1e6, &other);
            for (size_t m = 0; m < sizeof margins / sizeof *margins; m++) {
                collide(&t, &pair, policy ? ABUT_NORMAL_MINIMUM : ABUT_NORMAL_GROWTH, margins[m], &answer);
                check_same_bits(&t, &answer, &other, margins[m]);
            }
        }
        abut_shape_release(pair.a);
        abut_shape_release(pair.b);
    }
    tally_end(&t);
}

/* A body that moves through the band and into the other one in small steps: the normal and the points stay, and the gaps fall with it. */
static void through_the_band(void **state) {
    (void)state;
    static const figure falling[] = {
        {.kind = FIGURE_BOX, .p = 0.5, .q = 0.4, .r = 0.3, .at = {0.3, 0.2, 0.8}, .turn = {0, 0, 0.5}},
        {.kind = FIGURE_PRISM, .p = 0.5, .q = 0.3, .r = 32, .at = {0.3, 0.2, 0.8}},
        {.kind = FIGURE_CONE, .p = 0.5, .q = 1.2, .r = 12, .at = {0.3, 0.2, 0.8}},
        {.kind = FIGURE_SPHERE, .p = 0.3, .at = {0.3, 0.2, 0.8}},
        {.kind = FIGURE_CAPSULE, .p = 0.3, .q = 0.5, .at = {0.3, 0.2, 0.8}, .turn = {PI / 2, 0, 0.4}},
    };
    static tally t;
    t = (tally){0};
    figure slab = {.kind = FIGURE_BOX, .p = 2, .q = 2, .r = 0.5};
    for (int i = 0; i < 5 * 2; i++) {
        check_pair pair = {.a = figure_shape(&falling[i / 2], 1.0), .b = figure_shape(&slab, 1.0), .size = 1.0};
        pair.pose_a = figure_pose(&falling[i / 2], 1.0);
        pair.pose_b = abut_pose_identity();
        int32_t count = 0;
        for (int step = 0; step <= 200; step++) {
            double gap = 0.05 - 5e-4 * step; /* from 0.05 above to 0.05 below */
            pair.pose_a.position.z = 0.8 + gap;
            tally_sample(&t, "body %d, gap %.6f, policy %d", i / 2, gap, i % 2);
            collide(&t, &pair, i % 2 ? ABUT_NORMAL_MINIMUM : ABUT_NORMAL_GROWTH, 0.06, &answer);
            count = step == 0 ? answer.count : count;
            if (answer.count == 0 || answer.count != count) {
                tally_fail(&t, "the number of contacts flips", "%d, before %d", (int)answer.count, (int)count);
            }
            for (int32_t k = 0; k < answer.count; k++) {
                if (!(abut_distance_between(answer.contacts[k].normal, abut_vec3_make(0, 0, 1)) <= 1e-12) ||
                    !(fabs(answer.contacts[k].gap - gap) <= 1e-14)) {
                    tally_fail(&t, "normal or gap", "normal z %.17g, gap %.17g", answer.contacts[k].normal.z, answer.contacts[k].gap);
                }
            }
        }
        abut_shape_release(pair.a);
        abut_shape_release(pair.b);
    }
    tally_end(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(unique_witnesses), cmocka_unit_test(any_margin),
                                       cmocka_unit_test(through_the_band)};
    return cmocka_run_group_tests_name("narrow/failures/witnesses", tests, NULL, NULL);
}
