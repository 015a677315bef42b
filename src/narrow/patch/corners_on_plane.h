#pragma once

#include "narrow/patch/patch.h"

/*
 * The contacts of a polytope and a plane: the corners of the polytope's feature, and their feet on the plane. A plane bounds nothing, so nothing is clipped.
 */

/* A plane in the pair's frame. */
typedef struct whole_plane {
    abut_vec3 outward; /* unit */
    double offset;
    bool is_a; /* the plane is body A */
} whole_plane;

/* Adds the contacts with gap <= margin. frame: its contact plane. Settings and scale as in patch.c. Returns how many were added. */
int32_t corners_on_plane(const contact_plane *frame, const convex *body, abut_feature feature, const whole_plane *plane,
                         const patch_settings *settings, double scale, int32_t patch, contact_list *list);
