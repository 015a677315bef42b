#pragma once

#include "io/file/output.h"

/* Writes bytes as base64 (RFC 4648, section 4), padded and without line breaks. As output_write(). */
abut_status base64_write(output_file *file, const unsigned char *bytes, size_t size, abut_error *error);

/* The number of characters that `size` bytes take as base64. */
size_t base64_size(size_t size);
