#pragma once

#include <abut/tetra.h>

#include "support/random.h"

/*
 * Random pairs of tetrahedra as in the paper's tests, as far as it describes them: eight vertices uniform in a cube of side 10, volumes of
 * 0.1 to 130, intersecting pairs. The same pairs on every machine.
 */

typedef struct inputs {
    random_state random;
    int32_t tried; /* pairs with both volumes in range, intersecting or not */
} inputs;

inputs inputs_make(uint64_t seed);

/* The next pairs: [count] each. */
void inputs_next(inputs *in, int32_t count, abut_simplex *a, abut_simplex *b);
