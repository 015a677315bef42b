#include "io/file/path.h"

#include <string.h>

bool path_is_separator(char c) { return c == '/'; }

size_t path_folder_length(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

bool path_is_absolute(const char *path) { return path[0] == '/'; }
