/*
 * User interaction: pulls, pushes, moves, throws and removes bodies, and casts rays at them.
 */
#include <abut/query.h>

#include "state.h"

static abut_world *world(void) { return abut_simulation_world(module.simulation); }

int32_t module_spring_begin(int32_t body, const double *anchor, const double *target, double frequency, double damping_ratio,
                            double max_force) {
    if (module_need_body(body)) {
        return -1;
    }
    int32_t place = 0;
    while (place < MODULE_SPRINGS && module.springs[place].index != 0) {
        place++;
    }
    if (place == MODULE_SPRINGS) {
        module_fail(ABUT_ERROR_CAPACITY, "there are %d springs already", MODULE_SPRINGS);
        return -1;
    }
    abut_spring_def def = {.body = module.ids[body],
                           .anchor = module_vec3(anchor),
                           .target = module_vec3(target),
                           .frequency = frequency,
                           .damping_ratio = damping_ratio,
                           .max_force = max_force};
    return module_explain(abut_world_add_spring(world(), &def, &module.springs[place]), body, "a spring") ? -1 : place;
}

static bool is_spring(int32_t spring) {
    return module.simulation && spring >= 0 && spring < MODULE_SPRINGS && module.springs[spring].index;
}

int32_t module_spring_move(int32_t spring, double x, double y, double z) {
    if (!is_spring(spring)) {
        return module_fail(ABUT_ERROR_STALE_ID, "there is no spring %d", (int)spring);
    }
    abut_status status = abut_world_set_spring_target(world(), module.springs[spring], abut_vec3_make(x, y, z));
    return status ? module_fail(status, "a spring: %s", abut_status_message(status)) : (int32_t)ABUT_OK;
}

int32_t module_spring_end(int32_t spring) {
    if (is_spring(spring)) {
        (void)abut_world_remove_spring(world(), module.springs[spring]); /* stale if its body was removed */
        module.springs[spring] = (abut_spring_id){0, 0};
    }
    return (int32_t)ABUT_OK;
}

int32_t module_force(int32_t body, const double *force, const double *point) {
    int32_t result = module_need_body(body);
    return result
               ? result
               : module_explain(abut_world_apply_force(world(), module.ids[body], module_vec3(force), module_vec3(point)), body, "a force");
}

int32_t module_remove(int32_t body) {
    int32_t result = module_need_body(body);
    result = result ? result : module_explain(abut_world_remove_body(world(), module.ids[body]), body, "to remove");
    if (!result) {
        module_note_removals();
    }
    return result;
}

int32_t module_set_pose(int32_t body, const double *pose) {
    int32_t result = module_need_body(body);
    return result ? result : module_explain(abut_world_set_body_pose(world(), module.ids[body], module_pose(pose)), body, "a pose");
}

int32_t module_set_velocity(int32_t body, const double *velocity) {
    int32_t result = module_need_body(body);
    return result ? result
                  : module_explain(abut_world_set_body_motion(world(), module.ids[body],
                                                              (abut_motion){module_vec3(velocity), module_vec3(velocity + 3)}),
                                   body, "a velocity");
}

/* The nearest hit among all bodies, or -1 if there is none. Shapes that do not support rays are ignored. */
static int32_t nearest_body(abut_vec3 origin, abut_vec3 way, abut_hit *nearest) {
    int32_t found = -1;
    for (int32_t i = 0; i < module.body_count; i++) {
        abut_body_state state;
        abut_body_info info;
        abut_hit hit;
        if (abut_world_body_state(world(), module.ids[i], &state) || abut_world_body_info(world(), module.ids[i], &info) ||
            abut_ray_cast(info.shape, state.pose, origin, way, &hit) || !hit.hit || hit.started_inside) {
            continue;
        }
        if (found < 0 || hit.fraction < nearest->fraction) {
            *nearest = hit;
            found = i;
        }
    }
    return found;
}

const double *module_ray(const double *origin, const double *direction, double length) {
    static double answer[12];
    if (module_need()) {
        return NULL;
    }
    abut_vec3 from = module_vec3(origin), unit = abut_unit(module_vec3(direction)), way = abut_scale(length, unit);
    if (!abut_vec3_is_finite(from) || !abut_vec3_is_finite(way) || !(abut_length(way) > 0.0)) {
        module_fail(ABUT_ERROR_INVALID_ARGUMENT, "a ray needs an origin, a direction and a length above 0");
        return NULL;
    }
    abut_hit hit = {.fraction = 1.0};
    int32_t body = nearest_body(from, way, &hit);
    const double made[12] = {body,         hit.fraction * length, hit.point.x,        hit.point.y,         hit.point.z,        hit.normal.x,
                             hit.normal.y, hit.normal.z,          hit.feature_b.kind, hit.feature_b.index, hit.feature_b.part, 0.0};
    for (int i = 0; i < 12; i++) {
        answer[i] = made[i];
    }
    return answer;
}
