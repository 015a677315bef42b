#pragma once

#include <stdio.h>

#include "grains/measure.h"

/* The header of the console's table, and a row. */
void report_head(void);
void report_row(const measurement *m);

/* Goals on the console, and everything as JSON. */
void report_goals(FILE *json, const measurement *rows, int32_t count);
