/*
 * abut check: loads scenes as `abut run` does, without running them. Messages begin with FILE:LINE:COLUMN, like those of compilers.
 */
#include <inttypes.h>

#include "tool/cli.h"
#include "io/scene/scene.h"
#ifdef ABUT_WITH_RECORDINGS
#include "io/record/start.h"
#endif
#include "tool/paths.h"

static void print_scene(const abut_scene *scene) {
    int32_t counts[3] = {0, 0, 0};
    for (int32_t i = 0; i < abut_scene_body_count(scene); i++) {
        counts[abut_scene_body_def(scene, i)->kind]++;
    }
    int64_t steps = abut_scene_step_count(scene);
    printf("%s: OK, %d bodies (%d dynamic, %d static, %d kinematic), %d actions, %" PRId64 " steps of %g (%g in all)\n",
           abut_scene_path(scene), (int)abut_scene_body_count(scene), (int)counts[ABUT_BODY_DYNAMIC], (int)counts[ABUT_BODY_STATIC],
           (int)counts[ABUT_BODY_KINEMATIC], (int)abut_scene_action_count(scene), steps, abut_scene_dt(scene),
           (double)steps * abut_scene_dt(scene));
}

/* A build without recordings does not know where such a scene begins. */
static abut_status read_start(abut_scene *scene, abut_error *error) {
#ifdef ABUT_WITH_RECORDINGS
    return abut_recording_start(scene, error);
#else
    abut_scene_start start;
    return abut_scene_get_start(scene, &start)
               ? abut_fail(error, ABUT_ERROR_UNSUPPORTED, "%s: goes on from a recording, and this build of abut reads none",
                           abut_scene_path(scene))
               : ABUT_OK;
#endif
}

static int run(const cli_line *line) {
    int status = path_check_inputs(line, NULL);
    if (status) {
        return status;
    }
    for (int i = 0; i < line->operand_count; i++) {
        abut_scene *scene = NULL;
        abut_error error;
        abut_status loaded = abut_scene_load(line->operands[i], &scene, &error);
        loaded = loaded ? loaded : read_start(scene, &error);
        if (loaded) {
            fprintf(stderr, "%s\n", error.message);
            abut_scene_destroy(scene);
            status = status == CLI_USAGE ? status : cli_error_status(loaded);
            continue;
        }
        for (int32_t w = 0; w < abut_scene_warning_count(scene); w++) {
            fprintf(stderr, "%s (warning)\n", abut_scene_warning(scene, w));
        }
        print_scene(scene);
        abut_scene_destroy(scene);
    }
    int finished = cli_finish_output(line->command);
    return status ? status : finished;
}

static const char *const text[] = {
    "Loads each scene exactly as 'abut run' does: reads its meshes, builds its shapes and checks its actions. The first error of a scene "
    "is "
    "printed on the standard error as FILE:LINE:COLUMN: MESSAGE, and the exit status is 2. Warnings do not change the exit status. '-' is "
    "the "
    "standard input. Warnings name settings that have no effect, and bodies that begin inside each other.",
    NULL,
};

static const char *const examples[] = {"abut check scenes/wall.json", "abut check scenes/*.json", NULL};

const cli_command command_check = {
    .name = "check",
    .operands = "SCENE.json...",
    .least_operands = 1,
    .most_operands = INT32_MAX,
    .summary = "check scenes, and print where the errors are",
    .text = text,
    .examples = examples,
    .run = run,
};
