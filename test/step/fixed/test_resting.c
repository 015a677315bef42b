/*
 * Standing structures must stay: boxes at rest, towers of ten and a brick wall at h = 1/60 s, friction 0.5, without sleeping and damping.
 * Whole patches must meet the limits; the tracking baseline runs beside them, and a table of both is printed.
 */

#include "support/check.h"
#include "support/random.h"
#include "support/staging.h"

/* A box as floor, and a box of these half sizes to add. */
static staging open_stage_with(const abut_world_def *def, abut_vec3 half) {
    staging s = staging_open(def);
    staging_add(&s, ABUT_BODY_STATIC, staging_box(&s, 50, 50, 0.5), abut_vec3_make(0, 0, -0.5));
    s.box = staging_box(&s, half.x, half.y, half.z);
    return s;
}

static staging open_stage(abut_contact_method method, abut_vec3 half) {
    abut_world_def def = abut_world_def_default();
    def.method = method;
    def.fixed.sleeping = false;
    return open_stage_with(&def, half);
}

static staging open_exact_stage(abut_vec3 half) {
    abut_world_def def = abut_world_def_default();
    def.fixed.exact = true;
    def.fixed.sleeping = false;
    return open_stage_with(&def, half);
}

static abut_body_id add_box(staging *s, abut_vec3 position, abut_quat rotation) {
    return staging_add_turned(s, s->box, position, rotation);
}

static abut_pose pose_of(const staging *s, abut_body_id id) { return staging_state(s, id).pose; }

/* Angle between the box's upright axis and the vertical. */
static double tilt_of(abut_pose pose) {
    abut_vec3 up = abut_quat_rotate(pose.rotation, abut_vec3_make(0, 0, 1));
    return atan2(hypot(up.x, up.y), up.z);
}

typedef struct resting {
    double penetration, least_tilt, most_tilt;
} resting;

static resting drop_box(abut_contact_method method, abut_quat rotation, double height) {
    staging s = open_stage(method, abut_vec3_make(0.5, 0.5, 0.5));
    abut_body_id box = add_box(&s, abut_vec3_make(0, 0, height), rotation);
    resting r = {0.0, INFINITY, 0.0};
    for (int i = 1; i <= 300; i++) {
        abut_step_report report;
        assert_ok(abut_world_step(s.world, STAGING_STEP, &report));
        if (i >= 200) {
            double tilt = fmin(tilt_of(pose_of(&s, box)), fabs(1.5707963267948966 - tilt_of(pose_of(&s, box))));
            r.penetration = fmax(r.penetration, report.max_penetration);
            r.least_tilt = fmin(r.least_tilt, tilt);
            r.most_tilt = fmax(r.most_tilt, tilt);
        }
    }
    staging_close(&s);
    return r;
}

static void print_resting(const char *name, resting patch, resting tracking) {
    print_message("%-18s penetration %.2g m (tracking %.2g), alignment error %.2g rad (%.2g), oscillation %.2g rad (%.2g)\n", name,
                  patch.penetration, tracking.penetration, patch.most_tilt, tracking.most_tilt, patch.most_tilt - patch.least_tilt,
                  tracking.most_tilt - tracking.least_tilt);
}

/* A 1 m box dropped from 0.5 m. */
static void dropped_box(void **state) {
    (void)state;
    abut_quat flat = abut_quat_identity();
    abut_quat tilted = abut_quat_mul(abut_quat_about(abut_vec3_make(1, 0, 0), 0.2), abut_quat_about(abut_vec3_make(0, 1, 0), 0.15));
    const abut_quat rotations[2] = {flat, tilted};
    for (int i = 0; i < 2; i++) {
        double height = 1.0 + (i == 0 ? 0.0 : 0.2);
        resting patch = drop_box(ABUT_METHOD_PATCH, rotations[i], height), tracking = drop_box(ABUT_METHOD_TRACKING, rotations[i], height);
        print_resting(i == 0 ? "box dropped flat" : "box dropped tilted", patch, tracking);
        assert_true(patch.penetration <= 1e-4);
        assert_true(patch.most_tilt - patch.least_tilt <= 1e-7);
        assert_true(patch.most_tilt <= 1e-4);
    }
}

enum { STOREYS = 10 };

typedef struct tower_run {
    double drift; /* the farthest any box moved sideways */
    double penetration;
    double oscillation; /* of the top box's tilt, over the last 100 steps */
} tower_run;

static tower_run run_tower(abut_contact_method method, double offset, bool turned, uint64_t seed) {
    staging s = open_stage(method, abut_vec3_make(0.5, 0.5, 0.5));
    random_state random = random_make(seed);
    abut_body_id box[STOREYS];
    abut_vec3 start[STOREYS];
    for (int i = 0; i < STOREYS; i++) {
        start[i] = abut_vec3_make(random_range(&random, -offset, offset), random_range(&random, -offset, offset), 0.5 + i);
        box[i] = add_box(&s, start[i], abut_quat_about(abut_vec3_make(0, 0, 1), turned ? random_range(&random, 0, 6.28) : 0.0));
    }
    tower_run r = {0.0, 0.0, 0.0};
    double least = INFINITY, most = 0.0;
    for (int i = 1; i <= 600; i++) {
        abut_step_report report;
        assert_ok(abut_world_step(s.world, STAGING_STEP, &report));
        r.penetration = fmax(r.penetration, report.max_penetration);
        double tilt = tilt_of(pose_of(&s, box[STOREYS - 1]));
        least = i > 500 ? fmin(least, tilt) : least;
        most = i > 500 ? fmax(most, tilt) : most;
    }
    for (int i = 0; i < STOREYS; i++) {
        abut_vec3 moved = abut_sub(pose_of(&s, box[i]).position, start[i]);
        r.drift = fmax(r.drift, hypot(moved.x, moved.y));
    }
    r.oscillation = most - least;
    staging_close(&s);
    return r;
}

static void print_tower(const char *name, tower_run patch, tower_run tracking) {
    print_message("%-18s drift %.2g m (tracking %.2g), penetration %.2g m (%.2g), oscillation of the top %.2g rad (%.2g)\n", name,
                  patch.drift, tracking.drift, patch.penetration, tracking.penetration, patch.oscillation, tracking.oscillation);
}

static void towers_of_ten(void **state) {
    (void)state;
    tower_run patch = run_tower(ABUT_METHOD_PATCH, 0.0, false, 1);
    print_tower("exact tower", patch, run_tower(ABUT_METHOD_TRACKING, 0.0, false, 1));
    assert_true(patch.drift <= 4e-4);
    assert_true(patch.oscillation <= 1e-5);
    uint64_t seed = random_seed("towers_of_ten", 161);
    for (uint64_t k = 0; k < 3; k++) {
        patch = run_tower(ABUT_METHOD_PATCH, 0.02, true, seed + k);
        print_tower("random tower", patch, run_tower(ABUT_METHOD_TRACKING, 0.02, true, seed + k));
        assert_true(patch.drift <= 2.6e-3);
        assert_true(patch.oscillation <= 1e-5);
    }
}

/* A running bond, built touching on all sides, so almost everything is a tie. In the first second the bricks settle; afterwards nothing
 * moves. */
static void brick_wall(void **state) {
    (void)state;
    enum { COURSES = 6, LENGTH = 6, MOST = COURSES * LENGTH };
    abut_vec3 half = {0.25, 0.12, 0.1};
    staging s = open_exact_stage(half); /* the quick solver lets walls settle by fractions of a millimetre (test_quick.c) */
    abut_body_id brick[MOST];
    abut_vec3 start[MOST], settled[MOST];
    int count = 0;
    for (int course = 0; course < COURSES; course++) {
        for (int i = 0; i < LENGTH - course % 2; i++) {
            start[count] = abut_vec3_make(2 * half.x * (i + 0.5 * (course % 2)), 0, half.z * (1 + 2 * course));
            brick[count] = add_box(&s, start[count], abut_quat_identity());
            count++;
        }
    }
    double moved = 0.0, crept = 0.0;
    for (int i = 1; i <= 600; i++) {
        assert_ok(abut_world_step(s.world, STAGING_STEP, NULL));
        for (int k = 0; k < count && i == 200; k++) {
            settled[k] = pose_of(&s, brick[k]).position;
        }
    }
    for (int k = 0; k < count; k++) {
        abut_vec3 end = pose_of(&s, brick[k]).position;
        moved = fmax(moved, abut_distance_between(end, start[k]));
        crept = fmax(crept, abut_distance_between(end, settled[k]));
    }
    print_message("brick wall: %d bricks, moved by at most %.2g m, of that %.2g m after step 200\n", count, moved, crept);
    assert_true(moved <= 5e-4);
    assert_true(crept <= 1e-9);
    staging_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(dropped_box), cmocka_unit_test(towers_of_ten), cmocka_unit_test(brick_wall)};
    return cmocka_run_group_tests_name("step/resting", tests, NULL, NULL);
}
