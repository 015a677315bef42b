/*
 * Writes VTK's XML format for unstructured grids: text that declares the arrays and their offsets, then the arrays as bytes, each with its length before it.
 * Format: "VTK File Formats", "XML File Formats", raw appended data. The sizes are known in advance, so the file is written from front to back. The bytes come
 * in the reverse order of the declarations: meshio replaces offsets while it searches for others, and of two equal offsets it finds the right one only if that
 * is declared first.
 */
#include "io/tet/vtu.h"

#include <string.h>

#include "io/file/output.h"

enum { VTK_TETRA = 10, CHUNK = 4096 };

static const struct {
    const char *name;
    size_t size;
} types[] = {[ABUT_VTU_DOUBLE] = {"Float64", 8}, [ABUT_VTU_INT32] = {"Int32", 4}, [ABUT_VTU_INT64] = {"Int64", 8}};

typedef struct vtu_writer {
    const abut_tetra_mesh *meshes;
    int32_t mesh_count;
    const abut_vtu_array *arrays;
    int32_t array_count;
    uint64_t points, cells; /* of all meshes */
    uint64_t offset;        /* offset of the array that was declared last; at first the end of all bytes */
    output_file *file;
    abut_status status; /* the first failure; later writes do nothing */
    abut_error *error;
} vtu_writer;

static void put(vtu_writer *writer, const void *bytes, size_t size) {
    if (writer->status == ABUT_OK) {
        writer->status = output_write(writer->file, bytes, size, writer->error);
    }
}

static void put_text(vtu_writer *writer, const char *text) { put(writer, text, strlen(text)); }

/* Writes text with the escapes that XML needs between quotes. */
static void put_escaped(vtu_writer *writer, const char *text) {
    for (; *text != '\0'; text++) {
        switch (*text) {
        case '&':
            put_text(writer, "&amp;");
            break;
        case '<':
            put_text(writer, "&lt;");
            break;
        case '"':
            put_text(writer, "&quot;");
            break;
        default:
            put(writer, text, 1);
        }
    }
}

/* Declares an array of `size` bytes, which lie before those of the array declared last. */
static void declare(vtu_writer *writer, const char *type, const char *name, int32_t components, uint64_t size) {
    writer->offset -= sizeof size + size;
    put_text(writer, "        <DataArray type=\"");
    put_text(writer, type);
    put_text(writer, "\" Name=\"");
    put_escaped(writer, name);
    if (writer->status == ABUT_OK && components > 1) {
        writer->status = output_print(writer->file, writer->error, "\" NumberOfComponents=\"%d", (int)components);
    }
    if (writer->status == ABUT_OK) {
        writer->status =
            output_print(writer->file, writer->error, "\" format=\"appended\" offset=\"%llu\"/>\n", (unsigned long long)writer->offset);
    }
}

/* Number of values of an array in one mesh, and in all meshes. */
static size_t number_count(const abut_vtu_array *array, const abut_tetra_mesh *mesh) {
    size_t things = (size_t)(array->place == ABUT_VTU_CELLS ? mesh->element_count : mesh->vertex_count);
    return things * (size_t)array->components;
}

static uint64_t array_size(const vtu_writer *writer, const abut_vtu_array *array) {
    uint64_t things = array->place == ABUT_VTU_CELLS ? writer->cells : writer->points;
    return things * (uint64_t)array->components * types[array->type].size;
}

/* Size of points, corners of cells, ends of cells and types, each with its length, and of the arrays. */
static uint64_t bytes_of_all(const vtu_writer *writer) {
    uint64_t size = writer->points * sizeof(abut_vec3) + writer->cells * (5 * sizeof(int64_t) + 1) + 4 * sizeof size;
    for (int32_t i = 0; i < writer->array_count; i++) {
        size += array_size(writer, &writer->arrays[i]) + sizeof size;
    }
    return size;
}

static void declare_arrays(vtu_writer *writer, abut_vtu_place place, const char *section) {
    put_text(writer, "      <");
    put_text(writer, section);
    put_text(writer, ">\n");
    for (int32_t i = 0; i < writer->array_count; i++) {
        const abut_vtu_array *array = &writer->arrays[i];
        if (array->place == place) {
            declare(writer, types[array->type].name, array->name, array->components, array_size(writer, array));
        }
    }
    put_text(writer, "      </");
    put_text(writer, section);
    put_text(writer, ">\n");
}

static void write_head(vtu_writer *writer) {
    const uint16_t one = 1;
    bool little = *(const unsigned char *)&one == 1;
    writer->status =
        output_print(writer->file, writer->error,
                     "<?xml version=\"1.0\"?>\n"
                     "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"%s\" header_type=\"UInt64\">\n"
                     "  <UnstructuredGrid>\n"
                     "    <Piece NumberOfPoints=\"%llu\" NumberOfCells=\"%llu\">\n",
                     little ? "LittleEndian" : "BigEndian", (unsigned long long)writer->points, (unsigned long long)writer->cells);
    writer->offset = bytes_of_all(writer);
    put_text(writer, "      <Points>\n");
    declare(writer, "Float64", "Points", 3, writer->points * sizeof(abut_vec3));
    put_text(writer, "      </Points>\n      <Cells>\n");
    declare(writer, "Int64", "connectivity", 1, writer->cells * 4 * sizeof(int64_t));
    declare(writer, "Int64", "offsets", 1, writer->cells * sizeof(int64_t));
    declare(writer, "UInt8", "types", 1, writer->cells);
    put_text(writer, "      </Cells>\n");
    declare_arrays(writer, ABUT_VTU_POINTS, "PointData");
    declare_arrays(writer, ABUT_VTU_CELLS, "CellData");
    put_text(writer, "    </Piece>\n  </UnstructuredGrid>\n  <AppendedData encoding=\"raw\">\n_");
}

static void put_size(vtu_writer *writer, uint64_t size) { put(writer, &size, sizeof size); }

static void write_points(vtu_writer *writer) {
    _Static_assert(sizeof(abut_vec3) == 3 * sizeof(double), "vertices are written as they lie in memory");
    put_size(writer, writer->points * sizeof(abut_vec3));
    for (int32_t m = 0; m < writer->mesh_count; m++) {
        put(writer, writer->meshes[m].vertices, (size_t)writer->meshes[m].vertex_count * sizeof(abut_vec3));
    }
}

/* Indices of a later mesh are shifted by the number of vertices before it. */
static void write_corners(vtu_writer *writer) {
    int64_t chunk[CHUNK], first = 0;
    put_size(writer, writer->cells * 4 * sizeof *chunk);
    for (int32_t m = 0; m < writer->mesh_count; m++) {
        const abut_tetra_mesh *mesh = &writer->meshes[m];
        size_t count = 4 * (size_t)mesh->element_count, used = 0;
        for (size_t i = 0; i < count; i++) {
            chunk[used++] = first + mesh->elements[i];
            if (used == CHUNK || i + 1 == count) {
                put(writer, chunk, used * sizeof *chunk);
                used = 0;
            }
        }
        first += mesh->vertex_count;
    }
}

static void write_types_and_ends(vtu_writer *writer) {
    put_size(writer, writer->cells);
    for (uint64_t c = 0; c < writer->cells && writer->status == ABUT_OK; c++) {
        put(writer, &(unsigned char){VTK_TETRA}, 1);
    }
    put_size(writer, writer->cells * sizeof(int64_t));
    for (uint64_t c = 0; c < writer->cells && writer->status == ABUT_OK; c++) {
        int64_t end = 4 * (int64_t)(c + 1);
        put(writer, &end, sizeof end);
    }
}

static void put_zeros(vtu_writer *writer, size_t size) {
    static const char zeros[CHUNK];
    while (size > 0 && writer->status == ABUT_OK) {
        size_t part = size < sizeof zeros ? size : sizeof zeros;
        put(writer, zeros, part);
        size -= part;
    }
}

static void write_arrays(vtu_writer *writer, abut_vtu_place place) {
    for (int32_t i = writer->array_count - 1; i >= 0; i--) {
        const abut_vtu_array *array = &writer->arrays[i];
        if (array->place != place) {
            continue;
        }
        put_size(writer, array_size(writer, array));
        for (int32_t m = 0; m < writer->mesh_count; m++) {
            size_t size = number_count(array, &writer->meshes[m]) * types[array->type].size;
            if (array->values[m]) {
                put(writer, array->values[m], size);
            } else {
                put_zeros(writer, size);
            }
        }
    }
}

static bool is_right_mesh(const abut_tetra_mesh *mesh) {
    if (mesh->vertex_count < 0 || mesh->element_count < 0 || (mesh->vertex_count > 0 && !mesh->vertices) ||
        (mesh->element_count > 0 && !mesh->elements)) {
        return false;
    }
    for (size_t i = 0; i < 4 * (size_t)mesh->element_count; i++) {
        if (mesh->elements[i] < 0 || mesh->elements[i] >= mesh->vertex_count) {
            return false;
        }
    }
    return true;
}

static bool is_right_name(const char *name) {
    for (const char *c = name; *c != '\0'; c++) {
        if ((unsigned char)*c < 0x20 || *c == 0x7f) {
            return false;
        }
    }
    return *name != '\0';
}

static bool is_right_array(const vtu_writer *writer, int32_t index) {
    const abut_vtu_array *array = &writer->arrays[index];
    if (!array->name || !is_right_name(array->name) || !array->values || array->components < 1 ||
        (unsigned)array->place > ABUT_VTU_POINTS || (unsigned)array->type > ABUT_VTU_INT64) {
        return false;
    }
    for (int32_t i = 0; i < index; i++) {
        if (writer->arrays[i].place == array->place && strcmp(writer->arrays[i].name, array->name) == 0) {
            return false;
        }
    }
    return true;
}

/* Checks the arguments and counts points and cells. */
static abut_status check(vtu_writer *writer) {
    for (int32_t m = 0; m < writer->mesh_count; m++) {
        if (!is_right_mesh(&writer->meshes[m])) {
            return abut_fail(writer->error, ABUT_ERROR_INVALID_ARGUMENT, "mesh %d has counts or indices out of range", (int)m);
        }
        writer->points += (uint64_t)writer->meshes[m].vertex_count;
        writer->cells += (uint64_t)writer->meshes[m].element_count;
    }
    if (writer->points > INT32_MAX) {
        return abut_fail(writer->error, ABUT_ERROR_INVALID_ARGUMENT, "more than 2^31 - 1 vertices");
    }
    for (int32_t i = 0; i < writer->array_count; i++) {
        if (!is_right_array(writer, i)) {
            return abut_fail(writer->error, ABUT_ERROR_INVALID_ARGUMENT,
                             "array %d needs a name of its own, a type, a place, components and values", (int)i);
        }
    }
    return ABUT_OK;
}

abut_status abut_vtu_write(const char *path, const abut_tetra_mesh *meshes, int32_t mesh_count, const abut_vtu_array *arrays,
                           int32_t array_count, abut_error *error) {
    if (!path || !meshes || mesh_count < 1 || array_count < 0 || (array_count > 0 && !arrays)) {
        return abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT, "a path, meshes and arrays are needed");
    }
    vtu_writer writer = {.meshes = meshes, .mesh_count = mesh_count, .arrays = arrays, .array_count = array_count, .error = error};
    abut_status status = check(&writer);
    if (status == ABUT_OK) {
        status = output_open(path, OUTPUT_STREAM, &writer.file, error);
    }
    if (status != ABUT_OK) {
        return status;
    }
    write_head(&writer);
    write_arrays(&writer, ABUT_VTU_CELLS);
    write_arrays(&writer, ABUT_VTU_POINTS);
    write_types_and_ends(&writer);
    write_corners(&writer);
    write_points(&writer);
    put_text(&writer, "\n  </AppendedData>\n</VTKFile>\n");
    if (writer.status != ABUT_OK) {
        output_discard(writer.file);
        return writer.status;
    }
    return output_commit(writer.file, error);
}
