#pragma once

#include "narrow/patch/patch.h"

/*
 * The contacts of a face of a box and a face of another box, as in every stack of boxes. The contacts are those of patch.c to the last bit. Rectangles need
 * no lists of corners and no search for names.
 */

/* Whether both features are faces of boxes. */
static inline bool box_faces_are(const convex *a, abut_feature fa, const convex *b, abut_feature fb) {
    return fa.kind == ABUT_FEATURE_FACE && fb.kind == ABUT_FEATURE_FACE && a->shape->kind == ABUT_SHAPE_BOX &&
           b->shape->kind == ABUT_SHAPE_BOX;
}

/* Adds the contacts with gap <= margin. Settings and scale as in patch.c. Returns how many were added. */
int32_t box_faces_intersect(const contact_plane *plane, const convex *a, int32_t face_a, const convex *b, int32_t face_b,
                            const patch_settings *settings, double scale, int32_t patch, contact_list *list);
