#pragma once

#include "io/tet/xml_tag.h"

/*
 * An array of numbers of a VTK XML file: its declaration, the place of its numbers, and the numbers themselves.
 */

/* What holds for all arrays of a file. */
typedef struct vtu_storage {
    tet_cursor *cursor;                  /* the file, for messages and failures */
    bool big;                            /* the most significant byte first */
    size_t header_size;                  /* of the counts before the bytes of an array: 4 or 8 */
    bool compressed;                     /* with zlib */
    const char *appended, *appended_end; /* the bytes behind the '_' of AppendedData; NULL without */
    bool encoded;                        /* these are base64 */
    uint64_t budget; /* bytes that arrays may still have, so that a small file with many arrays at one place makes no large mesh */
} vtu_storage;

typedef enum vtu_format { VTU_ASCII, VTU_BINARY, VTU_APPENDED } vtu_format;

typedef struct vtu_array {
    bool declared;
    const char *at; /* its tag, for messages */
    int32_t line;
    size_t size;        /* of a number [bytes] */
    bool real, natural; /* floating point; without a sign */
    vtu_format format;
    uint64_t offset;         /* in the appended bytes */
    const char *begin, *end; /* text inside of the tag; NULL without */
    int32_t text_line;       /* of begin */
} vtu_array;

/* The numbers of an array, to be read with a cursor of their own. To be closed, also after a failure. */
typedef struct vtu_numbers {
    tet_cursor cursor;
    size_t size; /* of a number [bytes] */
    bool real;
    unsigned char *owned; /* decoded bytes, or NULL */
} vtu_numbers;

/* Reads the tag of an array, and the text up to its closing tag. Fails through the cursor of the storage. */
vtu_array vtu_declare(const vtu_storage *storage, const xml_tag *tag);
/* Decodes the array. `what` names it in messages. A failure is that of the storage's cursor and of the numbers. */
vtu_numbers vtu_open(vtu_storage *storage, const vtu_array *array, const char *what);
/* Ends the numbers. Fails when some were not read. Passes a failure on to the storage's cursor. */
void vtu_close(const vtu_storage *storage, vtu_numbers *numbers);
