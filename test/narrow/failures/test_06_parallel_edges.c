/*
 * Failure mode 6: the cross product of nearly parallel edges wins. It is mostly rounding error, can have any direction, and gives phantom
 * deep contacts: falling towers, thin boxes that fly. Tested: edges at angles from 0 through rounding error to a hundredth; on ties the
 * normal is that of the faces.
 */
#include "support/figure.h"

static const double scales[] = {1.0, 1e-4, 1e4};
static const double angles[] = {0.0, 1e-16, 1e-15, 1e-13, 1e-11, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2};
enum { ANGLES = sizeof angles / sizeof *angles };

#define BOX_AT(hx, hy, hz, x, y, z)                                      \
    {                                                                    \
        .kind = FIGURE_BOX, .p = hx, .q = hy, .r = hz, .at = { x, y, z } \
    }

/* Two concentric squares of side s, one rotated by an angle, have the common area s^2 2 / (1 + sin + cos). */
static double squares_in_common(double side, double angle) { return 2.0 * side * side / (1.0 + sin(angle) + cos(angle)); }

/* Thin boxes, cubes and rods on each other, turned slightly about the vertical, so that every edge of one is nearly parallel to edges of
 * the other. */
static void turned_stacks(void **state) {
    (void)state;
    static tally t;
    t = (tally){0};
    for (int i = 0; i < ANGLES; i++) {
        for (int sense = -1; sense <= 1; sense += 2) {
            double turn = sense * angles[i];
            figure_case cases[] = {
                {"thin boxes",
                 BOX_AT(1, 1, 1e-3, 0, 0, 1.9e-3),
                 BOX_AT(1, 1, 1e-3, 0, 0, 0),
                 -1e-4,
                 {0, 0, 1},
                 0,
                 squares_in_common(2, angles[i]),
                 0},
                {"cubes",
                 BOX_AT(0.5, 0.5, 0.5, 0, 0, 0.999),
                 BOX_AT(0.5, 0.5, 0.5, 0, 0, 0),
                 -1e-3,
                 {0, 0, 1},
                 0,
                 squares_in_common(1, angles[i]),
                 0},
                {"cubes, aside", BOX_AT(0.5, 0.5, 0.5, 0.3, 0.2, 0.999), BOX_AT(0.5, 0.5, 0.5, 0, 0, 0), -1e-3, {0, 0, 1}, 0, 0, 0},
                {"cubes, barely touching",
                 BOX_AT(0.5, 0.5, 0.5, 0, 0, 1.0 - 1e-9),
                 BOX_AT(0.5, 0.5, 0.5, 0, 0, 0),
                 -1e-9,
                 {0, 0, 1},
                 0,
                 squares_in_common(1, angles[i]),
                 0},
                {"rods", BOX_AT(1, 0.05, 0.05, 0.1, 0.01, 0.09), BOX_AT(1, 0.05, 0.05, 0, 0, 0), -0.01, {0, 0, 1}, 0, 0, 0},
                {"cubes apart", BOX_AT(0.5, 0.5, 0.5, 0.3, 0.2, 1.125), BOX_AT(0.5, 0.5, 0.5, 0, 0, 0), 0.125, {0, 0, 1}, 0, 0, 0},
                {"hexagons",
                 {.kind = FIGURE_PRISM, .p = 0.5, .q = 0.5, .r = 6, .at = {0.01, 0, 0.99}},
                 {.kind = FIGURE_PRISM, .p = 0.5, .q = 0.5, .r = 6},
                 -0.01,
                 {0, 0, 1},
                 0,
                 0,
                 0},
            };
            for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
                cases[k].a.turn.z = turn;
                for (int s = 0; s < 3; s++) {
                    figure_check(&t, &cases[k], scales[s]);
                }
            }
        }
    }
    tally_end(&t);
}

/* For pairs without a closed form but with a bound: the gap is the oracle's. Both policies give at most `growth` times the least depth. */
static void check_bounded(tally *t, figure_case *c, double gap, double bound) {
    oracle_body a = figure_oracle(&c->a, figure_pose(&c->a, 1.0), 1.0), b = figure_oracle(&c->b, figure_pose(&c->b, 1.0), 1.0);
    c->gap = oracle_signed_distance(&a, &b);
    oracle_free(&a);
    oracle_free(&b);
    if (!(fabs(c->gap - gap) <= bound)) {
        tally_fail(t, "the bound of a case is wrong", "%s: gap by the referee %.17g, expected %.17g within %.3g", c->name, c->gap, gap,
                   bound);
    }
    figure_check(t, c, 1.0);
}

/* Tilted slightly about either axis: the gap is that of the flat stack, within the angle times the half size. There is no phantom depth. */
static void leaning_stacks(void **state) {
    (void)state;
    static tally t;
    t = (tally){0};
    for (int i = 0; i < ANGLES - 1; i++) {
        figure_case cases[] = {
            {"cubes", BOX_AT(0.5, 0.5, 0.5, 0.2, 0.1, 0.99), BOX_AT(0.5, 0.5, 0.5, 0, 0, 0), 0, {0, 0, 0}, 0, 0, 1.01},
            {"thin boxes", BOX_AT(0.5, 0.5, 0.01, 0.2, 0.1, 0.019), BOX_AT(0.5, 0.5, 0.01, 0, 0, 0), 0, {0, 0, 0}, 0, 0, 1.01},
            {"rods along each other", BOX_AT(1, 0.05, 0.05, 0.1, 0, 0.09), BOX_AT(1, 0.05, 0.05, 0, 0, 0), 0, {0, 0, 0}, 0, 0, 1.01},
        };
        const double gaps[] = {-0.01, -0.001, -0.01};
        for (int k = 0; k < 3; k++) {
            for (int about = 0; about < 3; about++) {
                double angle = angles[i];
                cases[k].a.turn = abut_vec3_make(about != 1 ? angle : 0, about != 0 ? angle : 0, about == 2 ? 0.7 * angle : 0);
                check_bounded(&t, &cases[k], gaps[k], 2.0 * angle + 1e-14);
            }
        }
    }
    tally_end(&t);
}

/* Edge over edge, both along x and turned slightly. If they are exactly parallel, the vertical is no facet of the difference, and the faces
 * are 1 / sqrt 2 as deep. If they cross, it is a facet, but deeper than the faces as long as the angle is small. */
static void edges_over_edges(void **state) {
    (void)state;
    static tally t;
    t = (tally){0};
    const double eighth = 0.78539816339744831, diagonal = sqrt(2.0);
    for (int i = 0; i < ANGLES; i++) {
        for (int k = 0; k < 3; k++) {
            double aside = k == 1 ? 1e-3 : 0.0, along = k == 2 ? 0.9 : 0.2;
            figure_case c = {"edge over edge",
                             BOX_AT(0.5, 0.5, 0.5, along, aside, diagonal - 0.02),
                             BOX_AT(0.5, 0.5, 0.5, 0, 0, 0),
                             0,
                             {0, 0, 0},
                             0,
                             0,
                             1.5};
            c.a.turn = abut_vec3_make(eighth, 0, angles[i]);
            c.b.turn = abut_vec3_make(eighth, 0, 0);
            check_bounded(&t, &c, -(0.02 - aside) / diagonal, angles[i] + 1e-14);
        }
    }
    tally_end(&t);
}

/* A tower of thin bricks, each turned and tilted as a simulation leaves them: every joint has a vertical normal and its own depth. */
static void tower(void **state) {
    (void)state;
    static tally t;
    static check_answer answer;
    t = (tally){0};
    random_state random = random_make(random_seed("tower", 161));
    abut_shape *brick = NULL;
    assert_ok(abut_shape_create_box(abut_vec3_make(0.5, 0.25, 0.05), &brick));
    for (int i = 0; i < 400; i++) {
        double noise = random_log_range(&random, 1e-16, 1e-4), sink = random_log_range(&random, 1e-6, 1e-3);
        abut_pose pose[2];
        for (int k = 0; k < 2; k++) {
            pose[k].rotation = abut_quat_about(random_direction(&random), noise);
            double x = random_range(&random, -1, 1), y = random_range(&random, -1, 1);
            pose[k].position = abut_vec3_make(noise * x, noise * y, k * (0.1 - sink));
        }
        for (int policy = 0; policy < 2; policy++) {
            abut_collide_settings settings = abut_collide_settings_default();
            settings.normal = policy ? ABUT_NORMAL_MINIMUM : ABUT_NORMAL_GROWTH;
            settings.margin = 1e-3;
            check_pair pair = {.a = brick, .b = brick, .pose_a = pose[1], .pose_b = pose[0], .size = 1.0, .weld = 1e-6};
            tally_sample(&t, "joint %d: noise %.3g, sink %.3g, policy %d", i, noise, sink, policy);
            check_collide(&t, &pair, &settings, &answer);
            check_contacts(&t, &pair, &answer, settings.margin, false);
            double off = answer.count > 0 ? abut_distance_between(answer.contacts[0].normal, abut_vec3_make(0, 0, 1)) : 1.0;
            if (!(off <= 2.5 * noise + 1e-12)) {
                tally_fail(&t, "tower: normal", "off by %.3g", off);
            }
            if (!(fabs(check_deepest(&answer) + sink) <= 2.0 * noise + 1e-12) || !(check_area(&answer) >= 0.5 - 4.0 * noise - 1e-9)) {
                tally_fail(&t, "tower: joint", "deepest %.17g, area %.17g of 0.5", check_deepest(&answer), check_area(&answer));
            }
        }
    }
    abut_shape_release(brick);
    tally_end(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turned_stacks),
        cmocka_unit_test(leaning_stacks),
        cmocka_unit_test(edges_over_edges),
        cmocka_unit_test(tower),
    };
    return cmocka_run_group_tests_name("narrow/failures/parallel_edges", tests, NULL, NULL);
}
