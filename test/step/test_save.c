/*
 * A world that is saved and restored continues as if nothing had happened: with every stepper, at any step, on any number of threads, the
 * same bodies, contacts and reports to the last bit. Truncated, damaged or foreign data are rejected, and the world is unchanged.
 */
#include <stdlib.h>
#include <string.h>

#include <abut/abut.h>

#include "support/allocator.h"
#include "support/facet_body.h"
#include "support/random.h"
#include "support/staging.h"
#include "support/threads.h"

enum { MOST_STEPS = 160, MOST_BODIES = 128, TIMES = 4 };

struct plot_run;

/* A test world: how it is made, and what its caller does before a step. */
typedef struct plot {
    const char *name;
    abut_world_def def;
    double dt;
    int32_t steps;
    void (*build)(struct plot_run *run);
    void (*act)(struct plot_run *run, int32_t step);
} plot;

typedef struct plot_run {
    const plot *plot;
    staging stage;
    abut_body_id ids[MOST_BODIES];
    int32_t count;
    abut_spring_id spring;
    random_state random;
    int32_t shape; /* of the next body */
} plot_run;

/* ---- running ---- */

/* Everything that a caller can see of a step. */
typedef struct seen {
    uint64_t hash;
    abut_step_report report;
    uint64_t contacts;
} seen;

static uint64_t hash_bytes(const void *data, size_t size) {
    const unsigned char *bytes = data;
    uint64_t hash = 1469598103934665603u;
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ bytes[i]) * 1099511628211u;
    }
    return hash;
}

static seen look(const abut_world *world, abut_step_report report) {
    const abut_world_contact *contacts;
    int32_t count;
    assert_ok(abut_world_contacts(world, &contacts, &count));
    report.seconds_broad = report.seconds_narrow = report.seconds_solve = report.seconds_total = 0.0;
    return (seen){abut_world_hash(world), report, hash_bytes(contacts, (size_t)count * sizeof *contacts)};
}

static bool is_same(const seen *p, const seen *q) {
    return p->hash == q->hash && p->contacts == q->contacts && memcmp(&p->report, &q->report, sizeof p->report) == 0;
}

static plot_run *begin(const plot *plot, abut_parallel parallel) {
    plot_run *run = check_memory(1, sizeof *run);
    abut_world_def def = plot->def;
    def.parallel = parallel;
    run->plot = plot;
    run->stage = staging_open(&def);
    run->random = random_make(5);
    plot->build(run);
    return run;
}

static void end(plot_run *run) {
    staging_close(&run->stage);
    free(run);
}

static abut_step_report report_of(const abut_world *world) {
    abut_step_report report;
    memset(&report, 0, sizeof report);
    assert_ok(abut_world_report(world, &report));
    return report;
}

/* Directly after a step, abut_world_report() gives the same state as the step's report; the dem energies are summed in another order. */
static void check_report(const plot *plot, const abut_world *world, const abut_step_report *made) {
    const abut_step_report now = report_of(world);
    bool same = now.step == made->step && now.bodies == made->bodies && now.awake == made->awake && now.touching == made->touching &&
                now.contacts == made->contacts;
    const double exact[][2] = {{now.time, made->time},
                               {now.max_penetration, made->max_penetration},
                               {now.kinetic_energy, made->kinetic_energy},
                               {now.potential_energy, made->potential_energy},
                               {now.spring_energy, made->spring_energy}};
    for (size_t i = 0; i < sizeof exact / sizeof *exact; i++) {
        same = same && exact[i][0] == exact[i][1];
    }
    if (!same) {
        fail_msg("%s: another report after step %d", plot->name, (int)made->step);
    }
    assert_near(now.dem.elastic_energy, made->dem.elastic_energy, 1e-12 * made->dem.elastic_energy);
    assert_near(now.dem.spring_energy, made->dem.spring_energy, 1e-12 * made->dem.spring_energy);
    assert_true(now.candidates == 0 && now.event.steps == 0 && now.dem.steps == 0 && now.dem.near == 0 && now.dem.residual == 0.0);
    assert_true(now.seconds_total == 0.0 && now.seconds_broad == 0.0 && now.seconds_narrow == 0.0 && now.seconds_solve == 0.0);
}

static seen make_step(plot_run *run, int32_t step) {
    abut_step_report report;
    memset(&report, 0, sizeof report);
    run->plot->act(run, step);
    abut_status status = abut_world_step(run->stage.world, run->plot->dt, &report);
    if (status != ABUT_OK) {
        fail_msg("%s: step %d: %s", run->plot->name, (int)step, abut_status_message(status));
    }
    check_report(run->plot, run->stage.world, &report);
    return look(run->stage.world, report);
}

static unsigned char *save(const abut_world *world, size_t *size) {
    assert_status(abut_world_save(world, NULL, 0, size), ABUT_ERROR_CAPACITY);
    unsigned char *saved = check_memory(*size, 1);
    size_t written = 0;
    assert_ok(abut_world_save(world, saved, *size, &written));
    assert_int_equal(written, *size);
    return saved;
}

/* Saved after `at` steps and restored into a world that was only built. */
static void go_on(const plot *plot, int32_t at, abut_parallel parallel, const seen *expected) {
    plot_run *first = begin(plot, (abut_parallel){.threads = 1});
    for (int32_t i = 0; i < at; i++) {
        (void)make_step(first, i);
    }
    size_t size, again;
    unsigned char *saved = save(first->stage.world, &size);
    uint64_t hash = abut_world_hash(first->stage.world);
    const abut_step_report report = report_of(first->stage.world);
    end(first);
    plot_run *second = begin(plot, parallel);
    for (int32_t i = 0; i < at; i++) {
        plot->act(second, i);
    }
    assert_ok(abut_world_restore(second->stage.world, saved, size));
    assert_true(abut_world_hash(second->stage.world) == hash);
    const abut_step_report restored = report_of(second->stage.world);
    assert_memory_equal(&restored, &report, sizeof report);
    unsigned char *same = save(second->stage.world, &again);
    assert_int_equal(again, size);
    assert_memory_equal(same, saved, size);
    free(same);
    for (int32_t i = at; i < plot->steps; i++) {
        seen made = make_step(second, i);
        if (!is_same(&made, &expected[i])) {
            fail_msg("%s: saved after %d steps, another world at step %d", plot->name, (int)at, (int)i);
        }
    }
    free(saved);
    end(second);
}

static void play(const plot *plot) {
    static seen expected[MOST_STEPS];
    plot_run *whole = begin(plot, (abut_parallel){.threads = 1});
    int32_t touching = 0;
    for (int32_t i = 0; i < plot->steps; i++) {
        expected[i] = make_step(whole, i);
        touching += expected[i].report.contacts;
    }
    end(whole);
    assert_true(touching > plot->steps);
    three_threads own = {0};
    for (int32_t i = 0; i < TIMES; i++) {
        go_on(plot, i * plot->steps / TIMES, i % 2 == 0 ? (abut_parallel){.threads = 1} : three_threads_parallel(&own), expected);
    }
    go_on(plot, plot->steps - 1, (abut_parallel){.threads = 2}, expected);
}

static plot make_plot(const char *name, abut_stepper stepper, double dt, int32_t steps, void (*build)(plot_run *),
                      void (*act)(plot_run *, int32_t)) {
    plot made = {.name = name, .def = abut_world_def_default(), .dt = dt, .steps = steps, .build = build, .act = act};
    made.def.stepper = stepper;
    return made;
}

static abut_body_id put(plot_run *run, const abut_body_def *def) {
    abut_body_id id = staging_put(&run->stage, def);
    assert_true(run->count < MOST_BODIES);
    run->ids[run->count++] = id;
    return id;
}

/* ---- the fixed stepper: every kind of shape, a moving floor, bodies that come and go, springs, forces, sleep ---- */

enum { SHAPES = 6, PILE = 40 };

static const abut_shape *shape_of_pile(plot_run *run, int32_t index) {
    staging *stage = &run->stage;
    if (stage->shape_count == 0) {
        abut_shape *capsule = NULL, *cone = NULL, *compound = NULL, *ellipsoid = NULL;
        const abut_shape *box = staging_box(stage, 0.3, 0.2, 0.25), *ball = staging_sphere(stage, 0.25);
        assert_ok(abut_shape_create_capsule(0.15, 0.2, &capsule));
        assert_ok(abut_shape_create_pyramid(0.3, 0.5, 12, &cone));
        assert_ok(abut_shape_create_ellipsoid(abut_vec3_make(0.3, 0.2, 0.15), &ellipsoid));
        const abut_part parts[] = {{box, {{0.2, 0, 0}, {0, 0, 0, 1}}}, {ball, {{-0.3, 0, 0}, {0, 0, 0, 1}}}};
        assert_ok(abut_shape_create_compound(parts, 2, &compound));
        staging_keep(stage, capsule);
        staging_keep(stage, cone);
        staging_keep(stage, compound);
        staging_keep(stage, ellipsoid);
    }
    return stage->shapes[index % SHAPES];
}

static void put_on_pile(plot_run *run, double height) {
    abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, shape_of_pile(run, run->shape++), random_vec3(&run->random, -0.8, 0.8));
    def.pose.position.z = height;
    def.pose.rotation = random_rotation(&run->random);
    def.motion.linear = abut_vec3_make(0, 0, -2);
    def.restitution = run->count % 5 == 0 ? 0.4 : 0.0;
    def.friction = random_range(&run->random, 0.2, 0.8);
    put(run, &def);
}

static void build_pile(plot_run *run) {
    (void)shape_of_pile(run, 0);
    staging_ground(&run->stage, 0.5);
    abut_body_def lift = staging_body(ABUT_BODY_KINEMATIC, staging_box(&run->stage, 0.4, 0.4, 0.1), abut_vec3_make(1.5, 0, 0.1));
    lift.motion.linear = abut_vec3_make(-0.2, 0, 0);
    put(run, &lift);
    for (int32_t i = 0; i < PILE; i++) {
        put_on_pile(run, 0.4 + 0.1 * i);
    }
    abut_spring_def spring = abut_spring_def_default();
    spring.body = run->ids[3];
    spring.target = abut_vec3_make(1, 1, 2);
    assert_ok(abut_world_add_spring(run->stage.world, &spring, NULL));
    spring.body = run->ids[4];
    assert_ok(abut_world_add_spring(run->stage.world, &spring, &run->spring));
}

static void act_on_pile(plot_run *run, int32_t step) {
    abut_world *world = run->stage.world;
    if (step % 25 == 10) {
        assert_ok(abut_world_remove_body(world, run->ids[5 + step / 25]));
    }
    if (step % 25 == 15) {
        put_on_pile(run, 3.0); /* into the slot that became free */
    }
    if (step == 50) {
        assert_ok(abut_world_remove_spring(world, run->spring));
    }
    if (step % 7 == 3) {
        assert_ok(abut_world_apply_force(world, run->ids[20], abut_vec3_make(40, 0, 10), abut_vec3_make(0, 0, 0.5)));
    }
}

static void test_fixed(void **state) {
    (void)state;
    plot pile = make_plot("pile", ABUT_STEPPER_FIXED, 1.0 / 60.0, 120, build_pile, act_on_pile);
    pile.def.fixed.sleep_time = 0.2;
    pile.def.fixed.iterations = 4;
    play(&pile);
    pile.name = "pile with tracking";
    pile.steps = 60;
    pile.def.method = ABUT_METHOD_TRACKING;
    play(&pile);
}

/* Two meshes that are one floor, a few boxes on the seam, all asleep in the end. */
static void build_floor(plot_run *run) {
    static const double heights[] = {0, 0, 0, 0, 0.02, 0, 0, 0, 0};
    abut_heightfield_def def = {.heights = heights, .columns = 3, .rows = 3, .spacing_x = 1, .spacing_y = 1};
    for (int32_t i = 0; i < 2; i++) {
        abut_shape *tile = NULL;
        assert_ok(abut_shape_create_heightfield(&def, &tile));
        abut_body_def floor = staging_body(ABUT_BODY_STATIC, staging_keep(&run->stage, tile), abut_vec3_make(2.0 * i - 2.0, -1, 0));
        put(run, &floor);
    }
    const abut_shape *box = staging_box(&run->stage, 0.2, 0.2, 0.2);
    for (int32_t i = 0; i < 6; i++) {
        abut_body_def def_box = staging_body(ABUT_BODY_DYNAMIC, box, abut_vec3_make(0.3 * (i % 2) - 0.1, 0.1 * i, 0.3 + 0.45 * (i / 2)));
        def_box.motion.linear = abut_vec3_make(0.3, 0, 0);
        put(run, &def_box);
    }
}

static void do_nothing(plot_run *run, int32_t step) {
    (void)run;
    (void)step;
}

static void test_fixed_on_meshes(void **state) {
    (void)state;
    plot floor = make_plot("floor of two meshes", ABUT_STEPPER_FIXED, 1.0 / 60.0, 120, build_floor, do_nothing);
    floor.def.fixed.sleep_time = 0.1;
    floor.def.fixed.contacts_per_patch = 4;
    play(&floor);
}

/* ---- the event stepper ---- */

static void build_dice(plot_run *run) {
    staging *stage = &run->stage;
    abut_shape *compound = NULL, *ellipsoid = NULL;
    const abut_shape *box = staging_box(stage, 0.3, 0.2, 0.25), *ball = staging_sphere(stage, 0.25);
    const abut_part parts[] = {{box, {{0.2, 0, 0}, {0, 0, 0, 1}}}, {ball, {{-0.3, 0, 0}, {0, 0, 0, 1}}}};
    assert_ok(abut_shape_create_compound(parts, 2, &compound));
    assert_ok(abut_shape_create_ellipsoid(abut_vec3_make(0.3, 0.2, 0.25), &ellipsoid));
    const abut_shape *shapes[] = {box, ball, staging_keep(stage, compound), staging_keep(stage, ellipsoid)};
    staging_ground(stage, 0.0);
    for (int32_t i = 0; i < 6; i++) {
        abut_body_def def =
            staging_body(ABUT_BODY_DYNAMIC, shapes[i % 4], abut_vec3_make(0.8 * (i % 2), 0.75 * (i / 2), 0.4 + 0.1 * (i % 2)));
        def.restitution = 0.3;
        def.pose.rotation = random_rotation(&run->random);
        def.motion.angular = random_vec3(&run->random, -2, 2);
        put(run, &def);
    }
    abut_spring_def spring = abut_spring_def_default();
    spring.body = run->ids[0];
    spring.target = abut_vec3_make(0.5, 0, 0.5);
    spring.frequency = 1.0;
    assert_ok(abut_world_add_spring(stage->world, &spring, NULL));
}

static void act_on_dice(plot_run *run, int32_t step) {
    if (step == 15) {
        assert_ok(abut_world_remove_body(run->stage.world, run->ids[2]));
    }
}

static void test_event(void **state) {
    (void)state;
    plot dice = make_plot("dice", ABUT_STEPPER_EVENT, 1.0 / 60.0, 40, build_dice, act_on_dice);
    dice.def.event.tolerance = 1e-5;
    play(&dice);
}

/* ---- the dem stepper ---- */

/* rolling: its coefficient; the coefficient of twisting is half of it, for some of them. */
static void build_grains_of(plot_run *run, double rolling) {
    staging *stage = &run->stage;
    const abut_shape *balls[] = {staging_sphere(stage, 0.01), staging_sphere(stage, 0.008)};
    staging_ground(stage, 0.4);
    for (int32_t i = 0; i < 60; i++) {
        abut_vec3 place = {0.022 * (i % 4) + 0.001 * (i % 3), 0.022 * (i / 4 % 4), 0.012 + 0.021 * (i / 16)};
        abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, balls[i % 2], place);
        def.motion.angular = random_vec3(&run->random, -20, 20);
        def.motion.linear = random_vec3(&run->random, -0.3, 0.3);
        def.restitution = 0.4;
        def.adhesion_work = i % 3 == 0 ? 0.02 : 0.0;
        def.material.young = 1e6;
        def.rolling_resistance = rolling;
        def.twisting_resistance = i % 2 == 0 ? 0.5 * rolling : 0.0;
        put(run, &def);
    }
}

static void build_grains(plot_run *run) { build_grains_of(run, 0.0); }

/* With a few capsules, which are meshes for this stepper. */
static void build_rolling_grains(plot_run *run) {
    build_grains_of(run, 0.1);
    abut_shape *capsule = NULL;
    assert_ok(abut_shape_create_capsule(0.008, 0.006, &capsule));
    staging_keep(&run->stage, capsule);
    for (int32_t i = 0; i < 3; i++) {
        abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, capsule, abut_vec3_make(0.03 * i, 0.02, 0.1));
        def.rolling_resistance = def.twisting_resistance = 0.2;
        def.material.young = 1e6;
        put(run, &def);
    }
}

/* Two elastic cells and a ball that fall on each other. */
static void build_cells(plot_run *run) {
    staging *stage = &run->stage;
    staging_ground(stage, 0.4);
    const abut_shape *ball = staging_keep(stage, facet_body_meshed_ball(0, 0.01));
    abut_cell_def cell = abut_cell_def_default();
    cell.stiffness = 20.0;
    cell.damping = 0.01;
    cell.bulk_modulus = 1e4;
    for (int32_t i = 0; i < 3; i++) {
        const abut_vec3 place = {0.003 * i, 0.002, 0.0095 + 0.019 * i};
        abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, i < 2 ? ball : staging_sphere(stage, 0.008), place);
        def.motion.angular = random_vec3(&run->random, -20, 20);
        def.motion.linear = random_vec3(&run->random, -0.3, 0.3);
        def.material.young = 1e5;
        put(run, &def);
        if (i < 2) {
            assert_ok(abut_world_make_cell(stage->world, run->ids[i], &cell));
        }
    }
}

/* Wet grains in lumps that break. */
static void build_lumps(plot_run *run) {
    build_grains_of(run, 0.0);
    abut_bond_def bond = abut_bond_def_default();
    bond.radius = 0.6;
    bond.young = 1e6;
    bond.tensile_strength = bond.shear_strength = 3e3;
    bond.damping_ratio = 0.1;
    assert_ok(abut_world_bond_near(run->stage.world, run->ids, 12, 0.006, &bond, NULL));
}

static void act_on_grains(plot_run *run, int32_t step) {
    if (step % 30 == 25) {
        assert_ok(abut_world_remove_body(run->stage.world, run->ids[3 * (step / 30)]));
    }
    if (step % 30 == 28) {
        abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, run->stage.shapes[0], abut_vec3_make(0.03, 0.03, 0.15));
        put(run, &def);
    }
    if (step % 11 == 5) {
        assert_ok(abut_world_apply_force(run->stage.world, run->ids[20], abut_vec3_make(0.02, 0, 0), abut_vec3_make(0, 0, 0)));
    }
}

static void test_dem(void **state) {
    (void)state;
    void (*const builds[])(plot_run *) = {build_grains, build_rolling_grains, build_lumps};
    for (int i = 0; i < 3; i++) {
        plot grains = make_plot(i == 0   ? "grains"
                                : i == 1 ? "rolling grains"
                                         : "lumps",
                                ABUT_STEPPER_DEM, 1e-3, 100, builds[i], act_on_grains);
        grains.def.dem.periodic[0] = grains.def.dem.periodic[1] = true;
        grains.def.dem.upper = abut_vec3_make(0.09, 0.09, 1.0);
        play(&grains);
    }
}

/* ---- values that were changed since the world was built ---- */

/* Changes that are not the same twice, so that each value has its step. Ids of removed bodies are left alone. */
static void change_values(plot_run *run, int32_t step) {
    abut_world *world = run->stage.world;
    if (step % 8 == 1) {
        assert_ok(abut_world_set_gravity(world, abut_vec3_make(0.3 * (step % 5), -0.2, -9.81 + 0.1 * step)));
    }
    for (int32_t i = step % 7; i < run->count; i += 7) {
        abut_body_info info;
        if (abut_world_body_info(world, run->ids[i], &info) != ABUT_OK) {
            continue;
        }
        assert_ok(abut_world_set_body_friction(world, run->ids[i], 0.1 + 0.01 * i));
        assert_ok(abut_world_set_body_restitution(world, run->ids[i], 0.02 * (i % 9)));
        assert_ok(abut_world_set_body_damping(world, run->ids[i], 0.01 * i, 0.02 * i));
        assert_ok(abut_world_set_body_gravity_scale(world, run->ids[i], 0.8 + 0.01 * i));
        if (info.kind == ABUT_BODY_DYNAMIC) {
            assert_ok(abut_world_set_body_mass(world, run->ids[i], info.mass * (i % 2 == 0 ? 1.07 : 0.95)));
        }
    }
}

static void change_pile(plot_run *run, int32_t step) {
    abut_world *world = run->stage.world;
    act_on_pile(run, step);
    change_values(run, step);
    if (step % 5 == 4) { /* some of them placed since the last step */
        abut_pose aside = abut_pose_identity();
        aside.position = abut_vec3_make(3.0, 0.1 * step, 0.5);
        assert_ok(abut_world_set_body_pose(world, run->ids[30], aside));
        assert_ok(abut_world_sleep_body(world, run->ids[30]));
        assert_ok(abut_world_sleep_body(world, run->ids[run->count - 1]));
        assert_ok(abut_world_apply_torque(world, run->ids[21], abut_vec3_make(1, 2, 3)));
        assert_ok(abut_world_apply_impulse(world, run->ids[22], abut_vec3_make(3, 0, 10), abut_vec3_make(0, 0, 1)));
        assert_ok(abut_world_wake_body(world, run->ids[23]));
    }
}

static void change_grains(plot_run *run, int32_t step) {
    act_on_grains(run, step);
    change_values(run, step);
}

static const plot *changed_plots(int32_t index) {
    static plot plots[4];
    plots[0] = make_plot("changed pile", ABUT_STEPPER_FIXED, 1.0 / 60.0, 60, build_pile, change_pile);
    plots[0].def.fixed.sleep_time = 0.2;
    plots[0].def.fixed.iterations = 4;
    plots[1] = make_plot("changed floor", ABUT_STEPPER_FIXED, 1.0 / 60.0, 40, build_floor, change_values);
    plots[2] = make_plot("changed dice", ABUT_STEPPER_EVENT, 1.0 / 60.0, 16, build_dice, change_values);
    plots[2].def.event.tolerance = 1e-5;
    plots[3] = make_plot("changed grains", ABUT_STEPPER_DEM, 1e-3, 40, build_grains, change_grains);
    return &plots[index];
}

static void test_changed_values(void **state) {
    (void)state;
    for (int32_t p = 0; p < 4; p++) {
        play(changed_plots(p));
    }
}

/* Changed values come with the saved state, into a world as it was built and into one with other changes; and a state without changes undoes
 * them. */
static void test_changes_replace_changes(void **state) {
    (void)state;
    for (int32_t p = 1; p < 3; p++) {
        const plot *plot = changed_plots(p);
        plot_run *changing = begin(plot, (abut_parallel){.threads = 1});
        size_t size[2];
        unsigned char *saved[2];
        saved[0] = save(changing->stage.world, &size[0]);
        for (int32_t i = 0; i < 9; i++) {
            (void)make_step(changing, i);
        }
        saved[1] = save(changing->stage.world, &size[1]);
        assert_int_equal(saved[0][8], 1);
        assert_int_equal(saved[1][8], 3);
        plot_run *fresh = begin(plot, (abut_parallel){.threads = 1}), *reused = begin(plot, (abut_parallel){.threads = 1});
        change_values(reused, 3);
        change_values(reused, 4);
        assert_ok(abut_world_restore(fresh->stage.world, saved[1], size[1]));
        assert_ok(abut_world_restore(reused->stage.world, saved[1], size[1]));
        for (int32_t i = 9; i < 14; i++) {
            const seen a = make_step(changing, i), b = make_step(fresh, i), c = make_step(reused, i);
            assert_true(is_same(&a, &b) && is_same(&a, &c));
        }
        assert_ok(abut_world_restore(reused->stage.world, saved[0], size[0]));
        end(fresh);
        fresh = begin(plot, (abut_parallel){.threads = 1});
        size_t again;
        unsigned char *same = save(reused->stage.world, &again);
        assert_int_equal(again, size[0]);
        assert_memory_equal(same, saved[0], again);
        for (int32_t i = 0; i < 9; i++) {
            const seen a = make_step(fresh, i), b = make_step(reused, i);
            assert_true(is_same(&a, &b));
        }
        free(same);
        free(saved[0]);
        free(saved[1]);
        end(changing);
        end(fresh);
        end(reused);
    }
}

/* Values that are set back to what they were leave the bytes of version 1. */
static void test_changes_undone(void **state) {
    (void)state;
    const plot *plot = changed_plots(1);
    plot_run *run = begin(plot, (abut_parallel){.threads = 1});
    size_t size, again;
    unsigned char *before = save(run->stage.world, &size);
    abut_body_id id = run->ids[3];
    abut_body_info info;
    assert_ok(abut_world_body_info(run->stage.world, id, &info));
    assert_ok(abut_world_set_body_mass(run->stage.world, id, 3.0 * info.mass));
    assert_ok(abut_world_set_gravity(run->stage.world, abut_vec3_make(1, 2, 3)));
    assert_ok(abut_world_set_body_mass(run->stage.world, id, info.mass));
    assert_ok(abut_world_set_gravity(run->stage.world, plot->def.gravity));
    unsigned char *after = save(run->stage.world, &again);
    assert_int_equal(again, size);
    assert_memory_equal(after, before, size);
    free(before);
    free(after);
    end(run);
}

/* A gravity scale of the definition is part of what a world is made of. */
static void test_foreign_scales(void **state) {
    (void)state;
    abut_world *worlds[2];
    size_t size;
    for (int32_t i = 0; i < 2; i++) {
        abut_shape *ball;
        assert_ok(abut_world_create(NULL, &worlds[i]));
        assert_ok(abut_shape_create_sphere(1, &ball));
        abut_body_def body = staging_body(ABUT_BODY_DYNAMIC, ball, abut_vec3_make(0, 0, 0));
        body.gravity_scale = i == 0 ? 1.0 : 0.5;
        assert_ok(abut_world_add_body(worlds[i], &body, NULL));
        abut_shape_release(ball);
    }
    unsigned char *saved = save(worlds[1], &size);
    assert_int_equal(saved[8], 1);
    assert_ok(abut_world_restore(worlds[1], saved, size));
    assert_status(abut_world_restore(worlds[0], saved, size), ABUT_ERROR_FOREIGN);
    free(saved);
    abut_world_destroy(worlds[0]);
    abut_world_destroy(worlds[1]);
}

/* ---- rejected data ---- */

enum { SMALL_PLOTS = 7 };

static const plot *small_plots(int32_t index) {
    static plot plots[SMALL_PLOTS];
    plots[0] = make_plot("floor", ABUT_STEPPER_FIXED, 1.0 / 60.0, 20, build_floor, do_nothing);
    plots[1] = make_plot("dice", ABUT_STEPPER_EVENT, 1.0 / 60.0, 6, build_dice, do_nothing);
    plots[1].def.event.tolerance = 1e-5;
    plots[2] = make_plot("grains", ABUT_STEPPER_DEM, 1e-3, 12, build_grains, do_nothing);
    plots[3] = make_plot("changed floor", ABUT_STEPPER_FIXED, 1.0 / 60.0, 10, build_floor, change_values);
    plots[4] = make_plot("rolling grains", ABUT_STEPPER_DEM, 1e-3, 12, build_rolling_grains, do_nothing);
    plots[5] = make_plot("lumps", ABUT_STEPPER_DEM, 1e-3, 12, build_lumps, do_nothing);
    plots[6] = make_plot("cells", ABUT_STEPPER_DEM, 1e-3, 12, build_cells, do_nothing);
    return &plots[index];
}

static unsigned char *saved_of(const plot *plot, int32_t steps, size_t *size) {
    plot_run *run = begin(plot, (abut_parallel){.threads = 1});
    for (int32_t i = 0; i < steps; i++) {
        (void)make_step(run, i);
    }
    unsigned char *saved = save(run->stage.world, size);
    end(run);
    return saved;
}

/* The world rejects it and is unchanged. */
static void refuse(plot_run *run, const unsigned char *saved, size_t size, abut_status why) {
    uint64_t hash = abut_world_hash(run->stage.world);
    assert_status(abut_world_restore(run->stage.world, saved, size), why);
    assert_true(abut_world_hash(run->stage.world) == hash);
}

static void test_damaged_states(void **state) {
    (void)state;
    random_state random = random_make(random_seed("test_damaged_states", 31));
    for (int32_t p = 0; p < SMALL_PLOTS; p++) {
        const plot *plot = small_plots(p);
        size_t size, after;
        unsigned char *saved = saved_of(plot, plot->steps, &size);
        plot_run *run = begin(plot, (abut_parallel){.threads = 1});
        unsigned char *before = save(run->stage.world, &after);
        size_t stride = size / 400 + 1;
        for (size_t cut = 0; cut < size; cut += cut < 100 || size - cut < 100 ? 1 : stride) {
            unsigned char *shorter = check_memory(cut + 1, 1); /* in a block of its own, so that reading past its end is detected */
            memcpy(shorter, saved, cut);
            refuse(run, shorter, cut, ABUT_ERROR_FORMAT);
            free(shorter);
        }
        for (int32_t i = 0; i < 400; i++) {
            size_t at = (size_t)random_below(&random, (int32_t)size);
            unsigned char flip = (unsigned char)(1 + random_below(&random, 255));
            saved[at] ^= flip;
            refuse(run, saved, size, ABUT_ERROR_FORMAT);
            saved[at] ^= flip;
        }
        unsigned char *longer = check_memory(size + 8, 1);
        memcpy(longer, saved, size);
        refuse(run, longer, size + 8, ABUT_ERROR_FORMAT);
        free(longer);
        unsigned char *unchanged = save(run->stage.world, &size);
        assert_int_equal(size, after);
        assert_memory_equal(unchanged, before, size);
        free(unchanged);
        free(before);
        free(saved);
        end(run);
    }
}

/* The last eight bytes are a digest of the bytes before them: src/base/digest.h. */
static void sign(unsigned char *saved, size_t size) {
    uint64_t digest = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size - 8; i += 8) {
        uint64_t word = 0;
        for (size_t k = 0; k < 8 && i + k < size - 8; k++) {
            word |= (uint64_t)saved[i + k] << 8 * k;
        }
        digest = (digest ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        digest ^= digest >> 32;
    }
    for (size_t k = 0; k < 8; k++) {
        saved[size - 8 + k] = (unsigned char)(digest >> 8 * k);
    }
}

/* Forged bytes with a valid checksum: nothing fails, whatever they contain. A world that accepted them can be changed and freed, and
 * stepped if the bodies were not forged; forged bodies may be so fast that a step takes for ever. */
static void test_forged_states(void **state) {
    (void)state;
    random_state random = random_make(random_seed("test_forged_states", 32));
    int32_t refused = 0, stepped = 0;
    for (int32_t p = 0; p < SMALL_PLOTS; p++) {
        const plot *plot = small_plots(p);
        size_t size;
        unsigned char *saved = saved_of(plot, plot->steps, &size);
        plot_run *right = begin(plot, (abut_parallel){.threads = 1});
        assert_ok(abut_world_restore(right->stage.world, saved, size));
        for (int32_t i = 0; i < 150; i++) {
            unsigned char *forged = check_memory(size, 1);
            memcpy(forged, saved, size);
            forged[random_below(&random, (int32_t)size - 8)] = (unsigned char)random_below(&random, 256);
            sign(forged, size);
            plot_run *run = begin(plot, (abut_parallel){.threads = 1});
            abut_status status = abut_world_restore(run->stage.world, forged, size);
            assert_true(status == ABUT_OK || status == ABUT_ERROR_FORMAT || status == ABUT_ERROR_FOREIGN ||
                        status == ABUT_ERROR_UNSUPPORTED);
            refused += status != ABUT_OK;
            if (status == ABUT_OK && abut_world_hash(run->stage.world) == abut_world_hash(right->stage.world)) {
                (void)abut_world_step(run->stage.world, plot->dt, NULL);
                stepped++;
            }
            (void)abut_world_remove_body(run->stage.world, run->ids[1]);
            free(forged);
            end(run);
        }
        free(saved);
        end(right);
    }
    assert_true(refused > 20 && stepped > 50);
}

static void test_another_version(void **state) {
    (void)state;
    const plot *plot = small_plots(0);
    size_t size;
    unsigned char *saved = saved_of(plot, 3, &size);
    plot_run *run = begin(plot, (abut_parallel){.threads = 1});
    assert_int_equal(saved[8], 1);
    for (int32_t version = 0; version < 256; version++) {
        saved[8] = (unsigned char)version;
        sign(saved, size);
        if (version != 1) { /* versions 3 to 10 have more at their end */
            refuse(run, saved, size, version >= 3 && version <= 10 ? ABUT_ERROR_FORMAT : ABUT_ERROR_UNSUPPORTED);
        }
    }
    saved[8] = 1;
    sign(saved, size);
    assert_ok(abut_world_restore(run->stage.world, saved, size));
    free(saved);
    end(run);
}

typedef struct variation {
    double gravity, margin, skin, radius, density, friction, offset, rolling, twisting;
    int32_t balls;
    bool removed, contracted; /* contracted: the balls have a contraction point of the caller */
} variation;

static abut_world *make_variation(const variation *v) {
    abut_world_def def = abut_world_def_default();
    def.stepper = ABUT_STEPPER_DEM;
    def.gravity.z = v->gravity;
    def.fixed.margin = v->margin;
    def.dem.skin = v->skin;
    abut_world *world = NULL;
    abut_shape *ball = NULL, *floor = NULL;
    assert_ok(abut_world_create(&def, &world));
    assert_ok(abut_shape_create_sphere(v->radius, &ball));
    if (v->contracted) {
        abut_shape *plain = ball;
        assert_ok(abut_shape_create_with_contraction(plain, abut_vec3_make(0, 0, 0), &ball));
        abut_shape_release(plain);
    }
    assert_ok(abut_shape_create_plane(abut_vec3_make(0, 0, 1), v->offset, &floor));
    abut_body_def body = staging_body(ABUT_BODY_STATIC, floor, abut_vec3_make(0, 0, 0));
    assert_ok(abut_world_add_body(world, &body, NULL));
    abut_body_id id = {0, 0};
    for (int32_t i = 0; i < v->balls; i++) {
        body = staging_body(ABUT_BODY_DYNAMIC, ball, abut_vec3_make(i, 0, 0.5));
        body.density = v->density;
        body.friction = v->friction;
        body.rolling_resistance = v->rolling;
        body.twisting_resistance = v->twisting;
        assert_ok(abut_world_add_body(world, &body, &id));
    }
    if (v->removed) {
        assert_ok(abut_world_remove_body(world, id));
    }
    abut_shape_release(ball);
    abut_shape_release(floor);
    return world;
}

static void test_foreign_worlds(void **state) {
    (void)state;
    const variation own = {.gravity = -9.81, .margin = 0.02, .skin = 0.3, .radius = 0.5, .density = 1000, .friction = 0.5, .balls = 3};
    variation others[12];
    for (int32_t i = 0; i < 12; i++) {
        others[i] = own;
    }
    others[0].gravity = -9.8;
    others[1].margin = 0.03;
    others[2].skin = 0.2;
    others[3].radius = 0.5000000001;
    others[4].density = 1001;
    others[5].friction = 0.4;
    others[6].offset = 1e-9;
    others[7].balls = 4;
    others[8].removed = true;
    others[9].contracted = true;
    others[10].rolling = 0.01;
    others[11].twisting = 0.01;
    abut_world *world = make_variation(&own);
    assert_ok(abut_world_step(world, 1e-3, NULL));
    size_t size;
    unsigned char *saved = save(world, &size);
    for (int32_t i = 0; i < 12; i++) {
        abut_world *other = make_variation(&others[i]);
        uint64_t hash = abut_world_hash(other);
        abut_status status = abut_world_restore(other, saved, size);
        if (status != ABUT_ERROR_FOREIGN || abut_world_hash(other) != hash) {
            fail_msg("world %d was not refused: %s", (int)i, abut_status_name(status));
        }
        abut_world_destroy(other);
    }
    abut_world *same = make_variation(&own);
    assert_ok(abut_world_restore(same, saved, size));
    assert_true(abut_world_hash(same) == abut_world_hash(world));
    free(saved);
    abut_world_destroy(same);
    abut_world_destroy(world);
}

/* Shapes of one size and kind are distinguished by their vertices, faces, radii and parts. */
static void test_foreign_shapes(void **state) {
    (void)state;
    enum { KINDS = 5 };
    unsigned char *saved[2 * KINDS];
    size_t size[2 * KINDS];
    abut_world *worlds[2 * KINDS];
    for (int32_t i = 0; i < 2 * KINDS; i++) {
        bool other = i % 2 == 1;
        abut_shape *shape = NULL, *part = NULL;
        double heights[] = {0, 0, 0, 0, other ? 0.25 : 0.5, 0.5, 0, 0.5, 1};
        const abut_heightfield_def field = {.heights = heights, .columns = 3, .rows = 3, .spacing_x = 1, .spacing_y = 1};
        const abut_vec3 corners[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        const int32_t faces[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3}, turned[] = {2, 1, 0, 0, 1, 3, 0, 3, 2, 1, 2, 3};
        abut_trimesh_def mesh = abut_trimesh_def_default();
        mesh.vertices = corners;
        mesh.vertex_count = 4;
        mesh.triangles = other ? turned : faces;
        mesh.triangle_count = 4;
        switch (i / 2) {
        case 0:
            assert_ok(abut_shape_create_heightfield(&field, &shape));
            break;
        case 1:
            assert_ok(abut_shape_create_trimesh(&mesh, NULL, &shape));
            break;
        case 2:
            assert_ok(abut_shape_create_superquadric(abut_vec3_make(1, 1, 1), other ? 0.8 : 0.7, 0.8, &shape));
            break;
        case 3:
            assert_ok(abut_shape_create_prism(1, 1, other ? 16 : 12, &shape));
            break;
        default: {
            assert_ok(abut_shape_create_sphere(1, &part));
            const abut_part parts[] = {
                {part, {{0, 0, 0}, {0, 0, 0, 1}}}, {part, {{other ? 0.5 : 0.25, 0, 0}, {0, 0, 0, 1}}}, {part, {{1, 0, 0}, {0, 0, 0, 1}}}};
            assert_ok(abut_shape_create_compound(parts, 3, &shape));
            abut_shape_release(part);
        }
        }
        abut_body_def body = staging_body(ABUT_BODY_STATIC, shape, abut_vec3_make(0, 0, 0));
        assert_ok(abut_world_create(NULL, &worlds[i]));
        assert_ok(abut_world_add_body(worlds[i], &body, NULL));
        abut_shape_release(shape);
        saved[i] = save(worlds[i], &size[i]);
    }
    for (int32_t i = 0; i < 2 * KINDS; i++) {
        for (int32_t k = 0; k < 2 * KINDS; k++) {
            assert_status(abut_world_restore(worlds[i], saved[k], size[k]), i == k ? ABUT_OK : ABUT_ERROR_FOREIGN);
        }
    }
    for (int32_t i = 0; i < 2 * KINDS; i++) {
        free(saved[i]);
        abut_world_destroy(worlds[i]);
    }
}

/* Into a world that is far ahead, with springs of its own: all its state is replaced. */
static void test_back_in_time(void **state) {
    (void)state;
    plot pile = make_plot("pile", ABUT_STEPPER_FIXED, 1.0 / 60.0, 40, build_pile, do_nothing);
    plot_run *run = begin(&pile, (abut_parallel){.threads = 1});
    for (int32_t i = 0; i < 20; i++) {
        (void)make_step(run, i);
    }
    size_t size;
    unsigned char *saved = save(run->stage.world, &size);
    seen first[20];
    for (int32_t i = 0; i < 20; i++) {
        first[i] = make_step(run, 20 + i);
    }
    abut_spring_def spring = abut_spring_def_default();
    spring.body = run->ids[7];
    assert_ok(abut_world_add_spring(run->stage.world, &spring, NULL));
    for (int32_t i = 0; i < 7; i++) {
        (void)make_step(run, 40 + i);
    }
    assert_ok(abut_world_restore(run->stage.world, saved, size));
    for (int32_t i = 0; i < 20; i++) {
        seen again = make_step(run, 20 + i);
        assert_true(is_same(&again, &first[i]));
    }
    /* Ids are those of the saved world: its springs can be removed, the later one is unknown. */
    assert_ok(abut_world_remove_spring(run->stage.world, run->spring));
    free(saved);
    end(run);
}

static void test_arguments(void **state) {
    (void)state;
    abut_world *world = NULL;
    assert_ok(abut_world_create(NULL, &world));
    unsigned char bytes[400], untouched[400];
    memset(bytes, 7, sizeof bytes);
    memset(untouched, 7, sizeof untouched);
    size_t size = 0;
    assert_status(abut_world_save(NULL, bytes, sizeof bytes, &size), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_world_save(world, bytes, sizeof bytes, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_world_save(world, NULL, sizeof bytes, &size), ABUT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(size, 0);
    assert_status(abut_world_save(world, NULL, 0, &size), ABUT_ERROR_CAPACITY);
    assert_true(size > 0 && size < sizeof bytes);
    size_t needed = size;
    assert_status(abut_world_save(world, bytes, needed - 1, &size), ABUT_ERROR_CAPACITY);
    assert_int_equal(size, needed);
    assert_memory_equal(bytes, untouched, sizeof bytes);
    assert_ok(abut_world_save(world, bytes, sizeof bytes, &size));
    assert_int_equal(size, needed);
    assert_memory_equal(bytes + size, untouched, sizeof bytes - size);
    assert_status(abut_world_restore(NULL, bytes, size), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_world_restore(world, NULL, size), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_world_restore(world, bytes, 0), ABUT_ERROR_FORMAT);
    assert_status(abut_world_restore(world, untouched, sizeof untouched), ABUT_ERROR_FORMAT);
    assert_ok(abut_world_restore(world, bytes, size));
    abut_world_destroy(world);
}

static void test_no_memory(void **state) {
    (void)state;
    for (int32_t p = 0; p < SMALL_PLOTS; p++) {
        const plot *plot = small_plots(p);
        size_t size, after;
        unsigned char *saved = saved_of(plot, plot->steps, &size);
        plot_run *run = begin(plot, (abut_parallel){.threads = 1});
        unsigned char *before = save(run->stage.world, &after);
        counting_allocator memory;
        int64_t refused = 0;
        do {
            memory = (counting_allocator){.refuse_at = refused++};
            counting_allocator_install(&memory);
            abut_status status = abut_world_save(run->stage.world, before, after, &after);
            counting_allocator_remove();
            assert_status(status, memory.refused ? ABUT_ERROR_OUT_OF_MEMORY : ABUT_OK);
            assert_int_equal(memory.live, 0);
        } while (memory.refused);
        assert_true(refused > 2);
        uint64_t hash = abut_world_hash(run->stage.world);
        static counting_allocator kept; /* outlives the world */
        refused = 0;
        do {
            kept = (counting_allocator){.refuse_at = refused++};
            counting_allocator_install(&kept);
            abut_status status = abut_world_restore(run->stage.world, saved, size);
            counting_allocator_remove();
            assert_status(status, kept.refused ? ABUT_ERROR_OUT_OF_MEMORY : ABUT_OK);
            if (kept.refused) {
                assert_int_equal(kept.live, 0);
                assert_true(abut_world_hash(run->stage.world) == hash);
            }
        } while (kept.refused);
        assert_true(refused > 6);
        free(before);
        free(saved);
        end(run);
        assert_int_equal(kept.live, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fixed),           cmocka_unit_test(test_fixed_on_meshes),
        cmocka_unit_test(test_event),           cmocka_unit_test(test_dem),
        cmocka_unit_test(test_changed_values),  cmocka_unit_test(test_changes_replace_changes),
        cmocka_unit_test(test_changes_undone),  cmocka_unit_test(test_foreign_scales),
        cmocka_unit_test(test_damaged_states),  cmocka_unit_test(test_forged_states),
        cmocka_unit_test(test_another_version), cmocka_unit_test(test_foreign_worlds),
        cmocka_unit_test(test_foreign_shapes),  cmocka_unit_test(test_back_in_time),
        cmocka_unit_test(test_arguments),       cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
