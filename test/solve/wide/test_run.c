/* A step of the wide solver: beside an oracle without lanes, the same bits at every width, and the laws that contacts keep. */
#include "solve/wide/kernel.h"
#include "solve/wide/oracle.h"
#include "solve/wide/records.h"
#include "support/allocator.h"
#include "support/threads.h"

#include <string.h>

static const abut_vec3 gravity = {0.0, 0.0, -9.81};
static const wide_rule rule = {.step = 1.0 / 60.0, .substeps = 8, .push_rate = 8.0, .max_push = 3.0};
static const char *const names[INSTRUCTION_SETS] = {"scalar", "sse2", "avx2", "avx512"};

/* The sets, one behind the other as the parts of a layout. */
typedef struct stage {
    heap h;
    heap_records records;
    wide_solver solver;
} stage;

static void plan(stage *s) {
    const bool chosen = true;
    records_set(&s->h, &s->records, &rule);
    assert_true(wide_reserve_kicks(&s->solver, s->h.set.body_count));
    assert_true(wide_plan(&s->solver, &s->h.set, &s->h.set, &chosen, 1, NULL));
    for (int32_t i = 0; i < s->h.set.body_count; i++) {
        double half = 0.5 * rule.step / rule.substeps;
        bool falls = s->h.bodies[i].inverse_mass > 0.0;
        s->solver.kicks[i] = (wide_kick){.linear = {0.0, 0.0, falls ? half * gravity.z : 0.0, 0.0}, .keeps = 1.0, .angular_keeps = 1.0};
    }
}

static void run_with(stage *s, const abut_parallel *parallel) {
    plan(s);
    for (int32_t g = 0; g < s->solver.group_count; g++) {
        wide_run_group(&s->solver, g, &rule, parallel);
    }
    records_take(&s->h, &rule);
}

static void run(stage *s) { run_with(s, NULL); }

/* A heap that is a copy of another one. */
static void copy_heap(heap *to, const heap *from) {
    *to = *from;
    to->set.bodies = to->bodies;
    to->set.pairs = to->pairs;
    to->set.patches = to->patches;
    to->set.points = to->points;
    to->set.anchors = to->anchors;
}

/* Every contact is new. */
static void forget(heap *h) {
    for (int32_t i = 0; i < h->set.point_count; i++) {
        h->anchors[i].warm = (solver_impulse){0.0, 0.0, 0.0};
        h->anchors[i].mean = -1.0;
    }
}

/* Cubes upon each other in a random order, at random gaps, shifts and velocities. */
static void make_random(heap *h, random_state *random) {
    heap_begin(h);
    int32_t cubes = 2 + random_below(random, 30);
    double speed = random_below(random, 2) == 0 ? 0.05 : 1.0;    /* slower and faster than gravity makes a body in a step */
    double widest = random_below(random, 2) == 0 ? 0.001 : 0.01; /* of the gaps; the deep ones are pushed out by more passes */
    for (int32_t i = 0; i < cubes; i++) {
        int32_t below = random_below(random, h->body_count),
                body = heap_add(h, abut_vec3_make(0, 0, 0), random_log_range(random, 1.0, 1e3));
        abut_vec3 centre =
            abut_add(h->centre[below], abut_vec3_make(random_range(random, -0.4, 0.4), random_range(random, -0.4, 0.4), 1.0));
        h->centre[body] = centre;
        h->bodies[body].velocity = random_vec3(random, -speed, speed);
        h->bodies[body].angular_velocity = random_vec3(random, -speed, speed);
        abut_vec3 middle = abut_vec3_make(centre.x, centre.y, centre.z - 0.5);
        heap_touch(h, body, below, middle, random_range(random, 0.1, 0.5), random_range(random, 0.1, 0.5),
                   random_range(random, -widest, widest), random_range(random, 0.0, 1.0));
    }
    forget(h);
    for (int32_t i = 0; i < h->set.point_count; i++) {
        if (random_below(random, 3) > 0) {
            double load = random_range(random, 0.0, 10.0);
            h->anchors[i].mean = random_range(random, 0.0, 10.0);
            h->anchors[i].warm = (solver_impulse){load, random_range(random, -0.1, 0.1) * load, random_range(random, -0.1, 0.1) * load};
        }
    }
    for (int32_t k = 0; k < h->set.patch_count; k++) { /* a patch is new as a whole, or not at all */
        const solver_patch *patch = &h->patches[k];
        for (int32_t i = 1; i < patch->count; i++) {
            bool is_new = h->anchors[patch->first].mean < 0.0;
            h->anchors[patch->first + i].mean = is_new ? -1.0 : fabs(h->anchors[patch->first + i].mean);
        }
    }
}

static void test_the_oracle_agrees(void **state) {
    (void)state;
    static stage s;
    static oracle o;
    random_state random = random_make(random_seed("wide oracle", 71));
    for (int round = 0; round < 200; round++) {
        make_random(&s.h, &random);
        plan(&s);
        oracle_run(&o, &s.h.set, &s.solver, &rule, gravity);
        wide_run_group(&s.solver, 0, &rule, NULL);
        records_take(&s.h, &rule);
        for (int32_t i = 0; i < s.h.set.body_count; i++) {
            const solver_body *body = &s.h.bodies[i];
            double scale = 1.0 + abut_length(o.now[i].velocity) + abut_length(o.now[i].angular_velocity);
            assert_vec3_near(body->velocity, o.now[i].velocity, 1e-8 * scale);
            assert_vec3_near(body->angular_velocity, o.now[i].angular_velocity, 1e-8 * scale);
            assert_vec3_near(body->moved, o.now[i].moved, 1e-9 * scale);
        }
        for (int32_t p = 0; p < s.h.set.pair_count; p++) {
            for (int i = 0; i < 4; i++) {
                double scale = 1e-7 * (1.0 + o.patches[p].sum[i]);
                assert_near(s.h.anchors[4 * p + i].warm.normal, o.patches[p].load[i], scale);
                assert_near(s.h.anchors[4 * p + i].sum.normal, o.patches[p].sum[i], scale);
            }
        }
    }
    wide_release(&s.solver);
}

static void test_all_instruction_sets_give_the_same_bits(void **state) {
    (void)state;
    static stage s, first;
    random_state random = random_make(random_seed("wide bits", 72));
    for (int round = 0; round < 100; round++) {
        static heap start;
        make_random(&start, &random);
        bool is_first = true;
        for (int set = 0; set < INSTRUCTION_SETS; set++) {
            if (!wide_kernel_use((instruction_set)set)) {
                continue;
            }
            copy_heap(&s.h, &start);
            run(&s);
            if (is_first) {
                first.h = s.h;
            } else if (memcmp(first.h.bodies, s.h.bodies, sizeof s.h.bodies) != 0 ||
                       memcmp(first.h.anchors, s.h.anchors, sizeof s.h.anchors) != 0) {
                fail_msg("round %d: %s gives other bits", round, names[set]);
            }
            is_first = false;
        }
    }
    assert_true(wide_kernel_use(instruction_set_best()));
    wide_release(&s.solver);
}

/* Blocks without lanes are the most, so loops have the most parts. */
static void test_parts_of_a_group_give_the_same_bits(void **state) {
    (void)state;
    static stage s;
    three_threads own = {0};
    const abut_parallel parallel[] = {{.threads = 2}, {.threads = 8}, three_threads_parallel(&own)};
    random_state random = random_make(random_seed("wide parts", 73));
    for (int round = 0; round < 60; round++) {
        static heap start, alone;
        make_random(&start, &random);
        assert_true(wide_kernel_use(round % 2 == 0 ? INSTRUCTIONS_SCALAR : instruction_set_best()));
        copy_heap(&s.h, &start);
        run(&s);
        copy_heap(&alone, &s.h);
        for (int i = 0; i < 3; i++) {
            copy_heap(&s.h, &start);
            run_with(&s, &parallel[i]);
            assert_memory_equal(alone.bodies, s.h.bodies, sizeof s.h.bodies);
            assert_memory_equal(alone.anchors, s.h.anchors, sizeof s.h.anchors);
        }
    }
    assert_true(own.calls > 0);
    assert_true(wide_kernel_use(instruction_set_best()));
    wide_release(&s.solver);
}

static void test_a_cube_rests_at_once(void **state) {
    (void)state;
    static stage s;
    heap_tower(&s.h, 1, 0.0, 0.5);
    forget(&s.h);
    run(&s);
    assert_vec3_near(s.h.bodies[1].velocity, abut_vec3_make(0, 0, 0), 1e-12);
    double weight = 0.0, step = 0.0;
    for (int i = 0; i < 4; i++) {
        weight += s.h.anchors[i].warm.normal;
        step += s.h.anchors[i].sum.normal;
    }
    assert_near(weight, 1000.0 * 9.81 * rule.step / rule.substeps, 1e-9);
    assert_near(step, 1000.0 * 9.81 * rule.step, 1e-9);
    wide_release(&s.solver);
}

/* The sums of the impulses are what changes the momentum. */
static void test_sums_are_the_change_of_momentum(void **state) {
    (void)state;
    static stage s;
    random_state random = random_make(random_seed("wide momentum", 73));
    for (int round = 0; round < 100; round++) {
        make_random(&s.h, &random);
        static heap start;
        start = s.h;
        run(&s);
        abut_vec3 change[HEAP_BODIES] = {{0.0, 0.0, 0.0}};
        for (int32_t p = 0; p < s.h.set.pair_count; p++) {
            const solver_patch *patch = &s.h.patches[p];
            for (int i = 0; i < 4; i++) {
                solver_impulse sum = s.h.anchors[patch->first + i].sum;
                abut_vec3 all = abut_add(abut_scale(sum.x, patch->tangent[0]), abut_scale(sum.y, patch->tangent[1]));
                all = abut_add_scaled(all, sum.normal, patch->normal);
                change[s.h.pairs[p].a] = abut_add(change[s.h.pairs[p].a], all);
                change[s.h.pairs[p].b] = abut_sub(change[s.h.pairs[p].b], all);
                assert_true(sum.normal >= 0.0);
            }
        }
        for (int32_t i = 1; i < s.h.set.body_count; i++) {
            double mass = 1.0 / s.h.bodies[i].inverse_mass;
            abut_vec3 gained = abut_scale(mass, abut_sub(s.h.bodies[i].velocity, start.bodies[i].velocity));
            abut_vec3 expected = abut_add_scaled(change[i], mass * rule.step, gravity);
            assert_vec3_near(gained, expected, 1e-9 * (1.0 + abut_length(gained) + abut_length(change[i])));
        }
    }
    wide_release(&s.solver);
}

/* A push moves a body out of another one, and leaves no velocity. */
static void test_penetration_leaves(void **state) {
    (void)state;
    static stage s;
    heap_begin(&s.h);
    int32_t body = heap_add(&s.h, abut_vec3_make(0, 0, 0.49), 1000.0);
    heap_touch(&s.h, body, 0, abut_vec3_make(0, 0, -0.01), 0.5, 0.5, -0.01, 0.5);
    forget(&s.h);
    run(&s);
    assert_near(s.h.bodies[body].moved.z, 0.01 * rule.push_rate * rule.step, 1e-9);
    assert_vec3_near(s.h.bodies[body].velocity, abut_vec3_make(0, 0, 0), 1e-12);
    wide_release(&s.solver);
}

/* The solver keeps its memory. Without any, the plan fails, and a later one succeeds. */
static void test_memory(void **state) {
    (void)state;
    static stage s;
    int64_t refused = 0;
    counting_allocator memory;
    do {
        memory = (counting_allocator){.refuse_at = refused++};
        counting_allocator_install(&memory);
        const bool chosen = true;
        heap_tower(&s.h, 10, 0.1, 0.5);
        forget(&s.h);
        records_set(&s.h, &s.records, &rule);
        s.solver = (wide_solver){.group_count = 0};
        bool planned = wide_reserve_kicks(&s.solver, s.h.set.body_count) && wide_plan(&s.solver, &s.h.set, &s.h.set, &chosen, 1, NULL);
        assert_true(planned == !memory.refused);
        memory.refuse_at = -1;
        run(&s);
        int64_t before = memory.requests;
        run(&s);
        assert_int_equal(memory.requests, before);
        wide_release(&s.solver);
        counting_allocator_remove();
        assert_int_equal(memory.live, 0);
    } while (memory.refused);
    assert_true(refused > 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_the_oracle_agrees),
                                       cmocka_unit_test(test_all_instruction_sets_give_the_same_bits),
                                       cmocka_unit_test(test_parts_of_a_group_give_the_same_bits),
                                       cmocka_unit_test(test_a_cube_rests_at_once),
                                       cmocka_unit_test(test_sums_are_the_change_of_momentum),
                                       cmocka_unit_test(test_penetration_leaves),
                                       cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests_name("solve/wide/run", tests, NULL, NULL);
}
