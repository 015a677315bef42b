/*
 * The kernels of the dem stepper: every instruction set, and every number of threads, gives the same state to the last bit. The force of a
 * pair is that of the law for two bodies (solve/pressure/pressure.c).
 */
#include "step/dem/kernel.h"

#include <abut/world.h>

#include <stdio.h>
#include <string.h>

#include "support/check.h"
#include "support/random.h"

static const char *const names[INSTRUCTION_SETS] = {"scalar", "sse2", "avx2", "avx512"};

/* The contents of a bed of balls. */
typedef struct bed {
    int32_t count, threads;
    bool periodic, adhesive, mixed; /* mixed: several materials, loads, bodies that do not move */
    bool linear;                    /* with the linear law, of some bodies if mixed */
    bool maugis;                    /* adhesion after Maugis, of some bodies */
    bool wet;                       /* with capillary bridges, of some bodies if mixed */
    bool rolling;                   /* with rolling and twisting resistance, of some bodies if mixed */
} bed;

static void add(abut_world *world, abut_shape *shape, abut_body_def def) {
    def.shape = shape;
    assert_ok(abut_world_add_body(world, &def, NULL));
    abut_shape_release(shape);
}

static void add_planes(abut_world *world, const bed *b, abut_body_def def) {
    static const double walls[5][4] = {{0, 0, 1, -0.5}, {1, 0, 0, -0.4}, {-1, 0, 0, -0.4}, {0, 1, 0, -0.4}, {0, -1, 0, -0.4}};
    def.kind = b->mixed ? ABUT_BODY_KINEMATIC : ABUT_BODY_STATIC;
    def.motion.linear = b->mixed ? abut_vec3_make(0.02, 0.01, 0.03) : abut_vec3_make(0, 0, 0);
    for (int i = 0; i < (b->periodic ? 1 : 5); ++i) {
        abut_shape *shape = NULL;
        assert_ok(abut_shape_create_plane(abut_vec3_make(walls[i][0], walls[i][1], walls[i][2]), walls[i][3], &shape));
        add(world, shape, def);
    }
}

static void add_balls(abut_world *world, const bed *b, abut_body_def def) {
    random_state random = random_make(501);
    for (int32_t i = 0; i < b->count; ++i) { /* layers of five by five */
        abut_shape *shape = NULL;
        abut_body_def own = def;
        abut_vec3 place = abut_vec3_make(0.155 * (i % 5 - 2), 0.155 * (i / 5 % 5 - 2), 0.14 * (i / 25));
        own.pose.position = abut_add(place, random_vec3(&random, -0.005, 0.005));
        own.motion.linear = random_vec3(&random, -0.5, 0.5);
        own.motion.angular = random_vec3(&random, -50.0, 50.0); /* some rotate by more than the range of the kernels' series */
        if (b->mixed) {
            own.friction = i % 3 == 0 ? 0.0 : 0.5;
            own.restitution = i % 3 == 0 ? 1.0 : 0.2;
            own.linear_damping = i % 4 == 0 ? 0.5 : 0.0;
            own.angular_damping = i % 5 == 0 ? 0.5 : 0.0;
            own.kind = i % 17 == 3 ? ABUT_BODY_STATIC : i % 17 == 7 ? ABUT_BODY_KINEMATIC : ABUT_BODY_DYNAMIC;
        }
        if (b->rolling && b->mixed) {
            own.rolling_resistance = i % 2 == 0 ? 0.3 : 0.0;
            own.twisting_resistance = i % 3 == 0 ? 0.2 : 0.0;
        }
        if (b->linear && b->mixed) {
            own.contact_stiffness = i % 4 < 2 ? 2e5 : 0.0;
        }
        own.adhesion_strength = b->maugis && i % 3 > 0 ? 2e5 : 0.0;
        own.liquid_volume = b->wet && (!b->mixed || i % 3 < 2) ? 1e-6 : 0.0;
        own.adhesion_work = b->adhesive && i % 2 == 0 ? 5.0 : 0.0;
        assert_ok(abut_shape_create_sphere(random_range(&random, 0.05, 0.07), &shape));
        add(world, shape, own);
    }
}

static abut_world *make_world(const bed *b) {
    abut_world_def def = abut_world_def_default();
    def.stepper = ABUT_STEPPER_DEM;
    def.parallel.threads = b->threads;
    if (b->periodic) {
        def.dem.periodic[0] = def.dem.periodic[1] = true;
        def.dem.lower = abut_vec3_make(-0.4, -0.4, 0);
        def.dem.upper = abut_vec3_make(0.4, 0.4, 1);
    }
    abut_world *world = NULL;
    assert_ok(abut_world_create(&def, &world));
    abut_body_def body = abut_body_def_default();
    body.restitution = 0.2;
    body.friction = 0.4;
    body.adhesion_work = b->adhesive ? 5.0 : 0.0;
    body.rolling_resistance = b->rolling && !b->mixed ? 0.1 : 0.0;
    body.twisting_resistance = b->rolling ? 0.05 : 0.0;
    body.contact_stiffness = b->linear ? 1e5 : 0.0;
    body.liquid_volume = b->wet ? 1e-6 : 0.0;
    body.adhesion_strength = b->maugis ? 2e5 : 0.0;
    body.surface_tension = b->wet ? 10.0 : 0.0;
    add_planes(world, b, body);
    add_balls(world, b, body);
    return world;
}

/* The state, and the sums of the report. */
typedef struct outcome {
    uint64_t hash;
    abut_dem_report report;
    int32_t contacts;
} outcome;

static outcome run(const bed *b) {
    abut_world *world = make_world(b);
    abut_step_report r;
    outcome out;
    for (int i = 0; i < 60; ++i) {
        assert_ok(abut_world_step(world, 1e-2, &r));
    }
    memset(&out, 0, sizeof out);
    out.hash = abut_world_hash(world);
    out.report = r.dem;
    out.contacts = r.contacts;
    abut_world_destroy(world);
    return out;
}

static bool same(const outcome *p, const outcome *q) {
    const abut_dem_report *a = &p->report, *b = &q->report;
    return p->hash == q->hash && p->contacts == q->contacts && a->steps == b->steps && a->lists == b->lists && a->near == b->near &&
           a->sliding == b->sliding && a->elastic_energy == b->elastic_energy && a->spring_energy == b->spring_energy &&
           a->damping_work == b->damping_work && a->friction_work == b->friction_work && a->residual == b->residual;
}

static void compare(const char *name, bed b) {
    outcome first = {0};
    for (int level = INSTRUCTIONS_SCALAR; level < INSTRUCTION_SETS; ++level) {
        for (b.threads = 1; b.threads <= 2; ++b.threads) {
            if (!dem_kernel_use((instruction_set)level)) {
                continue;
            }
            outcome now = run(&b);
            if (level == INSTRUCTIONS_SCALAR && b.threads == 1) {
                first = now;
                printf("%s: %d contacts, %d sliding, lost %.6g\n", name, (int)now.contacts, (int)now.report.sliding,
                       now.report.friction_work);
                assert_true(now.contacts > b.count / 3);
            }
            if (!same(&first, &now)) {
                fail_msg("%s: %s with %d threads differs", name, names[level], (int)b.threads);
            }
        }
    }
    (void)dem_kernel_use(instruction_set_best());
}

static void test_levels_heap(void **state) {
    (void)state;
    compare("heap", (bed){.count = 131});
}

static void test_levels_mixed(void **state) {
    (void)state;
    compare("mixed", (bed){.count = 131, .mixed = true});
}

static void test_levels_periodic(void **state) {
    (void)state;
    compare("periodic", (bed){.count = 131, .periodic = true});
}

static void test_levels_adhesive(void **state) {
    (void)state;
    compare("adhesive", (bed){.count = 131, .adhesive = true, .mixed = true});
}

static void test_levels_rolling(void **state) {
    (void)state;
    compare("rolling", (bed){.count = 131, .rolling = true});
    compare("rolling, mixed", (bed){.count = 131, .rolling = true, .mixed = true});
    compare("rolling, adhesive", (bed){.count = 131, .rolling = true, .adhesive = true, .periodic = true});
}

static void test_levels_linear(void **state) {
    (void)state;
    compare("linear", (bed){.count = 131, .linear = true});
    compare("linear, mixed", (bed){.count = 131, .linear = true, .mixed = true, .rolling = true});
}

static void test_levels_wet(void **state) {
    (void)state;
    compare("wet, mixed", (bed){.count = 131, .wet = true, .mixed = true, .rolling = true, .linear = true});
    compare("wet, adhesive", (bed){.count = 131, .wet = true, .mixed = true, .adhesive = true, .maugis = true, .periodic = true});
}

/* ---- one pair, compared with the law for two bodies ---- */

/* A system of two balls, or of a ball and a plane, without a world. */
typedef struct two {
    dem_system system;
    dem_body bodies[2];
    dem_sphere spheres[2];
    dem_plane plane;
    dem_near pair;
    uint16_t touching;
    dem_block block;
    dem_contact contacts[2]; /* the first one stays zero */
    dem_roll rolls[2];
    abut_pressure_law law;
    dem_law_row row;
} two;

static dem_law_row row_of(const abut_pressure_law *law) {
    double ratio = 2.0 * sqrt(5.0 / 6.0) * law->damping;
    return (dem_law_row){.pressing = 4.0 / 3.0 * law->modulus,
                         .damper = ratio * sqrt(2.0 * law->modulus),
                         .slide_damper = ratio * sqrt(2.0 / 7.0 * 8.0 * law->shear_modulus),
                         .shear = 8.0 * law->shear_modulus,
                         .friction = law->friction};
}

static void make_two(two *t, random_state *random, bool plane) {
    const abut_material material = {1e7, 0.3};
    memset(t, 0, sizeof *t);
    assert_ok(abut_pressure_law_make(&material, &material, &t->law));
    t->law.damping = random_range(random, 0.0, 1.2);
    t->law.friction = random_range(random, 0.05, 0.8);
    t->row = row_of(&t->law);
    for (int i = 0; i < 2; ++i) {
        t->spheres[i].radius = random_range(random, 0.5, 2.0);
        t->bodies[i] = (dem_body){.velocity = random_vec3(random, -0.1, 0.1),
                                  .inverse_mass = random_range(random, 0.1, 1.0),
                                  .angular_velocity = random_vec3(random, -0.1, 0.1)};
    }
    double overlap = random_range(random, 1e-3, 0.02);
    abut_vec3 normal = abut_unit(random_vec3(random, -1.0, 1.0));
    if (plane) {
        t->spheres[1].radius = INFINITY;
        t->bodies[1].inverse_mass = 0.0;
        t->bodies[1].angular_velocity = abut_vec3_make(0, 0, 0);
        t->plane = (dem_plane){normal, 0.3};
        t->spheres[0].centre = abut_scale(0.3 + t->spheres[0].radius - overlap, normal);
    } else {
        t->spheres[0].centre = abut_scale(t->spheres[0].radius + t->spheres[1].radius - overlap, normal);
    }
    t->pair = (dem_near){.a = 0, .b = 1};
    t->touching = 1;
    t->block = (dem_block){.contacts = t->contacts, .rolls = t->rolls, .count = 1, .capacity = 2, .roll_capacity = 2};
    dem_contact *c = &t->contacts[1];
    c->normal = abut_unit(abut_add(normal, random_vec3(random, -1e-2, 1e-2)));
    abut_vec3 old = random_vec3(random, -2e-3, 2e-3);
    c->stretch = abut_add_scaled(old, -abut_dot(old, c->normal), c->normal);
    c->stiffness = random_range(random, 1e5, 3e7);
    t->system = (dem_system){.bodies = t->bodies,
                             .spheres = t->spheres,
                             .planes = &t->plane,
                             .body_count = 2,
                             .ball_count = plane ? 1 : 2,
                             .round_count = plane ? 1 : 2,
                             .laws = &t->law,
                             .law_rows = &t->row,
                             .kind_count = 1,
                             .pairs = &t->pair,
                             .pair_count = 1,
                             .touching = &t->touching,
                             .blocks = &t->block,
                             .block_count = 1};
}

static dem_tally press_one(two *t, double h) {
    const dem_kernel_table *kernel = dem_kernel_get();
    int32_t list[DEM_LIST], count = kernel->find(&t->system, 0, 1, list);
    assert_int_equal(count, 1);
    kernel->press(&t->system, h, &t->block, list, count);
    assert_int_equal(t->block.count, 1);
    assert_int_equal(t->touching, 1);
    return t->block.tally;
}

/* From parts of the law that other tests check: the disc, its damping, and the sliding spring. */
static abut_vec3 expected_force(const two *t, double h, pressure_spring *spring) {
    const dem_body *a = &t->bodies[0], *b = &t->bodies[1];
    const dem_sphere *p = &t->spheres[0], *q = &t->spheres[1];
    bool plane = isinf(q->radius);
    abut_vec3 way = abut_sub(p->centre, q->centre), n = plane ? t->plane.normal : abut_unit(way);
    double overlap = plane ? p->radius - (abut_dot(n, p->centre) - t->plane.offset) : p->radius + q->radius - abut_length(way);
    double radius = plane ? p->radius : p->radius * q->radius / (p->radius + q->radius), mass = 1.0 / (a->inverse_mass + b->inverse_mass);
    pressure_disc disc;
    assert_true(pressure_disc_of(&t->law, radius, overlap, true, &disc));
    abut_vec3 arm_a = abut_scale(-(p->radius - 0.5 * overlap), n), arm_b = abut_scale(plane ? 0.0 : q->radius - 0.5 * overlap, n);
    abut_vec3 v = abut_sub(abut_add(a->velocity, abut_cross(a->angular_velocity, arm_a)),
                           abut_add(b->velocity, abut_cross(b->angular_velocity, arm_b)));
    double damping = -2.0 * sqrt(5.0 / 6.0) * t->law.damping * sqrt(mass * 2.0 * t->law.modulus * disc.radius) * abut_dot(v, n);
    double force = disc.pressing + fmax(damping, -disc.pressing), k = 8.0 * t->law.shear_modulus * disc.radius;
    pressure_slide slide = {.normal = n,
                            .way = abut_scale(h, v),
                            .spin = 0.5 * h * abut_dot(abut_add(a->angular_velocity, b->angular_velocity), n),
                            .stiffness = k,
                            .limit = t->law.friction * force,
                            .velocity = v,
                            .damper = pressure_damper(&t->law, mass, k)};
    const dem_contact *m = &t->contacts[1];
    const abut_pressure_memory before = {.stretch = m->stretch, .normal = m->normal, .stiffness = m->stiffness};
    *spring = pressure_slide_on(&before, &slide);
    return abut_add_scaled(spring->force, force, n);
}

static void test_one_pair(void **state) {
    (void)state;
    random_state random = random_make(random_seed("pair", 502));
    int32_t sliding = 0, count = random_samples("pair", 4000);
    for (int32_t i = 0; i < count; ++i) {
        two t;
        make_two(&t, &random, i % 3 == 0);
        pressure_spring spring;
        const double h = 1e-3;
        abut_vec3 expected = expected_force(&t, h, &spring);
        const dem_tally tally = press_one(&t, h);
        double size = abut_length(expected);
        assert_vec3_near(t.contacts[1].force, expected, 1e-9 * size);
        assert_vec3_near(t.contacts[1].turn, abut_cross(t.contacts[1].normal, expected), 1e-9 * size);
        assert_vec3_near(t.contacts[1].stretch, spring.stretch, 1e-9 * (abut_length(spring.stretch) + 1e-6));
        assert_near(tally.rubbed, spring.lost, 1e-8 * (spring.lost + size * 1e-3));
        assert_int_equal(tally.touching, 1);
        assert_int_equal(tally.sliding, spring.sliding);
        sliding += spring.sliding;
    }
    printf("%d of %d slide\n", (int)sliding, (int)count);
    assert_true(sliding > count / 20 && sliding < count - count / 20);
}

/* The force of a pair with the linear law is that of the contact of two whole surfaces with this law. */
static void test_one_linear_pair(void **state) {
    (void)state;
    random_state random = random_make(random_seed("linear pair", 504));
    int32_t count = random_samples("linear pair", 2000);
    for (int32_t i = 0; i < count; ++i) {
        two t;
        make_two(&t, &random, false);
        t.law.stiffness = random_range(&random, 1e5, 1e7);
        double shear = pressure_linear_shear(&t.law), h = 1e-4;
        t.row = (dem_law_row){.pressing = t.law.stiffness,
                              .damper = 2.0 * t.law.damping * sqrt(t.law.stiffness),
                              .slide_damper = pressure_damper(&t.law, 1.0, shear),
                              .shear = shear,
                              .friction = t.law.friction,
                              .linear = 1.0};
        t.system.linear = t.system.other_laws = true;
        const bool touched = i % 2 == 0;
        t.touching = touched;
        t.block.count = touched;
        const dem_body *a = &t.bodies[0], *b = &t.bodies[1];
        const dem_sphere *p = &t.spheres[0], *q = &t.spheres[1];
        abut_vec3 way = abut_sub(p->centre, q->centre), n = abut_unit(way);
        double gap = abut_length(way) - p->radius - q->radius;
        const dem_contact *m = &t.contacts[1];
        abut_pressure_memory memory[2] = {
            {.surface_a = 0, .surface_b = 0, .stretch = m->stretch, .normal = m->normal, .stiffness = m->stiffness}};
        abut_pressure_history before = {&memory[0], touched ? 1 : 0, 1}, after = {&memory[1], 0, 1};
        const abut_pressure_body bodies[2] = {{p->centre, {a->velocity, a->angular_velocity}, a->inverse_mass},
                                              {q->centre, {b->velocity, b->angular_velocity}, b->inverse_mass}};
        abut_vec3 middle = abut_add_scaled(q->centre, q->radius + 0.5 * gap, n);
        const abut_facet_contact contact = {.relation = ABUT_FACET_CONTACT,
                                            .normal = n,
                                            .radius = p->radius * q->radius / (p->radius + q->radius),
                                            .gap = gap,
                                            .sphere_gap = gap,
                                            .point = middle,
                                            .centre = middle};
        abut_pressure_result expected;
        assert_ok(abut_pressure_pair(&contact, NULL, 1, &t.law, bodies, h, &before, &after, &expected));
        const dem_tally tally = press_one(&t, h);
        double size = abut_length(expected.force);
        assert_vec3_near(t.contacts[1].force, expected.force, 1e-9 * size);
        assert_vec3_near(t.contacts[1].stretch, memory[1].stretch, 1e-9 * (abut_length(memory[1].stretch) + 1e-6));
        assert_near(tally.elastic, expected.elastic_energy, 1e-9 * expected.elastic_energy);
        assert_near(tally.damped, h * expected.damping_power, 1e-9 * h * expected.damping_power + 1e-15 * size);
    }
}

/* The moments of a pair are those of the law for two bodies. */
static void test_one_rolling_pair(void **state) {
    (void)state;
    random_state random = random_make(random_seed("rolling pair", 503));
    int32_t count = random_samples("rolling pair", 2000);
    for (int32_t i = 0; i < count; ++i) {
        two t;
        make_two(&t, &random, i % 3 == 0);
        const double h = 1e-3;
        t.law.rolling_resistance = random_range(&random, 0.0, 0.2);
        t.law.twisting_resistance = random_range(&random, 0.0, 0.2);
        dem_roll *rolled = &t.rolls[1];
        *rolled = (dem_roll){.stretch = random_vec3(&random, -1e-3, 1e-3), .stiffness = random_range(&random, 1e5, 3e7)};
        const pressure_turned before = {t.contacts[1].normal, rolled->stretch, rolled->stiffness};
        t.system.rolls = true;
        pressure_spring spring;
        abut_vec3 force = expected_force(&t, h, &spring);
        const dem_body *a = &t.bodies[0], *b = &t.bodies[1];
        const dem_sphere *p = &t.spheres[0], *q = &t.spheres[1];
        const dem_tally tally = press_one(&t, h);
        abut_vec3 n = t.contacts[1].normal;
        bool plane = isinf(q->radius);
        double overlap = 2.0 * (p->radius - t.contacts[1].arm_a),
               radius = plane ? p->radius : p->radius * q->radius / (p->radius + q->radius);
        pressure_roll now = {.normal = n,
                             .turning = abut_sub(a->angular_velocity, b->angular_velocity),
                             .spin = 0.5 * h * abut_dot(abut_add(a->angular_velocity, b->angular_velocity), n),
                             .radius = radius,
                             .stiffness = 8.0 * t.law.shear_modulus * sqrt(radius * overlap),
                             .force = fmax(abut_dot(force, n), 0.0),
                             .mass = 1.0 / (a->inverse_mass + b->inverse_mass),
                             .time_step = h};
        pressure_rolled expected = pressure_roll_on(&t.law, &before, &now);
        assert_vec3_near(rolled->moment, expected.moment, 1e-8 * (abut_length(expected.moment) + 1e-9));
        assert_vec3_near(rolled->stretch, expected.roll, 1e-8 * (abut_length(expected.roll) + 1e-9));
        assert_near(tally.rubbed, spring.lost + expected.lost, 1e-8 * (spring.lost + expected.lost + abut_length(force) * 1e-3));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_levels_heap),      cmocka_unit_test(test_levels_mixed),   cmocka_unit_test(test_levels_periodic),
        cmocka_unit_test(test_levels_adhesive),  cmocka_unit_test(test_levels_rolling), cmocka_unit_test(test_one_pair),
        cmocka_unit_test(test_one_rolling_pair), cmocka_unit_test(test_levels_linear),  cmocka_unit_test(test_one_linear_pair),
        cmocka_unit_test(test_levels_wet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
