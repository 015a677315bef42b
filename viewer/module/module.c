/*
 * Module state, and how its calls fail.
 */
#include "state.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/instruction_set.h"

module_state module;

static abut_error last_error;

const char *module_version(void) { return abut_version(); }

int32_t module_has_simd(void) { return instruction_set_best() != INSTRUCTIONS_SCALAR; }

const char *module_error(void) { return last_error.message; }

int32_t module_fail(abut_status status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(last_error.message, sizeof last_error.message, format, arguments);
    va_end(arguments);
    last_error.status = status;
    return (int32_t)status;
}

int32_t module_fail_error(const abut_error *error) {
    last_error = *error;
    return (int32_t)error->status;
}

int32_t module_need(void) { return module.simulation ? (int32_t)ABUT_OK : module_fail(ABUT_ERROR_INVALID_ARGUMENT, "no scene is loaded"); }

int32_t module_need_body(int32_t body) {
    if (module_need()) {
        return (int32_t)ABUT_ERROR_INVALID_ARGUMENT;
    }
    bool known = body >= 0 && body < module.body_count;
    return known ? (int32_t)ABUT_OK : module_fail(ABUT_ERROR_INVALID_ARGUMENT, "there is no body %d", (int)body);
}

int32_t module_explain(abut_status status, int32_t body, const char *what) {
    if (status == ABUT_ERROR_STALE_ID) {
        return module_fail(status, "%s: body '%s' was removed", what, module_body_name(body));
    }
    return status ? module_fail(status, "%s, body '%s': %s", what, module_body_name(body), abut_status_message(status)) : (int32_t)ABUT_OK;
}

void *module_room(void *array, int32_t count, size_t size) { return realloc(array, ((size_t)count + 1) * size); }

const char *module_text(json_t *document, char **text) {
    char *made = document ? json_dumps(document, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
    json_decref(document);
    if (!made) {
        module_fail(ABUT_ERROR_OUT_OF_MEMORY, "no memory");
        return NULL;
    }
    free(*text);
    *text = made;
    return made;
}

json_t *module_append(json_t *array, json_t *value) {
    if (array && json_array_append_new(array, value) == 0) {
        return array;
    }
    json_decref(array);
    return NULL;
}

abut_vec3 module_vec3(const double *v) { return abut_vec3_make(v[0], v[1], v[2]); }

abut_pose module_pose(const double *pose) {
    return (abut_pose){module_vec3(pose), abut_quat_unit(abut_quat_make(pose[3], pose[4], pose[5], pose[6]))};
}
