/* Two boxes by SAT over fifteen axes: the same least depth as the search over all facets, and closed forms. Frame of A, direction from A to
 * B. */
#include "narrow/normal/box_sat.h"

#include <stdio.h>
#include <string.h>

#include "narrow/normal/gjk.h"
#include "narrow/normal/normal.h"
#include "narrow/normal/sat.h"
#include "support/check.h"

typedef struct box_pair {
    abut_shape *shape_a, *shape_b;
    convex a, b;
} box_pair;

static box_pair make_pair(abut_vec3 half_a, abut_vec3 half_b, abut_mat3 rotation, abut_vec3 centre) {
    box_pair p;
    assert_ok(abut_shape_create_box(half_a, &p.shape_a));
    assert_ok(abut_shape_create_box(half_b, &p.shape_b));
    p.a = convex_place(p.shape_a, abut_mat3_identity(), abut_vec3_make(0, 0, 0), 0);
    p.b = convex_place(p.shape_b, rotation, centre, 0);
    return p;
}

static void free_pair(box_pair *p) {
    abut_shape_release(p->shape_a);
    abut_shape_release(p->shape_b);
}

static double gap_along(const box_pair *p, abut_vec3 direction) {
    return -(convex_extent(&p->a, direction) + convex_extent(&p->b, abut_neg(direction)));
}

static const normal_settings plain = {.minimum = true, .aside = {0.31, 0.47, 0.83}};

static bool by_axes(const box_pair *p, double apart, contact_normal *normal) {
    box_placement where = {&p->shape_a->half, &p->shape_b->half, &p->b.rotation, &p->b.position};
    return box_sat_normal(&where, &plain, p->a.size + p->b.size, apart, normal);
}

/* Boxes of random sizes at a distance at which most overlap; every fourth pair is aligned except for a tiny angle, every eighth exactly. */
static box_pair random_pair(random_state *random, int32_t sample, abut_vec3 *half_a, abut_vec3 *half_b) {
    *half_a = random_vec3(random, 0.1, 0.7);
    *half_b = random_vec3(random, 0.1, 0.7);
    abut_mat3 rotation = abut_mat3_from_quat(random_rotation(random));
    if (sample % 4 == 0) {
        double angle = sample % 8 == 0 ? 0.0 : random_log_range(random, 1e-12, 1e-2);
        rotation = abut_mat3_from_quat(abut_quat_about(random_direction(random), angle));
    }
    return make_pair(*half_a, *half_b, rotation, abut_scale(random_range(random, 0.0, 1.2), random_direction(random)));
}

static void least_depth_of_random_boxes(void **state) {
    (void)state;
    static tally t;
    random_state random = random_make(random_seed("least_depth_of_random_boxes", 521));
    int32_t deep = 0, apart = 0;
    for (int32_t i = 0; i < 10000; i++) {
        abut_vec3 half_a, half_b;
        box_pair p = random_pair(&random, i, &half_a, &half_b);
        contact_normal axes = {.gap = NAN}, facets = {.gap = NAN};
        tally_sample(&t, "sample %d", (int)i);
        bool meets = by_axes(&p, 0.0, &axes);
        sat_normal(&p.a, &p.b, &plain, INFINITY, &facets);
        if (!(fabs(abut_length(axes.direction) - 1.0) <= 1e-12) && meets && axes.gap < 0.0) {
            tally_fail(&t, "direction", "of length %.17g", abut_length(axes.direction));
        }
        if (meets && axes.gap < 0.0) {
            deep++;
            double along = gap_along(&p, axes.direction);
            double ties = 4e-10 * fabs(axes.gap); /* facets whose depths are that close are chosen by rule, not by depth */
            if (!(fabs(axes.gap - facets.gap) <= 1e-12 + ties && fabs(along - axes.gap) <= 1e-12)) {
                tally_fail(&t, "depth", "%.17g, along its direction %.17g, of all facets %.17g", axes.gap, along, facets.gap);
            }
        } else if (!meets) { /* the axis must prove it, whatever its length */
            apart++;
            double along = gap_along(&p, abut_unit(axes.direction));
            if (!(axes.gap > 0.0 && fabs(along - axes.gap) <= 1e-12)) {
                tally_fail(&t, "apart", "gap %.17g, along the axis %.17g", axes.gap, along);
            }
        }
        free_pair(&p);
    }
    printf("least_depth_of_random_boxes: %d overlap, %d are apart\n", (int)deep, (int)apart);
    tally_end(&t);
    assert_true(deep > 2000 && apart > 500);
}

static void closed_forms(void **state) {
    (void)state;
    const double half = sqrt(0.5);
    contact_normal normal;
    /* Side by side: face to face along y, B below. */
    box_pair p = make_pair(abut_vec3_make(1, 2, 3), abut_vec3_make(0.5, 0.5, 0.5), abut_mat3_identity(), abut_vec3_make(0.2, -2.4, 0.1));
    assert_true(by_axes(&p, 0.0, &normal));
    assert_near(normal.gap, -0.1, 1e-15);
    assert_vec3_near(normal.direction, abut_vec3_make(0, -1, 0), 0.0);
    assert_true(normal.feature_a.kind == ABUT_FEATURE_FACE ? normal.feature_a.index == 2 : normal.feature_b.index == 3);
    free_pair(&p);
    /* Edge over edge, crossed: A's edge along x, B's along y, both boxes turned by an eighth; here in A's frame. */
    abut_quat turn_a = abut_quat_about(abut_vec3_make(1, 0, 0), 0.25 * PI);
    abut_quat turn_b = abut_quat_about(abut_vec3_make(0, 1, 0), 0.25 * PI);
    abut_mat3 world_to_a = abut_mat3_from_quat(turn_a), rotation_b = abut_mat3_from_quat(turn_b), seen;
    seen = abut_mat3_make(abut_mat3_apply_transposed(world_to_a, rotation_b.x), abut_mat3_apply_transposed(world_to_a, rotation_b.y),
                          abut_mat3_apply_transposed(world_to_a, rotation_b.z));
    abut_vec3 up = abut_mat3_apply_transposed(world_to_a, abut_vec3_make(0, 0, 1)), cube = {0.5, 0.5, 0.5};
    p = make_pair(cube, cube, seen, abut_scale(2.0 * half - 0.02, up));
    assert_true(by_axes(&p, 0.0, &normal));
    assert_near(normal.gap, -0.02, 1e-14);
    assert_vec3_near(normal.direction, up, 1e-14);
    assert_true(normal.feature_a.kind == ABUT_FEATURE_EDGE && normal.feature_b.kind == ABUT_FEATURE_EDGE);
    free_pair(&p);
    /* A gap of 0.3 along z: more than 0.2, less than 0.4. */
    p = make_pair(cube, cube, abut_mat3_identity(), abut_vec3_make(0.1, 0.2, 1.3));
    assert_false(by_axes(&p, 0.2, &normal));
    assert_near(normal.gap, 0.3, 1e-15);
    assert_vec3_near(abut_unit(normal.direction), abut_vec3_make(0, 0, 1), 0.0);
    assert_true(by_axes(&p, 0.4, &normal));
    assert_true(normal.gap <= 0.3 + 1e-15);
    free_pair(&p);
}

static bool is_same(const contact_normal *p, const contact_normal *q) {
    return memcmp(&p->direction, &q->direction, sizeof p->direction) == 0 && memcmp(&p->gap, &q->gap, sizeof p->gap) == 0 &&
           memcmp(&p->on_a, &q->on_a, sizeof p->on_a) == 0 && memcmp(&p->on_b, &q->on_b, sizeof p->on_b) == 0 &&
           memcmp(&p->feature_a, &q->feature_a, sizeof p->feature_a) == 0 &&
           memcmp(&p->feature_b, &q->feature_b, sizeof p->feature_b) == 0 && p->extreme == q->extreme && p->chosen == q->chosen;
}

/* Moves B away along a random direction until the boxes are apart by no more than the margin. */
static void move_apart(random_state *random, box_pair *p, double margin) {
    abut_vec3 direction = random_direction(random);
    double near = 0.0, far = 3.0;
    for (int i = 0; i < 60; i++) {
        double middle = 0.5 * (near + far);
        contact_normal normal;
        p->b.position = abut_scale(middle, direction);
        bool meets = by_axes(p, 0.0, &normal) && normal.gap <= 0.0;
        *(meets ? &near : &far) = middle;
    }
    p->b.position = abut_scale(far + margin * random_range(random, 0.0, 1.0), direction);
}

/* The closest features that the axes propose save the search, and change no bit of its answer. */
static void guess_changes_nothing(void **state) {
    (void)state;
    static tally t;
    random_state random = random_make(random_seed("guess_changes_nothing", 577));
    int32_t samples = random_samples("guess_changes_nothing", 40000), guessed = 0;
    for (int32_t i = 0; i < samples; i++) {
        abut_vec3 half_a, half_b;
        box_pair p = random_pair(&random, i, &half_a, &half_b);
        normal_settings settings = plain;
        settings.margin = random_log_range(&random, 1e-9, 0.1);
        move_apart(&random, &p, settings.margin);
        contact_normal guess = {.gap = NAN};
        tally_sample(&t, "sample %d", (int)i);
        if (by_axes(&p, settings.margin, &guess) && guess.gap > 0.0) {
            contact_normal search = guess;
            search.feature_a.kind = search.feature_b.kind = ABUT_FEATURE_NONE;
            bool meets = contact_normal_of_near_boxes(&p.a, &p.b, &settings, &guess);
            if (meets != contact_normal_of_near_boxes(&p.a, &p.b, &settings, &search) || !is_same(&guess, &search)) {
                tally_fail(&t, "normal", "gap %.17g, by search %.17g", guess.gap, search.gap);
            }
            ++guessed;
        }
        free_pair(&p);
    }
    printf("guess_changes_nothing: %d pairs\n", (int)guessed);
    tally_end(&t);
    assert_true(guessed > samples / 2);
}

static bool is_same_distance(const gjk_result *p, const gjk_result *q) {
    return memcmp(&p->distance, &q->distance, sizeof p->distance) == 0 && memcmp(&p->direction, &q->direction, sizeof p->direction) == 0 &&
           memcmp(&p->on_a, &q->on_a, sizeof p->on_a) == 0 && memcmp(&p->on_b, &q->on_b, sizeof p->on_b) == 0 && p->robust == q->robust &&
           memcmp(&p->feature_a, &q->feature_a, sizeof p->feature_a) == 0 && memcmp(&p->feature_b, &q->feature_b, sizeof p->feature_b) == 0;
}

/* Boxes at any distance, a quarter of them with parallel faces: nearly half of the guesses are right, and none changes a bit. */
static void guess_of_closest_features(void **state) {
    (void)state;
    static tally t;
    random_state random = random_make(random_seed("guess_of_closest_features", 587));
    int32_t samples = random_samples("guess_of_closest_features", 40000), right = 0;
    for (int32_t i = 0; i < samples; i++) {
        abut_vec3 half_a, half_b;
        box_pair p = random_pair(&random, i, &half_a, &half_b);
        move_apart(&random, &p, random_log_range(&random, 1e-9, 2.0));
        box_placement where = {&p.shape_a->half, &p.shape_b->half, &p.b.rotation, &p.b.position};
        abut_feature guess_a = {.kind = ABUT_FEATURE_NONE}, guess_b = guess_a;
        box_sat_guess(&where, p.a.size + p.b.size, &guess_a, &guess_b);
        gjk_result guessed, searched;
        gjk_find(&p.a, &p.b, NULL, &searched);
        gjk_find_from(&p.a, &p.b, guess_a, guess_b, NULL, &guessed);
        tally_sample(&t, "sample %d", (int)i);
        if (!is_same_distance(&guessed, &searched)) {
            tally_fail(&t, "distance", "%.17g, by search %.17g", guessed.distance, searched.distance);
        }
        right += guessed.supports == 0;
        free_pair(&p);
    }
    printf("guess_of_closest_features: %d of %d are right\n", (int)right, (int)samples);
    tally_end(&t);
    assert_true(right > samples / 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(guess_changes_nothing), cmocka_unit_test(guess_of_closest_features),
                                       cmocka_unit_test(closed_forms), cmocka_unit_test(least_depth_of_random_boxes)};
    return cmocka_run_group_tests_name("narrow/normal/box_sat", tests, NULL, NULL);
}
