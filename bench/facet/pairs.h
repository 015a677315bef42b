#pragma once

#include <stdbool.h>
#include <stdio.h>

/*
 * Contacts of rounded triangles, one pair at a time and in batches at every instruction set that the machine has, with one thread and with two; every batch
 * is compared with the single calls, byte by byte. And the pressure of a contact.
 */

/* Prints the tables, and writes the members "pairs" and "pressure" of the JSON. False when an answer of a batch is another one. */
bool pairs_run(FILE *json);
