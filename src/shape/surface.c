/*
 * From the loops of a closed surface to everything the contact generators read: edges with their two faces, planes, exterior dihedral angles and
 * the cyclic order of edges and faces about every vertex (the surface's Gauss map). Shape frame; loops counter-clockwise seen from outside.
 */

#include <limits.h>
#include <math.h>

#include "base/memory.h"
#include "shape/polytope.h"
#include "shape/shape.h"

/* Arrays of doubles come first in the block, so that every array is aligned. */
abut_status polytope_allocate(polytope *surface, int32_t vertex_count, int32_t face_count, int32_t corner_count) {
    *surface = (polytope){0};
    size_t vertices = (size_t)vertex_count, faces = (size_t)face_count, corners = (size_t)corner_count, edges = corners / 2;
    size_t doubles = 3 * vertices + 3 * faces + 2 * faces;
    size_t integers = 2 * edges + (faces + 1) + 2 * corners + (vertices + 1) + 2 * corners;
    size_t bytes = doubles * sizeof(double) + edges * sizeof(polytope_edge) + integers * sizeof(int32_t);
    char *block = memory_allocate(bytes, 1);
    if (block == NULL) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    surface->memory = block;
    surface->vertex_count = vertex_count;
    surface->face_count = face_count;
    surface->edge_count = corner_count / 2;
    surface->vertices = (abut_vec3 *)(void *)block;
    surface->normals = surface->vertices + vertices;
    surface->offsets = (double *)(void *)(surface->normals + faces);
    surface->face_angles = surface->offsets + faces;
    surface->edges = (polytope_edge *)(void *)(surface->face_angles + faces);
    surface->edge_vertices = (int32_t *)(void *)(surface->edges + edges);
    surface->face_first = surface->edge_vertices + 2 * edges;
    surface->face_vertices = surface->face_first + faces + 1;
    surface->face_edges = surface->face_vertices + corners;
    surface->vertex_first = surface->face_edges + corners;
    surface->vertex_edges = surface->vertex_first + vertices + 1;
    surface->vertex_faces = surface->vertex_edges + corners;
    return ABUT_OK;
}

void polytope_release(polytope *surface) {
    memory_release(surface->memory);
    *surface = (polytope){0};
}

/* Working memory: one entry per corner. Corner c starts the directed edge from face_vertices[c] to the next corner of its face. */
typedef struct corners {
    int32_t count;
    int32_t *face;  /* of the corner */
    int32_t *next;  /* next corner of the same face */
    int32_t *twin;  /* the corner of the neighbouring face that runs along the same edge in the opposite sense */
    int32_t *order; /* corners sorted by their edge */
    int32_t *swap;
    int32_t *bins;  /* [vertex_count + 1] */
    void *memory;
} corners;

static abut_status corners_allocate(corners *work, const polytope *surface) {
    size_t count = (size_t)surface->edge_count * 2;
    int32_t *block = memory_allocate(5 * count + (size_t)surface->vertex_count + 1, sizeof(int32_t));
    if (block == NULL) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    *work = (corners){.count = surface->edge_count * 2, .face = block, .next = block + count, .twin = block + 2 * count,
                      .order = block + 3 * count, .swap = block + 4 * count, .bins = block + 5 * count, .memory = block};
    for (int32_t face = 0; face < surface->face_count; face++) {
        int32_t first = surface->face_first[face], end = surface->face_first[face + 1];
        for (int32_t c = first; c < end; c++) {
            work->face[c] = face;
            work->next[c] = c + 1 < end ? c + 1 : first;
        }
    }
    return ABUT_OK;
}

static int32_t lower_end(const polytope *surface, const corners *work, int32_t corner) {
    int32_t a = surface->face_vertices[corner], b = surface->face_vertices[work->next[corner]];
    return a < b ? a : b;
}

static int32_t upper_end(const polytope *surface, const corners *work, int32_t corner) {
    int32_t a = surface->face_vertices[corner], b = surface->face_vertices[work->next[corner]];
    return a < b ? b : a;
}

/* One stable counting sort of `from` into `to` by an end of the corner's edge. */
static void sort_by_end(const polytope *surface, corners *work, const int32_t *from, int32_t *to,
                        int32_t (*end)(const polytope *, const corners *, int32_t)) {
    for (int32_t v = 0; v <= surface->vertex_count; v++) {
        work->bins[v] = 0;
    }
    for (int32_t i = 0; i < work->count; i++) {
        work->bins[end(surface, work, from[i]) + 1]++;
    }
    for (int32_t v = 0; v < surface->vertex_count; v++) {
        work->bins[v + 1] += work->bins[v];
    }
    for (int32_t i = 0; i < work->count; i++) {
        to[work->bins[end(surface, work, from[i])]++] = from[i];
    }
}

/* Corners of one edge are neighbours in `order`: exactly two, of different faces, running against each other. */
static abut_status make_edges(polytope *surface, corners *work) {
    for (int32_t i = 0; i < work->count; i++) {
        work->order[i] = i;
    }
    sort_by_end(surface, work, work->order, work->swap, upper_end);
    sort_by_end(surface, work, work->swap, work->order, lower_end);
    for (int32_t e = 0; e < surface->edge_count; e++) {
        int32_t a = work->order[2 * e], b = work->order[2 * e + 1];
        int32_t lower = lower_end(surface, work, a), upper = upper_end(surface, work, a);
        if (surface->face_vertices[a] != lower) {
            int32_t t = a;
            a = b;
            b = t;
        }
        bool opposite = surface->face_vertices[a] == lower && surface->face_vertices[work->next[a]] == upper &&
                        surface->face_vertices[b] == upper && surface->face_vertices[work->next[b]] == lower;
        if (!opposite || lower == upper || work->face[a] == work->face[b]) {
            return ABUT_ERROR_NOT_CLOSED;
        }
        surface->edges[e] = (polytope_edge){{lower, upper}, {work->face[a], work->face[b]}};
        surface->edge_vertices[2 * e] = lower;
        surface->edge_vertices[2 * e + 1] = upper;
        surface->face_edges[a] = e;
        surface->face_edges[b] = e;
        work->twin[a] = b;
        work->twin[b] = a;
    }
    return ABUT_OK;
}

/* About a vertex, counter-clockwise seen from outside: the edge that leaves it in a face's loop, that face, the edge that enters it, the neighbour
 * beyond that edge, and so on. Begins with the lowest face of the vertex. */
static abut_status make_fans(polytope *surface, corners *work) {
    int32_t *first = surface->vertex_first;
    int32_t *start = work->order, *previous = work->swap;
    for (int32_t c = work->count - 1; c >= 0; c--) {
        first[surface->face_vertices[c] + 1]++;
        start[surface->face_vertices[c]] = c; /* a closed surface has more corners than vertices */
        previous[work->next[c]] = c;
    }
    for (int32_t v = 0; v < surface->vertex_count; v++) {
        int32_t degree = first[v + 1], place = first[v];
        first[v + 1] += place;
        int32_t c = start[v];
        for (int32_t i = 0; i < degree; i++) {
            surface->vertex_edges[place + i] = surface->face_edges[c];
            surface->vertex_faces[place + i] = work->face[c];
            c = work->twin[previous[c]];
            if ((c == start[v]) != (i + 1 == degree)) {
                return ABUT_ERROR_NOT_CLOSED;
            }
        }
        if (degree < 3) {
            return ABUT_ERROR_NOT_CLOSED;
        }
    }
    return ABUT_OK;
}

/* Newell's area vector about the face's first corner, so that the distance from the origin costs no digits. */
static void make_planes(polytope *surface, double scale) {
    for (int32_t f = 0; f < surface->face_count; f++) {
        const int32_t *loop = surface->face_vertices + surface->face_first[f];
        int32_t count = surface->face_first[f + 1] - surface->face_first[f];
        abut_vec3 anchor = surface->vertices[loop[0]], area = {0, 0, 0};
        abut_vec3 before = abut_scale(scale, abut_sub(surface->vertices[loop[1]], anchor));
        for (int32_t i = 2; i < count; i++) {
            abut_vec3 arm = abut_scale(scale, abut_sub(surface->vertices[loop[i]], anchor));
            area = abut_add(area, abut_cross(before, arm));
            before = arm;
        }
        surface->normals[f] = abut_unit(area);
        double offset = -INFINITY;
        for (int32_t i = 0; i < count; i++) {
            offset = fmax(offset, abut_dot(surface->normals[f], surface->vertices[loop[i]]));
        }
        surface->offsets[f] = offset;
        surface->face_angles[f] = INFINITY;
    }
}

static void make_angles(polytope *surface) {
    for (int32_t e = 0; e < surface->edge_count; e++) {
        const int32_t *face = surface->edges[e].face;
        abut_vec3 n0 = surface->normals[face[0]], n1 = surface->normals[face[1]];
        double angle = atan2(abut_length(abut_cross(n0, n1)), abut_dot(n0, n1));
        surface->face_angles[face[0]] = fmin(surface->face_angles[face[0]], angle);
        surface->face_angles[face[1]] = fmin(surface->face_angles[face[1]], angle);
    }
}

abut_status polytope_complete(polytope *surface) {
    corners work;
    abut_status status = corners_allocate(&work, surface);
    if (status != ABUT_OK) {
        return status;
    }
    if (work.count < 2 * surface->vertex_count) {
        status = ABUT_ERROR_NOT_CLOSED;
    } else {
        status = make_edges(surface, &work);
    }
    if (status == ABUT_OK) {
        status = make_fans(surface, &work);
    }
    memory_release(work.memory);
    if (status != ABUT_OK) {
        return status;
    }
    surface->size = shape_largest_extent(shape_point_bounds(surface->vertices, surface->vertex_count));
    make_planes(surface, 1.0 / surface->size);
    make_angles(surface);
    return ABUT_OK;
}
