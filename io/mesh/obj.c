/*
 * Reads Wavefront OBJ: v, f, o and g. Other lines (texture coordinates, normals, materials, lines, free-form surfaces) do not change the surface and are
 * skipped. Existing libraries keep coordinates in single precision, which separates neighbours that share a face exactly; so this is a reader of our own.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/mesh/soup.h"

typedef struct obj_reader {
    const char *path;
    int32_t line;
    mesh_soup *soup;
    char *object;    /* name of the last o; "" before the first */
    int32_t largest; /* the largest vertex index in a face, counted from 1 */
    int32_t largest_line;
    abut_error *error;
} obj_reader;

static abut_status fail(const obj_reader *reader, const char *what) {
    return abut_fail(reader->error, ABUT_ERROR_FORMAT, "%s:%d: %s", reader->path, reader->line, what);
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

static char *skip_blanks(char *text) {
    while (is_blank(*text)) {
        text++;
    }
    return text;
}

/* Ends the line at `text` with a zero, after joining lines that a backslash continues. Returns the beginning of the next line, or NULL. */
static char *end_line(char *text, char *end, int32_t *lines) {
    *lines = 1;
    for (;;) {
        char *newline = memchr(text, '\n', (size_t)(end - text));
        if (!newline) {
            return NULL;
        }
        char *last = newline;
        while (last > text && (last[-1] == '\r' || last[-1] == ' ')) {
            last--;
        }
        if (last == text || last[-1] != '\\') {
            *newline = '\0';
            return newline + 1;
        }
        memset(last - 1, ' ', (size_t)(newline - last) + 2);
        text = newline + 1;
        (*lines)++;
    }
}

static abut_status read_vertex(obj_reader *reader, char *text) {
    double numbers[3];
    for (int i = 0; i < 3; i++) {
        char *end;
        numbers[i] = strtod(text, &end);
        if (end == text) {
            return fail(reader, "a vertex needs three numbers");
        }
        if (!isfinite(numbers[i])) {
            return fail(reader, "the vertex is not finite");
        }
        text = end;
    }
    abut_vec3 vertex = {numbers[0], numbers[1], numbers[2]};
    return soup_add_vertex(reader->soup, vertex) ? ABUT_OK : mesh_no_memory(reader->path, reader->error);
}

/* Reads one corner: "7", "7/1", "7//2", "7/1/2", or an index counted from the end, "-1/...". */
static abut_status read_corner(obj_reader *reader, char **text) {
    char *end;
    long index = strtol(*text, &end, 10);
    if (end == *text || (*end != '/' && *end != '\0' && !is_blank(*end))) {
        return fail(reader, "a face's corner is not a number");
    }
    while (*end != '\0' && !is_blank(*end)) {
        end++;
    }
    *text = skip_blanks(end);
    int32_t count = reader->soup->vertex_count;
    if (index == 0 || index > INT32_MAX || index < -(long)count) {
        return fail(reader, index == 0 ? "vertex index 0 does not exist; the first vertex is 1" : "a vertex index is out of range");
    }
    int32_t vertex = index > 0 ? (int32_t)index : count + (int32_t)index + 1;
    if (vertex > reader->largest) {
        /* The vertex may come later in the file. */
        reader->largest = vertex;
        reader->largest_line = reader->line;
    }
    return soup_add_corner(reader->soup, vertex - 1) ? ABUT_OK : mesh_no_memory(reader->path, reader->error);
}

static abut_status read_face(obj_reader *reader, char *text) {
    int32_t corners = 0;
    text = skip_blanks(text);
    while (*text != '\0' && *text != '#') {
        abut_status status = read_corner(reader, &text);
        if (status != ABUT_OK) {
            return status;
        }
        corners++;
    }
    if (corners < 3) {
        return fail(reader, "a face needs three corners or more");
    }
    return soup_end_face(reader->soup) ? ABUT_OK : mesh_no_memory(reader->path, reader->error);
}

/* Reads "o NAME" or "g NAME". A group g within an object o is named "O.G". */
static abut_status read_group(obj_reader *reader, char *text, bool object) {
    text = skip_blanks(text);
    size_t length = strlen(text);
    while (length > 0 && is_blank(text[length - 1])) {
        length--;
    }
    text[length] = '\0';
    size_t outer = strlen(reader->object);
    char *name = malloc(outer + length + 2);
    if (!name) {
        return mesh_no_memory(reader->path, reader->error);
    }
    if (object || outer == 0) {
        memcpy(name, text, length + 1);
    } else {
        memcpy(name, reader->object, outer + 1);
        if (length > 0) {
            name[outer] = '.';
            memcpy(name + outer + 1, text, length + 1);
        }
    }
    bool added = soup_begin_group(reader->soup, name, strlen(name));
    if (object && added) {
        free(reader->object);
        reader->object = name;
    } else {
        free(name);
    }
    return added ? ABUT_OK : mesh_no_memory(reader->path, reader->error);
}

static abut_status read_statement(obj_reader *reader, char *text) {
    text = skip_blanks(text);
    if (text[0] == '\0' || (text[1] != '\0' && !is_blank(text[1]))) {
        return ABUT_OK;
    }
    switch (text[0]) {
    case 'v':
        return read_vertex(reader, text + 1);
    case 'f':
        return read_face(reader, text + 1);
    case 'o':
    case 'g':
        return read_group(reader, text + 1, text[0] == 'o');
    default:
        return ABUT_OK;
    }
}

static abut_status read_lines(obj_reader *reader, char *data, size_t length) {
    char *end = data + length;
    for (char *text = data; text;) {
        int32_t lines;
        char *next = end_line(text, end, &lines);
        abut_status status = read_statement(reader, text);
        if (status != ABUT_OK) {
            return status;
        }
        reader->line += lines;
        text = next;
    }
    if (reader->largest > reader->soup->vertex_count) {
        return abut_fail(reader->error, ABUT_ERROR_FORMAT, "%s:%d: vertex index %d is out of range; the file has %d vertices", reader->path,
                         reader->largest_line, reader->largest, reader->soup->vertex_count);
    }
    return soup_join_groups(reader->soup) ? ABUT_OK : mesh_no_memory(reader->path, reader->error);
}

abut_status mesh_read_obj(const char *path, char *data, size_t length, mesh_soup *soup, abut_error *error) {
    obj_reader reader = {.path = path, .line = 1, .soup = soup, .object = calloc(1, 1), .error = error};
    abut_status status = reader.object ? read_lines(&reader, data, length) : mesh_no_memory(path, error);
    free(reader.object);
    return status;
}
