#include "io/file/same.h"

#include <string.h>

bool file_is_same_identity(const file_identity *a, const file_identity *b) {
    return a->is_kept && a->device == b->device && a->number == b->number;
}

bool file_is_same(const char *a, const char *b) {
    file_identity first, second;
    char names[2][PATH_MAX];
    bool is_first = file_identify(a, &first), is_second = file_identify(b, &second);
    if (is_first && is_second) {
        return file_is_same_identity(&first, &second);
    }
    return is_first == is_second && file_final_name(a, names[0]) && file_final_name(b, names[1]) && strcmp(names[0], names[1]) == 0;
}
