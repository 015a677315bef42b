/* Loops of faces; see the header. All functions keep the order of faces and the first corner of each face, as far as these remain. */

#include "shape/build/outline.h"

#include "base/memory.h"

abut_status loops_allocate(loops *made, int32_t face_count, int32_t corner_count) {
    size_t faces = (size_t)face_count, size = (size_t)corner_count;
    *made = (loops){0};
    int32_t *block = memory_allocate(2 * faces + 1 + size, sizeof(int32_t));
    if (block == NULL) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    made->first = block;
    made->origin = block + faces + 1;
    made->vertex = block + 2 * faces + 1;
    return ABUT_OK;
}

void loops_release(loops *made) {
    memory_release(made->first);
    *made = (loops){0};
}

/* Keeps the loop that ends at `end` as the next face, unless it has too few corners. */
static void keep_loop(loops *faces, int32_t *kept, int32_t end, int32_t origin) {
    if (end - faces->first[*kept] >= 3) {
        faces->origin[*kept] = origin;
        faces->first[++*kept] = end;
    }
}

void loops_replace(loops *faces, const int32_t *map) {
    int32_t kept = 0, begin = faces->first[0];
    for (int32_t f = 0; f < faces->face_count; f++) {
        int32_t end = faces->first[f + 1], start = faces->first[kept], place = start;
        for (int32_t c = begin; c < end; c++) {
            int32_t v = map[faces->vertex[c]];
            if (place == start || faces->vertex[place - 1] != v) {
                faces->vertex[place++] = v;
            }
        }
        while (place - start > 1 && faces->vertex[place - 1] == faces->vertex[start]) {
            place--;
        }
        begin = end;
        keep_loop(faces, &kept, place, faces->origin[f]);
    }
    faces->face_count = kept;
}

/* One pass. Returns whether anything was dropped. */
static bool straighten_once(loops *faces, const int32_t *degree) {
    int32_t kept = 0, begin = faces->first[0], before = faces->first[faces->face_count];
    for (int32_t f = 0; f < faces->face_count; f++) {
        int32_t end = faces->first[f + 1], place = faces->first[kept];
        for (int32_t c = begin; c < end; c++) {
            if (degree[faces->vertex[c]] > 2) {
                faces->vertex[place++] = faces->vertex[c];
            }
        }
        begin = end;
        keep_loop(faces, &kept, place, faces->origin[f]);
    }
    faces->face_count = kept;
    return faces->first[kept] < before;
}

void loops_straighten(loops *faces, int32_t vertex_count, int32_t *degree) {
    do {
        for (int32_t v = 0; v < vertex_count; v++) {
            degree[v] = 0;
        }
        for (int32_t c = 0; c < faces->first[faces->face_count]; c++) {
            degree[faces->vertex[c]]++;
        }
    } while (straighten_once(faces, degree));
}

/* The corners on the border between two regions. */
static bool is_border(const corners *map, const int32_t *region, int32_t corner) {
    return region[map->face[corner]] != region[map->face[map->twin[corner]]];
}

abut_status loops_outline(const loops *faces, const corners *map, const int32_t *region, loops *outlines) {
    /* Every loop has a border corner of its own, so there are at most as many loops as corners. */
    abut_status status = loops_allocate(outlines, map->count, map->count);
    bool *done = memory_allocate((size_t)map->count, sizeof *done);
    if (status != ABUT_OK || done == NULL) {
        memory_release(done);
        loops_release(outlines);
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    int32_t place = 0;
    for (int32_t start = 0; start < map->count; start++) {
        if (done[start] || !is_border(map, region, start)) {
            continue;
        }
        int32_t c = start;
        do {
            done[c] = true;
            outlines->vertex[place++] = faces->vertex[c];
            c = map->next[c];
            while (!is_border(map, region, c)) {
                c = map->next[map->twin[c]];
            }
        } while (c != start);
        outlines->origin[outlines->face_count] = region[map->face[start]];
        outlines->first[++outlines->face_count] = place;
    }
    memory_release(done);
    return ABUT_OK;
}
