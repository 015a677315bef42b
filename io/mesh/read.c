/*
 * Reads a mesh file by the ending of its name.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "io/file/c_locale.h"
#include "io/file/ending.h"
#include "io/file/file.h"
#include "io/mesh/pieces.h"
#include "io/mesh/soup.h"

typedef abut_status mesh_reader(const char *path, char *data, size_t length, mesh_soup *soup, abut_error *error);

static mesh_reader *find_reader(const char *path) {
    static const struct {
        const char *ending;
        mesh_reader *read;
    } readers[] = {
        {".obj", mesh_read_obj}, {".stl", mesh_read_stl}, {".ply", mesh_read_ply}, {".gltf", mesh_read_gltf}, {".glb", mesh_read_gltf}};
    for (size_t i = 0; i < sizeof readers / sizeof readers[0]; i++) {
        if (file_has_ending(path, readers[i].ending)) {
            return readers[i].read;
        }
    }
    return NULL;
}

/* The standard input has no name: its first bytes tell the kind. A binary STL file has 50 bytes for each triangle behind 84 others. */
static mesh_reader *guess_reader(const char *data, size_t length) {
    size_t blank = strspn(data, " \t\r\n");
    uint32_t triangles = 0;
    for (size_t i = 0; length >= 84 && i < 4; i++) {
        triangles |= (uint32_t)(unsigned char)data[80 + i] << (8 * i);
    }
    bool binary_stl = length >= 84 && length - 84 == 50 * (size_t)triangles;
    return binary_stl || strncmp(data, "solid", 5) == 0          ? mesh_read_stl
           : strncmp(data, "ply", 3) == 0                        ? mesh_read_ply
           : strncmp(data, "glTF", 4) == 0 || data[blank] == '{' ? mesh_read_gltf
                                                                 : mesh_read_obj;
}

/* Runs the reader in the "C" locale, for strtod(). */
static abut_status read_in_c_locale(mesh_reader *read, const char *path, char *data, size_t length, mesh_soup *soup, abut_error *error) {
    c_locale locale;
    if (!c_locale_enter(&locale)) {
        return mesh_no_memory(path, error);
    }
    abut_status status = read(path, data, length, soup, error);
    c_locale_leave(&locale);
    return status;
}

abut_status mesh_read_file(const char *path, mesh_soup *soup, abut_error *error) {
    bool standard = strcmp(path, "-") == 0;
    mesh_reader *read = standard ? NULL : find_reader(path);
    if (!read && !standard) {
        return abut_fail(error, ABUT_ERROR_FORMAT, "%s: unknown kind of mesh file; use .obj, .stl, .ply, .gltf or .glb", path);
    }
    char *data = NULL;
    size_t length = 0;
    abut_status status = file_read(path, ABUT_MESH_MAX_BYTES, &data, &length, error);
    if (status != ABUT_OK) {
        return status;
    }
    read = standard ? guess_reader(data, length) : read;
    *soup = (mesh_soup){0};
    status = read_in_c_locale(read, file_label(path), data, length, soup, error);
    free(data);
    if (status == ABUT_OK && soup->vertex_count == 0) {
        status = abut_fail(error, ABUT_ERROR_FORMAT, "%s: the file has no vertices", file_label(path));
    }
    if (status != ABUT_OK) {
        soup_release(soup);
    }
    return status;
}
