#include "tool/answer.h"

#include <stdio.h>

const char *answer_plural(int64_t count) { return count == 1 ? "" : "s"; }

/* Adding 0 turns a negative zero into a positive one. */
void answer_print_vec3(const char *name, int width, abut_vec3 v) {
    printf("  %-*s %.9g %.9g %.9g\n", width, name, v.x + 0.0, v.y + 0.0, v.z + 0.0);
}

json_t *answer_json_vec3(abut_vec3 v) { return json_pack("[f,f,f]", v.x, v.y, v.z); }

json_t *answer_json_quat(abut_quat q) { return json_pack("[f,f,f,f]", q.x, q.y, q.z, q.w); }
