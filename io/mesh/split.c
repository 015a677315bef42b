/*
 * Splits a mesh into connected parts: hashing finds equal positions, sorting finds equal edges, union-find connects faces. Only edges connect: two parts that
 * share a corner stay two.
 */
#include "io/mesh/split.h"

#include <stdlib.h>
#include <string.h>

/* The bits of a coordinate. Both zeros give the same bits. */
static uint64_t coordinate_bits(double x) {
    double positive_zero = x + 0.0;
    uint64_t bits;
    memcpy(&bits, &positive_zero, sizeof bits);
    return bits;
}

/* Three rounds of a multiplicative mix. */
static uint64_t position_hash(abut_vec3 p) {
    const uint64_t odd = 0x9e3779b97f4a7c15u;
    uint64_t hash = coordinate_bits(p.x) * odd;
    hash = ((hash ^ (hash >> 29)) + coordinate_bits(p.y)) * odd;
    hash = ((hash ^ (hash >> 29)) + coordinate_bits(p.z)) * odd;
    return hash ^ (hash >> 32);
}

/* Replaces every corner by the first vertex at its position. */
static bool weld(mesh_soup *soup) {
    uint64_t size = 16;
    while (size < 2 * (uint64_t)soup->vertex_count) {
        size *= 2;
    }
    int32_t *table = malloc(size * sizeof *table);
    int32_t *first = malloc(((size_t)soup->vertex_count + 1) * sizeof *first);
    if (!table || !first) {
        free(table);
        free(first);
        return false;
    }
    memset(table, 0xff, size * sizeof *table);
    for (int32_t v = 0; v < soup->vertex_count; v++) {
        abut_vec3 p = soup->vertices[v];
        uint64_t slot = position_hash(p) & (size - 1);
        while (table[slot] >= 0) {
            abut_vec3 q = soup->vertices[table[slot]];
            if (p.x == q.x && p.y == q.y && p.z == q.z) {
                break;
            }
            slot = (slot + 1) & (size - 1);
        }
        table[slot] = table[slot] < 0 ? v : table[slot];
        first[v] = table[slot];
    }
    for (int32_t c = 0; c < soup->corner_count; c++) {
        soup->corners[c] = first[soup->corners[c]];
    }
    free(table);
    free(first);
    return true;
}

/* Drops corners that repeat the one before, then faces with fewer than three corners. */
static void drop_repeated_corners(mesh_soup *soup) {
    int32_t corners = 0, faces = 0, first = 0;
    for (int32_t f = 0; f < soup->face_count; f++) {
        int32_t end = soup->face_ends[f], start = corners;
        for (int32_t c = first; c < end; c++) {
            if (corners == start || soup->corners[corners - 1] != soup->corners[c]) {
                soup->corners[corners++] = soup->corners[c];
            }
        }
        while (corners - start > 1 && soup->corners[corners - 1] == soup->corners[start]) {
            corners--;
        }
        if (corners - start < 3) {
            corners = start;
        } else {
            soup->face_groups[faces] = soup->face_groups[f];
            soup->face_ends[faces++] = corners;
        }
        first = end;
    }
    soup->corner_count = corners;
    soup->face_count = faces;
}

typedef struct group_edge {
    int32_t group, low, high, face;
} group_edge;

static int by_edge(const void *a, const void *b) {
    const group_edge *e = a, *f = b;
    if (e->group != f->group) {
        return e->group < f->group ? -1 : 1;
    }
    if (e->low != f->low) {
        return e->low < f->low ? -1 : 1;
    }
    return (e->high > f->high) - (e->high < f->high);
}

/* The root of a face's set. The path to it is halved. */
static int32_t root_of(int32_t *parent, int32_t face) {
    while (parent[face] != face) {
        parent[face] = parent[parent[face]];
        face = parent[face];
    }
    return face;
}

/* parent: [face_count] receives the sets of faces that edges connect. The root of each set is its first face. */
static bool connect(const mesh_soup *soup, int32_t *parent) {
    group_edge *edges = malloc(((size_t)soup->corner_count + 1) * sizeof *edges);
    if (!edges) {
        return false;
    }
    size_t count = 0;
    for (int32_t f = 0; f < soup->face_count; f++) {
        parent[f] = f;
        int32_t first = soup_face_first(soup, f), last = soup->corners[soup->face_ends[f] - 1];
        for (int32_t c = first; c < soup->face_ends[f]; c++) {
            int32_t a = last, b = soup->corners[c];
            edges[count++] = (group_edge){soup->face_groups[f], a < b ? a : b, a < b ? b : a, f};
            last = b;
        }
    }
    qsort(edges, count, sizeof *edges, by_edge);
    for (size_t e = 1; e < count; e++) {
        if (by_edge(&edges[e - 1], &edges[e]) == 0) {
            int32_t a = root_of(parent, edges[e - 1].face), b = root_of(parent, edges[e].face);
            parent[a > b ? a : b] = a < b ? a : b;
        }
    }
    free(edges);
    return true;
}

/* owner: [count] identifies the part of each member. Fills the parts, which are numbered in the order of first appearance. */
static bool collect(const int32_t *owner, const int32_t *groups, int32_t count, int32_t part_count, mesh_parts *parts) {
    parts->parts = calloc((size_t)part_count + 1, sizeof *parts->parts);
    parts->members = calloc((size_t)count + 1, sizeof *parts->members);
    if (!parts->parts || !parts->members) {
        return false;
    }
    parts->count = part_count;
    for (int32_t i = 0; i < count; i++) {
        parts->parts[owner[i]].group = groups[i];
        parts->parts[owner[i]].count++;
    }
    int32_t first = 0;
    for (int32_t p = 0; p < part_count; p++) {
        parts->parts[p].first = first;
        first += parts->parts[p].count;
        parts->parts[p].count = 0;
    }
    for (int32_t i = 0; i < count; i++) {
        mesh_part *part = &parts->parts[owner[i]];
        parts->members[part->first + part->count++] = i;
    }
    return true;
}

static bool split_faces(mesh_soup *soup, mesh_parts *parts) {
    int32_t *owner = malloc(((size_t)soup->face_count + 1) * sizeof *owner);
    if (!owner || !connect(soup, owner)) {
        free(owner);
        return false;
    }
    /* A root comes before the other faces of its set, so its number is known when they need it. */
    int32_t count = 0;
    for (int32_t f = 0; f < soup->face_count; f++) {
        int32_t root = root_of(owner, f);
        owner[f] = root;
    }
    for (int32_t f = 0; f < soup->face_count; f++) {
        owner[f] = owner[f] == f ? count++ : owner[owner[f]];
    }
    bool done = collect(owner, soup->face_groups, soup->face_count, count, parts);
    free(owner);
    return done;
}

static bool split_points(const mesh_soup *soup, mesh_parts *parts) {
    int32_t *number = malloc(((size_t)soup->group_count + 1) * sizeof *number);
    int32_t *owner = malloc(((size_t)soup->vertex_count + 1) * sizeof *owner);
    if (!number || !owner) {
        free(number);
        free(owner);
        return false;
    }
    memset(number, 0xff, ((size_t)soup->group_count + 1) * sizeof *number);
    int32_t count = 0;
    for (int32_t v = 0; v < soup->vertex_count; v++) {
        int32_t *of_group = &number[soup->vertex_groups[v]];
        *of_group = *of_group < 0 ? count++ : *of_group;
        owner[v] = *of_group;
    }
    bool done = collect(owner, soup->vertex_groups, soup->vertex_count, count, parts);
    free(number);
    free(owner);
    return done;
}

bool mesh_split(mesh_soup *soup, mesh_parts *parts) {
    *parts = (mesh_parts){.points = soup->face_count == 0};
    if (parts->points) {
        return split_points(soup, parts);
    }
    if (!weld(soup)) {
        return false;
    }
    drop_repeated_corners(soup);
    return split_faces(soup, parts);
}

void mesh_parts_release(mesh_parts *parts) {
    free(parts->parts);
    free(parts->members);
    *parts = (mesh_parts){0};
}
