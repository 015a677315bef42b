/*
 * Reads whole files. Pipes and devices have no known size: they are read to their end, and the limit is checked while reading.
 */
#include "io/file/file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "io/file/path.h"

static file_listener *current;

void file_listen(file_listener *listener) { current = listener; }

void file_tell(int descriptor, const char *path) {
    if (current) {
        current(descriptor, path);
    }
}

static abut_status too_large(const char *path, size_t limit, abut_error *error) {
    return abut_fail(error, ABUT_ERROR_FILE, "%s: is larger than the limit of %zu MiB", path, limit >> 20);
}

/* A first guess of the size: exact for a regular file. */
static abut_status expected_size(FILE *file, const char *path, size_t limit, size_t *size, abut_error *error) {
    struct stat status;
    if (fstat(fileno(file), &status) != 0) {
        return abut_fail(error, ABUT_ERROR_FILE, "%s: cannot be read: %s", path, strerror(errno));
    }
    if (S_ISDIR(status.st_mode)) {
        return abut_fail(error, ABUT_ERROR_FILE, "%s: is a folder, not a file", path);
    }
    if (S_ISREG(status.st_mode) && (unsigned long long)status.st_size > limit) {
        return too_large(path, limit, error);
    }
    *size = S_ISREG(status.st_mode) ? (size_t)status.st_size : 65536;
    return ABUT_OK;
}

static abut_status read_all(FILE *file, const char *path, size_t limit, char **data, size_t *length, abut_error *error) {
    size_t capacity = 0, used = 0;
    abut_status status = expected_size(file, path, limit, &capacity, error);
    if (status != ABUT_OK) {
        return status;
    }
    /* Two spare bytes: one for the added zero, and one so that the first read of a regular file reaches its end. */
    char *bytes = NULL;
    capacity += 2;
    do {
        capacity = bytes ? 2 * capacity : capacity;
        char *grown = realloc(bytes, capacity);
        if (!grown) {
            free(bytes);
            return abut_fail(error, ABUT_ERROR_OUT_OF_MEMORY, "%s: no memory for its contents", path);
        }
        bytes = grown;
        used += fread(bytes + used, 1, capacity - 1 - used, file);
    } while (used == capacity - 1 && used <= limit && !ferror(file));
    if (ferror(file)) {
        free(bytes);
        return abut_fail(error, ABUT_ERROR_FILE, "%s: cannot be read: %s", path, strerror(errno));
    }
    if (used > limit) {
        free(bytes);
        return too_large(path, limit, error);
    }
    bytes[used] = '\0';
    *data = bytes;
    *length = used;
    return ABUT_OK;
}

const char *file_label(const char *path) { return strcmp(path, "-") == 0 ? "<stdin>" : path; }

abut_status file_read(const char *path, size_t limit, char **data, size_t *length, abut_error *error) {
    bool standard = strcmp(path, "-") == 0;
    FILE *file = standard ? stdin : fopen(path, "rb");
    if (!file) {
        return abut_fail(error, ABUT_ERROR_FILE, "%s: cannot be read: %s", path, strerror(errno));
    }
    file_tell(fileno(file), path);
    abut_status status = read_all(file, file_label(path), limit, data, length, error);
    if (!standard) {
        fclose(file);
    }
    return status;
}

char *file_path_beside(const char *beside, const char *name) {
    size_t folder = path_is_absolute(name) ? 0 : path_folder_length(beside);
    size_t length = strlen(name);
    /* A file that is called "-" must not become the standard input. */
    const char *before = folder > 0 ? beside : "./";
    folder = folder == 0 && strcmp(name, "-") == 0 ? 2 : folder;
    char *path = malloc(folder + length + 1);
    if (path) {
        memcpy(path, before, folder);
        memcpy(path + folder, name, length + 1);
    }
    return path;
}
