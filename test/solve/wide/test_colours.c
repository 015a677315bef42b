/* Patches of one colour share no body that moves, every patch has its place in a run, and classes hold all numbers of points. */
#include "solve/wide/colours.h"

#include "solve/wide/kernel.h"
#include "solve/wide/record.h"
#include "support/check.h"
#include "support/random.h"

#include <stdlib.h>

enum { BODIES = 200, PAIRS = 3000, POINTS = 300 };

/* Random pairs of bodies, of which the first few do not move. */
typedef struct graph {
    solver_body bodies[BODIES];
    solver_pair pairs[PAIRS];
    wide_patch patches[PAIRS];
    wide_contact contacts[2 * POINTS]; /* of all patches, which share them: new ones, and others */
    solver_contacts set;
} graph;

static void make(graph *g, random_state *random, int32_t bodies, int32_t pairs) {
    g->set = (solver_contacts){.bodies = g->bodies,
                               .pairs = g->pairs,
                               .wide_patches = g->patches,
                               .wide_contacts = g->contacts,
                               .body_count = bodies,
                               .pair_count = pairs};
    for (int32_t i = 0; i < bodies; i++) {
        g->bodies[i] = (solver_body){.inverse_mass = i < 3 ? 0.0 : 1.0};
    }
    for (int32_t i = 0; i < 2 * POINTS; i++) {
        g->contacts[i].mean = i < POINTS ? -1.0 : 1.0;
    }
    for (int32_t p = 0; p < pairs; p++) {
        int32_t a = 3 + random_below(random, bodies - 3), b = random_below(random, bodies - 1);
        g->pairs[p] = (solver_pair){.a = a, .b = b < a ? b : b + 1, .first = p, .count = 1};
        g->patches[p] = (wide_patch){.first = POINTS * random_below(random, 2),
                                     .count = 1 + random_below(random, random_below(random, 10) == 0 ? POINTS : 8)};
    }
    g->set.patch_count = pairs;
}

static void check_run(const wide_solver *solver, const wide_run *run, int32_t lanes, bool *placed) {
    bool used[BODIES] = {false};
    assert_int_equal(run->blocks, run->single ? run->count : (run->count + lanes - 1) / lanes);
    for (int32_t i = run->source; i < run->source + run->count; i++) {
        const wide_source *source = &solver->sources[solver->order[i]];
        const solver_contacts *set = &solver->sets[0];
        const solver_pair *pair = &set->pairs[source->pair];
        assert_false(placed[source->patch]);
        placed[source->patch] = true;
        assert_true(set->wide_patches[source->patch].count <= run->points);
        const wide_source *before = i > run->source ? &solver->sources[solver->order[i - 1]] : source;
        bool same = run->single || before->fresh == source->fresh; /* fresh patches come first where no body is shared */
        assert_true(i == run->source || (same ? solver->order[i - 1] < solver->order[i] : before->fresh));
        for (int side = 0; side < 2 && !run->single; side++) {
            int32_t body = side == 0 ? pair->a : pair->b;
            assert_false(used[body]);
            used[body] = set->bodies[body].inverse_mass > 0.0;
        }
    }
}

static void test_lanes_share_no_body(void **state) {
    (void)state;
    static graph g;
    wide_solver solver = {.group_count = 0};
    random_state random = random_make(random_seed("wide colours", 74));
    bool single = false;
    for (int round = 0; round < 40; round++) {
        const bool chosen = true;
        make(&g, &random, round % 2 == 0 ? BODIES : 20, round % 4 < 2 ? PAIRS : 100);
        assert_true(wide_plan(&solver, &g.set, &g.set, &chosen, 1, NULL));
        assert_int_equal(solver.group_count, 1);
        bool placed[PAIRS] = {false};
        const wide_group *group = &solver.groups[0];
        for (int32_t r = group->run; r < group->run + group->run_count; r++) {
            check_run(&solver, &solver.runs[r], wide_kernel_get()->lanes, placed);
            single = single || solver.runs[r].single;
        }
        for (int32_t p = 0; p < g.set.pair_count; p++) {
            assert_true(placed[p]);
        }
    }
    assert_true(single); /* some bodies had more pairs than there are colours */
    wide_release(&solver);
}

static void test_classes(void **state) {
    (void)state;
    for (int32_t points = 1; points < 500000000; points += 1 + points / 64) {
        int32_t class = wide_class_of(points);
        assert_true(class >= 0 && class < WIDE_CLASSES && wide_class_points(class) >= points);
        assert_true(class == 0 || wide_class_points(class - 1) < points);
        assert_true(points > 4 || wide_class_points(class) == points);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lanes_share_no_body), cmocka_unit_test(test_classes)};
    return cmocka_run_group_tests_name("solve/wide/colours", tests, NULL, NULL);
}
