/* The neighbours of the triangles of a closed mesh, and its connected pieces. */

#include "shape/closed/sides.h"

#include "base/memory.h"

/* Marks the triangles that are connected to one. stack: [triangle_count] scratch. */
static void flood(const trimesh *mesh, int32_t start, bool *seen, int32_t *stack) {
    int32_t height = 0;
    seen[start] = true;
    stack[height++] = start;
    while (height > 0) {
        int32_t t = stack[--height];
        for (int32_t k = 0; k < 3; k++) {
            int32_t next = mesh->twin[3 * t + k] / 3;
            if (!seen[next]) {
                seen[next] = true;
                stack[height++] = next;
            }
        }
    }
}

/* Counts the pieces, and lists them where mesh->piece is there. */
static void find_pieces(trimesh *mesh, bool *seen, int32_t *stack) {
    mesh->piece_count = 0;
    for (int32_t t = 0; t < mesh->triangle_count; t++) {
        if (!seen[t]) {
            stack[mesh->triangle_count + mesh->piece_count++] = t;
            flood(mesh, t, seen, stack);
        }
    }
}

bool mesh_sides_keep(trimesh *mesh, const corners *map) {
    size_t triangles = (size_t)mesh->triangle_count;
    bool *seen = memory_allocate(triangles, sizeof *seen);
    int32_t *stack = memory_allocate(2 * triangles, sizeof *stack);
    mesh->twin = memory_allocate(3 * triangles, sizeof *mesh->twin);
    bool done = seen != NULL && stack != NULL && mesh->twin != NULL;
    for (size_t c = 0; done && c < 3 * triangles; c++) {
        mesh->twin[c] = map->twin[c];
    }
    if (done) {
        find_pieces(mesh, seen, stack);
        mesh->piece = memory_allocate((size_t)mesh->piece_count, sizeof *mesh->piece);
        done = mesh->piece != NULL;
    }
    for (int32_t i = 0; done && i < mesh->piece_count; i++) {
        mesh->piece[i] = stack[mesh->triangle_count + i];
    }
    memory_release(seen);
    memory_release(stack);
    return done;
}

void mesh_sides_forget(trimesh *mesh) {
    memory_release(mesh->twin);
    memory_release(mesh->piece);
    mesh->twin = mesh->piece = NULL;
    mesh->piece_count = 0;
}
