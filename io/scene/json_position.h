#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Finds the position of a value in a JSON text. jansson keeps no positions, so the path to the value is followed again in the text. This happens for messages
 * only.
 */

/* One step on the path from the root to a value. The root has no parent. */
typedef struct position_step {
    const struct position_step *parent;
    const char *key; /* member of an object, as jansson has it; NULL for an element of an array */
    size_t index;    /* of the element */
} position_step;

/*
 * The offset of the first byte of the value, or of the opening quote of its key. jansson must have accepted the text. If the path does not exist, the offset of
 * the last existing value on it.
 */
size_t position_of(const char *text, size_t length, const position_step *step, bool of_key);

/* Line and column of a byte, both counted from 1. A column is a character (UTF-8 sequence); a tab counts as one. */
void position_line_column(const char *text, size_t length, size_t offset, int32_t *line, int32_t *column);
