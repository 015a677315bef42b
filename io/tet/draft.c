/*
 * Collects a tetrahedral mesh while its file is read, and makes the result.
 */
#include "io/tet/draft.h"

#include <math.h>
#include <stdlib.h>

#include "io/file/grow.h"

/* abut/tetra_mesh.h counts corners in 32 bits. */
enum { MOST_ELEMENTS = (1 << 29) - 1 };

void draft_add_vertex(tet_draft *draft, tet_cursor *cursor, int64_t tag, abut_vec3 position) {
    if (cursor->status != ABUT_OK) {
        return;
    }
    if (!grow_array(&draft->vertices, &draft->vertex_capacity, (size_t)draft->vertex_count + 1, INT32_MAX, sizeof *draft->vertices)) {
        cursor_no_memory(cursor);
        return;
    }
    draft->vertices[draft->vertex_count++] = (tet_vertex){tag, position};
}

void draft_add_element(tet_draft *draft, tet_cursor *cursor, const tet_element *element) {
    if (cursor->status != ABUT_OK) {
        return;
    }
    if (!grow_array(&draft->elements, &draft->element_capacity, (size_t)draft->element_count + 1, MOST_ELEMENTS, sizeof *draft->elements)) {
        cursor_no_memory(cursor);
        return;
    }
    draft->elements[draft->element_count++] = *element;
}

void draft_skip_cells(tet_draft *draft, cell_kind kind, int64_t count) { draft->others[kind] += count; }

void draft_end_vertices(tet_draft *draft, tet_cursor *cursor) {
    if (cursor->status != ABUT_OK || draft->mapped) {
        return;
    }
    int64_t tag;
    if (!tag_map_make(draft->vertices, draft->vertex_count, sizeof *draft->vertices, &draft->map)) {
        cursor_no_memory(cursor);
    } else if (tag_map_find_twice(&draft->map, &tag)) {
        cursor_fail(cursor, "two nodes before this line have the number %lld", (long long)tag);
    }
    draft->mapped = true;
}

int32_t draft_find_vertex(const tet_draft *draft, tet_cursor *cursor, int64_t tag, const char *what, int64_t element) {
    int32_t vertex = cursor->status == ABUT_OK ? tag_map_find(&draft->map, tag) : 0;
    if (vertex < 0) {
        cursor_fail(cursor, "%s %lld refers to node %lld, which does not exist", what, (long long)element, (long long)tag);
    }
    return vertex < 0 ? 0 : vertex;
}

/* The three edges from corner 0, times a factor. Returns the largest absolute coordinate. */
static double scaled_edges(const tet_draft *draft, const tet_element *element, double factor, double edges[3][3]) {
    double largest = 0.0;
    abut_vec3 from = abut_scale(factor, draft->vertices[element->corners[0]].position);
    for (int i = 0; i < 3; i++) {
        abut_vec3 edge = abut_sub(abut_scale(factor, draft->vertices[element->corners[i + 1]].position), from);
        edges[i][0] = edge.x;
        edges[i][1] = edge.y;
        edges[i][2] = edge.z;
        largest = fmax(largest, fmax(fabs(edge.x), fmax(fabs(edge.y), fabs(edge.z))));
    }
    return largest;
}

/* The edges, divided by a power of two so that coordinates are at most 1. Their products neither overflow nor underflow. */
static void take_edges(const tet_draft *draft, const tet_element *element, double edges[3][3]) {
    double largest = scaled_edges(draft, element, 1.0, edges);
    if (!isfinite(largest)) {
        largest = scaled_edges(draft, element, 0.5, edges);
    }
    int exponent;
    (void)frexp(largest, &exponent);
    for (int i = 0; i < 9; i++) {
        edges[i / 3][i % 3] = ldexp(edges[i / 3][i % 3], -exponent);
    }
}

/* -1 inside out, 0 flat within rounding error, 1 otherwise. */
static int orientation(const tet_draft *draft, const tet_element *element) {
    double e[3][3];
    take_edges(draft, element, e);
    double volume = 0.0, terms = 0.0;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        volume += e[0][i] * (e[1][j] * e[2][k] - e[1][k] * e[2][j]);
        terms += fabs(e[0][i]) * (fabs(e[1][j] * e[2][k]) + fabs(e[1][k] * e[2][j]));
    }
    /* Each of the six terms is a product of three rounded differences. With the roundings of the sums that is less than eight rounding errors. */
    const double rounding = 0x1p-50;
    return fabs(volume) <= rounding * terms ? 0 : volume < 0.0 ? -1 : 1;
}

static bool allocate(abut_tetfile *file, size_t vertices, size_t elements, bool regions) {
    file->vertices = malloc(vertices * sizeof *file->vertices);
    file->vertex_tags = malloc(vertices * sizeof *file->vertex_tags);
    file->elements = malloc(elements * 4 * sizeof *file->elements);
    file->element_tags = malloc(elements * sizeof *file->element_tags);
    file->regions = regions ? malloc(elements * sizeof *file->regions) : NULL;
    return file->vertices && file->vertex_tags && file->elements && file->element_tags && (!regions || file->regions);
}

/* 1 beyond the new index of each vertex that an element uses, in the file's order, 0 for the others; returns how many are used. */
static int32_t number_used(const tet_draft *draft, int32_t *numbers) {
    for (int32_t e = 0; e < draft->element_count; e++) {
        for (int i = 0; i < 4; i++) {
            numbers[draft->elements[e].corners[i]] = 1;
        }
    }
    int32_t used = 0;
    for (int32_t v = 0; v < draft->vertex_count; v++) {
        numbers[v] = numbers[v] ? ++used : 0;
    }
    return used;
}

static void fill(const tet_draft *draft, const int32_t *numbers, bool grouped, abut_tetfile *file) {
    for (int32_t v = 0; v < draft->vertex_count; v++) {
        if (numbers[v] > 0) {
            file->vertices[numbers[v] - 1] = draft->vertices[v].position;
            file->vertex_tags[numbers[v] - 1] = draft->vertices[v].tag;
        }
    }
    for (int32_t e = 0; e < draft->element_count; e++) {
        const tet_element *element = &draft->elements[e];
        for (int i = 0; i < 4; i++) {
            file->elements[4 * (size_t)e + (size_t)i] = numbers[element->corners[i]] - 1;
        }
        file->element_tags[e] = element->tag;
        if (file->regions) {
            file->regions[e] = grouped ? element->group : element->entity;
        }
        int sign = orientation(draft, element);
        file->inverted_count += sign < 0;
        file->flat_count += sign == 0;
    }
}

static abut_status fail_without_elements(const tet_draft *draft, const char *path, abut_error *error) {
    char others[400];
    cell_kinds_list(draft->others, others, sizeof others);
    return others[0] ? abut_fail(error, ABUT_ERROR_FORMAT, "%s: the file has %s, but no tetrahedra", path, others)
                     : abut_fail(error, ABUT_ERROR_FORMAT, "%s: the file has no tetrahedra", path);
}

abut_status draft_finish(const tet_draft *draft, const char *path, abut_tetfile **file, abut_error *error) {
    if (draft->element_count == 0) {
        return fail_without_elements(draft, path, error);
    }
    bool grouped = false, entities = false;
    for (int32_t e = 0; e < draft->element_count; e++) {
        grouped = grouped || draft->elements[e].group != 0;
        entities = entities || draft->elements[e].entity != 0;
    }
    abut_tetfile *made = calloc(1, sizeof *made);
    int32_t *numbers = calloc((size_t)draft->vertex_count, sizeof *numbers);
    int32_t used = numbers ? number_used(draft, numbers) : 0;
    bool done = made && numbers && allocate(made, (size_t)used, (size_t)draft->element_count, grouped || entities);
    if (done) {
        made->vertex_count = used;
        made->element_count = draft->element_count;
        made->unused_count = draft->vertex_count - used;
        for (int kind = 0; kind < CELL_KINDS; kind++) {
            made->other_count += draft->others[kind];
        }
        fill(draft, numbers, grouped, made);
        *file = made;
    }
    free(numbers);
    if (!done) {
        abut_tetfile_destroy(made);
        return abut_fail(error, ABUT_ERROR_OUT_OF_MEMORY, "%s: no memory for its contents", path);
    }
    return ABUT_OK;
}

void draft_release(tet_draft *draft) {
    free(draft->vertices);
    free(draft->elements);
    tag_map_release(&draft->map);
    *draft = (tet_draft){0};
}
