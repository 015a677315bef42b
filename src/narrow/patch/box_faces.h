#pragma once

#include "narrow/normal/feature.h"
#include "narrow/patch/patch.h"

/*
 * The contacts of a face of a box and a face of another box, as in every stack of boxes. The contacts are those of patch.c to the last bit. Rectangles need
 * no lists of corners and no search for names.
 */

static inline bool box_faces_are_boxes(const convex *a, const convex *b) {
    return a->shape->kind == ABUT_SHAPE_BOX && b->shape->kind == ABUT_SHAPE_BOX;
}

/* The face that takes part in a contact whose normal points out of the box along `outward`; -1 for none. */
static inline int32_t box_faces_along(const convex *box, abut_vec3 outward, double sine) {
    abut_vec3 local = convex_direction_to_local(box, outward);
    const double d[3] = {local.x, local.y, local.z};
    int axis = feature_box_axis(box, local, sine);
    return axis < 0 ? -1 : 2 * axis + (d[axis] > 0.0);
}

/* Adds the contacts with gap <= margin. Settings and scale as in patch.c. Returns how many were added. */
int32_t box_faces_intersect(const contact_plane *plane, const convex *a, int32_t face_a, const convex *b, int32_t face_b,
                            const patch_settings *settings, double scale, int32_t patch, contact_list *list);
