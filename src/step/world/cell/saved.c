/* Elastic cells in a saved state: the nodes. All else is as the cell was made (world_cell.digest). */
#include "base/memory.h"
#include "shape/shape.h"
#include "step/world/cell/cells.h"

enum { CELL_BYTES = 4 + 4 };

bool cells_exist(const abut_world *world) {
    bool found = false;
    for (int32_t slot = 0; slot < world->body_used && !found; slot++) {
        found = world->bodies[slot].used && world->bodies[slot].cell != NULL;
    }
    return found;
}

static int32_t count_cells(const body *bodies, int32_t body_used) {
    int32_t count = 0;
    for (int32_t slot = 0; slot < body_used; slot++) {
        count += bodies[slot].used && bodies[slot].cell != NULL;
    }
    return count;
}

static void save_nodes(saved_stream *s, int32_t count, abut_vec3 *position, abut_vec3 *velocity) {
    for (int32_t i = 0; i < count; i++) {
        saved_vec3(s, &position[i]);
        saved_vec3(s, &velocity[i]);
    }
}

void cells_save(saved_stream *s, const abut_world *world) {
    int32_t count = count_cells(world->bodies, world->body_used);
    saved_int32(s, &count);
    for (int32_t slot = 0; slot < world->body_used; slot++) {
        const body *b = &world->bodies[slot];
        if (b->used && b->cell != NULL) {
            int32_t nodes = b->cell->mesh.node_count;
            saved_int32(s, &slot);
            saved_int32(s, &nodes);
            save_nodes(s, nodes, b->cell->position, b->cell->velocity);
        }
    }
}

static bool are_finite(const abut_vec3 *numbers, int32_t count) {
    bool finite = true;
    for (int32_t i = 0; i < count; i++) {
        finite = finite && abut_vec3_is_finite(numbers[i]);
    }
    return finite;
}

static abut_status read_cell(saved_stream *s, body *bodies, int32_t body_used, int32_t last, cell_kept *kept) {
    int32_t nodes = 0;
    saved_int32(s, &kept->slot);
    saved_int32(s, &nodes);
    bool named = !s->broken && kept->slot > last && kept->slot < body_used && bodies[kept->slot].used && bodies[kept->slot].cell != NULL;
    if (!named || nodes != bodies[kept->slot].cell->mesh.node_count) {
        return ABUT_ERROR_FORMAT;
    }
    body *b = &bodies[kept->slot];
    abut_vec3 *working = memory_allocate((size_t)nodes, sizeof *working);
    kept->position = memory_allocate(2 * (size_t)nodes, sizeof *kept->position);
    abut_status status = ABUT_ERROR_OUT_OF_MEMORY;
    if (working != NULL && kept->position != NULL) {
        kept->velocity = kept->position + nodes;
        save_nodes(s, nodes, kept->position, kept->velocity);
        status = s->broken || !are_finite(kept->position, 2 * nodes) ? ABUT_ERROR_FORMAT : ABUT_OK;
    }
    if (status == ABUT_OK) {
        status = cell_shape("abut_world_restore", b, b->centre, kept->position, working, NULL, &kept->shape);
        status = status == ABUT_OK || status == ABUT_ERROR_OUT_OF_MEMORY ? status : ABUT_ERROR_FORMAT;
    }
    memory_release(working);
    if (status == ABUT_OK) {
        b->shape = kept->shape;
        cell_measure(b);
    }
    return status;
}

abut_status cells_read(saved_stream *s, body *bodies, int32_t body_used, cells_kept *kept) {
    int32_t count = 0;
    if (!saved_count(s, &count, CELL_BYTES) || count != count_cells(bodies, body_used)) {
        return ABUT_ERROR_FORMAT;
    }
    kept->cells = saved_room(count, sizeof *kept->cells);
    if (kept->cells == NULL) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    kept->count = count;
    abut_status status = ABUT_OK;
    for (int32_t i = 0; i < count && status == ABUT_OK; i++) {
        status = read_cell(s, bodies, body_used, i > 0 ? kept->cells[i - 1].slot : -1, &kept->cells[i]);
    }
    return status;
}

void cells_restore(abut_world *world, cells_kept *kept) {
    for (int32_t i = 0; i < kept->count; i++) {
        cell_kept *from = &kept->cells[i];
        body *b = &world->bodies[from->slot];
        for (int32_t k = 0; k < b->cell->mesh.node_count; k++) {
            b->cell->position[k] = from->position[k];
            b->cell->velocity[k] = from->velocity[k];
        }
        cell_turn_inertia(b);
        from->shape = NULL; /* it belongs to the body now */
    }
}

void cells_release(cells_kept *kept) {
    for (int32_t i = 0; i < kept->count; i++) {
        abut_shape_release(kept->cells[i].shape);
        memory_release(kept->cells[i].position);
    }
    memory_release(kept->cells);
}
