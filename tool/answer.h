#pragma once

#include <jansson.h>
#include <stdint.h>

#include <abut/base.h>
#include <abut/math.h>

/*
 * Parts that answers of several commands share.
 */

/* "s" unless the count is 1. */
const char *answer_plural(int64_t count);

/* "  NAME  X Y Z" on a line; the name takes `width` columns. */
void answer_print_vec3(const char *name, int width, abut_vec3 v);

json_t *answer_json_vec3(abut_vec3 v);
json_t *answer_json_quat(abut_quat q);
