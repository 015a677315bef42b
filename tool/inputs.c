#include "tool/inputs.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/file/file.h"
#include "io/file/grow.h"
#include "io/file/same.h"

typedef struct input_file {
    file_identity file;
    char *name;
} input_file;

/* Inputs are noted by file, not by name: a name may lead elsewhere later. */
static input_file *inputs;
static size_t input_count, input_capacity;
static bool is_incomplete; /* an input was not noted for want of memory */

static void add(const file_identity *file, const char *path) {
    for (size_t i = 0; i < input_count; i++) {
        if (file_is_same_identity(&inputs[i].file, file)) {
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
    file_identity file;
    if (file_identify_open(descriptor, &file)) {
        add(&file, path);
    }
}

void inputs_listen(void) { file_listen(hear); }

void inputs_note(const char *path) {
    file_identity file;
    bool standard = strcmp(path, "-") == 0;
    if (standard ? file_identify_open(STDIN_FILENO, &file) : file_identify(path, &file)) {
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
    file_identity file;
    bool standard = strcmp(output->path, "-") == 0;
    if (!(standard ? file_identify_open(STDOUT_FILENO, &file) : file_identify(output->path, &file)) || output->replaces_own) {
        return CLI_OK;
    }
    for (size_t i = 0; i < input_count; i++) {
        if (file_is_same_identity(&file, &inputs[i].file)) {
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
