/*
 * abut export: writes a recording as a table, an animated scene or data sets for ParaView. The ending of the name chooses.
 */
#include "io/export/export.h"

#include <string.h>

#include "tool/cli.h"
#include "tool/inputs.h"
#include "tool/paths.h"
#include "tool/progress.h"

enum { OPTION_TABLE, OPTION_EVERY, OPTION_COUNT };

static const cli_option options[OPTION_COUNT] = {
    [OPTION_TABLE] =
        {"table", 't', "TABLE",
         "Contents of a CSV table. steps: counters, energies and timings of every step (default). bodies: pose and velocity of every "
         "body in every frame. contacts: every contact in every frame, with its force. joints: every joint in every frame, with its "
         "coordinate, error, force and torque. series: what inlets, outlets, servos and measures of the scene tell after every step."},
    [OPTION_EVERY] = {"every", 'e', "N",
                      "Only every N-th step or frame (default 1). Animations and data sets for ParaView always include the last frame."},
};

static const char *const tables[] = {"steps", "bodies", "contacts", "joints", "series", NULL};

static const char *const endings[] = {"-", ".csv", ".glb", ".vtkhdf", NULL};

/* The standard output, devices and pipes without such an ending get a table. */
static bool is_csv(const char *path) { return !path_ends_in(path, ".glb") && !path_ends_in(path, ".vtkhdf"); }

static void update(void *user, int64_t done, int64_t total) {
    (void)total;
    progress_update(user, done, "frames");
}

static abut_status write_vtk(abut_recording *recording, const char *path, int32_t every, abut_error *error) {
    progress bar = progress_begin((abut_recording_get_info(recording).frame_count + every - 1) / every, true);
    abut_export_vtk_settings settings = abut_export_vtk_settings_default();
    settings.every = every;
    settings.progress = update;
    settings.user = &bar;
    abut_status status = abut_export_vtk(recording, path, &settings, error);
    progress_end(&bar);
    return status;
}

static abut_status write(abut_recording *recording, const char *path, int table, int32_t every, abut_error *error) {
    if (path_ends_in(path, ".vtkhdf")) {
        return write_vtk(recording, path, every, error);
    }
    return is_csv(path) ? abut_export_csv(recording, path, (abut_export_table)table, every, error)
                        : abut_export_glb(recording, path, every, error);
}

static int run(const cli_line *line) {
    const char *source = line->operands[0], *target = line->operands[1];
    int table = ABUT_EXPORT_STEPS;
    int64_t every = 1;
    if (!cli_word(line, OPTION_TABLE, tables, &table) || !cli_integer(line, OPTION_EVERY, 1, INT32_MAX, &every)) {
        return CLI_USAGE;
    }
    int named = path_check_output(line->command, target, endings);
    if (named) {
        return named;
    }
    if (!is_csv(target) && line->values[OPTION_TABLE]) {
        return cli_fail(line->command, CLI_USAGE, "option '--table' is for .csv files; '%s' is not one", target);
    }
    const output_name output = {target, "write elsewhere", false};
    inputs_note(source);
    int kept = inputs_check_outputs(line->command, &output, 1);
    if (kept) {
        return kept;
    }
    abut_recording *recording = NULL;
    abut_error error;
    abut_status status = abut_recording_open(source, &recording, &error);
    if (!status) {
        status = write(recording, target, table, (int32_t)every, &error);
    }
    abut_recording_close(recording);
    return status ? cli_fail_error(line->command, cli_error_status(status), &error) : CLI_OK;
}

static const char *const text[] = {
    "The ending of OUT chooses the format. .csv: a table; '-' writes it to the standard output. .glb: an animated scene in binary glTF "
    "2.0, "
    "for browsers, Blender and most viewers of 3D models; bodies that deform are shown undeformed, joints as thin lines. .vtkhdf: data "
    "sets "
    "for ParaView 5.12 or newer. OUT appears whole or not at all, and replaces an earlier file of that name.",
    "OUT.vtkhdf contains the surfaces of the bodies. Five more files are written beside it: OUT.centres.vtkhdf, OUT.contacts.vtkhdf, "
    "OUT.patches.vtkhdf (contact areas with their pressures), OUT.chains.vtkhdf (lines between bodies that touch, with their forces) and "
    "OUT.joints.vtkhdf (joints as lines, with their forces and torques).",
    NULL,
};

static const char *const examples[] = {"abut export wall.h5 wall.glb", "abut export wall.h5 forces.csv --table contacts --every 10",
                                       "abut export wall.h5 wall.vtkhdf", "abut export wall.h5 -", NULL};

const cli_command command_export = {
    .name = "export",
    .operands = "RUN.h5 OUT.csv|OUT.glb|OUT.vtkhdf|-",
    .least_operands = 2,
    .most_operands = 2,
    .summary = "turn a recording into a table, an animation or data sets for ParaView",
    .text = text,
    .examples = examples,
    .options = options,
    .option_count = OPTION_COUNT,
    .run = run,
};
