/* The contacts at the beginning of an integration step: see contacts.h. */
#include "step/event/contacts.h"

#include "base/array.h"
#include "base/memory.h"
#include "base/real.h"
#include "shape/trimesh_data.h"
#include "step/event/curved.h"
#include "step/event/friction.h"
#include "step/event/impulse.h"
#include "step/event/mesh_side.h"
#include "step/event/pairs.h"
#include "step/world/meet/surfaces.h"

void event_contacts_release(event_contacts *contacts) {
    memory_release(contacts->spare);
    memory_release(contacts->spare_force);
}

static bool reserve_rows(event_system *system, int32_t count) {
    return array_extend(&system->rows, &system->row_capacity, system->row_count, count, sizeof *system->rows) &&
           event_system_reserve_rows(system, count);
}

/* The previous row with the same features; -1 for none. *at: first previous row of the pair; advanced from pair to pair. */
static int32_t row_before(const event_contacts *contacts, const event_system *system, const event_row *row, int32_t before, int32_t *at) {
    while (*at < before && contacts->spare[*at].pair < row->pair) {
        ++*at;
    }
    for (int32_t k = *at; k < before && contacts->spare[k].pair == row->pair; ++k) {
        if (event_system_is_same(system, &contacts->spare[k], row)) {
            return k;
        }
    }
    return -1;
}

static void set_surfaces(const event_system *system, event_row *row) {
    const body *a = system->bodies[row->body[0]].from, *b = system->bodies[row->body[1]].from;
    row->restitution = surfaces_restitution(system->world, a, b);
    row->friction = system->world->def.event.friction ? surfaces_of_bodies(system->world, a, b).friction : 0.0;
}

/* Whether a contact lies beside an open mesh, and deep. Bodies that tip over a border can have such a contact with the plane of the surface where there is
 * none, and it must not hold them. */
static bool hangs_in_the_air(const event_system *system, const event_row *row) {
    const double touching = event_touching(system, row->pair), beside = 10.0 * touching;
    if (row->slip <= beside || row->contact.gap >= -touching) {
        return false;
    }
    for (int i = 0; i < 2; ++i) {
        const abut_shape *shape = row->side[i].shape;
        if (shape != NULL && shape->kind == ABUT_SHAPE_TRIMESH && !trimesh_has_inside(shape->mesh)) {
            const event_place *place = &system->places[system->pairs[row->pair].part[i]];
            abut_vec3 on = abut_sub(i == 0 ? row->contact.on_a : row->contact.on_b, place->position);
            return !event_mesh_is_near(shape, abut_mat3_apply_transposed(place->rotation, on), beside);
        }
    }
    return false;
}

static bool refuse_hanging(event_system *system, const event_part *a, const event_part *b) {
    int32_t slot = system->bodies[system->bodies[a->body].inverse_mass > 0.0 ? a->body : b->body].slot;
    system->status =
        world_refuse_body(ABUT_ERROR_UNSUPPORTED_PAIR, system->world, slot,
                          "it tips over the border of an open mesh, and no contact there holds it; close the mesh to a solid, or use "
                          "the fixed stepper");
    return false;
}

/* Adds the rows of a pair's touching contacts. A contact that was held counts up to a larger gap, because its force is about to close the
 * gap. */
static bool add_rows_of(const event_contacts *contacts, event_system *system, int32_t pair, int32_t before, int32_t *at) {
    const double held_farther = 10.0;
    const event_pair *p = &system->pairs[pair];
    const event_part *a = &system->parts[p->part[0]], *b = &system->parts[p->part[1]];
    double touching = event_touching(system, pair);
    int32_t count;
    if (event_pair_is_farther(system, pair, held_farther * touching)) {
        return true;
    }
    if (!event_pair_test(system, pair, held_farther * touching, &count)) {
        return false;
    }
    if (count > 0 && !reserve_rows(system, system->row_count + count)) {
        system->status = ABUT_ERROR_OUT_OF_MEMORY;
        return false;
    }
    for (int32_t i = 0; i < count; ++i) {
        event_row *row = &system->rows[system->row_count];
        *row = (event_row){.pair = pair, .body = {a->body, b->body}};
        set_surfaces(system, row);
        event_row_make(row, &system->contacts[i], a->shape, &system->places[p->part[0]], b->shape, &system->places[p->part[1]]);
        if (hangs_in_the_air(system, row)) {
            return refuse_hanging(system, a, b);
        }
        int32_t known = row_before(contacts, system, row, before, at);
        bool held = known >= 0 && !contacts->spare[known].parting;
        if (row->contact.gap <= touching || held) {
            system->force[system->row_count++] = known >= 0 ? contacts->spare_force[known] : 0.0;
        }
    }
    return true;
}

void event_contacts_keep_begin(event_system *system) {
    for (int32_t i = 0; i < system->part_count; ++i) {
        system->begin[i] = system->places[i];
    }
}

/* Restored rows have no shapes. Those that are looked at to be known again need them. */
static void give_shapes(const event_system *system, event_row *row) {
    for (int side = 0; side < 2 && event_curved_follows(row) && row->pair >= 0 && row->pair < system->pair_count; ++side) {
        row->side[side].shape = system->parts[system->pairs[row->pair].part[side]].shape;
    }
}

static bool find_rows(event_contacts *contacts, event_system *system) {
    int32_t before = system->row_count;
    if (!array_reserve(&contacts->spare, &contacts->spare_capacity, before, sizeof *contacts->spare) ||
        !array_reserve(&contacts->spare_force, &contacts->spare_force_capacity, before, sizeof *contacts->spare_force) ||
        !reserve_rows(system, 1)) {
        system->status = ABUT_ERROR_OUT_OF_MEMORY;
        return false;
    }
    for (int32_t i = 0; i < before; ++i) {
        contacts->spare[i] = system->rows[i];
        contacts->spare_force[i] = system->force[i];
        give_shapes(system, &contacts->spare[i]);
    }
    system->row_count = 0;
    bool looked = system->looked; /* the last step ended at these places */
    event_system_place(system, system->state);
    system->looked = looked;
    event_contacts_keep_begin(system);
    int32_t at = 0;
    for (int32_t pair = 0; pair < system->pair_count; ++pair) {
        if (!add_rows_of(contacts, system, pair, before, &at)) {
            return false;
        }
    }
    return true;
}

/* Adds the contacts at which the last step was stopped, unless they were found already. Rows stay sorted by pairs. */
static bool add_begun(event_system *system, event_search *search) {
    for (int32_t i = 0; i < search->begun_count; ++i) {
        event_row row = search->begun[i].row;
        const event_place *a, *b;
        row.contact = event_system_look(system, &row, &a, &b);
        bool is_near = fabs(row.contact.gap) <= event_touching(system, row.pair);
        int32_t end = 0;
        bool known = search->begun[i].slips || search->begun[i].blind || !is_near;
        for (; end < system->row_count && system->rows[end].pair <= row.pair; ++end) {
            known = known || event_system_is_same(system, &row, &system->rows[end]);
        }
        if (known) {
            continue;
        }
        if (!reserve_rows(system, system->row_count + 1)) {
            system->status = ABUT_ERROR_OUT_OF_MEMORY;
            return false;
        }
        for (int32_t k = system->row_count++; k > end; --k) {
            system->rows[k] = system->rows[k - 1];
            system->force[k] = system->force[k - 1];
        }
        set_surfaces(system, &row);
        system->rows[end] = row;
        system->force[end] = 0.0;
    }
    search->begun_count = 0;
    return true;
}

void event_contacts_mark_parting(event_system *system) {
    for (int32_t i = 0; i < system->row_count; ++i) {
        double slow = system->world->def.event.resting_speed * event_speed_of(system, &system->rows[i]);
        const event_place *a, *b;
        system->rows[i].gap = event_system_look(system, &system->rows[i], &a, &b).gap;
        system->rows[i].rate = system->rates[i].gap_rate;
        system->rows[i].parting = system->rates[i].gap_rate > slow;
        system->force[i] = system->rows[i].parting ? 0.0 : system->force[i];
    }
    event_friction_begin(system);
}

bool event_contacts_find(event_contacts *contacts, event_system *system, event_search *search) {
    return find_rows(contacts, system) && add_begun(system, search);
}
