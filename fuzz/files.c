#include "files.h"

#include <stdlib.h>
#include <string.h>

#include "io/file/file.h"

static const fuzz_file *all;
static int all_count;

void files_set(const fuzz_file *files, int count) {
    all = files;
    all_count = count;
}

abut_status file_read(const char *path, size_t limit, char **data, size_t *length, abut_error *error) {
    for (int i = 0; i < all_count; i++) {
        if (strcmp(all[i].path, path) != 0 || all[i].size > limit) {
            continue;
        }
        char *copy = malloc(all[i].size + 1);
        if (copy == NULL) {
            return abut_fail(error, ABUT_ERROR_OUT_OF_MEMORY, "%s: no memory for its contents", path);
        }
        if (all[i].size > 0) {
            memcpy(copy, all[i].data, all[i].size);
        }
        copy[all[i].size] = '\0';
        *data = copy;
        *length = all[i].size;
        return ABUT_OK;
    }
    return abut_fail(error, ABUT_ERROR_FILE, "%s: cannot be read: no such file", path);
}

const char *file_label(const char *path) { return path; }

/* Files lie in no folders here. */
char *file_path_beside(const char *beside, const char *name) {
    (void)beside;
    return strdup(name);
}
