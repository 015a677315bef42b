#pragma once

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "io/scene/scene.h"
#include "support/check.h"

/*
 * Shared parts of the io tests: files in the test's own scratch folder, and scenes from text.
 */

/* Returns ABUT_TEST_SCRATCH_DIR/name in static storage; at most four results are valid at a time. */
static inline const char *scratch_path(const char *name) {
    static char paths[4][1024];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", ABUT_TEST_SCRATCH_DIR, name);
    return path;
}

/* Writes bytes to a scratch file and returns its path. */
static inline const char *scratch_write(const char *name, const void *bytes, size_t size) {
    const char *path = scratch_path(name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    return path;
}

static inline const char *scratch_text(const char *name, const char *text) { return scratch_write(name, text, strlen(text)); }

/* Reads a scene from text, written to a scratch file. The text is copied to a block of its exact size, so that a sanitizer detects a read beyond it. */
static inline abut_status parse_scene(const char *text, abut_scene **scene, abut_error *error) {
    size_t length = strlen(text);
    char *exact = malloc(length + 1);
    assert_non_null(exact);
    memcpy(exact, text, length);
    char *fitting = realloc(exact, length > 0 ? length : 1);
    assert_non_null(fitting);
    abut_status status = abut_scene_parse(fitting, length, scratch_path("scene.json"), scene, error);
    free(fitting);
    return status;
}

/* Reads a scene that must be valid. */
static inline abut_scene *right_scene(const char *text) {
    abut_scene *scene = NULL;
    abut_error error = {ABUT_OK, ""};
    if (parse_scene(text, &scene, &error) != ABUT_OK) {
        fail_msg("%s", error.message);
    }
    assert_non_null(scene);
    return scene;
}
