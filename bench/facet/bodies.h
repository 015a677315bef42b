#pragma once

#include <stdbool.h>
#include <stdio.h>

/*
 * Balls of 20 to 5120 triangles: contact of two of them, with and without pressure; building one, moving its vertices, memory.
 */

/* Prints the table, and writes the member "bodies" of the JSON. False when a ball could not be made, or a contact failed. */
bool bodies_run(FILE *json);
