/*
 * Worlds that the quick solver solves: what stands stays, all instruction sets and numbers of threads give the same bits, saved worlds go on alike, and missing
 * memory is reported.
 */
#include "solve/wide/kernel.h"
#include "step/fixed/stepper.h"
#include "support/allocator.h"
#include "support/check.h"
#include "support/random.h"
#include "support/staging.h"

#include <stdlib.h>

enum { MOST = 400 };

/* Boxes upon a ground. */
typedef struct pile {
    staging s;
    abut_body_id ids[MOST];
    abut_vec3 start[MOST];
    int32_t count;
} pile;

static abut_world_def quick_def(int32_t threads) {
    abut_world_def def = staging_def(9.81);
    def.fixed.exact = false;
    def.parallel.threads = threads;
    return def;
}

static void open_pile(pile *p, const abut_world_def *def) {
    p->s = staging_make_with(def);
    p->count = 0;
    staging_ground(&p->s, 0.5);
}

static void put(pile *p, const abut_shape *shape, abut_vec3 at, double density) {
    abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, shape, at);
    def.density = density;
    p->start[p->count] = at;
    p->ids[p->count++] = staging_put(&p->s, &def);
}

static void make_columns(pile *p, random_state *random, int32_t columns) {
    for (int32_t i = 0; i < 10 * columns; i++) {
        double x = 1.3 * (i / 10) + random_range(random, -0.1, 0.1), y = random_range(random, -0.1, 0.1);
        put(p, p->s.box, abut_vec3_make(x, y, 0.5 + i % 10), 1000.0);
    }
}

static void make_pyramid(pile *p, int32_t courses) {
    for (int32_t course = 0; course < courses; course++) {
        for (int32_t i = 0; i < courses - course; i++) {
            put(p, p->s.box, abut_vec3_make(1.05 * (i - 0.5 * (courses - course)), 0.0, 0.5 + course), 1000.0);
        }
    }
}

/* Boxes and balls that fall upon each other. */
static void make_heap(pile *p, random_state *random, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        abut_vec3 at =
            abut_vec3_make(i % 3 + random_range(random, -0.1, 0.1), i / 3 % 3 + random_range(random, -0.1, 0.1), 0.7 + 1.2 * (i / 9));
        abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, i % 4 == 0 ? p->s.sphere : p->s.box, at);
        def.pose.rotation = random_rotation(random);
        def.linear_damping = i % 5 == 0 ? 0.1 : 0.0;
        def.restitution = i % 7 == 0 ? 0.4 : 0.0;
        p->ids[p->count++] = staging_put(&p->s, &def);
    }
}

/* The largest way of a body across gravity. */
static double drift_of(const pile *p) {
    double drift = 0.0;
    for (int32_t i = 0; i < p->count; i++) {
        abut_vec3 way = abut_sub(staging_state(&p->s, p->ids[i]).centre, p->start[i]);
        drift = fmax(drift, hypot(way.x, way.y));
    }
    return drift;
}

typedef struct rest {
    double drift, penetration, energy; /* energy: kinetic, for a unit of mass */
} rest;

static rest run(pile *p, const char *name) {
    abut_step_report report = staging_run(&p->s, STAGING_STEP, 300);
    double mass = 0.0;
    for (int32_t i = 0; i < p->count; i++) {
        abut_body_info info;
        assert_ok(abut_world_body_info(p->s.world, p->ids[i], &info));
        mass += info.mass;
    }
    rest r = {drift_of(p), report.max_penetration, report.kinetic_energy / mass};
    print_message("%-22s drift %.2g mm, penetration %.2g mm, kinetic energy %.2g J/kg\n", name, 1e3 * r.drift, 1e3 * r.penetration,
                  r.energy);
    staging_close(&p->s);
    return r;
}

static void test_columns_stand(void **state) {
    (void)state;
    static pile p;
    random_state random = random_make(random_seed("columns", 21));
    abut_world_def def = quick_def(1);
    open_pile(&p, &def);
    make_columns(&p, &random, 8);
    rest r = run(&p, "columns of ten");
    assert_true(r.drift <= 1e-6 && r.penetration <= 1e-6 && r.energy <= 1e-12);
}

static void test_a_pyramid_stands(void **state) {
    (void)state;
    static pile p;
    abut_world_def def = quick_def(1);
    open_pile(&p, &def);
    make_pyramid(&p, 16);
    rest r = run(&p, "pyramid of 16 courses");
    assert_true(r.drift <= 1e-3 && r.penetration <= 2e-4 && r.energy <= 1e-7);
}

static void test_a_wall_stands(void **state) {
    (void)state;
    static pile p;
    abut_world_def def = quick_def(1);
    open_pile(&p, &def);
    const abut_shape *brick = staging_box(&p.s, 0.5, 0.25, 0.25);
    for (int32_t course = 0; course < 10; course++) {
        for (int32_t i = 0; i < 15 - course % 2; i++) {
            put(&p, brick, abut_vec3_make(1.01 * (i + 0.5 * (course % 2)), 0.0, 0.25 + 0.5 * course), 1000.0);
        }
    }
    rest r = run(&p, "wall of 10 courses");
    assert_true(r.drift <= 5e-3 && r.penetration <= 3e-4 && r.energy <= 3e-8);
}

/* A wall of bricks, which are numbered from the lowest course on. */
static void make_brick_wall(pile *p) {
    const abut_shape *brick = staging_box(&p->s, 0.125, 0.06, 0.0325), *half = staging_box(&p->s, 0.0625, 0.06, 0.0325);
    for (int32_t course = 0; course < 11; course++) {
        bool odd = course % 2 == 1;
        for (int32_t i = 0; i < 8 + odd; i++) {
            bool end = odd && (i == 0 || i == 8);
            double x = end ? copysign(0.9375, i - 1) : 0.25 * i - (odd ? 1.0 : 0.875);
            put(p, end ? half : brick, abut_vec3_make(x, 0.0, 0.0325 + 0.065 * course), 1800.0);
        }
    }
}

/* Drags a body from its place by a spring, and leaves it there. */
static void drag(pile *p, int32_t index, abut_vec3 way) {
    enum { STEPS = 100 };
    abut_body_info info;
    assert_ok(abut_world_body_info(p->s.world, p->ids[index], &info));
    abut_spring_def def = abut_spring_def_default();
    def.body = p->ids[index];
    def.anchor = abut_vec3_make(0.02, -0.06, 0.01);
    def.frequency = 5.0;
    def.damping_ratio = 1.0;
    def.max_force = 20.0 * 9.81 * info.mass;
    abut_vec3 at = abut_add(p->start[index], def.anchor);
    def.target = at;
    abut_spring_id spring;
    assert_ok(abut_world_add_spring(p->s.world, &def, &spring));
    for (int32_t i = 1; i <= STEPS; i++) {
        assert_ok(abut_world_set_spring_target(p->s.world, spring, abut_add_scaled(at, (double)i / STEPS, way)));
        staging_run(&p->s, STAGING_STEP, 1);
    }
    staging_run(&p->s, STAGING_STEP, 60);
    assert_ok(abut_world_remove_spring(p->s.world, spring));
}

/* The drag makes the wall sway across its thin side. Pushes that lift bodies for nothing feed such a sway for ever. */
static void test_a_wall_comes_to_rest_after_a_brick_was_dragged(void **state) {
    (void)state;
    static const int32_t bricks[] = {10, 25, 50};
    for (int32_t i = 0; i < 3; i++) {
        static pile p;
        abut_world_def def = quick_def(1);
        open_pile(&p, &def);
        make_brick_wall(&p);
        staging_run(&p.s, STAGING_STEP, 60);
        drag(&p, bricks[i], abut_vec3_make(-0.1, -0.5, -0.05));
        assert_true(p.start[bricks[i]].y - staging_state(&p.s, p.ids[bricks[i]]).centre.y > 0.1);
        assert_true(run(&p, "wall after a drag").energy <= 1e-8);
    }
}

static void test_a_tower_stands(void **state) {
    (void)state;
    static pile p;
    abut_world_def def = quick_def(1);
    open_pile(&p, &def);
    for (int i = 0; i < 20; i++) {
        put(&p, p.s.box, abut_vec3_make(0, 0, 0.5 + i), 1000.0);
    }
    rest r = run(&p, "tower of 20");
    assert_true(r.drift <= 1e-9 && r.penetration <= 1e-6 && r.energy <= 1e-12);
}

/* The points on the rim of a disc change from step to step; its load stays. */
static void test_drums_stand(void **state) {
    (void)state;
    static pile p;
    abut_world_def def = quick_def(1);
    random_state random = random_make(random_seed("drums", 25));
    open_pile(&p, &def);
    abut_shape *drum = NULL;
    assert_ok(abut_shape_create_cylinder(0.5, 0.3, &drum));
    for (int i = 0; i < 6; i++) {
        put(&p, drum, abut_vec3_make(random_range(&random, -0.02, 0.02), random_range(&random, -0.02, 0.02), 0.3 + 0.605 * i), 1000.0);
    }
    abut_shape_release(drum);
    rest r = run(&p, "drums");
    assert_true(r.drift <= 5e-3 && r.penetration <= 5e-4 && r.energy <= 1e-5); /* they fall by up to 25 mm first */
}

static void test_light_boxes_carry_a_heavy_one(void **state) {
    (void)state;
    static pile p;
    abut_world_def def = quick_def(1);
    open_pile(&p, &def);
    for (int i = 0; i < 6; i++) {
        put(&p, p.s.box, abut_vec3_make(0, 0, 0.5 + i), i < 5 ? 1000.0 : 1e5);
    }
    rest r = run(&p, "100 : 1");
    assert_true(r.drift <= 1e-6 && r.penetration <= 1e-4 && r.energy <= 1e-12);
}

/* At 0.9 of the angle of friction boxes stop where they are put, at any effort. */
static void test_no_box_creeps_on_a_slope(void **state) {
    (void)state;
    for (int32_t effort = 1; effort <= 32; effort *= 2) {
        abut_world_def def = quick_def(1);
        double angle = 0.9 * atan(0.5);
        def.fixed.effort = effort;
        def.gravity = abut_vec3_make(9.81 * sin(angle), 0.0, -9.81 * cos(angle));
        pile p;
        open_pile(&p, &def);
        for (int i = 0; i < 10; i++) {
            abut_body_def body = staging_body(ABUT_BODY_DYNAMIC, p.s.box, abut_vec3_make(0, 3.0 * i, 0.5));
            body.pose.rotation = abut_quat_about(abut_vec3_make(0, 0, 1), 0.3 * i);
            p.ids[p.count++] = staging_put(&p.s, &body);
        }
        staging_run(&p.s, STAGING_STEP, 30);
        for (int i = 0; i < 10; i++) {
            p.start[i] = staging_state(&p.s, p.ids[i]).centre;
        }
        staging_run(&p.s, STAGING_STEP, 600);
        assert_true(drift_of(&p) <= 1e-6);
        staging_close(&p.s);
    }
}

/* Boxes that lie on each other and are thrown at a thin wall together. The guard follows their paths through the substeps of the quick solver. */
static void test_fast_heaps_stop_at_thin_walls(void **state) {
    (void)state;
    random_state random = random_make(random_seed("fast heaps", 26));
    for (int sample = 0; sample < 20; sample++) {
        abut_world_def def = quick_def(1);
        pile p;
        open_pile(&p, &def);
        staging_add(&p.s, ABUT_BODY_STATIC, staging_box(&p.s, 0.01, 20, 20), abut_vec3_make(3, 0, 20));
        double speed = random_range(&random, 20.0, 120.0);
        for (int i = 0; i < 4; i++) {
            abut_body_def body = staging_body(ABUT_BODY_DYNAMIC, p.s.box, abut_vec3_make(0, 0, 0.5 + i));
            body.motion.linear = abut_vec3_make(speed + random_range(&random, -1.0, 1.0), random_range(&random, -1.0, 1.0), 0.0);
            p.ids[p.count++] = staging_put(&p.s, &body);
        }
        staging_run(&p.s, STAGING_STEP, 60);
        for (int i = 0; i < 4; i++) {
            assert_true(staging_state(&p.s, p.ids[i]).centre.x < 3.0);
        }
        staging_close(&p.s);
    }
}

static uint64_t hash_of_heap(int32_t threads, int32_t bodies, int32_t steps) {
    static pile p;
    random_state random = random_make(22);
    abut_world_def def = quick_def(threads);
    def.fixed.sleeping = true;
    open_pile(&p, &def);
    make_heap(&p, &random, bodies);
    make_columns(&p, &random, 10);
    staging_run(&p.s, STAGING_STEP, steps);
    uint64_t hash = abut_world_hash(p.s.world);
    staging_close(&p.s);
    return hash;
}

static void test_instruction_sets_and_threads_agree(void **state) {
    (void)state;
    enum { BODIES = 90, STEPS = 90 };
    uint64_t hash = hash_of_heap(1, BODIES, STEPS);
    for (int set = 0; set < INSTRUCTION_SETS; set++) {
        if (wide_kernel_use((instruction_set)set)) {
            assert_true(hash_of_heap(1, BODIES, STEPS) == hash);
        }
    }
    assert_true(wide_kernel_use(instruction_set_best()));
    for (int32_t threads = 2; threads <= 8; threads *= 2) {
        assert_true(hash_of_heap(threads, BODIES, STEPS) == hash);
    }
}

static void test_a_saved_world_goes_on_alike(void **state) {
    (void)state;
    uint64_t hash[2];
    void *bytes = NULL;
    size_t size = 0;
    for (int k = 0; k < 2; k++) {
        static pile p;
        random_state random = random_make(23);
        abut_world_def def = quick_def(1);
        open_pile(&p, &def);
        make_heap(&p, &random, 45);
        if (k == 0) {
            staging_run(&p.s, STAGING_STEP, 60);
            assert_status(abut_world_save(p.s.world, NULL, 0, &size), ABUT_ERROR_CAPACITY);
            bytes = check_memory(size, 1);
            assert_ok(abut_world_save(p.s.world, bytes, size, &size));
        } else {
            assert_ok(abut_world_restore(p.s.world, bytes, size));
        }
        staging_run(&p.s, STAGING_STEP, 30);
        hash[k] = abut_world_hash(p.s.world);
        staging_close(&p.s);
    }
    free(bytes);
    assert_true(hash[0] == hash[1]);
}

/* A step that finds no memory changes nothing, and the next one succeeds. */
static void test_missing_memory(void **state) {
    (void)state;
    int64_t refused = 0;
    counting_allocator memory;
    do {
        memory = (counting_allocator){.refuse_at = -1};
        counting_allocator_install(&memory);
        pile p;
        abut_world_def def = quick_def(1);
        open_pile(&p, &def);
        for (int i = 0; i < 6; i++) {
            put(&p, p.s.box, abut_vec3_make(0, 0, 0.5 + i), i < 5 ? 1000.0 : 1e5);
        }
        uint64_t before = abut_world_hash(p.s.world);
        memory.requests = 0;
        memory.refuse_at = refused++;
        abut_status status = abut_world_step(p.s.world, STAGING_STEP, NULL);
        memory.refuse_at = -1;
        if (memory.refused) {
            assert_status(status, ABUT_ERROR_OUT_OF_MEMORY);
            assert_true(abut_world_hash(p.s.world) == before);
        }
        assert_ok(abut_world_step(p.s.world, STAGING_STEP, NULL));
        staging_close(&p.s);
        counting_allocator_remove();
        assert_int_equal(memory.live, 0);
    } while (memory.refused);
    assert_true(refused > 20);
}

/* Which islands the quick solver takes: those with contacts that neither bounce, nor hang on springs, nor turn fast. */
static void test_what_is_solved_exactly(void **state) {
    (void)state;
    for (int kind = 0; kind < 5; kind++) {
        abut_world_def def = quick_def(1);
        staging s = staging_make_with(&def);
        staging_ground(&s, 0.5);
        abut_body_def body = staging_body(ABUT_BODY_DYNAMIC, s.sphere, abut_vec3_make(0, 0, kind == 1 ? 3.0 : 0.5));
        body.restitution = kind == 2 ? 0.5 : 0.0;
        body.motion.linear.z = kind == 2 ? -1.0 : 0.0;
        body.motion.angular.z = kind == 3 ? 100.0 : 0.0;
        abut_body_id id = staging_put(&s, &body);
        if (kind == 4) {
            abut_spring_def spring = abut_spring_def_default();
            spring.body = id;
            spring.target = abut_vec3_make(0, 0, 0.5);
            assert_ok(abut_world_add_spring(s.world, &spring, NULL));
        }
        staging_run(&s, STAGING_STEP, 1);
        const island_layout *layout = &s.world->fixed->layout;
        assert_int_equal(layout->island_count, 1);
        assert_int_equal(layout->quick[0], kind == 0);
        staging_close(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_columns_stand),
                                       cmocka_unit_test(test_a_pyramid_stands),
                                       cmocka_unit_test(test_a_wall_stands),
                                       cmocka_unit_test(test_a_wall_comes_to_rest_after_a_brick_was_dragged),
                                       cmocka_unit_test(test_a_tower_stands),
                                       cmocka_unit_test(test_drums_stand),
                                       cmocka_unit_test(test_light_boxes_carry_a_heavy_one),
                                       cmocka_unit_test(test_no_box_creeps_on_a_slope),
                                       cmocka_unit_test(test_fast_heaps_stop_at_thin_walls),
                                       cmocka_unit_test(test_instruction_sets_and_threads_agree),
                                       cmocka_unit_test(test_a_saved_world_goes_on_alike),
                                       cmocka_unit_test(test_missing_memory),
                                       cmocka_unit_test(test_what_is_solved_exactly)};
    return cmocka_run_group_tests_name("step/fixed/quick", tests, NULL, NULL);
}
