#pragma once

#include <stddef.h>

/*
 * A counting allocator for the library: compares the memory that a structure reports with the memory that it requested.
 */

/* Installs the allocator, and restores the default. No object of the library may exist at these calls. */
void counting_begin(void);
void counting_end(void);

/* Bytes that the library holds. */
size_t counting_held(void);
