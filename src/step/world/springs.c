/* The calls on springs of a world. A spring has a slot with a generation, like a body. */
#include "step/world/springs.h"

#include "base/argument.h"
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

static bool has_bad_numbers(const char *call, const abut_spring_def *def) {
    return argument_is_no_vector(call, "def->anchor", def->anchor) || argument_is_no_vector(call, "def->target", def->target) ||
           argument_is_not_finite(call, "def->frequency", def->frequency) ||
           argument_is_not_finite(call, "def->damping_ratio", def->damping_ratio) ||
           (isnan(def->max_force) && refused(call, "def->max_force is NaN"));
}

/* True when nothing but the body was set. */
static bool is_bare(const abut_spring_def *def) {
    abut_spring_def rest = *def;
    rest.body = (abut_body_id){0, 0};
    return argument_is_zero(&rest, sizeof rest);
}

static abut_status check_def(const char *call, const abut_world *world, const abut_spring_def *def) {
    if (argument_is_null(call, "world", world) || argument_is_null(call, "def", def)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    int32_t slot = body_find(world, def->body);
    if (slot < 0) {
        return ABUT_ERROR_STALE_ID;
    }
    if (is_bare(def)) {
        return refuse_zero(call, "def", "abut_spring_def_default");
    }
    if (has_bad_numbers(call, def)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    if (!isfinite(spring_stiffness(def->frequency, world->bodies[slot].mass) * real_max_number(1.0, def->damping_ratio))) {
        return refuse(ABUT_ERROR_NOT_FINITE, call, "def->frequency is %.9g: the stiffness overflows", def->frequency);
    }
    if (argument_is_not_positive(call, "def->frequency", def->frequency) ||
        argument_is_negative(call, "def->damping_ratio", def->damping_ratio) ||
        argument_is_negative(call, "def->max_force", def->max_force)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    return world->bodies[slot].kind == ABUT_BODY_DYNAMIC ? ABUT_OK
                                                         : refuse(ABUT_ERROR_INVALID_ARGUMENT, call, "def->body is not a dynamic body");
}

abut_status abut_world_add_spring(abut_world *world, const abut_spring_def *def, abut_spring_id *id) {
    abut_status status = check_def(CALL_NAME, world, def);
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
        return world_lacks_id(CALL_NAME, world);
    }
    if (argument_is_no_vector(CALL_NAME, "target", target)) {
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
        return world_lacks_id(CALL_NAME, world);
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
