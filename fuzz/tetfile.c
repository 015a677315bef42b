/*
 * Any bytes as a file of tetrahedra. The first byte, a digit from 0, chooses the kind of file. For TetGen, which has two files, the second begins after the
 * first '@'.
 */
#include "io/tet/read.h"

#include <math.h>
#include <string.h>

#include "files.h"
#include "target.h"

static void check_mesh(const abut_tetfile *file) {
    FUZZ_REQUIRE(file->element_count >= 1 && file->vertex_count >= 1, "%d elements, %d vertices", (int)file->element_count,
                 (int)file->vertex_count);
    FUZZ_REQUIRE(file->inverted_count >= 0 && file->flat_count >= 0 && file->inverted_count + file->flat_count <= file->element_count,
                 "%d inverted, %d flat", (int)file->inverted_count, (int)file->flat_count);
    FUZZ_REQUIRE(file->unused_count >= 0 && file->other_count >= 0, "%lld unused", (long long)file->unused_count);
    int32_t used = 0, *seen = calloc((size_t)file->vertex_count, sizeof *seen);
    for (int32_t i = 0; seen && i < 4 * file->element_count; i++) {
        int32_t corner = file->elements[i];
        FUZZ_REQUIRE(corner >= 0 && corner < file->vertex_count, "corner %d is %d", (int)i, (int)corner);
        used += seen[corner]++ == 0;
    }
    FUZZ_REQUIRE(!seen || used == file->vertex_count, "%d of %d vertices are used", (int)used, (int)file->vertex_count);
    free(seen);
    enum { MOST_TAGS = 50 };
    for (int32_t v = 0; v < file->vertex_count; v++) {
        FUZZ_REQUIRE(abut_vec3_is_finite(file->vertices[v]), "vertex %d", (int)v);
        for (int32_t w = 0; w < v && w < MOST_TAGS; w++) {
            FUZZ_REQUIRE(file->vertex_tags[v] != file->vertex_tags[w], "vertices %d and %d have the same number", (int)v, (int)w);
        }
    }
}

static void check_refusal(abut_status status, const abut_error *error) {
    FUZZ_REQUIRE(status == ABUT_ERROR_FORMAT, "%s: %s", abut_status_name(status), error->message);
    FUZZ_REQUIRE(error->status == status && strchr(error->message, ':') != NULL && strpbrk(error->message, "\n\r\t") == NULL, "%s",
                 error->message);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const paths[] = {"m.msh", "m.vtk", "m.node", "m.ele", "m.mesh", "m.inp", "m.vtu"};
    enum { KINDS = sizeof paths / sizeof paths[0], NODE = 2, ELE = 3 };
    if (size == 0) {
        return 0;
    }
    int kind = (uint8_t)(data[0] - '0') % KINDS;
    const char *path = paths[kind];
    const uint8_t *bytes = data + 1, *second = memchr(bytes, '@', size - 1);
    fuzz_file files[] = {{path, bytes, size - 1}, {"", NULL, 0}};
    if (kind == NODE || kind == ELE) {
        size_t first = second ? (size_t)(second - bytes) : size - 1;
        files[0] = (fuzz_file){"m.node", bytes, first};
        files[1] = (fuzz_file){"m.ele", second ? second + 1 : bytes, second ? size - 2 - first : 0};
    }
    files_set(files, 2);
    abut_tetfile *file = NULL;
    abut_error error = {.status = ABUT_OK};
    abut_status status = abut_tetfile_load(path, &file, &error);
    FUZZ_REQUIRE((status == ABUT_OK) == (file != NULL), "%s", abut_status_name(status));
    if (fuzz_describes()) {
        printf("%s: %s\n", path, status == ABUT_OK ? "read" : error.message);
    }
    if (status == ABUT_OK) {
        check_mesh(file);
    } else {
        check_refusal(status, &error);
    }
    abut_tetfile_destroy(file);
    files_set(NULL, 0);
    return 0;
}
