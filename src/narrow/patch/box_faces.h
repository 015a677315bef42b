#pragma once

#include "narrow/patch/patch.h"

/*
 * The contacts of a face of a box and a face of another box, as in every stack of boxes. The contacts are those of patch.c to the last bit. Rectangles need
 * no lists of corners and no search for names.
 */

/* Adds the contacts with gap <= margin. Settings and scale as in patch.c. Returns how many were added. */
int32_t box_faces_intersect(const contact_plane *plane, const convex *a, int32_t face_a, const convex *b, int32_t face_b,
                            const patch_settings *settings, double scale, int32_t patch, contact_list *list);
