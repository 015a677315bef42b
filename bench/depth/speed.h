#pragma once

#include <stdbool.h>
#include <stdio.h>

/*
 * How long one pair takes, in every mode, one at a time and in batches at every instruction set that the machine has; beside them a general solver of
 * quadratic programs on the same pairs in the same rounds. Every answer is checked by that solver.
 */

/* Prints the tables, and writes the members "speed" and "goals" of the JSON. False when an answer is wrong. */
bool speed_run(FILE *json);
