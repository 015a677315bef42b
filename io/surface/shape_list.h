#pragma once

#include <stddef.h>

#include "io/scene/scene.h"
#include "io/surface/recorded_shape.h"

/*
 * The distinct shapes of a scene as flat arrays: what a recording keeps of them and a page draws. Each shape is in the list once, however many bodies
 * have it; a compound stands before the shapes of its parts and names them by their indices.
 */
typedef struct shape_list {
    const abut_shape **shapes;    /* [count] in the order in which they were added; not retained */
    abut_recorded_shape *entries; /* [count] what shape_list_describe() made of them; their arrays belong to the list */
    int32_t count, capacity;
    int32_t *table; /* index + 1 of a shape, by its address; 0 for an empty place */
    size_t table_size;

    /* The arrays of all entries, one entry's behind those of the other. The bounds of the faces have one number more for each entry, so that those
     * of an entry begin at its first face + its index. */
    abut_vec3 *vertices;
    int32_t *face_first, *corners;
    double *radii, *given_radii; /* given: 0 where they are estimated */
    abut_recorded_part *parts;
    size_t vertex_count, face_count, corner_count, radius_count, part_count;
} shape_list;

/* Adds a shape, and after it the shapes of its parts, when it is not in the list yet. The list begins zero-initialised; entries of an earlier
 * description are gone. ABUT_OK; ABUT_ERROR_OUT_OF_MEMORY. */
abut_status shape_list_add(shape_list *list, const abut_shape *shape);

/* Adds the shapes of all bodies of the scene. */
abut_status shape_list_add_scene(shape_list *list, const abut_scene *scene);

/* Where the shape is; -1 when it is not in the list. */
int32_t shape_list_index(const shape_list *list, const abut_shape *shape);

/* Makes the entries of all shapes. ABUT_OK; ABUT_ERROR_OUT_OF_MEMORY. */
abut_status shape_list_describe(shape_list *list);

void shape_list_release(shape_list *list);
