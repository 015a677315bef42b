#include "support/json_file.h"

#include <stdlib.h>
#include <string.h>

FILE *json_file_create(const char *path) {
    FILE *json = path != NULL ? fopen(path, "w") : tmpfile();
    if (json == NULL) {
        perror(path != NULL ? path : "a temporary file");
    }
    return json;
}

bool json_file_close(FILE *json, const char *program) {
    if (fclose(json) != 0) {
        fprintf(stderr, "%s: ", program);
        perror("the file cannot be written");
        return false;
    }
    return true;
}

FILE *json_file_open(int count, char **arguments, const char *usage) {
    const char *path = NULL;
    for (int i = 1; i < count; i++) {
        if (strcmp(arguments[i], "--help") == 0) {
            fputs(usage, stdout);
            exit(0);
        }
        if (strcmp(arguments[i], "--json") != 0 || ++i == count) {
            fputs(usage, stderr);
            exit(2);
        }
        path = arguments[i];
    }
    FILE *json = json_file_create(path);
    if (json == NULL) {
        exit(1);
    }
    return json;
}
