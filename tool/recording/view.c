/*
 * abut view: writes recordings as one page for a web browser. The template of the page is installed with the command.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tool/answer.h"
#include "tool/cli.h"
#include "tool/inputs.h"
#include "io/file/path.h"
#include "io/page/page.h"
#include "tool/paths.h"
#include "tool/progress.h"
#include "tool/system.h"

enum { OPTION_OUTPUT, OPTION_EVERY, OPTION_NO_CONTACTS, OPTION_NO_VELOCITIES, OPTION_LIMIT, OPTION_TEMPLATE, OPTION_COUNT };

static const cli_option options[OPTION_COUNT] = {
    [OPTION_OUTPUT] =
        {"output", 'o', "PAGE.html",
         "Name of the page, with the ending .html or .htm, or '-' for the standard output (default: the name of the first recording "
         "with .html, in the current folder)."},
    [OPTION_EVERY] = {"every", 'e', "N", "Only every N-th frame, and the last one (default 1)."},
    [OPTION_NO_CONTACTS] = {"no-contacts", 0, NULL, "Leave out contacts and their forces."},
    [OPTION_NO_VELOCITIES] = {"no-velocities", 0, NULL, "Leave out velocities."},
    [OPTION_LIMIT] = {"limit", 'l', "MIB", "Largest size of the page in MiB (default 256). Browsers keep all of it in memory."},
    [OPTION_TEMPLATE] = {"template", 't', "FILE", "Put the recordings into this page instead of the installed one."},
};

/* ---- the template ---- */

/* Places of the template, relative to the folder of the executable: installed, and in the build folder. */
static const char *const places[] = {"../share/abut/replay.html", "viewer/replay.html"};
enum { PLACES = sizeof places / sizeof *places };

/* The folder of this executable with a slash at its end, or "" when it is unknown. */
static void find_folder(char *folder, size_t size) {
    system_program(folder, size);
    folder[path_folder_length(folder)] = '\0';
}

/* *path receives the path of the template, to be freed. CLI_OK, or another status with a line on stderr. */
static int find_template(const cli_line *line, char **path) {
    char folder[4096], found[2][sizeof folder + 64];
    find_folder(folder, sizeof folder);
    for (int i = 0; i < PLACES; i++) {
        snprintf(found[i], sizeof found[i], "%s%s", folder, places[i]);
        if (access(found[i], F_OK) == 0) {
            *path = strdup(found[i]);
            return *path ? CLI_OK : cli_fail(line->command, CLI_FAILED, "no memory");
        }
    }
    return cli_fail(line->command, CLI_USAGE,
                    "the page template is missing: neither '%s' nor '%s' exists; build it with 'make viewer', or name one with --template",
                    found[0], found[1]);
}

/* ---- what was asked for ---- */

typedef struct view_settings {
    char *output, *template;
    abut_export_page_settings page;
} view_settings;

static const char *const endings[] = {"-", ".html", ".htm", NULL};

static int check_output(const cli_line *line, const view_settings *settings) {
    return inputs_check_outputs(line->command, &(output_name){settings->output, "name another file with -o", false}, 1);
}

static int read_output(const cli_line *line, view_settings *settings) {
    const char *output = line->values[OPTION_OUTPUT];
    settings->output = output ? strdup(output) : path_default_output(line->operands[0], ".html");
    if (!settings->output) {
        return cli_fail(line->command, CLI_FAILED, "no memory");
    }
    for (int i = 0; i < line->operand_count; i++) {
        if (access(line->operands[i], R_OK) != 0) {
            return cli_fail(line->command, CLI_USAGE, "%s: %s", line->operands[i], strerror(errno));
        }
        inputs_note(line->operands[i]);
    }
    int kept = check_output(line, settings);
    return kept ? kept : path_check_output(line->command, settings->output, endings);
}

static int read_template(const cli_line *line, view_settings *settings) {
    if (!line->values[OPTION_TEMPLATE]) {
        return find_template(line, &settings->template);
    }
    settings->template = strdup(line->values[OPTION_TEMPLATE]);
    return settings->template ? CLI_OK : cli_fail(line->command, CLI_FAILED, "no memory");
}

static int read_settings(const cli_line *line, view_settings *settings) {
    int64_t every = 1, limit = 256;
    if (!cli_integer(line, OPTION_EVERY, 1, INT32_MAX, &every) || !cli_integer(line, OPTION_LIMIT, 1, 1 << 20, &limit)) {
        return CLI_USAGE;
    }
    settings->page = abut_export_page_settings_default();
    settings->page.every = (int32_t)every;
    settings->page.limit = limit << 20;
    settings->page.contacts = !line->values[OPTION_NO_CONTACTS];
    settings->page.velocities = !line->values[OPTION_NO_VELOCITIES];
    int status = read_output(line, settings);
    status = status ? status : read_template(line, settings);
    if (!status) {
        inputs_note(settings->template);
        status = check_output(line, settings);
    }
    return status;
}

/* ---- the work ---- */

typedef struct view_progress {
    progress bar;
    int64_t total;
} view_progress;

static void update(void *user, int64_t done, int64_t total) {
    view_progress *seen = user;
    seen->bar.total = total;
    seen->total = total;
    progress_update(&seen->bar, done, "frames");
}

/* "PAGE.html: 12.3 MiB, 601 frames; open it in a browser" */
static void print_result(const char *path, int64_t frames) {
    struct stat made;
    if (strcmp(path, "-") == 0 || stat(path, &made) != 0 || !S_ISREG(made.st_mode)) {
        return; /* the page went into a pipe, perhaps the standard output */
    }
    double kibibytes = (double)made.st_size / (1 << 10);
    printf("%s: ", path);
    printf(kibibytes < 1024.0 ? "%.0f KiB, " : "%.1f MiB, ", kibibytes < 1024.0 ? kibibytes : kibibytes / 1024.0);
    printf("%" PRId64 " frame%s; open it in a browser\n", frames, answer_plural(frames));
}

static abut_status write_page(const cli_line *line, view_settings *settings, int64_t *frames, abut_error *error) {
    abut_recording *recordings[ABUT_PAGE_MOST_RECORDINGS] = {NULL};
    abut_status status = ABUT_OK;
    for (int i = 0; i < line->operand_count && !status; i++) {
        status = abut_recording_open(line->operands[i], &recordings[i], error);
    }
    view_progress seen = {.bar = progress_begin(1, true)};
    settings->page.progress = update;
    settings->page.user = &seen;
    if (!status) {
        status = abut_export_page(recordings, line->operand_count, settings->template, settings->output, &settings->page, error);
    }
    progress_end(&seen.bar);
    *frames = seen.total;
    for (int i = 0; i < ABUT_PAGE_MOST_RECORDINGS; i++) {
        abut_recording_close(recordings[i]);
    }
    return status;
}

static int run(const cli_line *line) {
    view_settings settings = {0};
    int64_t frames = 0;
    abut_error error;
    int status = read_settings(line, &settings);
    if (!status && write_page(line, &settings, &frames, &error) != ABUT_OK) {
        status = cli_fail_error(line->command, cli_error_status(error.status), &error);
    }
    if (!status) {
        print_result(settings.output, frames);
        status = cli_finish_output(line->command);
    }
    free(settings.output);
    free(settings.template);
    return status;
}

static const char *const text[] = {
    "Writes one HTML file that replays the recording in any web browser. It needs no network and no other file. It shows the bodies, their "
    "contacts and forces, and the counters and energies of every step. Two recordings are shown side by side.",
    "The page (docs/formats/replay-page.md) rounds positions to a millionth of the smallest body's size, rotations and normals to a "
    "millionth, "
    "velocities to "
    "five digits, and other numbers to single precision. It appears whole or not at all, and replaces an earlier file of that name.",
    "A page contains all frames, so a long run makes a large page. A page larger than the limit is not written; the message says how large "
    "it "
    "would be and what can be left out.",
    NULL,
};

static const char *const examples[] = {"abut view wall.h5", "abut view wall.h5 tracking.h5 -o compared.html",
                                       "abut view wall.h5 --every 4 --no-velocities", NULL};

const cli_command command_view = {
    .name = "view",
    .operands = "RUN.h5 [RUN2.h5]",
    .least_operands = 1,
    .most_operands = ABUT_PAGE_MOST_RECORDINGS,
    .summary = "make a page that replays recordings in a web browser",
    .text = text,
    .examples = examples,
    .options = options,
    .option_count = OPTION_COUNT,
    .run = run,
};
