/* Bonds in a saved state. */
#include <math.h>

#include "base/memory.h"
#include "step/world/bond/bonds.h"

enum { LEAST_BOND_BYTES = 9 };

bool bonds_exist(const abut_world *world) { return world->bonds.used > 0; }

static void save_bond(saved_stream *s, world_bond *bond) {
    saved_bool(s, &bond->used);
    saved_uint32(s, &bond->generation);
    saved_int32(s, &bond->next_free);
    if (!bond->used) {
        return;
    }
    saved_int32(s, &bond->a);
    saved_int32(s, &bond->b);
    bond_law *law = &bond->law;
    double *numbers[] = {&law->stretch, &law->slide, &law->bend,    &law->twist,    &law->area,  &law->across,
                         &law->tensile, &law->shear, &law->damping, &bond->tension, &bond->shear};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        saved_real(s, numbers[i]);
    }
    saved_vec3(s, &bond->seat.arm_a);
    saved_vec3(s, &bond->seat.arm_b);
    saved_vec3(s, &bond->seat.axis_a);
    saved_vec3(s, &bond->seat.axis_b);
    saved_quat(s, &bond->seat.rest);
    saved_bool(s, &bond->broken);
    saved_vec3(s, &bond->force);
    saved_vec3(s, &bond->moment);
}

void bonds_save(saved_stream *s, const abut_world *world) {
    int32_t used = world->bonds.used, first_free = world->bonds.free;
    saved_int32(s, &used);
    saved_int32(s, &first_free);
    for (int32_t i = 0; i < used; i++) {
        world_bond bond = world->bonds.bonds[i];
        save_bond(s, &bond);
    }
}

static bool is_number(double x) { return x > 0.0 && x < INFINITY; }

/* Whether the bodies of a bond that was read exist, and its numbers are in range. */
static bool is_fine(const world_bond *bond, const body *bodies, int32_t body_used) {
    bool named = bond->a >= 0 && bond->a < body_used && bond->b >= 0 && bond->b < body_used && bond->a != bond->b;
    if (!named || !bodies[bond->a].used || !bodies[bond->b].used) {
        return false;
    }
    const bond_law *law = &bond->law;
    const bond_seat *seat = &bond->seat;
    bool dynamic = bodies[bond->a].kind == ABUT_BODY_DYNAMIC || bodies[bond->b].kind == ABUT_BODY_DYNAMIC;
    bool good = is_number(law->stretch) && is_number(law->slide) && is_number(law->bend) && is_number(law->twist) && is_number(law->area) &&
                is_number(law->across) && law->tensile > 0.0 && law->shear > 0.0 && law->damping >= 0.0 && isfinite(law->damping);
    return dynamic && good && abut_vec3_is_finite(seat->arm_a) && abut_vec3_is_finite(seat->arm_b) && abut_vec3_is_finite(seat->axis_a) &&
           abut_vec3_is_finite(seat->axis_b) && isfinite(abut_quat_norm(seat->rest)) && abut_vec3_is_finite(bond->force) &&
           abut_vec3_is_finite(bond->moment) && isfinite(bond->tension) && isfinite(bond->shear);
}

static bool is_free_list(const bond_list *list) {
    int32_t count = 0;
    for (int32_t slot = list->free; slot != -1; slot = list->bonds[slot].next_free, count++) {
        if (slot < -1 || slot >= list->used || count == list->used || list->bonds[slot].used) {
            return false;
        }
    }
    return true;
}

abut_status bonds_read(saved_stream *s, const body *bodies, int32_t body_used, bond_list *list) {
    if (!saved_count(s, &list->used, LEAST_BOND_BYTES)) {
        return ABUT_ERROR_FORMAT;
    }
    saved_int32(s, &list->free);
    list->bonds = saved_room(list->used, sizeof *list->bonds);
    if (list->bonds == NULL) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    list->capacity = list->used > 0 ? list->used : 1;
    for (int32_t i = 0; i < list->used && !s->broken; i++) {
        world_bond *read = &list->bonds[i];
        save_bond(s, read);
        s->broken = s->broken || (read->used && !is_fine(read, bodies, body_used));
    }
    return !s->broken && is_free_list(list) ? ABUT_OK : ABUT_ERROR_FORMAT;
}
