/* abut_distance(): closed forms; then random pairs of every convex kind, apart, touching and overlapping, against the enumeration of the
 * oracle and against abut_collide() and abut_overlap(), which must agree about touching in every case. World frame, normals from B into
 * A. */
#include <string.h>

#include <abut/query.h>
#include <abut/smooth.h>

#include "support/shapes.h"
#include "support/specimen.h"

static const abut_vec3 up = {0, 0, 1};

static abut_separation distance_of(const abut_shape *a, abut_pose pose_a, const abut_shape *b, abut_pose pose_b) {
    abut_separation s;
    memset(&s, 0x5a, sizeof s);
    assert_ok(abut_distance(&(abut_pair){a, pose_a, b, pose_b}, NULL, NULL, &s));
    return s;
}

static void assert_feature(abut_feature feature, abut_feature_kind kind, int32_t index, int32_t part) {
    assert_int_equal(feature.kind, kind);
    assert_int_equal(feature.index, index);
    assert_int_equal(feature.part, part);
}

/* ---- closed forms ---- */

typedef struct shapes {
    abut_shape *ball, *bar, *cube, *ground, *tent, *row;
} shapes;

static shapes make_shapes(void) {
    shapes s;
    assert_ok(abut_shape_create_sphere(0.5, &s.ball));
    assert_ok(abut_shape_create_capsule(0.25, 1.0, &s.bar));
    assert_ok(abut_shape_create_box(abut_vec3_make(0.5, 0.5, 0.5), &s.cube));
    assert_ok(abut_shape_create_plane(up, 1.0, &s.ground));
    assert_ok(abut_shape_create_pyramid(1.0, 2.0, 4, &s.tent)); /* apex at z = 1.5, base at -0.5 */
    abut_part parts[3] = {{s.cube, at(-2, 0, 0)}, {s.ball, at(0, 0, 0)}, {s.cube, at(2, 0, 0)}};
    assert_ok(abut_shape_create_compound(parts, 3, &s.row));
    return s;
}

static void free_shapes(shapes *s) {
    abut_shape_release(s->ball);
    abut_shape_release(s->bar);
    abut_shape_release(s->cube);
    abut_shape_release(s->ground);
    abut_shape_release(s->tent);
    abut_shape_release(s->row);
}

static void apart(void **state) {
    (void)state;
    shapes s = make_shapes();
    abut_separation d = distance_of(s.ball, at(0, 3, 4), s.ball, at(0, 0, 0));
    assert_near(d.gap, 4.0, 1e-15);
    assert_vec3_near(d.normal, abut_vec3_make(0, 0.6, 0.8), 1e-15);
    assert_vec3_near(d.on_a, abut_vec3_make(0, 2.7, 3.6), 1e-15);
    assert_vec3_near(d.on_b, abut_vec3_make(0, 0.3, 0.4), 1e-15);
    assert_feature(d.feature_a, ABUT_FEATURE_SMOOTH, 0, 0);

    d = distance_of(s.bar, at(0, 0, 0), s.ball, at(0, 0, 2)); /* the upper end */
    assert_near(d.gap, 0.25, 1e-15);
    assert_vec3_near(d.normal, abut_vec3_make(0, 0, -1), 0.0);
    assert_feature(d.feature_a, ABUT_FEATURE_SMOOTH, 1, 0);

    d = distance_of(s.bar, at(0, 0, 0), s.ball, at(2, 0, 0.5)); /* the side */
    assert_near(d.gap, 1.25, 1e-15);
    assert_vec3_near(d.on_a, abut_vec3_make(0.25, 0, 0.5), 1e-15);
    assert_feature(d.feature_a, ABUT_FEATURE_SMOOTH, 2, 0);

    d = distance_of(s.cube, at(0, 0, 0), s.ball, at(0.1, 0.2, 2)); /* face 5, +z */
    assert_near(d.gap, 1.0, 1e-15);
    assert_vec3_near(d.on_a, abut_vec3_make(0.1, 0.2, 0.5), 1e-15);
    assert_feature(d.feature_a, ABUT_FEATURE_FACE, 5, 0);

    d = distance_of(s.cube, at(0, 0, 0), s.ball, at(0.1, 2.0, 2.0)); /* the edge between vertices 6 and 7 */
    assert_near(d.gap, 1.5 * sqrt(2.0) - 0.5, 1e-15);
    assert_vec3_near(d.on_a, abut_vec3_make(0.1, 0.5, 0.5), 1e-15);
    assert_int_equal(d.feature_a.kind, ABUT_FEATURE_EDGE);

    d = distance_of(s.cube, at(0, 0, 0), s.cube, at(2, 3, 4)); /* vertex 7 to vertex 0 */
    assert_near(d.gap, sqrt(1.0 + 4.0 + 9.0), 1e-15);
    assert_vec3_near(d.on_a, abut_vec3_make(0.5, 0.5, 0.5), 0.0);
    assert_vec3_near(d.on_b, abut_vec3_make(1.5, 2.5, 3.5), 0.0);
    assert_feature(d.feature_a, ABUT_FEATURE_VERTEX, 7, 0);
    assert_feature(d.feature_b, ABUT_FEATURE_VERTEX, 0, 0);

    d = distance_of(s.cube, at(0, 0, 3), s.tent, at(0, 0, 0)); /* face 4, -z, to the apex */
    assert_near(d.gap, 1.0, 1e-15);
    assert_vec3_near(d.normal, up, 0.0);
    assert_vec3_near(d.on_b, abut_vec3_make(0, 0, 1.5), 1e-15);
    assert_feature(d.feature_a, ABUT_FEATURE_FACE, 4, 0);
    assert_feature(d.feature_b, ABUT_FEATURE_VERTEX, 4, 0);
    assert_int_equal(d.flags, 0);
    free_shapes(&s);
}

static void planes(void **state) {
    (void)state;
    shapes s = make_shapes();
    abut_separation d = distance_of(s.ball, at(2, 3, 4), s.ground, at(0, 0, 0));
    assert_near(d.gap, 2.5, 1e-15);
    assert_vec3_near(d.normal, up, 0.0);
    assert_vec3_near(d.on_a, abut_vec3_make(2, 3, 3.5), 1e-15);
    assert_vec3_near(d.on_b, abut_vec3_make(2, 3, 1), 1e-15);
    assert_feature(d.feature_b, ABUT_FEATURE_FACE, 0, 0);
    d = distance_of(s.ground, at(0, 0, -1), s.tent, at(0, 0, 0)); /* the plane as A, sunk to z = 0: half a metre up to the base */
    assert_near(d.gap, -0.5, 1e-15);
    assert_vec3_near(d.normal, abut_neg(up), 0.0);
    d = distance_of(s.ground, at(0, 0, -1), s.tent, at(0, 0, 1));
    assert_near(d.gap, 0.5, 1e-15);
    assert_vec3_near(d.normal, abut_neg(up), 0.0);
    assert_near(d.on_a.z, 0.0, 1e-15);
    assert_near(d.on_b.z, 0.5, 1e-15);
    d = distance_of(s.row, at(0, 0, 2), s.ground, at(0, 0, 0)); /* all three parts reach z = 1.5 */
    assert_near(d.gap, 0.5, 1e-15);
    assert_feature(d.feature_a, ABUT_FEATURE_VERTEX, 0, 0);
    abut_separation untouched;
    memset(&untouched, 0x5a, sizeof untouched);
    d = untouched;
    assert_status(abut_distance(&(abut_pair){s.ground, at(0, 0, 0), s.ground, at(0, 0, 5)}, NULL, NULL, &d), ABUT_ERROR_UNSUPPORTED_PAIR);
    assert_memory_equal(&d, &untouched, sizeof d);
    free_shapes(&s);
}

static void overlapping(void **state) {
    (void)state;
    shapes s = make_shapes();
    abut_separation d = distance_of(s.cube, at(0.1, 0.2, 0.9), s.cube, at(0, 0, 0));
    assert_near(d.gap, -0.1, 1e-15);
    assert_vec3_near(d.normal, up, 0.0);
    assert_near(d.on_a.z, 0.4, 1e-15);
    assert_near(d.on_b.z, 0.5, 1e-15);
    d = distance_of(s.ball, at(0, 0, 0), s.ball, at(0, 0, 0)); /* coincident centres: some unit normal, and says so */
    assert_near(d.gap, -1.0, 1e-15);
    assert_near(abut_length(d.normal), 1.0, 1e-15);
    assert_int_equal(d.flags & ABUT_CONTACT_NORMAL_CHOSEN, ABUT_CONTACT_NORMAL_CHOSEN);
    d = distance_of(s.ball, at(0, 0, 0.3), s.cube, at(0, 0, 0)); /* the centre inside: out through the top */
    assert_near(d.gap, -0.7, 1e-15);
    assert_vec3_near(d.normal, up, 0.0);
    free_shapes(&s);
}

/* The least over the parts, which are named. */
static void compounds(void **state) {
    (void)state;
    shapes s = make_shapes();
    abut_separation d = distance_of(s.row, at(0, 0, 0), s.ball, at(2, 0, 3));
    assert_near(d.gap, 2.0, 1e-15);
    assert_feature(d.feature_a, ABUT_FEATURE_FACE, 5, 2);
    d = distance_of(s.ball, at(0, 0, 3), s.row, at(0, 0, 0));
    assert_near(d.gap, 2.0, 1e-15);
    assert_feature(d.feature_b, ABUT_FEATURE_SMOOTH, 0, 1);
    d = distance_of(s.row, at(0, 0, 2.5), s.row, at(3.9, 0, 0)); /* the left cube of one reaches over the right one of the other */
    assert_near(d.gap, 1.5, 1e-15);
    assert_int_equal(d.feature_a.part, 2);
    assert_int_equal(d.feature_b.part, 0);
    d = distance_of(s.row, at(0, 0, 0.9), s.row, at(0, 0, 0)); /* overlapping: the deepest contact of all */
    assert_near(d.gap, -0.1, 1e-15);
    assert_near(d.normal.z, 1.0, 1e-15);
    free_shapes(&s);
}

/* ---- random pairs ---- */

static check_answer answer;

typedef struct sample {
    specimen a, b;
    abut_pose pose_a, pose_b;
    double size; /* of both: what tolerances are relative to */
} sample;

static sample random_pair(random_state *random, double ratio) {
    sample s = {.a = specimen_random(random, 1.0), .b = specimen_random(random, ratio)};
    s.pose_a = random_pose(random, 1.0);
    s.pose_b = random_pose(random, 1.0);
    s.pose_a.position = abut_add_scaled(s.pose_b.position, random_range(random, 0.0, 3.0), random_direction(random));
    s.size = s.a.size + s.b.size;
    return s;
}

static void free_sample(sample *s) {
    specimen_free(&s->a);
    specimen_free(&s->b);
}

/* Moves A along the normal of the pair's separation until the gap along it is this. */
static void set_gap(sample *s, double gap) {
    abut_separation d = distance_of(s->a.shape, s->pose_a, s->b.shape, s->pose_b);
    s->pose_a.position = abut_add_scaled(s->pose_a.position, gap - d.gap, d.normal);
}

static void describe(tally *t, const sample *s, int i, double gap) {
    tally_sample(t, "pair %d: %s of %.3g and %s of %.3g, gap %.3g", i, specimen_name(&s->a), s->a.size, specimen_name(&s->b), s->b.size,
                 gap);
}

/* The three questions give one answer. */
static void check_agreement(tally *t, const sample *s, const abut_separation *d) {
    bool overlap = false;
    check_pair pair = {.a = s->a.shape, .b = s->b.shape, .pose_a = s->pose_a, .pose_b = s->pose_b};
    check_collide(t, &pair, NULL, &answer);
    if (abut_overlap(&(abut_pair){s->a.shape, s->pose_a, s->b.shape, s->pose_b}, NULL, &overlap) != ABUT_OK) {
        tally_fail(t, "status of overlap", " ");
    }
    if (overlap != (answer.count > 0)) {
        tally_fail(t, "overlap and collide disagree", "overlap %d, %d contacts", overlap, (int)answer.count);
    }
    if (overlap != (d->gap <= 0.0)) {
        tally_fail(t, "overlap and distance disagree", "overlap %d, distance %.17g", overlap, d->gap);
    }
    if (answer.count > 0 && !(fabs(fmin(check_deepest(&answer), 0.0) - d->gap) <= 0.0)) {
        tally_fail(t, "distance is not the deepest gap", "%.17g, %.17g", d->gap, check_deepest(&answer));
    }
}

/* `tolerance` is that of distances. A contact shows the depth along its normal to 1e-9 of the sizes (check_certificate), and shapes that
 * are apart by what its normal may be off count as touching. */
static void check_separation(tally *t, const sample *s, double tolerance) {
    const double contact = 2e-9 * s->size;
    oracle_body a = specimen_oracle(&s->a, s->pose_a), b = specimen_oracle(&s->b, s->pose_b);
    double expected = oracle_signed_distance(&a, &b);
    abut_separation d = distance_of(s->a.shape, s->pose_a, s->b.shape, s->pose_b);
    if (!(fabs(abut_length(d.normal) - 1.0) <= 1e-14)) {
        tally_fail(t, "normal is not a unit vector", "length %.17g", abut_length(d.normal));
    }
    if (!(fabs(abut_dot(d.normal, abut_sub(d.on_a, d.on_b)) - d.gap) <= tolerance)) {
        tally_fail(t, "distance is not n . (a - b)", "%.17g, %.17g", d.gap, abut_dot(d.normal, abut_sub(d.on_a, d.on_b)));
    }
    double off = fmax(fabs(oracle_outside(&a, d.on_a)), fabs(oracle_outside(&b, d.on_b)));
    if (!(off <= (d.gap > 0.0 ? tolerance : contact))) {
        tally_fail(t, "witness off its surface", "%.3g, %.3g", oracle_outside(&a, d.on_a), oracle_outside(&b, d.on_b));
    }
    if (!(fabs(oracle_gap_along(&a, &b, d.normal) - d.gap) <= (d.gap > 0.0 ? tolerance : contact))) {
        tally_fail(t, "gap along the normal is another", "%.17g, %.17g", d.gap, oracle_gap_along(&a, &b, d.normal));
    }
    if (d.gap > 0.0 && !(fabs(d.gap - expected) <= tolerance)) {
        tally_fail(t, "distance", "%.17g instead of %.17g", d.gap, expected);
    }
    if (d.gap <= 0.0 && !(expected <= contact && d.gap <= fmin(expected, 0.0) + contact)) {
        tally_fail(t, "depth below the least depth", "%.17g instead of %.17g", d.gap, expected);
    }
    if (d.gap > tolerance && !(abut_distance_between(d.on_a, d.on_b) <= d.gap + tolerance)) {
        tally_fail(t, "witnesses are not across each other", "%.17g, %.17g", abut_distance_between(d.on_a, d.on_b), d.gap);
    }
    check_agreement(t, s, &d);
    oracle_free(&a);
    oracle_free(&b);
}

static double choose_gap(random_state *random, int i, double size) {
    static const double signs[3] = {1.0, -1.0, 0.0};
    return signs[i % 3] * size * random_log_range(random, 1e-17, 1e-2);
}

/* Anywhere, and then moved to where they nearly touch. */
static void random_pairs(void **state) {
    (void)state;
    random_state random = random_make(random_seed("random_pairs", 501));
    static tally t;
    for (int i = 0; i < 4000; i++) {
        sample s = random_pair(&random, random_log_range(&random, 0.1, 1.0));
        describe(&t, &s, i, NAN);
        check_separation(&t, &s, 1e-12 * s.size);
        for (int k = 0; k < 3; k++) {
            double gap = choose_gap(&random, k, s.size);
            set_gap(&s, gap);
            describe(&t, &s, i, gap);
            check_separation(&t, &s, 1e-12 * s.size);
        }
        free_sample(&s);
    }
    tally_end(&t);
}

/* Parallel faces, edges and coincident bodies, with many pairs of closest points. */
static void size_ratios(void **state) {
    (void)state;
    random_state random = random_make(random_seed("size_ratios", 502));
    static tally t;
    for (int i = 0; i < 1000; i++) {
        sample s = random_pair(&random, random_log_range(&random, 1e-4, 1e-2));
        for (int k = 0; k < 3; k++) {
            double gap = choose_gap(&random, k, s.size);
            set_gap(&s, gap);
            describe(&t, &s, i, gap);
            check_separation(&t, &s, 1e-12 * s.size);
        }
        free_sample(&s);
    }
    tally_end(&t);
}

/* ---- planes ---- */

/* A plane turned and moved anywhere, as A and as B; a body near it. */
static void random_planes(void **state) {
    (void)state;
    random_state random = random_make(random_seed("random_planes", 506));
    static tally t;
    for (int i = 0; i < 3000; i++) {
        specimen body = specimen_random(&random, 1.0);
        abut_shape *half_space = NULL;
        abut_vec3 local = random_direction(&random);
        double offset = random_range(&random, -2, 2);
        assert_ok(abut_shape_create_plane(local, offset, &half_space));
        abut_pose pose = random_pose(&random, 1.0), pose_plane = random_pose(&random, 1.0);
        abut_vec3 outward = abut_quat_rotate(pose_plane.rotation, local);
        for (int k = 0; k < 4; k++) {
            oracle_body oracle = specimen_oracle(&body, pose);
            double expected = -oracle_support(&oracle, abut_neg(outward)) - abut_dot(outward, pose_plane.position) - offset;
            abut_separation d = distance_of(body.shape, pose, half_space, pose_plane);
            abut_separation back = distance_of(half_space, pose_plane, body.shape, pose);
            sample s = {.a = body, .b = {.shape = half_space}, .pose_a = pose, .pose_b = pose_plane};
            tally_sample(&t, "%s over a plane %d, %d: gap %.3g", specimen_name(&body), i, k, expected);
            /* Touching is up to 1e-14 of the size, and then the distance is zero. */
            if (!(fabs(d.gap - expected) <= 5e-14) || !(fabs(back.gap - expected) <= 5e-14)) {
                tally_fail(&t, "distance", "%.17g, %.17g instead of %.17g", d.gap, back.gap, expected);
            }
            if (!(abut_distance_between(d.normal, outward) <= 1e-15) || !(abut_distance_between(back.normal, abut_neg(outward)) <= 1e-15)) {
                tally_fail(&t, "normal", " ");
            }
            if (!(fabs(oracle_outside(&oracle, d.on_a)) <= 1e-14) ||
                !(fabs(abut_dot(outward, abut_sub(d.on_b, pose_plane.position)) - offset) <= 1e-14)) {
                tally_fail(&t, "witness off its surface", " ");
            }
            check_agreement(&t, &s, &d);
            pose.position = abut_add_scaled(pose.position, choose_gap(&random, k, 1.0) - expected, outward);
            oracle_free(&oracle);
        }
        abut_shape_release(half_space);
        specimen_free(&body);
    }
    tally_end(&t);
}

/* With any settings the depth is that of abut_collide() with the same ones, whatever their margin. */
static void settings_of_collide(void **state) {
    (void)state;
    random_state random = random_make(random_seed("settings_of_collide", 507));
    static tally t;
    int32_t overlaps = 0;
    for (int i = 0; i < 2000; i++) {
        sample s = random_pair(&random, 1.0);
        set_gap(&s, -random_log_range(&random, 1e-6, 0.5));
        describe(&t, &s, i, NAN);
        abut_collide_settings settings = abut_collide_settings_default();
        settings.contraction = i % 2 ? ABUT_CONTRACTION_CENTROID : ABUT_CONTRACTION_CORE;
        settings.refine_normal = i % 3 != 0;
        settings.normal = i % 5 == 0 ? ABUT_NORMAL_MINIMUM : ABUT_NORMAL_GROWTH;
        settings.feature_angle = random_range(&random, 0.0, 0.5);
        settings.previous_normal = i % 7 == 0 ? random_direction(&random) : abut_vec3_make(0, 0, 0);
        check_pair pair = {.a = s.a.shape, .b = s.b.shape, .pose_a = s.pose_a, .pose_b = s.pose_b};
        check_collide(&t, &pair, &settings, &answer);
        abut_separation d, wide;
        assert_ok(abut_distance(&(abut_pair){s.a.shape, s.pose_a, s.b.shape, s.pose_b}, &settings, NULL, &d));
        settings.margin = 0.5;
        assert_ok(abut_distance(&(abut_pair){s.a.shape, s.pose_a, s.b.shape, s.pose_b}, &settings, NULL, &wide));
        assert_near(wide.gap, d.gap, 0.0);
        if (answer.count > 0 ? !(d.gap == fmin(check_deepest(&answer), 0.0)) : !(d.gap > 0.0)) {
            tally_fail(&t, "not the deepest gap", "%.17g, %.17g", d.gap, check_deepest(&answer));
        }
        overlaps += answer.count > 0;
        free_sample(&s);
    }
    assert_true(overlaps > 1500);
    tally_end(&t);
}

/* ---- the same again, seen otherwise ---- */

static abut_pose moved(abut_pose motion, abut_pose pose) { return abut_pose_compose(motion, pose); }

static void check_like(tally *t, const char *what, const abut_separation *d, double distance, abut_vec3 normal, double size) {
    double rounding = distance > 0.0 ? 1e-12 * size : 2e-9 * size;
    if (!(fabs(d->gap - distance) <= rounding)) {
        tally_fail(t, what, "distance %.17g instead of %.17g", d->gap, distance);
    }
    /* The direction between closest points is as sharp as rounding allows at their distance. */
    if (distance > 1e-9 * size && !(abut_distance_between(d->normal, normal) <= 1e-12 + 4e-15 * size / distance)) {
        tally_fail(t, what, "normal off by %.3g at the distance %.3g", abut_distance_between(d->normal, normal), distance);
    }
}

static void symmetries(void **state) {
    (void)state;
    random_state random = random_make(random_seed("symmetries", 503));
    static tally t;
    for (int i = 0; i < 2000; i++) {
        sample s = random_pair(&random, random_log_range(&random, 0.1, 1.0));
        if (i % 2) {
            set_gap(&s, choose_gap(&random, i % 3, s.size));
        }
        abut_separation d = distance_of(s.a.shape, s.pose_a, s.b.shape, s.pose_b), other;
        describe(&t, &s, i, d.gap);
        if (fabs(d.gap) <= 1e-9 * s.size) {
            free_sample(&s);
            continue; /* within rounding of touching; which of the two is seen there is tested above */
        }
        other = distance_of(s.b.shape, s.pose_b, s.a.shape, s.pose_a);
        check_like(&t, "swap", &other, d.gap, abut_neg(d.normal), s.size);
        abut_pose motion = random_pose(&random, 3.0);
        other = distance_of(s.a.shape, moved(motion, s.pose_a), s.b.shape, moved(motion, s.pose_b));
        check_like(&t, "rigid motion", &other, d.gap, abut_quat_rotate(motion.rotation, d.normal), s.size);
        static const double factors[2] = {1e-3, 1e3};
        for (int k = 0; k < 2; k++) {
            double f = factors[k];
            specimen a = specimen_scaled(&s.a, f), b = specimen_scaled(&s.b, f);
            abut_pose pose_a = s.pose_a, pose_b = s.pose_b;
            pose_a.position = abut_scale(f, pose_a.position);
            pose_b.position = abut_scale(f, pose_b.position);
            other = distance_of(a.shape, pose_a, b.shape, pose_b);
            check_like(&t, k ? "scale 1e3" : "scale 1e-3", &other, f * d.gap, d.normal, f * s.size);
            specimen_free(&a);
            specimen_free(&b);
        }
        free_sample(&s);
    }
    tally_end(&t);
}

/* A million metres out the positions have steps of 1e-10: what lies between them is exact all the same. */
static void far_from_the_origin(void **state) {
    (void)state;
    random_state random = random_make(random_seed("far_from_the_origin", 504));
    static tally t;
    const abut_vec3 origin = {1e6, -2e6, 3e6};
    for (int i = 0; i < 1000; i++) {
        sample s = random_pair(&random, random_log_range(&random, 0.1, 1.0));
        set_gap(&s, choose_gap(&random, i % 2, s.size));
        abut_pose far_a = s.pose_a, far_b = s.pose_b;
        far_a.position = abut_add(far_a.position, origin);
        far_b.position = abut_add(far_b.position, origin);
        s.pose_a.position = abut_sub(far_a.position, origin);
        s.pose_b.position = abut_sub(far_b.position, origin);
        abut_separation near = distance_of(s.a.shape, s.pose_a, s.b.shape, s.pose_b);
        abut_separation far = distance_of(s.a.shape, far_a, s.b.shape, far_b);
        describe(&t, &s, i, near.gap);
        check_like(&t, "far from the origin", &far, near.gap, near.normal, s.size);
        if (!(abut_distance_between(abut_sub(far.on_a, origin), near.on_a) <= 1e-8)) {
            tally_fail(&t, "witness far from the origin", "off by %.3g", abut_distance_between(abut_sub(far.on_a, origin), near.on_a));
        }
        free_sample(&s);
    }
    tally_end(&t);
}

/* ---- exact touching ---- */

static void assert_touching(const abut_shape *a, abut_pose pose_a, const abut_shape *b, abut_pose pose_b, abut_vec3 point, double slack) {
    bool overlap = false;
    abut_separation d = distance_of(a, pose_a, b, pose_b);
    assert_near(d.gap, 0.0, 1e-15);
    assert_true(d.gap <= 0.0);
    assert_ok(abut_overlap(&(abut_pair){a, pose_a, b, pose_b}, NULL, &overlap));
    assert_true(overlap);
    assert_near(abut_length(d.normal), 1.0, 1e-15);
    assert_vec3_near(d.on_a, d.on_b, 1e-15);
    assert_vec3_near(d.on_a, point, slack);
}

static void exact_touching(void **state) {
    (void)state;
    shapes s = make_shapes();
    const double eighth = 0.78539816339744831, diagonal = sqrt(0.5);
    abut_pose on_edge_x = at(0, 0, 1.0 + 2.0 * diagonal), on_edge_y = at(0, 0, 1.0);
    on_edge_x.rotation = abut_quat_about(abut_vec3_make(1, 0, 0), eighth);
    on_edge_y.rotation = abut_quat_about(abut_vec3_make(0, 1, 0), eighth);
    assert_touching(s.cube, at(0.25, 0, 1), s.cube, at(0, 0, 0), abut_vec3_make(0.125, 0, 0.5), 0.7);   /* face on face: any common point */
    assert_touching(s.cube, at(1, 1, 1), s.cube, at(0, 0, 0), abut_vec3_make(0.5, 0.5, 0.5), 1e-15);    /* vertex on vertex */
    assert_touching(s.cube, at(1, 0.25, 1), s.cube, at(0, 0, 0), abut_vec3_make(0.5, 0.125, 0.5), 0.4); /* edge along edge */
    assert_touching(s.cube, on_edge_x, s.cube, on_edge_y, abut_vec3_make(0, 0, 1.0 + diagonal), 1e-12); /* edge across edge */
    assert_touching(s.tent, at(0, 0, 0), s.cube, at(0.25, 0.125, 2), abut_vec3_make(0, 0, 1.5), 1e-12); /* vertex on face */
    assert_touching(s.ball, at(0, 0.6, 0.8), s.ball, at(0, 0, 0), abut_vec3_make(0, 0.3, 0.4), 1e-15);
    assert_touching(s.ball, at(0.5, 0.5, 1), s.cube, at(0, 0, 0), abut_vec3_make(0.5, 0.5, 0.5), 1e-15); /* on a corner */
    assert_touching(s.bar, at(0.75, 0, 0), s.cube, at(0, 0, 0), abut_vec3_make(0.5, 0, 0), 0.6);         /* along a face */
    assert_touching(s.ball, at(7, 8, 1.5), s.ground, at(0, 0, 0), abut_vec3_make(7, 8, 1), 1e-15);
    assert_touching(s.row, at(0, 0, 1), s.row, at(0, 0, 0), abut_vec3_make(0, 0, 0.5), 2.6);
    free_shapes(&s);
}

/* ---- compounds against all their parts ---- */

enum { MOST_PARTS = 12 };

typedef struct cluster {
    specimen part[MOST_PARTS];
    abut_pose place[MOST_PARTS];
    int32_t count;
    abut_shape *shape;
} cluster;

static cluster random_cluster(random_state *random) {
    cluster c = {.count = 1 + random_below(random, MOST_PARTS)};
    abut_part parts[MOST_PARTS];
    for (int32_t i = 0; i < c.count; i++) {
        c.part[i] = specimen_random(random, 0.5);
        c.place[i] = random_pose(random, 1.0);
        parts[i] = (abut_part){c.part[i].shape, c.place[i]};
    }
    assert_ok(abut_shape_create_compound(parts, c.count, &c.shape));
    return c;
}

static void free_cluster(cluster *c) {
    abut_shape_release(c->shape);
    for (int32_t i = 0; i < c->count; i++) {
        specimen_free(&c->part[i]);
    }
}

static double least_of_parts(const cluster *a, abut_pose pose_a, const cluster *b, abut_pose pose_b, int32_t *part_a, int32_t *part_b) {
    double least = INFINITY;
    for (int32_t i = 0; i < a->count; i++) {
        oracle_body p = specimen_oracle(&a->part[i], abut_pose_compose(pose_a, a->place[i]));
        for (int32_t j = 0; j < b->count; j++) {
            oracle_body q = specimen_oracle(&b->part[j], abut_pose_compose(pose_b, b->place[j]));
            double distance = oracle_signed_distance(&p, &q);
            if (distance < least) {
                least = distance;
                *part_a = i;
                *part_b = j;
            }
            oracle_free(&q);
        }
        oracle_free(&p);
    }
    return least;
}

static void check_compounds(tally *t, const cluster *a, abut_pose pose_a, const cluster *b, abut_pose pose_b, int32_t *in_contact) {
    int32_t part_a = 0, part_b = 0;
    double expected = least_of_parts(a, pose_a, b, pose_b, &part_a, &part_b);
    abut_separation d = distance_of(a->shape, pose_a, b->shape, pose_b);
    bool overlap = false;
    check_pair pair = {.a = a->shape, .b = b->shape, .pose_a = pose_a, .pose_b = pose_b};
    check_collide(t, &pair, NULL, &answer);
    assert_ok(abut_overlap(&(abut_pair){a->shape, pose_a, b->shape, pose_b}, NULL, &overlap));
    if (overlap != (d.gap <= 0.0) || overlap != (answer.count > 0)) {
        tally_fail(t, "disagreement", "overlap %d, distance %.3g, %d contacts", overlap, d.gap, (int)answer.count);
    }
    if (!(fabs(abut_dot(d.normal, abut_sub(d.on_a, d.on_b)) - d.gap) <= 1e-12)) {
        tally_fail(t, "distance is not n . (a - b)", "%.17g", d.gap);
    }
    if (overlap && answer.count > 0 && !(fabs(d.gap - fmin(check_deepest(&answer), 0.0)) <= 0.0)) {
        tally_fail(t, "distance is not the deepest gap", "%.17g, %.17g", d.gap, check_deepest(&answer));
    }
    if (!overlap && !(fabs(d.gap - fmax(expected, 0.0)) <= 1e-12)) {
        tally_fail(t, "distance", "%.17g instead of %.17g", d.gap, expected);
    }
    if (expected > 1e-9 && (d.feature_a.part != part_a || d.feature_b.part != part_b)) {
        tally_fail(t, "parts", "%d and %d instead of %d and %d", (int)d.feature_a.part, (int)d.feature_b.part, (int)part_a, (int)part_b);
    }
    *in_contact += overlap;
}

static void random_compounds(void **state) {
    (void)state;
    random_state random = random_make(random_seed("random_compounds", 505));
    static tally t;
    int32_t in_contact = 0, count = 0;
    for (int i = 0; i < 300; i++) {
        cluster a = random_cluster(&random), b = random_cluster(&random);
        abut_pose pose_a = random_pose(&random, 1.0), pose_b = random_pose(&random, 1.0);
        pose_a.position = abut_add_scaled(pose_b.position, random_range(&random, 0.0, 4.0), random_direction(&random));
        for (int k = 0; k < 3; k++) {
            tally_sample(&t, "compounds %d, %d", i, k);
            check_compounds(&t, &a, pose_a, &b, pose_b, &in_contact);
            count++;
            abut_separation d = distance_of(a.shape, pose_a, b.shape, pose_b);
            double gap = k == 0 ? random_log_range(&random, 1e-16, 1e-3) : -random_log_range(&random, 1e-16, 1e-3);
            pose_a.position = abut_add_scaled(pose_a.position, gap - d.gap, d.normal);
        }
        free_cluster(&a);
        free_cluster(&b);
    }
    print_message("random_compounds: %d of %d in contact\n", (int)in_contact, (int)count);
    assert_true(in_contact > 100 && count - in_contact > 100);
    tally_end(&t);
}

/*
 * Two long prisms side by side, one tilted by little about an axis across them: the end of an edge of one is nearest to a point just within
 * the end of an edge of the other. At some tilts (2.03235701e-6) the way from end to end is as long, to the last digit; but it leans by 1e-8,
 * and along it the long bodies are 1e-8 nearer.
 */
static void long_prisms_tilted_by_little(void **state) {
    (void)state;
    enum { TILTS = 2000 };
    static tally t;
    t = (tally){0};
    abut_shape *prism = NULL;
    assert_ok(abut_shape_create_prism(0.125, 6.0, 20, &prism));
    for (int i = 0; i < 2 * TILTS; i++) {
        double tilt = pow(10.0, -3.0 - 8.0 * (i / 2) / TILTS);
        abut_pose a = at(-13.125, 0, 0);
        a.rotation = abut_quat_about(abut_vec3_make(0, i % 2 == 0 ? 1 : -1, 0), tilt);
        abut_separation s = distance_of(prism, a, prism, abut_pose_identity());
        double expected = 13.125 - 0.125 - 0.125 * cos(tilt) - 6.0 * sin(tilt); /* from one end of A's edge to B's edge */
        double points = abut_distance_between(s.on_a, s.on_b), lean = abut_distance_between(s.normal, abut_vec3_make(-1, 0, 0));
        tally_sample(&t, "tilt %.17g", tilt);
        if (!(fabs(s.gap - expected) <= 1e-13 && fabs(points - expected) <= 1e-13 && lean <= 1e-13)) {
            tally_fail(&t, "not that of the end", "distance off by %.3g, points by %.3g, normal by %.3g", s.gap - expected,
                       points - expected, lean);
        }
    }
    abut_shape_release(prism);
    tally_end(&t);
}

/* A thin cylinder beside the flat end of a superquadric: the point on it is uncertain by 1e-9 of its size. The gap is not, and the points have it. */
static void points_beside_a_flat_superquadric(void **state) {
    (void)state;
    abut_shape *rod = NULL, *pillow = NULL;
    assert_ok(abut_shape_create_cylinder(0.010410410249491553, 6.4269348719456234, &rod));
    assert_ok(abut_shape_create_superquadric(abut_vec3_make(1, 1.5, 0.0028051046661521639), 0.2, 0.20180693090641844, &pillow));
    const abut_pose a = {{594.71853359049214, 846.21179313750213, 619.9991241536361},
                         {5.8531103838355227e-09, 5.8531103838355227e-09, 5.8531103838355227e-09, 1}};
    const abut_pose b = {{594.71853359049214, 847.22220362298674, 619.9991241536361}, {0, 0, 0.70710678118654757, 0.70710678118654757}};
    abut_collide_settings settings = abut_collide_settings_default();
    settings.margin = 1e-3;
    abut_contact contact[8];
    int32_t count;
    assert_ok(abut_collide(&(abut_pair){rod, a, pillow, b}, &settings, NULL, contact, 8, &count));
    assert_int_equal(count, 1);
    assert_near(abut_dot(contact->normal, abut_sub(contact->on_a, contact->on_b)), contact->gap, 2e-12);
    abut_separation s = distance_of(rod, a, pillow, b);
    assert_near(abut_dot(s.normal, abut_sub(s.on_a, s.on_b)), s.gap, 2e-12);
    abut_shape_release(rod);
    abut_shape_release(pillow);
}

/* abut_collide() takes the parts of a compound for one surface, and gives contacts in the place of those that a neighbour hides. The distance did without. */
static void depth_of_compounds_without_their_seams(void **state) {
    (void)state;
    enum { PARTS = 8, MOST = 512 };
    static const abut_vec3 point[5] = {{0, 0, 0}, {11.375, 0, 0}, {-0.125, -0.125, -0.125}, {-0.125, -0.5, -0.125}, {-0.125, -7.375, 0}};
    abut_shape *wedge = NULL, *row = NULL;
    assert_ok(abut_shape_create_hull(point, 5, &wedge));
    abut_part part[PARTS];
    for (int i = 0; i < PARTS; i++) {
        part[i] = (abut_part){wedge, at(0, 3.125 * (i + 1), 0)};
    }
    assert_ok(abut_shape_create_compound(part, PARTS, &row));
    abut_collide_settings settings = abut_collide_settings_default();
    settings.normal = ABUT_NORMAL_MINIMUM;
    static abut_contact contact[MOST];
    int32_t count;
    double deepest = 0.0;
    assert_ok(abut_collide(&(abut_pair){row, at(0, 0, 0), row, at(0, 0, 0)}, &settings, NULL, contact, MOST, &count));
    for (int32_t i = 0; i < count; i++) {
        deepest = fmin(deepest, contact[i].gap);
    }
    abut_separation s;
    assert_ok(abut_distance(&(abut_pair){row, at(0, 0, 0), row, at(0, 0, 0)}, &settings, NULL, &s));
    assert_true(deepest < 0.0);
    assert_near(s.gap, deepest, 0.0);
    abut_shape_release(wedge);
    abut_shape_release(row);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(apart),
        cmocka_unit_test(planes),
        cmocka_unit_test(overlapping),
        cmocka_unit_test(compounds),
        cmocka_unit_test(random_pairs),
        cmocka_unit_test(size_ratios),
        cmocka_unit_test(random_planes),
        cmocka_unit_test(settings_of_collide),
        cmocka_unit_test(symmetries),
        cmocka_unit_test(far_from_the_origin),
        cmocka_unit_test(exact_touching),
        cmocka_unit_test(random_compounds),
        cmocka_unit_test(long_prisms_tilted_by_little),
        cmocka_unit_test(points_beside_a_flat_superquadric),
        cmocka_unit_test(depth_of_compounds_without_their_seams),
    };
    return cmocka_run_group_tests_name("narrow/query/distance", tests, NULL, NULL);
}
