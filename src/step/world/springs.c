/* The calls on springs of a world. A spring has a slot with a generation, like a body. */
#include "step/world/springs.h"

#include "base/array.h"
#include "base/real.h"

abut_spring_def abut_spring_def_default(void) {
    abut_spring_def def = {.frequency = 5.0, .damping_ratio = 1.0, .max_force = INFINITY};
    return def;
}

static int32_t spring_find(const abut_world *world, abut_spring_id id) {
    if (world == NULL || id.index == 0 || id.index > (uint32_t)world->spring_used) {
        return -1;
    }
    int32_t slot = (int32_t)(id.index - 1);
    return world->springs[slot].used && world->springs[slot].generation == id.generation ? slot : -1;
}

static abut_status check_def(const abut_world *world, const abut_spring_def *def) {
    if (world == NULL || def == NULL) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    int32_t slot = body_find(world, def->body);
    if (slot < 0) {
        return ABUT_ERROR_STALE_ID;
    }
    if (!abut_vec3_is_finite(def->anchor) || !abut_vec3_is_finite(def->target) || !isfinite(def->frequency) ||
        !isfinite(def->damping_ratio) || isnan(def->max_force)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    if (!isfinite(spring_stiffness(def->frequency, world->bodies[slot].mass) * real_max_number(1.0, def->damping_ratio))) {
        return ABUT_ERROR_NOT_FINITE;
    }
    bool fine = def->frequency > 0.0 && def->damping_ratio >= 0.0 && def->max_force >= 0.0;
    return fine && world->bodies[slot].kind == ABUT_BODY_DYNAMIC ? ABUT_OK : ABUT_ERROR_INVALID_ARGUMENT;
}

abut_status abut_world_add_spring(abut_world *world, const abut_spring_def *def, abut_spring_id *id) {
    abut_status status = check_def(world, def);
    if (status != ABUT_OK) {
        return status;
    }
    int32_t slot = world->spring_free;
    if (slot < 0) {
        if (world->spring_used == INT32_MAX / 8) {
            return ABUT_ERROR_OUT_OF_MEMORY;
        }
        if (!array_extend(&world->springs, &world->spring_capacity, world->spring_used, world->spring_used + 1, sizeof *world->springs)) {
            return ABUT_ERROR_OUT_OF_MEMORY;
        }
        slot = world->spring_used++;
        world->springs[slot] = (spring){.next_free = -1};
    } else {
        world->spring_free = world->springs[slot].next_free;
    }
    spring *made = &world->springs[slot];
    *made = (spring){.used = true,
                     .generation = made->generation,
                     .next_free = -1,
                     .body = body_find(world, def->body),
                     .anchor = def->anchor,
                     .target = def->target,
                     .frequency = def->frequency,
                     .damping_ratio = def->damping_ratio,
                     .max_force = def->max_force};
    body_wake(world, made->body);
    if (id != NULL) {
        *id = (abut_spring_id){(uint32_t)slot + 1, made->generation};
    }
    return ABUT_OK;
}

abut_status abut_world_set_spring_target(abut_world *world, abut_spring_id id, abut_vec3 target) {
    int32_t slot = spring_find(world, id);
    if (slot < 0) {
        return world_lacks_id(world);
    }
    if (!abut_vec3_is_finite(target)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    world->springs[slot].target = target;
    body_wake(world, world->springs[slot].body);
    return ABUT_OK;
}

static void remove_slot(abut_world *world, int32_t slot) {
    spring *gone = &world->springs[slot];
    body_wake(world, gone->body);
    *gone = (spring){.generation = gone->generation + 1, .next_free = -1};
    if (gone->generation != 0) {
        gone->next_free = world->spring_free;
        world->spring_free = slot;
    }
}

abut_status abut_world_remove_spring(abut_world *world, abut_spring_id id) {
    int32_t slot = spring_find(world, id);
    if (slot < 0) {
        return world_lacks_id(world);
    }
    remove_slot(world, slot);
    return ABUT_OK;
}

void springs_remove_of(abut_world *world, int32_t slot) {
    for (int32_t i = 0; i < world->spring_used; i++) {
        if (world->springs[i].used && world->springs[i].body == slot) {
            remove_slot(world, i);
        }
    }
}
