#pragma once

#include "engine.h"

/* Squares of 0.25 m, `cells` a side, flat or with heights up to 0.12 m; bodies that are up to 3 cm in. False when there is no memory. */
bool inputs_make(mesh_set *set, const char *name, int32_t cells, bool bumpy, bool hull, int32_t count);
void inputs_free(mesh_set *set);
