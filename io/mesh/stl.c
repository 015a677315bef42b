/*
 * Reads STL, binary and text. Many binary files begin with "solid", as text files do. So the size decides: a binary file has 84 bytes and 50 bytes for each
 * triangle of the count at byte 80. Stored normals are often wrong and add nothing to the corners, so they are skipped.
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/file/byte_order.h"
#include "io/mesh/soup.h"

enum { HEADER = 84, TRIANGLE = 50 };

static abut_status add_triangle(const char *path, const abut_vec3 corners[3], mesh_soup *soup, abut_error *error) {
    for (int i = 0; i < 3; i++) {
        if (!soup_add_vertex(soup, corners[i]) || !soup_add_corner(soup, soup->vertex_count - 1)) {
            return mesh_no_memory(path, error);
        }
    }
    return soup_end_face(soup) ? ABUT_OK : mesh_no_memory(path, error);
}

static abut_status read_binary(const char *path, const char *data, uint32_t count, mesh_soup *soup, abut_error *error) {
    for (uint32_t t = 0; t < count; t++) {
        const char *bytes = data + HEADER + (size_t)TRIANGLE * t + 12;
        abut_vec3 corners[3];
        for (int i = 0; i < 3; i++) {
            corners[i] = abut_vec3_make(bytes_real(bytes + 12 * i, 4, false), bytes_real(bytes + 12 * i + 4, 4, false),
                                        bytes_real(bytes + 12 * i + 8, 4, false));
            if (!abut_vec3_is_finite(corners[i])) {
                return abut_fail(error, ABUT_ERROR_FORMAT, "%s: triangle %u has a vertex that is not finite", path, t);
            }
        }
        abut_status status = add_triangle(path, corners, soup, error);
        if (status != ABUT_OK) {
            return status;
        }
    }
    return ABUT_OK;
}

/* The words of a text STL. */
typedef struct stl_reader {
    const char *path;
    char *next;
    int32_t line;
    mesh_soup *soup;
    abut_error *error;
} stl_reader;

static abut_status fail(const stl_reader *reader, const char *what) {
    return abut_fail(reader->error, ABUT_ERROR_FORMAT, "%s:%d: %s", reader->path, reader->line, what);
}

static void skip_space(stl_reader *reader) {
    while (isspace((unsigned char)*reader->next)) {
        reader->line += *reader->next == '\n';
        reader->next++;
    }
}

/* Takes the next word if it is this one. Case does not count. */
static bool take_word(stl_reader *reader, const char *word) {
    skip_space(reader);
    size_t length = strlen(word);
    for (size_t i = 0; i < length; i++) {
        if (tolower((unsigned char)reader->next[i]) != word[i]) {
            return false;
        }
    }
    char behind = reader->next[length];
    if (behind != '\0' && !isspace((unsigned char)behind)) {
        return false;
    }
    reader->next += length;
    return true;
}

static abut_status take_numbers(stl_reader *reader, double numbers[3]) {
    for (int i = 0; i < 3; i++) {
        skip_space(reader);
        char *end;
        numbers[i] = strtod(reader->next, &end);
        if (end == reader->next) {
            return fail(reader, "three numbers are expected here");
        }
        reader->next = end;
    }
    return ABUT_OK;
}

/* Takes the rest of the line, without blanks around it. */
static void take_rest(stl_reader *reader, const char **rest, size_t *length) {
    char *start = reader->next;
    while (*start == ' ' || *start == '\t') {
        start++;
    }
    char *end = start + strcspn(start, "\r\n");
    reader->next = end;
    while (end > start && isspace((unsigned char)end[-1])) {
        end--;
    }
    *rest = start;
    *length = (size_t)(end - start);
}

/* Reads from after "facet" to after "endfacet". */
static abut_status read_facet(stl_reader *reader) {
    double numbers[3];
    abut_vec3 corners[3];
    if (!take_word(reader, "normal")) {
        return fail(reader, "'normal' is expected after 'facet'");
    }
    abut_status status = take_numbers(reader, numbers);
    if (status != ABUT_OK) {
        return status;
    }
    if (!take_word(reader, "outer") || !take_word(reader, "loop")) {
        return fail(reader, "'outer loop' is expected here");
    }
    for (int i = 0; i < 3; i++) {
        if (!take_word(reader, "vertex")) {
            return fail(reader, "'vertex' is expected here: a facet has three vertices");
        }
        status = take_numbers(reader, numbers);
        if (status != ABUT_OK) {
            return status;
        }
        corners[i] = abut_vec3_make(numbers[0], numbers[1], numbers[2]);
        if (!abut_vec3_is_finite(corners[i])) {
            return fail(reader, "the vertex is not finite");
        }
    }
    if (!take_word(reader, "endloop") || !take_word(reader, "endfacet")) {
        return fail(reader, "'endloop' and 'endfacet' are expected here");
    }
    return add_triangle(reader->path, corners, reader->soup, reader->error);
}

/* Reads from after "solid" to after "endsolid" and its name. */
static abut_status read_solid(stl_reader *reader) {
    const char *name;
    size_t length;
    take_rest(reader, &name, &length);
    if (!soup_begin_group(reader->soup, name, length)) {
        return mesh_no_memory(reader->path, reader->error);
    }
    while (take_word(reader, "facet")) {
        abut_status status = read_facet(reader);
        if (status != ABUT_OK) {
            return status;
        }
    }
    if (!take_word(reader, "endsolid")) {
        return fail(reader, *reader->next == '\0' ? "the file ends before 'endsolid'" : "'facet' or 'endsolid' is expected here");
    }
    take_rest(reader, &name, &length);
    return ABUT_OK;
}

static abut_status read_text(stl_reader *reader) {
    while (take_word(reader, "solid")) {
        abut_status status = read_solid(reader);
        if (status != ABUT_OK) {
            return status;
        }
    }
    skip_space(reader);
    return *reader->next == '\0' ? ABUT_OK : fail(reader, "'solid' is expected here");
}

abut_status mesh_read_stl(const char *path, char *data, size_t length, mesh_soup *soup, abut_error *error) {
    uint32_t count = length >= HEADER ? (uint32_t)bytes_unsigned(data + 80, 4, false) : 0;
    unsigned long long needed = HEADER + (unsigned long long)TRIANGLE * count;
    if (length >= HEADER && length == needed) {
        return read_binary(path, data, count, soup, error);
    }
    stl_reader reader = {path, data, 1, soup, error};
    bool text = take_word(&reader, "solid") && !memchr(data, '\0', length);
    if (!text && length < HEADER) {
        return abut_fail(error, ABUT_ERROR_FORMAT,
                         "%s: this is not an STL file: it does not begin with 'solid' and is shorter than the %d bytes of a binary header",
                         path, HEADER);
    }
    if (!text) {
        return abut_fail(error, ABUT_ERROR_FORMAT, "%s: a binary STL file of %u triangles has %llu bytes, but this file has %zu", path,
                         count, needed, length);
    }
    reader.next = data;
    reader.line = 1;
    return read_text(&reader);
}
