#include "support/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

bool program_is_here(const char *name) {
    char command[80];
    (void)snprintf(command, sizeof command, "command -v %s >/dev/null", name);
    return system(command) == 0;
}

void program_remove_folder(const char *folder, const char *const *names, size_t count) {
    char path[200];
    for (size_t i = 0; i < count; i++) {
        (void)snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        (void)remove(path);
    }
    (void)rmdir(folder);
}
