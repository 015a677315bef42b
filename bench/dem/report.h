#pragma once

#include <stdio.h>

#include "dem/measure.h"

/* The header of the console's table; lists programs that are not installed, unless `alone`. */
void report_head(bool alone);
/* Rows of one bed: first <= row < end. Earlier rows belong to smaller beds. */
void report_rows(const measurement *rows, int32_t first, int32_t end);

/* Goals on the console, and everything as JSON. False when the beds of two programs differ, so that the comparison is not fair. */
bool report_goals(FILE *json, bool loose, const measurement *rows, int32_t count);
