/*
 * Computes everything that the contact generators read from the loops of a closed surface: edges with their two faces, planes, exterior dihedral angles, and
 * the cyclic order of edges and faces about every vertex (the surface's Gauss map). Shape frame; loops run counter-clockwise seen from outside.
 */

#include "shape/polytope.h"

#include <math.h>

#include "base/elementary.h"
#include "base/memory.h"
#include "base/real.h"
#include "geom/area.h"
#include "shape/bounds.h"
#include "shape/build/corners.h"

enum {
    lane_alignment = 64, /* a cache line */
    FETCHED = 8192,      /* bytes of lanes that are prefetched at most */
    SMALL = 4096         /* bytes of records that are prefetched whole */
};

static uintptr_t align(uintptr_t address) { return (address + lane_alignment - 1) / lane_alignment * lane_alignment; }

/* The size of the vertices' lanes and of the coarse planes behind them. */
static size_t lane_doubles(int32_t vertex_count, int32_t face_count) {
    return 3 * (size_t)scan_padded(vertex_count) + 2 * (size_t)scan_coarse_padded(face_count);
}

static size_t plane_doubles(int32_t face_count) { return 4 * (size_t)scan_padded(face_count); }

/* Takes the next `bytes` of a block. The sizes of all arrays before the integer arrays are multiples of 8. */
static void *take(char **next, size_t bytes) {
    void *taken = *next;
    *next += bytes;
    return taken;
}

/* Allocates an aligned block. The lanes come first: the data that contacts read lie together at the front. */
static abut_status allocate_block(polytope *surface, size_t bytes, char **next) {
    surface->memory = memory_allocate(bytes + lane_alignment, 1);
    *next = (char *)align((uintptr_t)surface->memory);
    return surface->memory != NULL ? ABUT_OK : ABUT_ERROR_OUT_OF_MEMORY;
}

static void set_bytes(polytope *surface, size_t lanes, size_t records) {
    surface->lane_bytes = (int32_t)(lanes < FETCHED ? lanes : FETCHED);
    surface->is_small = records <= SMALL;
    surface->record_bytes = surface->is_small ? (int32_t)records : 0;
}

abut_status polytope_allocate_own(polytope *surface, int32_t vertex_count, int32_t face_count, int32_t edge_count) {
    *surface = (polytope){.vertex_count = vertex_count, .face_count = face_count, .edge_count = edge_count};
    size_t lanes = lane_doubles(vertex_count, face_count) * sizeof(double), planes = plane_doubles(face_count) * sizeof(double);
    size_t vertices = (size_t)vertex_count * sizeof(abut_vec3), offsets = (size_t)face_count * sizeof(double);
    char *next;
    abut_status status = allocate_block(surface, lanes + planes + vertices + offsets, &next);
    if (status == ABUT_OK) {
        surface->lanes = take(&next, lanes);
        surface->plane_numbers = take(&next, planes);
        surface->vertices = take(&next, vertices);
        surface->offsets = take(&next, offsets);
        set_bytes(surface, lanes, 0);
    }
    return status;
}

abut_status polytope_allocate(polytope *surface, int32_t vertex_count, int32_t face_count, int32_t corner_count) {
    size_t vertices = (size_t)vertex_count, faces = (size_t)face_count, corners = (size_t)corner_count, edges = corners / 2;
    size_t lanes = lane_doubles(vertex_count, face_count) * sizeof(double), planes = plane_doubles(face_count) * sizeof(double);
    size_t records = faces * sizeof(polytope_face) + corners * (sizeof(polytope_corner) + sizeof(polytope_spoke));
    size_t doubles = 3 * vertices + 3 * faces + 2 * faces, integers = 2 * edges + (faces + 1) + 2 * corners + (vertices + 1) + 2 * corners;
    size_t bytes = lanes + planes + records + doubles * sizeof(double) + edges * sizeof(polytope_edge) + integers * sizeof(int32_t) +
                   2 * sizeof(double);
    char *next;
    *surface = (polytope){.vertex_count = vertex_count, .face_count = face_count, .edge_count = corner_count / 2};
    abut_status status = allocate_block(surface, bytes, &next);
    if (status != ABUT_OK) {
        return status;
    }
    surface->lanes = take(&next, lanes);
    surface->face = take(&next, faces * sizeof(polytope_face));
    surface->edges = take(&next, edges * sizeof(polytope_edge));
    surface->spoke = take(&next, corners * sizeof(polytope_spoke));
    surface->corner = take(&next, corners * sizeof(polytope_corner));
    surface->vertex_first = take(&next, (vertices + 2) / 2 * sizeof(double)); /* vertices + 1 integers, and one more when that is odd */
    set_bytes(surface, lanes, (size_t)(next - (char *)surface->face));
    surface->plane_numbers = take(&next, planes);
    surface->vertices = take(&next, vertices * sizeof(abut_vec3));
    surface->normals = take(&next, faces * sizeof(abut_vec3));
    surface->offsets = take(&next, faces * sizeof(double));
    surface->face_angles = take(&next, faces * sizeof(double));
    surface->edge_vertices = take(&next, 2 * edges * sizeof(int32_t));
    surface->face_first = take(&next, (faces + 1) * sizeof(int32_t));
    surface->face_vertices = take(&next, corners * sizeof(int32_t));
    surface->face_edges = take(&next, corners * sizeof(int32_t));
    surface->vertex_edges = take(&next, corners * sizeof(int32_t));
    surface->vertex_faces = take(&next, corners * sizeof(int32_t));
    return ABUT_OK;
}

void polytope_release(polytope *surface) {
    memory_release(surface->memory);
    *surface = (polytope){0};
}

static void make_edges(polytope *surface, const corners *map) {
    for (int32_t e = 0; e < surface->edge_count; e++) {
        int32_t a = map->order[2 * e], b = map->order[2 * e + 1];
        int32_t lower = surface->face_vertices[a], upper = surface->face_vertices[b];
        if (lower > upper) {
            int32_t t = a;
            a = b;
            b = t;
            t = lower;
            lower = upper;
            upper = t;
        }
        surface->edges[e] = (polytope_edge){{lower, upper}, {map->face[a], map->face[b]}};
        surface->edge_vertices[2 * e] = lower;
        surface->edge_vertices[2 * e + 1] = upper;
        surface->face_edges[a] = e;
        surface->face_edges[b] = e;
        surface->corner[a].beyond = map->face[b];
        surface->corner[b].beyond = map->face[a];
    }
}

/* Orders edges and faces about each vertex, counter-clockwise seen from outside: the edge that leaves the vertex in a face's loop, that face, the edge that
 * enters it, the neighbour beyond that edge, and so on. Begins with the lowest face of the vertex. Overwrites `order`. */
static abut_status make_fans(polytope *surface, corners *map) {
    int32_t *first = surface->vertex_first, *start = map->order;
    for (int32_t c = map->count - 1; c >= 0; c--) {
        first[surface->face_vertices[c] + 1]++;
        start[surface->face_vertices[c]] = c;
    }
    for (int32_t v = 0; v < surface->vertex_count; v++) {
        int32_t degree = first[v + 1], place = first[v];
        first[v + 1] += place;
        int32_t c = start[v];
        for (int32_t i = 0; i < degree; i++) {
            surface->vertex_edges[place + i] = surface->face_edges[c];
            surface->vertex_faces[place + i] = map->face[c];
            c = map->twin[map->previous[c]];
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

/* Newell's area vector about the face's first corner, so that a face far from the origin loses no digits. */
static void make_planes(polytope *surface, double scale) {
    for (int32_t f = 0; f < surface->face_count; f++) {
        const int32_t *loop = surface->face_vertices + surface->face_first[f];
        int32_t count = surface->face_first[f + 1] - surface->face_first[f];
        abut_vec3 anchor = surface->vertices[loop[0]], area = {0, 0, 0};
        abut_vec3 origin = {0, 0, 0}, before = abut_scale(scale, abut_sub(surface->vertices[loop[1]], anchor));
        for (int32_t i = 2; i < count; i++) {
            abut_vec3 arm = abut_scale(scale, abut_sub(surface->vertices[loop[i]], anchor));
            area = abut_add(area, triangle_area(origin, before, arm));
            before = arm;
        }
        surface->normals[f] = abut_unit(area);
        double offset = -INFINITY;
        for (int32_t i = 0; i < count; i++) {
            offset = real_max_number(offset, abut_dot(surface->normals[f], surface->vertices[loop[i]]));
        }
        surface->offsets[f] = offset;
        surface->face_angles[f] = INFINITY;
    }
}

static void make_angles(polytope *surface) {
    for (int32_t e = 0; e < surface->edge_count; e++) {
        const int32_t *face = surface->edges[e].face;
        abut_vec3 n0 = surface->normals[face[0]], n1 = surface->normals[face[1]];
        double angle = elementary_atan2(abut_length(abut_cross(n0, n1)), abut_dot(n0, n1));
        surface->face_angles[face[0]] = real_min_number(surface->face_angles[face[0]], angle);
        surface->face_angles[face[1]] = real_min_number(surface->face_angles[face[1]], angle);
    }
}

/* One coordinate of `count` vectors, padded with the first one. */
static double *fill_lane(double *lane, const double *first, size_t stride, int32_t count) {
    int32_t padded = scan_padded(count);
    for (int32_t i = 0; i < padded; i++) {
        lane[i] = first[i < count ? (size_t)i * stride : 0];
    }
    return lane + padded;
}

static void make_coarse(polytope *surface, double *lanes) {
    int32_t faces = surface->face_count, padded = scan_coarse_padded(faces);
    float *x = (float *)(void *)lanes, *y = x + padded, *z = y + padded, *offset = z + padded;
    for (int32_t f = 0; f < padded; f++) {
        bool real = f < faces;
        x[f] = real ? (float)surface->normals[f].x : 0.0f;
        y[f] = real ? (float)surface->normals[f].y : 0.0f;
        z[f] = real ? (float)surface->normals[f].z : 0.0f;
        offset[f] = real ? (float)((surface->offsets[f] - abut_dot(surface->normals[f], surface->vertices[0])) / surface->size) : INFINITY;
    }
    surface->coarse_planes = (scan_coarse){.x = x, .y = y, .z = z, .offset = offset, .count = padded};
}

void polytope_make_lanes(polytope *surface) {
    int32_t vertices = surface->vertex_count, faces = surface->face_count;
    double *x = surface->lanes;
    double *y = fill_lane(x, &surface->vertices->x, 3, vertices), *z = fill_lane(y, &surface->vertices->y, 3, vertices);
    make_coarse(surface, fill_lane(z, &surface->vertices->z, 3, vertices));
    double *nx = surface->plane_numbers, *ny = fill_lane(nx, &surface->normals->x, 3, faces);
    double *nz = fill_lane(ny, &surface->normals->y, 3, faces), *offset = fill_lane(nz, &surface->normals->z, 3, faces);
    fill_lane(offset, surface->offsets, 1, faces);
    surface->vertex_lanes = (scan_lanes){.x = x, .y = y, .z = z, .count = scan_padded(vertices)};
    surface->plane_lanes = (scan_lanes){.x = nx, .y = ny, .z = nz, .offset = offset, .count = scan_padded(faces)};
}

static void make_records(polytope *surface) {
    for (int32_t f = 0; f < surface->face_count; f++) {
        int32_t first = surface->face_first[f];
        surface->face[f] = (polytope_face){.normal = surface->normals[f],
                                           .offset = surface->offsets[f],
                                           .sine = elementary_sin(0.45 * surface->face_angles[f]),
                                           .first = first,
                                           .count = surface->face_first[f + 1] - first};
    }
    for (int32_t c = 0; c < 2 * surface->edge_count; c++) {
        surface->corner[c].vertex = surface->face_vertices[c];
        surface->corner[c].edge = surface->face_edges[c];
    }
    for (int32_t v = 0; v < surface->vertex_count; v++) {
        for (int32_t i = surface->vertex_first[v]; i < surface->vertex_first[v + 1]; i++) {
            const polytope_edge *edge = &surface->edges[surface->vertex_edges[i]];
            int32_t far = edge->vertex[0] == v ? edge->vertex[1] : edge->vertex[0];
            surface->spoke[i] = (polytope_spoke){.edge = surface->vertex_edges[i], .far = far, .left = surface->vertex_faces[i]};
        }
    }
}

abut_status polytope_complete(polytope *surface) {
    loops faces = {.face_count = surface->face_count, .first = surface->face_first, .vertex = surface->face_vertices};
    corners map;
    abut_status status = corners_make(&map, &faces, surface->vertex_count, NULL);
    if (status != ABUT_OK) {
        return status;
    }
    make_edges(surface, &map);
    /* Every vertex of a closed surface has at least three corners, so `order` has room for an entry per vertex. */
    status = map.count >= 3 * surface->vertex_count ? make_fans(surface, &map) : ABUT_ERROR_NOT_CLOSED;
    corners_release(&map);
    if (status != ABUT_OK) {
        return status;
    }
    surface->size = bounds_extent(bounds_of_points(surface->vertices, surface->vertex_count));
    make_planes(surface, 1.0 / surface->size);
    make_angles(surface);
    make_records(surface);
    polytope_make_lanes(surface);
    return ABUT_OK;
}

abut_vec3 polytope_mean_vertex(const polytope *surface) {
    abut_vec3 anchor = surface->vertices[0], sum = {0, 0, 0};
    for (int32_t i = 1; i < surface->vertex_count; i++) {
        sum = abut_add(sum, abut_sub(surface->vertices[i], anchor));
    }
    return abut_add_scaled(anchor, 1.0 / surface->vertex_count, sum);
}
