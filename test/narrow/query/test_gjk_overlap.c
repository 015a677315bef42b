/* Proofs that two bodies are apart or overlap: never wrong, and found for all pairs except those that nearly touch. */
#include "support/specimen.h"

#include "narrow/query/gjk_overlap.h"
#include "narrow/separating.h"

static convex place(const specimen *s, abut_pose pose) {
    return convex_place(s->shape, abut_mat3_from_quat(pose.rotation), pose.position, 0);
}

typedef struct counts {
    int32_t apart, overlap, close;
} counts;

/* The relation of two bodies whose distance the oracle knows. An overlap deeper than `shallow` must be found. */
static void check_relation(tally *t, const specimen *p, abut_pose pose_p, const specimen *q, abut_pose pose_q, double shallow,
                           counts *count) {
    convex a = place(p, pose_p), b = place(q, pose_q);
    oracle_body body_a = specimen_oracle(p, pose_p), body_b = specimen_oracle(q, pose_q);
    double distance = oracle_signed_distance(&body_a, &body_b), doubt = separating_doubt(&a, &b);
    abut_vec3 axis = {0, 0, 0};
    gjk_verdict verdict = gjk_overlap(&a, &b, &axis);
    if (verdict == GJK_APART) {
        count->apart++;
        if (!(oracle_gap_along(&body_a, &body_b, abut_neg(axis)) > 0.999 * doubt) || !(fabs(abut_length(axis) - 1.0) <= 1e-14)) {
            tally_fail(t, "no separating axis", "gap %.3g", oracle_gap_along(&body_a, &body_b, abut_neg(axis)));
        }
    } else if (verdict == GJK_OVERLAP) {
        count->overlap++;
        if (!(distance < 0.0)) {
            tally_fail(t, "apart, said to overlap", "distance %.3g", distance);
        }
    } else {
        count->close++;
        if (distance > 1.001 * doubt || distance < -shallow * (p->size + q->size)) {
            tally_fail(t, "undecided", "distance %.3g, doubt %.3g", distance, doubt);
        }
    }
    oracle_free(&body_a);
    oracle_free(&body_b);
}

static void random_bodies(void **state) {
    (void)state;
    random_state random = random_make(random_seed("random_bodies", 521));
    static tally t;
    counts count = {0, 0, 0};
    for (int i = 0; i < 10000; i++) {
        specimen p = specimen_random(&random, 1.0), q = specimen_random(&random, i % 5 ? 1.0 : random_log_range(&random, 1e-4, 1.0));
        abut_pose pose_p = random_pose(&random, 0.6), pose_q = random_pose(&random, 0.6);
        tally_sample(&t, "pair %d: %s of %.3g and %s of %.3g", i, specimen_name(&p), p.size, specimen_name(&q), q.size);
        check_relation(&t, &p, pose_p, &q, pose_q, 1e-5, &count);
        specimen_free(&p);
        specimen_free(&q);
    }
    print_message("random_bodies: %d apart, %d overlap, %d close\n", (int)count.apart, (int)count.overlap, (int)count.close);
    assert_true(count.apart > 2000 && count.overlap > 2000 && count.close < 50);
    tally_end(&t);
}

/* Bodies with a common middle, faces in one plane, edges on one line: GJK can end on the origin itself. */
static void regular_places(void **state) {
    (void)state;
    random_state random = random_make(random_seed("regular_places", 522));
    static tally t;
    counts count = {0, 0, 0};
    for (int i = 0; i < 5000; i++) {
        specimen p = specimen_random(&random, 1.0), q = i % 2 ? specimen_scaled(&p, 1.0) : specimen_random(&random, 1.0);
        abut_pose pose_p = abut_pose_identity(), pose_q = abut_pose_identity();
        pose_p.position = abut_vec3_make(0.25 * random_below(&random, 4), 0.25 * random_below(&random, 4), 0.0);
        tally_sample(&t, "pair %d: %s of %.3g and %s of %.3g", i, specimen_name(&p), p.size, specimen_name(&q), q.size);
        check_relation(&t, &p, pose_p, &q, pose_q, INFINITY, &count);
        specimen_free(&p);
        specimen_free(&q);
    }
    print_message("regular_places: %d apart, %d overlap, %d close\n", (int)count.apart, (int)count.overlap, (int)count.close);
    assert_true(count.close < 100);
    tally_end(&t);
}

/* From far apart to deep: no position gets a wrong relation. */
static void in_passing(void **state) {
    (void)state;
    random_state random = random_make(random_seed("in_passing", 523));
    static tally t;
    counts count = {0, 0, 0};
    for (int i = 0; i < 300; i++) {
        specimen p = specimen_random(&random, 1.0), q = specimen_random(&random, 1.0);
        abut_pose pose_p = random_pose(&random, 0.0), pose_q = random_pose(&random, 0.0);
        abut_vec3 direction = random_direction(&random);
        for (double way = 2.5; way > -0.05; way -= 0.05) {
            pose_p.position = abut_scale(way, direction);
            tally_sample(&t, "pair %d: %s of %.3g and %s of %.3g, %.3g", i, specimen_name(&p), p.size, specimen_name(&q), q.size, way);
            check_relation(&t, &p, pose_p, &q, pose_q, 1e-5, &count);
        }
        specimen_free(&p);
        specimen_free(&q);
    }
    tally_end(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_bodies), cmocka_unit_test(regular_places), cmocka_unit_test(in_passing)};
    return cmocka_run_group_tests_name("narrow/query/gjk_overlap", tests, NULL, NULL);
}
