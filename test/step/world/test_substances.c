/* The table of pairs of substances, in every stepper: what it gives takes the place of the usual rule, what it does not give stays, and a
 * pair without an entry is as without a table. */
#include <abut/abut.h>

#include <stdio.h>

#include "support/allocator.h"
#include "support/check.h"
#include "support/random.h"
#include "support/staging.h"

static const double gravity = 9.81;

static abut_vec3 vec(double x, double y, double z) { return abut_vec3_make(x, y, z); }

/* Steel (1) on ice (2) and on rubber (3); wood has no number. */
static void fill_table(abut_substance_pair pairs[2]) {
    pairs[0] = pairs[1] = abut_substance_pair_default();
    pairs[0].a = 2;
    pairs[0].b = 1;
    pairs[0].friction = 0.05;
    pairs[1].a = 1;
    pairs[1].b = 3;
    pairs[1].restitution = 0.6;
    pairs[1].rolling_resistance = 0.08;
    pairs[1].twisting_resistance = 0.03;
}

static abut_world_def def_of(abut_stepper stepper, const abut_substance_pair *pairs, int32_t count) {
    abut_world_def def = staging_def(gravity);
    def.stepper = stepper;
    def.pairs = pairs;
    def.pair_count = count;
    return def;
}

static staging floor_of(const abut_world_def *def, int32_t substance, double friction) {
    staging s = staging_open(def);
    abut_body_def floor = staging_body(ABUT_BODY_STATIC, staging_plane(&s, vec(0, 0, 1)), vec(0, 0, 0));
    floor.substance = substance;
    floor.friction = friction;
    floor.material.young = 1e9;
    staging_put(&s, &floor);
    return s;
}

/* ---- friction ---- */

/* The friction of a body that slides: the speed that it loses, over g t. A box for the fixed stepper, a ball that cannot roll for the dem stepper. */
static double sliding_friction(abut_stepper stepper, bool exact, int32_t of_floor, int32_t of_body, const abut_substance_pair *pairs,
                               int32_t count) {
    abut_world_def def = def_of(stepper, pairs, count);
    def.fixed.exact = exact;
    staging s = floor_of(&def, of_floor, 0.36);
    const abut_shape *shape = stepper == ABUT_STEPPER_DEM ? staging_sphere(&s, 0.1) : staging_box(&s, 0.2, 0.2, 0.05);
    abut_body_def body = staging_body(ABUT_BODY_DYNAMIC, shape, vec(0, 0, stepper == ABUT_STEPPER_DEM ? 0.1 : 0.05));
    body.substance = of_body;
    body.friction = 0.25;
    body.restitution = 0.1;
    body.material.young = 1e9;
    body.motion.linear = vec(4, 0, 0);
    abut_body_id id = staging_put(&s, &body);
    staging_run(&s, 1e-3, 100);
    double before = staging_state(&s, id).motion.linear.x;
    staging_run(&s, 1e-3, 100);
    double lost = (before - staging_state(&s, id).motion.linear.x) / (0.1 * gravity);
    staging_close(&s);
    return lost;
}

static void test_friction(void **state) {
    (void)state;
    abut_substance_pair pairs[2];
    fill_table(pairs);
    const abut_stepper steppers[] = {ABUT_STEPPER_FIXED, ABUT_STEPPER_FIXED, ABUT_STEPPER_DEM};
    for (int i = 0; i < 3; i++) {
        const struct {
            int32_t floor, body;
            double friction;
        } cases[] = {{2, 1, 0.05}, {1, 2, 0.05}, {3, 1, 0.3}, {2, 2, 0.3}, {0, 1, 0.3}, {2, 0, 0.3}, {7, 1, 0.3}};
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
            double mu = sliding_friction(steppers[i], i == 1, cases[k].floor, cases[k].body, pairs, 2);
            printf("%d on %d: %.5f\n", (int)cases[k].body, (int)cases[k].floor, mu);
            assert_near(mu, cases[k].friction, 1e-3);
        }
        assert_near(sliding_friction(steppers[i], i == 1, 2, 1, NULL, 0), 0.3, 1e-3);
    }
}

/* ---- restitution ---- */

/* The largest speed up of a ball that has fallen by a metre, over its speed down. */
static double bounce(abut_stepper stepper, int32_t of_floor, const abut_substance_pair *pairs, int32_t count) {
    abut_world_def def = def_of(stepper, pairs, count);
    def.dem.step_share = 0.05;
    staging s = floor_of(&def, of_floor, 0.5);
    abut_body_def body = staging_body(ABUT_BODY_DYNAMIC, staging_sphere(&s, 0.1), vec(0, 0, 1.1));
    body.substance = 1;
    body.restitution = 0.2;
    body.material.young = 1e9;
    abut_body_id id = staging_put(&s, &body);
    double fastest = 0.0;
    for (int i = 0; i < 480; i++) {
        staging_run(&s, 1e-3, 1);
        fastest = fmax(fastest, staging_state(&s, id).motion.linear.z);
    }
    staging_close(&s);
    return fastest / sqrt(2.0 * gravity);
}

static void test_restitution(void **state) {
    (void)state;
    abut_substance_pair pairs[2];
    fill_table(pairs);
    for (int stepper = ABUT_STEPPER_FIXED; stepper <= ABUT_STEPPER_DEM; stepper++) {
        double given = bounce((abut_stepper)stepper, 3, pairs, 2), usual = bounce((abut_stepper)stepper, 2, pairs, 2);
        printf("stepper %d: %.4f and %.4f\n", stepper, given, usual);
        assert_near(given, 0.6, 5e-3);
        assert_near(usual, 0.2, 5e-3);
    }
}

/* A restitution of 0 takes away that of the bodies. */
static void test_nothing_is_something(void **state) {
    (void)state;
    abut_substance_pair pair = abut_substance_pair_default();
    pair.a = 1;
    pair.b = 2;
    pair.restitution = 0.0;
    for (int stepper = ABUT_STEPPER_FIXED; stepper < ABUT_STEPPER_DEM; stepper++) {
        assert_near(bounce((abut_stepper)stepper, 2, &pair, 1), 0.0, 1e-3);
        assert_near(bounce((abut_stepper)stepper, 1, &pair, 1), 0.2, 5e-3);
    }
}

/* ---- rolling ---- */

/* The deceleration of a ball that rolls, over 5/7 g. */
static double rolling(abut_stepper stepper, int32_t of_floor, const abut_substance_pair *pairs, int32_t count) {
    abut_world_def def = def_of(stepper, pairs, count);
    staging s = floor_of(&def, of_floor, 0.5);
    abut_body_def body = staging_body(ABUT_BODY_DYNAMIC, staging_sphere(&s, 0.1), vec(0, 0, 0.1));
    body.substance = 1;
    body.restitution = 0.1;
    body.material.young = 1e9;
    body.rolling_resistance = stepper == ABUT_STEPPER_DEM ? 0.02 : 0.0;
    body.rolling_friction = stepper == ABUT_STEPPER_DEM ? 0.0 : 0.002;
    body.motion = (abut_motion){{1, 0, 0}, {0, 10, 0}};
    abut_body_id id = staging_put(&s, &body);
    staging_run(&s, 1e-3, 100);
    double before = staging_state(&s, id).motion.linear.x;
    staging_run(&s, 1e-3, 200);
    double lost = (before - staging_state(&s, id).motion.linear.x) / 0.2 / (5.0 / 7.0 * gravity);
    staging_close(&s);
    return lost;
}

static void test_rolling(void **state) {
    (void)state;
    abut_substance_pair pairs[2];
    fill_table(pairs);
    assert_near(rolling(ABUT_STEPPER_DEM, 3, pairs, 2), 0.08, 5e-4);
    assert_near(rolling(ABUT_STEPPER_DEM, 2, pairs, 2), 0.02, 5e-4);
    pairs[1].rolling_friction = 0.008;
    assert_near(rolling(ABUT_STEPPER_FIXED, 3, pairs, 2), 0.08, 1e-3);
    assert_near(rolling(ABUT_STEPPER_FIXED, 2, pairs, 2), 0.02, 1e-3);
    pairs[1].rolling_friction = 0.0;
    assert_near(rolling(ABUT_STEPPER_FIXED, 3, pairs, 2), 0.0, 1e-3);
}

/* ---- several surfaces, and a rule of the caller ---- */

typedef struct heard {
    double friction;
    int32_t substance_a, substance_b;
} heard;

static void hear(void *context, const abut_surface_meeting *meeting, abut_surface *pair) {
    heard *to = context;
    *to = (heard){pair->friction, meeting->a.substance, meeting->b.substance};
}

/* A part of a compound has the substance of its surface, and the caller's rule is told what the table gives. */
static void test_surfaces_and_rule(void **state) {
    (void)state;
    abut_substance_pair pairs[2];
    fill_table(pairs);
    heard told = {.friction = -1.0};
    for (int part = 0; part < 2; part++) {
        abut_world_def def = def_of(ABUT_STEPPER_FIXED, pairs, 2);
        def.surfaces = (abut_surface_rule){.meet = part == 0 ? NULL : hear, .context = &told};
        def.parallel.threads = 1;
        staging s = floor_of(&def, 2, 0.36);
        const abut_shape *box = staging_box(&s, 0.1, 0.3, 0.05);
        const abut_part parts[2] = {{box, {{-0.3, 0, 0}, {0, 0, 0, 1}}}, {box, {{0.3, 0, 0}, {0, 0, 0, 1}}}};
        abut_shape *two = NULL;
        assert_ok(abut_shape_create_compound(parts, 2, &two));
        staging_keep(&s, two);
        abut_surface surfaces[2] = {abut_surface_default(), abut_surface_default()};
        surfaces[0].substance = surfaces[1].substance = 1;
        abut_body_def body = staging_body(ABUT_BODY_DYNAMIC, two, vec(0, 0, 0.05));
        body.surfaces = surfaces;
        body.surface_count = 2;
        body.motion.linear = vec(4, 0, 0);
        abut_body_id id = staging_put(&s, &body);
        staging_run(&s, 1e-3, 100);
        double before = staging_state(&s, id).motion.linear.x;
        staging_run(&s, 1e-3, 100);
        assert_near((before - staging_state(&s, id).motion.linear.x) / (0.1 * gravity), 0.05, 1e-3);
        staging_close(&s);
    }
    assert_near(told.friction, 0.05, 0.0);
    assert_true(told.substance_a + told.substance_b == 3 && told.substance_a * told.substance_b == 2);
}

/* ---- the table itself ---- */

/* A random table in any order, and each of its pairs asked in both directions: the friction of a ball that slides in the dem stepper. */
static void test_many_pairs(void **state) {
    (void)state;
    enum { SUBSTANCES = 40 };
    abut_substance_pair pairs[SUBSTANCES * (SUBSTANCES + 1) / 2];
    random_state r = random_make(random_seed("pairs", 91));
    int32_t count = 0;
    for (int32_t a = 1; a <= SUBSTANCES; a++) {
        for (int32_t b = a; b <= SUBSTANCES; b++) {
            pairs[count] = abut_substance_pair_default();
            pairs[count].a = count % 2 == 0 ? a : b;
            pairs[count].b = count % 2 == 0 ? b : a;
            pairs[count++].friction = 0.01 * (1 + (7 * a + 13 * a * b + 7 * b) % 29);
        }
    }
    for (int32_t i = count - 1; i > 0; i--) {
        int32_t other = random_below(&r, i + 1);
        abut_substance_pair moved = pairs[i];
        pairs[i] = pairs[other];
        pairs[other] = moved;
    }
    for (int i = 0; i < 20; i++) {
        int32_t a = 1 + random_below(&r, SUBSTANCES), b = 1 + random_below(&r, SUBSTANCES);
        double expected = 0.01 * (1 + (7 * a + 13 * a * b + 7 * b) % 29);
        assert_near(sliding_friction(ABUT_STEPPER_DEM, false, a, b, pairs, count), expected, 2e-3);
    }
}

/* A world is only restored into one with the same table and substances. The order of the table does not matter. */
static void test_save(void **state) {
    (void)state;
    unsigned char saved[20000];
    for (int other = 0; other < 4; other++) {
        abut_substance_pair pairs[2], turned[2];
        fill_table(pairs);
        fill_table(turned);
        turned[0] = pairs[1];
        turned[1] = pairs[0];
        turned[1].a = pairs[0].b;
        turned[1].b = pairs[0].a;
        turned[1].friction = other == 1 ? 0.06 : turned[1].friction;
        size_t size = 0;
        abut_world_def first = def_of(ABUT_STEPPER_DEM, pairs, 2), second = def_of(ABUT_STEPPER_DEM, turned, other == 2 ? 1 : 2);
        staging s = floor_of(&first, 2, 0.5), t = floor_of(&second, other == 3 ? 3 : 2, 0.5);
        assert_ok(abut_world_save(s.world, saved, sizeof saved, &size));
        assert_status(abut_world_restore(t.world, saved, size), other == 0 ? ABUT_OK : ABUT_ERROR_FOREIGN);
        staging_close(&s);
        staging_close(&t);
    }
}

static void test_no_memory(void **state) {
    (void)state;
    abut_substance_pair pairs[2];
    fill_table(pairs);
    abut_world_def def = def_of(ABUT_STEPPER_DEM, pairs, 2);
    static counting_allocator memory; /* outlives the world */
    int64_t refused = 0;
    do {
        abut_world *world = NULL;
        memory = (counting_allocator){.refuse_at = refused++};
        counting_allocator_install(&memory);
        abut_status status = abut_world_create(&def, &world);
        abut_world_destroy(world);
        counting_allocator_remove();
        assert_status(status, memory.refused ? ABUT_ERROR_OUT_OF_MEMORY : ABUT_OK);
        assert_int_equal(memory.live, 0);
    } while (memory.refused);
    assert_true(refused > 3);
}

static void test_info(void **state) {
    (void)state;
    abut_world_def def = def_of(ABUT_STEPPER_FIXED, NULL, 0);
    staging s = floor_of(&def, 5, 0.5);
    abut_body_id id;
    int32_t count;
    abut_body_info info;
    assert_ok(abut_world_body_ids(s.world, &id, 1, &count));
    assert_ok(abut_world_body_info(s.world, id, &info));
    assert_int_equal(info.substance, 5);
    staging_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_friction), cmocka_unit_test(test_restitution),       cmocka_unit_test(test_nothing_is_something),
        cmocka_unit_test(test_rolling),  cmocka_unit_test(test_surfaces_and_rule), cmocka_unit_test(test_many_pairs),
        cmocka_unit_test(test_save),     cmocka_unit_test(test_no_memory),         cmocka_unit_test(test_info),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
