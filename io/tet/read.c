/*
 * Reads a file of tetrahedra by the ending of its name.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "io/file/c_locale.h"
#include "io/file/ending.h"
#include "io/file/file.h"
#include "io/tet/draft.h"

typedef abut_status tet_reader(const char *path, const char *data, size_t length, tet_draft *draft, abut_error *error);

static tet_reader *find_reader(const char *path) {
    static const struct {
        const char *ending;
        tet_reader *read;
    } readers[] = {{".msh", tet_read_msh}, {".node", tet_read_tetgen}, {".ele", tet_read_tetgen}, {".vtk", tet_read_vtk},
                   {".vtu", tet_read_vtu}, {".mesh", tet_read_medit},  {".inp", tet_read_abaqus}};
    for (size_t i = 0; i < sizeof readers / sizeof readers[0]; i++) {
        if (file_has_ending(path, readers[i].ending)) {
            return readers[i].read;
        }
    }
    return NULL;
}

/* The standard input has no name: its first bytes tell the kind. A mesh of TetGen's is two files, and cannot come from there. */
static tet_reader *guess_reader(const char *data) {
    if (strncmp(data, "# vtk", 5) == 0) {
        return tet_read_vtk;
    }
    if (data[strspn(data, " \t\r\n")] == '*') {
        return tet_read_abaqus;
    }
    if (strncmp(data, "<?xml", 5) == 0 || strncmp(data, "<VTKFile", 8) == 0) {
        return tet_read_vtu;
    }
    return strstr(data, "$MeshFormat") ? tet_read_msh : strstr(data, "MeshVersionFormatted") ? tet_read_medit : NULL;
}

/* Runs the reader in the "C" locale, for strtod(). */
static abut_status read_in_c_locale(tet_reader *read, const char *path, const char *data, size_t length, abut_tetfile **file,
                                    abut_error *error) {
    c_locale locale;
    if (!c_locale_enter(&locale)) {
        return abut_fail(error, ABUT_ERROR_OUT_OF_MEMORY, "%s: no memory for its contents", path);
    }
    tet_draft draft = {0};
    abut_status status = read(path, data, length, &draft, error);
    c_locale_leave(&locale);
    if (status == ABUT_OK) {
        status = draft_finish(&draft, path, file, error);
    }
    draft_release(&draft);
    return status;
}

abut_status abut_tetfile_load(const char *path, abut_tetfile **file, abut_error *error) {
    if (!path || !file) {
        return abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT, "a path and a place for the mesh are needed");
    }
    bool standard = strcmp(path, "-") == 0;
    tet_reader *read = standard ? NULL : find_reader(path);
    if (!read && !standard) {
        return abut_fail(error, ABUT_ERROR_FORMAT,
                         "%s: unknown kind of file of tetrahedra; use .msh, .node, .ele, .vtk, .vtu, .mesh or .inp", path);
    }
    char *data = NULL;
    size_t length = 0;
    abut_status status = file_read(path, ABUT_TETFILE_MAX_BYTES, &data, &length, error);
    read = status == ABUT_OK && standard ? guess_reader(data) : read;
    if (status == ABUT_OK && !read) {
        status = abut_fail(error, ABUT_ERROR_FORMAT,
                           "<stdin>: unknown kind of file of tetrahedra; the standard input may be a .msh, .vtk, .vtu, .mesh or .inp file");
    }
    if (status == ABUT_OK) {
        status = read_in_c_locale(read, file_label(path), data, length, file, error);
    }
    free(data);
    return status;
}

void abut_tetfile_destroy(abut_tetfile *file) {
    if (!file) {
        return;
    }
    free(file->vertices);
    free(file->vertex_tags);
    free(file->elements);
    free(file->element_tags);
    free(file->regions);
    free(file);
}
