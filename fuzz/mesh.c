/*
 * Any bytes as a mesh file. The first byte chooses the kind of file and the options for reading.
 */
#include "io/mesh/pieces.h"
#include "io/mesh/trimesh_file.h"

#include <string.h>

#include "files.h"
#include "target.h"

static void check_pieces(const abut_mesh_pieces *pieces, const abut_mesh_options *options) {
    FUZZ_REQUIRE(pieces->count >= 1 && (!options->whole || pieces->count == 1), "%d pieces", (int)pieces->count);
    for (int32_t i = 0; i < pieces->count; i++) {
        const abut_mesh_piece *piece = &pieces->pieces[i];
        FUZZ_REQUIRE(abut_shape_kind(piece->shape) == ABUT_SHAPE_POLYTOPE && piece->dent >= 0.0, "piece %d", (int)i);
        FUZZ_REQUIRE(abut_vec3_is_finite(piece->offset), "piece %d", (int)i);
        enum { MOST_NAMES = 50 };
        for (int32_t k = 0; k < i && i < MOST_NAMES; k++) {
            FUZZ_REQUIRE(strcmp(piece->name, pieces->pieces[k].name) != 0, "pieces %d and %d are both '%s'", (int)k, (int)i, piece->name);
        }
    }
}

static void check_refusal(abut_status status, const abut_error *error) {
    FUZZ_REQUIRE(status == ABUT_ERROR_FILE || status == ABUT_ERROR_FORMAT || status == ABUT_ERROR_NOT_CONVEX ||
                     status == ABUT_ERROR_NOT_CLOSED || status == ABUT_ERROR_NOT_OUTWARD || status == ABUT_ERROR_DEGENERATE ||
                     status == ABUT_ERROR_UNSUPPORTED,
                 "%s: %s", abut_status_name(status), error->message);
    FUZZ_REQUIRE(error->status == status && strchr(error->message, ':') != NULL && strpbrk(error->message, "\n\r\t") == NULL, "%s",
                 error->message);
}

/* Reads the same file as one surface. */
static void check_surface(const char *path, bool mirrored) {
    abut_trimesh_options options = abut_trimesh_options_default();
    options.scale = mirrored ? abut_vec3_make(-1e-3, 2.0, 0.5) : options.scale;
    abut_trimesh_report report;
    abut_shape *shape = NULL;
    abut_error error = {.status = ABUT_OK};
    abut_status status = abut_trimesh_load(path, &options, &report, &shape, &error);
    FUZZ_REQUIRE((status == ABUT_OK) == (shape != NULL), "%s", abut_status_name(status));
    if (status == ABUT_OK) {
        FUZZ_REQUIRE(abut_shape_kind(shape) == ABUT_SHAPE_TRIMESH && abut_shape_triangle_count(shape) > 0 && report.culprit == -1,
                     "%d triangles", (int)abut_shape_triangle_count(shape));
    } else {
        check_refusal(status, &error);
    }
    abut_shape_release(shape);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const paths[] = {"m.obj", "m.stl", "m.ply", "m.gltf", "m.glb"};
    if (size == 0) {
        return 0;
    }
    int how = data[0];
    const char *path = paths[how % 5];
    abut_mesh_options options = abut_mesh_options_default();
    options.hull = how / 5 % 2 == 1;
    options.whole = how / 10 % 2 == 1;
    options.centred = how / 20 % 2 == 1;
    options.scale = how / 40 % 2 == 1 ? 1e-3 : 1.0;
    /* A glTF buffer may lie in a separate file, which here holds the same bytes. */
    fuzz_file files[] = {{path, data + 1, size - 1}, {"b.bin", data + 1, size - 1}};
    files_set(files, 2);
    abut_mesh_pieces *pieces = NULL;
    abut_error error = {.status = ABUT_OK};
    abut_status status = abut_mesh_load(path, &options, &pieces, &error);
    FUZZ_REQUIRE((status == ABUT_OK) == (pieces != NULL), "%s", abut_status_name(status));
    if (status == ABUT_OK) {
        check_pieces(pieces, &options);
    } else {
        check_refusal(status, &error);
    }
    abut_mesh_destroy(pieces);
    check_surface(path, how / 40 % 2 == 1);
    files_set(NULL, 0);
    return 0;
}
