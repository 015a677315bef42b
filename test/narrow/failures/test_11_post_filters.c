/*
 * Failure mode 11: contacts are filtered away after they were found. Elsewhere all points of a thin box are deleted because each lies
 * inside the other body; a point occurs twice; points lie outside the overlap; a reduction drops the deepest point.
 */
#include "support/figure.h"

static const double scales[] = {1.0, 1e-4, 1e4};

#define BOX_AT(hx, hy, hz, x, y, z)                                      \
    {                                                                    \
        .kind = FIGURE_BOX, .p = hx, .q = hy, .r = hz, .at = { x, y, z } \
    }

/* Thin bodies pressed in by a part of their thickness, by all of it, and by more: every corner stays, on either side of the sheet. */
static void thin_boxes_keep_their_points(void **state) {
    (void)state;
    static const figure_case cases[] = {
        {"sheet on a slab, half in", BOX_AT(1, 1, 1e-3, 0.2, 0.1, 0.5), BOX_AT(2, 2, 0.5, 0, 0, 0), -1e-3, {0, 0, 1}, 4, 4, 0},
        {"sheet in a slab, its top level", BOX_AT(1, 1, 1e-3, 0.2, 0.1, 0.499), BOX_AT(2, 2, 0.5, 0, 0, 0), -2e-3, {0, 0, 1}, 4, 4, 0},
        {"sheet in a slab, below its top", BOX_AT(1, 1, 1e-3, 0.2, 0.1, 0.49), BOX_AT(2, 2, 0.5, 0, 0, 0), -1.1e-2, {0, 0, 1}, 4, 4, 0},
        {"slab on a sheet", BOX_AT(2, 2, 0.5, 0.2, 0.1, 0.5), BOX_AT(1, 1, 1e-3, 0, 0, 0), -1e-3, {0, 0, 1}, 4, 4, 0},
        {"sheets in each other", BOX_AT(1, 1, 1e-3, 0.2, 0.1, 1e-3), BOX_AT(1, 1, 1e-3, 0, 0, 0), -1e-3, {0, 0, 1}, 4, 1.8 * 1.9, 0},
        {"one sheet twice", BOX_AT(1, 1, 1e-3, 0, 0, 0), BOX_AT(1, 1, 1e-3, 0, 0, 0), -2e-3, {0, 0, 0}, 4, 4, 0},
        {"foil on a slab", BOX_AT(1, 1, 1e-6, 0.2, 0.1, 0.5), BOX_AT(2, 2, 0.5, 0, 0, 0), -1e-6, {0, 0, 1}, 4, 4, 0},
        {"foil on foil", BOX_AT(1, 1, 1e-6, 0.2, 0.1, 1e-6), BOX_AT(1, 1, 1e-6, 0, 0, 0), -1e-6, {0, 0, 1}, 4, 1.8 * 1.9, 0},
        {"blade in a slab", BOX_AT(1e-3, 1, 1, 0, 0, 1.45), BOX_AT(2, 2, 0.5, 0, 0, 0), -0.05, {0, 0, 1}, 4, 4e-3, 0},
        {"disc in a slab",
         {.kind = FIGURE_PRISM, .p = 1, .q = 1e-3, .r = 24, .at = {0, 0, 0.4995}},
         BOX_AT(2, 2, 0.5, 0, 0, 0),
         -1.5e-3,
         {0, 0, 1},
         24,
         0,
         0},
    };
    FIGURE_CHECK_ALL(cases, scales);
}

static check_answer answer, kept;

static void collide(tally *t, const check_pair *pair, abut_normal_policy policy, double margin) {
    abut_collide_settings settings = abut_collide_settings_default();
    settings.normal = policy;
    settings.margin = margin;
    check_collide(t, pair, &settings, &answer);
}

/* No corner of a patch lies outside either face, seen along the normal, and none occurs twice. This holds also if corners of both bodies
 * coincide, nearly coincide, or lie on each other's sides. */
static void corners_lie_in_the_overlap(void **state) {
    (void)state;
    static const double offsets[] = {0.0, 1e-16, 1e-12, 1e-9, 1e-7, 1e-6, 1e-5, 1e-3, 0.5, 1.0 - 1e-7, 1.0 - 1e-12};
    enum { OFFSETS = sizeof offsets / sizeof *offsets };
    static tally t;
    t = (tally){0};
    figure cube = {.kind = FIGURE_BOX, .p = 0.5, .q = 0.5, .r = 0.5};
    abut_shape *shape = figure_shape(&cube, 1.0);
    for (int i = 0; i < OFFSETS * OFFSETS * 2; i++) {
        double x = offsets[i % OFFSETS], y = -offsets[i / OFFSETS % OFFSETS];
        check_pair pair = {
            .a = shape, .b = shape, .pose_a = abut_pose_identity(), .pose_b = abut_pose_identity(), .size = 1.0, .weld = 1e-6};
        pair.pose_a.position = abut_vec3_make(x, y, 1.0 - 1e-13);
        tally_sample(&t, "offset (%g, %g), policy %d", x, y, i / (OFFSETS * OFFSETS));
        collide(&t, &pair, i / (OFFSETS * OFFSETS) ? ABUT_NORMAL_MINIMUM : ABUT_NORMAL_GROWTH, 1e-6);
        check_contacts(&t, &pair, &answer, 1e-6, true);
        double area = check_area(&answer), overlap = (1.0 - fabs(x)) * (1.0 - fabs(y));
        bool slight = fmin(1.0 - fabs(x), 1.0 - fabs(y)) < 1e-6; /* narrower than the weld distance */
        if (answer.count == 0 || (!slight && answer.count != 4) || !(fabs(area - overlap) <= 1e-11)) {
            tally_fail(&t, "patch of two faces", "%d contacts, area %.17g, overlap %.17g", (int)answer.count, area, overlap);
        }
        for (int32_t k = 0; k < answer.count; k++) {
            abut_vec3 p = answer.contacts[k].on_b;
            if (!(p.x >= x - 0.5 - 1e-12 && p.x <= 0.5 + 1e-12 && p.y >= -0.5 - 1e-12 && p.y <= y + 0.5 + 1e-12)) {
                tally_fail(&t, "corner outside the overlap", "(%.17g, %.17g)", p.x, p.y);
            }
        }
    }
    abut_shape_release(shape);
    tally_end(&t);
}

/* The first of the deepest contacts is kept at every limit. The kept contacts are contacts of the set, in its order, without
 * repetitions. */
static void check_reduced(tally *t, int32_t limit) {
    abut_reduction reduction;
    abut_status status = abut_reduce(answer.contacts, answer.count, limit, kept.contacts, &reduction);
    kept.count = reduction.kept;
    if (status != ABUT_OK || kept.count != (answer.count < limit ? answer.count : limit)) {
        tally_fail(t, "reduction", "%s, kept %d of %d, limit %d", abut_status_name(status), (int)kept.count, (int)answer.count, (int)limit);
        return;
    }
    if (!(check_deepest(&kept) <= check_deepest(&answer))) {
        tally_fail(t, "the deepest contact is dropped", "deepest %.17g, of those kept %.17g, limit %d", check_deepest(&answer),
                   check_deepest(&kept), (int)limit);
    }
    int32_t from = 0;
    for (int32_t i = 0; i < kept.count; i++) {
        while (from < answer.count && answer.contacts[from].id != kept.contacts[i].id) {
            from++;
        }
        if (from++ >= answer.count) {
            tally_fail(t, "a kept contact is not of the set, or out of order", "%d of %d", (int)i, (int)kept.count);
            return;
        }
    }
    if (!(reduction.area_after <= reduction.area_before * (1.0 + 1e-12) + 1e-300)) {
        tally_fail(t, "reduction gains area", "%.17g from %.17g", reduction.area_after, reduction.area_before);
    }
}

static void reduction_keeps_the_deepest(void **state) {
    (void)state;
    static tally t;
    t = (tally){0};
    random_state random = random_make(random_seed("reduction_keeps_the_deepest", 181));
    int32_t sets = 0;
    for (int i = 0; i < 600; i++) {
        double size = random_log_range(&random, 1e-6, 1e6), lean = random_log_range(&random, 1e-12, 0.03);
        figure disc = {.kind = FIGURE_PRISM, .p = 0.5, .q = 0.2, .r = 3 + random_below(&random, 60)};
        figure slab = {.kind = FIGURE_BOX, .p = 0.6, .q = 0.5, .r = 0.5};
        check_pair pair = {.a = figure_shape(&disc, size), .b = figure_shape(&slab, size), .pose_b = abut_pose_identity()};
        pair.pose_a.rotation = abut_quat_about(abut_unit(abut_vec3_make(cos(i), sin(i), 0)), lean);
        double x = random_range(&random, -0.4, 0.4), y = random_range(&random, -0.4, 0.4);
        pair.pose_a.position = abut_scale(size, abut_vec3_make(x, y, 0.699));
        tally_sample(&t, "set %d: %g sides, size %.3g, lean %.3g", i, disc.r, size, lean);
        collide(&t, &pair, i % 2 ? ABUT_NORMAL_MINIMUM : ABUT_NORMAL_GROWTH, 0.1 * size);
        for (int32_t limit = 1; limit <= 8; limit++) {
            check_reduced(&t, limit);
        }
        sets += answer.count > 4;
        abut_shape_release(pair.a);
        abut_shape_release(pair.b);
    }
    tally_end(&t);
    assert_true(sets > 300);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thin_boxes_keep_their_points),
        cmocka_unit_test(corners_lie_in_the_overlap),
        cmocka_unit_test(reduction_keeps_the_deepest),
    };
    return cmocka_run_group_tests_name("narrow/failures/post_filters", tests, NULL, NULL);
}
