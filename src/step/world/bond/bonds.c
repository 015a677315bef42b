/* The calls on bonds of a world. A bond has a slot with a generation, like a body. */
#include "step/world/bond/bonds.h"

#include "base/argument.h"
#include "base/array.h"
#include "base/real.h"
#include "broad/neighbours.h"

abut_bond_def abut_bond_def_default(void) {
    return (abut_bond_def){.axis = {0.0, 0.0, 1.0}, .stiffness_ratio = 2.5, .tensile_strength = INFINITY, .shear_strength = INFINITY};
}

static int32_t bond_find(const abut_world *world, abut_bond_id id) {
    if (world == NULL || id.index == 0 || id.index > (uint32_t)world->bonds.used) {
        return -1;
    }
    int32_t slot = (int32_t)(id.index - 1);
    return world->bonds.bonds[slot].used && world->bonds.bonds[slot].generation == id.generation ? slot : -1;
}

/* ---- checks ---- */

abut_status bond_check_numbers(const char *call, const abut_bond_def *def) {
    if ((isnan(def->tensile_strength) && refused(call, "def->tensile_strength is NaN")) ||
        (isnan(def->shear_strength) && refused(call, "def->shear_strength is NaN")) ||
        argument_is_not_finite(call, "def->radius", def->radius) || argument_is_not_finite(call, "def->young", def->young) ||
        argument_is_not_finite(call, "def->stiffness_ratio", def->stiffness_ratio) ||
        argument_is_not_finite(call, "def->damping_ratio", def->damping_ratio)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    bool wrong = argument_is_not_positive(call, "def->radius", def->radius) || argument_is_not_positive(call, "def->young", def->young) ||
                 argument_is_not_positive(call, "def->stiffness_ratio", def->stiffness_ratio) ||
                 argument_is_not_positive(call, "def->tensile_strength", def->tensile_strength) ||
                 argument_is_not_positive(call, "def->shear_strength", def->shear_strength) ||
                 argument_is_negative(call, "def->damping_ratio", def->damping_ratio);
    return wrong ? ABUT_ERROR_INVALID_ARGUMENT : ABUT_OK;
}

bool bond_overflows(const abut_bond_def *def) {
    bond_law law = bond_law_of(def->radius, def->length, def->young, def->stiffness_ratio);
    const double numbers[] = {law.stretch, law.slide, law.bend, law.twist, law.area, law.across};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (!(numbers[i] > 0.0 && numbers[i] < INFINITY)) {
            return true;
        }
    }
    return false;
}

static abut_status check_place(const char *call, const abut_bond_def *def) {
    if (argument_is_no_vector(call, "def->point", def->point) || argument_is_no_vector(call, "def->axis", def->axis) ||
        argument_is_not_finite(call, "def->length", def->length)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    bool wrong = argument_is_not_positive(call, "def->length", def->length) ||
                 (!(abut_length(def->axis) > 0.0) && refused(call, "def->axis has the length 0"));
    return wrong ? ABUT_ERROR_INVALID_ARGUMENT : ABUT_OK;
}

static abut_status check_def(const char *call, const abut_world *world, const abut_bond_def *def) {
    if (argument_is_null(call, "world", world) || argument_is_null(call, "def", def)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (world->def.stepper != ABUT_STEPPER_DEM) {
        return refuse(ABUT_ERROR_UNSUPPORTED, call, "world: only the dem stepper has bonds");
    }
    abut_status status = world_check_joined(call, world, def->a, def->b);
    status = status == ABUT_OK ? check_place(call, def) : status;
    status = status == ABUT_OK ? bond_check_numbers(call, def) : status;
    return status == ABUT_OK && bond_overflows(def)
               ? refuse(ABUT_ERROR_NOT_FINITE, call, "def: a stiffness of this radius, length and young overflows")
               : status;
}

/* ---- adding and removing ---- */

bool bonds_reserve(abut_world *world, int32_t more) {
    bond_list *list = &world->bonds;
    return more <= INT32_MAX / 8 - list->used &&
           array_extend(&list->bonds, &list->capacity, list->used, list->used + more, sizeof *list->bonds);
}

static bond_seat seat_of(const neighbour_space *space, const body *a, const body *b, abut_vec3 point, abut_vec3 axis) {
    return (bond_seat){.arm_a = abut_quat_rotate_inverse(a->frame, neighbour_way(space, a->centre, point)),
                       .arm_b = abut_quat_rotate_inverse(b->frame, neighbour_way(space, b->centre, point)),
                       .axis_a = abut_quat_rotate_inverse(a->frame, axis),
                       .axis_b = abut_quat_rotate_inverse(b->frame, axis),
                       .rest = abut_quat_unit(abut_quat_mul(abut_quat_conjugate(a->frame), b->frame))};
}

/* The axis points from A to B, so that stretching is positive. */
int32_t bonds_make(abut_world *world, int32_t a, int32_t b, const abut_bond_def *def) {
    bond_list *list = &world->bonds;
    int32_t slot = list->free;
    if (slot >= 0) {
        list->free = list->bonds[slot].next_free;
    } else {
        slot = list->used++;
        list->bonds[slot] = (world_bond){.generation = 0};
    }
    const abut_dem_settings *dem = &world->def.dem;
    const neighbour_space space = {dem->lower, dem->upper, {dem->periodic[0], dem->periodic[1], dem->periodic[2]}};
    const body *p = &world->bodies[a], *q = &world->bodies[b];
    abut_vec3 axis = abut_unit(def->axis);
    axis = abut_dot(axis, neighbour_way(&space, p->centre, q->centre)) < 0.0 ? abut_scale(-1.0, axis) : axis;
    world_bond *made = &list->bonds[slot];
    *made = (world_bond){.used = true,
                         .generation = made->generation,
                         .next_free = -1,
                         .a = a,
                         .b = b,
                         .law = bond_law_of(def->radius, def->length, def->young, def->stiffness_ratio),
                         .seat = seat_of(&space, p, q, def->point, axis)};
    made->law.tensile = def->tensile_strength;
    made->law.shear = def->shear_strength;
    made->law.damping = def->damping_ratio;
    return slot;
}

static abut_bond_id id_of(const abut_world *world, int32_t slot) {
    return (abut_bond_id){(uint32_t)slot + 1, world->bonds.bonds[slot].generation};
}

abut_status abut_world_add_bond(abut_world *world, const abut_bond_def *def, abut_bond_id *id) {
    abut_status status = check_def(CALL_NAME, world, def);
    if (status != ABUT_OK) {
        return status;
    }
    if (!bonds_reserve(world, 1)) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    int32_t slot = bonds_make(world, body_find(world, def->a), body_find(world, def->b), def);
    if (id != NULL) {
        *id = id_of(world, slot);
    }
    return ABUT_OK;
}

static void remove_slot(abut_world *world, int32_t slot) {
    world_bond *gone = &world->bonds.bonds[slot];
    *gone = (world_bond){.generation = gone->generation + 1, .next_free = -1};
    if (gone->generation != 0) {
        gone->next_free = world->bonds.free;
        world->bonds.free = slot;
    }
}

abut_status abut_world_remove_bond(abut_world *world, abut_bond_id id) {
    int32_t slot = bond_find(world, id);
    if (slot < 0) {
        return world_lacks_id(CALL_NAME, world);
    }
    remove_slot(world, slot);
    return ABUT_OK;
}

void bonds_remove_of(abut_world *world, int32_t slot) {
    for (int32_t i = 0; i < world->bonds.used; i++) {
        const world_bond *bond = &world->bonds.bonds[i];
        if (bond->used && (bond->a == slot || bond->b == slot)) {
            remove_slot(world, i);
        }
    }
}

/* ---- reading ---- */

abut_status abut_world_bond_state(const abut_world *world, abut_bond_id id, abut_bond_state *state) {
    int32_t slot = bond_find(world, id);
    if (slot < 0) {
        return world_lacks_id(CALL_NAME, world);
    }
    if (argument_is_null(CALL_NAME, "state", state)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    const world_bond *bond = &world->bonds.bonds[slot];
    *state = (abut_bond_state){.a = body_id_of(world, bond->a),
                               .b = body_id_of(world, bond->b),
                               .broken = bond->broken,
                               .force = bond->force,
                               .moment = bond->moment,
                               .tension = bond->tension,
                               .shear = bond->shear};
    return ABUT_OK;
}

abut_status abut_world_bond_ids(const abut_world *world, abut_bond_id *ids, int32_t capacity, int32_t *count) {
    if (argument_is_null(CALL_NAME, "world", world) || argument_is_null(CALL_NAME, "count", count) ||
        argument_is_below(CALL_NAME, "capacity", capacity, 0) || (capacity > 0 && argument_is_null(CALL_NAME, "ids", ids))) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    int32_t found = 0;
    for (int32_t slot = 0; slot < world->bonds.used; slot++) {
        if (world->bonds.bonds[slot].used) {
            if (found < capacity) {
                ids[found] = id_of(world, slot);
            }
            found++;
        }
    }
    *count = found;
    return found <= capacity ? ABUT_OK : ABUT_ERROR_CAPACITY;
}
