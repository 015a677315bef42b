/* Prints hashes of the states of scenes after a number of steps: state_hash STEPS SCENE [STEPS SCENE]... A shorter scene runs to its end. A scene with a
 * failing step gets a message instead. On one thread, like the WebAssembly module. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <abut/world.h>

#include "io/scene/scene.h"
#include "io/scene/simulation.h"

static void run(const char *path, int64_t steps) {
    abut_error error = {.message = ""};
    abut_scene *scene = NULL;
    abut_simulation *simulation = NULL;
    abut_status status = abut_scene_load(path, &scene, &error);
    if (!status) {
        abut_scene_set_parallel(scene, (abut_parallel){.threads = 1});
        status = abut_simulation_create(scene, &simulation, &error);
    }
    for (int64_t i = 0; i < steps && !status && !abut_simulation_finished(simulation); i++) {
        status = abut_simulation_step(simulation, NULL, &error);
    }
    if (status) {
        printf("%s\n", error.message);
    } else {
        printf("%016" PRIx64 "\n", abut_world_hash(abut_simulation_world(simulation)));
    }
    abut_simulation_destroy(simulation);
    abut_scene_destroy(scene);
}

int main(int argc, char **argv) {
    for (int i = 1; i + 1 < argc; i += 2) {
        run(argv[i + 1], strtoll(argv[i], NULL, 10));
    }
    return 0;
}
