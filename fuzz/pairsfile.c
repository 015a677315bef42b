/*
 * Any bytes as a table of pairs of tetrahedra.
 */
#include "io/tet/pairs_file.h"

#include <string.h>

#include "files.h"
#include "target.h"

static void check_pairs(const abut_pairsfile *file) {
    FUZZ_REQUIRE(file->count >= 1 && file->lines != NULL, "%d rows", (int)file->count);
    FUZZ_REQUIRE((file->elements != NULL) != (file->corners != NULL), "rows of one kind");
    for (int32_t i = 0; i < file->count; i++) {
        FUZZ_REQUIRE(file->lines[i] > (i > 0 ? file->lines[i - 1] : 0), "row %d is in line %d", (int)i, (int)file->lines[i]);
        for (int v = 0; v < 8 && file->corners; v++) {
            FUZZ_REQUIRE(abut_vec3_is_finite(file->corners[8 * (int64_t)i + v]), "row %d, corner %d", (int)i, v);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_file files[] = {{"pairs.csv", data, size}};
    files_set(files, 1);
    abut_pairsfile *file = NULL;
    abut_error error = {.status = ABUT_OK};
    abut_status status = abut_pairsfile_load("pairs.csv", &file, &error);
    FUZZ_REQUIRE((status == ABUT_OK) == (file != NULL), "%s", abut_status_name(status));
    if (fuzz_describes()) {
        printf("%s\n", status == ABUT_OK ? "read" : error.message);
    }
    if (status == ABUT_OK) {
        check_pairs(file);
    } else {
        FUZZ_REQUIRE(status == ABUT_ERROR_FORMAT && error.status == status && strchr(error.message, ':') != NULL &&
                         strpbrk(error.message, "\n\r\t") == NULL,
                     "%s: %s", abut_status_name(status), error.message);
    }
    abut_pairsfile_destroy(file);
    files_set(NULL, 0);
    return 0;
}
