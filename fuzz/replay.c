/*
 * Feeds files to a fuzz target; works with any compiler: replay FILE_OR_FOLDER... The files of a folder are taken in the order of their names. Each name is
 * printed before the file is tried, so that the last printed name is the cause if the target ends the process.
 */
#include <dirent.h>
#include <string.h>

#include "target.h"

static int tried;

static void try_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return;
    }
    printf("%s\n", path);
    fflush(stdout);
    uint8_t *data = NULL;
    size_t size = 0, capacity = 0;
    do {
        capacity = 2 * capacity + 4096;
        uint8_t *larger = realloc(data, capacity);
        if (larger == NULL) {
            abort();
        }
        data = larger;
        size += fread(data + size, 1, capacity - size, file);
    } while (size == capacity);
    fclose(file);
    /* A block of exactly this size, so that a sanitizer detects reads beyond it. */
    uint8_t *exact = malloc(size > 0 ? size : 1);
    if (exact == NULL) {
        abort();
    }
    memcpy(exact, data, size);
    free(data);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
    tried++;
}

static int is_visible(const struct dirent *entry) { return entry->d_name[0] != '.'; }

static void try_path(const char *path) {
    struct dirent **entry;
    int count = scandir(path, &entry, is_visible, alphasort);
    if (count < 0) {
        try_file(path);
        return;
    }
    for (int i = 0; i < count; i++) {
        char inner[4096];
        snprintf(inner, sizeof inner, "%s/%s", path, entry[i]->d_name);
        try_file(inner);
        free(entry[i]);
    }
    free(entry);
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        try_path(argv[i]);
    }
    printf("%d files\n", tried);
    return tried > 0 ? 0 : 1;
}
