#pragma once

#include <stdio.h>

#include <abut/tetra.h>

/*
 * Table I and figure 6 of the paper: deformable depth over rigid depth, in percent, for many random pairs; how often the direction of the
 * smallest rigid depth is the best one, and how often the best one is among the first six.
 */

/* Prints the tables, and writes the member "ratios" of the JSON. False when a pair failed. */
bool ratios_run(FILE *json, int32_t pairs);
