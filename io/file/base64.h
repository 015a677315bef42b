#pragma once

#include <stdbool.h>

#include "io/file/output.h"

/* Writes bytes as base64 (RFC 4648, section 4), padded and without line breaks. As output_write(). */
abut_status base64_write(output_file *file, const unsigned char *bytes, size_t size, abut_error *error);

/* The number of characters that `size` bytes take as base64. */
size_t base64_size(size_t size);

/* A position in base64 text. Begin with {.next = text, .end = behind it}. Blanks and ends of lines are skipped. Texts that follow each other, each with its own
 * padding, give their bytes one after the other. */
typedef struct base64_text {
    const char *next, *end;
    unsigned char bytes[3]; /* of the last four characters */
    int used, count;        /* of these bytes: returned, and there */
} base64_text;

/* Decodes the next bytes; returns how many there were before the end of the text or a character that is not base64. */
size_t base64_read(base64_text *text, unsigned char *bytes, size_t size);
