/*
 * The distinct shapes of a scene and their surfaces as flat arrays.
 */
#include "io/surface/shape_list.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <abut/facetmesh.h>
#include <abut/mesh.h>
#include <abut/smooth.h>

#include "io/surface/frustum.h"
#include "io/surface/smooth.h"

/* ---- which shapes ---- */

static size_t place_of(const shape_list *list, const abut_shape *shape) {
    uint64_t key = (uint64_t)(uintptr_t)shape;
    size_t place = (size_t)((key >> 4) * UINT64_C(0x9E3779B97F4A7C15) >> 17) % list->table_size;
    while (list->table[place] && list->shapes[list->table[place] - 1] != shape) {
        place = (place + 1) % list->table_size;
    }
    return place;
}

int32_t shape_list_index(const shape_list *list, const abut_shape *shape) {
    return list->table_size > 0 ? list->table[place_of(list, shape)] - 1 : -1;
}

static abut_status grow(shape_list *list) {
    int32_t capacity = list->capacity > 0 ? 2 * list->capacity : 64;
    const abut_shape **shapes = realloc(list->shapes, sizeof *shapes * (size_t)capacity);
    if (!shapes) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    list->shapes = shapes;
    int32_t *table = calloc(2 * (size_t)capacity, sizeof *table);
    if (!table) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    free(list->table);
    list->table = table;
    list->table_size = 2 * (size_t)capacity;
    list->capacity = capacity;
    for (int32_t i = 0; i < list->count; i++) {
        list->table[place_of(list, list->shapes[i])] = i + 1;
    }
    return ABUT_OK;
}

static void forget_entries(shape_list *list) {
    free(list->entries);
    free(list->vertices);
    free(list->face_first);
    free(list->corners);
    free(list->radii);
    free(list->given_radii);
    free(list->parts);
    list->entries = NULL;
    list->vertices = NULL;
    list->face_first = list->corners = NULL;
    list->radii = list->given_radii = NULL;
    list->parts = NULL;
    list->vertex_count = list->face_count = list->corner_count = list->radius_count = list->part_count = 0;
}

abut_status shape_list_add(shape_list *list, const abut_shape *shape) {
    if (list->count == list->capacity) {
        abut_status status = grow(list);
        if (status) {
            return status;
        }
    }
    size_t place = place_of(list, shape);
    if (list->table[place]) {
        return ABUT_OK;
    }
    forget_entries(list);
    list->shapes[list->count] = shape;
    list->table[place] = ++list->count;
    if (abut_shape_kind(shape) != ABUT_SHAPE_COMPOUND) {
        return ABUT_OK;
    }
    abut_status status = ABUT_OK;
    for (int32_t i = 0; i < abut_shape_part_count(shape) && !status; i++) {
        abut_part part;
        status = abut_shape_part(shape, i, &part);
        status = status ? status : shape_list_add(list, part.shape);
    }
    return status;
}

abut_status shape_list_add_scene(shape_list *list, const abut_scene *scene) {
    abut_status status = ABUT_OK;
    for (int32_t i = 0; i < abut_scene_body_count(scene) && !status; i++) {
        status = shape_list_add(list, abut_scene_body_def(scene, i)->shape);
    }
    return status;
}

void shape_list_release(shape_list *list) {
    forget_entries(list);
    free(list->shapes);
    free(list->table);
    *list = (shape_list){.shapes = NULL};
}

/* ---- what they are ---- */

static bool has_surface(abut_kind kind) { return kind == ABUT_SHAPE_BOX || kind == ABUT_SHAPE_POLYTOPE; }

static bool is_mesh(abut_kind kind) { return kind == ABUT_SHAPE_TRIMESH || kind == ABUT_SHAPE_FACETMESH; }

static void count_arrays(shape_list *list) {
    for (int32_t i = 0; i < list->count; i++) {
        int32_t vertices, triangles;
        abut_polytope_view view;
        abut_kind kind = abut_shape_kind(list->shapes[i]);
        if (has_surface(kind) && abut_shape_polytope(list->shapes[i], &view) == ABUT_OK) {
            list->vertex_count += (size_t)view.vertex_count;
            list->face_count += (size_t)view.face_count;
            list->corner_count += (size_t)view.face_first[view.face_count];
        } else if (is_mesh(kind)) {
            list->vertex_count += (size_t)abut_shape_vertex_count(list->shapes[i]);
            list->face_count += (size_t)abut_shape_triangle_count(list->shapes[i]);
            list->corner_count += 3 * (size_t)abut_shape_triangle_count(list->shapes[i]);
            list->radius_count += (size_t)abut_shape_facet_count(list->shapes[i]);
        } else if (smooth_surface_has(list->shapes[i], &vertices, &triangles)) {
            list->vertex_count += (size_t)vertices;
            list->face_count += (size_t)triangles;
            list->corner_count += 3 * (size_t)triangles;
        } else if (frustum_surface_has(list->shapes[i])) {
            frustum_surface surface;
            frustum_surface_count(list->shapes[i], &surface);
            list->vertex_count += (size_t)surface.vertex_count;
            list->face_count += (size_t)surface.face_count;
            list->corner_count += (size_t)surface.corner_count;
        } else if (kind == ABUT_SHAPE_COMPOUND) {
            list->part_count += (size_t)abut_shape_part_count(list->shapes[i]);
        }
    }
}

static abut_status allocate_arrays(shape_list *list) {
    size_t count = (size_t)list->count;
    list->entries = calloc(count + 1, sizeof *list->entries);
    list->vertices = calloc(list->vertex_count + 1, sizeof *list->vertices);
    list->face_first = calloc(list->face_count + count + 1, sizeof *list->face_first);
    list->corners = calloc(list->corner_count + 1, sizeof *list->corners);
    list->radii = calloc(list->radius_count + 1, sizeof *list->radii);
    list->given_radii = calloc(list->radius_count + 1, sizeof *list->given_radii);
    list->parts = calloc(list->part_count + 1, sizeof *list->parts);
    bool complete = list->entries && list->vertices && list->face_first && list->corners && list->radii && list->given_radii && list->parts;
    return complete ? ABUT_OK : ABUT_ERROR_OUT_OF_MEMORY;
}

/* The beginning of the next entry's arrays. */
typedef struct room {
    abut_vec3 *vertices;
    int32_t *face_first, *corners;
    double *radii, *given_radii;
    abut_recorded_part *parts;
} room;

static void describe_surface(const abut_shape *shape, const room *r, abut_recorded_shape *entry) {
    abut_polytope_view view;
    if (abut_shape_polytope(shape, &view) != ABUT_OK) {
        return;
    }
    int32_t corner_count = view.face_first[view.face_count];
    memcpy(r->vertices, view.vertices, sizeof *view.vertices * (size_t)view.vertex_count);
    memcpy(r->face_first, view.face_first, sizeof *view.face_first * ((size_t)view.face_count + 1));
    memcpy(r->corners, view.face_vertices, sizeof *view.face_vertices * (size_t)corner_count);
    entry->vertex_count = view.vertex_count;
    entry->face_count = view.face_count;
}

/* Vertices without triangles are at the origin; nothing shows them. */
static void describe_mesh(const abut_shape *shape, const room *r, abut_recorded_shape *entry) {
    entry->vertex_count = abut_shape_vertex_count(shape);
    entry->face_count = abut_shape_triangle_count(shape);
    for (int32_t t = 0; t < entry->face_count; t++) {
        abut_triangle triangle = {.vertex = {0, 0, 0}};
        (void)abut_shape_triangle(shape, t, &triangle);
        for (int k = 0; k < 3; k++) {
            r->vertices[triangle.vertex[k]] = triangle.corner[k];
            r->corners[3 * t + k] = triangle.vertex[k];
        }
        r->face_first[t + 1] = 3 * (t + 1);
    }
}

/* Radii of curvature in effect, and as given. The given radii apply again when the body deforms. Other kinds of shapes have none. */
static void describe_radii(const abut_shape *shape, const room *r, abut_recorded_shape *entry) {
    int32_t count = abut_shape_facet_count(shape);
    for (int32_t i = 0; i < count; i++) {
        abut_facet facet = {.radius = 0.0};
        (void)abut_shape_facet(shape, abut_pose_identity(), i, &facet);
        r->given_radii[i] = abut_shape_facet_given_radius(shape, i);
        r->radii[i] = facet.radius;
    }
    entry->radii = count > 0 ? r->radii : NULL;
    entry->given_radii = count > 0 && r->given_radii[0] > 0.0 ? r->given_radii : NULL;
}

/* Its counts are set. */
static void describe_smooth(const abut_shape *shape, const room *r, abut_recorded_shape *entry) {
    entry->semi_axes = abut_shape_semi_axes(shape);
    abut_shape_exponents(shape, &entry->exponents[0], &entry->exponents[1]);
    smooth_surface_make(shape, r->vertices, r->corners);
    for (int32_t f = 0; f <= entry->face_count; f++) {
        r->face_first[f] = 3 * f;
    }
}

static void describe_frustum(const abut_shape *shape, const room *r, abut_recorded_shape *entry) {
    frustum_surface surface = {.vertices = r->vertices, .face_first = r->face_first, .corners = r->corners};
    frustum_surface_make(shape, &surface);
    entry->radius = abut_shape_radius(shape);
    entry->top_radius = abut_shape_top_radius(shape);
    entry->height = abut_shape_height(shape);
    entry->vertex_count = surface.vertex_count;
    entry->face_count = surface.face_count;
}

static void describe_parts(const shape_list *list, const abut_shape *shape, const room *r, abut_recorded_shape *entry) {
    for (int32_t i = 0; i < abut_shape_part_count(shape); i++) {
        abut_part part;
        if (abut_shape_part(shape, i, &part) == ABUT_OK) {
            r->parts[entry->part_count++] = (abut_recorded_part){shape_list_index(list, part.shape), part.pose};
        }
    }
}

static abut_recorded_shape describe(const shape_list *list, const abut_shape *shape, const room *r) {
    abut_recorded_shape entry = {.kind = abut_shape_kind(shape),
                                 .vertices = r->vertices,
                                 .face_first = r->face_first,
                                 .face_vertices = r->corners,
                                 .parts = r->parts};
    if (entry.kind == ABUT_SHAPE_SPHERE || entry.kind == ABUT_SHAPE_CAPSULE) {
        entry.radius = abut_shape_radius(shape);
        entry.half_length = abut_shape_half_length(shape);
    } else if (entry.kind == ABUT_SHAPE_PLANE) {
        entry.normal = abut_shape_plane_normal(shape);
        entry.offset = abut_shape_plane_offset(shape);
    } else if (entry.kind == ABUT_SHAPE_COMPOUND) {
        describe_parts(list, shape, r, &entry);
    } else if (is_mesh(entry.kind)) {
        describe_mesh(shape, r, &entry);
        describe_radii(shape, r, &entry);
    } else if (smooth_surface_has(shape, &entry.vertex_count, &entry.face_count)) {
        describe_smooth(shape, r, &entry);
    } else if (frustum_surface_has(shape)) {
        describe_frustum(shape, r, &entry);
    } else {
        describe_surface(shape, r, &entry);
    }
    return entry;
}

abut_status shape_list_describe(shape_list *list) {
    forget_entries(list);
    count_arrays(list);
    abut_status status = allocate_arrays(list);
    if (status) {
        forget_entries(list);
        return status;
    }
    room r = {list->vertices, list->face_first, list->corners, list->radii, list->given_radii, list->parts};
    for (int32_t i = 0; i < list->count; i++) {
        abut_recorded_shape *entry = &list->entries[i];
        *entry = describe(list, list->shapes[i], &r);
        r.vertices += entry->vertex_count;
        r.corners += r.face_first[entry->face_count];
        r.face_first += entry->face_count + 1;
        r.radii += entry->radii ? entry->face_count : 0;
        r.given_radii += entry->radii ? entry->face_count : 0;
        r.parts += entry->part_count;
    }
    return ABUT_OK;
}
