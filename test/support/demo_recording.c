#include "support/demo_recording.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/demo_scene.h"

static void must(abut_status status, const abut_error *error) {
    if (status != ABUT_OK) {
        fail_msg("%s", error->message);
    }
}

void record_simulation(const char *path, abut_simulation *simulation, const abut_recorder_settings *settings, int64_t steps) {
    abut_recorder *recorder = NULL;
    abut_error error = {0};
    must(abut_recorder_create(path, simulation, settings, &recorder, &error), &error);
    for (int64_t step = 0; step < steps; step++) {
        abut_step_report report;
        must(abut_simulation_step(simulation, &report, &error), &error);
        must(abut_recorder_frame(recorder, simulation, &report, &error), &error);
    }
    must(abut_recorder_finish(recorder, simulation, true, &error), &error);
    abut_simulation_destroy(simulation);
}

abut_recording *open_recording(const char *path) {
    abut_recording *recording = NULL;
    abut_error error = {0};
    must(abut_recording_open(path, &recording, &error), &error);
    return recording;
}

abut_recording *demo_recording(const char *path, int64_t steps) {
    abut_scene *scene = demo_scene();
    record_simulation(path, demo_simulation(scene), NULL, steps);
    abut_scene_destroy(scene);
    return open_recording(path);
}
