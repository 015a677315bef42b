/*
 * Reads PLY, text and both byte orders: the elements "vertex" (properties x, y, z) and "face" (the list vertex_indices or vertex_index). Other elements and
 * properties are skipped. Every count is checked against the rest of the file before it is used.
 */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/file/byte_order.h"
#include "io/mesh/soup.h"

typedef enum ply_type { PLY_NONE, PLY_INT8, PLY_UINT8, PLY_INT16, PLY_UINT16, PLY_INT32, PLY_UINT32, PLY_FLOAT, PLY_DOUBLE } ply_type;

static const struct {
    const char *name;
    ply_type type;
} type_names[] = {{"char", PLY_INT8},   {"int8", PLY_INT8},     {"uchar", PLY_UINT8},   {"uint8", PLY_UINT8},
                  {"short", PLY_INT16}, {"int16", PLY_INT16},   {"ushort", PLY_UINT16}, {"uint16", PLY_UINT16},
                  {"int", PLY_INT32},   {"int32", PLY_INT32},   {"uint", PLY_UINT32},   {"uint32", PLY_UINT32},
                  {"float", PLY_FLOAT}, {"float32", PLY_FLOAT}, {"double", PLY_DOUBLE}, {"float64", PLY_DOUBLE}};

static const size_t type_sizes[] = {[PLY_INT8] = 1,  [PLY_UINT8] = 1,  [PLY_INT16] = 2, [PLY_UINT16] = 2,
                                    [PLY_INT32] = 4, [PLY_UINT32] = 4, [PLY_FLOAT] = 4, [PLY_DOUBLE] = 8};

typedef enum ply_role { ROLE_NONE, ROLE_X, ROLE_Y, ROLE_Z, ROLE_CORNERS } ply_role;

enum { MOST_PROPERTIES = 64, MOST_ELEMENTS = 32, NAME_SIZE = 64 };

typedef struct ply_property {
    ply_type count_type; /* of a list; PLY_NONE for a single value */
    ply_type type;
    ply_role role;
} ply_property;

typedef struct ply_element {
    char name[NAME_SIZE];
    uint64_t count;
    int32_t property_count;
    ply_property properties[MOST_PROPERTIES];
} ply_element;

typedef enum ply_format { PLY_TEXT, PLY_LITTLE, PLY_BIG } ply_format;

typedef struct ply_reader {
    const char *path;
    char *next, *end;
    int32_t line; /* in the header */
    ply_format format;
    int32_t element_count;
    ply_element *elements; /* [MOST_ELEMENTS] */
    mesh_soup *soup;
    abut_error *error;
} ply_reader;

static abut_status fail_in_header(const ply_reader *reader, const char *what) {
    return abut_fail(reader->error, ABUT_ERROR_FORMAT, "%s:%d: %s", reader->path, reader->line, what);
}

/* Splits the next line of the header into words; false at the end of the file. Words after the fifth are dropped. */
static bool next_line(ply_reader *reader, char *words[5], int *count) {
    char *newline = memchr(reader->next, '\n', (size_t)(reader->end - reader->next));
    if (!newline) {
        return false;
    }
    *newline = '\0';
    *count = 0;
    for (char *text = reader->next; *text != '\0';) {
        while (isspace((unsigned char)*text)) {
            *text++ = '\0';
        }
        if (*text != '\0' && *count < 5) {
            words[(*count)++] = text;
        }
        while (*text != '\0' && !isspace((unsigned char)*text)) {
            text++;
        }
    }
    reader->next = newline + 1;
    reader->line++;
    return true;
}

static ply_type find_type(const char *name) {
    for (size_t i = 0; i < sizeof type_names / sizeof type_names[0]; i++) {
        if (strcmp(type_names[i].name, name) == 0) {
            return type_names[i].type;
        }
    }
    return PLY_NONE;
}

static ply_role find_role(const ply_element *element, const char *name, bool list) {
    if (list) {
        bool corners = strcmp(element->name, "face") == 0 && (strcmp(name, "vertex_indices") == 0 || strcmp(name, "vertex_index") == 0);
        return corners ? ROLE_CORNERS : ROLE_NONE;
    }
    if (strcmp(element->name, "vertex") != 0 || name[0] < 'x' || name[0] > 'z' || name[1] != '\0') {
        return ROLE_NONE;
    }
    return name[0] == 'x' ? ROLE_X : name[0] == 'y' ? ROLE_Y : ROLE_Z;
}

static bool has_role(const ply_element *element, ply_role role) {
    for (int32_t p = 0; p < element->property_count; p++) {
        if (element->properties[p].role == role) {
            return true;
        }
    }
    return false;
}

static abut_status read_property(ply_reader *reader, char *words[5], int count) {
    if (reader->element_count == 0) {
        return fail_in_header(reader, "a property precedes the first element");
    }
    ply_element *element = &reader->elements[reader->element_count - 1];
    if (element->property_count == MOST_PROPERTIES) {
        return fail_in_header(reader, "an element has more than 64 properties");
    }
    bool list = count >= 2 && strcmp(words[1], "list") == 0;
    if (count < (list ? 5 : 3)) {
        return fail_in_header(reader, "a property needs a type and a name");
    }
    ply_property property = {list ? find_type(words[2]) : PLY_NONE, find_type(words[list ? 3 : 1]), ROLE_NONE};
    if (property.type == PLY_NONE || (list && property.count_type == PLY_NONE)) {
        return fail_in_header(reader, "a property of unknown type");
    }
    ply_role role = find_role(element, words[list ? 4 : 2], list);
    property.role = has_role(element, role) ? ROLE_NONE : role;
    element->properties[element->property_count++] = property;
    return ABUT_OK;
}

static abut_status read_element(ply_reader *reader, char *words[5], int count) {
    if (count < 3 || !isdigit((unsigned char)words[2][0])) {
        return fail_in_header(reader, "an element needs a name and a count");
    }
    if (reader->element_count == MOST_ELEMENTS) {
        return fail_in_header(reader, "the file has more than 32 elements");
    }
    if (strcmp(words[1], "tristrips") == 0) {
        return fail_in_header(reader, "triangle strips are not supported; write single faces");
    }
    ply_element *element = &reader->elements[reader->element_count++];
    *element = (ply_element){.count = strtoull(words[2], NULL, 10)};
    snprintf(element->name, sizeof element->name, "%s", words[1]);
    return ABUT_OK;
}

static abut_status read_format(ply_reader *reader, char *words[5], int count) {
    static const char *const names[] = {"ascii", "binary_little_endian", "binary_big_endian"};
    for (int i = 0; count >= 2 && i < 3; i++) {
        if (strcmp(words[1], names[i]) == 0) {
            reader->format = (ply_format)i;
            return ABUT_OK;
        }
    }
    return fail_in_header(reader, "unknown format; use ascii, binary_little_endian or binary_big_endian");
}

static abut_status read_header(ply_reader *reader) {
    char *words[5];
    int count = 0;
    reader->line = 0;
    if (!next_line(reader, words, &count) || count != 1 || strcmp(words[0], "ply") != 0) {
        return abut_fail(reader->error, ABUT_ERROR_FORMAT, "%s: this is not a PLY file: its first line is not 'ply'", reader->path);
    }
    bool format = false;
    while (next_line(reader, words, &count)) {
        abut_status status = ABUT_OK;
        if (count == 0 || strcmp(words[0], "comment") == 0 || strcmp(words[0], "obj_info") == 0) {
            continue;
        }
        if (strcmp(words[0], "end_header") == 0) {
            return format ? ABUT_OK : fail_in_header(reader, "the header has no format");
        }
        if (strcmp(words[0], "format") == 0) {
            status = read_format(reader, words, count);
            format = true;
        } else if (strcmp(words[0], "element") == 0) {
            status = read_element(reader, words, count);
        } else if (strcmp(words[0], "property") == 0) {
            status = read_property(reader, words, count);
        } else {
            status = fail_in_header(reader, "unknown keyword in the header");
        }
        if (status != ABUT_OK) {
            return status;
        }
    }
    return abut_fail(reader->error, ABUT_ERROR_FORMAT, "%s: the file ends before 'end_header'", reader->path);
}

static bool take_binary(ply_reader *reader, ply_type type, double *value) {
    size_t size = type_sizes[type];
    bool big = reader->format == PLY_BIG;
    if ((size_t)(reader->end - reader->next) < size) {
        return false;
    }
    switch (type) {
    case PLY_INT8:
    case PLY_INT16:
    case PLY_INT32:
        *value = (double)bytes_signed(reader->next, size, big);
        break;
    case PLY_FLOAT:
    case PLY_DOUBLE:
        *value = bytes_real(reader->next, size, big);
        break;
    default:
        *value = (double)bytes_unsigned(reader->next, size, big);
    }
    reader->next += size;
    return true;
}

/* Reads the next number; false at the end of the file or when there is no number. */
static bool take_number(ply_reader *reader, ply_type type, double *value) {
    if (reader->format != PLY_TEXT) {
        return take_binary(reader, type, value);
    }
    char *end;
    *value = strtod(reader->next, &end);
    bool number = end != reader->next && (*end == '\0' || isspace((unsigned char)*end));
    reader->next = end;
    return number;
}

static abut_status fail_in_element(const ply_reader *reader, const ply_element *element, uint64_t index, const char *what) {
    return abut_fail(reader->error, ABUT_ERROR_FORMAT, "%s: %s %llu %s", reader->path, element->name, (unsigned long long)index, what);
}

static abut_status read_list(ply_reader *reader, const ply_element *element, uint64_t index, const ply_property *property) {
    double count;
    if (!take_number(reader, property->count_type, &count)) {
        return fail_in_element(reader, element, index, "is truncated or not a number");
    }
    if (!(count >= 0.0) || count > (double)(reader->end - reader->next)) {
        return fail_in_element(reader, element, index, "has a list longer than the file");
    }
    for (uint64_t i = 0; i < (uint64_t)count; i++) {
        double value;
        if (!take_number(reader, property->type, &value)) {
            return fail_in_element(reader, element, index, "is truncated or not a number");
        }
        if (property->role != ROLE_CORNERS) {
            continue;
        }
        if (!(value >= 0.0) || value > INT32_MAX || value != floor(value)) {
            return fail_in_element(reader, element, index, "has a vertex index out of range");
        }
        if (!soup_add_corner(reader->soup, (int32_t)value)) {
            return mesh_no_memory(reader->path, reader->error);
        }
    }
    if (property->role == ROLE_CORNERS && count < 3.0) {
        return fail_in_element(reader, element, index, "has fewer than three corners");
    }
    return ABUT_OK;
}

/* Reads one record: a vertex, a face or another element. */
static abut_status read_record(ply_reader *reader, const ply_element *element, uint64_t index, abut_vec3 *vertex) {
    for (int32_t p = 0; p < element->property_count; p++) {
        const ply_property *property = &element->properties[p];
        if (property->count_type != PLY_NONE) {
            abut_status status = read_list(reader, element, index, property);
            if (status != ABUT_OK) {
                return status;
            }
            continue;
        }
        double value;
        if (!take_number(reader, property->type, &value)) {
            return fail_in_element(reader, element, index, "is truncated or not a number");
        }
        vertex->x = property->role == ROLE_X ? value : vertex->x;
        vertex->y = property->role == ROLE_Y ? value : vertex->y;
        vertex->z = property->role == ROLE_Z ? value : vertex->z;
    }
    return ABUT_OK;
}

/* The least number of bytes of a record. */
static uint64_t least_size(const ply_reader *reader, const ply_element *element) {
    uint64_t size = 0;
    for (int32_t p = 0; p < element->property_count; p++) {
        const ply_property *property = &element->properties[p];
        size += reader->format == PLY_TEXT ? 1 : type_sizes[property->count_type != PLY_NONE ? property->count_type : property->type];
    }
    return size;
}

static abut_status read_records(ply_reader *reader, const ply_element *element) {
    bool vertices = strcmp(element->name, "vertex") == 0, faces = strcmp(element->name, "face") == 0;
    if (vertices && (!has_role(element, ROLE_X) || !has_role(element, ROLE_Y) || !has_role(element, ROLE_Z))) {
        return abut_fail(reader->error, ABUT_ERROR_FORMAT, "%s: element vertex has no properties x, y and z", reader->path);
    }
    if (faces && element->count > 0 && !has_role(element, ROLE_CORNERS)) {
        return abut_fail(reader->error, ABUT_ERROR_FORMAT, "%s: element face has no list vertex_indices", reader->path);
    }
    uint64_t size = least_size(reader, element), left = (uint64_t)(reader->end - reader->next);
    if (size == 0) {
        return ABUT_OK;
    }
    if (element->count > left / size) {
        return abut_fail(reader->error, ABUT_ERROR_FORMAT,
                         "%s: element %s has a count of %llu, which is more than the rest of the file can hold", reader->path,
                         element->name, (unsigned long long)element->count);
    }
    for (uint64_t i = 0; i < element->count; i++) {
        abut_vec3 vertex = {0, 0, 0};
        abut_status status = read_record(reader, element, i, &vertex);
        if (status != ABUT_OK) {
            return status;
        }
        if (vertices && !abut_vec3_is_finite(vertex)) {
            return fail_in_element(reader, element, i, "is not finite");
        }
        if ((vertices && !soup_add_vertex(reader->soup, vertex)) || (faces && !soup_end_face(reader->soup))) {
            return mesh_no_memory(reader->path, reader->error);
        }
    }
    return ABUT_OK;
}

static abut_status check_corners(const ply_reader *reader) {
    const mesh_soup *soup = reader->soup;
    for (int32_t f = 0; f < soup->face_count; f++) {
        for (int32_t c = soup_face_first(soup, f); c < soup->face_ends[f]; c++) {
            if (soup->corners[c] >= soup->vertex_count) {
                return abut_fail(reader->error, ABUT_ERROR_FORMAT, "%s: face %d has vertex index %d, but the file has %d vertices",
                                 reader->path, f, soup->corners[c], soup->vertex_count);
            }
        }
    }
    return ABUT_OK;
}

abut_status mesh_read_ply(const char *path, char *data, size_t length, mesh_soup *soup, abut_error *error) {
    ply_reader reader = {.path = path, .next = data, .end = data + length, .soup = soup, .error = error};
    reader.elements = calloc(MOST_ELEMENTS, sizeof *reader.elements);
    if (!reader.elements) {
        return mesh_no_memory(path, error);
    }
    abut_status status = read_header(&reader);
    for (int32_t e = 0; status == ABUT_OK && e < reader.element_count; e++) {
        status = read_records(&reader, &reader.elements[e]);
    }
    free(reader.elements);
    return status == ABUT_OK ? check_corners(&reader) : status;
}
