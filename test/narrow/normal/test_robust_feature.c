/* Clear features: closed forms on a cube, and every distance that is called clear equals that of the search. */
#include "narrow/normal/robust_feature.h"

#include "narrow/normal/feature.h"
#include "support/check.h"

static abut_feature named(abut_feature_kind kind, int32_t index) { return (abut_feature){.kind = kind, .index = index}; }

static void features_of_a_cube(void **state) {
    (void)state;
    abut_shape *cube;
    assert_ok(abut_shape_create_box(abut_vec3_make(0.5, 0.5, 0.5), &cube));
    convex body = convex_place(cube, abut_mat3_identity(), abut_vec3_make(0, 0, 0), 0);
    /* Vertex 7 is (+, +, +). */
    assert_true(robust_vertex(&body, 7, abut_vec3_make(1, 1, 1)));
    assert_false(robust_vertex(&body, 6, abut_vec3_make(1, 1, 1)));
    assert_false(robust_vertex(&body, 7, abut_vec3_make(1, 1, 0)));
    assert_false(robust_vertex(&body, 7, abut_vec3_make(1, 1, 1e-8)));
    assert_true(robust_vertex(&body, 7, abut_vec3_make(1, 1, 1e-4)));
    /* The face +z, number 5, and the points over it. */
    assert_true(robust_inside_face(&body, 5, abut_vec3_make(0.49, -0.49, 0.7)));
    assert_false(robust_inside_face(&body, 5, abut_vec3_make(0.5, 0, 0.5)));
    assert_false(robust_inside_face(&body, 5, abut_vec3_make(0.5 - 1e-8, 0, 0.5)));
    assert_false(robust_inside_face(&body, 5, abut_vec3_make(0.7, 0, 0.5)));
    /* Every edge: clear half way between its faces, unclear along the normal of either. */
    for (int32_t i = 0; i < body.surface->edge_count; i++) {
        const polytope_edge *edge = &body.surface->edges[i];
        abut_vec3 end[2], n0 = feature_face_normal(&body, edge->face[0]), n1 = feature_face_normal(&body, edge->face[1]);
        feature_edge(&body, i, end);
        abut_vec3 along = abut_sub(end[1], end[0]);
        assert_true(robust_edge(&body, i, along, abut_unit(abut_add(n0, n1))));
        assert_false(robust_edge(&body, i, along, n0));
        assert_false(robust_edge(&body, i, along, n1));
        assert_false(robust_edge(&body, i, along, abut_neg(abut_unit(abut_add(n0, n1)))));
    }
    abut_shape_release(cube);
}

/* Proposes all pairs of features of two bodies apart: only the closest pair may be accepted. */
static void check_proposals(tally *t, const convex *a, const convex *b, double expected, int32_t *clear) {
    const abut_feature_kind kinds[3] = {ABUT_FEATURE_FACE, ABUT_FEATURE_EDGE, ABUT_FEATURE_VERTEX};
    const int32_t count_a[3] = {a->surface->face_count, a->surface->edge_count, a->surface->vertex_count};
    const int32_t count_b[3] = {b->surface->face_count, b->surface->edge_count, b->surface->vertex_count};
    for (int p = 0; p < 9; p++) {
        for (int32_t i = 0; i < count_a[p / 3]; i++) {
            for (int32_t k = 0; k < count_b[p % 3]; k++) {
                gjk_result found;
                abut_feature fa = named(kinds[p / 3], i), fb = named(kinds[p % 3], k);
                if (!robust_distance(a, b, fa, fb, &found)) {
                    continue;
                }
                ++*clear;
                double between = abut_distance_between(found.on_a, found.on_b);
                if (!(fabs(found.distance - expected) <= 1e-12 && fabs(between - expected) <= 1e-12)) {
                    tally_fail(t, "not the distance", "%.17g, its points %.17g, expected %.17g", found.distance, between, expected);
                }
            }
        }
    }
}

static void no_wrong_feature_is_clear(void **state) {
    (void)state;
    static tally t;
    random_state random = random_make(random_seed("no_wrong_feature_is_clear", 541));
    int32_t pairs = 200, clear = 0;
    for (int32_t i = 0; i < pairs; i++) {
        solid p = solid_cloud(&random, 4 + random_below(&random, 8), random_vec3(&random, 0.3, 0.6));
        solid q = solid_box(random_vec3(&random, 0.2, 0.5));
        abut_quat rotation = random_rotation(&random);
        abut_pose pose_b = {abut_scale(random_range(&random, 1.4, 2.0), random_direction(&random)), rotation};
        abut_shape *shape_a = solid_shape(&p), *shape_b = solid_shape(&q);
        convex a = convex_place(shape_a, abut_mat3_identity(), abut_vec3_make(0, 0, 0), 0);
        convex b = convex_place(shape_b, abut_mat3_from_quat(rotation), pose_b.position, 0);
        oracle_body body_a = oracle_solid(&p, abut_pose_identity()), body_b = oracle_solid(&q, pose_b);
        double expected = oracle_signed_distance(&body_a, &body_b);
        tally_sample(&t, "pair %d", (int)i);
        if (expected > 1e-3) {
            check_proposals(&t, &a, &b, expected, &clear);
        }
        oracle_free(&body_a);
        oracle_free(&body_b);
        abut_shape_release(shape_a);
        abut_shape_release(shape_b);
        solid_free(&p);
        solid_free(&q);
    }
    tally_end(&t);
    assert_true(clear > pairs / 2 && clear <= pairs); /* one pair of features at most for each pair of bodies */
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(features_of_a_cube), cmocka_unit_test(no_wrong_feature_is_clear)};
    return cmocka_run_group_tests_name("narrow/normal/robust_feature", tests, NULL, NULL);
}
