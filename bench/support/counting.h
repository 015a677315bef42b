#pragma once

#include <stddef.h>

/*
 * An allocator for the library that counts: what a structure says of its memory, and what was asked for.
 */

/* The library allocates by it from now on, or by its own again. Nothing of the library may be alive. */
void counting_begin(void);
void counting_end(void);

/* Bytes that the library holds. */
size_t counting_held(void);
