#pragma once

#include <stdio.h>

#include <abut/tetra.h>

/*
 * Table I and figure 6 of the paper: deformable depth over rigid depth, in percent, of many random pairs; how often the direction of the
 * least rigid depth is the best one, and how often it is among the first six.
 */

/* Prints the tables, and writes the member "ratios" of the JSON. False when a pair failed. */
bool ratios_run(FILE *json, int32_t pairs);
