/*
 * Failure mode 7: size ratio and distance from the origin. Elsewhere a contact lies 127 m away, a depth is 0.397 instead of 1e-4, and a
 * distance is 0 for a gap of 0.063. Tested: a small body anywhere on a large one of any kind, near the origin and 1e6 m from it.
 */
#include "support/figure.h"

static const double scales[] = {1.0, 1e-5, 1e5};

#define SLAB \
    { .kind = FIGURE_BOX, .p = 100, .q = 100, .r = 1 }
#define DISC \
    { .kind = FIGURE_PRISM, .p = 100, .q = 1, .r = 64 }
#define PLANE_UP                                \
    {                                           \
        .kind = FIGURE_PLANE, .at = { 0, 0, 1 } \
    }
#define BALL_AT(radius, x, y, z)                              \
    {                                                         \
        .kind = FIGURE_SPHERE, .p = radius, .at = { x, y, z } \
    }
#define BOX_AT(hx, hy, hz, x, y, z)                                      \
    {                                                                    \
        .kind = FIGURE_BOX, .p = hx, .q = hy, .r = hz, .at = { x, y, z } \
    }
#define CAPSULE_AT(radius, half, x, y, z)                                 \
    {                                                                     \
        .kind = FIGURE_CAPSULE, .p = radius, .q = half, .at = { x, y, z } \
    }
#define PRISM_AT(radius, half, sides, x, y, z)                                      \
    {                                                                               \
        .kind = FIGURE_PRISM, .p = radius, .q = half, .r = sides, .at = { x, y, z } \
    }
#define CONE_AT(radius, height, sides, x, y, z)                                      \
    {                                                                                \
        .kind = FIGURE_CONE, .p = radius, .q = height, .r = sides, .at = { x, y, z } \
    }

/* Bodies of size 1e-4 on bodies of size 100: at a depth of 1e-5, and at a gap of 0.0625. */
static void small_on_large(void **state) {
    (void)state;
    static const figure_case cases[] = {
        {"box on slab", BOX_AT(1e-4, 1e-4, 1e-4, 37, -12, 1.00009), SLAB, -1e-5, {0, 0, 1}, 4, 4e-8, 0},
        {"box on disc", BOX_AT(1e-4, 1e-4, 1e-4, 37, -12, 1.00009), DISC, -1e-5, {0, 0, 1}, 4, 4e-8, 0},
        {"box on plane", BOX_AT(1e-4, 1e-4, 1e-4, 37, -12, 1.00009), PLANE_UP, -1e-5, {0, 0, 1}, 4, 4e-8, 0},
        {"ball on slab", BALL_AT(1e-4, 37, -12, 1.00009), SLAB, -1e-5, {0, 0, 1}, 1, 0, 0},
        {"ball on disc", BALL_AT(1e-4, 37, -12, 1.00009), DISC, -1e-5, {0, 0, 1}, 1, 0, 0},
        {"ball on plane", BALL_AT(1e-4, 37, -12, 1.00009), PLANE_UP, -1e-5, {0, 0, 1}, 1, 0, 0},
        {"ball on a large ball", BALL_AT(1e-4, 60, 0, 80.00007), BALL_AT(100, 0, 0, 0), 5.6e-5 - 1e-4, {0, 0, 0}, 1, 0, 0},
        {"ball on a large capsule", BALL_AT(1e-4, 100.00009, 0, 3), CAPSULE_AT(100, 50, 0, 0, 0), -1e-5, {1, 0, 0}, 1, 0, 0},
        {"capsule on slab", CAPSULE_AT(1e-4, 2e-4, 37, -12, 1.00029), SLAB, -1e-5, {0, 0, 1}, 1, 0, 0},
        {"cylinder on slab", PRISM_AT(1e-4, 1e-4, 16, 37, -12, 1.00009), SLAB, -1e-5, {0, 0, 1}, 16, 0, 0},
        {"cone on slab", CONE_AT(1e-4, 4e-4, 16, 37, -12, 1.00009), SLAB, -1e-5, {0, 0, 1}, 16, 0, 0},
        {"box at the rim", BOX_AT(1e-4, 1e-4, 1e-4, 99.99995, -12, 1.00009), SLAB, -1e-5, {0, 0, 1}, 4, 3e-8, 0},
        {"box above slab", BOX_AT(1e-4, 1e-4, 1e-4, 37, -12, 1.0626), SLAB, 0.0625, {0, 0, 1}, 4, 4e-8, 0},
        {"box above disc", BOX_AT(1e-4, 1e-4, 1e-4, 37, -12, 1.0626), DISC, 0.0625, {0, 0, 1}, 4, 4e-8, 0},
        {"ball above slab", BALL_AT(1e-4, 37, -12, 1.0626), SLAB, 0.0625, {0, 0, 1}, 1, 0, 0},
        {"ball above disc", BALL_AT(1e-4, 37, -12, 1.0626), DISC, 0.0625, {0, 0, 1}, 1, 0, 0},
        {"capsule above slab", CAPSULE_AT(1e-4, 2e-4, 37, -12, 1.0628), SLAB, 0.0625, {0, 0, 1}, 1, 0, 0},
        {"cylinder above disc", PRISM_AT(1e-4, 1e-4, 16, 37, -12, 1.0626), DISC, 0.0625, {0, 0, 1}, 16, 0, 0},
        {"box beside slab", BOX_AT(1e-4, 1e-4, 1e-4, 100.0626, -12, 0.3), SLAB, 0.0625, {1, 0, 0}, 4, 4e-8, 0},
        {"slab on crumb",
         {.kind = FIGURE_BOX, .p = 100, .q = 100, .r = 1, .at = {37, -12, 1.00009}},
         BOX_AT(1e-4, 1e-4, 1e-4, 0, 0, 0),
         -1e-5,
         {0, 0, 1},
         4,
         4e-8,
         0},
        {"large on large", BOX_AT(1e4, 1e4, 1, 3000, 2000, 1.9999), BOX_AT(1e4, 1e4, 1, 0, 0, 0), -1e-4, {0, 0, 1}, 4, 1.7e4 * 1.8e4, 0},
    };
    FIGURE_CHECK_ALL(cases, scales);
}

/* Contacts are near the small body: their points lie within its reach of its middle, not elsewhere on the large body. */
static void contacts_are_where_the_small_body_is(void **state) {
    (void)state;
    static const figure large[] = {SLAB, DISC, PLANE_UP, CONE_AT(100, 400, 32, 0, 0, 0)};
    static const double tops[] = {1, 1, 1, 300};
    static const figure small[] = {BALL_AT(1e-3, 0, 0, 0), BOX_AT(1e-3, 1e-3, 1e-3, 0, 0, 0), CAPSULE_AT(5e-4, 5e-4, 0, 0, 0),
                                   PRISM_AT(1e-3, 1e-3, 12, 0, 0, 0)};
    static const double margins[] = {0.0, 1e-3, 1.0, 1000.0};
    static check_answer answer;
    static tally t;
    t = (tally){0};
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 4; k++) {
            check_pair pair = {.a = figure_shape(&small[k], 1.0), .b = figure_shape(&large[i], 1.0), .size = 400.0};
            pair.pose_a = figure_pose(&small[k], 1.0);
            pair.pose_b = figure_pose(&large[i], 1.0);
            pair.pose_a.position = abut_vec3_make(i == 3 ? 0 : 21, i == 3 ? 0 : -43, tops[i] + 0.99e-3);
            for (int m = 0; m < 8; m++) {
                abut_collide_settings settings = abut_collide_settings_default();
                settings.margin = margins[m / 2];
                settings.normal = m % 2 ? ABUT_NORMAL_MINIMUM : ABUT_NORMAL_GROWTH;
                tally_sample(&t, "small %d on large %d, margin %g, policy %d", k, i, settings.margin, m % 2);
                check_collide(&t, &pair, &settings, &answer);
                if (answer.count == 0 || !(fabs(check_deepest(&answer) + 1e-5) <= 1e-12)) {
                    tally_fail(&t, "depth of a small body", "%d contacts, deepest %.17g", (int)answer.count, check_deepest(&answer));
                }
                for (int32_t c = 0; c < answer.count; c++) {
                    double off = fmax(abut_distance_between(answer.contacts[c].on_a, pair.pose_a.position),
                                      abut_distance_between(answer.contacts[c].on_b, pair.pose_a.position));
                    if (!(off <= 2e-3)) {
                        tally_fail(&t, "contact far from the small body", "%.6g away", off);
                    }
                }
            }
            abut_shape_release(pair.a);
            abut_shape_release(pair.b);
        }
    }
    tally_end(&t);
}

/* With exactly representable numbers: two bodies of a metre give bit for bit the same result at the origin and 2^20 m from it. */
static void far_from_the_origin(void **state) {
    (void)state;
    static const figure upper[] = {BALL_AT(0.5, 0, 0, 0), CAPSULE_AT(0.25, 0.25, 0, 0, 0), BOX_AT(0.5, 0.5, 0.5, 0, 0, 0),
                                   PRISM_AT(0.5, 0.5, 32, 0, 0, 0)};
    static const double gaps[] = {-0x1p-20, -0x1p-3, 0.0, 0x1p-20, 0x1p-4};
    static check_answer near, far;
    static tally t;
    t = (tally){0};
    const abut_vec3 away = {0x1p20, -0x1p20, 0x1p19};
    for (int i = 0; i < 4 * 4 * 5 * 2; i++) {
        const figure *a = &upper[i % 4], *b = &upper[i / 4 % 4];
        double gap = gaps[i / 16 % 5];
        abut_collide_settings settings = abut_collide_settings_default();
        settings.normal = i / 80 ? ABUT_NORMAL_MINIMUM : ABUT_NORMAL_GROWTH;
        settings.margin = 0.125;
        check_pair pair = {
            .a = figure_shape(a, 1.0), .b = figure_shape(b, 1.0), .pose_a = abut_pose_identity(), .pose_b = abut_pose_identity()};
        pair.pose_a.position = abut_vec3_make(0.125, 0.0625, 1.0 + gap);
        tally_sample(&t, "kind %d on kind %d, gap %.17g, policy %d", i % 4, i / 4 % 4, gap, i / 80);
        check_collide(&t, &pair, &settings, &near);
        pair.pose_a.position = abut_add(pair.pose_a.position, away);
        pair.pose_b.position = abut_add(pair.pose_b.position, away);
        check_collide(&t, &pair, &settings, &far);
        if (near.count == 0 || near.count != far.count) {
            tally_fail(&t, "number of contacts", "%d, far away %d", (int)near.count, (int)far.count);
        }
        for (int32_t k = 0; k < near.count && near.count == far.count; k++) {
            const abut_contact *p = &near.contacts[k], *q = &far.contacts[k];
            abut_vec3 on_a = abut_add(p->on_a, away), on_b = abut_add(p->on_b, away);
            if (p->gap != q->gap || p->area != q->area || p->id != q->id || abut_distance_between(p->normal, q->normal) != 0.0 ||
                abut_distance_between(on_a, q->on_a) != 0.0 || abut_distance_between(on_b, q->on_b) != 0.0) {
                tally_fail(&t, "contact far from the origin", "gap %.17g, near %.17g, point off by %.3g", q->gap, p->gap,
                           abut_distance_between(on_a, q->on_a));
            }
        }
        abut_shape_release(pair.a);
        abut_shape_release(pair.b);
    }
    tally_end(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_on_large),
        cmocka_unit_test(contacts_are_where_the_small_body_is),
        cmocka_unit_test(far_from_the_origin),
    };
    return cmocka_run_group_tests_name("narrow/failures/size_and_distance", tests, NULL, NULL);
}
