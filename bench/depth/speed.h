#pragma once

#include <stdbool.h>
#include <stdio.h>

/*
 * Time per pair, in every mode, one at a time and in batches with every instruction set of the machine, next to a general solver of
 * quadratic programs on the same pairs in the same rounds. That solver checks every answer.
 */

/* Prints the tables, and writes the members "speed" and "goals" of the JSON. False when an answer is wrong. */
bool speed_run(FILE *json);
