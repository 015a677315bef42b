#pragma once

#include "io/record/recording.h"

/*
 * Recordings for tests. A call that cannot do its work fails the test.
 */

/* Steps the simulation `steps` times, records it at `path` as a complete run, and destroys it. Settings may be NULL. */
void record_simulation(const char *path, abut_simulation *simulation, const abut_recorder_settings *settings, int64_t steps);

/* Opens the recording; to be closed by the caller. */
abut_recording *open_recording(const char *path);

/* Records the first `steps` steps of the demo scene (support/demo_scene.h) at `path` and opens the recording. */
abut_recording *demo_recording(const char *path, int64_t steps);
