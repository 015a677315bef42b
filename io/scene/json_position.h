#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Where in a JSON text a value stands. jansson keeps no positions, so the way to a value is followed once more in the text. That is done
 * for a message only, and costs nothing where nothing is wrong.
 */

/* One step on the way from the root to a value. The root has no parent. */
typedef struct position_step {
    const struct position_step *parent;
    const char *key; /* member of an object, as jansson has it; NULL for an element of an array */
    size_t index;    /* of the element */
} position_step;

/*
 * The offset of the first byte of the value, or of its key's opening quote. The text must have been accepted by jansson. When the way leads
 * nowhere, the offset of the last value on it that exists.
 */
size_t position_of(const char *text, size_t length, const position_step *step, bool of_key);

/* Line and column of a byte, both counted from 1; a column is a character (UTF-8 sequence), a tab is one. */
void position_line_column(const char *text, size_t length, size_t offset, int32_t *line, int32_t *column);
