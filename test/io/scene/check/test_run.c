/*
 * A scene that loads runs to its end, and a scene that is refused could not: every stepper with every kind of shape, alone and on every other kind. The upper
 * body is dynamic or kinematic, the lower one static, kinematic or dynamic. The bodies meet within the first steps, or late. A refused scene is judged by a
 * world that is built by hand from the same bodies. A refusal tells the place, the body, and what to do.
 */
#include "io/scene/simulation.h"
#include "support/io_files.h"
#include "support/random.h"

#define FACETS "\"vertices\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], \"triangles\": [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]"
/* An octahedron whose facets are those of a ball. */
#define BALL                                                                                                             \
    "\"vertices\": [[0.5, 0, 0], [-0.5, 0, 0], [0, 0.5, 0], [0, -0.5, 0], [0, 0, 0.5], [0, 0, -0.5]], \"radius\": 0.5, " \
    "\"triangles\": [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]]"

static const char *const shapes[] = {
    "{\"sphere\": {\"radius\": 0.5}}",
    "{\"capsule\": {\"radius\": 0.3, \"half_length\": 0.3}}",
    "{\"box\": {\"half\": [0.5, 0.5, 0.5]}}",
    "{\"ellipsoid\": {\"half\": [0.5, 0.4, 0.5]}}",
    "{\"superquadric\": {\"half\": [0.5, 0.5, 0.5], \"exponents\": [0.5, 0.5]}}",
    "{\"cylinder\": {\"radius\": 0.5, \"half_height\": 0.5}}",
    "{\"cone\": {\"radius\": 0.5, \"height\": 1}}",
    "{\"prism\": {\"radius\": 0.5, \"half_height\": 0.5, \"sides\": 8}}",
    "{\"pyramid\": {\"radius\": 0.5, \"height\": 1, \"sides\": 8}}",
    "{\"polytope\": {\"vertices\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], \"faces\": [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]}}",
    "{\"compound\": [{\"shape\": {\"box\": {\"half\": [0.5, 0.5, 0.5]}}}, {\"shape\": {\"sphere\": {\"radius\": 0.6}}}]}",
    "{\"compound\": [{\"shape\": {\"box\": {\"half\": [0.5, 0.5, 0.5]}}}, {\"shape\": {\"cone\": {\"radius\": 0.5, \"height\": 0.8}}}]}",
    "{\"trimesh\": {" FACETS "}}",
    "{\"facetmesh\": {" BALL "}}",
    "{\"plane\": {\"normal\": [0, 0, 1], \"offset\": 0.5}}",
    "{\"heightfield\": {\"heights\": [[0.5, 0.6], [0.5, 0.7]], \"spacing\": [1, 1]}}",
    "{\"trimesh\": {\"vertices\": [[-1, -1, 0.2], [1, -1, 0.2], [0, 1, 0.2]], \"triangles\": [[0, 1, 2]]}}",
};

enum { SHAPES = sizeof shapes / sizeof *shapes, STEPPERS = 3, KINDS = 3, STEPS = 60, FEW_STEPS = 30, DEM = 2, ALONE = -1 };

static const char *const stepper_names[] = {"fixed", "event", "dem"};
static const abut_stepper steppers[] = {ABUT_STEPPER_FIXED, ABUT_STEPPER_EVENT, ABUT_STEPPER_DEM};
static const char *const kind_names[] = {"static", "kinematic", "dynamic"};
static const abut_body_kind kinds[] = {ABUT_BODY_STATIC, ABUT_BODY_KINEMATIC, ABUT_BODY_DYNAMIC};

/* At a speed of 1 and steps of 0.01 the bodies meet in step 2 or later, or about step 30. */
static const double gaps[] = {0.015, 0.3}, dt = 0.01;

/* One scene: a body that comes down on another one, or is alone. */
typedef struct question {
    int stepper, upper, lower;
    int kind;      /* of the lower body */
    int late;      /* 1: the bodies meet late */
    bool driven;   /* the upper body is kinematic, and else dynamic */
    double height; /* of the upper body's frame */
} question;

/* The dem stepper takes all kinds, and many short steps. */
static int steps_of(const question *q) { return q->stepper == DEM && !q->late ? FEW_STEPS : STEPS; }

static abut_body_kind upper_kind(const question *q) { return q->driven ? ABUT_BODY_KINEMATIC : ABUT_BODY_DYNAMIC; }

/* A kinematic body may come from behind a surface, or be a half-space that the other body is in. */
static bool must_meet(const question *q) { return q->lower != ALONE && !q->driven; }

/* ---- the shapes ---- */

typedef struct known {
    abut_scene *scene; /* one static body */
    const abut_shape *shape;
    abut_aabb bounds;
} known;

static known all[SHAPES];

static int read_shapes(void **state) {
    (void)state;
    for (int i = 0; i < SHAPES; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "{\"abut_scene\": 1, \"duration\": 1, \"bodies\": [{\"name\": \"b\", \"kind\": \"static\", \"shape\": %s}]}", shapes[i]);
        abut_scene *scene = right_scene(text);
        const abut_shape *shape = abut_scene_body_def(scene, 0)->shape;
        all[i] = (known){scene, shape, abut_shape_bounds(shape, abut_pose_identity())};
    }
    return 0;
}

static int free_shapes(void **state) {
    (void)state;
    for (int i = 0; i < SHAPES; i++) {
        abut_scene_destroy(all[i].scene);
    }
    return 0;
}

static question ask(int stepper, int upper, int lower, int kind, int late, bool driven) {
    double bottom = all[upper].bounds.lower.z, top = lower == ALONE ? 0.0 : all[lower].bounds.upper.z;
    return (question){stepper, upper, lower, kind, late, driven, top - (isfinite(bottom) ? bottom : 0.0) + gaps[late]};
}

static void print_question(const question *q) {
    print_error("%s: %s %s on %s %s, %s: ", stepper_names[q->stepper], q->driven ? "kinematic" : "dynamic", shapes[q->upper],
                q->lower == ALONE ? "" : kind_names[q->kind], q->lower == ALONE ? "nothing" : shapes[q->lower], q->late ? "late" : "soon");
}

/* ---- a scene ---- */

static abut_status load(const question *q, abut_scene **scene, abut_error *error) {
    char text[2048];
    bool alone = q->lower == ALONE;
    snprintf(
        text, sizeof text,
        "{\"abut_scene\": 1, \"duration\": %g, \"dt\": %g, \"gravity\": [0, 0, -1], \"stepper\": {\"kind\": \"%s\"}, \"bodies\": [\n"
        "{\"name\": \"upper\", \"kind\": \"%s\", \"position\": [0.1, 0.1, %.17g], \"velocity\": [0, 0, -1], \"shape\": %s}%s%s%s%s%s]}",
        steps_of(q) * dt, dt, stepper_names[q->stepper], q->driven ? "kinematic" : "dynamic", q->height, shapes[q->upper],
        alone ? "" : ",\n{\"name\": \"lower\", \"kind\": \"", alone ? "" : kind_names[q->kind],
        alone ? "" : "\", \"shape\": ", alone ? "" : shapes[q->lower], alone ? "" : "}");
    return parse_scene(text, scene, error);
}

/* Whether the upper body does not move as it would if it were alone. */
static bool is_disturbed(const abut_simulation *simulation) {
    abut_body_state state;
    assert_ok(abut_world_body_state(abut_simulation_world(simulation), abut_simulation_body_id(simulation, 0), &state));
    double speed = 1.0 + abut_simulation_time(simulation);
    return abut_distance_between(state.motion.linear, abut_vec3_make(0, 0, -speed)) > 1e-6;
}

/* Runs the scene to its end. */
static abut_status run(const question *q, abut_scene *scene, bool *met, abut_error *error) {
    abut_simulation *simulation = NULL;
    abut_scene_set_parallel(scene, (abut_parallel){.threads = 1});
    abut_status status = abut_simulation_create(scene, &simulation, error);
    while (status == ABUT_OK && !abut_simulation_finished(simulation)) {
        status = abut_simulation_step(simulation, NULL, error);
    }
    assert_true(status != ABUT_OK || abut_simulation_step_index(simulation) == steps_of(q));
    *met = status == ABUT_OK && is_disturbed(simulation);
    abut_simulation_destroy(simulation);
    return status;
}

/* ---- the same by hand ---- */

static abut_status add(abut_world *world, const abut_shape *shape, abut_body_kind kind, abut_vec3 position, abut_vec3 velocity) {
    abut_body_def def = abut_body_def_default();
    def.shape = shape;
    def.kind = kind;
    def.pose.position = position;
    def.motion.linear = velocity;
    return abut_world_add_body(world, &def, NULL);
}

static abut_status run_by_hand(const question *q) {
    abut_world_def def = abut_world_def_default();
    abut_world *world = NULL;
    def.stepper = steppers[q->stepper];
    def.gravity = abut_vec3_make(0, 0, -1);
    def.parallel.threads = 1;
    assert_ok(abut_world_create(&def, &world));
    abut_status status = add(world, all[q->upper].shape, upper_kind(q), abut_vec3_make(0.1, 0.1, q->height), abut_vec3_make(0, 0, -1));
    if (status == ABUT_OK && q->lower != ALONE) {
        status = add(world, all[q->lower].shape, kinds[q->kind], abut_vec3_make(0, 0, 0), abut_vec3_make(0, 0, 0));
    }
    for (int i = 0; i < steps_of(q) && status == ABUT_OK; i++) {
        status = abut_world_step(world, dt, NULL);
    }
    abut_world_destroy(world);
    return status;
}

/* ---- both ---- */

typedef struct counts {
    int loaded, refused, wrong, apart, vague;
} counts;

/* The line of a body of the scene, its name, and what to do instead. */
static bool is_helpful(const char *message) {
    int line = 0, column = 0;
    bool placed = sscanf(strrchr(message, '/'), "/scene.json:%d:%d: ", &line, &column) == 2 && column > 1;
    return placed && strstr(message, line == 2 ? "'upper'" : "'lower'") &&
           (strstr(message, "; use ") || strstr(message, "; make ") || strstr(message, "; close ") || strstr(message, "; move "));
}

static void compare(const question *q, counts *c) {
    abut_scene *scene = NULL;
    abut_error error = {ABUT_OK, ""};
    bool met = false;
    if (load(q, &scene, &error) == ABUT_OK) {
        abut_status status = run(q, scene, &met, &error);
        c->loaded++;
        c->wrong += status != ABUT_OK;
        c->apart += status == ABUT_OK && !met && must_meet(q);
        if (status != ABUT_OK || (!met && must_meet(q))) {
            print_question(q);
            print_error("it loads, and %s\n", status != ABUT_OK ? error.message : "the bodies do not meet");
        }
        abut_scene_destroy(scene);
        return;
    }
    c->refused++;
    if (run_by_hand(q) == ABUT_OK) {
        c->wrong++;
        print_question(q);
        print_error("it could run, and is refused: %s\n", error.message);
    } else if (!is_helpful(error.message)) {
        c->vague++;
        print_question(q);
        print_error("%s\n", error.message);
    }
}

static void expect_agreement(const counts *c) {
    print_message("%d scenes run, %d are refused\n", c->loaded, c->refused);
    assert_int_equal(c->wrong, 0);
    assert_int_equal(c->apart, 0);
    assert_int_equal(c->vague, 0);
    assert_true(c->loaded > 0);
}

static void test_one_body(void **state) {
    (void)state;
    counts c = {0};
    for (int stepper = 0; stepper < STEPPERS; stepper++) {
        for (int i = 0; i < 2 * SHAPES; i++) {
            question q = ask(stepper, i / 2, ALONE, 0, 0, i % 2 == 1);
            compare(&q, &c);
        }
    }
    expect_agreement(&c);
}

static void test_two_bodies(int stepper) {
    counts c = {0};
    for (int i = 0; i < SHAPES * SHAPES; i++) {
        for (int kind = 0; kind < KINDS; kind++) {
            for (int late = 0; late < 2; late++) {
                question falls = ask(stepper, i / SHAPES, i % SHAPES, kind, late, false);
                question comes = ask(stepper, i / SHAPES, i % SHAPES, kind, late, true);
                compare(&falls, &c);
                compare(&comes, &c);
            }
        }
    }
    expect_agreement(&c);
}

static void test_two_bodies_fixed(void **state) {
    (void)state;
    test_two_bodies(0);
}

static void test_two_bodies_event(void **state) {
    (void)state;
    test_two_bodies(1);
}

/* All pairs of kinds in a full run, else every kind once above and once below another one. */
static void test_two_bodies_dem(void **state) {
    (void)state;
    counts c = {0};
    random_state random = random_make(random_seed("pairs of the dem stepper", 1));
    bool all_pairs = random_samples("pairs of the dem stepper", SHAPES * SHAPES) == SHAPES * SHAPES;
    for (int i = 0; i < SHAPES * SHAPES; i++) {
        int upper = i / SHAPES, lower = i % SHAPES, kind = random_below(&random, KINDS);
        if (all_pairs || lower == (5 * upper + 3) % SHAPES) {
            question falls = ask(DEM, upper, lower, kind, all_pairs && random_below(&random, 4) == 0, false);
            question comes = ask(DEM, upper, lower, kind, 0, true);
            compare(&falls, &c);
            compare(&comes, &c);
        }
    }
    expect_agreement(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_body),
        cmocka_unit_test(test_two_bodies_fixed),
        cmocka_unit_test(test_two_bodies_event),
        cmocka_unit_test(test_two_bodies_dem),
    };
    return cmocka_run_group_tests(tests, read_shapes, free_shapes);
}
