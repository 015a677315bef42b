/*
 * abut run: simulates a scene and records it. Shows a progress bar on a terminal, and a table of figures at the end.
 */
#define _XOPEN_SOURCE 700

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/file/same.h"
#include "io/file/signals.h"
#include "tool/cli.h"
#include "tool/inputs.h"
#include "tool/interrupt.h"
#include "io/record/recording.h"
#include "io/record/start.h"
#include "tool/paths.h"
#include "tool/progress.h"
#include "tool/recording/run_checkpoint.h"
#include "tool/recording/run_events.h"
#include "tool/recording/run_figures.h"
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
    OPTION_EVENTS,
    OPTION_CHECKPOINT_EVERY,
    OPTION_CHECKPOINT_STEPS,
    OPTION_RESUME,
    OPTION_QUIET,
    OPTION_COUNT
};

static const cli_option options[OPTION_COUNT] = {
    [OPTION_OUTPUT] = {"output", 'o', "OUT.h5",
                       "Name of the recording, with the ending .h5 or .hdf5 (default: the scene's name with .h5, in the current folder)."},
    [OPTION_STEPS] = {"steps", 'n', "N",
                      "Make N steps instead of the scene's own number. With --resume, N counts from the scene's beginning."},
    [OPTION_DURATION] = {"duration", 'd', "S",
                         "Simulate S seconds instead of the scene's own duration, rounded to whole steps, at least one."},
    [OPTION_THREADS] =
        {"threads", 'j', "N",
         "Use N threads (default: one for each processor that the process may use). The result is the same to the last bit."},
    [OPTION_METHOD] =
        {"method", 'm', "METHOD",
         "Make contacts by this method instead of the scene's; for the fixed stepper only. patch: whole contact patches at every "
         "step. tracking: the common baseline, which finds one new point per step and keeps up to four."},
    [OPTION_EVERY] =
        {"every", 'e', "N",
         "Record poses and contacts of every N-th step only, and of the last one (default 1). Counters and energies are recorded for "
         "all steps."},
    [OPTION_NO_RECORD] = {"no-record", 0, NULL, "Write no recording."},
    [OPTION_EVENTS] =
        {"events", 0, "FILE.jsonl",
         "Write what happens, one line of JSON for each event: pairs that begin or end to touch, hits at 1 m/s or faster, what "
         "sensors see, sleep and waking, joints and bonds that break (docs/methods/worlds.md). '-' is the standard output; give --quiet, "
         "too. With "
         "--resume, "
         "events begin at the checkpoint."},
    [OPTION_CHECKPOINT_EVERY] = {"checkpoint-every", 'c', "SECONDS",
                                 "Write a checkpoint every SECONDS of wall time (default: none). Writing one takes as long as copying the "
                                 "recording. The time between two is at least ten times that."},
    [OPTION_CHECKPOINT_STEPS] = {"checkpoint-steps", 0, "N", "Write a checkpoint after every N-th step."},
    [OPTION_RESUME] =
        {"resume", 'r', "CHECKPOINT.h5",
         "Continue from a checkpoint. The recording is the same, to the last bit except for the timings, as that of a run without "
         "an interruption. OUT.checkpoint.h5 continues to OUT.h5 unless -o names another file."},
    [OPTION_QUIET] = {"quiet", 'q', NULL, "Print errors only."},
};

static const int64_t most_steps = INT64_C(1) << 40;

static const char *const methods[] = {"patch", "tracking", NULL};

/* The settings from the command line. */
typedef struct run_settings {
    const char *scene_path;
    const char *method; /* NULL: that of the scene */
    char *output;       /* NULL: no recording */
    const char *events; /* NULL: not written */
    int64_t steps;      /* 0: that of the scene */
    double duration;    /* 0: that of the scene */
    int64_t threads, every;
    const char *resume; /* the checkpoint; NULL: the run begins with the scene */
    run_checkpoints checkpoints;
    bool quiet;
} run_settings;

/* ---- what was asked for ---- */

/* A run begins with a scene, or continues from a checkpoint, which contains the scene, the method and the interval of frames. */
static int check_beginning(const cli_line *line, run_settings *settings) {
    static const int excluded[] = {OPTION_METHOD, OPTION_EVERY, OPTION_NO_RECORD};
    settings->resume = line->values[OPTION_RESUME];
    if (!settings->resume) {
        settings->scene_path = line->operand_count > 0 ? line->operands[0] : NULL;
        return settings->scene_path ? CLI_OK
                                    : cli_fail(line->command, CLI_USAGE, "an argument is missing; usage: abut %s %s", line->command->name,
                                               line->command->operands);
    }
    if (line->operand_count > 0) {
        return cli_fail(line->command, CLI_USAGE, "unexpected argument '%s': a checkpoint contains its scene", line->operands[0]);
    }
    for (size_t i = 0; i < sizeof excluded / sizeof *excluded; i++) {
        if (line->values[excluded[i]]) {
            return cli_fail(line->command, CLI_USAGE, "'--resume' and '--%s' exclude each other", options[excluded[i]].name);
        }
    }
    return CLI_OK;
}

/* Refuses outputs that would replace a file of the run. The first call knows what the command line names, the second one all that the scene names. */
static int check_outputs(const cli_line *line, const run_settings *settings) {
    const run_checkpoints *checkpoints = &settings->checkpoints;
    const output_name outputs[] = {{settings->output, "name another file with -o", false},
                                   {checkpoints->path, "name another recording with -o", checkpoints->there},
                                   {settings->events, "name another file with --events", false}};
    return inputs_check_outputs(line->command, outputs, sizeof outputs / sizeof *outputs);
}

static int check_recording(const cli_line *line, const run_settings *settings) {
    inputs_note(settings->resume ? settings->resume : settings->scene_path);
    int status = check_outputs(line, settings);
    return status ? status : path_check_output(line->command, settings->output, run_recording_endings);
}

/* Finds the name of the recording. */
static int read_output(const cli_line *line, run_settings *settings) {
    const char *output = line->values[OPTION_OUTPUT];
    if (line->values[OPTION_NO_RECORD]) {
        bool checkpoints = line->values[OPTION_CHECKPOINT_EVERY] || line->values[OPTION_CHECKPOINT_STEPS];
        return output        ? cli_fail(line->command, CLI_USAGE, "'--output' and '--no-record' exclude each other")
               : checkpoints ? cli_fail(line->command, CLI_USAGE, "a checkpoint contains the recording, so it excludes '--no-record'")
                             : CLI_OK;
    }
    if (!output && !settings->resume && strcmp(settings->scene_path, "-") == 0) {
        return cli_fail(line->command, CLI_USAGE,
                        "a scene from the standard input has no name: name the recording with -o, or give --no-record");
    }
    settings->output = output             ? strdup(output)
                       : settings->resume ? run_checkpoint_recording(settings->resume)
                                          : path_default_output(settings->scene_path, ".h5");
    if (!settings->output && settings->resume) {
        return cli_fail(line->command, CLI_USAGE, "'%s' does not end in '.checkpoint.h5': name the recording with -o", settings->resume);
    }
    return settings->output ? check_recording(line, settings) : cli_fail(line->command, CLI_FAILED, "no memory");
}

static int read_settings(const cli_line *line, run_settings *settings) {
    int method = -1;
    *settings = (run_settings){.every = 1, .quiet = line->values[OPTION_QUIET] != NULL};
    abut_checkpoint_plan *plan = &settings->checkpoints.plan;
    bool right = cli_integer(line, OPTION_STEPS, 1, most_steps, &settings->steps) &&
                 cli_real(line, OPTION_DURATION, 0.0, INFINITY, &settings->duration) &&
                 cli_integer(line, OPTION_THREADS, 1, 1024, &settings->threads) && cli_word(line, OPTION_METHOD, methods, &method) &&
                 cli_integer(line, OPTION_EVERY, 1, INT32_MAX, &settings->every) &&
                 cli_real(line, OPTION_CHECKPOINT_EVERY, 0.0, INFINITY, &plan->seconds) &&
                 cli_integer(line, OPTION_CHECKPOINT_STEPS, 1, most_steps, &plan->steps);
    if (!right) {
        return CLI_USAGE;
    }
    settings->method = method >= 0 ? methods[method] : NULL;
    settings->events = line->values[OPTION_EVENTS];
    if (line->values[OPTION_STEPS] && line->values[OPTION_DURATION]) {
        return cli_fail(line->command, CLI_USAGE, "'--steps' and '--duration' exclude each other");
    }
    if (line->values[OPTION_DURATION] && settings->duration <= 0.0) {
        return cli_fail(line->command, CLI_USAGE, "option '--duration': '%s' is not above 0", line->values[OPTION_DURATION]);
    }
    if (line->values[OPTION_CHECKPOINT_EVERY] && plan->seconds <= 0.0) {
        return cli_fail(line->command, CLI_USAGE, "option '--checkpoint-every': '%s' is not above 0",
                        line->values[OPTION_CHECKPOINT_EVERY]);
    }
    return check_beginning(line, settings);
}

/* The events must not mix with the table on the standard output. */
static int check_events(const cli_line *line, const run_settings *settings) {
    if (settings->events && strcmp(settings->events, "-") == 0 && !settings->quiet) {
        return cli_fail(line->command, CLI_USAGE, "'--events -' needs '--quiet': the table of figures would follow the events");
    }
    return CLI_OK;
}

/* Replaces the contact method of the scene. Its JSON text is changed and parsed again, so that the recording contains the scene that was run. */
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

/* Parses the scene of a checkpoint. Its mesh files must still be in their places. */
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
    abut_stepper stepper = abut_scene_world_def(*scene)->stepper;
    if (settings->method && stepper != ABUT_STEPPER_FIXED) {
        status = abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT, "%s: '--method' is for the fixed stepper; this scene's is '%s'",
                           settings->scene_path, stepper == ABUT_STEPPER_EVENT ? "event" : "dem");
    } else if (settings->method) {
        status = change_method(scene, settings->method, error);
    }
    status = status ? status : abut_recording_start(*scene, error);
    for (int32_t w = 0; status == ABUT_OK && !settings->quiet && w < abut_scene_warning_count(*scene); w++) {
        fprintf(stderr, "abut run: warning: %s\n", abut_scene_warning(*scene, w));
    }
    if (settings->events || settings->output) {
        run_events_want(*scene);
    }
    if (settings->threads > 0) {
        abut_scene_set_parallel(*scene, (abut_parallel){.threads = (int32_t)settings->threads});
    }
    return status;
}

static int64_t steps_wanted(const run_settings *settings, const abut_checkpoint *checkpoint, const abut_scene *scene) {
    if (settings->duration > 0.0) {
        double steps = round(settings->duration / abut_scene_dt(scene));
        return steps < 1.0 ? 1 : (int64_t)steps;
    }
    return settings->steps > 0 ? settings->steps
           : checkpoint        ? abut_checkpoint_get_info(checkpoint).plan.wanted
                               : abut_scene_step_count(scene);
}

/* Plans the checkpoints, if any are wanted. A resumed run writes them as often as before, unless told otherwise. The checkpoint of another run that did not
 * end is never replaced. */
static int plan_checkpoints(const cli_command *command, run_settings *settings, const abut_checkpoint *checkpoint) {
    run_checkpoints *planned = &settings->checkpoints;
    if (checkpoint && planned->plan.seconds <= 0.0 && planned->plan.steps == 0) {
        planned->plan = abut_checkpoint_get_info(checkpoint).plan;
    }
    if (settings->output) {
        run_checkpoint_tidy(settings->output);
    }
    if (!settings->output || (planned->plan.seconds <= 0.0 && planned->plan.steps == 0)) {
        return CLI_OK;
    }
    planned->path = run_checkpoint_path(settings->output);
    if (!planned->path) {
        return cli_fail(command, CLI_FAILED, "no memory");
    }
    planned->there = settings->resume && file_is_same(planned->path, settings->resume);
    planned->at = planned->there ? abut_checkpoint_get_info(checkpoint).step : 0;
    if (!planned->there && access(planned->path, F_OK) == 0) {
        return cli_fail(command, CLI_USAGE,
                        "'%s' exists already, from a run that did not end: go on with 'abut run --resume %s', or remove it", planned->path,
                        planned->path);
    }
    return CLI_OK;
}

/* ---- the run ---- */

/* The state of a run. */
typedef struct running {
    abut_simulation *simulation;
    abut_recorder *recorder; /* NULL: nothing is recorded */
    output_file *events;     /* NULL: not written */
    bond_watch bonds;        /* for the events */
    run_checkpoints *checkpoints;
    run_figures *figures;
    int failure;          /* the exit status if the last operation failed */
    bool checkpoint_lost; /* a checkpoint could not be written; the recording is still good */
    char reason[256];     /* why the library refused the last step; empty for no reason */
} running;

/* The log of the library. */
static void hear(void *context, abut_log_level level, const char *message) {
    running *run = context;
    if (level == ABUT_LOG_ERROR) {
        (void)snprintf(run->reason, sizeof run->reason, "%s", message);
    }
}

static abut_status step(running *run, abut_step_report *report, abut_error *error) {
    run->reason[0] = '\0';
    abut_set_log(hear, run);
    abut_status status = abut_simulation_step(run->simulation, report, error);
    abut_set_log(NULL, NULL);
    static const char of_step[] = "abut_world_step: ";
    if (status != ABUT_OK && strncmp(run->reason, of_step, sizeof of_step - 1) == 0) {
        abut_error told = *error;
        return abut_fail(error, status, "%s: %s", told.message, run->reason + sizeof of_step - 1);
    }
    return status;
}

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

static bool is_over(const run_figures *figures) { return figures->steps >= figures->wanted || figures->at_rest || figures->stopped; }

/* Makes a step, records it, and writes a checkpoint when one is due. */
static abut_status make_step(running *run, abut_step_report *report, abut_error *error) {
    run_figures *figures = run->figures;
    double busy = clock_processor_seconds();
    abut_status status = step(run, report, error);
    run->failure = CLI_FAILED;
    if (status) {
        return status;
    }
    run_figures_add(figures, run->simulation, report, clock_processor_seconds() - busy);
    figures->at_rest = abut_simulation_at_rest(run->simulation);
    figures->stopped = abut_simulation_stopped(run->simulation);
    if (run->recorder) {
        double before = clock_seconds();
        status = abut_recorder_frame(run->recorder, run->simulation, report, error);
        run->failure = cli_error_status(status);
        figures->recording += clock_seconds() - before;
    }
    if (!status && run->events) {
        status = run_events_write(run->events, run->simulation, &run->bonds, error);
        run->failure = cli_error_status(status);
    }
    if (!status && !is_over(figures) && run_checkpoint_is_due(run->checkpoints, figures->steps)) {
        status = write_checkpoint(run, error);
    }
    return status;
}

/* Makes steps until the end, a failure or a signal. */
static abut_status step_all(running *run, bool quiet, abut_error *error) {
    run_figures *figures = run->figures;
    progress bar = progress_begin(figures->wanted, !quiet);
    abut_status status = ABUT_OK;
    while (!is_over(figures) && !interrupt_noted() && !status) {
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

/* Creates the simulation and its recorder, from the scene or from the checkpoint. */
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
    if (!status && settings->events) {
        status = output_open(settings->events, OUTPUT_STREAM, &run->events, error);
    }
    if (!status && settings->events && bond_watch_look(&run->bonds, abut_simulation_world(run->simulation)) != ABUT_OK) {
        status = abut_fail(error, ABUT_ERROR_OUT_OF_MEMORY, "no memory for the bonds");
    }
    run->failure = cli_error_status(status);
    return status;
}

/* Ends the recording and the events, if they are written. */
static abut_status finish(running *run, abut_error *error) {
    double before = clock_seconds();
    signals_hold();
    abut_status status = run->recorder ? abut_recorder_finish(run->recorder, run->simulation, is_over(run->figures), error) : ABUT_OK;
    run->recorder = NULL;
    if (!status && run->events) {
        status = output_commit(run->events, error);
        run->events = NULL;
    }
    signals_release();
    run->figures->recording += clock_seconds() - before;
    return status;
}

/* Reports a failure, and what is left of the run. */
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

/* Simulates, and records if there is an output. CLI_OK also after an interruption. Closes the checkpoint. */
static int simulate(const cli_command *command, run_settings *settings, const abut_scene *scene, abut_checkpoint **checkpoint,
                    run_figures *figures) {
    running run = {.checkpoints = &settings->checkpoints, .figures = figures};
    abut_error error;
    figures->wanted = steps_wanted(settings, *checkpoint, scene);
    figures->begun = settings->checkpoints.ended = clock_seconds();
    interrupt_defer();
    abut_status status = begin(&run, settings, scene, *checkpoint, &error);
    abut_checkpoint_close(*checkpoint); /* frees memory as large as the state of the world */
    *checkpoint = NULL;
    if (!status) {
        figures->steps = figures->before = abut_simulation_step_index(run.simulation);
        figures->at_rest = abut_simulation_at_rest(run.simulation);
        figures->stopped = abut_simulation_stopped(run.simulation);
        (void)abut_simulation_first_report(run.simulation, &figures->first);
        figures->last = figures->first;
        status = step_all(&run, settings->quiet, &error);
        run_figures_coordinate(figures, run.simulation);
        run_figures_take_flows(figures, run.simulation);
        run_figures_take_cells(figures, run.simulation);
    }
    if (!status && (run.recorder || run.events)) {
        run.failure = CLI_USAGE;
        status = finish(&run, &error);
    }
    if (!status && is_over(figures) && settings->checkpoints.there) {
        (void)unlink(settings->checkpoints.path);
    }
    figures->ended = clock_seconds();
    int told = status ? tell_failure(command, settings, &run, &error) : CLI_OK;
    abut_recorder_abort(run.recorder);
    output_discard(run.events);
    bond_watch_release(&run.bonds);
    abut_simulation_destroy(run.simulation);
    return told;
}

/* Reports the end of an interrupted run. Returns 128 + signal. */
static int note_interruption(const run_settings *settings, const run_figures *figures) {
    fprintf(stderr, "abut run: interrupted after %" PRId64 " of %" PRId64 " steps%s%s%s", figures->steps, figures->wanted,
            settings->output ? "; '" : "", settings->output ? settings->output : "", settings->output ? "' holds them" : "");
    if (settings->checkpoints.there) {
        fprintf(stderr, "; go on with 'abut run --resume %s'", settings->checkpoints.path);
    }
    fputc('\n', stderr);
    return 128 + interrupt_noted();
}

/* The checkpoint, if there is one, and the scene. A missing checkpoint is reported before the names of outputs are checked. */
static int load(const cli_line *line, run_settings *settings, abut_checkpoint **checkpoint, abut_scene **scene) {
    abut_error error;
    abut_status status = settings->resume ? abut_checkpoint_open(settings->resume, checkpoint, &error) : ABUT_OK;
    if (status) {
        return cli_fail_error(line->command, cli_error_status(status), &error);
    }
    int named = read_output(line, settings);
    named = named ? named : check_events(line, settings);
    if (named) {
        return named;
    }
    status = load_scene(settings, *checkpoint, scene, &error);
    if (status) {
        return cli_fail_error(line->command, cli_error_status(status), &error);
    }
    if (settings->duration / abut_scene_dt(*scene) > (double)most_steps) {
        return cli_fail(line->command, CLI_USAGE, "option '--duration': '%s' is more than %" PRId64 " steps of %g",
                        line->values[OPTION_DURATION], most_steps, abut_scene_dt(*scene));
    }
    named = plan_checkpoints(line->command, settings, *checkpoint);
    return named ? named : check_outputs(line, settings);
}

static int run(const cli_line *line) {
    run_settings settings;
    abut_scene *scene = NULL;
    abut_checkpoint *checkpoint = NULL;
    int status = read_settings(line, &settings);
    status = status ? status : load(line, &settings, &checkpoint, &scene);
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
        run_figures_release(&figures);
    }
    abut_checkpoint_close(checkpoint);
    abut_scene_destroy(scene);
    free(settings.output);
    free(settings.checkpoints.path);
    return status;
}

static const char *const text[] = {
    "Simulates the scene step by step and performs its timed actions. Records everything in an HDF5 file (docs/formats/recording.md): "
    "poses, "
    "velocities, "
    "contacts with their forces, energies and timings. A bar shows the progress on a terminal. A table of the main figures follows at the "
    "end.",
    "SCENE is a JSON file (docs/formats/scenes.md), or '-' for the standard input. In a scene from the standard input, names of mesh files "
    "are relative "
    "to "
    "the current folder.",
    "The scene chooses its stepper. For the event stepper (docs/methods/event-driven.md) the table also shows: the steps of the "
    "integration; the tests "
    "of "
    "pairs, which are hits when the earlier result of the pair still holds and misses when a new search is needed; the times at which "
    "contacts began or changed; the impulses; the processor time per simulated second.",
    "For the dem stepper (docs/methods/dem.md), for granular matter, the table also shows: the "
    "mean step of "
    "the integration and the critical step; how many neighbours a body touches; the energy that contacts hold and that was lost; the "
    "residual, which is the largest net force on a body divided by its weight. A scene with \"until\" ends when it is at rest.",
    "A scene with a \"start\" begins where the bodies of a recording were: fill a hopper in one run, and open it in others. That recording "
    "is not "
    "changed.",
    "The recording appears whole or not at all. An earlier recording of the same name is replaced at the end, and stays unchanged after a "
    "failure. The first Ctrl-C ends the run after the current step, and the recording holds the steps made so far. A second Ctrl-C ends it "
    "at "
    "once, without a recording.",
    "No output may replace a file that the run reads, such as the scene, its meshes and the recording that it starts from, nor another "
    "output: the run ends at once, and nothing is written.",
    "A long run can write checkpoints, and continue from the last one when it was killed. The checkpoint of OUT.h5 is OUT.checkpoint.h5. "
    "It "
    "is itself a recording of everything so far, which 'abut export' reads. Each checkpoint replaces the one before in a single operation. "
    "A "
    "run that reaches its end removes it; a run that Ctrl-C ends leaves one. To continue, the mesh files of the scene, and a recording "
    "that it starts from, must still be in their places.",
    NULL,
};

static const char *const examples[] = {"abut run scenes/wall.json",
                                       "abut run scenes/jack.json --no-record",
                                       "abut run scenes/ball_on_plane.json --steps 60 -o ball.h5",
                                       "abut run scenes/wall.json -o tracking.h5 --method tracking --duration 5",
                                       "abut run scenes/sphere_packing.json --checkpoint-every 600",
                                       "abut run scenes/dice.json --no-record --quiet --events -",
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
