/*
 * A program for test_tetfile.py. tet_dump FILE [OUT.vtu] prints the tetrahedra of a file with numbers to the last bit, and writes them as a .vtu file: the mesh
 * twice, the second time mirrored, with arrays of every type.
 */
#include <stdio.h>
#include <stdlib.h>

#include "io/tet/read.h"
#include "io/tet/vtu.h"

static void print_file(const abut_tetfile *file) {
    printf("counts %d %d %d %d %lld %lld\n", (int)file->vertex_count, (int)file->element_count, (int)file->inverted_count,
           (int)file->flat_count, (long long)file->unused_count, (long long)file->other_count);
    for (int32_t v = 0; v < file->vertex_count; v++) {
        printf("%lld %a %a %a\n", (long long)file->vertex_tags[v], file->vertices[v].x, file->vertices[v].y, file->vertices[v].z);
    }
    for (int32_t e = 0; e < file->element_count; e++) {
        const int32_t *corners = &file->elements[4 * (size_t)e];
        printf("%lld %d %d %d %d %d\n", (long long)file->element_tags[e], (int)corners[0], (int)corners[1], (int)corners[2],
               (int)corners[3], file->regions ? (int)file->regions[e] : -1);
    }
}

/* The arrays: elements have their number, and 1 / (1 + number) for the first mesh only; vertices have their mirrored positions. */
static abut_status write_twice(const abut_tetfile *file, const char *path, abut_error *error) {
    size_t vertices = (size_t)file->vertex_count, elements = (size_t)file->element_count;
    abut_vec3 *mirrored = malloc(vertices * sizeof *mirrored);
    int32_t *bodies = malloc(2 * elements * sizeof *bodies);
    double *shares = malloc(elements * sizeof *shares);
    abut_status status = ABUT_ERROR_OUT_OF_MEMORY;
    if (mirrored && bodies && shares) {
        for (size_t v = 0; v < vertices; v++) {
            mirrored[v] = abut_vec3_make(-file->vertices[v].x, file->vertices[v].y, file->vertices[v].z);
        }
        for (size_t e = 0; e < elements; e++) {
            bodies[e] = 0;
            bodies[elements + e] = 1;
            shares[e] = 1.0 / (1.0 + (double)e);
        }
        abut_tetra_mesh meshes[2] = {abut_tetfile_mesh(file), abut_tetfile_mesh(file)};
        meshes[1].vertices = mirrored;
        abut_vtu_array arrays[] = {{"tag", ABUT_VTU_CELLS, ABUT_VTU_INT64, 1, (const void *[]){file->element_tags, file->element_tags}},
                                   {"body", ABUT_VTU_CELLS, ABUT_VTU_INT32, 1, (const void *[]){bodies, bodies + elements}},
                                   {"share <&>", ABUT_VTU_CELLS, ABUT_VTU_DOUBLE, 1, (const void *[]){shares, NULL}},
                                   {"mirrored", ABUT_VTU_POINTS, ABUT_VTU_DOUBLE, 3, (const void *[]){mirrored, file->vertices}}};
        status = abut_vtu_write(path, meshes, 2, arrays, 4, error);
    }
    free(mirrored);
    free(bodies);
    free(shares);
    return status;
}

int main(int count, char **arguments) {
    abut_tetfile *file = NULL;
    abut_error error = {.status = ABUT_OK};
    abut_status status = count < 2 ? ABUT_ERROR_INVALID_ARGUMENT : abut_tetfile_load(arguments[1], &file, &error);
    if (status == ABUT_OK && count > 2) {
        status = write_twice(file, arguments[2], &error);
    }
    if (status != ABUT_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    print_file(file);
    abut_tetfile_destroy(file);
    return 0;
}
