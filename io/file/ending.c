/*
 * Endings of file names, which say the format of a file.
 */
#include "io/file/ending.h"

#include <ctype.h>
#include <string.h>

bool file_has_ending(const char *path, const char *ending) {
    size_t length = strlen(path), tail = strlen(ending), same = 0;
    while (same < tail && tail <= length && tolower((unsigned char)path[length - tail + same]) == ending[same]) {
        same++;
    }
    return same == tail;
}
