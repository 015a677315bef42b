#pragma once

#include <stddef.h>

/*
 * Decimal numbers as text, rounded to the nearest double, ties to even. The functions of the C library depend on the locale of the program.
 */

typedef enum decimal_state { DECIMAL_FINE, DECIMAL_NONE, DECIMAL_TOO_LARGE, DECIMAL_TOO_SMALL } decimal_state;

/*
 * Reads digits with an optional point and an optional exponent (e+5, E-3), without a sign, from the start of the text. *length is the number of characters
 * read. DECIMAL_NONE: the text starts with no number. Too large: above the largest double; too small: not zero and below the least normal double.
 */
decimal_state decimal_read(const char *text, size_t *length, double *value);
