#include "io/file/path.h"

#include <ctype.h>
#include <string.h>

bool path_is_separator(char c) { return c == '/' || c == '\\'; }

/* Bytes of the drive in front of a path: 2 for "C:", else 0. */
static size_t drive_length(const char *path) { return isalpha((unsigned char)path[0]) && path[1] == ':' ? 2 : 0; }

size_t path_folder_length(const char *path) {
    size_t drive = drive_length(path), length = strlen(path);
    while (length > drive && !path_is_separator(path[length - 1])) {
        length--;
    }
    return length;
}

/* "C:name" and "\name" depend on the process, but no folder can be put in front of them either. */
bool path_is_absolute(const char *path) { return drive_length(path) > 0 || path_is_separator(path[0]); }
