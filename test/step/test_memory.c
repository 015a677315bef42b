/*
 * Every allocation of every call on a world is refused once, in worlds of all three steppers: still bodies side by side of all kinds, bodies too fast for one
 * step, meshes beside boxes, compounds over seams, springs, joints, rounded triangles. The call reports it, the world is as before, and the run goes on to
 * the same bits.
 */
#include <abut/abut.h>
#include <abut/baseline.h>

#include <stdlib.h>
#include <string.h>

#include "support/allocator.h"
#include "support/facet_body.h"
#include "support/meshes.h"
#include "support/staging.h"

/* A world that allocates from `memory`, which counts all its blocks. */
typedef struct trial {
    counting_allocator memory;
    abut_world *world;
    abut_body_id mover;  /* a dynamic body */
    abut_shape *another; /* what the mover may become */
    int64_t refusals;
} trial;

static const abut_vec3 none = {0, 0, 0};

/* ---- shapes: a failed test may leak them ---- */

static abut_shape *made(abut_status status, abut_shape *shape) {
    assert_ok(status);
    return shape;
}

static abut_shape *new_box(double x, double y, double z) {
    abut_shape *shape = NULL;
    abut_status status = abut_shape_create_box(abut_vec3_make(x, y, z), &shape);
    return made(status, shape);
}

static abut_shape *new_ball(double radius) {
    abut_shape *shape = NULL;
    abut_status status = abut_shape_create_sphere(radius, &shape);
    return made(status, shape);
}

static abut_shape *new_cylinder(double radius, double half) {
    abut_shape *shape = NULL;
    abut_status status = abut_shape_create_cylinder(radius, half, &shape);
    return made(status, shape);
}

static abut_shape *new_plane(double x, double z, double offset) {
    abut_shape *shape = NULL;
    abut_status status = abut_shape_create_plane(abut_vec3_make(x, 0, z), offset, &shape);
    return made(status, shape);
}

static abut_shape *new_mesh_box(double x, double y, double z) {
    abut_shape *solid = new_box(x, y, z), *surface = meshes_surface_of(solid, 1);
    abut_shape_release(solid);
    return surface;
}

static abut_shape *new_pair(double half, double apart) {
    abut_shape *part = new_box(half, half, half), *shape = NULL;
    const abut_part parts[2] = {{part, {abut_vec3_make(-apart, 0, 0), abut_quat_identity()}},
                                {part, {abut_vec3_make(apart, 0, 0), abut_quat_identity()}}};
    abut_status status = abut_shape_create_compound(parts, 2, &shape);
    abut_shape_release(part);
    return made(status, shape);
}

static abut_body_id add(abut_world *world, abut_body_kind kind, abut_shape *shape, abut_vec3 place, abut_vec3 velocity, abut_vec3 spin) {
    abut_body_def def = abut_body_def_default();
    abut_body_id id;
    def.kind = kind;
    def.shape = shape;
    def.pose.position = place;
    def.motion = (abut_motion){velocity, spin};
    assert_ok(abut_world_add_body(world, &def, &id));
    abut_shape_release(shape);
    return id;
}

static abut_body_id drop(abut_world *world, abut_shape *shape, double x, double y, double z, double vx, double vz) {
    return add(world, ABUT_BODY_DYNAMIC, shape, abut_vec3_make(x, y, z), abut_vec3_make(vx, 0, vz), none);
}

static void stand(abut_world *world, abut_shape *shape, double x, double y, double z) {
    (void)add(world, ABUT_BODY_STATIC, shape, abut_vec3_make(x, y, z), none, none);
}

/* ---- the worlds ---- */

static abut_world_def def_of(abut_stepper stepper) {
    abut_world_def def = abut_world_def_default();
    def.stepper = stepper;
    def.parallel = (abut_parallel){.threads = 1};
    return def;
}

static void fill_seams(trial *t) {
    abut_world *world = t->world;
    stand(world, new_box(0.5, 2, 0.5), 0.5, 0, -0.5);
    stand(world, new_mesh_box(0.5, 2, 0.5), 1.5, 0, -0.5);
    stand(world, meshes_grid(4, 0.5), 2, -1, 0);
    stand(world, new_pair(0.5, 0.5), 5, 0, -0.5);
    stand(world, new_box(0.5, 2, 0.5), 6.5, 0, -0.5);
    t->mover = drop(world, new_box(0.3, 0.3, 0.2), 0.9, 0, 0.2, 8.5, 0);
    (void)drop(world, new_ball(0.25), 1.8, -0.8, 0.25, 8.5, 0);
    (void)drop(world, new_cylinder(0.25, 0.2), 3.9, 0, 0.2, 8.5, 0);
    (void)drop(world, new_pair(0.15, 0.3), 5.9, 0, 0.15, 8.5, 0);
    (void)drop(world, new_mesh_box(0.3, 0.3, 0.2), 1.5, 0.9, 0.2, 4, 0);
    (void)drop(world, new_mesh_box(0.2, 0.2, 0.1), 1.5, 0.9, 0.5, 4, 0);
    abut_joint_def joint = abut_joint_def_default(ABUT_JOINT_REVOLUTE);
    joint.a = drop(world, new_box(0.1, 0.1, 0.1), 0.4, -1.2, 0.12, 0, 0);
    joint.b = drop(world, new_box(0.1, 0.1, 0.1), 0.4, -1.2, 0.33, 0, 0);
    joint.frame_a.position.z = joint.frame_b.position.z = 0.1;
    assert_ok(abut_world_add_joint(world, &joint, NULL));
}

static void fill_fast(trial *t) {
    abut_world *world = t->world;
    stand(world, new_box(0.005, 2, 2), 2, 0, 0);
    stand(world, new_mesh_box(0.005, 2, 2), -2, 0, 0);
    stand(world, meshes_grid(4, 1.0), -2, -2, -1);
    t->mover = drop(world, new_ball(0.02), 0, 0, 0, 200, 3);
    (void)drop(world, new_box(0.02, 0.03, 0.01), 0, 0.5, 0, -300, -20);
    (void)drop(world, new_ball(0.01), 0, -0.5, 0, 10, -100);
    (void)add(world, ABUT_BODY_DYNAMIC, new_box(0.9, 0.01, 0.01), abut_vec3_make(1, 1, 0.5), none, abut_vec3_make(0, 0, 80));
    (void)add(world, ABUT_BODY_KINEMATIC, new_box(0.3, 0.3, 0.005), abut_vec3_make(0, 1.5, -0.5), abut_vec3_make(0, 0, 40), none);
    (void)drop(world, new_ball(0.05), 0, 1.5, 0, 0, 0);
    (void)drop(world, new_pair(0.02, 0.05), 0.3, 0, 0.5, -150, 0);
    (void)drop(world, new_box(0.5, 0.5, 0.5), -0.9, 0, 1.2, 0, 0);
}

static void fill_event(trial *t) {
    abut_world *world = t->world;
    stand(world, new_box(0.5, 2, 0.5), 0.5, 0, -0.5);
    stand(world, new_box(0.5, 2, 0.5), 1.5, 0, -0.5);
    stand(world, new_box(0.5, 2, 0.5), 2.5, 0, -0.5);
    t->mover = drop(world, new_box(0.2, 0.2, 0.2), 0.9, 0, 0.2, 3, 0);
    (void)drop(world, new_ball(0.1), 1.6, 0.5, 0.3, 1, -20);
    (void)drop(world, new_box(0.1, 0.1, 0.1), 0.9, 0, 0.51, 3, 0);
    (void)drop(world, new_ball(0.2), 1.7, 0, 0.2, 0, 0);
}

static abut_shape *new_grain(void) {
    facet_body ball = facet_body_ball(1);
    facet_body_scale(&ball, abut_vec3_make(0.01, 0.01, 0.013));
    abut_shape *shape = facet_body_shape(&ball, NULL);
    facet_body_free(&ball);
    return shape;
}

static void fill_joined(trial *t) {
    abut_world *world = t->world;
    fill_event(t);
    abut_joint_def joint = abut_joint_def_default(ABUT_JOINT_SPHERICAL);
    joint.a = drop(world, new_box(0.1, 0.1, 0.1), 2.5, -1.2, 0.12, 0, 0);
    joint.b = drop(world, new_box(0.1, 0.1, 0.1), 2.5, -1.2, 0.36, 0, 1);
    joint.frame_a.position.z = 0.12;
    joint.frame_b.position.z = -0.12;
    assert_ok(abut_world_add_joint(world, &joint, NULL));
}

static void fill_dem(trial *t) {
    abut_world *world = t->world;
    stand(world, new_plane(0, 1, 0.0), 0, 0, 0);
    stand(world, new_plane(1, 0, -0.05), 0, 0, 0);
    t->mover = drop(world, new_ball(0.01), 0, 0, 0.0099, 0, 0);
    for (int i = 0; i < 6; i++) {
        (void)drop(world, new_ball(0.01), 0.018 * (i % 3), 0.018 * (i / 3), 0.028, 0.1, -0.5);
    }
    (void)drop(world, new_grain(), 0.1, 0, 0.0129, 0, -0.1);
    (void)drop(world, new_grain(), 0.1, 0, 0.0385, 0, -0.3);
    (void)drop(world, new_ball(0.01), 0.1, 0, 0.0612, 0, -0.3);
}

typedef struct place {
    const char *name;
    abut_stepper stepper;
    abut_contact_method method;
    void (*fill)(trial *trial);
    double dt;
    int32_t steps; /* every one is tried with every request refused */
    bool friction; /* of the event stepper */
} place;

static const place places[] = {
    {"seams", ABUT_STEPPER_FIXED, ABUT_METHOD_PATCH, fill_seams, 1.0 / 60.0, 6, false},
    {"seams, tracking", ABUT_STEPPER_FIXED, ABUT_METHOD_TRACKING, fill_seams, 1.0 / 60.0, 6, false},
    {"fast", ABUT_STEPPER_FIXED, ABUT_METHOD_PATCH, fill_fast, 1.0 / 60.0, 4, false},
    {"fast, tracking", ABUT_STEPPER_FIXED, ABUT_METHOD_TRACKING, fill_fast, 1.0 / 60.0, 4, false},
    {"event", ABUT_STEPPER_EVENT, ABUT_METHOD_PATCH, fill_event, 1.0 / 60.0, 3, false},
    {"event, joints", ABUT_STEPPER_EVENT, ABUT_METHOD_PATCH, fill_joined, 1.0 / 60.0, 2, false},
    {"event, friction", ABUT_STEPPER_EVENT, ABUT_METHOD_PATCH, fill_event, 1.0 / 60.0, 2, true},
    {"dem", ABUT_STEPPER_DEM, ABUT_METHOD_PATCH, fill_dem, 1e-4, 3, false},
};
enum { PLACES = sizeof places / sizeof *places };

static void begin(trial *t, const place *place) {
    *t = (trial){.memory = {.refuse_at = -1}};
    counting_allocator_install(&t->memory);
    abut_world_def def = def_of(place->stepper);
    def.method = place->method;
    def.event.friction = place->friction;
    assert_ok(abut_world_create(&def, &t->world));
    place->fill(t);
    abut_body_info mover;
    assert_ok(abut_world_body_info(t->world, t->mover, &mover));
    t->another = abut_shape_kind(mover.shape) == ABUT_SHAPE_SPHERE ? new_ball(0.01) : new_box(0.2, 0.2, 0.15);
}

static void end(trial *t) {
    abut_world_destroy(t->world);
    abut_shape_release(t->another);
    counting_allocator_remove();
    assert_int_equal(t->memory.live, 0);
}

/* ---- the calls ---- */

typedef struct seen {
    uint64_t hash, contacts;
    int32_t bodies;
} seen;

static seen look(const abut_world *world) {
    const abut_world_contact *contacts;
    int32_t count;
    seen now = {.hash = abut_world_hash(world), .contacts = 1469598103934665603u};
    assert_ok(abut_world_contacts(world, &contacts, &count));
    const unsigned char *bytes = (const unsigned char *)contacts;
    for (size_t i = 0; i < (size_t)count * sizeof *contacts; i++) {
        now.contacts = (now.contacts ^ bytes[i]) * 1099511628211u;
    }
    (void)abut_world_body_ids(world, NULL, 0, &now.bodies);
    return now;
}

typedef abut_status (*call)(trial *trial, double dt);

/* Makes the call with the first request refused, then with the second, until none is. */
static void try_all(trial *t, const place *place, const char *name, call make, double dt) {
    bool refused;
    int64_t at = 0;
    do {
        seen before = look(t->world);
        t->memory.refused = false;
        t->memory.refuse_at = t->memory.requests + at++;
        abut_status status = make(t, dt);
        refused = t->memory.refused;
        t->memory.refuse_at = -1;
        if (status != (refused ? ABUT_ERROR_OUT_OF_MEMORY : ABUT_OK)) {
            fail_msg("%s: %s: request %d %s: %s", place->name, name, (int)at - 1, refused ? "refused" : "made",
                     abut_status_message(status));
        }
        seen after = look(t->world);
        if (refused && memcmp(&before, &after, sizeof before) != 0) {
            fail_msg("%s: %s: another world after request %d was refused", place->name, name, (int)at - 1);
        }
        t->refusals += refused;
    } while (refused);
}

static abut_status call_step(trial *t, double dt) { return abut_world_step(t->world, dt, NULL); }

static abut_status call_report(trial *t, double dt) {
    (void)dt;
    abut_step_report report;
    return abut_world_report(t->world, &report);
}

static abut_status call_check(trial *t, double dt) {
    (void)dt;
    return abut_world_check(t->world);
}

static abut_status call_overlaps(trial *t, double dt) {
    (void)dt;
    abut_world_overlap found[64];
    int32_t count;
    return abut_world_overlaps(t->world, found, 64, &count);
}

static abut_status call_save(trial *t, double dt) {
    (void)dt;
    static unsigned char saved[1 << 20];
    size_t size;
    return abut_world_save(t->world, saved, sizeof saved, &size);
}

/* Saves and restores: the world stays the same whether it succeeds or not. */
static abut_status call_restore(trial *t, double dt) {
    (void)dt;
    static unsigned char saved[1 << 20];
    size_t size;
    abut_status status = abut_world_save(t->world, saved, sizeof saved, &size);
    return status ? status : abut_world_restore(t->world, saved, size);
}

static abut_status call_add(trial *t, double dt) {
    (void)dt;
    abut_body_def def = abut_body_def_default();
    abut_body_id id;
    def.shape = t->another;
    def.pose.position = abut_vec3_make(0, 0, 50);
    return abut_world_add_body(t->world, &def, &id);
}

static abut_status call_spring(trial *t, double dt) {
    (void)dt;
    abut_spring_def def = abut_spring_def_default();
    def.body = t->mover;
    def.target = abut_vec3_make(0, 0, 1);
    return abut_world_add_spring(t->world, &def, NULL);
}

static abut_status call_set_shape(trial *t, double dt) {
    (void)dt;
    return abut_world_set_body_shape(t->world, t->mover, t->another);
}

static abut_status call_remove(trial *t, double dt) {
    (void)dt;
    return abut_world_remove_body(t->world, t->mover);
}

/* Runs a world; `tried`: with every request refused in turn. Returns its contents at the end. */
static seen run(const place *place, bool tried, int64_t *refusals) {
    static const struct {
        const char *name;
        call make;
        bool changes;
    } calls[] = {{"check", call_check, false},  {"overlaps", call_overlaps, false}, {"report", call_report, false},
                 {"save", call_save, false},    {"restore", call_restore, false},   {"add", call_add, true},
                 {"spring", call_spring, true}, {"shape", call_set_shape, true},    {"remove", call_remove, true}};
    static trial t; /* the blocks go back to its allocator */
    begin(&t, place);
    for (int32_t i = 0; i < place->steps + 2; i++) {
        if (tried) {
            try_all(&t, place, "step", call_step, place->dt);
        } else {
            assert_ok(call_step(&t, place->dt));
        }
        for (size_t k = 0; k < sizeof calls / sizeof *calls; k++) {
            bool due = i == place->steps - 1;
            if (due && tried) {
                try_all(&t, place, calls[k].name, calls[k].make, 0.0);
            } else if (due && calls[k].changes) {
                assert_ok(calls[k].make(&t, 0.0));
            }
        }
    }
    seen last = look(t.world);
    *refusals = t.refusals;
    end(&t);
    return last;
}

static void test_every_request_of_every_call(void **state) {
    (void)state;
    for (int p = 0; p < PLACES; p++) {
        int64_t refusals = 0, none_refused = 0;
        seen plain = run(&places[p], false, &none_refused), tried = run(&places[p], true, &refusals);
        print_message("%s: %d requests refused in turn\n", places[p].name, (int)refusals);
        assert_true(refusals > 50);
        if (memcmp(&plain, &tried, sizeof plain) != 0) {
            fail_msg("%s: another world at the end", places[p].name);
        }
    }
}

/* Making and unmaking a world, and its bodies. */
static void test_creation(void **state) {
    (void)state;
    for (int stepper = 0; stepper < 3; stepper++) {
        counting_allocator memory;
        int64_t refused = 0;
        abut_world_def def = def_of((abut_stepper)stepper);
        do {
            memory = (counting_allocator){.refuse_at = refused++};
            counting_allocator_install(&memory);
            abut_world *world = NULL;
            abut_status status = abut_world_create(&def, &world);
            assert_status(status, memory.refused ? ABUT_ERROR_OUT_OF_MEMORY : ABUT_OK);
            assert_int_equal(status == ABUT_OK, world != NULL);
            abut_world_destroy(world);
            counting_allocator_remove();
            assert_int_equal(memory.live, 0);
        } while (memory.refused);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_request_of_every_call), cmocka_unit_test(test_creation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
