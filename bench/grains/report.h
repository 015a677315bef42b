#pragma once

#include <stdio.h>

#include "grains/measure.h"

/* The console's table: its head, and a row. */
void report_head(void);
void report_row(const measurement *m);

/* Goals on the console, and all of it as JSON. */
void report_goals(FILE *json, const measurement *rows, int32_t count);
