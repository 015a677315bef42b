#pragma once

#include <stdio.h>

#include "dem/measure.h"

/* The console's table, its head first; says what is not installed unless it was not asked for. */
void report_head(bool alone);
/* Rows of one bed: from `first` up to, not with, `end`. Those before are of smaller ones. */
void report_rows(const measurement *rows, int32_t first, int32_t end);

/* Goals on the console, and all of it as JSON. False when the beds of two programs are not alike: the comparison is then not fair. */
bool report_goals(FILE *json, const measurement *rows, int32_t count);
