/* The guess at the closest point of two polytopes: beside an exhaustive search, and the same for every instruction set. */
#include "narrow/normal/guess/search.h"

#include <stdio.h>
#include <string.h>

#include "narrow/normal/gjk.h"
#include "narrow/normal/gjk_simplex.h"
#include "support/check.h"
#include "support/oracle.h"

/* The distance of the origin from the hull of the vertices. */
static double distance_of(const convex *a, const convex *b, const guess_simplex *found) {
    gjk_simplex s = {.count = 0};
    abut_vec3 closest;
    for (int32_t i = 0; i < found->count; i++) {
        abut_vec3 on_a = convex_to_pair(a, convex_vertex(a, found->vertex_a[i])),
                  on_b = convex_to_pair(b, convex_vertex(b, found->vertex_b[i]));
        gjk_simplex_add(&s, abut_sub(on_a, on_b), found->vertex_a[i], found->vertex_b[i]);
    }
    gjk_simplex_reduce(&s, &closest);
    return abut_length(closest);
}

static bool same(const guess_simplex *p, const guess_simplex *q) {
    bool equal = p->count == q->count;
    for (int32_t i = 0; i < p->count && equal; i++) {
        equal = p->vertex_a[i] == q->vertex_a[i] && p->vertex_b[i] == q->vertex_b[i];
    }
    return equal;
}

static void check_sets(tally *t, const convex *a, const convex *b, abut_vec3 direction, bool is_found, const guess_simplex *found) {
    for (int level = 0; level < INSTRUCTION_SETS; level++) {
        guess_simplex other;
        if (guess_use((instruction_set)level) &&
            (guess_nearest(a, b, direction, &other) != is_found || (is_found && !same(&other, found)))) {
            tally_fail(t, "another simplex", "level %d", level);
        }
    }
    assert_true(guess_use(instruction_set_best()));
}

static solid make_solid(random_state *random) {
    return random_below(random, 3) == 0 ? solid_box(random_vec3(random, 0.2, 0.6))
                                        : solid_cloud(random, 4 + random_below(random, 40), random_vec3(random, 0.3, 0.8));
}

static void any_pair(void **state) {
    (void)state;
    static tally t;
    random_state random = random_make(random_seed("any_pair", 572));
    int32_t pairs = random_samples("any_pair", 5000), apart = 0, missed = 0;
    double worst = 0.0;
    for (int32_t i = 0; i < pairs; i++) {
        solid p = make_solid(&random), q = make_solid(&random);
        abut_shape *shape_a = solid_shape(&p), *shape_b = solid_shape(&q);
        abut_pose pose = {abut_scale(random_range(&random, 0.5, 2.5), random_direction(&random)), random_rotation(&random)};
        convex a = convex_place(shape_a, abut_mat3_identity(), abut_vec3_make(0, 0, 0), 0);
        convex b = convex_place(shape_b, abut_mat3_from_quat(pose.rotation), pose.position, 0);
        abut_vec3 direction = i % 2 ? pose.position : random_direction(&random);
        guess_simplex found = {.count = 0};
        oracle_body body_a = oracle_solid(&p, abut_pose_identity()), body_b = oracle_solid(&q, pose);
        double truth = oracle_signed_distance(&body_a, &body_b);
        tally_sample(&t, "pair %d, %d and %d vertices, distance %.6g", (int)i, (int)p.vertex_count, (int)q.vertex_count, truth);
        bool is_found = guess_nearest(&a, &b, direction, &found);
        check_sets(&t, &a, &b, direction, is_found, &found);
        missed += !is_found && truth > 0.0; /* rounding can make four corners of one face look like a body around the origin */
        if (is_found && !(truth > 0.0)) {
            tally_fail(&t, "found, but they meet", "%.17g", distance_of(&a, &b, &found));
        } else if (is_found) {
            double error = fabs(distance_of(&a, &b, &found) - truth);
            worst = fmax(worst, error);
            apart++;
            if (!(error <= 1e-12)) {
                tally_fail(&t, "another distance", "%.17g", distance_of(&a, &b, &found));
            }
        }
        abut_shape_release(shape_a);
        abut_shape_release(shape_b);
        oracle_free(&body_a);
        oracle_free(&body_b);
        solid_free(&p);
        solid_free(&q);
    }
    printf("any_pair: %d of %d are apart, %d not found, worst error %.2g\n", (int)apart, (int)pairs, (int)missed, worst);
    tally_end(&t);
    assert_true(apart > pairs / 3 && apart < pairs && missed <= 1 + pairs / 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(any_pair)};
    return cmocka_run_group_tests_name("narrow/normal/guess/nearest", tests, NULL, NULL);
}
