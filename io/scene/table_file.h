#pragma once

#include "io/scene/read.h"

/*
 * Tables of numbers in files beside a scene: CSV as spreadsheets and instruments write it. Cells end at commas; where the first row has a semicolon or a tab,
 * at those. The first row may have names.
 */
typedef struct scene_table {
    double *numbers; /* [count][columns], finite */
    int32_t *lines;  /* [count] of the file, from 1 */
    int32_t count, columns;
    const char *file; /* as the scene names it; belongs to the JSON */
} scene_table;

/* Reads the file that the value, a string, names relative to the scene's folder. `what` names the columns in messages: "[size, share]". Failures are reported
 * at the value. To be released in every case. */
abut_status scene_table_read(const scene_reader *reader, const scene_place *place, int32_t columns, const char *what, scene_table *made);

/* As read_fail() at the value, with the row of the file. */
#if defined(__GNUC__)
__attribute__((format(printf, 5, 6)))
#endif
abut_status
scene_table_fail(const scene_reader *reader, const scene_place *place, const scene_table *table, int32_t row, const char *format, ...);

void scene_table_release(scene_table *table);
