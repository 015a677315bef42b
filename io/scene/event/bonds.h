#pragma once

#include <abut/bond.h>

/*
 * Finds the bonds that break from step to step.
 */

/* A bond that broke. */
typedef struct broken_bond {
    int32_t a, b; /* indices of its bodies in the scene */
    abut_bond_state state;
} broken_bond;

typedef struct bond_watch {
    uint32_t *known;   /* [known_count] by index of a bond: its generation + 1 once it was seen broken, else 0 */
    abut_bond_id *ids; /* [id_capacity] */
    broken_bond *news; /* [news_count] of the last call, in the order of the indices */
    int32_t known_count, news_count;
    size_t known_capacity, id_capacity, news_capacity;
} bond_watch;

/* Finds the bonds of a scene's world that are broken and were not at the last call. A zeroed watch knows none. ABUT_OK; ABUT_ERROR_OUT_OF_MEMORY, and then the
 * next call finds them. */
abut_status bond_watch_look(bond_watch *watch, const abut_world *world);
void bond_watch_release(bond_watch *watch);
