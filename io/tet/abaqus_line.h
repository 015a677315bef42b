#pragma once

#include "io/tet/cursor.h"

/*
 * Lines of Abaqus input files. A line that begins with ** is a comment, one that begins with * has a keyword and parameters, all others are data. Fields end in
 * commas. Case does not count in keywords and names of parameters.
 */

enum { ABAQUS_LINE_SIZE = 1024 };

/* A keyword line: "*NAME, KEY=VALUE, KEY". A comma at the end of a line continues it on the next one. */
typedef struct abaqus_keyword {
    char text[ABAQUS_LINE_SIZE]; /* name and parameters without the star */
    const char *at;              /* where it begins, for messages */
    int32_t line;
} abaqus_keyword;

/* Reads the next keyword line, from the beginning of a line. Comments and empty lines are skipped; data fail. False at the end of the file. */
bool abaqus_next_keyword(tet_cursor *cursor, abaqus_keyword *keyword);
/* Skips to the next line of data, from the beginning of a line; false when a keyword or the end of the file comes first. */
bool abaqus_next_data(tet_cursor *cursor);
/* Skips all data up to the next keyword. */
void abaqus_skip_data(tet_cursor *cursor);

/* True when this is its name, in capitals and with single blanks: "END PART". */
bool abaqus_is(const abaqus_keyword *keyword, const char *name);
/* Finds a parameter by its name in capitals; copies its value, cut to the size, without quotes; "" when it has none. */
bool abaqus_parameter(const abaqus_keyword *keyword, const char *name, char *value, size_t size);

/* Moves from behind a number to the next field of the line; false at its end, which may have a comma. Fails without a comma between two fields. */
bool abaqus_next_field(tet_cursor *cursor);
/* As abaqus_next_field(), but a comma at the end of the line continues it on the next one. */
bool abaqus_next_field_or_line(tet_cursor *cursor);
/* True when the line ends in a comma. */
bool abaqus_line_goes_on(const tet_cursor *cursor);
