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

#include "cli.h"
#include "progress.h"
#include "recording.h"
#include "run_figures.h"
#include "scene.h"
#include "simulation.h"

enum {
    OPTION_OUTPUT,
    OPTION_STEPS,
    OPTION_DURATION,
    OPTION_THREADS,
    OPTION_METHOD,
    OPTION_EVERY,
    OPTION_NO_RECORD,
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

static int read_settings(const cli_line *line, run_settings *settings) {
    int method = -1;
    *settings = (run_settings){.scene_path = line->operands[0], .every = 1, .quiet = line->values[OPTION_QUIET] != NULL};
    bool right = cli_integer(line, OPTION_STEPS, 1, INT64_C(1) << 40, &settings->steps) &&
                 cli_real(line, OPTION_DURATION, 0.0, INFINITY, &settings->duration) &&
                 cli_integer(line, OPTION_THREADS, 1, 1024, &settings->threads) && cli_word(line, OPTION_METHOD, methods, &method) &&
                 cli_integer(line, OPTION_EVERY, 1, INT32_MAX, &settings->every);
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
    const char *output = line->values[OPTION_OUTPUT];
    if (line->values[OPTION_NO_RECORD]) {
        return output ? cli_fail(line->command, CLI_USAGE, "'--output' and '--no-record' exclude each other") : CLI_OK;
    }
    settings->output = output ? strdup(output) : default_output(settings->scene_path);
    if (!settings->output) {
        return cli_fail(line->command, CLI_FAILED, "no memory");
    }
    if (cli_same_file(settings->output, settings->scene_path)) {
        return cli_fail(line->command, CLI_USAGE, "'%s' is the scene itself; name another file with -o", settings->output);
    }
    return CLI_OK;
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

static abut_status load_scene(const run_settings *settings, abut_scene **scene, abut_error *error) {
    abut_status status = abut_scene_load(settings->scene_path, scene, error);
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

static int64_t steps_wanted(const run_settings *settings, const abut_scene *scene) {
    if (settings->duration > 0.0) {
        double steps = round(settings->duration / abut_scene_dt(scene));
        return steps < 1.0 ? 1 : steps > 1e15 ? INT64_C(1000000000000000) : (int64_t)steps;
    }
    return settings->steps > 0 ? settings->steps : abut_scene_step_count(scene);
}

/* ---- the run ---- */

/* Steps until the end, a failure or a signal. *failure receives the exit status that a failure calls for. */
static abut_status step_all(abut_simulation *simulation, abut_recorder *recorder, bool quiet, run_figures *figures, int *failure,
                            abut_error *error) {
    progress bar = progress_begin(figures->wanted, !quiet);
    abut_status status = ABUT_OK;
    while (figures->steps < figures->wanted && !figures->at_rest && !interrupted_by && !status) {
        abut_step_report report;
        double busy = clock_processor_seconds();
        status = abut_simulation_step(simulation, &report, error);
        if (status) {
            *failure = CLI_FAILED;
            break;
        }
        run_figures_add(figures, &report, clock_processor_seconds() - busy);
        figures->at_rest = abut_simulation_at_rest(simulation);
        if (recorder) {
            double before = clock_seconds();
            status = abut_recorder_frame(recorder, simulation, &report, error);
            *failure = status == ABUT_ERROR_OUT_OF_MEMORY ? CLI_FAILED : CLI_USAGE;
            figures->recording += clock_seconds() - before;
        }
        char note[80];
        snprintf(note, sizeof note, "t = %.2f  %d contacts, %d awake", report.time, (int)report.contacts, (int)report.awake);
        progress_update(&bar, figures->steps, note);
    }
    progress_end(&bar);
    return status;
}

/* Simulates, and records when there is an output. CLI_OK also when it was interrupted. */
static int simulate(const cli_command *command, const run_settings *settings, const abut_scene *scene, run_figures *figures) {
    abut_simulation *simulation = NULL;
    abut_recorder *recorder = NULL;
    abut_error error;
    figures->wanted = steps_wanted(settings, scene);
    figures->begun = clock_seconds();
    watch_signals();
    abut_status status = abut_simulation_create(scene, &simulation, &error);
    int failure = status == ABUT_ERROR_OUT_OF_MEMORY ? CLI_FAILED : CLI_USAGE;
    if (!status && settings->output) {
        abut_recorder_settings how = abut_recorder_settings_default();
        how.every = (int32_t)settings->every;
        status = abut_recorder_create(settings->output, simulation, &how, &recorder, &error);
    }
    if (!status) {
        (void)abut_recorder_initial_report(simulation, &figures->first);
        figures->last = figures->first;
        status = step_all(simulation, recorder, settings->quiet, figures, &failure, &error);
        run_figures_coordinate(figures, simulation);
    }
    if (!status && recorder) {
        double before = clock_seconds();
        status = abut_recorder_finish(recorder, figures->at_rest || figures->steps == figures->wanted, &error);
        recorder = NULL;
        failure = CLI_USAGE;
        figures->recording += clock_seconds() - before;
    }
    figures->ended = clock_seconds();
    abut_recorder_abort(recorder);
    abut_simulation_destroy(simulation);
    return status ? cli_fail_error(command, failure, &error) : CLI_OK;
}

/* After a signal: what became of the run, and the exit status of a process that the signal ended. */
static int note_interruption(const run_settings *settings, const run_figures *figures) {
    fprintf(stderr, "abut run: interrupted after %" PRId64 " of %" PRId64 " steps%s%s%s\n", figures->steps, figures->wanted,
            settings->output ? "; '" : "", settings->output ? settings->output : "", settings->output ? "' holds them" : "");
    return 128 + (int)interrupted_by;
}

static int run(const cli_line *line) {
    run_settings settings;
    abut_scene *scene = NULL;
    abut_error error;
    int status = read_settings(line, &settings);
    if (!status) {
        abut_status loaded = load_scene(&settings, &scene, &error);
        status = loaded ? cli_fail_error(line->command, loaded == ABUT_ERROR_OUT_OF_MEMORY ? CLI_FAILED : CLI_USAGE, &error) : CLI_OK;
    }
    if (!status) {
        run_figures figures = {0};
        status = simulate(line->command, &settings, scene, &figures);
        if (!status && !settings.quiet) {
            run_figures_print(&figures, scene, settings.output);
            status = cli_finish_output(line->command);
        }
        if (!status && !figures.at_rest && figures.steps < figures.wanted) {
            status = note_interruption(&settings, &figures);
        }
    }
    abut_scene_destroy(scene);
    free(settings.output);
    return status;
}

static const char *const text[] = {
    "The scene's bodies are simulated step by step, its timed actions performed, and everything recorded in an HDF5 file: poses, "
    "velocities, contacts with their forces, energies and timings (docs/recording.md). A bar shows the progress when the standard error "
    "is a terminal; at the end, a table gives the main figures.",
    "A scene chooses its stepper. With the event stepper (docs/event-driven.md) the table also says how many steps the integration took, "
    "how many tests of pairs were answered by what was known of the pair before (hits) or searched anew (misses), at how many times "
    "contacts "
    "began or changed, and how much processor time a simulated second took.",
    "With the dem stepper (spheres and planes that press on each other) the table says how long the steps of the integration were beside "
    "the "
    "critical one, how many neighbours a body touches, what energy the contacts hold and lost, and how far from rest all is: the largest "
    "net "
    "force of a body, over its weight. A scene with \"until\" ends when it is at rest; that step is always recorded whole.",
    "The recording appears whole or not at all. Ctrl-C ends the run in good order: the recording then holds the steps made so far. After "
    "a failure an earlier recording of the same name is as it was.",
    NULL,
};

static const char *const examples[] = {"abut run scenes/wall.json", "abut run scenes/jack.json --no-record",
                                       "abut run scenes/ball_on_plane.json --no-record",
                                       "abut run scenes/wall.json -o tracking.h5 --method tracking --duration 5", NULL};

const cli_command command_run = {
    .name = "run",
    .operands = "SCENE.json",
    .least_operands = 1,
    .most_operands = 1,
    .summary = "simulate a scene and record what happens",
    .text = text,
    .examples = examples,
    .options = options,
    .option_count = OPTION_COUNT,
    .run = run,
};
