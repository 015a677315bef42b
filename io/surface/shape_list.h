#pragma once

#include <stddef.h>

#include "io/scene/scene.h"
#include "io/surface/recorded_shape.h"

/*
 * The distinct shapes of a scene as flat arrays, for recordings and pages. Each shape is in the list once, whatever the number of its bodies. A compound comes
 * before the shapes of its parts and names them by their indices.
 */
typedef struct shape_list {
    const abut_shape **shapes;    /* [count] in the order of their addition; not retained */
    abut_recorded_shape *entries; /* [count] made by shape_list_describe(); their arrays belong to the list */
    int32_t count, capacity;
    int32_t *table; /* index + 1 of a shape, hashed by its address; 0 for an empty place */
    size_t table_size;

    /* The arrays of all entries, one entry after another. face_first has one number more for each entry, so the numbers of an entry begin at its first face +
     * its index. */
    abut_vec3 *vertices;
    int32_t *face_first, *corners;
    double *radii, *given_radii; /* given: 0 for estimated radii */
    abut_recorded_part *parts;
    size_t vertex_count, face_count, corner_count, radius_count, part_count;
} shape_list;

/* Adds a shape, and then the shapes of its parts, unless the list has it. An empty list is zero-initialised. Entries of an earlier description are lost.
 * ABUT_OK; ABUT_ERROR_OUT_OF_MEMORY. */
abut_status shape_list_add(shape_list *list, const abut_shape *shape);

/* Adds the shapes of all bodies of the scene. */
abut_status shape_list_add_scene(shape_list *list, const abut_scene *scene);

/* The index of the shape; -1 when it is not in the list. */
int32_t shape_list_index(const shape_list *list, const abut_shape *shape);

/* Makes the entries of all shapes. ABUT_OK; ABUT_ERROR_OUT_OF_MEMORY. */
abut_status shape_list_describe(shape_list *list);

void shape_list_release(shape_list *list);
