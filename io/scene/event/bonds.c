#include "io/scene/event/bonds.h"

#include <stdlib.h>

#include "io/file/grow.h"

static bool reserve(bond_watch *w, int32_t count, uint32_t most) {
    size_t known = (size_t)most + 1;
    bool room = grow_array(&w->known, &w->known_capacity, known, INT32_MAX, sizeof *w->known) &&
                grow_array(&w->news, &w->news_capacity, (size_t)count, INT32_MAX, sizeof *w->news);
    for (; room && (size_t)w->known_count < known; w->known_count++) {
        w->known[w->known_count] = 0;
    }
    return room;
}

/* The value of abut_body_def.user is the index of the body in the scene. */
static int32_t index_of(const abut_world *world, abut_body_id id) {
    abut_body_info info = {.user = 0};
    (void)abut_world_body_info(world, id, &info);
    return (int32_t)info.user;
}

abut_status bond_watch_look(bond_watch *w, const abut_world *world) {
    int32_t count = 0;
    w->news_count = 0;
    (void)abut_world_bond_ids(world, NULL, 0, &count);
    if (count == 0) {
        return ABUT_OK;
    }
    if (!grow_array(&w->ids, &w->id_capacity, (size_t)count, INT32_MAX, sizeof *w->ids) ||
        abut_world_bond_ids(world, w->ids, count, &count) != ABUT_OK || !reserve(w, count, w->ids[count - 1].index)) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    for (int32_t i = 0; i < count; i++) {
        abut_bond_state state = {.broken = false};
        abut_bond_id id = w->ids[i];
        if (w->known[id.index] != id.generation + 1 && abut_world_bond_state(world, id, &state) == ABUT_OK && state.broken) {
            w->known[id.index] = id.generation + 1;
            w->news[w->news_count++] = (broken_bond){index_of(world, state.a), index_of(world, state.b), state};
        }
    }
    return ABUT_OK;
}

void bond_watch_release(bond_watch *w) {
    free(w->known);
    free(w->ids);
    free(w->news);
}
