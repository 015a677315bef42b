/*
 * abut run: simulates a scene and records it, with a progress bar on a terminal and a table of the figures at the end.
 */
#define _XOPEN_SOURCE 700

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "progress.h"
#include "io/record/recording.h"
#include "run_checkpoint.h"
#include "run_figures.h"
#include "io/scene/scene.h"
#include "io/scene/simulation.h"

enum {
    OPTION_OUTPUT,
    OPTION_STEPS,
    OPTION_DURATION,
    OPTION_THREADS,
    OPTION_METHOD,
    OPTION_EVERY,
    OPTION_NO_RECORD,
    OPTION_CHECKPOINT_EVERY,
    OPTION_CHECKPOINT_STEPS,
    OPTION_RESUME,
    OPTION_QUIET,
    OPTION_COUNT
};

static const cli_option options[OPTION_COUNT] = {
    [OPTION_OUTPUT] = {"output", 'o', "OUT.h5",
                       "Where the recording goes (default: the scene's name with the ending .h5, in the present folder)."},
    [OPTION_STEPS] = {"steps", 'n', "N", "Make N steps instead of the scene's own number."},
    [OPTION_DURATION] = {"duration", 'd', "S", "Simulate S seconds instead of the scene's own duration."},
    [OPTION_THREADS] = {"threads", 'j', "N", "Use N threads (default: all processors). The result is the same to the last bit."},
    [OPTION_METHOD] =
        {"method", 'm', "METHOD",
         "Make contacts by this method instead of the scene's: patch (whole contact patches at every step) or tracking (the common "
         "baseline: one new point a step, kept in a cache of four)."},
    [OPTION_EVERY] = {"every", 'e', "N",
                      "Record poses and contacts of every N-th step only (default 1); counters are recorded for all steps."},
    [OPTION_NO_RECORD] = {"no-record", 0, NULL, "Write no recording."},
    [OPTION_CHECKPOINT_EVERY] =
        {"checkpoint-every", 'c', "SECONDS",
         "Write a checkpoint after so many seconds of wall time, and again after as many, to OUT.checkpoint.h5 (default: none). It takes "
         "as long as copying the recording does; the time between two is at least ten times that."},
    [OPTION_CHECKPOINT_STEPS] = {"checkpoint-steps", 0, "N", "Write a checkpoint after every N-th step."},
    [OPTION_RESUME] = {"resume", 'r', "CHECKPOINT.h5",
                       "Go on from a checkpoint, instead of beginning with a scene. The recording will be the one that the run would have "
                       "made without an "
                       "interruption, to the last bit but for the timings; it goes to the name that it was to have."},
    [OPTION_QUIET] = {"quiet", 'q', NULL, "Print nothing but errors."},
};

static const char *const methods[] = {"patch", "tracking", NULL};

/* What the command line asked for. */
typedef struct run_settings {
    const char *scene_path;
    const char *method; /* NULL: the scene's */
    char *output;       /* NULL: no recording */
    int64_t steps;      /* 0: the scene's */
    double duration;    /* 0: the scene's */
    int64_t threads, every;
    const char *resume; /* NULL: the run begins with the scene */
    run_checkpoints checkpoints;
    bool quiet;
} run_settings;

/* ---- interruption ---- */

static volatile sig_atomic_t interrupted_by; /* the number of the signal */

static void on_signal(int number) { interrupted_by = number; }

/* The first signal ends the run in good order, a second one the process. What is ignored stays so: nohup relies on it. */
static void watch_signals(void) {
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND}, before;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN) {
            sigaction(numbers[i], &action, NULL);
        }
    }
}

/* ---- what was asked for ---- */

/* NAME.h5 in the present folder for a scene FOLDER/NAME.json; NULL when there is no memory. */
static char *default_output(const char *scene_path) {
    const char *slash = strrchr(scene_path, '/'), *name = slash ? slash + 1 : scene_path;
    const char *dot = strrchr(name, '.');
    size_t length = dot && dot > name ? (size_t)(dot - name) : strlen(name);
    char *path = malloc(length + 4);
    if (path) {
        memcpy(path, name, length);
        memcpy(path + length, ".h5", 4);
    }
    return path;
}

/* A run begins with a scene or goes on from a checkpoint, which has its scene, method and frames. */
static int check_beginning(const cli_line *line, run_settings *settings) {
    static const int excluded[] = {OPTION_METHOD, OPTION_EVERY, OPTION_NO_RECORD};
    settings->resume = line->values[OPTION_RESUME];
    if (!settings->resume) {
        settings->scene_path = line->operand_count > 0 ? line->operands[0] : NULL;
        return settings->scene_path ? CLI_OK
                                    : cli_fail(line->command, CLI_USAGE, "something is missing; usage: abut %s %s", line->command->name,
                                               line->command->operands);
    }
    if (line->operand_count > 0) {
        return cli_fail(line->command, CLI_USAGE, "'%s' is one too many: a checkpoint has its scene", line->operands[0]);
    }
    for (size_t i = 0; i < sizeof excluded / sizeof *excluded; i++) {
        if (line->values[excluded[i]]) {
            return cli_fail(line->command, CLI_USAGE, "'--resume' and '--%s' exclude each other", options[excluded[i]].name);
        }
    }
    return CLI_OK;
}

/* Where the recording goes. */
static int read_output(const cli_line *line, run_settings *settings) {
    const char *output = line->values[OPTION_OUTPUT];
    if (line->values[OPTION_NO_RECORD]) {
        bool checkpoints = line->values[OPTION_CHECKPOINT_EVERY] || line->values[OPTION_CHECKPOINT_STEPS];
        return output ? cli_fail(line->command, CLI_USAGE, "'--output' and '--no-record' exclude each other")
               : checkpoints
                   ? cli_fail(line->command, CLI_USAGE, "a checkpoint holds the recording so far: it cannot be had with '--no-record'")
                   : CLI_OK;
    }
    settings->output = output             ? strdup(output)
                       : settings->resume ? run_checkpoint_recording(settings->resume)
                                          : default_output(settings->scene_path);
    if (!settings->output && settings->resume) {
        return cli_fail(line->command, CLI_USAGE, "'%s' does not end in '.checkpoint.h5': name the recording with -o", settings->resume);
    }
    if (!settings->output) {
        return cli_fail(line->command, CLI_FAILED, "no memory");
    }
    if (settings->scene_path && cli_same_file(settings->output, settings->scene_path)) {
        return cli_fail(line->command, CLI_USAGE, "'%s' is the scene itself; name another file with -o", settings->output);
    }
    if (settings->resume && cli_same_file(settings->output, settings->resume)) {
        return cli_fail(line->command, CLI_USAGE, "'%s' is the checkpoint itself; name another file with -o", settings->output);
    }
    return CLI_OK;
}

static int read_settings(const cli_line *line, run_settings *settings) {
    int method = -1;
    *settings = (run_settings){.every = 1, .quiet = line->values[OPTION_QUIET] != NULL};
    abut_checkpoint_plan *plan = &settings->checkpoints.plan;
    bool right = cli_integer(line, OPTION_STEPS, 1, INT64_C(1) << 40, &settings->steps) &&
                 cli_real(line, OPTION_DURATION, 0.0, INFINITY, &settings->duration) &&
                 cli_integer(line, OPTION_THREADS, 1, 1024, &settings->threads) && cli_word(line, OPTION_METHOD, methods, &method) &&
                 cli_integer(line, OPTION_EVERY, 1, INT32_MAX, &settings->every) &&
                 cli_real(line, OPTION_CHECKPOINT_EVERY, 0.0, INFINITY, &plan->seconds) &&
                 cli_integer(line, OPTION_CHECKPOINT_STEPS, 1, INT64_C(1) << 40, &plan->steps);
    if (!right) {
        return CLI_USAGE;
    }
    settings->method = method >= 0 ? methods[method] : NULL;
    if (line->values[OPTION_STEPS] && line->values[OPTION_DURATION]) {
        return cli_fail(line->command, CLI_USAGE, "'--steps' and '--duration' say the same thing; give one of them");
    }
    if (line->values[OPTION_DURATION] && settings->duration <= 0.0) {
        return cli_fail(line->command, CLI_USAGE, "option '--duration': '%s' is not above 0", line->values[OPTION_DURATION]);
    }
    if (line->values[OPTION_CHECKPOINT_EVERY] && plan->seconds <= 0.0) {
        return cli_fail(line->command, CLI_USAGE, "option '--checkpoint-every': '%s' is not above 0",
                        line->values[OPTION_CHECKPOINT_EVERY]);
    }
    int status = check_beginning(line, settings);
    return status ? status : read_output(line, settings);
}

/* The same scene with another contact method: changed in its text, so that the recording contains the scene that was run. */
static abut_status change_method(abut_scene **scene, const char *method, abut_error *error) {
    json_t *document = json_loads(abut_scene_text(*scene), 0, NULL);
    json_t *contact = json_object_get(document, "contact");
    if (document && !contact) {
        contact = json_object();
        json_object_set_new(document, "contact", contact);
    }
    json_object_set_new(contact, "method", json_string(method));
    char *changed = json_dumps(document, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
    json_decref(document);
    if (!changed) {
        return abut_fail(error, ABUT_ERROR_OUT_OF_MEMORY, "no memory");
    }
    abut_scene *other = NULL;
    abut_status status = abut_scene_parse(changed, strlen(changed), abut_scene_path(*scene), &other, error);
    free(changed);
    if (!status) {
        abut_scene_destroy(*scene);
        *scene = other;
    }
    return status;
}

/* The scene of a checkpoint, with its mesh files where they were. */
static abut_status parse_scene_of(const abut_checkpoint *checkpoint, const char *path, abut_scene **scene, abut_error *error) {
    abut_checkpoint_info info = abut_checkpoint_get_info(checkpoint);
    abut_error why = {ABUT_OK, ""};
    abut_status status = abut_scene_parse(info.scene, strlen(info.scene), info.scene_path, scene, &why);
    return status ? abut_fail(error, status, "%s: its scene cannot be built again: %s", path, why.message) : ABUT_OK;
}

static abut_status load_scene(const run_settings *settings, const abut_checkpoint *checkpoint, abut_scene **scene, abut_error *error) {
    abut_status status =
        checkpoint ? parse_scene_of(checkpoint, settings->resume, scene, error) : abut_scene_load(settings->scene_path, scene, error);
    if (status) {
        return status;
    }
    if (!settings->quiet) {
        for (int32_t w = 0; w < abut_scene_warning_count(*scene); w++) {
            fprintf(stderr, "abut run: warning: %s\n", abut_scene_warning(*scene, w));
        }
    }
    abut_stepper stepper = abut_scene_world_def(*scene)->stepper;
    if (settings->method && stepper != ABUT_STEPPER_FIXED) {
        status = abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT, "%s: '--method' is for the fixed stepper; this scene's is '%s'",
                           settings->scene_path, stepper == ABUT_STEPPER_EVENT ? "event" : "dem");
    } else if (settings->method) {
        status = change_method(scene, settings->method, error);
    }
    if (settings->threads > 0) {
        abut_scene_set_parallel(*scene, (abut_parallel){.threads = (int32_t)settings->threads});
    }
    return status;
}

static int64_t steps_wanted(const run_settings *settings, const abut_checkpoint *checkpoint, const abut_scene *scene) {
    if (settings->duration > 0.0) {
        double steps = round(settings->duration / abut_scene_dt(scene));
        return steps < 1.0 ? 1 : steps > 1e15 ? INT64_C(1000000000000000) : (int64_t)steps;
    }
    return settings->steps > 0 ? settings->steps
           : checkpoint        ? abut_checkpoint_get_info(checkpoint).plan.wanted
                               : abut_scene_step_count(scene);
}

/* Where checkpoints go, if any are wanted. A run that goes on writes them as often as before, unless told otherwise. One that somebody may still want to go on
 * from is not written over. */
static int plan_checkpoints(const cli_command *command, run_settings *settings, const abut_checkpoint *checkpoint) {
    run_checkpoints *planned = &settings->checkpoints;
    if (checkpoint && planned->plan.seconds <= 0.0 && planned->plan.steps == 0) {
        planned->plan = abut_checkpoint_get_info(checkpoint).plan;
    }
    if (!settings->output || (planned->plan.seconds <= 0.0 && planned->plan.steps == 0)) {
        return CLI_OK;
    }
    planned->path = run_checkpoint_path(settings->output);
    if (!planned->path) {
        return cli_fail(command, CLI_FAILED, "no memory");
    }
    planned->there = settings->resume && cli_same_file(planned->path, settings->resume);
    planned->at = planned->there ? abut_checkpoint_get_info(checkpoint).step : 0;
    if (!planned->there && access(planned->path, F_OK) == 0) {
        return cli_fail(command, CLI_USAGE,
                        "'%s' is there already, of a run that did not end: go on with 'abut run --resume %s', or remove it", planned->path,
                        planned->path);
    }
    return CLI_OK;
}

/* ---- the run ---- */

/* A run under way. */
typedef struct running {
    abut_simulation *simulation;
    abut_recorder *recorder; /* NULL: nothing is recorded */
    run_checkpoints *checkpoints;
    run_figures *figures;
    int failure;          /* the exit status that a failure calls for */
    bool checkpoint_lost; /* a checkpoint could not be written: the recording is none the worse */
} running;

static abut_status write_checkpoint(running *run, abut_error *error) {
    double before = clock_seconds();
    run->checkpoints->plan.wanted = run->figures->wanted;
    abut_status status = run_checkpoint_write(run->checkpoints, run->recorder, run->simulation, error);
    run->figures->checkpointing += clock_seconds() - before;
    run->figures->checkpoints += status == ABUT_OK;
    run->checkpoint_lost = status != ABUT_OK;
    run->failure = status == ABUT_ERROR_FILE ? CLI_USAGE : CLI_FAILED;
    return status;
}

static bool is_over(const run_figures *figures) { return figures->steps >= figures->wanted || figures->at_rest; }

/* A step and what is to be kept of it. */
static abut_status make_step(running *run, abut_step_report *report, abut_error *error) {
    run_figures *figures = run->figures;
    double busy = clock_processor_seconds();
    abut_status status = abut_simulation_step(run->simulation, report, error);
    run->failure = CLI_FAILED;
    if (status) {
        return status;
    }
    run_figures_add(figures, report, clock_processor_seconds() - busy);
    figures->at_rest = abut_simulation_at_rest(run->simulation);
    if (run->recorder) {
        double before = clock_seconds();
        status = abut_recorder_frame(run->recorder, run->simulation, report, error);
        run->failure = status == ABUT_ERROR_OUT_OF_MEMORY ? CLI_FAILED : CLI_USAGE;
        figures->recording += clock_seconds() - before;
    }
    if (!status && !is_over(figures) && run_checkpoint_is_due(run->checkpoints, figures->steps)) {
        status = write_checkpoint(run, error);
    }
    return status;
}

/* Steps until the end, a failure or a signal. */
static abut_status step_all(running *run, bool quiet, abut_error *error) {
    run_figures *figures = run->figures;
    progress bar = progress_begin(figures->wanted, !quiet);
    abut_status status = ABUT_OK;
    while (!is_over(figures) && !interrupted_by && !status) {
        abut_step_report report;
        status = make_step(run, &report, error);
        if (!status) {
            char note[80];
            snprintf(note, sizeof note, "t = %.2f  %d contacts, %d awake", report.time, (int)report.contacts, (int)report.awake);
            progress_update(&bar, figures->steps, note);
        }
    }
    progress_end(&bar);
    bool known = run->checkpoints->there && run->checkpoints->at == figures->steps;
    if (!status && !is_over(figures) && run->checkpoints->path && !known) {
        status = write_checkpoint(run, error);
    }
    return status;
}

/* The simulation and its recording, from the scene's beginning or from the checkpoint. */
static abut_status begin(running *run, const run_settings *settings, const abut_scene *scene, abut_checkpoint *checkpoint,
                         abut_error *error) {
    abut_status status = abut_simulation_create(scene, &run->simulation, error);
    if (!status && checkpoint) {
        status = abut_checkpoint_continue(checkpoint, run->simulation, settings->output, &run->recorder, error);
    } else if (!status && settings->output) {
        abut_recorder_settings how = abut_recorder_settings_default();
        how.every = (int32_t)settings->every;
        status = abut_recorder_create(settings->output, run->simulation, &how, &run->recorder, error);
    }
    run->failure = status == ABUT_ERROR_OUT_OF_MEMORY ? CLI_FAILED : CLI_USAGE;
    return status;
}

static abut_status finish(running *run, abut_error *error) {
    double before = clock_seconds();
    abut_status status = abut_recorder_finish(run->recorder, is_over(run->figures), error);
    run->recorder = NULL;
    run->figures->recording += clock_seconds() - before;
    return status;
}

/* What went wrong, and what is left of the run. */
static int tell_failure(const cli_command *command, const run_settings *settings, running *run, const abut_error *error) {
    const run_checkpoints *checkpoints = run->checkpoints;
    int64_t steps = run->figures->steps;
    abut_error ignored;
    if (run->checkpoint_lost && run->recorder && finish(run, &ignored) == ABUT_OK) {
        return cli_fail(command, run->failure, "%s; '%s' holds the %" PRId64 " steps made", error->message, settings->output, steps);
    }
    if (checkpoints->there) {
        return cli_fail(command, run->failure, "%s; '%s' holds the first %" PRId64 " steps: go on with 'abut run --resume %s'",
                        error->message, checkpoints->path, checkpoints->at, checkpoints->path);
    }
    return cli_fail_error(command, run->failure, error);
}

/* Simulates, and records when there is an output. CLI_OK also when it was interrupted. The checkpoint is
 * closed. */
static int simulate(const cli_command *command, run_settings *settings, const abut_scene *scene, abut_checkpoint **checkpoint,
                    run_figures *figures) {
    running run = {.checkpoints = &settings->checkpoints, .figures = figures};
    abut_error error;
    figures->wanted = steps_wanted(settings, *checkpoint, scene);
    figures->begun = settings->checkpoints.ended = clock_seconds();
    watch_signals();
    abut_status status = begin(&run, settings, scene, *checkpoint, &error);
    abut_checkpoint_close(*checkpoint); /* it is as large as the state */
    *checkpoint = NULL;
    if (!status) {
        figures->steps = figures->before = abut_simulation_step_index(run.simulation);
        figures->at_rest = abut_simulation_at_rest(run.simulation);
        (void)abut_simulation_first_report(run.simulation, &figures->first);
        figures->last = figures->first;
        status = step_all(&run, settings->quiet, &error);
        run_figures_coordinate(figures, run.simulation);
    }
    if (!status && run.recorder) {
        run.failure = CLI_USAGE;
        status = finish(&run, &error);
    }
    if (!status && is_over(figures) && settings->checkpoints.there) {
        (void)unlink(settings->checkpoints.path);
    }
    figures->ended = clock_seconds();
    int told = status ? tell_failure(command, settings, &run, &error) : CLI_OK;
    abut_recorder_abort(run.recorder);
    abut_simulation_destroy(run.simulation);
    return told;
}

/* After a signal: what became of the run, and the exit status of a process that the signal ended. */
static int note_interruption(const run_settings *settings, const run_figures *figures) {
    fprintf(stderr, "abut run: interrupted after %" PRId64 " of %" PRId64 " steps%s%s%s", figures->steps, figures->wanted,
            settings->output ? "; '" : "", settings->output ? settings->output : "", settings->output ? "' holds them" : "");
    if (settings->checkpoints.there) {
        fprintf(stderr, "; go on with 'abut run --resume %s'", settings->checkpoints.path);
    }
    fputc('\n', stderr);
    return 128 + (int)interrupted_by;
}

/* The checkpoint, if it is to go on from one, and the scene. */
static int load(const cli_command *command, run_settings *settings, abut_checkpoint **checkpoint, abut_scene **scene) {
    abut_error error;
    abut_status status = settings->resume ? abut_checkpoint_open(settings->resume, checkpoint, &error) : ABUT_OK;
    status = status ? status : load_scene(settings, *checkpoint, scene, &error);
    if (status) {
        return cli_fail_error(command, status == ABUT_ERROR_OUT_OF_MEMORY ? CLI_FAILED : CLI_USAGE, &error);
    }
    return plan_checkpoints(command, settings, *checkpoint);
}

static int run(const cli_line *line) {
    run_settings settings;
    abut_scene *scene = NULL;
    abut_checkpoint *checkpoint = NULL;
    int status = read_settings(line, &settings);
    status = status ? status : load(line->command, &settings, &checkpoint, &scene);
    if (!status) {
        run_figures figures = {0};
        status = simulate(line->command, &settings, scene, &checkpoint, &figures);
        if (!status && !settings.quiet) {
            run_figures_print(&figures, scene, settings.output);
            status = cli_finish_output(line->command);
        }
        if (!status && !is_over(&figures)) {
            status = note_interruption(&settings, &figures);
        }
    }
    abut_checkpoint_close(checkpoint);
    abut_scene_destroy(scene);
    free(settings.output);
    free(settings.checkpoints.path);
    return status;
}

static const char *const text[] = {
    "The scene's bodies are simulated step by step, its timed actions performed, and everything recorded in an HDF5 file: poses, "
    "velocities, contacts with their forces, energies and timings (docs/formats/recording.md). A bar shows the progress when the standard error "
    "is a terminal; at the end, a table gives the main figures.",
    "A scene chooses its stepper. With the event stepper (docs/methods/event-driven.md) the table also says how many steps the integration took, "
    "how many tests of pairs were answered by what was known of the pair before (hits) or searched anew (misses), at how many times "
    "contacts "
    "began or changed, and how much processor time a simulated second took.",
    "With the dem stepper (spheres, planes and bodies of rounded triangles that press on each other) the table says how long the steps of "
    "the integration were beside the critical one, how many neighbours a body touches, what energy the contacts hold and lost, and how "
    "far from rest all is: the largest net force of a body, over its weight. A scene with \"until\" ends when it is at rest; that step "
    "is always recorded whole.",
    "The recording appears whole or not at all. Ctrl-C ends the run in good order: the recording then holds the steps made so far. After "
    "a failure an earlier recording of the same name is as it was.",
    "A long run can write checkpoints, to go on from when it was killed or the machine went down: OUT.checkpoint.h5 beside OUT.h5. A "
    "checkpoint is "
    "itself a recording of all that happened so far, which 'abut export' reads. It replaces the one before in one instant, and is removed "
    "when the run has "
    "ended well; Ctrl-C leaves one, too. Mesh files that the scene names must still be where they were.",
    NULL,
};

static const char *const examples[] = {"abut run scenes/wall.json",
                                       "abut run scenes/jack.json --no-record",
                                       "abut run scenes/ball_on_plane.json --no-record",
                                       "abut run scenes/wall.json -o tracking.h5 --method tracking --duration 5",
                                       "abut run scenes/sphere_packing.json --checkpoint-every 600",
                                       NULL};

const cli_command command_run = {
    .name = "run",
    .operands = "SCENE.json | --resume CHECKPOINT.h5",
    .least_operands = 0,
    .most_operands = 1,
    .summary = "simulate a scene and record what happens",
    .text = text,
    .examples = examples,
    .options = options,
    .option_count = OPTION_COUNT,
    .run = run,
};
