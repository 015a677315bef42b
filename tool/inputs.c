#include "tool/inputs.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/file/file.h"
#include "io/file/grow.h"
#include "io/file/same.h"

typedef struct input_file {
    struct stat file;
    char *name;
} input_file;

/* Inputs are noted by file, not by name: a name may lead elsewhere later. */
static input_file *inputs;
static size_t input_count, input_capacity;
static bool is_incomplete; /* an input was not noted for want of memory */

static void add(const struct stat *file, const char *path) {
    for (size_t i = 0; i < input_count; i++) {
        if (file_is_same_stat(&inputs[i].file, file)) {
            return;
        }
    }
    char *name = strdup(file_label(path));
    if (!name || !grow_array(&inputs, &input_capacity, input_count + 1, SIZE_MAX / sizeof *inputs, sizeof *inputs)) {
        free(name);
        is_incomplete = true;
        return;
    }
    inputs[input_count++] = (input_file){*file, name};
}

static void hear(int descriptor, const char *path) {
    struct stat file;
    if (fstat(descriptor, &file) == 0) {
        add(&file, path);
    }
}

void inputs_listen(void) { file_listen(hear); }

void inputs_note(const char *path) {
    struct stat file;
    bool standard = strcmp(path, "-") == 0;
    if ((standard ? fstat(STDIN_FILENO, &file) : stat(path, &file)) == 0) {
        add(&file, path);
    }
}

static int refuse(const cli_command *command, const output_name *output, const char *input) {
    if (strcmp(output->path, "-") == 0) {
        return cli_fail(command, CLI_USAGE, "the standard output leads to the input '%s'; write elsewhere", input);
    }
    return strcmp(output->path, input) == 0 ? cli_fail(command, CLI_USAGE, "'%s' is an input; %s", input, output->what)
                                            : cli_fail(command, CLI_USAGE, "'%s' is the input '%s'; %s", output->path, input, output->what);
}

static int check_inputs(const cli_command *command, const output_name *output) {
    struct stat file;
    bool standard = strcmp(output->path, "-") == 0;
    if ((standard ? fstat(STDOUT_FILENO, &file) : stat(output->path, &file)) != 0 || output->replaces_own) {
        return CLI_OK;
    }
    for (size_t i = 0; i < input_count; i++) {
        if (file_is_same_stat(&file, &inputs[i].file)) {
            return refuse(command, output, inputs[i].name);
        }
    }
    return CLI_OK;
}

static bool is_same_output(const char *a, const char *b) {
    bool standard[2] = {strcmp(a, "-") == 0, strcmp(b, "-") == 0};
    return standard[0] || standard[1] ? standard[0] && standard[1] : file_is_same(a, b);
}

int inputs_check_outputs(const cli_command *command, const output_name *outputs, int count) {
    int status = is_incomplete ? cli_fail(command, CLI_FAILED, "no memory") : CLI_OK;
    for (int i = 0; i < count && !status; i++) {
        if (!outputs[i].path) {
            continue;
        }
        status = check_inputs(command, &outputs[i]);
        for (int k = 0; k < i && !status; k++) {
            if (outputs[k].path && is_same_output(outputs[i].path, outputs[k].path)) {
                status = cli_fail(command, CLI_USAGE, "'%s' is the same file as the output '%s'; %s", outputs[i].path, outputs[k].path,
                                  outputs[i].what);
            }
        }
    }
    return status;
}
