/* The cache of the tracking baseline: one new point per step, at most four, moved with the bodies, dropped when they part. */
#include "support/check.h"

#include "step/fixed/tracking.h"

static abut_contact contact_at(double x, double y, double gap) {
    abut_contact contact = {.on_a = {x, y, gap}, .on_b = {x, y, 0.0}, .normal = {0, 0, 1}, .gap = gap, .id = 77};
    return contact;
}

static int32_t update(tracking_cache *cache, abut_pose a, const abut_contact *found, int32_t count, abut_contact *out) {
    return tracking_update(cache, a, abut_pose_identity(), found, count, 0.02, 1.0, out);
}

static void test_takes_the_deepest_and_keeps_the_others(void **state) {
    (void)state;
    tracking_cache cache = {.count = 0};
    abut_contact out[TRACKING_POINTS], found[2] = {contact_at(0.5, 0.5, -0.01), contact_at(-0.5, 0.5, -0.02)};
    assert_int_equal(update(&cache, abut_pose_identity(), found, 2, out), 1);
    assert_near(out[0].gap, -0.02, 1e-15);
    found[0].gap = -0.03;
    found[0].on_a.z = -0.03;
    assert_int_equal(update(&cache, abut_pose_identity(), found, 2, out), 2);
    assert_true(out[0].id != out[1].id);
    assert_int_equal(out[1].patch, 1);
}

static void test_the_same_place_is_the_same_point(void **state) {
    (void)state;
    tracking_cache cache = {.count = 0};
    abut_contact out[TRACKING_POINTS], first = contact_at(0.0, 0.0, -0.01), near = contact_at(0.005, 0.0, -0.011);
    update(&cache, abut_pose_identity(), &first, 1, out);
    uint64_t id = out[0].id;
    assert_int_equal(update(&cache, abut_pose_identity(), &near, 1, out), 1);
    assert_true(out[0].id == id);
    assert_near(out[0].gap, -0.011, 1e-15);
}

static void test_points_move_and_are_dropped(void **state) {
    (void)state;
    tracking_cache cache = {.count = 0};
    abut_contact out[TRACKING_POINTS], first = contact_at(0.0, 0.0, 0.0);
    update(&cache, abut_pose_identity(), &first, 1, out);
    abut_pose pose = abut_pose_identity();
    pose.position.z = 0.01;
    assert_int_equal(update(&cache, pose, NULL, 0, out), 1);
    assert_near(out[0].gap, 0.01, 1e-15);
    pose.position.x = 0.009;
    assert_int_equal(update(&cache, pose, NULL, 0, out), 1);
    pose.position.x = 0.011; /* slid too far */
    assert_int_equal(update(&cache, pose, NULL, 0, out), 0);
    update(&cache, abut_pose_identity(), &first, 1, out);
    pose.position.x = 0.0;
    pose.position.z = 0.021; /* beyond the margin */
    assert_int_equal(update(&cache, pose, NULL, 0, out), 0);
}

static void test_a_fifth_displaces_the_least_useful(void **state) {
    (void)state;
    tracking_cache cache = {.count = 0};
    abut_contact out[TRACKING_POINTS];
    const double x[5] = {0.0, 0.5, -0.5, -0.5, 0.5}, y[5] = {0.1, 0.5, 0.5, -0.5, -0.5};
    for (int i = 0; i < 5; i++) {
        abut_contact contact = contact_at(x[i], y[i], -0.001);
        update(&cache, abut_pose_identity(), &contact, 1, out);
    }
    /* The four corners remain; the point inside them is dropped. */
    for (int i = 0; i < 4; i++) {
        assert_near(fabs(out[i].on_b.x), 0.5, 0.0);
        assert_near(fabs(out[i].on_b.y), 0.5, 0.0);
    }
    /* A deep point inside is kept instead of a shallower corner. */
    tracking_cache deep = {.count = 0};
    for (int i = 0; i < 5; i++) {
        abut_contact contact = contact_at(x[i], y[i], i == 0 ? -0.01 : -0.001);
        update(&deep, abut_pose_identity(), &contact, 1, out);
    }
    double deepest = 0.0;
    for (int i = 0; i < 4; i++) {
        deepest = fmin(deepest, out[i].gap);
    }
    assert_near(deepest, -0.01, 1e-15);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_takes_the_deepest_and_keeps_the_others),
        cmocka_unit_test(test_the_same_place_is_the_same_point),
        cmocka_unit_test(test_points_move_and_are_dropped),
        cmocka_unit_test(test_a_fifth_displaces_the_least_useful),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
