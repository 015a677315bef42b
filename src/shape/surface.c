/*
 * From the loops of a closed surface to everything the contact generators read: edges with their two faces, planes, exterior dihedral
 * angles and the cyclic order of edges and faces about every vertex (the surface's Gauss map). Shape frame; loops counter-clockwise seen
 * from outside.
 */

#include <math.h>

#include "base/memory.h"
#include "geom/area.h"
#include "geom/inner_ball.h"
#include "shape/corners.h"
#include "shape/shape.h"

enum { lane_alignment = 64 }; /* a cache line */

static uintptr_t align(uintptr_t address) { return (address + lane_alignment - 1) / lane_alignment * lane_alignment; }

static size_t lane_doubles(int32_t vertex_count, int32_t face_count) {
    return 3 * (size_t)scan_padded(vertex_count) + 4 * (size_t)scan_padded(face_count) + 2 * (size_t)scan_coarse_padded(face_count);
}

abut_status polytope_allocate_own(polytope *surface, int32_t vertex_count, int32_t face_count, int32_t edge_count) {
    *surface = (polytope){.vertex_count = vertex_count, .face_count = face_count, .edge_count = edge_count};
    size_t doubles = 3 * (size_t)vertex_count + (size_t)face_count;
    char *block = memory_allocate((doubles + lane_doubles(vertex_count, face_count)) * sizeof(double) + lane_alignment, 1);
    if (block == NULL) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    surface->memory = block;
    surface->vertices = (abut_vec3 *)(void *)block;
    surface->offsets = (double *)(void *)(surface->vertices + vertex_count);
    surface->lanes = (double *)align((uintptr_t)(surface->offsets + face_count));
    return ABUT_OK;
}

/* Arrays of doubles come first in the block, so that every array is aligned. */
abut_status polytope_allocate(polytope *surface, int32_t vertex_count, int32_t face_count, int32_t corner_count) {
    *surface = (polytope){0};
    size_t vertices = (size_t)vertex_count, faces = (size_t)face_count, corners = (size_t)corner_count, edges = corners / 2;
    size_t doubles = 3 * vertices + 3 * faces + 3 * faces;
    size_t integers = 2 * edges + (faces + 1) + 3 * corners + (vertices + 1) + 2 * corners;
    size_t lanes = lane_doubles(vertex_count, face_count);
    size_t bytes = (doubles + lanes) * sizeof(double) + edges * sizeof(polytope_edge) + integers * sizeof(int32_t) + lane_alignment;
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
    surface->face_sines = surface->face_angles + faces;
    surface->lanes = (double *)align((uintptr_t)(surface->face_sines + faces));
    surface->edges = (polytope_edge *)(void *)(surface->lanes + lanes);
    surface->edge_vertices = (int32_t *)(void *)(surface->edges + edges);
    surface->face_first = surface->edge_vertices + 2 * edges;
    surface->face_vertices = surface->face_first + faces + 1;
    surface->face_edges = surface->face_vertices + corners;
    surface->face_beyond = surface->face_edges + corners;
    surface->vertex_first = surface->face_beyond + corners;
    surface->vertex_edges = surface->vertex_first + vertices + 1;
    surface->vertex_faces = surface->vertex_edges + corners;
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
        surface->face_beyond[a] = map->face[b];
        surface->face_beyond[b] = map->face[a];
    }
}

/* About a vertex, counter-clockwise seen from outside: the edge that leaves it in a face's loop, that face, the edge that enters it, the
 * neighbour beyond that edge, and so on. Begins with the lowest face of the vertex. `order` is used up. */
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

/* Newell's area vector about the face's first corner, so that the distance from the origin costs no digits. */
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
    for (int32_t f = 0; f < surface->face_count; f++) {
        surface->face_sines[f] = sin(0.45 * surface->face_angles[f]);
    }
}

/* One coordinate of `count` vectors, padded with the first. */
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
    double *nx = fill_lane(z, &surface->vertices->z, 3, vertices), *ny = fill_lane(nx, &surface->normals->x, 3, faces);
    double *nz = fill_lane(ny, &surface->normals->y, 3, faces), *offset = fill_lane(nz, &surface->normals->z, 3, faces);
    make_coarse(surface, fill_lane(offset, surface->offsets, 1, faces));
    surface->vertex_lanes = (scan_lanes){.x = x, .y = y, .z = z, .count = scan_padded(vertices)};
    surface->plane_lanes = (scan_lanes){.x = nx, .y = ny, .z = nz, .offset = offset, .count = scan_padded(faces)};
}

abut_status polytope_complete(polytope *surface) {
    loops faces = {.face_count = surface->face_count, .first = surface->face_first, .vertex = surface->face_vertices};
    corners map;
    abut_status status = corners_make(&map, &faces, surface->vertex_count, NULL);
    if (status != ABUT_OK) {
        return status;
    }
    make_edges(surface, &map);
    /* Every vertex of a closed surface has three corners at least; `order` then has room for an entry per vertex. */
    status = map.count >= 3 * surface->vertex_count ? make_fans(surface, &map) : ABUT_ERROR_NOT_CLOSED;
    corners_release(&map);
    if (status != ABUT_OK) {
        return status;
    }
    surface->size = shape_largest_extent(shape_point_bounds(surface->vertices, surface->vertex_count));
    make_planes(surface, 1.0 / surface->size);
    make_angles(surface);
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

/* Distances of the face planes from the point, measured to the faces' own vertices. */
static void plane_distances(const polytope *surface, abut_vec3 point, double *distances) {
    for (int32_t f = 0; f < surface->face_count; f++) {
        double distance = -INFINITY;
        for (int32_t i = surface->face_first[f]; i < surface->face_first[f + 1]; i++) {
            distance = fmax(distance, abut_dot(surface->normals[f], abut_sub(surface->vertices[surface->face_vertices[i]], point)));
        }
        distances[f] = distance;
    }
}

abut_status polytope_measure(polytope *surface, abut_mass *unit_mass) {
    double *distances = memory_allocate((size_t)surface->face_count, sizeof *distances);
    if (distances == NULL) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    *unit_mass = mass_of_polytope(surface);
    surface->centroid = unit_mass->centre;
    plane_distances(surface, surface->centroid, distances);
    double nearest = INFINITY;
    for (int32_t f = 0; f < surface->face_count; f++) {
        nearest = fmin(nearest, distances[f]);
    }
    surface->centroid_inradius = nearest;
    abut_vec3 shift;
    surface->inradius = inner_ball(surface->normals, distances, surface->face_count, 2.0 * surface->size, &shift);
    surface->inner_centre = abut_add(surface->centroid, shift);
    plane_distances(surface, surface->inner_centre, distances);
    surface->inner_is_point = inner_ball_is_held(surface->normals, distances, surface->face_count, surface->inradius);
    plane_distances(surface, surface->inner_centre, distances);
    surface->inner_is_point = inner_ball_is_held(surface->normals, distances, surface->face_count, surface->inradius);
    memory_release(distances);
    return ABUT_OK;
}
