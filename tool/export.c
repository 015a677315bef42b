/*
 * abut export: a recording as a table or an animated scene; the ending of the name says which.
 */
#include "export.h"

#include <string.h>
#include <strings.h>

#include "cli.h"

enum { OPTION_TABLE, OPTION_EVERY, OPTION_COUNT };

static const cli_option options[OPTION_COUNT] = {
    [OPTION_TABLE] =
        {"table", 't', "TABLE",
         "What a CSV file holds: steps (counters, energies and timings of every step; the default), bodies (pose and velocity of every "
         "body in every frame) or contacts (every contact of every frame with its force)."},
    [OPTION_EVERY] = {"every", 'e', "N", "Only every N-th step or frame (default 1). An animation always has the last frame too."},
};

static const char *const tables[] = {"steps", "bodies", "contacts", NULL};

static bool ends_in(const char *path, const char *ending) {
    size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcasecmp(path + length - tail, ending) == 0;
}

static abut_status write(abut_recording *recording, const char *path, int table, int32_t every, abut_error *error) {
    return ends_in(path, ".csv") ? abut_export_csv(recording, path, (abut_export_table)table, every, error)
                                 : abut_export_glb(recording, path, every, error);
}

static int run(const cli_line *line) {
    const char *source = line->operands[0], *target = line->operands[1];
    int table = ABUT_EXPORT_STEPS;
    int64_t every = 1;
    if (!cli_word(line, OPTION_TABLE, tables, &table) || !cli_integer(line, OPTION_EVERY, 1, INT32_MAX, &every)) {
        return CLI_USAGE;
    }
    bool csv = ends_in(target, ".csv");
    if (!csv && !ends_in(target, ".glb")) {
        return cli_fail(line->command, CLI_USAGE, "'%s' does not say what to write; end its name in .csv or .glb", target);
    }
    if (!csv && line->values[OPTION_TABLE]) {
        return cli_fail(line->command, CLI_USAGE, "option '--table' is for .csv files, '%s' is none", target);
    }
    if (cli_same_file(source, target)) {
        return cli_fail(line->command, CLI_USAGE, "'%s' is the recording itself; write elsewhere", target);
    }
    abut_recording *recording = NULL;
    abut_error error;
    abut_status status = abut_recording_open(source, &recording, &error);
    if (!status) {
        status = write(recording, target, table, (int32_t)every, &error);
    }
    abut_recording_close(recording);
    return status ? cli_fail_error(line->command, CLI_USAGE, &error) : CLI_OK;
}

static const char *const text[] = {
    "The ending of OUT says what is written: .csv a table, .glb an animated scene in binary glTF 2.0, which browsers, Blender and most "
    "viewers of three-dimensional models play. OUT appears whole or not at all; an earlier file of that name is replaced. Bodies that deform are animated undeformed.",
    NULL,
};

static const char *const examples[] = {"abut export wall.h5 wall.glb", "abut export wall.h5 forces.csv --table contacts --every 10", NULL};

const cli_command command_export = {
    .name = "export",
    .operands = "RUN.h5 OUT.csv|OUT.glb",
    .least_operands = 2,
    .most_operands = 2,
    .summary = "turn a recording into a table or an animation",
    .text = text,
    .examples = examples,
    .options = options,
    .option_count = OPTION_COUNT,
    .run = run,
};
