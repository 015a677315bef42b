#pragma once

#include <stdbool.h>
#include <stdio.h>

/*
 * Contacts of rounded triangles, one pair at a time and in batches, with every instruction set of the machine, with one thread and with
 * two. Every batch is compared with single calls, byte by byte. Also the pressure of a contact.
 */

/* Prints the tables, and writes the members "pairs" and "pressure" of the JSON. False when a batch gives another answer. */
bool pairs_run(FILE *json);
