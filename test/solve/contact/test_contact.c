/* Contacts between passes: gaps follow the bodies; impulses act at the right points; each stage has the right target velocity. */
#include "heap.h"

#include "solve/contact/work.h"

static const solver_rule rule = {1.0 / 240.0, 9.0, 3.0, 1e-14, 0.5};

static solver_anchor anchor_of(heap *h, const abut_contact *contact, double radius_a, double radius_b) {
    const abut_vec3 centre[2] = {h->centre[1], h->centre[0]};
    const double radius[2] = {radius_a, radius_b};
    h->pairs[0] = (solver_pair){.a = 1, .b = 0, .first = 0, .count = 1, .touch = 1e-4};
    h->pairs[0].offset = abut_sub(h->centre[1], h->centre[0]);
    h->patches[0] = (solver_patch){.first = 0, .count = 1, .friction = 0.5, .restitution = 0.5};
    h->set.pair_count = h->set.patch_count = h->set.point_count = 1;
    h->anchors[0] = solver_begin_point(&h->set, &h->pairs[0], centre, radius, contact);
    solver_begin_patch(&h->set, &h->patches[0], contact->normal);
    solver_refresh(&h->set);
    return h->anchors[0];
}

/* Moves body 1 by a pose about its centre. */
static void place(heap *h, abut_vec3 moved, abut_quat rotation) {
    h->bodies[1].moved = moved;
    h->bodies[1].rotation = rotation;
    h->bodies[1].axes = abut_mat3_from_quat(rotation);
}

static void test_the_gap_follows_a_corner(void **state) {
    (void)state;
    random_state random = random_make(random_seed("contact", 2));
    for (int round = 0; round < 200; round++) {
        heap h;
        heap_begin(&h);
        heap_add(&h, random_vec3(&random, -10.0, 10.0), 1.0);
        abut_vec3 corner = random_vec3(&random, -0.5, 0.5), n = random_direction(&random);
        abut_contact contact = {.normal = n,
                                .gap = random_range(&random, -0.1, 0.1),
                                .feature_a = {ABUT_FEATURE_VERTEX, 0, 0},
                                .feature_b = {ABUT_FEATURE_FACE, 0, 0}};
        contact.on_a = abut_add(h.centre[1], corner);
        contact.on_b = abut_add_scaled(contact.on_a, -contact.gap, n);
        assert_near(anchor_of(&h, &contact, 0.0, 0.0).gap, contact.gap, 1e-14);
        abut_vec3 moved = random_vec3(&random, -0.1, 0.1);
        abut_quat turned = random_rotation(&random);
        place(&h, moved, turned);
        solver_refresh(&h.set);
        abut_vec3 now = abut_add(abut_add(h.centre[1], moved), abut_quat_rotate(turned, corner));
        assert_near(h.anchors[0].gap, abut_dot(n, abut_sub(now, contact.on_b)), 1e-13);
        /* The impulse acts at the corner, computed from both centres. */
        assert_vec3_near(abut_add(abut_add(h.centre[1], moved), h.anchors[0].arm), now, 1e-13);
        assert_vec3_near(abut_add(h.centre[0], h.patches[0].arm_b), now, 1e-13);
    }
}

static void test_a_rolling_ball_keeps_its_gap(void **state) {
    (void)state;
    heap h;
    heap_begin(&h);
    heap_add(&h, abut_vec3_make(0, 0, 0.5), 1.0);
    abut_contact contact = {
        .normal = {0, 0, 1}, .gap = 0.0, .feature_a = {ABUT_FEATURE_SMOOTH, 0, 0}, .feature_b = {ABUT_FEATURE_FACE, 0, 0}};
    anchor_of(&h, &contact, 0.5, 0.0);
    place(&h, abut_vec3_make(0.3, 0, 0), abut_quat_about(abut_vec3_make(0, 1, 0), 0.6));
    solver_refresh(&h.set);
    assert_near(h.anchors[0].gap, 0.0, 1e-15);
    assert_vec3_near(h.anchors[0].arm, abut_vec3_make(0, 0, -0.5), 1e-15);
    assert_vec3_near(h.patches[0].arm_b, abut_vec3_make(0.3, 0, 0.5), 1e-15);
}

static void test_two_faces_share_the_middle(void **state) {
    (void)state;
    heap h;
    heap_begin(&h);
    heap_add(&h, abut_vec3_make(0, 0, 0.7), 1.0);
    abut_contact contact = {.on_a = {0.1, 0, 0.2},
                            .on_b = {0.1, 0, 0},
                            .normal = {0, 0, 1},
                            .gap = 0.2,
                            .feature_a = {ABUT_FEATURE_EDGE, 0, 0},
                            .feature_b = {ABUT_FEATURE_EDGE, 0, 0}};
    anchor_of(&h, &contact, 0.0, 0.0);
    assert_vec3_near(h.patches[0].arm_a, abut_vec3_make(0.1, 0, -0.6), 1e-15);
    assert_vec3_near(h.patches[0].arm_b, abut_vec3_make(0.1, 0, 0.6), 1e-15);
}

static void test_what_the_stages_aim_at(void **state) {
    (void)state;
    heap h;
    heap_tower(&h, 1, 0.0, 0.5);
    solver_point *p = h.points;
    h.anchors[0].gap = 0.1;
    h.anchors[1].gap = 1e-5;
    h.anchors[2].gap = -0.01;
    h.anchors[3].gap = -10.0;
    solver_first_stage(&h.set, &rule);
    assert_near(p[0].target, -(0.1 - 1e-4) * 240.0, 1e-12);
    assert_true(p[1].target == 0.0 && p[2].target == 0.0 && p[3].target == 0.0);
    p[2].impulse.normal = 1.0;
    h.anchors[2].bounce = 0.7;
    h.anchors[3].bounce = 0.7; /* no impact: no bounce */
    assert_true(0.0 < solver_begin_push(&h.set, &rule));
    assert_near(p[1].target, -9e-5, 1e-15);
    assert_near(p[2].target, 0.09, 1e-15);
    assert_near(p[3].target, 3.0, 1e-15);
    solver_hold(&h.set);
    p[2].impulse.normal = 5.0;
    solver_take_held_impulses(&h.set);
    assert_true(p[2].impulse.normal == 1.0);
    solver_second_stage(&h.set, &rule, true);
    assert_true(p[0].target == -INFINITY && p[1].target == 0.0 && p[2].target == 0.7 && p[3].target == 0.0);
    solver_second_stage(&h.set, &rule, false);
    assert_true(p[2].target == 0.0);
}

static void test_nothing_to_push(void **state) {
    (void)state;
    heap h;
    heap_tower(&h, 1, 0.0, 0.5);
    solver_first_stage(&h.set, &rule);
    assert_true(solver_begin_push(&h.set, &rule) == 0.0); /* gaps of exactly zero */
    h.anchors[0].gap = 5e-5;
    solver_first_stage(&h.set, &rule);
    assert_true(solver_begin_push(&h.set, &rule) == 0.0); /* open, and without an impulse */
    solver_first_stage(&h.set, &rule);
    h.points[0].impulse.normal = 1.0;
    assert_true(0.0 < solver_begin_push(&h.set, &rule));
}

static void test_a_bounce_has_the_speed_of_the_impact(void **state) {
    (void)state;
    /* The body falls with g from rest at the height s; the impact may be anywhere in the substep. The speed is sqrt(2 g s), and half of it is restored. */
    const double g = 9.81, h_sub = 1.0 / 240.0;
    for (double begin = -1.0; begin > -5.0; begin -= 0.37) {
        for (double share = 0.05; share < 1.0; share += 0.1) {
            heap h;
            heap_tower(&h, 1, 0.0, 0.5);
            h.patches[0].restitution = 0.5;
            double moment = share * h_sub, gap = -(begin * moment - 0.5 * g * moment * moment);
            for (int i = 0; i < 4; i++) {
                h.anchors[i].gap = gap + h.anchors[i].touch;
            }
            h.bodies[1].velocity.z = begin;
            solver_note_approach(&h.set);
            h.bodies[1].velocity.z = begin - 0.5 * g * h_sub;
            solver_note_impact(&h.set, &rule);
            /* The result for constant acceleration is exact to the order of (g h)^2. */
            assert_near(h.anchors[0].bounce, 0.5 * (-begin + g * moment), 2e-3 * fabs(begin));
            assert_true(h.anchors[0].bounce > 0.0);
        }
    }
}

static void test_warm_start_and_end(void **state) {
    (void)state;
    heap h;
    heap_tower(&h, 1, 0.0, 0.5);
    for (int i = 0; i < 4; i++) {
        h.anchors[i].warm = (solver_impulse){500.0, 10.0, -20.0};
    }
    solver_first_stage(&h.set, &rule);
    solver_warm_start(&h.set);
    solver_warm_start(&h.set);
    assert_near(h.bodies[1].velocity.z, 2.0, 1e-12);
    assert_near(h.points[2].impulse.normal, 500.0, 1e-12);
    solver_end_substep(&h.set);
    solver_first_stage(&h.set, &rule);
    solver_end_substep(&h.set);
    assert_near(h.anchors[2].sum.normal, 500.0, 1e-12);
    assert_near(h.anchors[2].sum.y, -20.0, 1e-12);
    assert_true(h.anchors[2].warm.normal == 0.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_gap_follows_a_corner),
        cmocka_unit_test(test_a_rolling_ball_keeps_its_gap),
        cmocka_unit_test(test_two_faces_share_the_middle),
        cmocka_unit_test(test_what_the_stages_aim_at),
        cmocka_unit_test(test_nothing_to_push),
        cmocka_unit_test(test_a_bounce_has_the_speed_of_the_impact),
        cmocka_unit_test(test_warm_start_and_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
