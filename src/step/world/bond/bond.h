#pragma once

#include <abut/bond.h>

#include "solve/bond/bond.h"

/* A bond between two bodies. */
typedef struct world_bond {
    bool used;
    uint32_t generation; /* number of earlier uses of the slot */
    int32_t next_free;   /* of an unused slot: the next unused slot; -1 for none */
    int32_t a, b;        /* slots */
    bond_law law;
    bond_seat seat; /* principal frames of the bodies */
    bool broken;
    abut_vec3 force, moment; /* on A in the last step */
    double tension, shear;   /* of the last step */
} world_bond;

/* The bonds of a world by slot. */
typedef struct bond_list {
    world_bond *bonds;
    int32_t used, capacity, free;
} bond_list;

/* Whether a bond holds anything. */
static inline bool bond_acts(const world_bond *bond) { return bond->used && !bond->broken; }
