/* Recordings: reading gives the bits that were written, and no failure of writing or reading damages anything. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/record/recording.h"
#include "support/demo_scene.h"
#include "support/files.h"

#define FOLDER ABUT_TEST_SCRATCH_DIR "/folder"
#define RESULT FOLDER "/demo.h5"

/* The reports and states of the simulation at each step, for comparison. Frame and step 0 are the beginning. */
typedef struct history {
    abut_step_report reports[DEMO_STEPS + 1];
    abut_body_state states[DEMO_STEPS + 1][DEMO_BODIES];
    bool removed[DEMO_STEPS + 1][DEMO_BODIES];
    abut_world_contact *contacts[DEMO_STEPS + 1];
    int32_t contact_count[DEMO_STEPS + 1];
    abut_body_id ids[DEMO_BODIES];
} history;

static int empty_folder(void **state) {
    (void)state;
    files_limit(0);
    files_empty_folder(FOLDER);
    return 0;
}

static void keep(history *h, const abut_simulation *simulation, int step) {
    const abut_world *world = abut_simulation_world(simulation);
    const abut_world_contact *contacts = NULL;
    for (int32_t i = 0; i < DEMO_BODIES; i++) {
        h->ids[i] = abut_simulation_body_id(simulation, i);
        h->removed[step][i] = abut_world_body_state(world, h->ids[i], &h->states[step][i]) != ABUT_OK;
    }
    assert_int_equal(abut_world_contacts(world, &contacts, &h->contact_count[step]), ABUT_OK);
    size_t size = sizeof *contacts * (size_t)h->contact_count[step];
    h->contacts[step] = malloc(size + 1);
    assert_non_null(h->contacts[step]);
    if (size > 0) {
        memcpy(h->contacts[step], contacts, size);
    }
}

/* Records the demo scene; h may be NULL. */
static void record(const abut_recorder_settings *settings, int steps, history *h) {
    abut_scene *scene = demo_scene();
    abut_simulation *simulation = demo_simulation(scene);
    abut_recorder *recorder = NULL;
    abut_error error = {0};
    if (abut_recorder_create(RESULT, simulation, settings, &recorder, &error)) {
        fail_msg("%s", error.message);
    }
    if (h) {
        assert_int_equal(abut_simulation_first_report(simulation, &h->reports[0]), ABUT_OK);
        keep(h, simulation, 0);
    }
    for (int step = 1; step <= steps; step++) {
        abut_step_report report;
        assert_int_equal(abut_simulation_step(simulation, &report, &error), ABUT_OK);
        assert_int_equal(abut_recorder_frame(recorder, simulation, &report, &error), ABUT_OK);
        if (h) {
            h->reports[step] = report;
            keep(h, simulation, step);
        }
    }
    assert_int_equal(abut_recorder_finish(recorder, simulation, steps == DEMO_STEPS, &error), ABUT_OK);
    abut_simulation_destroy(simulation);
    abut_scene_destroy(scene);
}

static void release(history *h) {
    for (int step = 0; step <= DEMO_STEPS; step++) {
        free(h->contacts[step]);
    }
}

static abut_recording *open_result(void) {
    abut_recording *recording = NULL;
    abut_error error = {0};
    if (abut_recording_open(RESULT, &recording, &error)) {
        fail_msg("%s", error.message);
    }
    return recording;
}

static void compare_states(const abut_recorded_frame *frame, const history *h, int step) {
    for (int32_t i = 0; i < DEMO_BODIES; i++) {
        const abut_recorded_state *read = &frame->bodies[i];
        const abut_body_state *kept = &h->states[step][i];
        if (h->removed[step][i]) {
            assert_int_equal(read->presence, ABUT_RECORDED_REMOVED);
            assert_true(isnan(read->pose.position.x) && isnan(read->pose.rotation.w) && isnan(read->velocity.z));
            continue;
        }
        assert_int_equal(read->presence, kept->awake ? ABUT_RECORDED_AWAKE : ABUT_RECORDED_ASLEEP);
        assert_memory_equal(&read->pose, &kept->pose, sizeof kept->pose);
        assert_memory_equal(&read->velocity, &kept->motion.linear, sizeof kept->motion.linear);
        assert_memory_equal(&read->angular_velocity, &kept->motion.angular, sizeof kept->motion.angular);
    }
}

static void compare_contacts(abut_recording *recording, int64_t frame, const history *h, int step) {
    const abut_recorded_contact *contacts = NULL;
    int32_t count = -1;
    assert_int_equal(abut_recording_contacts(recording, frame, &contacts, &count, NULL), ABUT_OK);
    assert_int_equal(count, h->contact_count[step]);
    for (int32_t i = 0; i < count; i++) {
        const abut_world_contact *kept = &h->contacts[step][i];
        assert_memory_equal(&h->ids[contacts[i].a], &kept->a, sizeof kept->a);
        assert_memory_equal(&h->ids[contacts[i].b], &kept->b, sizeof kept->b);
        assert_memory_equal(&contacts[i].contact, &kept->contact, sizeof kept->contact);
        assert_memory_equal(&contacts[i].normal_force, &kept->normal_force, sizeof kept->normal_force);
        assert_memory_equal(&contacts[i].friction_force, &kept->friction_force, sizeof kept->friction_force);
    }
}

static void test_every_step_reads_back_to_the_same_bits(void **state) {
    (void)state;
    history *h = calloc(1, sizeof *h);
    assert_non_null(h);
    record(NULL, DEMO_STEPS, h);
    abut_recording *recording = open_result();
    abut_recording_info info = abut_recording_get_info(recording);
    assert_int_equal(info.step_count, DEMO_STEPS + 1);
    assert_int_equal(info.frame_count, DEMO_STEPS + 1);
    int32_t most = 0;
    for (int step = 0; step <= DEMO_STEPS; step++) {
        abut_step_report report;
        abut_recorded_frame frame;
        assert_int_equal(abut_recording_step(recording, step, &report), ABUT_OK);
        const abut_step_report *kept = &h->reports[step];
        assert_int_equal(report.step, step);
        assert_int_equal(report.step, kept->step);
        assert_memory_equal(&report.time, &kept->time, sizeof report.time);
        assert_int_equal(report.bodies, kept->bodies);
        assert_int_equal(report.awake, kept->awake);
        assert_int_equal(report.candidates, kept->candidates);
        assert_int_equal(report.touching, kept->touching);
        assert_int_equal(report.contacts, kept->contacts);
        const double read[] = {report.max_penetration, report.kinetic_energy, report.potential_energy, report.spring_energy,
                               report.seconds_broad,   report.seconds_narrow, report.seconds_solve,    report.seconds_total};
        const double were[] = {kept->max_penetration, kept->kinetic_energy, kept->potential_energy, kept->spring_energy,
                               kept->seconds_broad,   kept->seconds_narrow, kept->seconds_solve,    kept->seconds_total};
        assert_memory_equal(read, were, sizeof read);
        assert_int_equal(abut_recording_frame(recording, step, &frame, NULL), ABUT_OK);
        assert_int_equal(frame.step, step);
        assert_memory_equal(&frame.time, &kept->time, sizeof frame.time);
        compare_states(&frame, h, step);
        compare_contacts(recording, step, h, step);
        most = h->contact_count[step] > most ? h->contact_count[step] : most;
    }
    assert_true(most >= 8); /* otherwise too few contacts were compared */
    assert_true(h->removed[DEMO_STEPS][DEMO_BALL]);
    assert_int_equal(files_count(FOLDER), 1);
    abut_recording_close(recording);
    release(h);
    free(h);
}

/* Frames are the same in any order of reading. */
static void test_frames_can_be_read_in_any_order(void **state) {
    (void)state;
    history *h = calloc(1, sizeof *h);
    assert_non_null(h);
    record(NULL, DEMO_STEPS, h);
    abut_recording *recording = open_result();
    for (int i = 0; i <= DEMO_STEPS; i++) {
        int step = i * 37 % (DEMO_STEPS + 1);
        abut_recorded_frame frame;
        assert_int_equal(abut_recording_frame(recording, step, &frame, NULL), ABUT_OK);
        compare_states(&frame, h, step);
        compare_contacts(recording, step, h, step);
    }
    abut_recording_close(recording);
    release(h);
    free(h);
}

static void test_frames_can_be_sparser_than_steps_and_have_the_last_one(void **state) {
    (void)state;
    history *h = calloc(1, sizeof *h);
    assert_non_null(h);
    /* The interval, steps made: the last interval is shorter, whole, or all there is. */
    const int cases[][2] = {{7, DEMO_STEPS}, {20, DEMO_STEPS}, {DEMO_STEPS, DEMO_STEPS}, {1000, DEMO_STEPS}, {7, 33}, {2, 1}, {7, 0}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const int every = cases[c][0], steps = cases[c][1];
        record(&(abut_recorder_settings){.every = every}, steps, h);
        abut_recording *recording = open_result();
        abut_recording_info info = abut_recording_get_info(recording);
        assert_int_equal(info.step_count, steps + 1);
        assert_int_equal(info.frame_count, (steps + every - 1) / every + 1);
        for (int64_t i = 0; i < info.frame_count; i++) {
            abut_recorded_frame frame;
            const int step = every * i < steps ? (int)(every * i) : steps;
            assert_int_equal(abut_recording_frame(recording, i, &frame, NULL), ABUT_OK);
            assert_int_equal(frame.step, step);
            assert_true(frame.time == h->reports[step].time);
            compare_states(&frame, h, step);
            compare_contacts(recording, i, h, step);
        }
        abut_recording_close(recording);
        release(h);
        memset(h, 0, sizeof *h);
    }
    free(h);
}

static void test_scene_bodies_and_version_are_in_it(void **state) {
    (void)state;
    record(NULL, 3, NULL);
    abut_scene *scene = demo_scene();
    abut_recording *recording = open_result();
    abut_recording_info info = abut_recording_get_info(recording);
    assert_string_equal(info.path, RESULT);
    assert_string_equal(info.version, abut_version());
    assert_string_equal(info.title, "Demo \xc3\xa9");
    assert_string_equal(info.scene, abut_scene_text(scene));
    assert_true(info.dt == abut_scene_dt(scene));
    assert_true(info.gravity.x == 0.0 && info.gravity.y == 0.0 && info.gravity.z == -9.81);
    assert_false(info.complete);
    assert_int_equal(info.body_count, DEMO_BODIES);
    for (int32_t i = 0; i < DEMO_BODIES; i++) {
        abut_recorded_body body;
        const abut_body_def *def = abut_scene_body_def(scene, i);
        assert_int_equal(abut_recording_body(recording, i, &body), ABUT_OK);
        assert_string_equal(body.name, abut_scene_body_name(scene, i));
        assert_int_equal(body.kind, def->kind);
        assert_true(body.friction == def->friction && body.restitution == def->restitution);
        assert_true(def->kind == ABUT_BODY_DYNAMIC ? body.mass > 0.0 : body.mass == 0.0);
    }
    abut_recorded_body box;
    assert_int_equal(abut_recording_body(recording, DEMO_BOX, &box), ABUT_OK);
    assert_true(fabs(box.mass - 1000.0 * 0.48) < 1e-9);
    abut_recording_close(recording);
    abut_scene_destroy(scene);
    record(NULL, DEMO_STEPS, NULL);
    recording = open_result();
    assert_true(abut_recording_get_info(recording).complete);
    abut_recording_close(recording);
}

static abut_recorded_shape shape_of(const abut_recording *recording, int32_t body_index) {
    abut_recorded_body body;
    abut_recorded_shape shape;
    assert_int_equal(abut_recording_body(recording, body_index, &body), ABUT_OK);
    assert_int_equal(abut_recording_shape(recording, body.shape, &shape), ABUT_OK);
    return shape;
}

/* The recorded surface is the shape's own. */
static void compare_surface(const abut_recorded_shape *read, const abut_shape *shape) {
    abut_polytope_view view;
    assert_int_equal(abut_shape_polytope(shape, &view), ABUT_OK);
    assert_int_equal(read->vertex_count, view.vertex_count);
    assert_int_equal(read->face_count, view.face_count);
    assert_memory_equal(read->vertices, view.vertices, sizeof *view.vertices * (size_t)view.vertex_count);
    assert_memory_equal(read->face_first, view.face_first, sizeof *view.face_first * ((size_t)view.face_count + 1));
    assert_memory_equal(read->face_vertices, view.face_vertices, sizeof *view.face_vertices * (size_t)view.face_first[view.face_count]);
}

static void test_shapes_are_in_it(void **state) {
    (void)state;
    record(NULL, 1, NULL);
    abut_scene *scene = demo_scene();
    abut_recording *recording = open_result();
    abut_recorded_shape floor = shape_of(recording, DEMO_FLOOR), ball = shape_of(recording, DEMO_BALL);
    abut_recorded_shape capsule = shape_of(recording, DEMO_CAPSULE), dumbbell = shape_of(recording, DEMO_DUMBBELL);
    assert_int_equal(floor.kind, ABUT_SHAPE_PLANE);
    assert_true(floor.normal.x == 0.0 && floor.normal.y == 0.0 && floor.normal.z == 1.0 && floor.offset == 0.25);
    assert_int_equal(ball.kind, ABUT_SHAPE_SPHERE);
    assert_true(ball.radius == 0.2 && ball.half_length == 0.0 && ball.face_count == 0);
    assert_int_equal(capsule.kind, ABUT_SHAPE_CAPSULE);
    assert_true(capsule.radius == 0.2 && capsule.half_length == 0.3);
    assert_int_equal(dumbbell.kind, ABUT_SHAPE_COMPOUND);
    assert_int_equal(dumbbell.part_count, 2);
    for (int32_t i = 0; i < dumbbell.part_count; i++) {
        abut_part part;
        abut_recorded_shape inner;
        assert_int_equal(abut_shape_part(abut_scene_body_def(scene, DEMO_DUMBBELL)->shape, i, &part), ABUT_OK);
        assert_memory_equal(&dumbbell.parts[i].pose, &part.pose, sizeof part.pose);
        assert_int_equal(abut_recording_shape(recording, dumbbell.parts[i].shape, &inner), ABUT_OK);
        assert_int_equal(inner.kind, abut_shape_kind(part.shape));
    }
    const int32_t solid[] = {DEMO_BOX, DEMO_HULL, DEMO_LIFT};
    for (size_t i = 0; i < sizeof solid / sizeof *solid; i++) {
        abut_recorded_shape read = shape_of(recording, solid[i]);
        compare_surface(&read, abut_scene_body_def(scene, solid[i])->shape);
    }
    abut_recording_close(recording);
    abut_scene_destroy(scene);
}

/* Semi-axes and exponents come back to the last bit. (A file without exponents: test_read_recording.py.) */
static void test_smooth_shapes_are_in_it(void **state) {
    (void)state;
    static const char text[] =
        "{\"abut_scene\": 1, \"duration\": 1, \"bodies\": [{\"name\": \"dice\", \"shape\": {\"superquadric\": {\"half\": [0.1, 0.7, "
        "0.3], \"exponents\": [0.3333333333333333, 1.7]}}, \"position\": [0, 0, 9]}, {\"name\": \"egg\", \"shape\": {\"ellipsoid\": "
        "{\"half\": [1, 2, 3.3]}}}]}";
    abut_scene *scene = NULL;
    abut_simulation *simulation = NULL;
    abut_recorder *recorder = NULL;
    assert_int_equal(abut_scene_parse(text, strlen(text), "smooth.json", &scene, NULL), ABUT_OK);
    assert_int_equal(abut_simulation_create(scene, &simulation, NULL), ABUT_OK);
    assert_int_equal(abut_recorder_create(RESULT, simulation, NULL, &recorder, NULL), ABUT_OK);
    assert_int_equal(abut_recorder_finish(recorder, simulation, true, NULL), ABUT_OK);
    abut_recording *recording = open_result();
    abut_recorded_shape dice = shape_of(recording, 0), egg = shape_of(recording, 1);
    assert_int_equal(dice.kind, ABUT_SHAPE_SUPERQUADRIC);
    assert_true(dice.semi_axes.x == 0.1 && dice.semi_axes.y == 0.7 && dice.semi_axes.z == 0.3);
    assert_true(dice.exponents[0] == 0.3333333333333333 && dice.exponents[1] == 1.7);
    assert_true(dice.face_count > 100);
    assert_int_equal(egg.kind, ABUT_SHAPE_ELLIPSOID);
    assert_true(egg.semi_axes.z == 3.3 && egg.exponents[0] == 0.0 && egg.exponents[1] == 0.0);
    abut_recording_close(recording);
    abut_simulation_destroy(simulation);
    abut_scene_destroy(scene);
}

/* Records the beginning of a scene, and opens the recording. */
static abut_recording *record_beginning(const char *text) {
    abut_scene *scene = NULL;
    abut_simulation *simulation = NULL;
    abut_recorder *recorder = NULL;
    assert_int_equal(abut_scene_parse(text, strlen(text), "formulas.json", &scene, NULL), ABUT_OK);
    assert_int_equal(abut_simulation_create(scene, &simulation, NULL), ABUT_OK);
    assert_int_equal(abut_recorder_create(RESULT, simulation, NULL, &recorder, NULL), ABUT_OK);
    assert_int_equal(abut_recorder_finish(recorder, simulation, true, NULL), ABUT_OK);
    abut_simulation_destroy(simulation);
    abut_scene_destroy(scene);
    return open_result();
}

/* Points of the recorded surfaces satisfy the equations of the bodies. */
static void test_bodies_by_formulas_are_in_it(void **state) {
    (void)state;
    abut_recording *recording = record_beginning(
        "{\"abut_scene\": 1, \"duration\": 1, \"bodies\": [{\"name\": \"egg\", \"shape\": {\"implicit\": {\"formula\": \"x^2 + y^2 + k * "
        "z^2 - 1\", \"parameters\": {\"k\": 4}, \"upper\": [2, 2, 2]}}}, {\"name\": \"lens\", \"position\": [0, 0, 5], \"shape\": "
        "{\"parametric\": {\"x\": \"cos(2 * pi * u) * cos(v)\", \"y\": \"sin(2 * pi * u) * cos(v)\", \"z\": \"sin(v) / 2\", \"u\": [0, 1], "
        "\"v\": [-1.5707963267948966, 1.5707963267948966], \"u_periodic\": true}}}]}");
    for (int32_t i = 0; i < 2; i++) {
        abut_recorded_shape shape = shape_of(recording, i);
        assert_int_equal(shape.kind, i == 0 ? ABUT_SHAPE_IMPLICIT : ABUT_SHAPE_PARAMETRIC);
        assert_true(shape.face_count > 100);
        for (int32_t v = 0; v < shape.vertex_count; v++) {
            abut_vec3 p = shape.vertices[v];
            assert_true(fabs(p.x * p.x + p.y * p.y + 4.0 * p.z * p.z - 1.0) < 1e-12);
        }
    }
    abut_recording_close(recording);
    recording = record_beginning("{\"abut_scene\": 1, \"duration\": 1, \"bodies\": [{\"name\": \"ring\", \"shape\": {\"torus\": "
                                 "{\"ring_radius\": 2, \"tube_radius\": 0.5}}}]}");
    abut_recorded_shape ring = shape_of(recording, 0);
    assert_int_equal(ring.kind, ABUT_SHAPE_PARAMETRIC);
    assert_true(ring.face_count > 1000 && ring.vertex_count > 500);
    for (int32_t v = 0; v < ring.vertex_count; v++) {
        abut_vec3 p = ring.vertices[v];
        assert_true(fabs(hypot(hypot(p.x, p.y) - 2.0, p.z) - 0.5) < 1e-14);
    }
    abut_recording_close(recording);
}

/* A box turning about a skew axis, away from the origin: energies by hand. */
static void test_the_beginning_has_its_energies(void **state) {
    (void)state;
    static const char text[] =
        "{\"abut_scene\": 1, \"duration\": 1, \"gravity\": [0, 0, -10], \"bodies\": [{\"name\": \"box\",\"shape\": {\"box\": {\"half\": "
        "[1, 2, 3]}}, \"mass\": 6, \"position\": [5, 6, 7], \"rotation\": {\"axis\": [0, 0, 1],\"degrees\": 90}, \"velocity\": [1, 2, 2], "
        "\"angular_velocity\": [1, 0, 0]}]}";
    abut_scene *scene = NULL;
    abut_simulation *simulation = NULL;
    abut_step_report report;
    assert_int_equal(abut_scene_parse(text, strlen(text), "box.json", &scene, NULL), ABUT_OK);
    assert_int_equal(abut_simulation_create(scene, &simulation, NULL), ABUT_OK);
    assert_int_equal(abut_simulation_first_report(simulation, &report), ABUT_OK);
    /* Turned by a quarter, the world's x axis is the box's own -y: inertia 6 / 12 (2^2 + 6^2) = 20. */
    assert_true(fabs(report.kinetic_energy - (0.5 * 6.0 * 9.0 + 0.5 * 20.0)) < 1e-9);
    assert_true(fabs(report.potential_energy - 6.0 * 10.0 * 7.0) < 1e-9);
    assert_int_equal(report.bodies, 1);
    assert_int_equal(report.awake, 1);
    assert_int_equal(report.step, 0);
    assert_int_equal(abut_simulation_first_report(NULL, &report), ABUT_ERROR_INVALID_ARGUMENT);
    abut_simulation_destroy(simulation);
    abut_scene_destroy(scene);
}

/* The box lies asleep alone: from then on no frame adds contacts. */
static void test_a_world_asleep_adds_no_contacts(void **state) {
    (void)state;
    static const char text[] =
        "{\"abut_scene\": 1, \"duration\": 2, \"stepper\": {\"kind\": \"fixed\", \"sleep_time\": 0.1}, \"bodies\": [{\"name\": \"floor\", "
        "\"kind\": \"static\", \"shape\": {\"plane\": {\"normal\": [0, 0, 1], \"offset\": 0}}},{\"name\": \"box\", \"shape\": {\"box\": "
        "{\"half\": [1, 1, 1]}}, \"position\": [0, 0, 1]}]}";
    abut_scene *scene = NULL;
    abut_simulation *simulation = NULL;
    abut_recorder *recorder = NULL;
    abut_step_report report;
    assert_int_equal(abut_scene_parse(text, strlen(text), "box.json", &scene, NULL), ABUT_OK);
    assert_int_equal(abut_simulation_create(scene, &simulation, NULL), ABUT_OK);
    assert_int_equal(abut_recorder_create(RESULT, simulation, NULL, &recorder, NULL), ABUT_OK);
    int asleep = 0;
    while (!abut_simulation_finished(simulation)) {
        assert_int_equal(abut_simulation_step(simulation, &report, NULL), ABUT_OK);
        assert_int_equal(abut_recorder_frame(recorder, simulation, &report, NULL), ABUT_OK);
        asleep += report.awake == 0;
    }
    assert_true(asleep > 60);
    assert_int_equal(abut_recorder_finish(recorder, simulation, true, NULL), ABUT_OK);
    abut_recording *recording = open_result();
    abut_recording_info info = abut_recording_get_info(recording);
    assert_true(info.contact_count <= 4 * (info.frame_count - asleep + 1));
    const abut_recorded_contact *contacts = NULL;
    int32_t count = 0;
    assert_int_equal(abut_recording_contacts(recording, info.frame_count - 1, &contacts, &count, NULL), ABUT_OK);
    assert_int_equal(count, 4);
    double lifted = 0.0;
    for (int32_t i = 0; i < count; i++) {
        lifted += contacts[i].normal_force;
    }
    assert_true(fabs(lifted - 8000.0 * 9.81) < 1e-6 * 8000.0 * 9.81);
    abut_recording_close(recording);
    abut_simulation_destroy(simulation);
    abut_scene_destroy(scene);
}

static void test_an_aborted_recording_leaves_nothing(void **state) {
    (void)state;
    files_write(RESULT, "old", 3);
    abut_scene *scene = demo_scene();
    abut_simulation *simulation = demo_simulation(scene);
    abut_recorder *recorder = NULL;
    abut_step_report report;
    assert_int_equal(abut_recorder_create(RESULT, simulation, NULL, &recorder, NULL), ABUT_OK);
    for (int step = 0; step < 10; step++) {
        assert_int_equal(abut_simulation_step(simulation, &report, NULL), ABUT_OK);
        assert_int_equal(abut_recorder_frame(recorder, simulation, &report, NULL), ABUT_OK);
    }
    abut_recorder_abort(recorder);
    abut_recorder_abort(NULL);
    size_t size;
    char *bytes = files_read(RESULT, &size);
    assert_int_equal(size, 3);
    assert_memory_equal(bytes, "old", 3);
    free(bytes);
    assert_int_equal(files_count(FOLDER), 1);
    abut_simulation_destroy(simulation);
    abut_scene_destroy(scene);
}

/* The first status other than ABUT_OK of a recording of the demo scene. */
static abut_status try_to_record(abut_simulation *simulation, abut_error *error) {
    abut_recorder *recorder = NULL;
    abut_status status = abut_recorder_create(RESULT, simulation, &(abut_recorder_settings){.every = 1}, &recorder, error);
    if (status) {
        return status;
    }
    for (int step = 0; step < DEMO_STEPS; step++) {
        abut_step_report report;
        assert_int_equal(abut_simulation_step(simulation, &report, NULL), ABUT_OK);
        status = abut_recorder_frame(recorder, simulation, &report, error);
        if (status) {
            assert_int_equal(abut_recorder_frame(recorder, simulation, &report, error), status);
            abut_recorder_abort(recorder);
            return status;
        }
    }
    return abut_recorder_finish(recorder, simulation, true, error);
}

/* The limit is reached while the scene is written, while frames are written, or when the file is closed. The outcome is the same. */
static void test_a_full_disk_is_one_error_and_leaves_the_old_file(void **state) {
    (void)state;
    const size_t limits[] = {1, 100, 2048, 6000, 20000, 50000, 100000, 150000};
    abut_scene *scene = demo_scene();
    int failures = 0;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        files_write(RESULT, "old", 3);
        abut_simulation *simulation = demo_simulation(scene);
        abut_error error = {0};
        files_limit(limits[i]);
        abut_status status = try_to_record(simulation, &error);
        files_limit(0);
        abut_simulation_destroy(simulation);
        size_t size;
        char *bytes = files_read(RESULT, &size);
        if (status) {
            failures++;
            assert_int_equal(status, ABUT_ERROR_FILE);
            assert_non_null(strstr(error.message, RESULT));
            assert_null(strchr(error.message, '\n'));
            assert_int_equal(size, 3);
            assert_memory_equal(bytes, "old", 3);
        }
        free(bytes);
        assert_int_equal(files_count(FOLDER), 1);
    }
    assert_true(failures >= 6);
    abut_scene_destroy(scene);
}

static void unreadable(const char *path, abut_status expected, const char *part) {
    abut_recording *recording = NULL;
    abut_error error = {0};
    abut_status status = abut_recording_open(path, &recording, &error);
    if (status != expected || !strstr(error.message, part) || !strstr(error.message, path)) {
        fail_msg("%s for '%s': '%s'", abut_status_name(status), path, error.message);
    }
    assert_null(recording);
}

static void test_what_is_no_recording_is_refused(void **state) {
    (void)state;
    unreadable(FOLDER "/missing.h5", ABUT_ERROR_FILE, "No such file");
    unreadable(FOLDER, ABUT_ERROR_FILE, "directory");
    files_write(RESULT, "", 0);
    unreadable(RESULT, ABUT_ERROR_FORMAT, "empty");
    files_write(RESULT, "step,time\n0,0\n", 14);
    unreadable(RESULT, ABUT_ERROR_FORMAT, "not a recording");
    assert_int_equal(abut_recording_open(NULL, NULL, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    abut_recording_close(NULL);
}

static void test_a_file_cut_short_is_refused(void **state) {
    (void)state;
    record(NULL, DEMO_STEPS, NULL);
    size_t size;
    char *bytes = files_read(RESULT, &size);
    assert_true(size > 10000);
    for (size_t part = 1; part < 32; part++) {
        files_write(RESULT, bytes, size * part / 32);
        unreadable(RESULT, ABUT_ERROR_FORMAT, "damaged");
    }
    files_write(RESULT, bytes, size - 1);
    unreadable(RESULT, ABUT_ERROR_FORMAT, "damaged");
    files_write(RESULT, bytes, size);
    abut_recording_close(open_result());
    free(bytes);
}

static void test_arguments_out_of_range_are_refused(void **state) {
    (void)state;
    abut_scene *scene = demo_scene();
    abut_simulation *simulation = demo_simulation(scene);
    abut_recorder *recorder = NULL;
    assert_int_equal(abut_recorder_create(NULL, simulation, NULL, &recorder, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(abut_recorder_create(RESULT, NULL, NULL, &recorder, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(abut_recorder_create(RESULT, simulation, NULL, NULL, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    const abut_recorder_settings wrong[] = {{.every = 0}, {.every = -1}, {.every = 1, .compression = 10}, {.every = 1, .compression = -1}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(abut_recorder_create(RESULT, simulation, &wrong[i], &recorder, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    }
    assert_null(recorder);
    assert_int_equal(abut_recorder_frame(NULL, simulation, NULL, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(abut_recorder_finish(NULL, simulation, true, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(files_count(FOLDER), 0);
    abut_simulation_destroy(simulation);
    abut_scene_destroy(scene);

    record(NULL, 2, NULL);
    abut_recording *recording = open_result();
    abut_recording_info info = abut_recording_get_info(recording);
    abut_recorded_body body;
    abut_recorded_shape shape;
    abut_step_report report;
    abut_recorded_frame frame;
    const abut_recorded_contact *contacts;
    int32_t count;
    const int64_t out[] = {-1, 1000};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(abut_recording_body(recording, (int32_t)out[i], &body), ABUT_ERROR_INVALID_ARGUMENT);
        assert_int_equal(abut_recording_shape(recording, (int32_t)out[i], &shape), ABUT_ERROR_INVALID_ARGUMENT);
        assert_int_equal(abut_recording_step(recording, out[i], &report), ABUT_ERROR_INVALID_ARGUMENT);
        assert_int_equal(abut_recording_frame(recording, out[i], &frame, NULL), ABUT_ERROR_INVALID_ARGUMENT);
        assert_int_equal(abut_recording_contacts(recording, out[i], &contacts, &count, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    }
    assert_int_equal(abut_recording_body(recording, info.body_count, &body), ABUT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(abut_recording_shape(recording, info.shape_count, &shape), ABUT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(abut_recording_step(recording, info.step_count, &report), ABUT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(abut_recording_frame(recording, info.frame_count, &frame, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    abut_recording_close(recording);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_every_step_reads_back_to_the_same_bits, empty_folder),
        cmocka_unit_test_setup(test_frames_can_be_read_in_any_order, empty_folder),
        cmocka_unit_test_setup(test_frames_can_be_sparser_than_steps_and_have_the_last_one, empty_folder),
        cmocka_unit_test_setup(test_scene_bodies_and_version_are_in_it, empty_folder),
        cmocka_unit_test_setup(test_shapes_are_in_it, empty_folder),
        cmocka_unit_test_setup(test_smooth_shapes_are_in_it, empty_folder),
        cmocka_unit_test_setup(test_bodies_by_formulas_are_in_it, empty_folder),
        cmocka_unit_test_setup(test_the_beginning_has_its_energies, empty_folder),
        cmocka_unit_test_setup(test_a_world_asleep_adds_no_contacts, empty_folder),
        cmocka_unit_test_setup(test_an_aborted_recording_leaves_nothing, empty_folder),
        cmocka_unit_test_setup(test_a_full_disk_is_one_error_and_leaves_the_old_file, empty_folder),
        cmocka_unit_test_setup(test_what_is_no_recording_is_refused, empty_folder),
        cmocka_unit_test_setup(test_a_file_cut_short_is_refused, empty_folder),
        cmocka_unit_test_setup(test_arguments_out_of_range_are_refused, empty_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
