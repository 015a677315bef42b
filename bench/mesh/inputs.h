#pragma once

#include "engine.h"

typedef struct mesh_kind {
    const char *name;
    mesh_body body;
    bool bumpy, lying; /* turned about the vertical only */
} mesh_kind;

/* A mesh of 0.25 m squares, `cells` a side, flat or with heights up to 0.12 m; bodies are up to 3 cm deep. False when there is no memory. */
bool inputs_make(mesh_set *set, const mesh_kind *kind, int32_t cells, int32_t count);

void inputs_free(mesh_set *set);
