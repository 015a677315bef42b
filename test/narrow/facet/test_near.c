/*
 * Facets that may touch soon: no motion of two bodies within the margin brings facets into contact that were not listed. Few other facets
 * are listed.
 */
#include "narrow/facet/near.h"

#include <stdio.h>
#include <stdlib.h>

#include "shape/facet/mesh.h"
#include "shape/shape.h"
#include "support/check.h"
#include "support/facet_body.h"
#include "support/random.h"

static abut_shape *random_body(random_state *random) {
    int kind = random_below(random, 5);
    facet_body body = kind == 4 ? facet_body_torus(1.0, random_range(random, 0.2, 0.8), 14, 9) : facet_body_ball(kind % 3);
    facet_body_scale(&body, (abut_vec3){random_range(random, 0.4, 1.5), random_range(random, 0.4, 1.5), random_range(random, 0.4, 1.5)});
    double *radii = check_memory((size_t)body.triangle_count, sizeof *radii);
    for (int32_t i = 0; i < body.triangle_count; ++i) {
        double chance = random_range(random, 0.0, 1.0);
        radii[i] = chance < 0.1 ? INFINITY : chance < 0.12 ? 1e8 : random_log_range(random, 0.3, 30.0);
    }
    abut_shape *shape = random_below(random, 3) == 0 ? facet_body_shape(&body, radii) : facet_body_shape(&body, NULL);
    free(radii);
    facet_body_free(&body);
    return shape;
}

static bool is_listed(const facet_candidates *near, int32_t a, int32_t b) {
    for (int32_t i = 0; i < near->count; ++i) {
        if (near->pair[i].a == a && near->pair[i].b == b) {
            return true;
        }
    }
    return false;
}

static void check_found(tally *t, const facet_found *found, const facet_candidates *near) {
    for (int32_t i = 0; i < found->count; ++i) {
        if (!is_listed(near, found->items[i].facet_a, found->items[i].facet_b)) {
            tally_fail(t, "contact", "of (%d, %d) was not listed", (int)found->items[i].facet_a, (int)found->items[i].facet_b);
        }
    }
}

/* A motion that uses half of the margin for rotation, by the difference of the matrices over the reach, and half for translation. */
static facet_placement moved(random_state *random, abut_pose pose, double reach, double margin) {
    double angle = random_range(random, 0.5, 1.0) * 0.5 * margin / reach;
    abut_vec3 half = abut_scale(sin(0.5 * angle), random_direction(random));
    abut_quat turn = abut_quat_make(half.x, half.y, half.z, cos(0.5 * angle));
    abut_vec3 way = abut_scale(random_range(random, 0.5, 1.0) * 0.5 * margin, random_direction(random));
    return (facet_placement){abut_mat3_from_quat(abut_quat_mul(turn, pose.rotation)), abut_add(pose.position, way)};
}

static void test_no_contact_is_lost(void **state) {
    (void)state;
    random_state random = random_make(random_seed("facets near", 31));
    static tally t;
    int64_t contacts = 0;
    for (int32_t i = 0, count = random_samples("facets near", 4000); i < count; ++i) {
        abut_shape *a = random_body(&random), *b = random_body(&random);
        abut_pose pose = random_pose(&random, random_range(&random, 0.2, 1.6));
        double margin = random_log_range(&random, 1e-3, 0.5);
        facet_placement before = {abut_mat3_from_quat(pose.rotation), pose.position},
                        after = moved(&random, pose, 2.0 * b->facets->reach, margin);
        facet_candidates near = {.pair = NULL};
        facet_found found;
        facet_found_init(&found);
        facetmesh_near(a, b, &before, margin, &near);
        facetmesh_meet(a, b, &after, &found);
        tally_sample(&t, "sample %d, margin %g", (int)i, margin);
        check_found(&t, &found, &near);
        contacts += found.count;
        facet_found_free(&found);
        facet_candidates_release(&near);
        abut_shape_release(a);
        abut_shape_release(b);
    }
    tally_end(&t);
    assert_true(contacts > 1000);
}

static void test_whole_partners(void **state) {
    (void)state;
    random_state random = random_make(random_seed("facets near whole ones", 32));
    static tally t;
    int64_t contacts = 0;
    for (int32_t i = 0, count = random_samples("facets near whole ones", 4000); i < count; ++i) {
        abut_shape *a = random_body(&random);
        double margin = random_log_range(&random, 1e-3, 0.5), radius = random_log_range(&random, 0.1, 3.0);
        abut_vec3 centre = abut_scale(random_range(&random, 0.3, 1.0) + radius, random_direction(&random)), n = random_direction(&random);
        abut_vec3 later = abut_add_scaled(centre, random_range(&random, 0.0, margin), random_direction(&random));
        facet_candidates near = {.pair = NULL};
        facet_found found;
        facet_found_init(&found);
        facetmesh_near_sphere(a, centre, radius, margin, &near);
        facetmesh_meet_sphere(a, later, radius, &found);
        tally_sample(&t, "sample %d, margin %g", (int)i, margin);
        check_found(&t, &found, &near);
        contacts += found.count;
        facet_found_free(&found);
        near.count = 0;
        double offset = random_range(&random, -1.0, 1.0);
        abut_vec3 turned = abut_unit(abut_add_scaled(n, 0.4 * margin / a->facets->reach, random_direction(&random)));
        facetmesh_near_plane(a, n, offset, margin, &near);
        facetmesh_meet_plane(a, turned, offset + random_range(&random, -0.5, 0.5) * margin, &found);
        check_found(&t, &found, &near);
        contacts += found.count;
        facet_found_free(&found);
        facet_candidates_release(&near);
        abut_shape_release(a);
    }
    tally_end(&t);
    assert_true(contacts > 1000);
}

/* For two balls of 1280 facets that just touch, the list has a few of 1.6 million pairs. */
static void test_few_are_listed(void **state) {
    (void)state;
    facet_body body = facet_body_ball(3);
    abut_shape *ball = facet_body_round(&body, 1.0);
    random_state random = random_make(33);
    int32_t most = 0;
    for (int i = 0; i < 100; ++i) {
        abut_pose pose = random_pose(&random, 0.0);
        facet_placement at = {abut_mat3_from_quat(pose.rotation), abut_scale(1.999, random_direction(&random))};
        facet_candidates near = {.pair = NULL};
        facetmesh_near(ball, ball, &at, 0.01, &near);
        facet_candidates_sort(&near);
        for (int32_t k = 1; k < near.count; ++k) {
            const facet_candidate *p = &near.pair[k - 1], *q = &near.pair[k];
            assert_true(p->b < q->b || (p->b == q->b && p->a < q->a));
        }
        most = near.count > most ? near.count : most;
        facet_candidates_release(&near);
    }
    printf("most listed of two balls of 1280 facets: %d\n", (int)most);
    assert_in_range(most, 1, 150);
    abut_shape_release(ball);
    facet_body_free(&body);
}

/* Round bodies almost at one place may touch with any of their facets after a small motion, but for a motion of nothing the list stays short. It was as long
 * as the square of the number of facets, which took half a minute for three bodies of 8,192 facets. Found by the fuzzer of worlds. */
static void test_round_bodies_at_one_place_list_few(void **state) {
    (void)state;
    static const double apart[] = {0.0, 1e-300, 1e-14, 1e-11, 1e-9, 1e-7, 1e-5, 1e-3, 0.1, 0.5, 1.5};
    facet_body body = facet_body_ball(3);
    abut_shape *ball = facet_body_round(&body, 1.0);
    const int32_t facets = ball->facets->topology->triangle_count;
    random_state random = random_make(34);
    static tally t;
    for (size_t i = 0; i < sizeof apart / sizeof *apart; ++i) {
        for (int k = 0; k < 6; ++k) {
            abut_pose pose = random_pose(&random, 0.0);
            pose.rotation = k == 0 ? abut_quat_identity() : pose.rotation;
            facet_placement at = {abut_mat3_from_quat(pose.rotation), abut_scale(apart[i], random_direction(&random))};
            facet_candidates near = {.pair = NULL};
            facet_found found;
            facet_found_init(&found);
            facetmesh_near(ball, ball, &at, 0.0, &near);
            facetmesh_meet(ball, ball, &at, &found);
            tally_sample(&t, "%g apart, rotation %d", apart[i], k);
            check_found(&t, &found, &near);
            if (near.count > 16 * facets) {
                tally_fail(&t, "list", "has %d pairs", (int)near.count);
            }
            assert_true((found.count > 0) == (apart[i] > 1e-10));
            near.count = 0;
            near.most = 500;
            facetmesh_near(ball, ball, &at, 0.1, &near);
            assert_true(facet_candidates_are_too_many(&near) || apart[i] > 1.0);
            assert_true(near.count < 600); /* the search ends soon after */
            facet_found_free(&found);
            facet_candidates_release(&near);
        }
    }
    tally_end(&t);
    abut_shape_release(ball);
    facet_body_free(&body);
}

/* Small motions of bodies that lie deep in each other, whose facets are told apart by the line between their centres. */
static void test_no_contact_of_deep_bodies_is_lost(void **state) {
    (void)state;
    random_state random = random_make(random_seed("deep facets near", 35));
    static tally t;
    int64_t contacts = 0;
    for (int32_t i = 0, count = random_samples("deep facets near", 1000); i < count; ++i) {
        facet_body body = facet_body_ball(random_below(&random, 3));
        abut_shape *a = facet_body_round(&body, 1.0),
                   *b = random_below(&random, 2) == 0 ? facet_body_round(&body, 1.0) : random_body(&random);
        abut_pose pose = random_pose(&random, 0.0);
        double apart = random_log_range(&random, 1e-6, 1.0), margin = apart * random_log_range(&random, 1e-4, 1.0);
        pose.position = abut_scale(apart, random_direction(&random));
        facet_placement before = {abut_mat3_from_quat(pose.rotation), pose.position},
                        after = moved(&random, pose, 2.0 * b->facets->reach, margin);
        facet_candidates near = {.pair = NULL};
        facet_found found;
        facet_found_init(&found);
        facetmesh_near(a, b, &before, margin, &near);
        facetmesh_meet(a, b, &after, &found);
        tally_sample(&t, "sample %d, %g apart, margin %g", (int)i, apart, margin);
        check_found(&t, &found, &near);
        contacts += found.count;
        facet_found_free(&found);
        facet_candidates_release(&near);
        abut_shape_release(a);
        abut_shape_release(b);
        facet_body_free(&body);
    }
    tally_end(&t);
    assert_true(contacts > 10000);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_no_contact_is_lost), cmocka_unit_test(test_whole_partners),
                                       cmocka_unit_test(test_few_are_listed), cmocka_unit_test(test_round_bodies_at_one_place_list_few),
                                       cmocka_unit_test(test_no_contact_of_deep_bodies_is_lost)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
